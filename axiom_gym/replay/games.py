"""The games that replays need."""

from __future__ import annotations

from typing import Any

from axiom_gym.errors import ReplayError
from axiom_gym.game.facts import Game, GameLike, KernelGame
from axiom_gym.registry import games as registry
from axiom_gym.replay.format import Header


def find_game(header: Header, game: GameLike | None = None) -> Game[Any, Any] | KernelGame:
    """Return the game of a replay: the one that is given, or else an installed one by its name.

    Raises:
        ReplayError: if there is no such game, it is another version of the rules, or one of
            another kind.
    """
    found: Any = _find_installed(header) if game is None else game
    found = getattr(found, "kernel_game", found)  # of a `KernelGameObject`
    if isinstance(found, type) or not (isinstance(found, KernelGame) or hasattr(found, "metadata")):
        found = registry.get_game(found)
    facts = found.info if isinstance(found, KernelGame) else found.metadata
    if (facts.name, facts.version) != (header.game, header.version):
        raise ReplayError(f"{_tell_need(header)}; this is {facts.name}-v{facts.version}.")
    if header.plain:
        return _check_players(header, open_plain(found))
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
        f"{_tell_need(header)}; installed are {', '.join(others or known) or 'no games'}. Name "
        "another one by verify(path, game=MyGame()), or --game FILE.py:NAME on the command line."
    )


def _tell_need(header: Header) -> str:
    return (
        f"it is a game of {header.game}-v{header.version}, made with {header.made_with}, and "
        "playing it again needs just that version of the rules"
    )


def open_plain(game: Any) -> Game[Any, Any]:
    """Return the plain game that stands behind a kernel; any other game as it is.

    Raises:
        ReplayError: if it is a kernel of its own.
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


def _check_players(header: Header, game: Game[Any, Any]) -> Game[Any, Any]:
    low, high = game.metadata.min_players, game.metadata.max_players
    if not low <= len(header.players) <= high:
        raise ReplayError(
            f"the replay has {len(header.players)} players, and the game is for {low} to {high}."
        )
    return game


def refuse(difference: Any) -> None:
    """Refuse a replay that was played again and came out differently; None does not.

    Raises:
        ReplayError: with the message of the `Verification`.
    """
    if difference is not None:
        raise ReplayError(f"the replay does not play out as recorded: {difference.message}")
