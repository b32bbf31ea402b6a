"""The commands that use the agent of a finished run."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from axiom_gym.registry import count_players, get_game
from axiom_training.config import TrainConfig
from axiom_training.directories import MODEL


def list_next_steps(config: TrainConfig, directory: Path) -> dict[str, str]:
    """Return commands by label: play against the agent of a run, or watch it; evaluate it.

    Args:
        config: the options of the run.
        directory: the directory of the run.
    """
    model = str(directory / MODEL)
    options = [f"{key}={_as_typed(value)}" for key, value in config.options.items()]
    game = [config.game, *(word for option in options for word in ("-o", option))]
    others = count_players(get_game(config.game), config.options) - 1
    players = ",".join([model, *["human"] * min(others, 1), *["random"] * (others - 1)])
    return {
        "play it" if others else "watch it": _join("play", *game, "--players", players),
        "evaluate": _join("evaluate", *game, "--players", model),
    }


def _join(*words: str) -> str:
    return shlex.join(["axiom-gym", *words])


def _as_typed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
