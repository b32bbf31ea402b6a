"""Positions and turns of the skirmish as text, without what is hidden from a player.

A player knows what the observation shows: the creatures of the own side, the enemies that one of
these sees, where the others were last seen, and which of them are alive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from axiom_envs.dnd.constants import BONUS_HIDE, HIDE, MOVE, SIDES, STEP
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.world.events import Event, EventType
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import reader
from axiom_envs.skirmish.text import (
    decode,
    describe_action,
    describe_creature,
    describe_map,
    describe_question,
    describe_state,
    explain,
    has_text,
    letter_of,
)

UNSEEN = "an unseen enemy"


def find_hidden(session: Session, player: int) -> dict[int, Entity]:
    """Return the enemies that a player's side does not see, by number."""
    side = session.observer_side(player)
    enemies = session.sides[1 - SIDES.index(side)]
    return {one.number: one for one in enemies if one.number not in session.seen[side]}


def describe_view(state: Any, player: int) -> str:
    """Return the position as a player's side sees it; the whole position after the end."""
    session = reader.find(state)
    hidden = {} if session.encounter.over else find_hidden(session, player)
    if not hidden:
        return describe_state(state)
    side, order = session.observer_side(player), session.encounter.order
    width = max(len(one.name) for one in order)
    lost = [one for one in hidden.values() if not one.health.dead]
    marks = [session.last_seen.get((side, one.number)) for one in lost]
    shown = [one for one in order if one.number not in hidden]
    lines = describe_map(session, shown, [square for square in marks if square is not None])
    lines += [describe_creature(session, one) for one in shown]
    for one in hidden.values():
        square = session.last_seen.get((side, one.number))
        last = "" if square is None else ", last seen at {},{}".format(*square)
        where = "dead" if one.health.dead else f"unseen{last}"
        lines.append(f"  {letter_of(session, one)} {one.name:{width}} {where}")
    return "\n".join([*lines, hide_names(describe_question(session), hidden)])


def hide_names(text: str, hidden: dict[int, Entity]) -> str:
    """Return a text in which each hidden creature is called `UNSEEN`."""
    names = sorted((one.name for one in hidden.values()), key=len, reverse=True)
    if not names:
        return text
    pattern = "|".join(re.escape(name) for name in names)
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", UNSEEN, text)


def describe_turn_seen(
    before: Any, after: Any, player: int, sub_actions: Sequence[Sequence[int]]
) -> tuple[list[str], list[str]]:
    """Return the decision and the events of a turn, as far as a player's side sees them.

    Args:
        before: the state before the turn.
        after: the state after it.
        player: the observer.
        sub_actions: (1, 1), the action of the player who decided.
    """
    session, action = reader.find(before), int(sub_actions[0][0])
    kind, actor = decode(session, action).kind, session.decider
    hidden_before = find_hidden(session, player)
    acted = hide_names(describe_action(before, action), hidden_before)
    now = reader.find(after)
    hidden = {} if now.encounter.over else find_hidden(now, player)
    if actor.number in hidden_before:
        acted = f"has {UNSEEN} act"
    elif actor.number in hidden and kind in (STEP, MOVE):
        acted = f"has {actor.name} move out of sight"
    elif actor.number in hidden and kind in (HIDE, BONUS_HIDE):
        acted = f"has {actor.name} hide"
    never = {key: one for key, one in hidden.items() if key in hidden_before}
    events = [one for one in now.happened() if has_text(one) and _is_seen(one, hidden, never)]
    return [acted], [hide_names(explain(now, one), never) for one in events]


def _is_seen(event: Event, hidden: dict[int, Entity], never: dict[int, Entity]) -> bool:
    """Return True if a player learns of an event.

    Args:
        event: the event.
        hidden: the enemies that the player does not see after the turn.
        never: those of them that the player did not see before it either.
    """
    involved = [one for one in (event.source, event.target) if one is not None]
    if event.event_type in (EventType.CHECK, EventType.ROLL) and event.source is not None:
        return event.source.number not in hidden
    return not involved or any(one.number not in never for one in involved)
