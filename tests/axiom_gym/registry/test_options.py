"""Options as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Literal

import pytest

from axiom_gym.errors import ConfigError, UnknownNameError
from axiom_gym.game import KernelGame
from axiom_gym.registry import get_game
from axiom_gym.registry.options import parse_options, with_players


@dataclass(frozen=True)
class Config:
    """A configuration with an option of each type."""

    name: str = ""
    count: int = 0
    share: float = 0.0
    is_fair: bool = False
    label: str | None = None
    mode: Literal["1", "2"] = "1"
    sizes: tuple[int, ...] = ()


@pytest.fixture(scope="module")
def game() -> KernelGame:
    return replace(get_game("quantaris"), config=Config)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("name=0.1", "0.1"),
        ("name=", ""),
        ("name=a=b", "a=b"),
        ("count=-3", -3),
        (" count = 3 ", 3),
        ("share=3", 3.0),
        ("share=1e-3", 0.001),
        ("is_fair=yes", True),
        ("is-fair=False", False),
        ("label=x", "x"),
        ("mode=1", "1"),
        ("sizes=[1, 2]", [1, 2]),
    ],
)
def test_parse_options__reads_values_as_the_option_has_them(
    game: KernelGame, entry: str, value: Any
) -> None:
    ((_, found),) = parse_options(game, [entry]).items()
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (["count"], "KEY=VALUE, got 'count'"),
        (["=1"], "KEY=VALUE, got '=1'"),
        (["count=x"], "'count' must be an integer, got 'x'"),
        (["count=1.5"], "'count' must be an integer, got '1.5'"),
        (["share=x"], "'share' must be a number, got 'x'"),
        (["is_fair=maybe"], "'is_fair' must be true or false, got 'maybe'"),
        (["sizes=1,2"], "'sizes' must be a JSON value, got '1,2'"),
        (["count=1", "count=2"], "'count' of quantaris is given twice"),
    ],
)
def test_parse_options__refuses_what_does_not_fit(
    game: KernelGame, entries: list[str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_options(game, entries)


def test_parse_options__suggests_the_closest_name(game: KernelGame) -> None:
    with pytest.raises(UnknownNameError, match=r"'cuont'\. Did you mean 'count'"):
        parse_options(game, ["cuont=1"])


def test_parse_options__of_nothing_is_empty(game: KernelGame) -> None:
    assert parse_options(game, []) == parse_options(game, None) == {}


def test_with_players__sets_players_if_it_is_an_option(
    brawl: ModuleType, pennies: ModuleType
) -> None:
    assert with_players(brawl.GAME, {"lives": 3}, 4) == {"lives": 3, "players": 4}
    assert with_players(brawl.GAME, {"players": 4}, 4) == {"players": 4}
    assert with_players(pennies.GAME, {}, 4) == {}
    with pytest.raises(ConfigError, match="there are 3 players, but -o players=4"):
        with_players(brawl.GAME, {"players": 4}, 3)
