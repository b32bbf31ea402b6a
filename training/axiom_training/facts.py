"""The facts that identify the game of a model, and the versions of packages."""

from __future__ import annotations

import dataclasses
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import sb3_contrib
import stable_baselines3
import torch

import axiom_gym
from axiom_gym.adapters.actions import ACTION_FORMS
from axiom_gym.errors import CheckpointError, ConfigError
from axiom_gym.game import KernelGame
from axiom_gym.game.facts import GameLike
from axiom_gym.registry import get_game, make_config


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """The facts that are needed to check the game of a model."""

    game: str
    """The id of the game, with its version."""
    options: dict[str, Any]
    """The options of the game that were given; the others have their defaults."""
    observation_shape: tuple[int, ...]
    num_choices: tuple[int, ...]
    actions: str = "sub_actions"
    """The form of the model's actions, "sub_actions" or "joint"."""

    def __post_init__(self) -> None:
        """Check the types and sizes."""
        sizes = (self.observation_shape, self.num_choices)
        fits = isinstance(self.game, str) and isinstance(self.options, dict)
        if not fits or self.actions not in ACTION_FORMS or not all(map(_is_sizes, sizes)):
            raise ConfigError(f"not the facts of a model: {self}.")

    @classmethod
    def of(cls, game: GameLike, options: dict[str, Any] | None = None, **more: Any) -> Self:
        """Return the facts of a model for this game with these options; `more` are other fields."""
        loaded, options = get_game(game), options or {}
        layout = loaded.layout(make_config(loaded, None, options))
        return cls(
            game=f"{loaded.info.name}-v{loaded.info.version}",
            options=options,
            observation_shape=tuple(layout.observation_shape),
            num_choices=tuple(layout.num_choices),
            **more,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the facts as plain JSON values."""
        values: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the facts from the values of `to_json`; ignore other keys.

        Raises:
            ConfigError: if a fact is missing or has a wrong type.
        """
        fields = dataclasses.fields(cls)
        needed = [entry.name for entry in fields if entry.default is dataclasses.MISSING]
        missing = [name for name in needed if name not in values]
        if missing:
            raise ConfigError(f"not the facts of a model: {', '.join(missing)} missing.")
        given: dict[str, Any] = {
            entry.name: values[entry.name] for entry in fields if entry.name in values
        }
        for name, value in given.items():
            given[name] = tuple(value) if isinstance(value, list) else value
        return cls(**given)

    def check_game(self, game: KernelGame, config: Any, name: str) -> None:
        """Check that a game is the one that the model was trained on.

        Options that may differ between the games of a batch, such as the parameters of a config,
        may have any value.

        Args:
            game: the game to play.
            config: its configuration.
            name: the name of the model for the error message.

        Raises:
            CheckpointError: if the game, its version or its options differ.
        """
        game_id = f"{game.info.name}-v{game.info.version}"
        if game_id != self.game:
            raise CheckpointError(f"model {name!r} plays {self.game}, not {game_id}.")
        try:
            trained = _plain(make_config(game, None, self.options))
        except ConfigError as error:
            raise CheckpointError(f"model {name!r} does not fit {game_id}: {error}") from error
        given = _plain(config)
        fixed = [key for key in given if key not in game.game_options]
        other = [key for key in fixed if given[key] != trained.get(key)]
        if other:
            was, now = (_listed(values, other) for values in (trained, given))
            raise CheckpointError(
                f"model {name!r} was trained on {game_id} with {was}, but this game has {now}: "
                "use the model's options."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts(GameFacts):
    """The facts that are needed to build a model's network and to check its game."""

    network: tuple[int, ...]

    def __post_init__(self) -> None:
        """Check the types and sizes."""
        GameFacts.__post_init__(self)  # slots forbid super() without arguments
        if not _is_sizes(self.network):
            raise ConfigError(f"not the facts of a model: {self}.")


def _is_sizes(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) > 0
        and all(type(size) is int and size > 0 for size in value)
    )


def _plain(config: Any) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(config)))
    return values


def _listed(values: Mapping[str, Any], keys: list[str]) -> str:
    return ", ".join(f"{key}={values.get(key)}" for key in keys)


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a run's result depends on."""
    return {
        "axiom_gym": axiom_gym.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "sb3_contrib": sb3_contrib.__version__,
        "stable_baselines3": stable_baselines3.__version__,
        "torch": torch.__version__,
    }
