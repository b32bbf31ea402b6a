"""Export of recorded games in the form of OpenSpiel's trajectories.

OpenSpiel has no file format for trajectories. In memory they are the struct `BatchedTrajectory`
(open_spiel/algorithms/trajectories.h); this module writes the fields of that struct as JSON, for a
batch of one. Axis letters: T decisions, N numbers of an observation, A actions, P players.

    batch_size              1
    max_trajectory_length   T
    observations            [1][T][N]: the observation of the player who decides, as one flat row
    state_indices           []: OpenSpiel fills either this or observations
    legal_actions           [1][T][A]: 1 for a legal action, else 0
    actions                 [1][T]: the number of the action
    player_policies         []: a replay does not hold the probabilities
    player_ids              [1][T]: the seat of the player who decides
    rewards                 [1][P]: the outcome of the game by seat
    valid                   [1][T]: 1, because there is no padding
    next_is_terminal        [1][T]: 1 for the last decision
    axiom_gym               game, options, seed, players and end, which OpenSpiel does not have

Players who act at once follow one another by seat, as in OpenSpiel's `convert_to_turn_based`. The
sub-actions of a turn are one joint action. If there are more joint actions than `KernelGameObject`
allows, each sub-action is a decision. Chance events are not decisions: the observations show their
results. A plain Python game has the action numbers of its environments, and the rewards that they
give for the players' ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ReplayError
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.encoding import Encoder
from axiom_gym.game.facts import GameLike
from axiom_gym.game.joint import MOST_JOINT_ACTIONS, JointActions
from axiom_gym.game.rewards import reward_places
from axiom_gym.replay.course import Course
from axiom_gym.replay.format import Replay
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
        ReplayError: if its game is missing, it does not play out as recorded, or a player forfeits,
            for which OpenSpiel has no representation.
        GameError: for a plain game whose states cannot be encoded or whose actions have no numbers.
    """
    header, footer = replay.header, replay.footer
    for turn in replay.turns:
        if turn.why:
            raise ReplayError(
                f"{header.players[turn.player or 0].id} forfeits in turn {turn.number}, and "
                "OpenSpiel knows no forfeits; export a game that is played to its end."
            )
    playback, rewards = Playback(replay, game), list(footer.outcome)
    source = playback.source
    if isinstance(source, PlainSource):
        decisions = list(_read_plain(playback, source.course))
        worth = reward_places(footer.rankings)
        rewards = [worth[player.id] for player in header.players]
    else:
        decisions = list(_read_kernel(playback, source.batch))
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
        "rewards": [rewards],
        "valid": [[1] * count],
        "next_is_terminal": [[int(place == count) for place in range(1, count + 1)]],
        "axiom_gym": {
            "game": header.game,
            "version": header.version,
            "options": dict(header.options),
            "seed": header.seed,
            "players": [{"id": player.id, "name": player.name} for player in header.players],
            "ended": footer.ended,
        },
    }


def _read_kernel(playback: Playback, batch: Batch) -> Iterator[_Decision]:
    """Play a kernel game, and yield its decisions."""
    buffers, joint = batch.buffers, JointActions(batch.layout.num_choices)

    def keep() -> tuple[Any, Any]:
        return buffers.observations[0].copy(), buffers.masks[0].copy()

    for turn, (observations, masks) in playback.play_turns(keep):
        for view, chosen in enumerate(turn.orders):
            seat = view if turn.player is None else turn.player
            seen = observations[view].ravel().tolist()
            if joint.count <= MOST_JOINT_ACTIONS:
                legal = joint.masks(masks[view][None])[0].tolist()
                yield _Decision(seat, seen, legal, int(joint.index(np.array([chosen]))[0]))
                continue
            for mask, choice in zip(masks[view], chosen, strict=True):
                yield _Decision(seat, seen, mask.tolist(), choice)


def _read_plain(playback: Playback, course: Course[Any, Any]) -> Iterator[_Decision]:
    """Play a plain Python game, and yield its decisions with the numbers of its environments."""
    catalogue = Catalogue.of(course.game, course.players, course.options)
    encoder = Encoder(course.game, course.players, course.state)
    seats = {player.id: seat for seat, player in enumerate(course.players)}

    def keep() -> tuple[int, list[float], list[int]]:
        if course.reason is not None:
            return 0, [], []  # the playback refuses the line
        mover, valid = course.get_mover()
        seat = seats[mover]
        legal = [0] * catalogue.counts[seat]
        for number in catalogue.find(seat, valid):
            legal[number] = 1
        return seat, encoder(course.state, seat).ravel().tolist(), legal

    for _, (seat, seen, legal) in playback.play_turns(keep):
        (number,) = catalogue.find(seat, [course.action])
        yield _Decision(seat, seen, legal, number)
