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
import numpy.typing as npt

from axiom_gym.errors import ReplayError
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.encoding import Encoder
from axiom_gym.game.facts import Game
from axiom_gym.game.joint import JointActions
from axiom_gym.game.rewards import reward_places
from axiom_gym.play.kernel_object import MOST_JOINT_ACTIONS
from axiom_gym.replay.files import refuse
from axiom_gym.replay.format import Replay, Turn
from axiom_gym.replay.match_format import MatchReplay
from axiom_gym.replay.match_player import MatchPlayback
from axiom_gym.replay.playback import Playback


class _Decision(NamedTuple):
    seat: int
    observation: list[float]
    legal: list[int]
    action: int


def export(replay: Replay) -> dict[str, Any]:
    """A game of a kernel as a JSON object.

    Raises:
        ReplayError: if it does not play out as recorded.
    """
    playback = Playback(replay)
    joint = JointActions(playback.batch.layout.num_choices)
    decisions: list[_Decision] = []
    difference = playback.check_header()
    buffers = playback.batch.buffers
    for turn in replay.turns:
        refuse(difference)
        seen, masks = buffers.observations[0].copy(), buffers.masks[0].copy()
        difference = playback.step()
        refuse(difference)
        decisions += _read_turn(turn, seen, masks, joint)
    refuse(difference or playback.check_footer())
    return _write(decisions, replay.footer.outcome, _tell_facts(replay, replay.footer.ended))


def _read_turn(
    turn: Turn, seen: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], joint: JointActions
) -> Iterator[_Decision]:
    """The decisions of a turn. seen: (V, *shape) and masks: (V, K, N), before it."""
    for view, orders in enumerate(turn.orders):
        seat = view if turn.player is None else turn.player
        row = seen[view].ravel().tolist()
        if joint.count <= MOST_JOINT_ACTIONS:
            legal = joint.masks(masks[view][None])[0].tolist()
            yield _Decision(seat, row, legal, int(joint.index(np.array([orders]))[0]))
            continue
        for mask, order in zip(masks[view], orders, strict=True):
            yield _Decision(seat, row, mask.tolist(), order)


def export_match(replay: MatchReplay, game: Game[Any, Any]) -> dict[str, Any]:
    """A match of an object-level game as a JSON object.

    Raises:
        ReplayError: if this is not the game, it does not play out as recorded, or a player forfeits
            in it, which OpenSpiel does not know.
        GameError: for a game whose states cannot be encoded, or actions numbered.
    """
    playback = MatchPlayback(game, replay)
    course, players = playback.course, replay.header.players
    seats = {player.id: seat for seat, player in enumerate(players)}
    catalogue = Catalogue.of(game, players, replay.header.options)
    encoder = Encoder(game, players, course.state)
    decisions = []
    difference = playback.check_header()
    for step in replay.steps:
        refuse(difference)
        if step.type == "forfeit":
            raise ReplayError(
                f"{step.player} gives up in action {step.number}, and OpenSpiel knows no forfeits; "
                "export a match that is played to its end."
            )
        seat = seats[step.player]
        seen = encoder(course.state, seat).ravel().tolist()
        legal = [0] * catalogue.counts[seat]
        for number in catalogue.find(seat, course.get_mover()[1]):
            legal[number] = 1
        difference = playback.step()
        refuse(difference)
        decisions.append(_Decision(seat, seen, legal, catalogue.find(seat, [playback.action])[0]))
    refuse(difference or playback.check_footer())
    worth = reward_places(replay.footer.rankings)
    rewards = [worth[player.id] for player in players]
    return _write(decisions, rewards, _tell_facts(replay, replay.footer.reason))


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


def _tell_facts(replay: Replay | MatchReplay, ended: str) -> dict[str, Any]:
    header = replay.header
    return {
        "game": header.game,
        "version": header.version,
        "options": dict(header.options),
        "seed": header.seed,
        "players": [{"id": player.id, "name": player.name} for player in header.players],
        "ended": ended,
    }
