"""Tests of refused options, and of the meaning of presets and of `rules`."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.ajve_civ.config import PRESETS, AjveCivConfig
from axiom_envs.ajve_civ.game import GAME
from axiom_envs.ajve_civ.priorities import FAMILIES, PRIORITIES
from axiom_gym.errors import ConfigError
from axiom_gym.registry import make_config


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 0}, "players must be an integer from 1 to 64, got 0"),
        ({"players": 65}, "players must be an integer from 1 to 64, got 65"),
        ({"players": 2.0}, "players"),
        ({"duration": 0}, "duration must be an integer from 1 to 1000, got 0"),
        ({"duration": 1001}, "duration"),
        (
            {"inflection_period": 0},
            "inflection_period must be an integer from 1 to 1000, got 0",
        ),
        ({"offer_size": 7}, "offer_size must be an integer from 1 to 6, got 7"),
        ({"start_value": 1001}, "start_value must be an integer from -1000 to 1000, got 1001"),
        ({"start_population": -1001}, "start_population"),
        ({"start_yield": 5000}, "start_yield"),
        ({"start_world_yield": -5000}, "start_world_yield"),
        ({"inflections": 1}, "inflections must be True or False, got 1"),
        ({"black_death": "yes"}, "black_death must be True or False, got 'yes'"),
        ({"rules": "0.2"}, "'0.2'.*Valid: '0.1.3', 'text'"),
        ({"winner": "dead"}, "'dead'. Valid: 'all', 'living'"),
        ({"exchange": "none"}, "'none'. Valid: 'both', 'partner'"),
        ({"inflection_offer": "lowest"}, "'lowest'.*Valid: 'highest', 'random'"),
        ({"choices": "all"}, "'all'. Valid: 'any', 'offered'"),
        ({"reward": "gold"}, "'gold'. Valid: 'delta', 'rank', 'score', 'survival'"),
        ({"players": 4, "teams": "abc", "black_death": True}, "4 players, such as abab, got 'abc'"),
        ({"players": 2, "teams": 12, "black_death": True}, "such as ab, got 12"),
        ({"players": 2, "teams": "ab"}, "teams need black_death=True"),
        ({"team_share": 1.5}, "team_share must be a number from 0 to 1, got 1.5"),
        ({"team_share": float("nan")}, "team_share"),
        ({"team_share": True}, "team_share"),
    ],
    ids=str,
)
def test_config__refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        AjveCivConfig(**options)


def test_config__rules_decide_options_that_are_none() -> None:
    names = ("winner", "exchange", "inflection_offer")
    code, text = AjveCivConfig(), AjveCivConfig(rules="text")
    assert [code.resolve(name) for name in names] == ["all", "both", "highest"]
    assert [text.resolve(name) for name in names] == ["living", "partner", "random"]
    mixed = AjveCivConfig(rules="text", exchange="both")
    assert [mixed.resolve(name) for name in names] == ["living", "both", "random"]


@pytest.mark.parametrize(
    ("preset", "players"), [("original", 7), ("text", 7), ("duel", 2), ("teams", 4)]
)
def test_presets__set_the_number_of_players(preset: str, players: int) -> None:
    assert make_config(GAME, preset).players == players
    assert set(PRESETS) == set(GAME.presets) == {"original", "text", "duel", "teams"}
    assert make_config(GAME, "original") == AjveCivConfig()


def test_priorities__are_all_combinations_in_the_originals_order() -> None:
    sizes = {family: len(members) for family, members in FAMILIES.items()}
    assert sizes == {"basic": 6, "basic2": 15, "basic3": 20}
    assert len(PRIORITIES) == 41
    assert list(FAMILIES["basic"]) == [
        "conquer",
        "discover",
        "exchange",
        "expand",
        "develop",
        "consent",
    ]
    assert list(FAMILIES["basic2"])[:6] == [
        "conquer-discover",
        "conquer-exchange",
        "conquer-expand",
        "conquer-develop",
        "conquer-consent",
        "discover-exchange",
    ]
    assert list(FAMILIES["basic3"])[-1] == "expand-develop-consent"
