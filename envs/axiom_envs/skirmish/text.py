"""Positions, actions and events of the skirmish as text, for `game.GAME`.

The texts show the whole position, hidden creatures included; `seen` has those for a player. Capital
letters are the party's creatures, lower-case letters the foes', each side in the order of their
creation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from axiom_envs.dnd import constants as kinds
from axiom_envs.dnd.constants import ATTACK, BONUS_DASH, MOVE, RAMPAGE, SIDES, STABILISE, STEP
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.creature.equipment import AttackProfile
from axiom_envs.dnd.engine.encounter.choices import off_hand_profile
from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent
from axiom_envs.dnd.engine.values.dice import D20Roll
from axiom_envs.dnd.engine.values.types import CostType
from axiom_envs.dnd.engine.world.events import Event, EventType
from axiom_envs.dnd.geometry.terrain import format_map
from axiom_envs.skirmish.catalogue import TARGETED, Meaning
from axiom_envs.skirmish.log import EVENT_KINDS
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import reader

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_DIRECTIONS = (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
)  # fmt: skip

_SIMPLE = {
    kinds.END_TURN: ("end", "end its turn"),
    kinds.DASH: ("dash", "dash"),
    kinds.DISENGAGE: ("disengage", "disengage"),
    kinds.DODGE: ("dodge", "dodge"),
    kinds.HIDE: ("hide", "hide"),
    kinds.STAND_UP: ("stand", "stand up"),
    kinds.DROP_PRONE: ("drop", "drop prone"),
    kinds.ESCAPE: ("escape", "try to escape from the grapple"),
    kinds.RELEASE: ("release", "release the creatures it holds"),
    kinds.BONUS_DASH: ("bonus dash", "dash as a bonus action"),
    kinds.BONUS_DISENGAGE: ("bonus disengage", "disengage as a bonus action"),
    kinds.BONUS_HIDE: ("bonus hide", "hide as a bonus action"),
    kinds.DECLINE: ("no", "decline to react"),
    kinds.SEARCH: ("search", "search for hidden enemies"),
    kinds.RECKLESS: ("reckless", "attack recklessly in this turn"),
    kinds.SECOND_WIND: ("wind", "get its second wind"),
    kinds.RAGE: ("rage", "rage"),
    kinds.BREAK_FREE: ("free", "try to break free"),
    kinds.ACTION_SURGE: ("surge", "surge: one more action in this turn"),
    kinds.RAMPAGE: ("rampage", "rampage: half its speed, and a bite"),
    kinds.READY_MELEE: ("ready melee", "ready a melee attack"),
    kinds.READY_RANGED: ("ready ranged", "ready a ranged attack"),
}
"""The short form and the text of each kind without a target."""

_TARGETED = {
    kinds.OFF_HAND: ("o", "attack {} with the other hand"),
    kinds.GRAPPLE: ("g", "grapple {}"),
    kinds.SHOVE_PRONE: ("p", "shove {} prone"),
    kinds.SHOVE_BACK: ("b", "push {} back"),
    kinds.HELP: ("h", "help the next attack on {}"),
    kinds.STABILISE: ("+", "stabilise {}"),
}
"""For each kind with a target, the letter that precedes the target's, and the text."""


def letter_of(session: Session, one: Entity) -> str:
    """Return a creature's letter: a capital for the party, lower case for the foes."""
    first = "A" if one.side == SIDES[0] else "a"
    return chr(ord(first) + session.slots[one.number])


# -- actions ---------------------------------------------------------------------------------------


def describe_action(state: Any, action: int) -> str:
    """Describe a player's action in the state before it: "has goblin 1 end its turn"."""
    session = reader.find(state)
    return f"has {session.decider.name} {_describe(session, action)}"


def describe_sub_action(state: Any, action: int) -> str:
    """Describe an action in the state before it: "attack orc with longsword (+5 ...)"."""
    return _describe(reader.find(state), action)


def decode(session: Session, action: int) -> Meaning:
    """Return the meaning of an action now: the bonus dash of a gnoll is a rampage."""
    meaning = session.catalogue.decode(action)
    if meaning.kind == BONUS_DASH and session.mask[action]:
        if RAMPAGE in session.encounter.legal.kinds:
            return Meaning(RAMPAGE)
    return meaning


