"""The execution of choices as actions and frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.engine.encounter.choices import (
    BONUS_GRANTS,
    Choice,
    movement_field,
    off_hand_profile,
)
from axiom_envs.dnd.engine.encounter.frames import AttackFrame, MoveFrame
from axiom_envs.dnd.engine.features.feature_actions import make_feature, why_not_feature
from axiom_envs.dnd.engine.rules import basic_actions as basic
from axiom_envs.dnd.engine.rules import grappling, hiding
from axiom_envs.dnd.engine.rules.actions import Action, Cost, pay, why_unable
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.rules.attack_rules import why_not_attack, why_not_paid
from axiom_envs.dnd.engine.rules.movement import the_position, why_not_step
from axiom_envs.dnd.engine.rules.perception import notices
from axiom_envs.dnd.engine.rules.ready import MELEE, RANGED, Ready
from axiom_envs.dnd.engine.values.types import CostType

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.encounter.encounter import Encounter
    from axiom_envs.dnd.engine.world.events import Event

Make = Callable[["Entity", "Entity | None"], Action]
"""(source, target) -> the action."""

BONUS = basic.BONUS_ACTION
ACTIONS: dict[str, Make] = {
    kinds.DASH: lambda one, _: basic.Dash(one),
    kinds.DISENGAGE: lambda one, _: basic.Disengage(one),
    kinds.DODGE: lambda one, _: basic.Dodge(one),
    kinds.HIDE: lambda one, _: hiding.Hide(one),
    kinds.SEARCH: lambda one, _: hiding.Search(one),
    kinds.STAND_UP: lambda one, _: basic.StandUp(one),
    kinds.DROP_PRONE: lambda one, _: basic.DropProne(one),
    kinds.ESCAPE: lambda one, _: grappling.Escape(one),
    kinds.RELEASE: lambda one, _: grappling.Release(one),
    kinds.BONUS_DISENGAGE: lambda one, _: basic.Disengage(one, costs=BONUS),
    kinds.BONUS_HIDE: lambda one, _: hiding.Hide(one, costs=BONUS),
    kinds.READY_MELEE: lambda one, _: Ready(one, MELEE),
    kinds.READY_RANGED: lambda one, _: Ready(one, RANGED),
    kinds.GRAPPLE: grappling.Grapple,
    kinds.SHOVE_PRONE: grappling.ShoveProne,
    kinds.SHOVE_BACK: grappling.ShoveBack,
    kinds.HELP: basic.Help,
    kinds.STABILISE: basic.Stabilise,
}
FEATURES = kinds.FEATURES


def carry_out(encounter: Encounter, actor: Entity, choice: Choice) -> None:
    """Carry out a choice; movements and attacks become frames, which others can interrupt."""
    kind = choice.kind
    if kind == kinds.STEP and choice.square is not None:
        encounter.stack.append(MoveFrame(actor, [choice.square]))
    elif kind == kinds.MOVE and choice.square is not None:
        found = movement_field(actor).path(*choice.square)
        encounter.stack.append(MoveFrame(actor, list(found)))
    elif kind in (kinds.ATTACK, kinds.OFF_HAND):
        encounter.stack.append(AttackFrame(make_attack(actor, choice).begin()))
    elif kind == kinds.BONUS_DASH:
        encounter.note(_dash(actor))
    elif kind == kinds.RAMPAGE:
        encounter.note(_rampage(actor))
    elif kind in FEATURES:
        encounter.note(make_feature(actor, kind).apply())
    else:
        encounter.note(ACTIONS[kind](actor, choice.target).apply())
    hiding.reveal_all(actor.world)


def make_attack(actor: Entity, choice: Choice) -> Attack:
    """Create the chosen attack."""
    assert choice.target is not None
    if choice.kind == kinds.ATTACK:
        return Attack(actor, choice.target, actor.equipment.profiles[choice.profile])
    profile = off_hand_profile(actor)
    assert profile is not None
    marks = actor.economy.marks
    if "rampage bite" in marks:
        marks.discard("rampage bite")
        return Attack(actor, choice.target, profile, costs=())
    return Attack(actor, choice.target, profile, costs=BONUS, with_ability=False)


def _dash(actor: Entity) -> Event:
    """Dash as a bonus action; an aggressive creature's dash only leads toward an enemy."""
    before = actor.economy.extra
    event = basic.Dash(actor, costs=BONUS).apply()
    if "cunning_action" not in actor.traits:
        actor.economy.toward += actor.economy.extra - before
    return event


def _rampage(actor: Entity) -> Event:
    """Gain half the speed, and a bite (SRD, Gnoll)."""
    event = pay(actor, Cost(CostType.BONUS_ACTIONS))
    economy = actor.economy
    economy.extra += economy.current_speed // 2
    economy.marks.discard("rampage")
    economy.marks.add("rampage bite")
    return event


