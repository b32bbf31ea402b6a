"""Old names keep working, with a warning."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import pytest

import axiom_gym.kernel
from axiom_gym.adapters.actions import ActionForm
from axiom_gym.batch import Batch


def test_constructor__takes_old_names_of_fields(climb: ModuleType) -> None:
    given = {name: getattr(climb.GAME, name) for name in ("info", "config", "presets", "layout")}
    given |= {name: getattr(climb.GAME, name) for name in ("kernel", "params", "bots")}
    given |= {name: getattr(climb.GAME, name) for name in ("describe_state", "describe_action")}
    message = r"KernelGame\(order_key=\.\.\.\) is now KernelGame\(sub_action_key=\.\.\.\)"
    with pytest.warns(DeprecationWarning, match=message):
        game = type(climb.GAME)(**given, order_key=divmod)
    assert game.sub_action_key is divmod


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("describe_order", "describe_sub_action"),
        ("order_key", "sub_action_key"),
        ("yardsticks", "default_opponents"),
    ],
)
def test_fields__are_read_by_old_names(climb: ModuleType, old: str, new: str) -> None:
    game = dataclasses.replace(climb.GAME, **{new: ("value",)})
    with pytest.warns(DeprecationWarning, match=rf"KernelGame\.{old} is now KernelGame\.{new};"):
        assert getattr(game, old) == ("value",)


def test_module__gives_old_names_and_refuses_others() -> None:
    module: Any = axiom_gym.kernel
    with pytest.warns(DeprecationWarning, match=r"kernel\.NO_ORDER is now .*\.NO_SUB_ACTION;"):
        assert module.NO_ORDER == module.NO_SUB_ACTION == -1
    with pytest.raises(AttributeError, match="has no attribute 'NO_THING'"):
        _ = module.NO_THING


def test_methods__are_called_by_old_names(climb: ModuleType) -> None:
    batch: Any = Batch(climb.GAME, 1)
    with pytest.warns(DeprecationWarning, match=r"Batch\.play_on is now Batch\.play_opponents;"):
        assert batch.play_on == batch.play_opponents


def test_action_form__takes_its_old_name(climb: ModuleType) -> None:
    layout = climb.GAME.layout(climb.GAME.config())
    with pytest.warns(DeprecationWarning, match="actions='orders' is now actions='sub_actions'"):
        form = ActionForm(layout, "orders")
    assert form.choices == ActionForm(layout).choices
