"""A small raster for painting boards, so that pictures need no other library.

Colours are (red, green, blue), 0..255.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]

# Five rows of three pixels for each digit, from top to bottom; "#" is ink.
_DIGITS = {
    "0": "### # # # # # # ###",
    "1": " #  ##   #   #  ###",
    "2": "###   # ### #   ###",
    "3": "###   # ###   # ###",
    "4": "# # # # ###   #   #",
    "5": "### #   ###   # ###",
    "6": "### #   ### # # ###",
    "7": "###   #   #   #   #",
    "8": "### # # ### # # ###",
    "9": "### # # ###   # ###",
}


class Canvas:
    """An RGB picture of H x W pixels.

    Attributes:
        pixels: (H, W, 3) uint8.
    """

    def __init__(self, height: int, width: int, colour: Colour) -> None:
        """Fill the picture with one colour."""
        self.pixels = np.empty((height, width, 3), np.uint8)
        self.pixels[:] = colour

    def rectangle(self, top: int, left: int, height: int, width: int, colour: Colour) -> None:
        """Paint a filled rectangle."""
        self.pixels[top : top + height, left : left + width] = colour

    def disc(self, y: float, x: float, radius: float, colour: Colour) -> None:
        """Paint a filled circle."""
        self._fill(self._offsets(y, x, lambda dy, dx: dy * dy + dx * dx <= radius * radius), colour)

    def diamond(self, y: float, x: float, radius: float, colour: Colour) -> None:
        """Paint a filled square that stands on a corner."""
        self._fill(self._offsets(y, x, lambda dy, dx: np.abs(dy) + np.abs(dx) <= radius), colour)

    def _offsets(self, y: float, x: float, inside: object) -> npt.NDArray[np.bool_]:
        rows, columns = np.ogrid[: self.pixels.shape[0], : self.pixels.shape[1]]
        return inside(rows - y, columns - x)  # type: ignore[operator,no-any-return]

    def _fill(self, where: npt.NDArray[np.bool_], colour: Colour) -> None:
        self.pixels[where] = colour

    def number(self, text: str, top: int, left: int, size: int, colour: Colour) -> None:
        """Paint digits, each of 3 x 5 squares of `size` pixels, with one square between them."""
        for place, digit in enumerate(text):
            rows = _DIGITS[digit].ljust(19)
            for row in range(5):
                for column in range(3):
                    if rows[4 * row + column] == "#":
                        self.rectangle(
                            top + row * size, left + (4 * place + column) * size, size, size, colour
                        )
