"""Shared by all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from axiom_gym.registry import games as registry


@pytest.fixture(autouse=True)
def _own_registry() -> Iterator[None]:
    """Forget the games that a test has made known, by `FILE.py:NAME` for instance."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)
