"""Values of MatchConfig that are allowed, and errors for others."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_gym.errors import ConfigError, UnknownNameError
from axiom_gym.game import GameMetadata, MatchConfig


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"max_turns": -1}, "max_turns must be an integer from 0"),
        ({"max_turns": 1.5}, "max_turns must be an integer"),
        ({"retries": -1}, "retries must be an integer from 0 to 1000, got -1"),
        ({"time_limit_s": 0}, "time_limit_s must be a number of seconds above 0.* got 0"),
        ({"time_limit_s": float("inf")}, "above 0.* got inf"),
        ({"time_limit_s": "1"}, "above 0.* got '1'"),
        ({"fallback": "forfeits"}, "unknown fallback 'forfeits'. Did you mean 'forfeit'"),
        ({"fallback": 3}, "unknown fallback 3"),
        ({"options": {"max_turns": 3}}, r"'max_turns' is no option .*MatchConfig\(max_turns="),
        ({"options": {"game_id": "x"}}, r"'game_id' is no option"),
    ],
)
def test_match_config__refuses_values_out_of_range(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        MatchConfig(**values)


def test_match_config__takes_an_agent_as_fallback() -> None:
    assert MatchConfig(fallback=max).fallback is max


def test_fill__puts_options_over_the_games_defaults() -> None:
    metadata = GameMetadata("x", 1, 2, options={"size": 3, "fog": False})
    assert MatchConfig(options={"size": 5}).fill(metadata) == {"size": 5, "fog": False}


def test_fill__refuses_unknown_options_only_of_games_that_name_theirs() -> None:
    config = MatchConfig(options={"sizes": 5})
    with pytest.raises(UnknownNameError, match=r"unknown option of x 'sizes'. Did you mean 'size'"):
        config.fill(GameMetadata("x", 1, 2, options={"size": 3}))
    assert config.fill(GameMetadata("x", 1, 2)) == {"sizes": 5}
