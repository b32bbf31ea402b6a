"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from axiom_gym.registry import games as registry


@pytest.fixture(autouse=True)
def _own_registry() -> Iterator[None]:
    """Forget games that a test has registered, for instance by `FILE.py:NAME`."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)
