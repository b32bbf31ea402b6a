"""Every legal move has a key of its own, which is no key of the prompt."""

from __future__ import annotations

from typing import Any

from axiom_gym.check.keys import find_key_problem


def test_keys__name_every_legal_move(variant: Any) -> None:
    batch = variant.batch(2)
    batch.reset(seed=11)
    for _ in range(25):
        assert [find_key_problem(batch, game) for game in range(2)] == ["", ""]
        batch.sample_actions()
        batch.step()