def _describe(session: Session, action: int) -> str:
    meaning = decode(session, action)
    if meaning.kind in _SIMPLE:
        return _SIMPLE[meaning.kind][1]
    if meaning.kind == "react":
        return f"react: {session.encounter.question()}" if session.is_reaction else "react"
    if meaning.kind == STEP:
        return f"step {_DIRECTIONS[meaning.index]}"
    if meaning.square is not None:
        return _describe_move(session, meaning.square)
    target = _target_of(session, meaning)
    if target is None:
        return "do nothing"
    if meaning.kind == ATTACK:
        return _describe_attack(session, target, meaning.profile)
    text = _TARGETED[meaning.kind][1].format(target.name)
    if meaning.kind == TARGETED[0] and (profile := off_hand_profile(session.decider)) is not None:
        return text.replace("the other hand", _judge(session, target, profile, False))
    return text


def _target_of(session: Session, meaning: Meaning) -> Entity | None:
    own = session.seat_of_side(session.decider)
    among = session.sides[own if meaning.kind == STABILISE else 1 - own]
    return among[meaning.index] if 0 <= meaning.index < len(among) else None


def _describe_move(session: Session, square: tuple[int, int]) -> str:
    x, y = square
    text = f"move to {x},{y}"
    legal = None if session.encounter.over or session.is_reaction else session.encounter.legal
    if legal is None or legal.field is None or legal.cells is None:
        return text
    height, width = legal.cells.shape
    if x >= width or y >= height or not legal.cells[y, x]:
        return text
    provoked = int(legal.field.exposures[y, x])
    danger = f", provokes {provoked}" if provoked else ""
    return f"{text} ({int(legal.field.feet[y, x])} ft{danger})"


def _describe_attack(session: Session, target: Entity, number: int) -> str:
    profiles = session.decider.equipment.profiles
    if not number < len(profiles):
        return f"attack {target.name}"
    return f"attack {target.name} with {_judge(session, target, profiles[number], True)}"


def _judge(session: Session, target: Entity, profile: AttackProfile, with_ability: bool) -> str:
    """Return the profile and its prospects: "scimitar (+4 against 15, 50 %, 1d6+2 ...)".

    Those against a target that the actor's side does not see would tell where it is.

    The temporary attack is removed again, and the numbering reset, so that asking leaves no trace.
    """
    actor = session.decider
    if target.body < 0 or actor.body < 0:
        return profile.name
    if target.number not in session.seen[str(actor.side)]:
        return f"{profile.name} (at an unseen target)"
    world = actor.world
    before = world.count
    attack = Attack(actor, target, profile)
    bonus, against, _ = attack.read()
    world.forget(attack)
    world.count = before
    chance = hit_chance(bonus.total, against.total, bonus.advantage, bonus.hits)
    dice = actor.equipment.weapon_dice(profile, target, with_ability=with_ability)
    hurts = f", {dice}" if profile.deals_damage else ""
    return f"{profile.name} ({bonus.total:+d} against {against.total}, {100 * chance:.0f} %{hurts})"


def hit_chance(
    bonus: int, armour_class: int, advantage: int = 0, hits: bool | None = None
) -> float:
    """Return the probability that an attack hits; a 1 misses and a 20 hits.

    Args:
        bonus: the attack bonus.
        armour_class: the target's armour class.
        advantage: 1, 0 or -1.
        hits: True if every roll but a 1 hits, False if no roll hits, else None.
    """
    if hits is not None:
        low = 2 if hits else 21
    else:
        low = min(20, max(2, armour_class - bonus))
    chance = (21 - low) / 20
    if advantage > 0:
        return 1 - (1 - chance) ** 2
    return chance**2 if advantage < 0 else chance


def sub_action_key(state: Any, action: int) -> str:
    """Return the text by which people enter an action.

    "a2" attacks the enemy a with the second profile; "ga" grapples it; "ne" steps; "m3,4" moves;
    others are words such as "dash", "end", "yes" and "no".
    """
    session = reader.find(state)
    meaning = decode(session, action)
    if meaning.kind in _SIMPLE:
        return _SIMPLE[meaning.kind][0]
    if meaning.kind == STEP:
        return COMPASS[meaning.index]
    if meaning.kind == MOVE and meaning.square is not None:
        return "m{},{}".format(*meaning.square)
    letter = chr(ord("a") + max(meaning.index, 0))
    if meaning.kind == ATTACK:
        return f"{letter}{meaning.profile + 1}"
    return f"{_TARGETED[meaning.kind][0]}{letter}" if meaning.kind in _TARGETED else "yes"


# -- positions -------------------------------------------------------------------------------------


def describe_state(state: Any) -> str:
    """Return the map, all creatures in turn order, and the current decision."""
    session = reader.find(state)
    lines = describe_map(session, session.encounter.fighters)
    lines += [describe_creature(session, one) for one in session.encounter.order]
    return "\n".join([*lines, describe_question(session)])


