"""Movement: costs, opportunity attacks and paths on a map; connectivity.

Costs are in steps of 5 feet. Of several paths to a square, the one with the fewest feet is chosen,
then the one that provokes the fewest attacks, then the one whose last step comes first in
`DIRECTIONS`.

A body of size 2 (Large) covers 2 by 2 squares. Its position is its anchor, the square of lowest x
and y. Entering an anchor costs as much as the most expensive square covered. A diagonal step is
forbidden if the body could stand at neither of the two anchors that its orthogonal steps would lead
to. Creatures do not matter for that rule, and no body can stand off the map. With `diagonals` 1
every second diagonal step costs 5 feet more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.dnd.constants import DIRECTIONS
from axiom_envs.dnd.geometry.compiled import compiled
from axiom_gym.kernel import inline_kernel, inner_kernel, kernel

UNREACHED, START = -1, 8
CHOSEN = 16
"""The number added in `previous` to the entry of the better parity of a square."""

OCCUPIED = 255
"""The cost of a square with a creature that cannot be passed. Other squares that cannot be entered
cost 0. Unlike them, an occupied square does not forbid the diagonal steps around it."""

_DX = np.array([dx for dx, _ in DIRECTIONS], np.int64)
_DY = np.array([dy for _, dy in DIRECTIONS], np.int64)
# A key of the heap consists of feet, attacks and the node (square and parity).
_FEET = 1 << 40
_ATTACKS = 1 << 24


@inner_kernel
def _enter_cost(cost: Any, x: int, y: int, size: int) -> int:
    """Return the cost for a body to enter an anchor, or 0 if the ground does not allow it."""
    height, width = cost.shape
    if x < 0 or y < 0 or x + size > width or y + size > height:
        return 0
    highest = 0
    for j in range(y, y + size):
        for i in range(x, x + size):
            if cost[j, i] == 0:
                return 0
            highest = max(highest, int(cost[j, i]))
    return highest


@inner_kernel
def _is_squeezed(cost: Any, x: int, y: int, size: int, direction: int) -> bool:
    """Return True if a diagonal step leads between two places where the body cannot stand."""
    if direction % 2 == 0:
        return False
    beside = _enter_cost(cost, x + int(_DX[direction]), y, size)
    return beside == 0 and _enter_cost(cost, x, y + int(_DY[direction]), size) == 0


@inner_kernel
def _threats_at(threats: Any, x: int, y: int, size: int) -> int:
    found = 0
    for j in range(y, y + size):
        for i in range(x, x + size):
            found |= int(threats[j, i])
    return found


@inline_kernel
def _count_bits(bits: int) -> int:
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@inner_kernel
def _push(heap: Any, count: int, key: int) -> None:
    """Add a key to a binary heap of `count` keys, whose smallest key is on top."""
    place = count
    while place > 0 and int(heap[(place - 1) // 2]) > key:
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = key


@inner_kernel
def _pop(heap: Any, count: int) -> int:
    """Remove the smallest of `count` keys from a heap, and return it."""
    least, key = int(heap[0]), int(heap[count - 1])
    place, child = 0, 1
    while child < count - 1:
        if child + 1 < count - 1 and heap[child + 1] < heap[child]:
            child += 1
        if int(heap[child]) >= key:
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = key
    return least


@inner_kernel
def _expand(
    cost: Any, size: int, threats: Any, diagonals: int, key: int, best: Any, heap: Any, count: int,
    previous: Any,
) -> int:  # fmt: skip
    """Try all steps from the node of a key; return the number of keys in the heap."""
    height, width = cost.shape
    node = key % _ATTACKS
    parity, y, x = node // (height * width), node // width % height, node % width
    here = _threats_at(threats, x, y, size)
    for direction in range(8):
        i, j = x + int(_DX[direction]), y + int(_DY[direction])
        price = _enter_cost(cost, i, j, size)
        if price == 0 or price == OCCUPIED or _is_squeezed(cost, x, y, size, direction):
            continue
        turned = parity
        if diagonals == 1 and direction % 2 == 1:
            price += parity
            turned = 1 - parity
        attacks = 0
        if here != 0:
            attacks = _count_bits(here & ~_threats_at(threats, i, j, size))
        way = key - node + price * _FEET + attacks * _ATTACKS
        known = int(best[turned, j, i])
        if way < known:
            best[turned, j, i] = way
            previous[turned, j, i] = direction
            _push(heap, count, way + (turned * height + j) * width + i)
            count += 1
        elif way == known and direction < previous[turned, j, i]:
            previous[turned, j, i] = direction
    return count


@inner_kernel
def _report(best: Any, cost_out: Any, exposure_out: Any, previous: Any) -> None:
    """Write the better of both parities of each square, parity 0 if they are equal."""
    height, width = cost_out.shape
    for y in range(height):
        for x in range(width):
            parity = int(best[1, y, x] < best[0, y, x])
            cost_out[y, x] = UNREACHED
            exposure_out[y, x] = 0
            if previous[parity, y, x] != UNREACHED:
                previous[parity, y, x] += CHOSEN
                cost_out[y, x] = int(best[parity, y, x]) // _FEET
                exposure_out[y, x] = int(best[parity, y, x]) % _FEET // _ATTACKS


@kernel
def movement_field_into(
    cost: npt.NDArray[np.uint8],
    x: int,
    y: int,
    size: int,
    threats: npt.NDArray[np.uint16],
    diagonals: int,
    parity: int,
    best: npt.NDArray[np.int64],
    heap: npt.NDArray[np.int64],
    cost_out: npt.NDArray[np.int16],
    exposure_out: npt.NDArray[np.int16],
    previous_out: npt.NDArray[np.int8],
) -> None:
    """Write the cheapest paths, as `movement_field`, with memory of the caller.

    cost: (H, W) uint8. threats: (H, W) uint16. best: (2, H, W) int64 and heap: (16HW + 1,) int64,
    overwritten. cost_out, exposure_out: (H, W) int16. previous_out: (2, H, W) int8.
    """
    height, width = cost.shape
    best[:, :, :] = 1 << 62
    previous_out[:, :, :] = UNREACHED
    best[parity, y, x] = 0
    previous_out[parity, y, x] = START
    heap[0] = (parity * height + y) * width + x
    count = 1
    while count > 0:
        key = _pop(heap, count)
        count -= 1
        node = key % _ATTACKS
        known = int(best[node // (height * width), node // width % height, node % width])
        if key - node == known:
            count = _expand(cost, size, threats, diagonals, key, best, heap, count, previous_out)
    _report(best, cost_out, exposure_out, previous_out)


@kernel
def path_to_into(
    previous: npt.NDArray[np.int8], x: int, y: int, diagonals: int, out: npt.NDArray[np.int8]
) -> int:
    """Write a path, as `path_to`. previous: (2, H, W) int8. out: (2HW,) int8, written."""
    parity = int(previous[1, y, x] >= CHOSEN)
    if previous[parity, y, x] == UNREACHED:
        return -1
    length = 0
    while int(previous[parity, y, x]) % CHOSEN != START:
        direction = int(previous[parity, y, x]) % CHOSEN
        out[length] = direction
        length += 1
        x, y = x - int(_DX[direction]), y - int(_DY[direction])
        if diagonals == 1 and direction % 2 == 1:
            parity = 1 - parity
    for place in range(length // 2):
        other = length - 1 - place
        out[place], out[other] = out[other], out[place]
    return length


@kernel
def label_components_into(
    cost: npt.NDArray[np.uint8],
    size: int,
    waiting: npt.NDArray[np.int64],
    labels: npt.NDArray[np.int16],
) -> int:
    """Write the regions, as `label_components`.

    cost: (H, W) uint8. waiting: (HW,) int64, overwritten. labels: (H, W) int16, written.
    """
    height, width = cost.shape
    labels[:, :] = -1
    components = 0
    for start in range(height * width):
        x, y = start % width, start // width
        if labels[y, x] != -1 or _enter_cost(cost, x, y, size) == 0:
            continue
        labels[y, x] = components
        waiting[0] = start
        count = 1
        while count > 0:
            count -= 1
            x, y = int(waiting[count]) % width, int(waiting[count]) // width
            for direction in range(8):
                i, j = x + int(_DX[direction]), y + int(_DY[direction])
                if _enter_cost(cost, i, j, size) == 0 or labels[j, i] != -1:
                    continue
                if not _is_squeezed(cost, x, y, size, direction):
                    labels[j, i] = components
                    waiting[count] = j * width + i
                    count += 1
        components += 1
    return components


def movement_field(
    cost: npt.NDArray[np.uint8],
    x: int,
    y: int,
    size: int,
    threats: npt.NDArray[np.uint16],
    diagonals: int,
    cost_out: npt.NDArray[np.int16],
    exposure_out: npt.NDArray[np.int16],
    previous_out: npt.NDArray[np.int8],
    parity: int = 0,
) -> None:
    """Write the cheapest path to each square.

    A step provokes each enemy whose reach includes a square before the step and no square after it.

    Args:
        cost: (H, W) uint8, cost to enter a square in steps of 5 feet; 0 if that is impossible, or
            `OCCUPIED`.
        x: column of the body's anchor.
        y: row of the body's anchor.
        size: 1, or 2 for a body of 2 by 2 squares.
        threats: (H, W) uint16, bit e is set in the reach of enemy e.
        diagonals: 0, or 1 if every second diagonal step costs 5 feet more.
        cost_out: (H, W) int16, written: steps of 5 feet, -1 if the square cannot be reached.
        exposure_out: (H, W) int16, written: attacks provoked on the path.
        previous_out: (2, H, W) int8, written: the last step to each square, by parity of diagonal
            steps, as an index into `DIRECTIONS`; the input of `path_to`.
        parity: parity of the diagonal steps already taken in this turn.
    """
    height, width = cost.shape
    best, heap = np.empty((2, height, width), np.int64), np.empty(16 * height * width + 1, np.int64)
    compiled(movement_field_into)(
        cost, x, y, size, threats, diagonals, parity, best, heap,
        cost_out, exposure_out, previous_out,
    )  # fmt: skip


def path_to(
    previous: npt.NDArray[np.int8], x: int, y: int, out: npt.NDArray[np.int8], diagonals: int = 0
) -> int:
    """Write the steps of the path to a square.

    Args:
        previous: (2, H, W) int8, from `movement_field`.
        x: column of the square.
        y: row of the square.
        out: (2HW,) int8, written: indices into `DIRECTIONS`, from the first step on.
        diagonals: the value passed to `movement_field`.

    Returns:
        The number of steps; -1 if there is no path.
    """
    return int(compiled(path_to_into)(previous, x, y, diagonals, out))


def label_components(cost: npt.NDArray[np.uint8], size: int, labels: npt.NDArray[np.int16]) -> int:
    """Write the connected regions in which a body can walk, and return their number.

    Args:
        cost: (H, W) uint8, cost to enter a square; 0 if that is impossible.
        size: 1, or 2 for a body of 2 by 2 squares.
        labels: (H, W) int16, written: the region of each anchor, numbered from 0 in the order of
            rows; -1 if the body cannot stand there.
    """
    return int(compiled(label_components_into)(cost, size, np.empty(cost.size, np.int64), labels))


def connected(cost: npt.NDArray[np.uint8], size: int = 1) -> bool:
    """Return True if a body can walk between any two places where it can stand.

    Args:
        cost: (H, W) uint8, cost to enter a square; for a map, `ENTER_COST[terrain]`.
        size: 1, or 2 for a body of 2 by 2 squares.
    """
    return label_components(cost, size, np.empty(cost.shape, np.int16)) <= 1
