"""Scripted bots for encounters.

    random       a uniform legal choice
    greedy       attacks where it expects the most damage; without a target it moves to the nearest
                 enemy
    focus_fire   as greedy, but prefers the enemy who is closest to 0 hit points
    kiting       as greedy, but creatures that shoot keep their distance

A bot is a callable `(encounter, legal, rng) -> choice`. Only `random` draws numbers; the others
break ties by taking the first choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.constants import DIRECTIONS, SQUARE
from axiom_envs.dnd.engine.creature.equipment import AttackProfile
from axiom_envs.dnd.engine.encounter.choices import Choice, Legal, movement_field
from axiom_envs.dnd.engine.rules.attack_rules import (
    Plans,
    attack_plans,
    is_threatened,
    why_not_profile,
)
from axiom_envs.dnd.engine.rules.movement import the_grid, the_position
from axiom_envs.dnd.engine.rules.space import Position, distance
from axiom_envs.dnd.engine.values.types import CostType
from axiom_gym.errors import UnknownOpponentError
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.encounter.encounter import Encounter
    from axiom_envs.dnd.grid import MovementField

Bot = Callable[["Encounter", Legal, SeededRNG], Choice]

END = Choice(kinds.END_TURN)


def play_random(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """Choose uniformly among the legal choices; draws one number."""
    return rng.pick(list(legal.choices(encounter.actor)))


def play_greedy(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """Choose the attack with the highest expected damage, or a move to the nearest enemy."""
    return _play(encounter, legal, _Style())


def play_focus_fire(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """Attack the enemy with the fewest hit points first."""
    return _play(encounter, legal, _Style(focus=True))


def play_kiting(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """Shoot from as far away as possible."""
    return _play(encounter, legal, _Style(keeps_away=True))


BOTS: dict[str, Bot] = {
    "random": play_random,
    "greedy": play_greedy,
    "focus_fire": play_focus_fire,
    "kiting": play_kiting,
}


def find_bot(name: str) -> Bot:
    """Return the bot of this name.

    Raises:
        UnknownOpponentError: if there is no such bot.
    """
    if name not in BOTS:
        raise UnknownOpponentError("player of an encounter", name, BOTS)
    return BOTS[name]


# -- one decision ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    """The options in which the bots differ."""

    focus: bool = False
    keeps_away: bool = False


def _play(encounter: Encounter, legal: Legal, style: _Style) -> Choice:
    if encounter.is_reaction:
        return Choice(kinds.REACT)
    actor = encounter.actor
    foes = [one for one in encounter.fighters if one.is_up and actor.is_hostile_to(one)]
    if not foes or (len(legal.kinds) == 1 and not legal.attacks and not legal.steps):
        return END
    prepared = _prepare(actor, legal, foes)
    if prepared is not None:
        return prepared
    outlook = _Outlook(actor, foes, style)
    keeps_away = style.keeps_away and outlook.is_shooter
    if keeps_away and (away := _keep_away(actor, legal, foes)) is not None:
        return away
    return _fight(actor, legal, outlook) or _choose_without_attack(actor, legal, foes, keeps_away)


def _prepare(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> Choice | None:
    """Return a choice that comes before all others: stand up, Second Wind, rage; or None."""
    if kinds.STAND_UP in legal.kinds:
        return Choice(kinds.STAND_UP)
    if kinds.SECOND_WIND in legal.kinds and 2 * actor.health.current <= actor.health.maximum.score:
        return Choice(kinds.SECOND_WIND)
    near = 2 * actor.economy.current_speed
    if kinds.RAGE in legal.kinds and any(distance(actor, one) <= near for one in foes):
        return Choice(kinds.RAGE)
    return None


# -- worth of attacks ------------------------------------------------------------------------------


def expected_damage(
    actor: Entity, target: Entity, profile: AttackProfile, hindered: bool = False
) -> float:
    """Return hit probability times mean damage, without effects of conditions and features.

    Args:
        actor: the attacker.
        target: the target.
        profile: the attack profile.
        hindered: if True, the attack has disadvantage.
    """
    bonus = actor.abilities.modifier(profile.ability) + profile.to_hit
    if profile.proficient:
        bonus += actor.proficiency.base
    armour_class = target.equipment.read_armour_class().total
    chance = min(0.95, max(0.05, (21 + bonus - armour_class) / 20))
    mean = actor.equipment.weapon_dice(profile, target).mean()
    return chance * (chance if hindered else 1.0) * mean


class _Outlook:
    """An estimate of what an actor can achieve in this turn, enemy by enemy.

    Attributes:
        actor: the entity whose turn it is.
        foes: enemies with hit points left.
        plans: the attacks that are left.
        reach: reach of the best melee attack; 0 without one.
        normal: longest normal range of a ranged attack; 0 without one.
        is_shooter: True if ranged attacks are about as good as melee attacks.
    """

    __slots__ = ("_style", "actor", "foes", "is_shooter", "normal", "plans", "reach")

    def __init__(self, actor: Entity, foes: Sequence[Entity], style: _Style) -> None:
        self.actor, self.foes, self._style = actor, foes, style
        self.plans = actor.economy.plans
        if not self.plans and actor.economy.left(CostType.ACTIONS) > 0:
            self.plans = attack_plans(actor)
        usable = [one for one in actor.equipment.profiles if why_not_profile(actor, one) is None]
        self.reach = max((one.reach for one in usable if one.is_melee), default=0)
        self.normal = max((one.normal for one in usable if not one.is_melee), default=0)
        plans = attack_plans(actor)
        strikes, shots = (self._worth_of(plans, usable, foes[0], melee) for melee in (True, False))
        self.is_shooter = shots >= 0.7 * strikes and shots > 0

    def _worth_of(
        self, plans: Plans, usable: Sequence[AttackProfile], target: Entity, melee: bool
    ) -> float:
        """Return the expected damage of the best plan of melee or of ranged attacks."""
        worth = {
            one.index: expected_damage(self.actor, target, one)
            for one in usable
            if one.is_melee == melee
        }
        return max((sum(worth.get(k, 0.0) for k in plan) for plan in plans), default=0.0)

    def worth(self, target: Entity, away: int, hindered: bool) -> dict[int, float]:
        """Return, for each profile, the worth of the rest of the turn if it starts with it.

        Args:
            target: the target of the attacks.
            away: the distance to the target in feet.
            hindered: if True, ranged attacks have disadvantage at any range.
        """
        actor, single = self.actor, {}
        for one in actor.equipment.profiles:
            if away <= one.farthest and why_not_profile(actor, one) is None:
                far = not one.is_melee and (hindered or away > one.normal)
                single[one.index] = expected_damage(actor, target, one, far)
        found: dict[int, float] = {}
        for plan in self.plans:
            total = sum(single.get(index, 0.0) for index in plan)
            for index in plan:
                if index in single:
                    found[index] = max(found.get(index, 0.0), self.rate(target, total))
        return found

    def rate(self, target: Entity, damage: float) -> float:
        """Return the worth of dealing an enemy this damage."""
        left = target.health.current + target.health.temporary
        return min(1.0, damage / left) if self._style.focus else min(damage, left)


def _fight(actor: Entity, legal: Legal, outlook: _Outlook) -> Choice | None:
    """Return the best attack from here, or a move to a clearly better place, or None."""
    best, best_worth = None, 0.0
    hindered = bool(legal.attacks) and is_threatened(actor)
    known = {
        id(one): outlook.worth(one, distance(actor, one), hindered)
        for one in ({id(target): target for target, _ in legal.attacks if target.is_up}).values()
    }
    for target, index in legal.attacks:
        worth = known.get(id(target), {}).get(index, 0.0)
        if worth > best_worth:
            best, best_worth = Choice(kinds.ATTACK, target, index), worth
    better = _find_better_place(actor, legal, outlook, best_worth)
    if better is not None:
        return better
    if best is not None:
        strikes = actor.equipment.profiles[best.profile].is_melee
        return Choice(kinds.RECKLESS) if strikes and kinds.RECKLESS in legal.kinds else best
    second = [one for one in legal.targets.get(kinds.OFF_HAND, ()) if one.is_up]
    if second:
        return Choice(kinds.OFF_HAND, min(second, key=lambda one: one.health.current))
    return None


def _find_better_place(
    actor: Entity, legal: Legal, outlook: _Outlook, here: float
) -> Choice | None:
    """Return a move to a place where attacks are clearly better, or None.

    Each provoked attack lowers a place's worth. Melee attacks are rated for places in reach of an
    enemy, ranged attacks for places in the enemy's view that are next to no enemy.
    """
    if legal.cells is None or legal.field is None or not outlook.plans:
        return None
    cells = np.argwhere(legal.cells)
    gaps = _gaps(actor, cells, outlook.foes)
    exposures = legal.field.exposures[cells[:, 0], cells[:, 1]]
    alone = gaps.min(axis=1) > SQUARE
    score = np.zeros(len(cells))
    for k, foe in enumerate(outlook.foes):
        seen = the_grid(actor).field_of_view(*the_position(foe))[cells[:, 0], cells[:, 1]] > 0
        if outlook.reach:
            strike = max(outlook.worth(foe, outlook.reach, True).values(), default=0.0)
            score = np.maximum(score, strike * ((gaps[:, k] <= outlook.reach) & seen))
        if outlook.normal:
            shot = max(outlook.worth(foe, outlook.normal, False).values(), default=0.0)
            score = np.maximum(score, shot * (alone & seen & (gaps[:, k] <= outlook.normal)))
    score *= _WORTH_OF_EXPOSURE**exposures
    feet = legal.field.feet[cells[:, 0], cells[:, 1]]
    best = np.lexsort((feet, -score))[0]
    if score[best] <= _CLEARLY * here:
        return None
    y, x = cells[best].tolist()
    return Choice(kinds.MOVE, square=(x, y))


_CLEARLY = 1.2
"""The factor by which another place must be better."""
_WORTH_OF_EXPOSURE = 0.7
"""The factor on a place's worth for each opportunity attack on the path."""


