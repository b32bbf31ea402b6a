"""Each condition of the SRD by its text; its removal leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from axiom_envs.dnd.engine.creature.blocks import BaseBlock
from axiom_envs.dnd.engine.creature.checks import read_check, read_save, roll_check
from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.rules import standard
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.damage import deal_damage
from axiom_envs.dnd.engine.values.modifiers import NumericalModifier
from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType, Skill
from axiom_envs.dnd.engine.world.world import World
from axiom_envs.dnd.geometry.terrain import parse_map
from axiom_envs.dnd.grid import Grid
from axiom_gym.errors import ConfigError, GameError

Make = Callable[..., Entity]
FAILS = "fails"


@dataclass(frozen=True)
class Row:
    """The effects of a condition; statuses are 1 for advantage, -1 for disadvantage."""

    make: Callable[[Entity], BaseCondition]
    own: int = 0
    near: int = 0
    """Attacks against it from within 5 ft."""
    far: int = 0
    """The same from 30 ft away."""
    critical: bool = False
    """True if hits from within 5 ft are critical."""
    strength: Any = 0
    dexterity: Any = 0
    wisdom: Any = 0
    checks: int = 0
    speed: int = 30
    acts: bool = True


HELPLESS = {"near": 1, "far": 1, "strength": FAILS, "dexterity": FAILS, "speed": 0, "acts": False}
TABLE = {
    "blinded": Row(lambda foe: standard.Blinded(source=foe), own=-1, near=1, far=1),
    "charmed": Row(lambda foe: standard.Charmed(source=foe)),
    "deafened": Row(lambda foe: standard.Deafened(source=foe)),
    "frightened": Row(lambda foe: standard.Frightened(source=foe), own=-1, checks=-1),
    "grappled": Row(lambda foe: standard.Grappled(source=foe), speed=0),
    "incapacitated": Row(lambda foe: standard.Incapacitated(source=foe), acts=False),
    "invisible": Row(lambda foe: standard.Invisible(source=foe), own=1, near=-1, far=-1),
    "paralyzed": Row(lambda foe: standard.Paralyzed(source=foe), critical=True, **HELPLESS),
    "petrified": Row(lambda foe: standard.Petrified(source=foe), **HELPLESS),
    "poisoned": Row(lambda foe: standard.Poisoned(source=foe), own=-1, checks=-1),
    "prone": Row(lambda foe: standard.Prone(source=foe), own=-1, near=1, far=-1),
    "restrained": Row(
        lambda foe: standard.Restrained(source=foe), own=-1, near=1, far=1, dexterity=-1, speed=0
    ),
    "stunned": Row(lambda foe: standard.Stunned(source=foe), **HELPLESS),
    # It is prone as well, which cancels the advantage at range; it cannot attack.
    "unconscious": Row(
        lambda foe: standard.Unconscious(source=foe),
        own=-1,
        critical=True,
        **{**HELPLESS, "far": 0},
    ),
    "exhaustion 1": Row(lambda foe: standard.Exhaustion(1), checks=-1),
    "exhaustion 2": Row(lambda foe: standard.Exhaustion(2), checks=-1, speed=15),
    "exhaustion 3": Row(
        lambda foe: standard.Exhaustion(3),
        own=-1,
        strength=-1,
        dexterity=-1,
        wisdom=-1,
        checks=-1,
        speed=15,
    ),
    "exhaustion 5": Row(
        lambda foe: standard.Exhaustion(5),
        own=-1,
        strength=-1,
        dexterity=-1,
        wisdom=-1,
        checks=-1,
        speed=0,
    ),
}


def save_of(entity: Entity, ability: Ability) -> Any:
    score = read_save(entity, ability)
    return FAILS if score.hits is False else score.advantage


@pytest.mark.parametrize("name", TABLE)
def test_condition__does_what_its_text_says(make: Make, name: str) -> None:
    row = TABLE[name]
    victim, foe, archer = make("victim", (0, 0)), make("foe", (1, 0)), make("archer", (6, 0))
    # No creature is hostile here, because a threatened archer has disadvantage anyway.
    victim.add_condition(row.make(foe))
    near, far = Attack(foe, victim, "sword").read()[0], Attack(archer, victim, "bow").read()[0]
    found = Row(
        row.make,
        own=Attack(victim, archer, "bow").read()[0].advantage,
        near=near.advantage,
        far=far.advantage,
        critical=bool(near.criticals),
        strength=save_of(victim, Ability.STRENGTH),
        dexterity=save_of(victim, Ability.DEXTERITY),
        wisdom=save_of(victim, Ability.WISDOM),
        checks=read_check(victim, Skill.STEALTH).advantage,
        speed=victim.economy.current_speed,
        acts=victim.can_act and victim.economy.left(CostType.ACTIONS) > 0,
    )
    assert found == row
    assert not far.criticals
    assert (victim.economy.left(CostType.REACTIONS) > 0) is row.acts


def everything(entity: Entity) -> dict[str, Any]:
    """Return everything that a condition may change in an entity."""
    blocks = [getattr(entity, name) for name in type(entity).__slots__]
    values = [v for one in blocks if isinstance(one, BaseBlock) for v in one.values()]
    return {
        "modifiers": [modifier for value in values for modifier in value.modifiers()],
        "scores": [value.score for value in values],
        "immunities": {name: list(reasons) for name, reasons in entity.immunities.items()},
        "conditions": list(entity.conditions),
    }


@pytest.mark.parametrize("name", TABLE)
def test_condition__leaves_nothing_behind(world: World, make: Make, name: str) -> None:
    victim, foe = make("victim", (0, 0)), make("foe", (1, 0))
    for ability in Ability:
        _ = victim.saves[ability]
    before = everything(victim), everything(foe), dict(world.objects)
    victim.add_condition(TABLE[name].make(foe))
    assert dict(world.objects) != before[2]
    victim.remove_condition(name.split()[0])
    victim.remove_condition("prone")  # unconscious leaves it prone
    assert (everything(victim), everything(foe), dict(world.objects)) == before


def test_blinded_and_deafened__fail_checks_that_need_the_sense(make: Make) -> None:
    entity = make()
    for condition, sense in ((standard.Blinded(), "sight"), (standard.Deafened(), "hearing")):
        entity.add_condition(condition)
        assert not roll_check(entity, Skill.PERCEPTION, -5, context={sense: True}).success
        assert roll_check(entity, Skill.PERCEPTION, -5).success
        entity.remove_condition(condition)
        assert roll_check(entity, Skill.PERCEPTION, -5, context={sense: True}).success


def test_charmed__cannot_attack_the_charmer_who_has_social_advantage(make: Make) -> None:
    victim, charmer, other = make("victim"), make("charmer"), make("other")
    victim.add_condition(standard.Charmed(source=charmer))
    assert Attack(victim, charmer, "sword").apply().message.startswith("charmed: victim cannot")
    assert not Attack(victim, other, "sword").apply().canceled
    assert read_check(charmer, Skill.PERSUASION, victim).advantage == 1
    assert read_check(charmer, Skill.PERSUASION, other).advantage == 0
    assert read_check(charmer, Skill.ATHLETICS, victim).advantage == 0
    assert read_check(charmer, Ability.CHARISMA, victim).advantage == 0


@pytest.mark.parametrize(("square", "expected"), [(".", -1), ("#", 0)])
def test_frightened__only_while_its_source_is_in_line_of_sight(square: str, expected: int) -> None:
    with World(seed=1, grid=Grid(parse_map(("." + square + ".",)))):
        victim, foe = Entity("victim", position=(0, 0)), Entity("foe", position=(2, 0))
        victim.add_condition(standard.Frightened(source=foe))
        assert read_check(victim, Skill.STEALTH).advantage == expected


def test_grappled__ends_when_the_grappler_cannot_act_or_dies(make: Make) -> None:
    held, holder = make("held", (0, 0)), make("holder", (1, 0), hit_points=5)
    held.add_condition(standard.Grappled(source=holder))
    holder.add_condition(standard.Poisoned())
    assert held.has("grappled")
    holder.add_condition(standard.Stunned())
    assert not held.has("grappled")
    holder.remove_condition("stunned")
    held.add_condition(standard.Grappled(source=holder))
    deal_damage(holder, [(5, DamageType.FIRE)])
    assert not held.has("grappled")


def test_invisible__is_seen_by_blindsight(make: Make) -> None:
    ghost, near = make("ghost", (0, 0)), make("near", (1, 0))
    ghost.add_condition(standard.Invisible())
    near.senses.blindsight.base = 10
    assert Attack(ghost, near, "sword").read()[0].advantage == 0
    assert Attack(near, ghost, "sword").read()[0].advantage == 0


def test_petrified__resists_everything_and_cannot_be_poisoned(make: Make) -> None:
    statue = make()
    statue.add_condition(standard.Petrified())
    for kind in DamageType:
        expected = 0 if kind is DamageType.POISON else 4
        assert deal_damage(statue, [(9, kind)]).total == expected
    event = statue.add_condition(standard.Poisoned())
    assert event.message == "fighter is immune to poisoned: petrified"
    statue.remove_condition("petrified")
    assert not statue.add_condition(standard.Poisoned()).canceled


def test_exhaustion__adds_up_into_one_condition_and_kills_at_six(make: Make) -> None:
    entity = make(hit_points=31)
    for level, maximum in ((1, 31), (3, 31), (4, 15)):
        entity.add_condition(standard.Exhaustion(level - entity_level(entity)))
        assert entity_level(entity) == level
        assert entity.health.maximum.score == maximum
    assert entity.health.current == 15
    entity.add_condition(standard.Exhaustion(4))
    assert entity.health.dead
    assert not entity.conditions
    with pytest.raises(ConfigError, match="exhaustion"):
        standard.Exhaustion(7)


def entity_level(entity: Entity) -> int:
    levels = [one.level for one in entity.conditions.get("exhaustion", ())]  # type: ignore[attr-defined]
    assert len(levels) <= 1
    return sum(levels)


def test_half_speed__halves_the_speed_with_other_modifiers(make: Make) -> None:
    entity = make()
    entity.add_condition(standard.Exhaustion(2))
    entity.economy.speed.self_static.add(NumericalModifier("haste", 15))
    assert entity.economy.current_speed == 22
    assert entity.economy.speed.read().explain() == (
        "22 = 30 (speed) + 15 (haste), at most 22 (exhaustion)"
    )


def test_unconscious__leaves_prone_and_unarmed(make: Make) -> None:
    sleeper = make()
    sleeper.add_condition(standard.Unconscious())
    sleeper.remove_condition("unconscious")
    assert list(sleeper.conditions) == ["prone"]
    assert [one.name for one in sleeper.equipment.dropped] == ["sword"]


def test_condition__does_not_change_while_it_lasts(make: Make) -> None:
    entity, condition = make(), standard.Exhaustion(2)
    condition.level = 1
    entity.add_condition(condition)
    with pytest.raises(GameError, match="can no longer change"):
        condition.level = 3
    with pytest.raises(GameError, match="already applied to"):
        make("other").add_condition(condition)
    entity.remove_condition(condition)
    assert not make("other").add_condition(condition).canceled, "and is like new afterwards"
