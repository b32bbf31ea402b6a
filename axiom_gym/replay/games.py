"""The search for the game of a replay."""

from __future__ import annotations

from typing import Any

from axiom_gym.errors import ReplayError
from axiom_gym.game.facts import Game, GameLike, KernelGame
from axiom_gym.registry import games as registry
from axiom_gym.replay.format import Header


def find_game(header: Header, game: GameLike | None = None) -> Game[Any, Any] | KernelGame:
    """Return the game of a replay: the given one, or else the installed one of that name.

    Raises:
        ReplayError: if the game is missing, or has another version, kind or number of players.
    """
    found: Any = _find_installed(header) if game is None else game
    found = getattr(found, "kernel_game", found)  # unwrap a `KernelGameObject`
    if isinstance(found, type) or not (isinstance(found, KernelGame) or hasattr(found, "metadata")):
        found = registry.get_game(found)
    facts = found.info if isinstance(found, KernelGame) else found.metadata
    if (facts.name, facts.version) != (header.game, header.version):
        raise ReplayError(f"{_describe_need(header)}; this is {facts.name}-v{facts.version}.")
    if header.plain:
        plain, count = open_plain(found), len(header.players)
        low, high = plain.metadata.min_players, plain.metadata.max_players
        if not low <= count <= high:
            raise ReplayError(
                f"the replay has {count} players, and the game is for {low} to {high}."
            )
        return plain
    if not isinstance(found, KernelGame):
        raise ReplayError(f"the replay is of a kernel, and this {facts.name} is a plain game.")
    return found


def _find_installed(header: Header) -> KernelGame:
    known = registry.game_ids()
    game_id = f"{header.game}-v{header.version}"
    if game_id in known:
        return registry.get_game(game_id)
    others = [other for other in known if other.rpartition("-v")[0] == header.game]
    raise ReplayError(
        f"{_describe_need(header)}; installed are {', '.join(others or known) or 'no games'}. Name "
        "another one by verify(path, game=MyGame()), or --game FILE.py:NAME on the command line."
    )


def _describe_need(header: Header) -> str:
    return (
        f"it is a game of {header.game}-v{header.version}, made with {header.made_with}, and "
        "playing it again needs exactly that version of the rules"
    )


def open_plain(game: Any) -> Game[Any, Any]:
    """Return the plain game behind a bridged kernel game; any other game unchanged.

    Raises:
        ReplayError: if it is a kernel game that is not bridged.
    """
    if not isinstance(game, KernelGame):
        plain: Game[Any, Any] = game
        return plain
    if game.live is None:
        raise ReplayError(f"the replay is of a plain game, and this {game.info.name} is a kernel.")
    from axiom_gym.batch.batch import Batch  # imports the compiler

    batch = Batch(game)
    batch.reset(0)
    return game.live(batch.params, batch.buffers.states[0]).game
