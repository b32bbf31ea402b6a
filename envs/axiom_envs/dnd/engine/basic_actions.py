"""The actions that every creature has, but for attacks.

Order of draws: Hide rolls Stealth (a d20 test) and Search rolls Perception; Escape, Grapple and
Shove are contests, the acting side first; Stabilise rolls Medicine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from axiom_envs.dnd.engine import attack_rules
from axiom_envs.dnd.engine.actions import Action, Consequence, Cost, Prerequisite, pay
from axiom_envs.dnd.engine.checks import contest, passive_perception, read_check, roll_check
from axiom_envs.dnd.engine.conditions import BaseCondition
from axiom_envs.dnd.engine.dispatch import Trigger
from axiom_envs.dnd.engine.durations import Moment, rounds
from axiom_envs.dnd.engine.effects import Disengaged, Dodging, Hidden, reveal_to
from axiom_envs.dnd.engine.events import Event, EventPhase, EventType
from axiom_envs.dnd.engine.modifiers import (
    AdvantageModifier,
    AdvantageStatus,
    Context,
    ContextualAdvantageModifier,
    Modifier,
)
from axiom_envs.dnd.engine.movement import push
from axiom_envs.dnd.engine.perception import TOTAL_COVER, cover_of, is_dim_to, sees
from axiom_envs.dnd.engine.space import SQUARE, distance
from axiom_envs.dnd.engine.standard import Grappled, Prone
from axiom_envs.dnd.engine.types import CostType, Skill

if TYPE_CHECKING:
    from axiom_envs.dnd.engine.entity import Entity
    from axiom_envs.dnd.engine.world import World

ACTION = (Cost(CostType.ACTIONS),)
BONUS_ACTION = (Cost(CostType.BONUS_ACTIONS),)
FREE: tuple[Cost, ...] = ()
STABILISE_DC = 10
DIM_LIGHT = 5
"""What disadvantage takes off a passive check."""


class _WithOneConsequence(Action):
    """An action of which all that follows stands in `_do`."""

    __slots__ = ()

    def consequences(self) -> Mapping[str, Consequence]:
        return {self.name: lambda event, action: action._do(event), **self._consequences}

    def _do(self, event: Event) -> Event | None:
        raise NotImplementedError


class Dash(_WithOneConsequence):
    """As much movement again as the speed is now, with all modifiers, in this turn."""

    name: ClassVar[str] = "dash"
    __slots__ = ()

    def _do(self, event: Event) -> None:
        self.source.economy.extra += self.source.economy.current_speed


class Disengage(_WithOneConsequence):
    """Movement in this turn provokes no opportunity attacks."""

    name: ClassVar[str] = "disengage"
    __slots__ = ()

    def _do(self, event: Event) -> None:
        lasts = rounds(1, moment=Moment.TURN_END, of_target=True)
        condition = Disengaged(source=self.source, duration=lasts)
        self.source.add_condition(condition, parent=event)


class Dodge(_WithOneConsequence):
    """Until the next turn attacks by who is seen have disadvantage, dexterity saves advantage."""

    name: ClassVar[str] = "dodge"
    __slots__ = ()

    def _do(self, event: Event) -> None:
        self.source.add_condition(Dodging(source=self.source, duration=rounds(1)), parent=event)


class Help(_WithOneConsequence):
    """The first attack of an ally against a creature within 5 ft of the helper has advantage.

    It lasts until the helper's next turn.
    """

    name: ClassVar[str] = "help"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"reach": why_not_helped, **self._prerequisites}

    def _do(self, event: Event) -> None:
        if self.target is not None:
            condition = Distracted(source=self.source, duration=rounds(1))
            self.target.add_condition(condition, parent=event)


def why_not_helped(action: Action) -> str | None:
    """Why nobody can be helped against the target."""
    target = action.target
    if target is None or not target.is_up or not target.is_hostile_to(action.source):
        return "a hostile creature that still stands must be named"
    away = distance(action.source, target)
    return f"{target.name} is {away} ft away, and must be within 5 ft" if away > SQUARE else None


class Distracted(BaseCondition):
    """The next attack against it by an ally of who distracts it has advantage (SRD, Help)."""

    __slots__ = ()

    def _apply(self, event: Event) -> None:
        target = self.the_target
        self.modify(
            target.equipment.armour_class.to_target_contextual,
            ContextualAdvantageModifier("help", self._advantage, self.source),
        )
        self.handle(
            Trigger(EventType.ATTACK, EventPhase.COMPLETION, targets=[target]), self._is_over
        )

    def _advantage(
        self, target: Entity | None, attacker: Entity | None, context: Context
    ) -> Modifier | None:
        if attacker is None or attacker is self.source or self.source is None:
            return None
        return None if attacker.is_hostile_to(self.source) else _HELPED

    def _is_over(self, event: Event, owner: Entity | None) -> None:
        attacker, helper = event.source, self.source
        if attacker is None or helper is None or attacker is helper:
            return
        if not attacker.is_hostile_to(helper):
            self.the_target.remove_condition(self, parent=event, expired=True)


_HELPED = AdvantageModifier("help", AdvantageStatus.ADVANTAGE)


# -- hiding ----------------------------------------------------------------------------------------


class Hide(_WithOneConsequence):
    """A Stealth check against the passive Perception of each enemy; who is seen clearly cannot."""

    name: ClassVar[str] = "hide"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"unseen": lambda action: why_not_hide(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        who = self.source
        check = roll_check(who, Skill.STEALTH, parent=event)
        total = check.total if check.success else 0
        unaware = tuple(enemy for enemy in enemies(who) if notice_dc(enemy, who) < total)
        who.remove_condition("hidden", parent=event, expired=True)
        if unaware:
            who.add_condition(Hidden(unaware=unaware, stealth=total), parent=event)


def notice_dc(enemy: Entity, entity: Entity) -> int:
    """The passive Perception that Stealth must beat; 5 less in dim light (SRD)."""
    dim = DIM_LIGHT if is_dim_to(entity, enemy) else 0
    return passive_perception(enemy, entity) - dim


def enemies(entity: Entity) -> list[Entity]:
    """Hostile entities that can still perceive, in the order of the world."""
    return [other for other in entity.world.entities if other.is_up and entity.is_hostile_to(other)]


def why_not_hide(entity: Entity) -> str | None:
    """Who sees an entity too clearly for it to hide, in words; None if nobody does."""
    for enemy in enemies(entity):
        if is_clear_to(entity, enemy):
            return f"{enemy.name} sees {entity.name} clearly"
    return None


def is_clear_to(entity: Entity, enemy: Entity) -> bool:
    """Whether an enemy sees an entity too clearly for it to hide, or to stay hidden.

    Total cover, heavy obscurement, darkness and invisibility make hiding possible (SRD).
    """
    if not sees_place(enemy, entity):
        return False
    grid = entity.world.grid
    has_body = grid is not None and entity.body >= 0 and enemy.body >= 0
    return not (has_body and cover_of(entity, enemy) == TOTAL_COVER)


def sees_place(enemy: Entity, entity: Entity) -> bool:
    """Whether an enemy would see an entity that does not hide."""
    hidden = entity.conditions.pop("hidden", None)
    try:
        return sees(enemy, entity)
    finally:
        if hidden is not None:
            entity.conditions["hidden"] = hidden


def reveal_where_clear(entity: Entity) -> None:
    """Lets everybody notice an entity who now sees it clearly."""
    for enemy in enemies(entity):
        if "hidden" not in entity.conditions:
            return
        if is_clear_to(entity, enemy):
            reveal_to(entity, enemy)


def reveal_all(world: World) -> None:
    """Lets everybody notice all who hide and are now seen clearly."""
    for entity in world.entities:
        if "hidden" in entity.conditions:
            reveal_where_clear(entity)


class Search(_WithOneConsequence):
    """A Perception check that finds who is hidden, with less Stealth than that."""

    name: ClassVar[str] = "search"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"hidden enemies": why_not_search, **self._prerequisites}

    def _do(self, event: Event) -> None:
        check = roll_check(self.source, Skill.PERCEPTION, context={"sight": True}, parent=event)
        for other in hidden_from(self.source):
            hidden = other.conditions["hidden"][0]
            if isinstance(hidden, Hidden) and check.success and check.total >= hidden.stealth:
                reveal_to(other, self.source)


def hidden_from(entity: Entity) -> list[Entity]:
    """Enemies that hide from an entity."""
    return [
        other
        for other in enemies(entity)
        for one in other.conditions.get("hidden", ())
        if isinstance(one, Hidden) and entity in one.unaware
    ]


def why_not_search(action: Action) -> str | None:
    """Why there is nothing to search for."""
    return None if hidden_from(action.source) else "nobody hides"


# -- standing and lying ----------------------------------------------------------------------------


class StandUp(_WithOneConsequence):
    """Ends being prone, for half the speed."""

    name: ClassVar[str] = "stand up"
    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"prone": lambda action: why_not_stand_up(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        pay(self.source, Cost(CostType.MOVEMENT, stand_up_feet(self.source)), event)
        self.source.remove_condition("prone", parent=event)


def stand_up_feet(entity: Entity) -> int:
    """Half the speed, rounded down."""
    return entity.economy.current_speed // 2


def why_not_stand_up(entity: Entity) -> str | None:
    """Why an entity cannot stand up."""
    if "prone" not in entity.conditions:
        return f"{entity.name} stands"
    if entity.economy.current_speed == 0:
        return f"{entity.name} has a speed of 0"
    feet, left = stand_up_feet(entity), entity.economy.movement_left
    return f"it takes {feet} ft, and {left} ft are left" if feet > left else None


class DropProne(_WithOneConsequence):
    """Lies down; costs nothing, once a turn."""

    name: ClassVar[str] = "drop prone"
    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"standing": lambda action: why_not_drop(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        self.source.economy.marks.add("dropped prone")
        self.source.add_condition(Prone(), parent=event)


def why_not_drop(entity: Entity) -> str | None:
    """Why an entity cannot drop prone."""
    if "prone" in entity.conditions:
        return f"{entity.name} lies already"
    if "dropped prone" in entity.economy.marks:
        return f"{entity.name} has dropped prone in this turn"
    return None


# -- grappling and shoving -------------------------------------------------------------------------


class _InsteadOfAttack(_WithOneConsequence):
    """What takes the place of one attack of the Attack action, and contests Athletics."""

    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {
            "target": lambda action: why_not_seize(action.source, action.target),
            "cost": lambda action: why_not_replace(action.source),
            **self._prerequisites,
        }

    def _do(self, event: Event) -> None:
        replace_attack(self.source, event)
        if self.target is not None and contest(
            self.source, Skill.ATHLETICS, self.target, better_defence(self.target), event
        ):
            self._succeed(self.target, event)

    def _succeed(self, target: Entity, event: Event) -> None:
        raise NotImplementedError


class Grapple(_InsteadOfAttack):
    """Seizes a creature: its speed is 0 while it is held."""

    name: ClassVar[str] = "grapple"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        free = {"free hand": lambda action: why_no_free_hand(action.source, action.target)}
        return {**super().prerequisites(), **free}

    def _succeed(self, target: Entity, event: Event) -> None:
        target.add_condition(Grappled(source=self.source), parent=event)


class ShoveProne(_InsteadOfAttack):
    """Knocks a creature down."""

    name: ClassVar[str] = "shove prone"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        stands = {"standing": lambda action: _why_down(action.target)}
        return {**super().prerequisites(), **stands}

    def _succeed(self, target: Entity, event: Event) -> None:
        target.add_condition(Prone(source=self.source), parent=event)


class ShoveBack(_InsteadOfAttack):
    """Pushes a creature 5 ft away."""

    name: ClassVar[str] = "shove back"
    __slots__ = ()

    def _succeed(self, target: Entity, event: Event) -> None:
        push(target, self.source, SQUARE, event)


def better_defence(target: Entity) -> Skill:
    """Athletics or Acrobatics, whichever has the better bonus; Athletics if they are equal.

    Advantage and what fails in any case are not weighed: it is the target's choice (SRD), made by
    the number.
    """
    athletics = read_check(target, Skill.ATHLETICS).total
    acrobatics = read_check(target, Skill.ACROBATICS).total
    return Skill.ACROBATICS if acrobatics > athletics else Skill.ATHLETICS


def why_not_seize(source: Entity, target: Entity | None) -> str | None:
    """Why a creature cannot be grappled or shoved, whatever it costs."""
    if target is None or target is source or not target.is_up:
        return "another creature that still stands must be named"
    if target.size.rank > source.size.rank + 1:
        return f"{target.name} is more than one size larger than {source.name}"
    away = distance(source, target)
    if away > SQUARE:
        return f"{target.name} is {away} ft away, and must be within 5 ft"
    return attack_rules.why_not_target(source, target)


def why_no_free_hand(source: Entity, target: Entity | None) -> str | None:
    """Why an entity cannot seize another with its hands."""
    if source.equipment.hands.free < 1:
        return f"{source.name} has no hand free"
    if target is not None and target.condition("grappled", source) is not None:
        return f"{source.name} holds {target.name} already"
    return None


def _why_down(target: Entity | None) -> str | None:
    if target is not None and "prone" in target.conditions:
        return f"{target.name} lies already"
    return None


def why_not_replace(source: Entity) -> str | None:
    """Why no attack of an Attack action can be replaced."""
    economy = source.economy
    if economy.plans and source.equipment.replaces:
        return None
    if economy.left(CostType.ACTIONS) > 0:
        return None
    return f"{source.name} has no attack left"


def replace_attack(source: Entity, event: Event) -> None:
    """Uses an attack of the Attack action for something else, and begins that action if need be.

    The attacks of a Multiattack cannot be replaced (SRD): there it is the whole action.
    """
    economy = source.economy
    if not economy.plans or not source.equipment.replaces:
        pay(source, ACTION[0], event)
        plans = attack_rules.attack_plans(source) if source.equipment.replaces else ()
        economy.plans = plans
        economy.marks.add("attack action")
    rest = {plan[:k] + plan[k + 1 :] for plan in economy.plans for k in range(len(plan))}
    economy.plans = tuple(sorted(plan for plan in rest if plan))


class Escape(_WithOneConsequence):
    """Breaks a grapple by Athletics or Acrobatics against the grappler's Athletics."""

    name: ClassVar[str] = "escape"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"grappled": lambda action: why_not_escape(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        held = self.source.conditions["grappled"][0]
        if held.source is not None and contest(
            self.source, better_defence(self.source), held.source, Skill.ATHLETICS, event
        ):
            self.source.remove_condition(held, parent=event)


def why_not_escape(entity: Entity) -> str | None:
    """Why an entity has no grapple to escape."""
    return None if "grappled" in entity.conditions else f"nobody holds {entity.name}"


class Release(_WithOneConsequence):
    """Lets go of all whom it holds."""

    name: ClassVar[str] = "release"
    default_costs: ClassVar[tuple[Cost, ...]] = FREE
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        return {"grappling": lambda action: why_not_release(action.source), **self._prerequisites}

    def _do(self, event: Event) -> None:
        for other in self.source.world.entities:
            for one in list(other.conditions.get("grappled", ())):
                if one.source is self.source:
                    other.remove_condition(one, parent=event)


def why_not_release(entity: Entity) -> str | None:
    """Why an entity has nobody to let go of."""
    for other in entity.world.entities:
        if other.condition("grappled", entity) is not None:
            return None
    return f"{entity.name} holds nobody"


class Stabilise(_WithOneConsequence):
    """A Medicine check, DC 10, that ends the dying of a creature within 5 ft."""

    name: ClassVar[str] = "stabilise"
    __slots__ = ()

    def prerequisites(self) -> Mapping[str, Prerequisite]:
        dying = {"dying": lambda action: why_not_stabilise(action.source, action.target)}
        return {**dying, **self._prerequisites}

    def _do(self, event: Event) -> None:
        target = self.target
        check = roll_check(self.source, Skill.MEDICINE, STABILISE_DC, against=target, parent=event)
        if check.success and target is not None:
            target.health.reset_death_saves()
            target.health.stable = True


def why_not_stabilise(source: Entity, target: Entity | None) -> str | None:
    """Why a creature cannot be stabilised."""
    if target is None or target is source:
        return "another creature must be named"
    health = target.health
    if health.dead or health.current > 0 or health.stable or not target.is_player:
        return f"{target.name} is not dying"
    away = distance(source, target)
    return f"{target.name} is {away} ft away, and must be within 5 ft" if away > SQUARE else None
