"""Fixtures: the legal choices of an encounter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.encounter import Encounter


@pytest.fixture
def targets() -> Callable[[Encounter, str], list[Entity]]:
    """A function that returns the targets of the legal choices of a kind."""

    def targets(encounter: Encounter, kind: str) -> list[Entity]:
        legal = encounter.legal_actions()
        return [one.target for one in legal if one.kind == kind and one.target]

    return targets


@pytest.fixture
def offers() -> Callable[[Encounter], set[str]]:
    """A function that returns the kinds of the legal choices."""
    return lambda encounter: {one.kind for one in encounter.legal_actions()}
