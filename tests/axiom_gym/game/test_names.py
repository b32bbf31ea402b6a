"""The public names of `axiom_gym.game`, and the imports that they cause."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from axiom_gym import game


@pytest.mark.parametrize("name", game.__all__)
def test_game__has_what_it_exports(name: str) -> None:
    assert getattr(game, name).__name__ == name


def test_game__has_no_other_names() -> None:
    with pytest.raises(AttributeError, match=r"module 'axiom_gym.game' has no attribute 'GameLop'"):
        _ = game.GameLop  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="cannot import name 'GameLop'"):
        from axiom_gym.game import GameLop  # noqa: F401


def test_game__is_imported_without_what_runs_matches(python: Callable[..., str]) -> None:
    code = (
        "import json, sys\nimport axiom_gym.game\n"
        "before = [m for m in sys.modules if m in ('numba', 'axiom_gym.play')]\n"
        "from axiom_gym.game import Game, GameLoop, MatchConfig, Player, ReplayPlayer, rank\n"
        "print(json.dumps([before, 'numba' in sys.modules]))"
    )
    assert json.loads(python(code)) == [[], False]
