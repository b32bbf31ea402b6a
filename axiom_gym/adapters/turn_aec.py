"""PettingZoo's AEC form of sequential games; `axiom_gym.adapters.pettingzoo.env` makes it.

Axis letters: K orders, N choices of an order, M the sum of all orders' choices, J joint actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.adapters.one_game import Observation
from axiom_gym.adapters.pettingzoo import AxiomAECEnv


class AxiomTurnEnv(AxiomAECEnv):
    """The AEC form of a sequential game: `agent_selection` is who is to act by the rules.

    An agent may act several times in a row. One who is out of the game stays among `agents` until
    the episode ends for all, and is not selected before.
    """

    def _order(self, agent: str, action: Any) -> None:
        """Takes an agent's action and plays it."""
        orders = self._form.read(agent, action)
        if self.batch.on_illegal == "raise":
            self._check_legal(agent, orders)
        self._views.orders[0][:] = orders
        self._cumulative_rewards[agent] = 0.0
        self._play_turn()
        self._show_turn()
        for name, reward in self.rewards.items():
            self._cumulative_rewards[name] += reward

    def _masks_by_order(self, agent: str) -> npt.NDArray[np.int8]:
        masks: npt.NDArray[np.int8] = self._views.masks[0]
        return masks

    def _first_to_act(self) -> str:
        return self.possible_agents[max(self._acting.item(), 0)]

    def _bind(self) -> None:
        super()._bind()
        self._acting = self.batch.buffers.acting
        self._nothing = np.zeros_like(self._masks[0])

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        mask: npt.NDArray[np.int8]
        mask = self._masks[0] if seat == self._acting.item() else self._nothing
        return mask

    def _observation(self, seat: int) -> Observation:
        if seat == self._acting.item():
            seen = self._views.observations[0].copy()
        else:
            seen = self.batch.views()[seat]
        return {"observation": seen, "action_mask": self._mask(seat).copy()}

    def _all_views(self) -> Sequence[npt.NDArray[np.float32]]:
        return list(self.batch.views())

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_acting": None}
