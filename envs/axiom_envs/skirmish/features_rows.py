"""A creature's entries of an observation, kept until what they are made of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from axiom_envs.dnd.engine.attack_rules import why_not_profile
from axiom_envs.dnd.engine.checks import passive_perception, read_check, read_save
from axiom_envs.dnd.engine.equipment import AttackProfile
from axiom_envs.dnd.engine.modifiers import ResistanceStatus
from axiom_envs.dnd.engine.movement import reach_of
from axiom_envs.dnd.engine.reactions import can_react
from axiom_envs.dnd.engine.riders import (
    ChargeRider,
    ConditionRider,
    DamageRider,
    ProneRider,
    PushRider,
)
from axiom_envs.dnd.engine.types import Ability, CostType, DamageType, Size, Skill
from axiom_envs.skirmish.features import (
    ATTACKS,
    BODY,
    CONDITIONS,
    DEATH,
    ENTITY_SIZE,
    FEATURES,
    PROFILE_PARTS,
    PROFILES,
    STATS,
    STATUS,
    TRAITS,
    Floats,
    entity_index,
    place_of,
)

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.entity import Entity

_BODY, _STATS, _STATUS = place_of(BODY), place_of(STATS), place_of(STATUS)
_DEATH, _ATTACKS, _TRAITS = place_of(DEATH), place_of(ATTACKS), place_of(FEATURES)
_DASHED = entity_index("dashed")
_USES = slice(_ATTACKS.start + PROFILE_PARTS.index("uses"), _ATTACKS.stop, len(PROFILE_PARTS))

_SKILLS = (Skill.ATHLETICS, Skill.ACROBATICS, Skill.STEALTH)
_SIZES = {
    Size.TINY: (1, 0, 0, 0),
    Size.SMALL: (1, 0, 0, 0),
    Size.MEDIUM: (0, 1, 0, 0),
    Size.LARGE: (0, 0, 1, 0),
    Size.HUGE: (0, 0, 0, 1),
    Size.GARGANTUAN: (0, 0, 0, 1),
}
_RESISTANCES = {
    ResistanceStatus.RESISTANCE: 0.5,
    ResistanceStatus.VULNERABILITY: -1.0,
    ResistanceStatus.IMMUNITY: 1.0,
}
_PRONE, _CONDITION, _BONDS, _DAMAGE, _PUSH, _CHARGE, _OTHER = range(1, 8)
_RIDERS = {
    ProneRider: _PRONE,
    DamageRider: _DAMAGE,
    PushRider: _PUSH,
    ChargeRider: _CHARGE,
}


class Row:
    """The entries of one creature, but for those that depend on who looks, which are 0.

    Attributes:
        entity: whose they are.
        values: (107,) float32; `refresh` writes it.
        squares: the side of its space.
        speed: feet a turn.
        maximum: of the hit points.
        share: hit points / their maximum, 0 to 1.
    """

    __slots__ = (
        "_armour_class",
        "_board",
        "_key",
        "_limited",
        "_rank",
        "_reach",
        "_size",
        "_slow_key",
        "entity",
        "maximum",
        "share",
        "speed",
        "squares",
        "threat",
        "values",
    )

    def __init__(self, entity: Entity, rank: float, width: int, height: int) -> None:
        """The entries of a creature.

        Args:
            entity: the creature.
            rank: its place in the order of initiative, scaled.
            width: W, of the board.
            height: H.
        """
        self.entity = entity
        self.values: Floats = np.zeros(ENTITY_SIZE, np.float32)
        self.threat = self.speed = self._reach = 0
        self.squares = 1
        self.share = 0.0
        self._rank, self._board = rank, (width, height)
        self._limited = [
            one for one in entity.equipment.profiles if one.recharge or one.uses is not None
        ]
        self._key: Any = None
        self._slow_key: Any = None
        self.maximum = self._armour_class = 0
        self._size = _SIZES[Size.MEDIUM]
        self.values[_TRAITS] = [float(name in entity.traits) for name in TRAITS]

    def refresh(self) -> None:
        """Writes anew what may have changed.

        Modifiers come and go with conditions and with what is held; one that was put on a value by
        other means shows when one of these changes.
        """
        entity = self.entity
        conditions, equipment = entity.conditions, entity.equipment
        slow_key = (
            [one.number for some in conditions.values() for one in some] if conditions else None,
            len(equipment.dropped),
            equipment.hands.shield,
            [(one.charged, one.uses) for one in self._limited] if self._limited else None,
        )
        if slow_key != self._slow_key:
            self._slow_key = slow_key
            self._key = None
            self._write_slow()
        health, economy = entity.health, entity.economy
        key = (
            health.current,
            health.temporary,
            health.dead,
            health.stable,
            health.successes,
            health.failures,
            entity.senses.position,
            economy.moved,
            economy.extra,
            economy.plans,
            tuple(economy.used.values()),
            len(economy.marks),
        )
        if key != self._key:
            self._key = key
            self._write_fast()

    # -- what changes often ------------------------------------------------------------------------

    def _write_fast(self) -> None:
        entity, values = self.entity, self.values
        health, economy = entity.health, entity.economy
        x, y = entity.senses.position or (0, 0)
        width, height = self._board
        self.share = min(1.0, health.current / self.maximum) if self.maximum else 0.0
        self.threat = self._reach if can_react(entity) else 0
        values[_BODY] = (
            not health.dead,
            health.current == 0 and not health.dead,
            health.stable,
            0.0,
            0.0,
            x / width,
            y / height,
            *self._size,
            self.share,
            self.maximum / 100,
            health.temporary / 20,
            self._armour_class / 30,
            self.speed / 60,
            economy.movement_left / 60,
            economy.left(CostType.ACTIONS),
            economy.attacks_left / 4,
            economy.left(CostType.BONUS_ACTIONS),
            economy.left(CostType.REACTIONS),
            economy.left(CostType.OBJECT_INTERACTIONS),
            self._rank,
        )
        values[_DASHED] = economy.extra / 60
        values[_DEATH] = (health.successes / 3, health.failures / 3)
        values[_USES] = _read_uses(entity)
        np.clip(values, -1.0, 1.0, out=values)

    # -- what conditions and equipment change ------------------------------------------------------

    def _write_slow(self) -> None:
        entity, values = self.entity, self.values
        self._size = _SIZES[entity.size]
        self.squares = entity.size.squares
        self.maximum = max(0, entity.health.maximum.score)
        self._armour_class = entity.equipment.read_armour_class().total
        self.speed = entity.economy.current_speed
        self._reach = reach_of(entity)
        values[_STATS] = _read_stats(entity)
        values[_STATUS] = _read_status(entity)
        values[_ATTACKS] = _read_profiles(entity)


def _read_stats(entity: Entity) -> list[float]:
    found = [entity.abilities.modifier(ability) / 10 for ability in Ability]
    found += [read_save(entity, ability).total / 10 for ability in Ability]
    found += [read_check(entity, skill).total / 20 for skill in _SKILLS]
    found.append(passive_perception(entity) / 20)
    for kind in DamageType:
        statuses = entity.health.statuses(kind)
        immune = ResistanceStatus.IMMUNITY in statuses
        found.append(1.0 if immune else sum(_RESISTANCES[status] for status in statuses))
    return found


def _read_status(entity: Entity) -> list[float]:
    conditions = entity.conditions
    found = [float(name in conditions) for name in CONDITIONS]
    exhaustion: Any = entity.condition("exhaustion")
    found.append(exhaustion.level / 6 if exhaustion is not None else 0.0)
    found += [float(name in conditions) for name in ("hidden", "dodging", "disengaged")]
    return [*found, 0.0, float("distracted" in conditions)]


def _read_profiles(entity: Entity) -> list[float]:
    found: list[float] = []
    for profile in entity.equipment.profiles[:PROFILES]:
        found += _read_profile(entity, profile)
    return found + [0.0] * (PROFILES * len(PROFILE_PARTS) - len(found))


def _read_profile(entity: Entity, profile: AttackProfile) -> list[float]:
    bonus = entity.abilities.modifier(profile.ability) + profile.to_hit
    bonus += entity.proficiency.score if profile.proficient else 0
    return [
        bonus / 15,
        entity.equipment.weapon_dice(profile, None).mean() / 30,
        (profile.reach if profile.is_melee else profile.normal) / 120,
        0.0 if profile.is_melee else profile.long / 600,
        _rider_id(profile) / 8,
        0.0,  # uses: see _read_uses
    ]


def _read_uses(entity: Entity) -> list[float]:
    """Of each profile; a weapon that is not loaded again has none, so they change in a turn."""
    found = []
    for profile in entity.equipment.profiles[:PROFILES]:
        uses = 1.0 if profile.uses is None else profile.uses / 8
        found.append(uses if why_not_profile(entity, profile) is None else 0.0)
    return found + [0.0] * (PROFILES - len(found))


def _rider_id(profile: AttackProfile) -> int:
    """What a hit does besides damage; of several things, the first."""
    if not profile.riders:
        return 0
    rider = profile.riders[0]
    if isinstance(rider, ConditionRider):
        return _CONDITION if rider.escape is None else _BONDS
    return _RIDERS.get(type(rider), _OTHER)
