"""PettingZoo: the AEC form; see `axiom_gym.adapters.pettingzoo`.

Axis letters: K sub-actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pettingzoo.utils.env import AECEnv

from axiom_gym.adapters.game_env import GameEnv
from axiom_gym.adapters.one_game import HUMAN, Info, Observation
from axiom_gym.errors import ActionError

_AEC_KEYS = {"batch", "agents", "agent_selection", "sub_actions", "rewards", "cumulative_rewards"}
_KNOWN_AFTER_RESET = frozenset(
    {"agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}
)


class AxiomAECEnv(GameEnv, AECEnv[str, Observation, Any]):
    """Agents act one after the other, as PettingZoo's `AECEnv`.

    The agents of a simultaneous game give their sub-actions in the order of their seats. Nobody
    sees another's sub-actions, and the turn is played when the last one has given them. Agents who
    went out in it are then selected first, one after the other, to leave by the action None.

    In a sequential game `agent_selection` is who is to act by the rules, maybe several times in a
    row. An agent who is out of the game stays among `agents` until the episode ends for all, and is
    not selected before.

    Attributes:
        agent_selection: who acts next.
        rewards: what each agent got by the last step.
        terminations, truncations: whether its episode has ended, by the rules or by a limit.
        infos: see the module's text.
    """

    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, Info]
    _cumulative_rewards: dict[str, float]
    _moves = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts an episode; without a seed the generators go on from where they are.

        `options` is PettingZoo's; there are none, and it is not looked at.
        """
        self._game.begin(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._moves += 1
        self._show_turn()

    def step(self, action: Any) -> None:
        """Takes the action of `agent_selection`: integers, (K,), or one for a Discrete action.

        An agent whose episode has ended gives None, and leaves `agents`.

        Raises:
            ActionError: for an action that is not in the agent's action space, and for one that is
                not None after the end.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or when all agents have left.
        """
        if not self._game.started or not self.agents:
            raise self._game.refusal()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._retire(agent, action)
        else:
            self._order(agent, action)
        self._moves += 1

    def _order(self, agent: str, action: Any) -> None:
        """Takes an agent's orders, and plays the turn if they were the last."""
        game, seat = self._game, self._seats[agent]
        sub_actions = game.form.read(agent, action)
        if game.batch.on_illegal == "raise":
            game.check_legal(seat, agent, sub_actions)
        game.sub_actions[seat][:] = sub_actions
        self._cumulative_rewards[agent] = 0.0
        if not game.is_sequential and agent != self.agents[-1]:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = self.agents[self.agents.index(agent) + 1]
            return
        self._play_turn()
        self._show_turn()
        for name, reward in self.rewards.items():
            self._cumulative_rewards[name] += reward

    def _show_turn(self) -> None:
        """Tells all agents how the game stands, and who acts now."""
        game, seats = self._game, self._seats
        rewards = game.rewards.tolist()
        self.rewards = {agent: rewards[seats[agent]] for agent in self.agents}
        self.terminations, self.truncations = self._find_ends()
        ended = self.truncations if any(self.truncations.values()) else self.terminations
        self.infos = {agent: game.describe(seats[agent], end) for agent, end in ended.items()}
        self.agent_selection = self._first_to_act()
        if self.render_mode == HUMAN:
            self.render()

    def _first_to_act(self) -> str:
        """Who leaves first, else who acts first in a turn."""
        if self._game.is_sequential:
            return self.possible_agents[max(self._game.acting.item(), 0)]
        return (self._leaving() or self.agents or self.possible_agents)[0]

    def _leaving(self) -> list[str]:
        """The agents whose episode has ended, and who are still there."""
        truncated = self.truncations
        return [agent for agent, end in self.terminations.items() if end or truncated[agent]]

    def _retire(self, agent: str, action: Any) -> None:
        """Removes an agent whose episode has ended."""
        if action is not None:
            raise ActionError(f"the episode has ended for {agent}; its only action is None.")
        self.agents.remove(agent)
        del self.terminations[agent]
        del self.truncations[agent]
        del self.infos[agent]
        del self._cumulative_rewards[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = (self._leaving() or self.agents)[0]

    def observe(self, agent: str) -> Observation:
        """What this agent sees now. Orders that were given for the turn to come do not show."""
        self._game.check_started()
        return self._game.observe(self._seats[self._check_agent(agent)])

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Info]:
        """Observation, reward since its last action, ends and info of `agent_selection`."""
        if not self._game.started or not self.agents:
            raise self._game.refusal()
        agent = self.agent_selection
        return (
            self._game.observe(self._seats[agent]) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they act; `step` must be called for each.

        Raises:
            ActionError: where it was not.
            ResetNeededError: before the first reset.
        """
        self._game.check_started()
        return self._iterate(max_iter)

    def _iterate(self, max_iter: int) -> Iterator[str]:
        moves = -1
        while self.agents and max_iter > 0:
            if moves == self._moves:
                agent = self.agent_selection
                raise ActionError(f"{agent} has not acted: call step() or reset() in the loop.")
            moves = self._moves
            max_iter -= 1
            yield self.agent_selection

    def get_state(self) -> dict[str, Any]:
        """The game, its generators, and the orders that were given already, for `set_state`."""
        kept = super().get_state()
        kept["agents"] = list(self.agents)
        kept["agent_selection"] = self.agent_selection
        kept["sub_actions"] = self.batch.buffers.actions.copy()
        kept["rewards"] = dict(self.rewards)
        kept["cumulative_rewards"] = dict(self._cumulative_rewards)
        return kept

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes back to what `get_state` gave.

        Raises:
            StateError: if it is of another form, game, version or configuration, or damaged.
        """
        self._game.set_state(state, _AEC_KEYS, type(self).__name__)
        self.agents = list(state["agents"])
        self._show_turn()
        self.agent_selection = state["agent_selection"]
        self.batch.buffers.actions[...] = state["sub_actions"]
        self.rewards = dict(state["rewards"])
        self._cumulative_rewards = dict(state["cumulative_rewards"])
        self._moves += 1

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says why something is missing that exists only after a reset."""
            if name in _KNOWN_AFTER_RESET:
                raise AttributeError(f"{name} exists only after reset(): call reset() first.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
