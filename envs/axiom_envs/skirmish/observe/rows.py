"""The entries of a creature in an observation, cached until their inputs change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from axiom_envs.dnd.constants import MOST_PROFILES
from axiom_envs.dnd.engine.creature.checks import read_check, read_save
from axiom_envs.dnd.engine.creature.equipment import AttackProfile
from axiom_envs.dnd.engine.features.riders import (
    ChargeRider,
    ConditionRider,
    DamageRider,
    ProneRider,
    PushRider,
)
from axiom_envs.dnd.engine.rules.attack_rules import why_not_profile
from axiom_envs.dnd.engine.rules.opportunity import reach_of
from axiom_envs.dnd.engine.rules.reactions import can_react
from axiom_envs.dnd.engine.values.modifiers import ResistanceStatus
from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType, Size, Skill
from axiom_envs.skirmish.observe.layout import (
    ATTACKS,
    BODY,
    CONDITIONS,
    DEATH,
    ENTITY_SIZE,
    FEATURES,
    PROFILE_PARTS,
    STATS,
    STATUS,
    TRAITS,
    Floats,
    entity_index,
    place_of,
)

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity

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


class _Slow(NamedTuple):
    """Values that only conditions and equipment change."""

    values: Floats
    """(107,), with 0 for entries that change more often."""
    one_hot: tuple[int, ...]
    """The size, one-hot."""
    squares: int
    maximum: int
    """The hit point maximum."""
    armour_class: int
    speed: int
    reach: int


class Row:
    """The entries of one creature, except for those that depend on the observer, which are 0.

    Attributes:
        entity: the creature.
        values: (107,) float32; `refresh` writes it.
        share: hit points / their maximum, 0 to 1.
        threat: reach in feet of an opportunity attack that it could make now, or 0.
    """

    __slots__ = (
        "_board",
        "_key",
        "_known",
        "_limited",
        "_rank",
        "_slow",
        "_slow_key",
        "entity",
        "share",
        "threat",
        "values",
    )

    def __init__(self, entity: Entity, rank: float, width: int, height: int) -> None:
        """Create the entries of a creature.

        Args:
            entity: the creature.
            rank: its position in the turn order, scaled.
            width: W, columns of the board.
            height: H, rows of the board.
        """
        self.entity = entity
        self.values: Floats = np.zeros(ENTITY_SIZE, np.float32)
        self.threat, self.share = 0, 0.0
        self._rank, self._board = rank, (width, height)
        self._limited = [
            one for one in entity.equipment.profiles if one.recharge or one.uses is not None
        ]
        self._slow_key, self._key = self._make_slow_key(), None
        self._slow = self._read_slow()
        self._known = _recall(entity, self._slow_key, self._slow)

    @property
    def squares(self) -> int:
        """The side of its space, in squares."""
        return self._slow.squares

    @property
    def speed(self) -> int:
        """Speed in feet per turn."""
        return self._slow.speed

    @property
    def maximum(self) -> int:
        """The hit point maximum."""
        return self._slow.maximum

    def refresh(self) -> None:
        """Update the entries that may have changed.

        Modifiers are assumed to change only with conditions and held items; a modifier added by
        other means is not noticed. Conditions of one class are assumed to change numbers in the
        same way, except for those with a `level`.
        """
        slow_key = self._make_slow_key()
        if slow_key != self._slow_key:
            self._slow_key, self._key = slow_key, None
            self._slow = self._find_slow(slow_key)
        key = self._make_key()
        if key != self._key:
            self._key = key
            self._write()

    # -- values that change often ------------------------------------------------------------------

    def _make_key(self) -> Any:
        """Return the inputs of `_write`."""
        health, economy = self.entity.health, self.entity.economy
        return (
            health.current,
            health.temporary,
            health.dead,
            health.stable,
            health.successes,
            health.failures,
            self.entity.senses.position,
            economy.moved,
            economy.extra,
            economy.plans,
            tuple(economy.used.values()),
            frozenset(economy.marks) if economy.marks else None,
        )

    def _write(self) -> None:
        entity, values, slow = self.entity, self.values, self._slow
        health, economy = entity.health, entity.economy
        x, y = entity.senses.position or (0, 0)
        width, height = self._board
        self.share = min(1.0, health.current / slow.maximum) if slow.maximum else 0.0
        self.threat = slow.reach if can_react(entity) else 0
        values[:] = slow.values
        values[_BODY] = (
            not health.dead,
            health.current == 0 and not health.dead,
            health.stable,
            0.0,
            0.0,
            x / width,
            y / height,
            *slow.one_hot,
            self.share,
            min(1.0, slow.maximum / 100),
            min(1.0, health.temporary / 20),
            min(1.0, slow.armour_class / 30),
            min(1.0, slow.speed / 60),
            min(1.0, economy.movement_left / 60),
            economy.left(CostType.ACTIONS) > 0,
            min(1.0, economy.attacks_left / 4),
            economy.left(CostType.BONUS_ACTIONS) > 0,
            economy.left(CostType.REACTIONS) > 0,
            economy.left(CostType.OBJECT_INTERACTIONS) > 0,
            self._rank,
        )
        values[_DASHED] = min(1.0, economy.extra / 60)
        values[_DEATH] = (health.successes / 3, health.failures / 3)
        values[_USES] = _read_uses(entity)

    # -- values that conditions and equipment change -----------------------------------------------

    def _make_slow_key(self) -> Any:
        """Return the inputs of `_read_slow`."""
        conditions, equipment = self.entity.conditions, self.entity.equipment
        under: Any = None
        if conditions:
            under = tuple(
                (name, type(one), getattr(one, "level", 0))
                for name, several in conditions.items()
                for one in several
            )
        limited = tuple([one.charged and one.uses != 0 for one in self._limited])
        return under, len(equipment.dropped), equipment.hands.shield, limited

    def _find_slow(self, key: Any) -> _Slow:
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = self._read_slow()
        return found

    def _read_slow(self) -> _Slow:
        entity = self.entity
        values = np.zeros(ENTITY_SIZE, np.float32)
        values[_STATS] = _read_stats(entity)
        values[_STATUS] = _read_status(entity)
        values[_ATTACKS] = _read_profiles(entity)
        values[_TRAITS] = [float(name in entity.traits) for name in TRAITS]
        np.clip(values, -1.0, 1.0, out=values)
        return _Slow(
            values,
            _SIZES[entity.size],
            entity.size.squares,
            max(0, entity.health.maximum.score),
            entity.equipment.read_armour_class().total,
            entity.economy.current_speed,
            reach_of(entity),
        )


_kinds: dict[Any, dict[Any, _Slow]] = {}
"""Cached values by kind of creature and its initial numbers."""
_MOST_KINDS, _MOST_KNOWN = 512, 256


def _recall(entity: Entity, key: Any, slow: _Slow) -> dict[Any, _Slow]:
    """Return the cache for creatures of equal numbers, because new games often have the same ones.

    Args:
        entity: one of the creatures.
        key: the key of `slow`.
        slow: its current numbers.
    """
    if len(_kinds) >= _MOST_KINDS:
        _kinds.clear()
    traits = [(name, sorted(settings.items())) for name, settings in entity.traits.items()]
    kind = (entity.spec, entity.level, repr(traits), key, slow.values.tobytes(), slow[1:])
    return _kinds.setdefault(kind, {key: slow})


def _read_stats(entity: Entity) -> list[float]:
    found = [entity.abilities.modifier(ability) / 10 for ability in Ability]
    found += [read_save(entity, ability).total / 10 for ability in Ability]
    found += [read_check(entity, skill).total / 20 for skill in _SKILLS]
    found.append((10 + read_check(entity, Skill.PERCEPTION).total) / 20)
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
    for profile in entity.equipment.profiles[:MOST_PROFILES]:
        found += _read_profile(entity, profile)
    return found + [0.0] * (MOST_PROFILES * len(PROFILE_PARTS) - len(found))


def _read_profile(entity: Entity, profile: AttackProfile) -> list[float]:
    bonus = entity.abilities.modifier(profile.ability) + profile.to_hit
    bonus += entity.proficiency.score if profile.proficient else 0
    return [
        bonus / 15,
        entity.equipment.weapon_dice(profile, None, {"profile": profile}).mean() / 30,
        (profile.reach if profile.is_melee else profile.normal) / 120,
        0.0 if profile.is_melee else profile.long / 600,
        _rider_id(profile) / 8,
        0.0,  # uses: see _read_uses
    ]


def _read_uses(entity: Entity) -> list[float]:
    """Return the uses of each profile; 0 for an unloaded weapon, so they change within a turn."""
    found = []
    for profile in entity.equipment.profiles[:MOST_PROFILES]:
        uses = 1.0 if profile.uses is None else profile.uses / 8
        found.append(uses if why_not_profile(entity, profile) is None else 0.0)
    return found + [0.0] * (MOST_PROFILES - len(found))


def _rider_id(profile: AttackProfile) -> int:
    """Return the code of a hit's extra effect; of several, the first counts."""
    if not profile.riders:
        return 0
    rider = profile.riders[0]
    if isinstance(rider, ConditionRider):
        return _CONDITION if rider.escape is None else _BONDS
    return _RIDERS.get(type(rider), _OTHER)
