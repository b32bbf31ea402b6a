"""Statistics name the actions of every game."""

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
