"""Recorded games as OpenSpiel writes trajectories down.

OpenSpiel has no file format for them; its form in memory is the struct `BatchedTrajectory`
(open_spiel/algorithms/trajectories.h), and this is that struct as JSON, by its names, for a batch
of one. Axis letters: T decisions, N numbers of an observation, A actions, P players.

    batch_size              1
    max_trajectory_length   T
    observations            [1][T][N]: what the player who decides sees, as one flat row
    state_indices           []: OpenSpiel fills either this or observations
    legal_actions           [1][T][A]: 1 for what this player may do, else 0
    actions                 [1][T]: what was done, by number
    player_policies         []: a replay does not hold the probabilities
    player_ids              [1][T]: the seat of who decides
    rewards                 [1][P]: the outcome of the game by seat
    valid                   [1][T]: 1, as there is no padding
    next_is_terminal        [1][T]: 1 for the last decision
    axiom_gym               game, options, seed, players and how it ended, which OpenSpiel has not

Players who act at once stand there one after the other, by seat, as OpenSpiel's
`convert_to_turn_based` has it. Several orders of a turn are one joint action, or as many decisions
if these would be more than `KernelGameObject` takes. Chance is no decision: the observations hold
what came of it. Actions of a plain Python game have the numbers of its environments, and its
outcome is what places are worth there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from axiom_gym.errors import ReplayError
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.encoding import Encoder
from axiom_gym.game.facts import GameLike
from axiom_gym.game.joint import MOST_JOINT_ACTIONS, JointActions
from axiom_gym.game.rewards import reward_places
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.games import refuse
from axiom_gym.replay.kernel_source import KernelSource
from axiom_gym.replay.plain_source import PlainSource
from axiom_gym.replay.playback import Playback


class _Decision(NamedTuple):
    seat: int
    observation: list[float]
    legal: list[int]
    action: int


def export(replay: Replay, game: GameLike | None = None) -> dict[str, Any]:
    """Return a recorded game as a JSON object.

    Raises:
        ReplayError: if its game is not there, it does not play out as recorded, or a player
            forfeits in it, which OpenSpiel does not know.
        GameError: for a plain game whose states cannot be encoded, or actions numbered.
    """
    playback = Playback(replay, game)
    source = playback.source
    reader = _Plain(source) if isinstance(source, PlainSource) else _Kernel(source)
    decisions: list[_Decision] = []
    difference = playback.check_header()
    for turn in replay.turns:
        refuse(difference)
        if turn.why:
            name = replay.header.players[turn.player or 0].id
            raise ReplayError(
                f"{name} gives up in turn {turn.number}, and OpenSpiel knows no forfeits; export a "
                "game that is played to its end."
            )
        reader.look()
        difference = playback.step()
        refuse(difference)
        decisions += reader.read(turn)
    refuse(difference or playback.check_footer())
    return _write(decisions, reader.judge(replay), _tell_facts(replay))


class _Kernel:
    """The decisions of a kernel's turns."""

    def __init__(self, source: KernelSource) -> None:
        self._buffers = source.batch.buffers
        self._joint = JointActions(source.batch.layout.num_choices)

    def look(self) -> None:
        """Keep what is seen, and what is legal, before a turn."""
        self._seen, self._masks = (
            self._buffers.observations[0].copy(),
            self._buffers.masks[0].copy(),
        )

    def read(self, turn: Turn) -> Iterator[_Decision]:
        """Yield the decisions of the turn."""
        joint = self._joint
        for view, orders in enumerate(turn.orders):
            seat = view if turn.player is None else turn.player
            row, masks = self._seen[view].ravel().tolist(), self._masks[view]
            if joint.count <= MOST_JOINT_ACTIONS:
                legal = joint.masks(masks[None])[0].tolist()
                yield _Decision(seat, row, legal, int(joint.index(np.array([orders]))[0]))
                continue
            for mask, order in zip(masks, orders, strict=True):
                yield _Decision(seat, row, mask.tolist(), order)

    def judge(self, replay: Replay) -> Sequence[float]:
        """Return what the game is worth, by seat."""
        return replay.footer.outcome


class _Plain:
    """The decisions of a plain Python game, with the numbers of its environments."""

    def __init__(self, source: PlainSource) -> None:
        course = self._course = source.course
        self._catalogue = Catalogue.of(course.game, course.players, course.options)
        self._encoder = Encoder(course.game, course.players, course.state)

    def look(self) -> None:
        """Keep what is seen, and what is legal, before a decision."""
        if self._course.reason is not None:
            return  # the playback refuses the line
        mover, valid = self._course.get_mover()
        self._seat = [player.id for player in self._course.players].index(mover)
        self._seen = self._encoder(self._course.state, self._seat).ravel().tolist()
        self._legal = [0] * self._catalogue.counts[self._seat]
        for number in self._catalogue.find(self._seat, valid):
            self._legal[number] = 1

    def read(self, turn: Turn) -> Iterator[_Decision]:
        """Yield the decision."""
        (number,) = self._catalogue.find(self._seat, [self._course.action])
        yield _Decision(self._seat, self._seen, self._legal, number)

    def judge(self, replay: Replay) -> Sequence[float]:
        """Return what the game is worth, by seat."""
        worth = reward_places(replay.footer.rankings)
        return [worth[player.id] for player in replay.header.players]


def _write(
    decisions: Sequence[_Decision], rewards: Sequence[float], facts: dict[str, Any]
) -> dict[str, Any]:
    count = len(decisions)
    return {
        "batch_size": 1,
        "max_trajectory_length": count,
        "observations": [[one.observation for one in decisions]],
        "state_indices": [],
        "legal_actions": [[one.legal for one in decisions]],
        "actions": [[one.action for one in decisions]],
        "player_policies": [],
        "player_ids": [[one.seat for one in decisions]],
        "rewards": [list(rewards)],
        "valid": [[1] * count],
        "next_is_terminal": [[int(place == count) for place in range(1, count + 1)]],
        "axiom_gym": facts,
    }


def _tell_facts(replay: Replay) -> dict[str, Any]:
    header = replay.header
    return {
        "game": header.game,
        "version": header.version,
        "options": dict(header.options),
        "seed": header.seed,
        "players": [{"id": player.id, "name": player.name} for player in header.players],
        "ended": replay.footer.ended,
    }
