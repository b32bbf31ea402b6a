"""Names and limits of the skirmish's options; the rules' own are in `axiom_envs.dnd.constants`."""

from __future__ import annotations

from axiom_envs.dnd.constants import MOST_DECISIONS, SIDES

TRAINING, HELD_OUT = "training", "held_out"
GENERATED, GENERATED_HELD_OUT = "generated", "generated_held_out"
POOLS = (TRAINING, HELD_OUT, GENERATED, GENERATED_HELD_OUT)
"""Names of pools of scenarios; each episode draws one scenario, or generates one."""

GENERATED_UNITS, GENERATED_BOARD, GENERATED_ROUNDS = 4, 12, 20
MIN_BUDGET, MAX_BUDGET = 10, 14_400
"""Minimum and maximum experience points of a side of a generated scenario."""

AGENTS = ("sides", "creatures")
REACTIONS = ("ask", "auto")
SURPRISED = ("nobody", *SIDES)

MAX_ROUNDS = 100
DECISIONS_PER_TURN = MOST_DECISIONS + 8
"""Entries of a record per turn: the actor's decisions, and some reactions to them."""

TIE_BREAK = 0.2
"""The reward for the full difference of hit point shares in a truncated game."""
