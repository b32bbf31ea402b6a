"""The actions, states and events of AjveCiv as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiom_envs.ajve_civ import log
from axiom_envs.ajve_civ.constants import CONSENT, DEVELOP, EXPAND, VALUES


def people(seat: int) -> str:
    """Return the name of a people; seats count from 0, and names from 1."""
    return f"people {seat + 1}"


def describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    """Return a choice as its value and the devotion to it."""
    if action < 0:
        return "no value"
    devotion = int(state.values[player, action])
    return f"{VALUES[action]} ({devotion})"


def describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    """Return a player's choice as a sentence; the event log has its effects."""
    action = int(sub_actions[0])
    if action < 0:
        return f"{people(player)} chooses no value"
    if int(state.death[player]) != 0:
        return f"{people(player)}, which is dead, chooses {VALUES[action]}"
    devotion = int(state.values[player, action])
    return f"{people(player)} chooses {VALUES[action]}, with a devotion of {devotion}"


def sub_action_key(state: Any, player: int, k: int, action: int) -> str:
    """Return what a person types for a choice: the name of the value."""
    return VALUES[action]


def describe_event(state: Any, row: Sequence[int]) -> str:
    """Return a row of the event log as a sentence."""
    kind, who, a, b, c = (int(number) for number in row[:5])
    name = people(who).capitalize()
    if kind == log.CONQUERED:
        return f"{name} robs {people(a)} of {b}."
    if kind == log.EXCHANGED:
        return f"{name} trades with {people(a)}: it gains {b}, {people(a)} {c}."
    if kind == log.STARVED:
        return f"{a} of {people(who)} starve."
    if kind == log.DIED:
        return f"{name} dies out."
    if kind == log.INFLECTED:
        return f"{name} turns to {VALUES[a]}." if a >= 0 else f"{name} turns to nothing."
    return f"{name} {_describe_alone(kind - log.FIRST_ALONE, a)}."


def _describe_alone(value: int, devotion: int) -> str:
    """Return the effect of a value without a target, as the end of a sentence."""
    if value == EXPAND:
        return f"grows by {devotion}"
    if value == CONSENT:
        return f"consents: the world yields {devotion} more, and all like it the better"
    if value == DEVELOP:
        return f"develops: it gains {2 * devotion}, and the world loses {devotion}"
    return f"discovers, and gains {devotion}"


def describe_state(state: Any) -> str:
    """Return the world's yield, a row of numbers for each people, and all feelings as text."""
    peoples = range(len(state.death))
    head = f"step {int(state.turn)}; the world yields {int(state.world_yield)}"
    names = " ".join(f"{value:>8}" for value in VALUES)
    rows = [f"{'people':>6} {names} {'people':>7} {'yield':>6} {'score':>6}"]
    for i in peoples:
        values = " ".join(f"{int(number):8}" for number in state.values[i])
        nation = int(state.population[i]), int(state.yields[i])
        death = f"  died in step {int(state.death[i])}" if int(state.death[i]) else ""
        rows.append(f"{i + 1:>6} {values} {nation[0]:7} {nation[1]:6} {sum(nation):6}{death}")
    return "\n".join([head, *rows, *_feelings(state)])


def _feelings(state: Any) -> list[str]:
    """Return the feelings of each people about the others, a row for each people."""
    count = len(state.death)
    if count == 1:
        return []
    head = "feels about " + " ".join(f"{j + 1:>5}" for j in range(count))
    rows = [
        f"{i + 1:>11} " + " ".join(f"{int(number):5}" for number in state.feelings[i])
        for i in range(count)
    ]
    return [head, *rows]
