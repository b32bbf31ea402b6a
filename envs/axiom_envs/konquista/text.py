"""Positions, actions and events of Konquista as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axiom_envs.konquista import catalogue as c
from axiom_envs.konquista import log
from axiom_envs.konquista.boards import Board, find_board
from axiom_envs.konquista.chart import draw_map
from axiom_envs.konquista.constants import (
    ADVANCING,
    ATTACKING,
    FORTIFYING,
    MAX_PLAYERS,
    OVER,
    REINFORCE,
)

_PLACES = ("", "first", "second", "third", "fourth", "fifth", "sixth")


def _armies(count: int) -> str:
    return f"{count} army" if count == 1 else f"{count} armies"


def _border(board: Board, border: int) -> tuple[str, str]:
    """Return the names of the territories where a directed border starts and ends."""
    start, end = board.borders[border]
    return board.territories[start].name, board.territories[end].name


# --------------------------------------------------------------------------------------------------
# Actions


def describe_action(state: Any, player: int, sub_actions: Sequence[int]) -> str:
    """Describe an action, such as "attacks Brindle from Quell with 5 armies".

    `state` is the state before the action.
    """
    return describe_sub_action(state, player, 0, int(sub_actions[0]))


def describe_sub_action(state: Any, player: int, k: int, action: int) -> str:
    """Describe an action; `state` is the state before it."""
    board = find_board(int(state.board))
    kind, index = c.decode(action, len(board.territories), len(board.borders))
    if kind == c.PLACE_ONE:
        return f"places 1 army on {board.territories[index].name}"
    if kind == c.PLACE_ALL:
        return f"places {_armies(int(state.to_place))} on {board.territories[index].name}"
    if kind == c.ATTACK:
        start, end = _border(board, index)
        strength = int(state.armies[board.borders[index][0]])
        return f"attacks {end} from {start} with {_armies(strength)}"
    if kind in (c.ADVANCE, c.HOLD):
        return _describe_advance(state, board, kind == c.ADVANCE)
    if kind == c.FORTIFY:
        start, end = _border(board, index)
        moved = max(int(state.armies[board.borders[index][0]]) - 1, 0)
        return f"moves {_armies(moved)} from {start} to {end} and ends the turn"
    return {c.END_ATTACK: "ends the attack", c.END_TURN: "ends the turn"}.get(kind, "does nothing")


def _describe_advance(state: Any, board: Board, follows: bool) -> str:
    if int(state.advance) < 0:
        return "follows with all armies but one" if follows else "holds the line"
    start, end = _border(board, int(state.advance))
    count = _armies(int(state.armies[board.borders[int(state.advance)][0]]) - 1)
    return f"follows to {end} with {count}" if follows else f"keeps {count} in {start}"


def sub_action_key(state: Any, player: int, k: int, action: int) -> str:
    """Return the text that a user types for an action.

    "quell" places all armies there, "quell 1" one; "quell > brindle" attacks or moves; "advance"
    and "hold" decide after a conquest; "stop" ends the attack, "end" the turn.
    """
    board = find_board(int(state.board))
    kind, index = c.decode(action, len(board.territories), len(board.borders))
    if kind in (c.PLACE_ONE, c.PLACE_ALL):
        name = board.territories[index].name.lower()
        return f"{name} 1" if kind == c.PLACE_ONE else name
    if kind in (c.ATTACK, c.FORTIFY):
        start, end = _border(board, index)
        return f"{start} > {end}".lower()
    return {c.ADVANCE: "advance", c.HOLD: "hold", c.END_ATTACK: "stop"}.get(kind, "end")


# --------------------------------------------------------------------------------------------------
# Positions


def describe_state(state: Any) -> str:
    """Describe the phase and the players, and draw the map with the regions below it."""
    board = find_board(int(state.board))
    lines = [_describe_phase(state, board), *_describe_players(state, board), *draw_map(state)]
    lines.append("A territory's numbers are its owner and its armies; dots are borders. Regions:")
    width = max(len(region.name) for region in board.regions)
    for number, region in enumerate(board.regions):
        names = [here.name for here in board.territories if here.region == number]
        lines.append(f"  {region.name:{width}} +{region.bonus}  {', '.join(names)}")
    return "\n".join(lines)


def _describe_phase(state: Any, board: Board) -> str:
    if int(state.phase) == OVER:
        living = [seat for seat in range(MAX_PLAYERS) if int(state.place[seat]) == 0]
        if len(living) == 1:
            return f"turn {int(state.turn)}: player_{living[0]} has won on {board.title}"
        return f"turn {int(state.turn)}: the limit has ended the game on {board.title}"
    doing = {
        REINFORCE: f"to place {_armies(int(state.to_place))}",
        ATTACKING: "to attack",
        ADVANCING: "to advance or hold",
        FORTIFYING: "to move armies once, or to end the turn",
    }[int(state.phase)]
    return f"turn {int(state.turn)} on {board.title}: player_{int(state.player)} is {doing}"


def _describe_players(state: Any, board: Board) -> list[str]:
    """Return a line for each player: its holdings, or its place if it is eliminated."""
    lines = []
    for seat in range(MAX_PLAYERS):
        place = int(state.place[seat])
        if place > 0:
            lines.append(f"  player_{seat}  eliminated, {_PLACES[place]}")
        if place != 0:
            continue
        held = [t for t in range(len(board.territories)) if int(state.owner[t]) == seat]
        armies = sum(int(state.armies[t]) for t in held)
        whole = [
            region.name
            for number, region in enumerate(board.regions)
            if all(t in held for t, u in enumerate(board.territories) if u.region == number)
        ]
        holds = f", all of {', '.join(whole)}" if whole else ""
        lines.append(f"  player_{seat}  {len(held)} territories, {_armies(armies)}{holds}")
    return lines


# --------------------------------------------------------------------------------------------------
# Events


def describe_event(state: Any, row: Sequence[int]) -> str:
    """Describe a row of the log as a sentence."""
    board = find_board(int(state.board))
    kind, first, second, third = (int(value) for value in row[:4])
    if kind == log.EVENT_TURN:
        return f"Turn {second}: player_{first} gets {_armies(third)}."
    if kind == log.EVENT_ELIMINATED:
        return f"player_{first} is eliminated by player_{third} and takes place {second}."
    if kind == log.EVENT_WON:
        return f"player_{first} has won."
    if kind == log.EVENT_LIMIT:
        return f"The limit of {first} turns ends the game."
    return _describe_fight(board, [int(value) for value in row])


def _describe_fight(board: Board, row: Sequence[int]) -> str:
    """Describe a roll, an attack that rolled to the end, or a conquest."""
    kind, border, count = row[0], row[1], row[2]
    start, end = _border(board, border)
    if kind == log.EVENT_ROLLED:
        dice, against = [die for die in row[2:5] if die], [die for die in row[5:7] if die]
        lost = min(len(dice), len(against)) - row[7]
        sides = [(start, dice, lost), (end, against, row[7])]
        texts = [f"{name} rolls {' '.join(map(str, d))} and loses {n}" for name, d, n in sides]
        return f"{', '.join(texts)}."
    if kind == log.EVENT_BLITZED:
        return f"{start} loses {_armies(count)}, {end} loses {_armies(row[3])}."
    return f"{end} falls to {_armies(count)} from {start}."