def describe_map(
    session: Session, shown: Sequence[Entity], marks: Iterable[tuple[int, int]] = ()
) -> list[str]:
    """Return the map, a line for each row.

    Args:
        session: the game.
        shown: the creatures on the map.
        marks: (x, y) of squares with a "?".
    """
    grid = session.encounter.world.grid
    assert grid is not None
    rows = [list(row) for row in format_map(grid.terrain)]
    for x, y in marks:
        rows[y][x] = "?"
    for one in shown:
        if one.body >= 0:
            for x, y in grid.squares(one.body):
                rows[y][x] = letter_of(session, one)
    wide = 2 if grid.width <= 10 else 3
    head = "   " + "".join(f"{x:>{wide}}" for x in range(grid.width))
    return [head, *(f"{y:>3}" + "".join(f"{s:>{wide}}" for s in row) for y, row in enumerate(rows))]


def describe_creature(session: Session, one: Entity) -> str:
    """Return a line: turn marker, letter, name, hit points, armour class, position, conditions."""
    encounter = session.encounter
    mark = ">" if one is encounter.actor and not encounter.over else " "
    where = "dead" if one.health.dead else "at {},{}".format(*(one.senses.position or ("?", "?")))
    temporary = f"+{one.health.temporary}" if one.health.temporary else ""
    points = f"{one.health.current}{temporary}/{one.health.maximum.score} hp"
    armour = f"AC {one.equipment.read_armour_class().total}"
    width = max(len(other.name) for other in encounter.order)
    parts = [f"{points:>10}", f"{armour:5}", f"{where:8}", *_describe_health(one)]
    return f"{mark} {letter_of(session, one)} {one.name:{width}} {'  '.join(parts)}".rstrip()


def _describe_health(one: Entity) -> list[str]:
    """Return conditions, and the death saving throws of a dying creature."""
    if one.health.dead:
        return []
    found = [", ".join(one.conditions)] if one.conditions else []
    if one.health.current == 0:
        health = one.health
        saves = f"{health.successes} saved, {health.failures} failed"
        found.append("stable" if health.stable else f"dying: {saves}")
    return found


def describe_question(session: Session) -> str:
    """Return the round, and the decision or the winner."""
    encounter = session.encounter
    head = f"Round {encounter.round} of {encounter.round_limit}"
    if encounter.over:
        side = encounter.winner
        return f"{head}: {'a draw' if side is None else f'{_capital(side)} won'}."
    one = session.decider
    if session.is_reaction:
        return f"{head}: {one.name} may react: {encounter.question()}."
    economy = one.economy
    left = [f"{economy.movement_left} ft"]
    left += ["action"] if economy.left(CostType.ACTIONS) else []
    attacks = economy.attacks_left
    left += [f"{attacks} attack{'s' * (attacks > 1)}"] if attacks else []
    return f"{head}: turn of {one.name} ({one.side}); left: {', '.join(left)}."


def _capital(side: str) -> str:
    return "the party has" if side == SIDES[0] else "the foes have"


# -- events ----------------------------------------------------------------------------------------

_WITH_TEXT = frozenset(map(EventType, EVENT_KINDS.values()))


def describe_event(state: Any, number: int) -> str:
    """Return the event of this number of the last decision as a sentence, or ""."""
    texts = explain_events(reader.find(state))
    return texts[number] if 0 <= number < len(texts) else ""


def explain_events(session: Session) -> list[str]:
    """Return texts of the events since the last decision, with all numbers and their origins."""
    return [explain(session, event) for event in session.happened() if has_text(event)]


def has_text(event: Event) -> bool:
    """Return True if an event has a text of its own; an attack's text includes its damage."""
    if event.event_type not in _WITH_TEXT:
        return False
    if event.event_type == EventType.ROLL:
        return isinstance(event, D20Roll) and event.purpose == "initiative"
    return event.event_type != EventType.DAMAGE or not isinstance(event.parent, AttackEvent)


def explain(session: Session, event: Event) -> str:
    """Return an event as text, with all numbers and their origins."""
    if isinstance(event, AttackEvent):
        who = event.source.name if event.source is not None else "nobody"
        whom = event.target.name if event.target is not None else "nobody"
        return f"{who} attacks {whom} with {event.profile.name}: {event.explain()}"
    if isinstance(event, D20Roll) and event.source is not None:
        total = session.encounter.initiative[event.source.number]
        return f"{event.source.name} rolls for initiative: {event.describe()}; {total}"
    return event.explain()
