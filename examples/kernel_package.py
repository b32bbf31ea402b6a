"""A kernel game in a package of one's own: created, checked, simulated and trained on.

    python examples/kernel_package.py                 # in a temporary folder
    python examples/kernel_package.py --out ~/games   # keep the package

`axiom-gym new tug --kernel --package` writes a package with a small game as compiled functions on a
record, its card, tests, a recorded game and the entry point that registers it. `pip install -e tug`
makes it known by the name `tug` in every process; here its facts are imported instead, and a
`KernelGame` works wherever a name does. `axiom-gym check` and the package's own tests pass at once.
Random players are equal, so that each wins about half of the games:

    tug: 17 checks passed of 17
    random against random: 0.50 and 0.50 of 10000 games won
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from typer.testing import CliRunner

import axiom_gym
from axiom_gym.check import check_game
from axiom_gym.cli import app
from axiom_gym.play.simulation import simulate


def main() -> None:
    parser = argparse.ArgumentParser(description="Create a package with a kernel game.")
    parser.add_argument("--out", type=Path, help="the folder of the package; by default temporary")
    parser.add_argument("--quick", action="store_true", help="100 games instead of 10,000")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(args.out or folder)
        result = CliRunner().invoke(app, ["new", "tug", "--kernel", "--package"])
        if result.exit_code:
            sys.exit(result.output)
        sys.path.insert(0, str(Path("tug/src").resolve()))
        from tug.game import GAME

        use(GAME, 100 if args.quick else 10_000)


def use(game: axiom_gym.game.KernelGame, games: int) -> None:
    """Check the game, play it in three forms, and print what came out."""
    findings = check_game(game)
    print(f"{game.info.name}: {sum(one.ok for one in findings)} checks passed of {len(findings)}")
    wins = simulate(game, ["random", "random"], games, seed=1).wins
    print(f"random against random: {wins[0]:.2f} and {wins[1]:.2f} of {games} games won")
    envs = axiom_gym.make_vec(game, 8, opponent="random")
    envs.reset(seed=1)
    print(f"rewards of a step in 8 environments: {envs.step(envs.sample_actions())[1]}")


if __name__ == "__main__":
    main()
