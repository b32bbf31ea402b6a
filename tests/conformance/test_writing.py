from __future__ import annotations

from typing import Any

import pytest

from axiom_gym.check.writing import find_unwritten


@pytest.mark.boundscheck
def test_kernel__writes_every_entry(variant: Any) -> None:
    assert find_unwritten(variant.game_id, games=2, seed=6, **variant.options) == []
