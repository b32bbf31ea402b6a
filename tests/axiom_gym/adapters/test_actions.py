"""Translation between actions and sub-actions, without an environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.errors import ActionError, UnknownNameError
from axiom_gym.game.facts import Layout

MASKS = np.array([[[1, 1, 0], [0, 1, 1]], [[0, 1, 0], [1, 0, 1]]], np.int8)  # (R, K, N)


def make_form(choices: tuple[int, ...], form: str = "sub_actions") -> ActionForm:
    layout = Layout(
        observation_shape=(1,), observation_low=0.0, observation_high=1.0, num_choices=choices
    )
    return ActionForm(layout, form)


CASES: list[tuple[ActionForm, tuple[int, ...], Any, Any]] = [
    # form, shape, actions of two rows, flat masks
    (make_form((2, 3)), (2,), [[1, 2], [0, 1]], [[1, 1, 0, 1, 1], [0, 1, 1, 0, 1]]),
    (make_form((3, 3)), (2,), [[2, 2], [0, 1]], MASKS.reshape(2, 6).tolist()),
    (make_form((2, 3), "joint"), (), [5, 1], [[0, 1, 1, 0, 1, 1], [0, 0, 0, 1, 0, 1]]),
    (make_form((3,), "joint"), (), [2, 0], MASKS[:, 0].tolist()),
]


@pytest.mark.parametrize(("form", "shape", "actions", "flat"), CASES)
def test_form__translates_there_and_back(
    form: ActionForm, shape: tuple[int, ...], actions: Any, flat: Any
) -> None:
    masks = MASKS[:, : len(form.sub_actions(np.array(actions))[0])]
    assert form.shape == shape
    sub_actions = form.sub_actions(np.array(actions))
    assert form.actions(sub_actions).tolist() == actions
    assert [form.read("ann", one) for one in actions] == sub_actions.tolist()
    assert form.flat_masks(masks).tolist() == flat
    assert np.shares_memory(form.flat_masks(masks), masks) is form.flat_is_view
    assert form.masks(masks).tolist() == (masks.tolist() if shape else flat)
    assert sum(form.choices) == len(flat[0])


@pytest.mark.parametrize("action", [6, -1, 1.0, [1], None])
def test_read__refuses_other_values(action: Any) -> None:
    with pytest.raises(ActionError, match="the action of ann"):
        make_form((2, 3), "joint").read("ann", action)


def test_form__must_be_known() -> None:
    with pytest.raises(UnknownNameError, match="action form"):
        make_form((2, 3), "flat")
