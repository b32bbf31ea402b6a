"""Checks that a kernel writes every entry that its contract names.

Before each call the arrays hold values that no kernel writes. Whatever still holds them afterwards
was left unwritten, and would otherwise show what an earlier turn left there.

Axis letters as in `axiom_gym.kernel`: P players, V who act at once, K sub-actions, N choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.game.facts import GameLike
from axiom_gym.kernel import EVERYONE
from axiom_gym.records import field_names
from axiom_gym.seeded_rng import SeededRNG

UNWRITTEN = np.uint32(0x7FC0DEAD).view(np.float32)
"""A NaN of no computation. A sum with it keeps its bits, so `rewards[p] += 1` is found, too."""
UNWRITTEN_CHOICE = np.int8(0x55)
"""A value of no mask. It is not 0: the driver still reads old masks when the turn begins."""
_SHOWN = 3
"""The most entries of an array that a message names."""


def find_unwritten(
    game: GameLike, *, games: int = 3, seed: int = 0, turns: int = 200, **options: Any
) -> list[str]:
    """Play random games and return a sentence for each part that the kernel left unwritten.

    The search ends with the first turn in which something is found.

    Args:
        game: the game.
        games: the number of games to play.
        seed: the seed of the first game; each later game adds 1.
        turns: the most turns of a game to play.
        **options: options of the game, and `preset`.
    """
    probe = _WritingProbe(Batch(game, autoreset="disabled", on_illegal="noop", **options))
    for number in range(games):
        found = probe.play(seed + number, turns)
        if found:
            return found
    return []


class _WritingProbe:
    """A batch of one game whose buffers are filled with impossible values before each call."""

    def __init__(self, batch: Batch) -> None:
        self._batch, self._buffers = batch, batch.buffers
        shape = batch.num_players, *batch.layout.observation_shape
        self._views = np.zeros((1, *shape), np.float32)
        self._returns = np.zeros((1, batch.num_players), np.float32)

    def play(self, seed: int, turns: int) -> list[str]:
        """Play a game, and return what was left unwritten in the first turn with such parts."""
        batch, buffers, rng = self._batch, self._buffers, SeededRNG(seed)
        self._poison()
        batch.reset(seed)
        first = buffers.states.copy()
        found = list(self._find_in_views())
        turn = 0
        while not found and not self._is_over() and turn < turns:
            turn += 1
            self._choose(rng)
            self._poison()
            batch.step()
            found = [*self._find_in_rewards(), *self._find_in_views()]
        if found:
            when = f"in turn {turn}" if turn else "after the reset"
            return [f"{problem} {when} of the game with seed {seed}" for problem in found]
        batch.reset(seed)
        return list(_find_stale_fields(first[0], buffers.states[0]))

    def _is_over(self) -> bool:
        return bool(self._buffers.terminated[0] or self._buffers.truncated[0])

    def _choose(self, rng: SeededRNG) -> None:
        """Write a random legal action for each player to act."""
        buffers = self._buffers
        for v, k in np.ndindex(buffers.masks.shape[1:3]):
            legal = np.flatnonzero(buffers.masks[0, v, k]).tolist()
            buffers.actions[0, v, k] = rng.pick(legal)

    def _poison(self) -> None:
        buffers = self._buffers
        for array in (buffers.rewards, buffers.observations, self._views, self._returns):
            array.fill(UNWRITTEN)
        buffers.masks.fill(UNWRITTEN_CHOICE)

    # -- what was left -----------------------------------------------------------------------------

    def _find_in_rewards(self) -> Iterator[str]:
        yield from _find_in_floats("step", "rewards", self._buffers.rewards[0])

    def _find_in_views(self) -> Iterator[str]:
        """Yield problems of masks, outcomes, and what each player sees, also those not to act."""
        batch, actor = self._batch, int(self._buffers.acting[0])
        batch.all_views(out=self._views)
        batch.outcomes(out=self._returns)
        for player, seen in enumerate(self._views[0]):
            yield from _find_in_floats("observe", "observation", seen, player)
        for v, mask in enumerate(self._buffers.masks[0]):
            yield from _find_in_mask(mask, v if actor == EVERYONE else actor)
        yield from _find_in_floats("outcome", "returns", self._returns[0])


def _find_in_floats(
    function: str, name: str, values: npt.NDArray[np.float32], player: int | None = None
) -> Iterator[str]:
    """Yield problems of an array of float32 that a function of the kernel should have written."""
    left = values.view(np.uint32) == UNWRITTEN.view(np.uint32)
    whose = "" if player is None else f" for player {player}"
    if left.any():
        yield f"kernel `{function}` left {_name_entries(name, left)} unwritten{whose}"
    undefined = np.isnan(values) & ~left
    if undefined.any():
        yield f"kernel `{function}` wrote NaN into {_name_entries(name, undefined)}{whose}"


def _find_in_mask(mask: npt.NDArray[np.int8], player: int) -> Iterator[str]:
    """Yield problems of a player's mask. mask: (K, N) int8."""
    left = mask == UNWRITTEN_CHOICE
    if left.any():
        entries = _name_entries("mask", left)
        yield f"kernel `legal_actions` left {entries} unwritten for player {player}"
    odd = ~left & (mask != 0) & (mask != 1)
    if odd.any():
        entries = _name_entries("mask", odd)
        wrong = int(mask[odd][0])
        what = f"wrote {wrong}, not 0 or 1, into {entries}"
        yield f"kernel `legal_actions` {what} for player {player}"
    for k in np.flatnonzero(~mask.any(axis=1)):
        yield f"kernel `legal_actions` allows player {player} no choice of sub-action {k}"


def _find_stale_fields(first: Any, again: Any) -> Iterator[str]:
    """Yield the fields of a state that differ between two resets with the same seed."""
    for name in field_names(first.dtype):
        if first[name].tobytes() != again[name].tobytes():
            yield (
                f"kernel `reset` left field {name!r} of the state unwritten, or read it before: a "
                "game differs after another game"
            )


def _name_entries(name: str, chosen: npt.NDArray[np.bool_]) -> str:
    """Return the names of entries, such as "rewards[0], rewards[2] and 5 more"."""
    places: Sequence[Sequence[int]] = np.argwhere(chosen).tolist()
    shown = [f"{name}[{', '.join(map(str, place))}]" for place in places[:_SHOWN]]
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join(shown) + more
