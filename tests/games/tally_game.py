"""Tally: a sequential game for tests in plain Python, with dice, live objects, and exceptions.

In its turn a player throws a die as often as it likes and scores the sum when it stops; a 1 loses
the sum and ends the turn. A turn has at least one throw. The first player with `goal` points wins;
after `limit` decisions the game is truncated.

A `Table` of Python objects plays the game. The parameters keep it under a number that follows from
the record. `tally_twin` has the same rules, compiled.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.errors import check_range
from axiom_gym.game import GameInfo, KernelGame, Layout
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING, TRUNCATED, record_dtype
from axiom_gym.seeded_rng import SeededRNG, mix_seed

STOP, THROW = range(2)
MOST_TABLES = 100
FEATURES = ("own", "other", "pot", "left")

STATE = record_dtype(
    [
        ("scores", np.int16, (2,)),
        ("pot", np.int16),  # thrown in this turn
        ("active", np.int8),
        ("over", np.int8),
        ("decisions", np.int16),
        ("digest", np.uint32),  # of all the fields above
        ("rng", np.uint32),
    ]
)


class Table:
    """A game of two players as live objects."""

    def __init__(self, state: Any) -> None:
        self.scores: list[int] = state.scores.tolist()
        self.pot = int(state.pot)
        self.active = int(state.active)
        self.over = bool(state.over)
        self.decisions = int(state.decisions)

    def digest(self) -> int:
        """Return a number that follows from the whole state."""
        found = 0
        for value in (*self.scores, self.pot, self.active, int(self.over), self.decisions):
            found = mix_seed(found, value)
        return found

    def write(self, state: Any) -> None:
        """Write the state and its digest into the record."""
        state.scores[:] = self.scores
        state.pot, state.active = self.pot, self.active
        state.over, state.decisions = self.over, self.decisions
        state.digest = self.digest()


class Params:
    """The options and the tables at hand; the lock cannot be pickled, like many live objects."""

    def __init__(self, goal: int, limit: int, broken: int) -> None:
        self.goal, self.limit, self.broken = goal, limit, broken
        self.tables: dict[int, Table] = {}
        self.made = 0
        self.lock = threading.Lock()

    def take(self, state: Any) -> Table:
        """Return a record's table, to be put back when the record has been written."""
        table = self.tables.pop(int(state.digest), None)
        if table is None:
            self.made += 1
            table = Table(state)
        return table

    def put(self, state: Any, table: Table) -> None:
        if len(self.tables) >= MOST_TABLES:
            self.tables.clear()
        self.tables[int(state.digest)] = table


def reset(state: Any, params: Params) -> None:
    state.scores[:] = 0
    state.pot = state.active = state.over = state.decisions = 0
    table = Table(state)
    table.write(state)
    params.put(state, table)


def acting(state: Any, params: Params) -> int:
    return int(state.active)


def legal_actions(state: Any, player: int, mask: npt.NDArray[np.int8], params: Params) -> None:
    mask[0] = (state.pot > 0, 1)


def step(
    state: Any,
    actions: npt.NDArray[np.int64],
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    if actions[0, 0] not in (STOP, THROW):
        return ILLEGAL
    table = params.take(state)
    player, die = table.active, 0
    table.decisions += 1
    if actions[0, 0] == THROW:
        rng = SeededRNG(state.rng)
        die = rng.range(1, 6)
        state.rng = rng.state
        table.pot = 0 if die == 1 else table.pot + die
    if table.decisions == params.broken:
        state.over = 1
        raise ZeroDivisionError(f"the table broke in decision {table.decisions}")
    if die < 2:  # has stopped, or thrown a 1
        table.scores[player] += table.pot
        table.pot, table.active = 0, 1 - player
    return _finish(state, table, player, die, rewards, events, params)


def _finish(
    state: Any,
    table: Table,
    player: int,
    die: int,
    rewards: npt.NDArray[np.float32],
    events: Any,
    params: Params,
) -> int:
    table.over = table.scores[player] >= params.goal
    rewards[:] = 0
    if table.over:
        rewards[player], rewards[1 - player] = 1, -1
    if events is not None:
        events[0, 0] = 1
        events[1, :2] = player, die
    table.write(state)
    params.put(state, table)
    if table.over:
        return ENDED
    return TRUNCATED if table.decisions >= params.limit else RUNNING


def observe(state: Any, player: int, observation: npt.NDArray[np.float32], params: Params) -> None:
    observation[0] = state.scores[player]
    observation[1] = state.scores[1 - player]
    observation[2] = state.pot
    observation[3] = params.limit - int(state.decisions)


def outcome(state: Any, returns: npt.NDArray[np.float32], params: Params) -> None:
    returns[:] = 0
    if state.over:
        winner = int(state.scores[1] >= params.goal)
        returns[winner], returns[1 - winner] = 1, -1


def holder(
    state: Any, player: int, mask: npt.NDArray[np.int8], stream: Any, orders: Any, params: Params
) -> None:
    """Stop at a sum of 8 to 12, drawn for each decision."""
    rng = SeededRNG(stream.rng)
    enough = 8 + rng.below(5)
    stream.rng = rng.state
    orders[0] = STOP if state.pot >= enough else THROW


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyConfig:
    """The options."""

    goal: int = 25
    """Points that win."""
    limit: int = 60
    """Decisions after which the game is truncated."""
    broken: int = 0
    """The number of the decision in which the rules raise; 0 for none."""

    def __post_init__(self) -> None:
        check_range("goal", self.goal, 1, 100)
        check_range("limit", self.limit, 1, 1000)
        check_range("broken", self.broken, 0)


def _kernel() -> ModuleType:
    return sys.modules[__name__]


def make_layout(config: TallyConfig) -> Layout:
    return Layout(
        observation_shape=(len(FEATURES),),
        observation_low=0.0,
        observation_high=1000.0,
        num_choices=(2,),
        feature_names=FEATURES,
    )


def _describe_action(state: Any, player: int, orders: Sequence[int]) -> str:
    return ("stops", "throws")[int(orders[0])]


def _describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    return ("stop", "throw")[int(action)]


def _describe_state(state: Any) -> str:
    return f"{state.scores[0]} : {state.scores[1]}, {state.pot} in this turn"


def _describe_event(state: Any, row: Sequence[int]) -> str:
    return f"Player {row[0]} throws a {row[1]}" if row[1] else ""


GAME = KernelGame(
    info=GameInfo(
        name="tally",
        version=0,
        title="Tally",
        summary="Two players throw a die as often as they dare.",
        agents=("player_0", "player_1"),
        dynamics="sequential",
        chance=True,
        perfect_information=True,
        zero_sum=True,
        min_outcome=-1.0,
        max_outcome=1.0,
        max_length=1000,
    ),
    config=TallyConfig,
    presets={"short": {"goal": 10}},
    layout=make_layout,
    kernel=_kernel,
    params=lambda config: Params(config.goal, config.limit, config.broken),
    bots={"holder": f"{__name__}:holder"},
    describe_action=_describe_action,
    describe_state=_describe_state,
    describe_sub_action=_describe_sub_action,
    describe_event=_describe_event,
    event_kinds={0: "decision", 1: "decision"},
    compiled=False,
)
