"""Illegal choices: they raise with a reason, and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_gym.errors import GameError, IllegalActionError

Square = tuple[int, int]


# -- illegal choices -------------------------------------------------------------------------------


def state_of(encounter: Encounter) -> tuple[Any, ...]:
    """Return everything that an illegal choice must not change."""
    world = encounter.world
    bodies = [
        (
            one.position,
            one.health.current,
            dict(one.economy.used),
            one.economy.moved,
            one.economy.extra,
            one.economy.plans,
            sorted(one.economy.marks),
            sorted(one.conditions),
        )
        for one in world.entities
    ]
    where = (encounter.round, encounter.turn, encounter.decisions, len(encounter.stack))
    return bodies, where, world.rng.state, len(world.objects), world.count


@pytest.mark.parametrize(
    ("kind", "to", "profile", "square", "words"),
    [
        (kinds.ATTACK, 1, 0, None, "range: "),
        (kinds.ATTACK, 1, 9, None, "profiles 0 to 1"),
        (kinds.ATTACK, None, 0, None, "needs a target"),
        (kinds.ATTACK, 0, 0, None, "not an enemy"),
        (kinds.OFF_HAND, 1, -1, None, "light"),
        (kinds.STEP, None, -1, (0, 9), "not adjacent"),
        (kinds.STEP, None, -1, (0, -1), "map ends"),
        (kinds.STEP, None, -1, None, "needs a square"),
        (kinds.MOVE, None, -1, (6, 4), "no path leads"),
        (kinds.MOVE, None, -1, (60, 4), "no path leads"),
        (kinds.GRAPPLE, 1, -1, None, "30 ft away"),
        (kinds.HELP, None, -1, None, "needs a target"),
        (kinds.STABILISE, 1, -1, None, "enemy"),
        (kinds.ESCAPE, None, -1, None, "is not grappled"),
        (kinds.RELEASE, None, -1, None, "grapples no creature"),
        (kinds.STAND_UP, None, -1, None, "not prone"),
        (kinds.SEARCH, None, -1, None, "no enemy is hidden"),
        (kinds.HIDE, None, -1, None, "clearly"),
        (kinds.BONUS_DASH, None, -1, None, "cunning_action"),
        (kinds.RAMPAGE, None, -1, None, "felled"),
        (kinds.RAGE, None, -1, None, "Goblin"),
        (kinds.REACT, None, -1, None, "turn of Goblin"),
        (kinds.DASH, 1, -1, None, "takes no target"),
        ("dance", None, -1, None, "there is no 'dance'"),
    ],
)
def test_act__illegal_choice_names_the_reason_and_changes_nothing(
    kind: str, to: int | None, profile: int, square: Square | None, words: str, fight: Any
) -> None:
    encounter, made = fight(("goblin", (0, 0)), ("guard", (6, 4)))
    made[0].economy.speed.base = 25
    before = state_of(encounter)
    choice = Choice(kind, None if to is None else made[to], profile, square)
    with pytest.raises(IllegalActionError) as caught:
        encounter.act(choice)
    assert words in str(caught.value)
    assert "legal_actions()" in str(caught.value)
    assert state_of(encounter) == before


def test_act__illegal_choice_in_a_reaction(fight: Any) -> None:
    encounter, _ = fight(("fighter", (1, 1)), ("guard", (0, 1)))
    encounter.act(Choice(kinds.STEP, square=(2, 1)))
    assert encounter.is_reaction
    before = state_of(encounter)
    with pytest.raises(IllegalActionError, match="opportunity attack"):
        encounter.act(Choice(kinds.END_TURN))
    assert state_of(encounter) == before


def test_act__after_the_end(fight: Any) -> None:
    encounter, (_, enemy) = fight(("fighter", (1, 1)), ("commoner", (2, 1)))
    enemy.health.current, enemy.health.dead = 0, True
    encounter.act(Choice(kinds.END_TURN))
    assert encounter.over
    assert encounter.winner == "a"
    assert encounter.decider is None
    with pytest.raises(GameError, match="over"):
        encounter.act(Choice(kinds.END_TURN))
    with pytest.raises(GameError, match="over"):
        encounter.legal_actions()
