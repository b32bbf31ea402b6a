"""The opponents that the game or `TrainConfig.against` names, in training and in evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from axiom_gym.errors import CheckpointError
from axiom_gym.game import KernelGame
from axiom_gym.opponents import Opponent, load_opponent
from axiom_gym.opponents.names import digest_agent
from axiom_gym.opponents.pool import check_game
from axiom_gym.registry import count_players, make_config
from axiom_training.config import TrainConfig


def name_evaluation_opponents(game: KernelGame, config: TrainConfig) -> list[str]:
    """Return the opponents in evaluations: `against`, or random and the default opponents."""
    return list(config.against) or ["random", *game.standard_bots]


def name_training_opponents(game: KernelGame, config: TrainConfig) -> list[str]:
    """Return the opponents that share `share_bots` of the games.

    These are `against`, or the game's default opponents; `random_opponent` adds the random bot.
    """
    chosen, wanted = list(config.against), config.random_opponent
    named = chosen or list(game.standard_bots)
    plays_random = wanted == "yes" or (wanted == "auto" and game.is_sequential and not chosen)
    if "random" not in named and (plays_random or not named):
        return ["random", *named]
    return named


def load_opponents(game: KernelGame, config: TrainConfig) -> dict[str, Opponent]:
    """Return all opponents of a run by name: those of evaluations first.

    Raises:
        UnknownOpponentError: for a name that is no opponent.
        CheckpointError: for a model of another game, or of the game with other options.
    """
    bots = ["random", *game.bots]
    settings = make_config(game, None, config.options)
    names = [*name_evaluation_opponents(game, config), *name_training_opponents(game, config)]
    loaded: dict[str, Opponent] = {name: load_opponent(name, bots) for name in names}
    for opponent in loaded.values():
        check_game(opponent, game, settings)
    return loaded


def digest_opponents(game: KernelGame, names: Iterable[str]) -> dict[str, str]:
    """Return a hash of the file of each opponent that is a model or a function, by name."""
    digests = {name: digest_agent(name, ["random", *game.bots]) for name in names}
    return {name: digest for name, digest in digests.items() if digest}


def check_unchanged(found: Mapping[str, str], saved: Mapping[str, str]) -> None:
    """Check that the opponents of a run are those that its checkpoint names.

    Args:
        found: the result of `digest_opponents` now.
        saved: the same at the checkpoint.

    Raises:
        CheckpointError: if a file has changed since.
    """
    changed = [name for name, digest in saved.items() if found.get(name) != digest]
    if changed:
        raise CheckpointError(
            f"the opponent {changed[0]!r} has changed since the checkpoint; restore its file, or "
            "start a new run."
        )


def describe_opponents(game: KernelGame, config: TrainConfig) -> str:
    """Return a sentence about the shares of the games, such as "20 % itself, 80 % greedy"."""
    if count_players(game, config.options) == 1:
        return f"Compared with {_join(name_evaluation_opponents(game, config))} on the same seeds."
    groups = {
        "itself": config.share_latest,
        "its past": config.share_pool,
        _join(name_training_opponents(game, config)): config.share_bots,
    }
    total = sum(groups.values())
    shares = [f"{share / total:.0%} {name}" for name, share in groups.items() if share]
    measured = _join(name_evaluation_opponents(game, config))
    return f"Games against: {'; '.join(shares)}. Evaluated against {measured}."


def _join(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
