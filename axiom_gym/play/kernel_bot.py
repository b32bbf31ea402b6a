"""The scripted players of kernel games as agents of object-level matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.game.kernel_state import KernelAction, KernelState, Orders
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_gym.play.kernel_object import KernelGameObject


class KernelBot:
    """An agent that decides as a scripted player does; get it from `KernelGameObject.bot`.

    Where the orders of a turn are given one by one, it decides on all of them at the first, and
    keeps to that.

    Attributes:
        name: the scripted player's.
    """

    def __init__(self, game: KernelGameObject, name: str) -> None:
        """For the states of this game."""
        self.name = name
        self._game = game
        self._planned: Orders = ()

    def decide(
        self,
        state: KernelState,
        valid_actions: list[KernelAction],
        player_id: str,
        rng: SeededRNG,
    ) -> KernelAction:
        """One of the valid actions."""
        first = valid_actions[0]
        if first.first == 0 or len(self._planned) <= first.first:
            self._planned = self._game.ask_bot(self.name, state, player_id, rng)
        orders = self._planned[first.first : first.first + len(first.orders)]
        return KernelAction(first.type, player_id, orders, first.first)
