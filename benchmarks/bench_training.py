"""MaskablePPO by self-play: decisions per second, including learning."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from common import measure, report

from axiom_gym.registry import resolve_id
from axiom_training.config import TrainConfig
from axiom_training.trainer import Trainer


def main(
    game: Annotated[str, typer.Option(help="Name of the game.")] = "quantaris",
    iterations: Annotated[int, typer.Option(help="Iterations of a reading.")] = 8,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure training, with the settings that `axiom-gym train` uses."""
    size = {"num_games": 32, "rollout_turns": 8, "batch_size": 256} if quick else {}
    with tempfile.TemporaryDirectory() as directory:
        config = TrainConfig(game=resolve_id(game), steps=10**9, **size)
        trainer = Trainer(config, Path(directory))

        def read() -> float:
            before, started = trainer.model.num_timesteps, time.perf_counter()
            for _ in range(1 if quick else iterations):
                trainer.iterate()
            return (trainer.model.num_timesteps - before) / (time.perf_counter() - started)

        rate = measure(
            "self-play PPO", "agent-steps/s", read, repeats=1 if quick else 7, target=20_000
        )
    report(f"Training on {game}, one torch thread", [rate], out)


if __name__ == "__main__":
    typer.run(main)
