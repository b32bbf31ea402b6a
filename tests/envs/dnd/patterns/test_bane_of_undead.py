"""Pattern: a bonus that applies against some creatures only."""

from __future__ import annotations

from collections.abc import Callable

from axiom_envs.dnd.engine import (
    Attack,
    Context,
    ContextualNumericalModifier,
    Entity,
    Modifier,
    NumericalModifier,
    Weapon,
)


def bless_weapon(weapon: Weapon, kind: str, bonus: int) -> Modifier:
    """Add damage against creatures of one kind."""
    name = f"bane of {kind}"
    given = NumericalModifier(name, bonus)

    def ask(source: Entity | None, target: Entity | None, context: Context) -> Modifier | None:
        return given if target is not None and target.kind == kind else None

    channel = weapon.damage_bonus.self_contextual
    return channel.add(ContextualNumericalModifier(name, ask))


def test_bane__applies_to_its_kind_only(make: Callable[..., Entity]) -> None:
    fighter, ghoul, bandit = make("fighter"), make("ghoul", kind="undead"), make("bandit")
    sword = fighter.equipment.hands.main
    assert sword is not None
    modifier = bless_weapon(sword, "undead", 4)

    def bonus(target: Entity) -> int:
        profile = Attack(fighter, target, "sword").profile
        return fighter.equipment.weapon_dice(profile, target).bonus

    assert (bonus(ghoul), bonus(bandit)) == (7, 3)
    sword.damage_bonus.remove_modifier(modifier)
    assert bonus(ghoul) == 3
