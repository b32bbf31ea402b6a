"""Recorded games in the form of OpenSpiel's trajectories."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ReplayError
from axiom_gym.game import GameLoop
from axiom_gym.game.joint import JointActions
from axiom_gym.play.agents import pick_any
from axiom_gym.replay import Playback, Replay
from axiom_gym.replay import openspiel as openspiel_export
from axiom_gym.replay.openspiel import export

FIELDS = {
    "batch_size",
    "max_trajectory_length",
    "observations",
    "state_indices",
    "legal_actions",
    "actions",
    "player_policies",
    "player_ids",
    "rewards",
    "valid",
    "next_is_terminal",
    "axiom_gym",
}


def check_shapes(values: dict[str, Any], count: int) -> None:
    """Check the shapes of a trajectory with `count` decisions, and that its actions are legal."""
    assert values.keys() == FIELDS
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert (values["batch_size"], values["max_trajectory_length"]) == (1, count)
    for name in ("observations", "legal_actions", "actions", "player_ids", "valid"):
        assert len(values[name]) == 1
        assert len(values[name][0]) == count
    assert values["next_is_terminal"] == [[0] * (count - 1) + [1]]
    for mask, action in zip(values["legal_actions"][0], values["actions"][0], strict=True):
        assert mask[action] == 1
        assert set(mask) <= {0, 1}


def test_export__of_a_sequential_game(four: Replay) -> None:
    values = export(four)
    check_shapes(values, len(four.turns))
    assert values["actions"] == [[turn.orders[0][0] for turn in four.turns]]
    assert values["player_ids"] == [[turn.player for turn in four.turns]]
    assert values["rewards"] == [list(four.footer.outcome)]
    playback = Playback(four)
    seen = playback.batch.buffers.observations[0, 0].ravel().tolist()
    assert values["observations"][0][0] == seen
    assert values["axiom_gym"]["game"] == "connect_four"
    assert values["axiom_gym"]["seed"] == 1


def test_export__of_joint_actions_by_seat(game: Replay) -> None:
    values = export(game)
    check_shapes(values, 2 * len(game.turns))
    assert values["player_ids"] == [[0, 1] * len(game.turns)]
    joint = JointActions(Playback(game).batch.layout.num_choices)
    chosen = np.array([row for turn in game.turns for row in turn.orders])
    assert values["actions"] == [joint.index(chosen).tolist()]
    assert len(values["legal_actions"][0][0]) == joint.count


def test_export__of_single_sub_actions(trio: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_export, "MOST_JOINT_ACTIONS", 3)
    values = export(trio)
    check_shapes(values, 6 * len(trio.turns))
    expected = [choice for turn in trio.turns for row in turn.orders for choice in row]
    assert values["actions"] == [expected]
    assert values["player_ids"][0][:6] == [0, 0, 1, 1, 2, 2]


def test_export__has_the_numbers_of_the_environments(race: ModuleType) -> None:
    agents = {"player_0": pick_any, "player_1": pick_any}
    replay = GameLoop(race.Race(), agents).run(3).replay
    values = export(replay, race.Race())
    check_shapes(values, len(replay.turns))
    batch = Batch(race.Race, autoreset="disabled")
    batch.reset(3)
    steps = zip(
        values["actions"][0],
        values["player_ids"][0],
        values["observations"][0],
        values["legal_actions"][0],
        strict=True,
    )
    for action, seat, seen, legal in steps:
        assert seat == batch.to_act()[0]
        assert seen == batch.buffers.observations[0, 0].tolist()
        assert legal == batch.buffers.masks[0, 0, 0].tolist()
        batch.buffers.actions[:] = action
        batch.step()
    assert batch.buffers.terminated[0]
    assert values["rewards"] == batch.buffers.rewards.tolist()


def test_export__refuses_what_does_not_play_out(
    game: Replay, change: Callable[..., Any], race: ModuleType, race_match: Any
) -> None:
    for orders in (((0, 0, 0), (0, 0, 0)), ((99, 0, 0), (0, 0, 0))):
        with pytest.raises(ReplayError, match=r"does not play out as recorded: .*turn 3"):
            export(change(game, 3, orders=orders))
    with pytest.raises(ReplayError, match="this is scribble-v0"):
        export(race_match(), race.Scribble(""))


def test_export__refuses_forfeits(race: ModuleType) -> None:
    agents = {"ann": lambda *_: None, "bob": pick_any}
    replay: Replay = GameLoop(race.Race(), agents).run(1).replay
    with pytest.raises(ReplayError, match="ann forfeits in turn 1, and OpenSpiel knows no forf"):
        export(replay, race.Race())
