"""The reward of a forfeit in every game, and the warning about a first illegal action."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.adapters import illegal
from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
from axiom_gym.errors import IllegalActionWarning
from axiom_gym.registry import game_ids, get_game, make_config

NAMES = ('info["action_mask"]', "env.action_masks()", "envs.sample_actions()")


@pytest.mark.parametrize("game_id", game_ids())
def test_forfeit__is_no_better_than_a_loss(game_id: str) -> None:
    game = get_game(game_id)
    assert game.forfeit_reward(game.config()) == min(-1.0, game.info.min_outcome)


def test_forfeit__is_no_better_than_a_loss_with_shaping() -> None:
    """A player can lose the game and all five points of its core."""
    quantaris, skirmish = get_game("quantaris"), get_game("skirmish")
    assert quantaris.forfeit_reward(make_config(quantaris, None, {"shaping": 0.5})) == -3.5
    assert skirmish.forfeit_reward(make_config(skirmish, None, {"shaping": 4.0})) == -5.0


def test_forfeit__costs_1_if_the_worst_is_unknown(climb: ModuleType) -> None:
    """The worst is unknown, as in a plain Python game for one player."""
    endless = replace(climb.GAME, info=replace(climb.GAME.info, min_outcome=float("-inf")))
    assert endless.forfeit_reward(endless.config()) == -1.0


def make_env(kind: str, game: Any, policy: str) -> Any:
    """Return an environment after a reset in which the learner's second sub-action must be 0."""
    options: dict[str, Any] = {"forced": 0, "preset": "endless", "on_illegal": policy}
    if kind == "sb3":
        env = pytest.importorskip("axiom_gym.adapters.sb3").make_vec_env(game, 2, **options)
        env.reset()
        return env
    env = AxiomEnv(game, **options) if kind == "single" else AxiomVectorEnv(game, 2, **options)
    env.reset(seed=1)
    return env


@pytest.mark.parametrize("policy", ["forfeit", "noop"])
@pytest.mark.parametrize("kind", ["single", "vector", "sb3"])
def test_first_illegal_action__warns_once_in_this_process(
    kind: str, policy: str, pennies: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(illegal, "_has_warned", False)
    env = make_env(kind, pennies.GAME, policy)
    legal = env.action_masks().reshape(-1, 5)[:, :2].argmax(axis=1)
    actions = np.stack([legal, np.zeros_like(legal)], axis=1)
    step = env.step if kind != "single" else lambda rows: env.step(rows[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step(actions)
    actions[:, 1] = 1
    with pytest.warns(IllegalActionWarning, match=rf"on_illegal='{policy}'") as given:
        step(actions)
    assert [one.filename for one in given] == [__file__]
    assert all(name in str(given[0].message) for name in NAMES)
    other = make_env(kind, pennies.GAME, "noop")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (other.step if kind != "single" else lambda rows: other.step(rows[0]))(actions)