# -- movement --------------------------------------------------------------------------------------


def _choose_without_attack(
    actor: Entity, legal: Legal, foes: Sequence[Entity], keeps_away: bool
) -> Choice:
    """Choose without an attack: break free, come closer, dash, or dodge."""
    can_attack = actor.economy.left(CostType.ACTIONS) > 0
    for kind in (kinds.BREAK_FREE, kinds.ESCAPE, kinds.RAMPAGE):
        if kind in legal.kinds:
            return Choice(kind)
    if not can_attack and keeps_away:
        return END
    way = _approach(actor, legal, foes, safely=not can_attack)
    if way is not None:
        return way
    if can_attack and actor.economy.current_speed > 0 and _can_come_closer(actor, legal, foes):
        for kind in (kinds.BONUS_DASH, kinds.DASH):
            if kind in legal.kinds:
                return Choice(kind)
    return Choice(kinds.DODGE) if kinds.DODGE in legal.kinds else END


def _is_far(actor: Entity, foes: Sequence[Entity]) -> bool:
    return min(distance(actor, one) for one in foes) > SQUARE


def _approach(actor: Entity, legal: Legal, foes: Sequence[Entity], safely: bool) -> Choice | None:
    """Return the farthest move along the shortest path to an enemy, or None.

    If `safely` is True, it provokes no attacks.
    """
    if not _is_far(actor, foes):
        return None
    if legal.cells is None or legal.field is None:
        return _step_closer(actor, legal, foes)
    field, goal = legal.field, _find_goal(actor, legal.field, foes)
    for x, y in reversed([] if goal is None else field.path(*goal)):
        if legal.cells[y, x] and not (safely and field.exposures[y, x]):
            return Choice(kinds.MOVE, square=(x, y))
    return None if goal is None else _step_closer(actor, legal, foes)


