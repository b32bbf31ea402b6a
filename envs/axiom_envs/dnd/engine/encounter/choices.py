"""The choices of an encounter, and the legal ones among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import (
    ATTACK,
    BONUS_DASH,
    BONUS_DISENGAGE,
    BONUS_HIDE,
    DASH,
    DECLINE,
    DIRECTIONS,
    DISENGAGE,
    DODGE,
    DROP_PRONE,
    END_TURN,
    ESCAPE,
    FEATURES,
    GRAPPLE,
    HELP,
    HIDE,
    MOST_DECISIONS,
    MOVE,
    OFF_HAND,
    RAMPAGE,
    REACT,
    READY_MELEE,
    READY_RANGED,
    RELEASE,
    SEARCH,
    SHOVE_BACK,
    SHOVE_PRONE,
    SQUARE,
    STABILISE,
    STAND_UP,
    STEP,
)
from axiom_envs.dnd.engine.creature.equipment import LIGHT, AttackProfile
from axiom_envs.dnd.engine.features.feature_actions import why_not_feature
from axiom_envs.dnd.engine.rules import attack_rules, basic_actions, grappling, hiding
from axiom_envs.dnd.engine.rules.actions import Cost
from axiom_envs.dnd.engine.rules.movement import (
    blocking_bodies,
    diagonal_parity,
    drag_factor,
    is_crawling,
    the_grid,
    the_position,
    why_not_step,
)
from axiom_envs.dnd.engine.rules.opportunity import reach_of
from axiom_envs.dnd.engine.rules.perception import notices, sees
from axiom_envs.dnd.engine.rules.reactions import can_react
from axiom_envs.dnd.engine.rules.ready import MELEE, RANGED, why_not_ready
from axiom_envs.dnd.engine.rules.space import Position, distance
from axiom_envs.dnd.engine.values.types import CostType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.grid import MovementField

BONUS_GRANTS = {
    BONUS_DASH: frozenset(("cunning_action", "aggressive")),
    BONUS_DISENGAGE: frozenset(("cunning_action", "nimble_escape")),
    BONUS_HIDE: frozenset(("cunning_action", "nimble_escape")),
}
"""Bonus actions, each with the features that grant it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision.

    Attributes:
        kind: the kind of choice, one of those in `axiom_envs.dnd.constants`.
        target: the target, or None.
        profile: index of the attack profile; -1 if the kind has none.
        square: destination of a step or move, or None.
    """

    kind: str
    target: Entity | None = None
    profile: int = -1
    square: Position | None = None

    def describe(self, actor: Entity) -> str:
        """Return a text such as "attack with longsword: goblin"."""
        text = self.kind
        if self.kind == ATTACK and 0 <= self.profile < len(actor.equipment.profiles):
            text = f"attack with {actor.equipment.profiles[self.profile].name}"
        if self.target is not None:
            text += f": {self.target.name}"
        if self.square is not None:
            text += f" to {self.square[0]},{self.square[1]}"
        return text


@dataclass(slots=True)
class Legal:
    """All legal choices, in groups.

    Attributes:
        kinds: choices that need neither target nor square.
        attacks: (target, profile index) pairs.
        targets: legal targets of each kind that needs one.
        steps: indices into `DIRECTIONS`.
        field: the paths of moves; None if there are none.
        cells: (H, W) bool, True for squares where a move can end; None if there are none.
    """

    kinds: list[str] = field(default_factory=list)
    attacks: list[tuple[Entity, int]] = field(default_factory=list)
    targets: dict[str, list[Entity]] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    field: MovementField | None = None
    cells: npt.NDArray[np.bool_] | None = None

    def choices(self, actor: Entity) -> Iterator[Choice]:
        """Yield all legal choices, in a fixed order."""
        for kind in self.kinds:
            yield Choice(kind)
        for target, profile in self.attacks:
            yield Choice(ATTACK, target, profile)
        for kind, targets in self.targets.items():
            for target in targets:
                yield Choice(kind, target)
        if self.steps:
            x, y = the_position(actor)
            for direction in self.steps:
                dx, dy = DIRECTIONS[direction]
                yield Choice(STEP, square=(x + dx, y + dy))
        if self.cells is not None:
            for cell_y, cell_x in np.argwhere(self.cells).tolist():
                yield Choice(MOVE, square=(cell_x, cell_y))

    def holds(self, choice: Choice, actor: Entity) -> bool:
        """Return True if a choice is legal."""
        if choice.kind == ATTACK:
            return (choice.target, choice.profile) in self.attacks
        if choice.kind == STEP and choice.square is not None:
            x, y = the_position(actor)
            step = (choice.square[0] - x, choice.square[1] - y)
            return step in DIRECTIONS and DIRECTIONS.index(step) in self.steps
        if choice.kind == MOVE and choice.square is not None and self.cells is not None:
            x, y = choice.square
            height, width = self.cells.shape
            return 0 <= x < width and 0 <= y < height and bool(self.cells[y, x])
        if choice.target is not None:
            return choice.target in self.targets.get(choice.kind, ())
        return choice.kind in self.kinds


def legal_reaction() -> Legal:
    """Return the legal choices of an entity that decides on a reaction."""
    return Legal(kinds=[REACT, DECLINE])


def legal_turn(actor: Entity, decisions: int) -> Legal:
    """Return the legal choices of an entity in its turn.

    Args:
        actor: the entity whose turn it is.
        decisions: number of decisions already taken in this turn.
    """
    legal = Legal(kinds=[END_TURN])
    if decisions >= MOST_DECISIONS or not actor.can_act or "surprised" in actor.conditions:
        return legal
    _find_simple(actor, legal)
    _find_attacks(actor, legal)
    _find_targets(actor, legal)
    _find_moves(actor, legal)
    return legal


# -- choices without a target ----------------------------------------------------------------------


def _find_simple(actor: Entity, legal: Legal) -> None:
    economy, kinds = actor.economy, legal.kinds
    can_hide = None
    if economy.left(CostType.ACTIONS) > 0:
        kinds += [DASH, DISENGAGE, DODGE]
        can_hide = hiding.why_not_hide(actor) is None
        if can_hide:
            kinds.append(HIDE)
        if hiding.hidden_from(actor):
            kinds.append(SEARCH)
        if "grappled" in actor.conditions:
            kinds.append(ESCAPE)
        if actor.world.options.ready:
            ready = {READY_MELEE: MELEE, READY_RANGED: RANGED}
            kinds += [kind for kind in ready if why_not_ready(actor, ready[kind]) is None]
    if economy.left(CostType.BONUS_ACTIONS) > 0:
        _find_bonus(actor, kinds, can_hide)
    if basic_actions.why_not_stand_up(actor) is None:
        kinds.append(STAND_UP)
    if basic_actions.why_not_drop(actor) is None:
        kinds.append(DROP_PRONE)
    if grappling.why_not_release(actor) is None:
        kinds.append(RELEASE)
    for kind in FEATURES:
        if why_not_feature(actor, kind) is None:
            kinds.append(kind)


def _find_bonus(actor: Entity, kinds: list[str], can_hide: bool | None) -> None:
    """Add the bonus actions that features grant."""
    traits = actor.traits.keys()
    if BONUS_GRANTS[BONUS_DASH] & traits:
        kinds.append(BONUS_DASH)
    if BONUS_GRANTS[BONUS_DISENGAGE] & traits:
        kinds.append(BONUS_DISENGAGE)
    if BONUS_GRANTS[BONUS_HIDE] & traits:
        if hiding.why_not_hide(actor) is None if can_hide is None else can_hide:
            kinds.append(BONUS_HIDE)
    if "rampage" in actor.economy.marks:
        kinds.append(RAMPAGE)


# -- choices with a target -------------------------------------------------------------------------


def _find_attacks(actor: Entity, legal: Legal) -> None:
    """Add the attacks and off-hand attacks on targets in range."""
    usable = [
        one
        for one in actor.equipment.profiles
        if attack_rules.why_not_profile(actor, one) is None
        and attack_rules.why_not_paid(actor, one, _ONE_ATTACK) is None
    ]
    off_hand = off_hand_profile(actor)
    if not usable and off_hand is None:
        return
    second = []
    for target in _targets(actor):
        away = distance(actor, target)
        legal.attacks += [(target, one.index) for one in usable if away <= one.farthest]
        if off_hand is not None and away <= off_hand.farthest:
            second.append(target)
    if second:
        legal.targets[OFF_HAND] = second


def _targets(actor: Entity) -> Iterator[Entity]:
    """Yield the enemies that can be attacked, ignoring range; hidden ones cannot be."""
    for other in actor.world.entities:
        if not actor.is_hostile_to(other) or other.health.dead:
            continue
        if attack_rules.why_not_target(actor, other) is None and notices(actor, other):
            yield other


def off_hand_profile(actor: Entity) -> AttackProfile | None:
    """Return the profile of a bonus action: the second light weapon, or the bite of a rampage."""
    economy, equipment = actor.economy, actor.equipment
    if "rampage bite" in economy.marks:
        return equipment.profile(actor.traits["rampage"]["attack"])
    weapon = equipment.hands.off
    if weapon is None or LIGHT not in weapon.properties or "light attack" not in economy.marks:
        return None
    if not equipment.replaces:
        return None  # Two-weapon fighting needs the Attack action; a Multiattack is not one (SRD)
    if economy.left(CostType.BONUS_ACTIONS) < 1:
        return None
    for one in equipment.profiles:
        if one.weapon.name == weapon.name and one.is_melee:
            return one if attack_rules.why_not_profile(actor, one) is None else None
    return None


def _find_targets(actor: Entity, legal: Legal) -> None:
    near = [
        other
        for other in actor.world.entities
        if other is not actor and not other.health.dead and distance(actor, other) <= SQUARE
    ]
    if not near:
        return
    hostile = [one for one in near if actor.is_hostile_to(one) and notices(actor, one)]
    if grappling.why_not_replace(actor) is None:
        seizable = [one for one in hostile if grappling.why_not_seize(actor, one) is None]
        _add(legal, GRAPPLE, seizable, lambda one: _why_not_grapple(actor, one))
        _add(legal, SHOVE_PRONE, seizable, lambda one: "prone" if one.has("prone") else None)
        _add(legal, SHOVE_BACK, seizable, lambda one: None)
    if actor.economy.left(CostType.ACTIONS) > 0:
        _add(legal, HELP, hostile, lambda one: None if one.is_up else "down")
        friends = [other for other in near if not actor.is_hostile_to(other)]
        _add(legal, STABILISE, friends, lambda one: basic_actions.why_not_stabilise(actor, one))


def _why_not_grapple(actor: Entity, target: Entity) -> str | None:
    return grappling.why_no_free_hand(actor, target)


def _add(
    legal: Legal, kind: str, targets: list[Entity], why_not: Callable[[Entity], str | None]
) -> None:
    found = [one for one in targets if why_not(one) is None]
    if found:
        legal.targets[kind] = found


# -- movement --------------------------------------------------------------------------------------


def _find_moves(actor: Entity, legal: Legal) -> None:
    left = actor.economy.movement_left
    if left <= 0:
        return
    x, y = the_position(actor)
    bound = "frightened" in actor.conditions or actor.economy.toward > 0
    if bound or actor.world.options.diagonals != "5":
        for direction, (dx, dy) in enumerate(DIRECTIONS):
            if why_not_step(actor, (x + dx, y + dy)) is None:
                legal.steps.append(direction)
    free = left - actor.economy.toward
    if "frightened" in actor.conditions or free <= 0:
        return  # a frightened creature moves step by step
    legal.field = movement_field(actor)
    factor = drag_factor(actor)
    if not bound and actor.world.options.diagonals == "5":
        around = legal.field.neighbours(x, y)
        legal.steps = [direction for direction, feet in around if feet * factor <= left]
    if not legal.steps:
        return
    cells = legal.field.reachable(free // factor)
    cells[y, x] = False
    if cells.any():
        legal.cells = cells


def movement_field(actor: Entity) -> MovementField:
    """Return shortest paths; of equally short ones, those that provoke the fewest attacks."""
    return the_grid(actor).movement(
        actor.body,
        blocked_bodies=blocking_bodies(actor),
        crawling=is_crawling(actor),
        threats=threats_to(actor),
        parity=diagonal_parity(actor),
    )


def threats_to(actor: Entity) -> npt.NDArray[np.uint16] | None:
    """Return the enemies whose opportunity attacks reach each square, or None if there are none.

    (H, W) uint16, with one bit for each enemy.
    """
    if "disengaged" in actor.conditions:
        return None
    grid, bit, found = the_grid(actor), 0, None
    for other in actor.world.entities:
        if other.body < 0 or not other.is_hostile_to(actor) or not can_react(other):
            continue
        reach = reach_of(other)
        if reach == 0 or not sees(other, actor):
            continue
        squares = grid.reach_squares(other.body, reach)
        if found is None:
            found = np.zeros(squares.shape, np.uint16)
        found |= squares.astype(np.uint16) << np.uint16(bit)
        bit += 1
    return found


_ONE_ATTACK = (Cost(CostType.ATTACKS),)