def why_not(encounter: Encounter, actor: Entity, choice: Choice) -> str:
    """Return the reason that a choice is not legal."""
    kind = choice.kind
    if encounter.stack or kind in (kinds.REACT, kinds.DECLINE):
        return f"the decision is {encounter.question()!r}"
    if encounter.decisions >= kinds.MOST_DECISIONS:
        return f"it has taken {kinds.MOST_DECISIONS} decisions in this turn, and can only end it"
    reason = why_unable(actor) or _why_not_kind(actor, choice)
    return reason or "the rules do not allow it now"


def _why_not_kind(actor: Entity, choice: Choice) -> str | None:
    kind = choice.kind
    if kind in (kinds.ATTACK, kinds.OFF_HAND, *TARGETED):
        return _why_not_to(actor, choice)
    if kind in (kinds.STEP, kinds.MOVE):
        return _why_not_there(actor, choice)
    if choice.target is not None:
        return f"{kind!r} takes no target"
    if kind in FEATURES:
        reason: str | None = why_not_feature(actor, kind)
        return reason
    if kind in (kinds.BONUS_DASH, kinds.BONUS_DISENGAGE, kinds.BONUS_HIDE, kinds.RAMPAGE):
        reason = _why_no_bonus(actor, kind)
        if reason is not None or kind not in ACTIONS:
            return reason
    return _why_not_action(actor, choice) if kind in ACTIONS else f"there is no {kind!r}"


def _why_not_action(actor: Entity, choice: Choice) -> str | None:
    world, count = actor.world, actor.world.count
    action = ACTIONS[choice.kind](actor, choice.target)
    try:
        return action.why_not()
    finally:
        world.forget(action)
        world.count = count  # undo the numbering, so that asking does not change later UUIDs


def _why_not_to(actor: Entity, choice: Choice) -> str | None:
    """Return the reason that a choice is not possible for its target, or None."""
    target = choice.target
    if target is None:
        return "it needs a target"
    if not any(target is one for one in actor.world.entities):
        return f"{target.name} is not in this encounter"
    if choice.kind == kinds.STABILISE:
        if actor.is_hostile_to(target):
            return f"{target.name} is an enemy"
        return _why_not_action(actor, choice)
    if not actor.is_hostile_to(target):
        return f"{target.name} is not an enemy"
    if not notices(actor, target):
        return f"{target.name} is hidden, and {actor.name} does not know its position"
    if choice.kind == kinds.ATTACK:
        return _why_not_attack(actor, target, choice.profile)
    if choice.kind == kinds.OFF_HAND:
        return _why_not_off_hand(actor, target)
    return _why_not_action(actor, choice)


def _why_not_attack(actor: Entity, target: Entity, number: int) -> str | None:
    profiles = actor.equipment.profiles
    if not 0 <= number < len(profiles):
        return f"it has the profiles 0 to {len(profiles) - 1}, not {number}"
    profile, costs = profiles[number], (Cost(CostType.ATTACKS),)
    return why_not_attack(actor, target, profile) or why_not_paid(actor, profile, costs)


def _why_not_off_hand(actor: Entity, target: Entity) -> str | None:
    profile = off_hand_profile(actor)
    if profile is not None:
        return why_not_attack(actor, target, profile)
    if actor.economy.left(CostType.BONUS_ACTIONS) < 1:
        return f"cost: {actor.name} does not have 1 bonus action left"
    return "it needs an attack with a light melee weapon, and another light one in the other hand"


def _why_not_there(actor: Entity, choice: Choice) -> str | None:
    """Return the reason that a step or move to a square is not possible, or None."""
    if choice.square is None:
        return "it needs a square"
    x, y = the_position(actor)
    if choice.kind == kinds.STEP:
        if max(abs(choice.square[0] - x), abs(choice.square[1] - y)) != 1:
            return f"{choice.square} is not adjacent to {(x, y)}"
        return why_not_step(actor, choice.square)
    if "frightened" in actor.conditions:
        return f"{actor.name} is frightened, and can only move step by step"
    left = actor.economy.movement_left - actor.economy.toward
    return f"no path leads to a free space at {choice.square} with {left} ft left"


def _why_no_bonus(actor: Entity, kind: str) -> str | None:
    """Return the reason that a bonus action is not available, or None."""
    if actor.economy.left(CostType.BONUS_ACTIONS) < 1:
        return f"cost: {actor.name} does not have 1 bonus action left"
    if kind == kinds.RAMPAGE:
        in_marks = "rampage" in actor.economy.marks
        return None if in_marks else f"{actor.name} has not felled a creature in melee in this turn"
    granting = BONUS_GRANTS[kind]
    if not granting & actor.traits.keys():
        return f"{actor.name} has none of the features {', '.join(sorted(granting))}"
    return None


TARGETED = (
    kinds.GRAPPLE,
    kinds.SHOVE_PRONE,
    kinds.SHOVE_BACK,
    kinds.HELP,
    kinds.STABILISE,
)