def _find_goal(actor: Entity, field: MovementField, foes: Sequence[Entity]) -> Position | None:
    """Return the place nearest to an enemy, at any path length; None if no place is nearer."""
    goals = np.argwhere((field.feet > 0) & field.free)
    gaps = _gaps(actor, goals, foes).min(axis=1)
    if not len(goals) or gaps.min() >= min(distance(actor, one) for one in foes):
        return None
    feet = field.feet[goals[:, 0], goals[:, 1]]
    y, x = goals[np.lexsort((feet, gaps))[0]].tolist()
    return x, y


def _can_come_closer(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> bool:
    """Return True if it would come closer to an enemy with more movement."""
    if not _is_far(actor, foes):
        return False
    return _find_goal(actor, legal.field or movement_field(actor), foes) is not None


def _step_closer(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> Choice | None:
    """Return a single step that comes closer to the nearest enemy, or None."""
    x, y = the_position(actor)
    here = min(distance(actor, one) for one in foes)
    best = None
    for direction in legal.steps:
        dx, dy = DIRECTIONS[direction]
        square = np.array([[y + dy, x + dx]])
        gap = int(_gaps(actor, square, foes).min())
        if gap < here:
            best, here = Choice(kinds.STEP, square=(x + dx, y + dy)), gap
    return best


def _gaps(
    actor: Entity, cells: npt.NDArray[np.int64], foes: Sequence[Entity]
) -> npt.NDArray[np.int64]:
    """Return feet from each cell to each enemy, (n, foes) int64. cells: (n, 2), as (y, x)."""
    wide = actor.size.squares
    columns = []
    for one in foes:
        x, y = the_position(one)
        far = one.size.squares
        dx = np.maximum(np.maximum(x - (cells[:, 1] + wide - 1), cells[:, 1] - (x + far - 1)), 0)
        dy = np.maximum(np.maximum(y - (cells[:, 0] + wide - 1), cells[:, 0] - (y + far - 1)), 0)
        columns.append(SQUARE * np.maximum(dx, dy))
    return np.stack(columns, axis=1)


def _keep_away(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> Choice | None:
    """Return a move away from enemies to a place for ranged attacks, or None.

    It accepts one provoked attack only if it then leaves all enemies' reach. A creature that can
    disengage as a bonus action does so first.
    """
    here = min(distance(actor, one) for one in foes)
    ranges = [one.normal for one in actor.equipment.profiles if not one.is_melee]
    if legal.cells is None or legal.field is None or here > _FAR_ENOUGH:
        return None
    if here <= SQUARE and kinds.BONUS_DISENGAGE in legal.kinds:
        return Choice(kinds.BONUS_DISENGAGE)
    cells = np.argwhere(legal.cells)
    exposures = legal.field.exposures[cells[:, 0], cells[:, 1]]
    gaps = _gaps(actor, cells, foes)
    safe = max(one.economy.current_speed for one in foes) + 2 * SQUARE
    good = (exposures == 0) | ((exposures == 1) & (gaps.min(axis=1) >= safe))
    if actor.economy.left(CostType.ACTIONS) > 0 or actor.economy.plans:
        shots = np.zeros(len(cells), np.bool_)
        for k, one in enumerate(foes):
            view = the_grid(actor).field_of_view(*the_position(one))
            shots |= (view[cells[:, 0], cells[:, 1]] > 0) & (gaps[:, k] <= max(ranges))
        good &= shots
    nearest = np.where(good, np.minimum(gaps.min(axis=1), _FAR_ENOUGH + SQUARE), -1)
    feet = legal.field.feet[cells[:, 0], cells[:, 1]]
    best = np.lexsort((feet, -nearest))[0]
    if nearest[best] <= here:
        return None
    y, x = cells[best].tolist()
    return Choice(kinds.MOVE, square=(x, y))


_FAR_ENOUGH = 40
"""Distance in feet beyond which it does not move further away."""
