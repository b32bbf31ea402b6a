"""Names and limits of the skirmish's options; those of the rules are `axiom_envs.dnd.constants`."""

from __future__ import annotations

from axiom_envs.dnd.constants import MOST_DECISIONS, SIDES

TRAINING, HELD_OUT = "training", "held_out"
GENERATED, GENERATED_HELD_OUT = "generated", "generated_held_out"
POOLS = (TRAINING, HELD_OUT, GENERATED, GENERATED_HELD_OUT)
"""Names that stand for several scenarios, one of which is drawn, or made, for each episode."""

GENERATED_UNITS, GENERATED_BOARD, GENERATED_ROUNDS = 4, 12, 20
MIN_BUDGET, MAX_BUDGET = 10, 14_400
"""Experience points of a side of a generated scenario."""

AGENTS = ("sides", "creatures")
REACTIONS = ("ask", "auto")
SURPRISED = ("nobody", *SIDES)

MAX_ROUNDS = 100
DECISIONS_PER_TURN = MOST_DECISIONS + 8
"""Room in a record: the decisions of the one whose turn it is, and some reactions to them."""

TIE_BREAK = 0.2
"""What a whole share of hit points is worth where a game is cut off."""
