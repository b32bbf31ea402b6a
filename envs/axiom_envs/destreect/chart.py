"""Boards of Destreect as text: the ring of spaces, with the rents in the middle."""

from __future__ import annotations

from typing import Any

from axiom_envs.destreect.boards import Board, Space, find_board, find_cell, ring_size
from axiom_envs.destreect.constants import DETOUR, PARK, START, TAX

_COLUMNS = 98
_NARROWEST, _WIDEST = 8, 18
_LINES = 3
"""The lines of text in a cell."""
_LEGEND = "p0: owner, #: house, m: mortgaged, @0: player_0"


def draw_ring(state: Any) -> list[str]:
    """Return the lines of the board; the ring begins at the bottom right and runs clockwise."""
    board = find_board(int(state.board))
    width, height = ring_size(len(board.spaces))
    wide = min(_WIDEST, max(_NARROWEST, (_COLUMNS - 1) // width - 1))
    edge = "+" + width * ("-" * wide + "+")
    grid = [[" "] * len(edge) for _ in range(height * (_LINES + 1) + 1)]
    for place in range(len(board.spaces)):
        row, column = find_cell(place, width, height)
        top, left = row * (_LINES + 1), column * (wide + 1)
        for y in (top, top + _LINES + 1):
            grid[y][left : left + wide + 2] = edge[: wide + 2]
        for y, text in enumerate(_fill_cell(state, board, place, wide), start=top + 1):
            grid[y][left : left + wide + 2] = f"|{text[:wide]:{wide}}|"
    table = [*_list_rents(board), _LEGEND]
    room = (height - 2) * (_LINES + 1) - 1, (width - 2) * (wide + 1) - 3
    fits = len(table) <= room[0] and max(map(len, table)) <= room[1]
    for y, line in enumerate(table if fits else [], start=_LINES + 2):
        grid[y][wide + 4 : wide + 4 + len(line)] = line
    return ["".join(row).rstrip() for row in grid] + ([] if fits else table)


def _letter(board: Board, space: Space) -> str:
    """Return the letter of a space's district, "-" for a line."""
    return chr(ord("A") + board.districts.index(space.district)) if space.district else "-"


def _fill_cell(state: Any, board: Board, place: int, wide: int) -> list[str]:
    """Return number, district and name of a space, then its price or owner and the players."""
    space = board.spaces[place]
    head = f"{place}{_letter(board, space)}" if space.is_deed else f"{place}"
    first, *rest = space.name.split()
    name = f"{head} {first}"
    while rest and len(name) + 1 + len(rest[0]) <= wide:
        name += f" {rest.pop(0)}"
    seats = [
        seat
        for seat in range(int(state.players))
        if state.alive[seat] and int(state.position[seat]) == place
    ]
    here, mark = "".join(f"@{seat}" for seat in seats), _mark(state, board, place)
    if len(mark) + len(here) >= wide:
        here = "@" + "".join(map(str, seats))
    return [name, " ".join(rest), f"{mark}{here:>{max(wide - len(mark), 0)}}"]


def _mark(state: Any, board: Board, place: int) -> str:
    """Return the owner of a deed with its houses, its price if it has none, or the effect."""
    space = board.spaces[place]
    if not space.is_deed:
        lockup = "lock-up" if place == board.lockup else "park"
        fixed = {START: "start", TAX: f"pay {space.amount}", DETOUR: "to lock-up", PARK: lockup}
        return fixed.get(space.kind, "card")
    deed = board.deeds.index(place)
    owner = int(state.owner[deed])
    if owner < 0:
        return str(space.price)
    houses = "#" * int(state.houses[deed]) + "m" * int(state.mortgaged[deed])
    return f"p{owner} {houses}".rstrip()


def _list_rents(board: Board) -> list[str]:
    """Return a table of all streets, and a line for the lines."""
    streets = [space for space in board.spaces if space.district]
    width = max(len(space.name) for space in streets)
    lines = [f"{'street':{width + 2}} price house rents for 0 to 4 houses"]
    for space in streets:
        rents = "/".join(map(str, space.rents))
        name = f"{_letter(board, space)} {space.name:{width}}"
        lines.append(f"{name} {space.price:5} {space.house_cost:5} {rents}")
    rents = "/".join(map(str, board.line_rents))
    return [*lines, f"{'- lines':{width + 2}} {'':11} {rents} for 1 to 4"]
