"""Statistics name the actions and events of every game."""

from __future__ import annotations

import pytest

from axiom_gym.registry import game_ids, get_game, make_config


@pytest.mark.parametrize("game_id", [one for one in game_ids() if not one.startswith("probe")])
def test_action_kinds__name_every_choice(game_id: str) -> None:
    game = get_game(game_id)
    assert game.action_kinds is not None
    for preset in (None, *game.presets):
        config = make_config(game, preset)
        kinds = game.action_kinds(config)
        assert tuple(map(len, kinds)) == tuple(game.layout(config).num_choices)
        assert all(name and not name.isdigit() for names in kinds for name in names)


@pytest.mark.parametrize("game_id", [one for one in game_ids() if not one.startswith("probe")])
def test_event_kinds__name_the_events_of_every_game_that_tells_them(game_id: str) -> None:
    game = get_game(game_id)
    assert bool(game.event_kinds) == bool(game.describe_event or game.describe_turn)
    assert all(kind >= 0 and name for kind, name in game.event_kinds.items())
