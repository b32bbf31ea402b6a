"""Settings of plain Python games that other environments do not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axiom_gym.game.bridge import as_kernel_game
from axiom_gym.game.facts import GameLike, KernelGame
from axiom_gym.opponents.pool import OpponentPool
from axiom_gym.play.agents import name_agent
from axiom_gym.registry.games import get_game


def adapt_plain_game(game: GameLike, options: dict[str, Any]) -> KernelGame:
    """Return a plain game with settings from an environment's options, which are removed there.

    Args:
        game: the game, or a callable that makes it.
        options: the options of the environment. `rewards`, `catalogue`, and `players` if it holds
            ids, are arguments of `axiom_gym.game.bridge.as_kernel_game`. An `opponent` that is an
            agent for `GameLoop`, or a list of agents, is replaced by the name of a bot.

    Raises:
        ConfigError: for an agent or players that are not allowed.
    """
    known = [name for name in ("rewards", "catalogue") if name in options]
    settings: dict[str, Any] = {name: options.pop(name) for name in known}
    if not isinstance(options.get("players", 0), int):
        settings["agents"] = options.pop("players")
    bots: dict[str, Any] = {}
    if "opponent" in options:
        options["opponent"] = _name_opponents(options["opponent"], bots)
    if not settings and not bots:
        return get_game(game)
    return as_kernel_game(game, bots=bots, **settings)


def _name_opponents(opponent: Any, bots: dict[str, Any]) -> Any:
    """Return the opponents with agents replaced by names, and add the agents to `bots`."""
    if isinstance(opponent, list | tuple):
        return [_name_opponents(one, bots) for one in opponent]
    if isinstance(opponent, str | Path | OpponentPool):
        return opponent
    name = name_agent(opponent)
    if name in ("random", *bots) and bots.get(name) is not opponent:
        name = f"{name}_{len(bots) + 1}"
    bots[name] = opponent
    return name
