"""Scripted players of encounters.

    random       any legal choice, each as likely
    greedy       attacks whom it expects to hurt most; if nobody is in reach, the nearest one
    focus_fire   as greedy, but all go for the enemy who is closest to falling
    kiting       as greedy from afar: who can shoot keeps away from who can strike

A player is a callable `(encounter, legal, rng) -> choice`. All but `random` draw nothing: among
equal choices the first counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.engine import choices as kinds
from axiom_envs.dnd.engine.attack_rules import is_threatened, why_not_profile
from axiom_envs.dnd.engine.choices import Choice, Legal
from axiom_envs.dnd.engine.equipment import AttackProfile
from axiom_envs.dnd.engine.movement import the_grid, the_position
from axiom_envs.dnd.engine.space import SQUARE, distance
from axiom_envs.dnd.engine.types import CostType
from axiom_envs.dnd.geometry.paths import DIRECTIONS
from axiom_gym.errors import UnknownOpponentError
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.encounter import Encounter
    from axiom_envs.dnd.engine.entity import Entity

Bot = Callable[["Encounter", Legal, SeededRNG], Choice]

END = Choice(kinds.END_TURN)
FAR = 10_000


def play_random(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """Any legal choice, each as likely; draws one number."""
    return rng.pick(list(legal.choices(encounter.actor)))


def play_greedy(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """The attack with the highest expected damage, or the way to the nearest enemy."""
    return _play(encounter, legal, _Style())


def play_focus_fire(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """The enemy with the fewest hit points first."""
    return _play(encounter, legal, _Style(focus=True))


def play_kiting(encounter: Encounter, legal: Legal, rng: SeededRNG) -> Choice:
    """From as far away as it can shoot."""
    return _play(encounter, legal, _Style(keeps_away=True))


BOTS: dict[str, Bot] = {
    "random": play_random,
    "greedy": play_greedy,
    "focus_fire": play_focus_fire,
    "kiting": play_kiting,
}


def find_bot(name: str) -> Bot:
    """The scripted player of this name.

    Raises:
        UnknownOpponentError: if there is none.
    """
    if name not in BOTS:
        raise UnknownOpponentError("player of an encounter", name, BOTS)
    return BOTS[name]


# -- one decision ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    """What tells the players apart."""

    focus: bool = False
    keeps_away: bool = False


def _play(encounter: Encounter, legal: Legal, style: _Style) -> Choice:
    if encounter.is_reaction:
        return Choice(kinds.REACT)
    actor = encounter.actor
    for kind in (kinds.STAND_UP, kinds.RAGE, kinds.BREAK_FREE, kinds.ESCAPE):
        if kind in legal.kinds and not (kind == kinds.STAND_UP and not _is_worth_standing(actor)):
            return Choice(kind)
    if kinds.SECOND_WIND in legal.kinds and 2 * actor.health.current <= actor.health.maximum.score:
        return Choice(kinds.SECOND_WIND)
    foes = _foes(encounter, actor)
    if not foes:
        return END
    shooter = style.keeps_away and _shooting(actor) is not None
    if shooter and (away := _retreat(actor, legal, foes)) is not None:
        return away
    return (
        _attack(actor, legal, style)
        or _approach(actor, legal, foes, style)
        or _finish(actor, legal, foes)
    )


def _is_worth_standing(actor: Entity) -> bool:
    """Not for who is held: the speed is 0 then, and standing up is not legal either."""
    return actor.economy.current_speed > 0


def _foes(encounter: Encounter, actor: Entity) -> list[Entity]:
    """Enemies who stand, in the order of the world."""
    return [one for one in encounter.fighters if one.is_up and actor.is_hostile_to(one)]


def _attack(actor: Entity, legal: Legal, style: _Style) -> Choice | None:
    """The best attack there is now; who lies is attacked only if nobody stands."""
    best, best_key = None, (-1.0, -1.0)
    for target, index in legal.attacks:
        profile = actor.equipment.profiles[index]
        value = expected_damage(actor, target, profile)
        key = _rate(target, value, style)
        if key > best_key:
            best, best_key = Choice(kinds.ATTACK, target, index), key
    if best is not None:
        reckless = kinds.RECKLESS in legal.kinds
        return Choice(kinds.RECKLESS) if reckless else best
    standing = [one for one in legal.targets.get(kinds.OFF_HAND, ()) if one.is_up]
    if standing:
        target = min(standing, key=lambda one: one.health.current) if style.focus else standing[0]
        return Choice(kinds.OFF_HAND, target)
    return None


def _rate(target: Entity, value: float, style: _Style) -> tuple[float, float]:
    """How good an attack is; higher is better."""
    if not target.is_up:
        return -0.5, value
    if style.focus:
        return 1.0 / (1 + target.health.current + target.health.temporary), value
    return min(value, target.health.current), value


def expected_damage(actor: Entity, target: Entity, profile: AttackProfile) -> float:
    """Hit probability times mean damage, with what is plain to see: range and who is near.

    What conditions and features add is left out.
    """
    bonus = actor.abilities.modifier(profile.ability) + profile.to_hit
    if profile.proficient:
        bonus += actor.proficiency.base
    armour_class = target.equipment.read_armour_class().total
    chance = min(0.95, max(0.05, (21 + bonus - armour_class) / 20))
    if not profile.is_melee:
        hindered = distance(actor, target) > profile.normal or is_threatened(actor)
        chance *= chance if hindered else 1.0
    return chance * actor.equipment.weapon_dice(profile, target).mean()


# -- where to go -----------------------------------------------------------------------------------


def _shooting(actor: Entity) -> AttackProfile | None:
    """What it can shoot or throw."""
    for one in actor.equipment.profiles:
        if not one.is_melee and why_not_profile(actor, one) is None:
            return one
    return None


def _can_attack(actor: Entity) -> bool:
    economy = actor.economy
    return economy.left(CostType.ACTIONS) > 0 or economy.attacks_left > 0


def _approach(actor: Entity, legal: Legal, foes: Sequence[Entity], style: _Style) -> Choice | None:
    """A way to where an attack can be made, or as near to it as there is."""
    if not _can_attack(actor) and "rampage bite" not in actor.economy.marks:
        return None
    if kinds.RAMPAGE in legal.kinds:
        return Choice(kinds.RAMPAGE)
    if legal.cells is None:
        return _step_closer(actor, legal, foes)
    wanted = min(foes, key=lambda one: one.health.current) if style.focus else None
    cells = np.argwhere(legal.cells)
    gaps = _gaps(actor, cells, [wanted] if wanted is not None else foes).min(axis=1)
    reach = max((one.reach for one in actor.equipment.profiles if one.is_melee), default=SQUARE)
    here = min(distance(actor, one) for one in ([wanted] if wanted else foes))
    gaps_in_reach = np.maximum(gaps - reach, 0)
    if gaps_in_reach.min() >= max(0, here - reach):
        return None
    assert legal.field is not None
    feet = legal.field.feet[cells[:, 0], cells[:, 1]]
    best = np.lexsort((feet, gaps_in_reach))[0]
    y, x = cells[best].tolist()
    return Choice(kinds.MOVE, square=(x, y))


def _step_closer(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> Choice | None:
    """Where only steps are allowed: one that comes closer to the nearest enemy."""
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
    """(n, foes) int64: feet from each cell to each enemy. cells: (n, 2), as (y, x)."""
    wide = actor.size.squares
    columns = []
    for one in foes:
        x, y = the_position(one)
        far = one.size.squares
        dx = np.maximum(np.maximum(x - (cells[:, 1] + wide - 1), cells[:, 1] - (x + far - 1)), 0)
        dy = np.maximum(np.maximum(y - (cells[:, 0] + wide - 1), cells[:, 0] - (y + far - 1)), 0)
        columns.append(SQUARE * np.maximum(dx, dy))
    return np.stack(columns, axis=1)


def _retreat(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> Choice | None:
    """Away from enemies, to where one can still be shot at; None if it stands well.

    Only ways that provoke nothing are taken.
    """
    profile = _shooting(actor)
    if legal.cells is None or legal.field is None or profile is None:
        return None
    cells = np.argwhere(legal.cells)
    safe = legal.field.exposures[cells[:, 0], cells[:, 1]] == 0
    gaps = _gaps(actor, cells, foes)
    shots = np.zeros(len(cells), np.bool_)
    grid = the_grid(actor)
    for k, one in enumerate(foes):
        seen = grid.field_of_view(*the_position(one))[cells[:, 0], cells[:, 1]] > 0
        shots |= seen & (gaps[:, k] <= profile.normal)
    good = np.flatnonzero(safe & (shots | (not _can_attack(actor))))
    if not len(good):
        return None
    nearest = gaps[good].min(axis=1)
    best = good[nearest.argmax()]
    here = min(distance(actor, one) for one in foes)
    if nearest.max() <= here or here > _FAR_ENOUGH:
        return None
    y, x = cells[best].tolist()
    return Choice(kinds.MOVE, square=(x, y))


_FAR_ENOUGH = 40
"""Feet at which nobody needs to go further away."""


def _finish(actor: Entity, legal: Legal, foes: Sequence[Entity]) -> Choice:
    """Nothing can be attacked in this turn: what else is useful, and the end."""
    if not _can_attack(actor):
        return END
    if kinds.BONUS_DASH in legal.kinds:
        return Choice(kinds.BONUS_DASH)
    if kinds.DASH in legal.kinds and actor.economy.current_speed > 0:
        return Choice(kinds.DASH)
    return Choice(kinds.DODGE) if kinds.DODGE in legal.kinds else END
