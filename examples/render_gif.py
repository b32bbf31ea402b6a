"""Play games between bots and save them side by side as one animated GIF.

A `Match` is played turn by turn; `render_games` draws the state after each turn as an RGB picture.
Pillow, which Matplotlib installs, scales the pictures and writes the file. The animation at the top
of the README was made with this command, which prints the size of the file:

    python examples/render_gif.py --out docs/games.gif
    docs/games.gif: 22 frames of 966 x 280 pixels

With `--quick` it draws ten frames and saves nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import Any

from PIL import Image

from axiom_gym.play.match import Match
from axiom_gym.render import render_games

HEIGHT = 280
MARGIN = 12
BACKGROUND = "#ffffff"

# Each game with its bots, seed and options, and the number of turns between two of its frames.
GAMES: tuple[tuple[str, list[str], dict[str, Any], int], ...] = (
    ("quantaris", ["greedy", "guardian"], {"seed": 19}, 1),
    ("konquista", ["greedy", "greedy", "greedy"], {"seed": 4}, 7),
    ("skirmish", ["focus_fire", "kiting"], {"seed": 3, "scenario": "bandits-vs-party"}, 4),
)


def draw_game(match: Match, turns: int, most: int) -> list[Image.Image]:
    """Return at most `most` pictures, one after each `turns` turns and one of the end."""
    played: Iterator[int] = (number for number, _ in enumerate(match, 1))
    shown = (n for n in played if n % turns == 0 or match.recorder.ended)
    pictures = [render_games(match.batch, "rgb_array")[0] for _ in islice(shown, most)]
    images = [Image.fromarray(picture) for picture in pictures]
    width = round(images[0].width * HEIGHT / images[0].height)
    return [image.resize((width, HEIGHT), Image.Resampling.LANCZOS) for image in images]


def join(images: list[Image.Image]) -> Image.Image:
    """Return pictures side by side on one background."""
    width = sum(image.width for image in images) + MARGIN * (len(images) - 1)
    joined = Image.new("RGB", (width, HEIGHT), BACKGROUND)
    left = 0
    for image in images:
        joined.paste(image, (left, 0))
        left += image.width + MARGIN
    return joined


def save(frames: list[Image.Image], path: str) -> None:
    """Write an endless animation; the last frame, with the results, stays for two seconds."""
    # One palette for all frames: a palette of its own for each would make the colours flicker.
    strip = Image.new("RGB", (frames[0].width, HEIGHT * len(frames)))
    for i, frame in enumerate(frames):
        strip.paste(frame, (0, HEIGHT * i))
    palette = strip.quantize(128)
    images = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [350] * (len(images) - 1) + [2000]
    images[0].save(path, save_all=True, append_images=images[1:], duration=durations, loop=0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Save games between bots as an animated GIF.")
    parser.add_argument("--out", default="games.gif", help="the file to write")
    parser.add_argument("--frames", type=int, default=60, help="pictures of each game, at most")
    parser.add_argument("--quick", action="store_true", help="draw ten frames, save nothing")
    args = parser.parse_args()
    most = 10 if args.quick else args.frames
    games = [
        draw_game(Match(game, bots, **settings), turns, most)
        for game, bots, settings, turns in GAMES
    ]
    # A game that ends early shows its last state until the others end.
    length = max(map(len, games))
    frames = [join([game[min(i, len(game) - 1)] for game in games]) for i in range(length)]
    print(f"{args.out}: {length} frames of {frames[0].width} x {frames[0].height} pixels")
    if not args.quick:
        save(frames, args.out)


if __name__ == "__main__":
    main()
