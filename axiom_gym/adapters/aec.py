"""PettingZoo's AEC form; see `axiom_gym.adapters.pettingzoo`.

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
    """A PettingZoo `AECEnv`: agents act one after the other.

    The agents of a simultaneous game give their sub-actions in the order of their seats, and do not
    see those of others. The turn is played when the last agent has given its own. Agents who were
    eliminated in the turn are then selected first, one after the other, to leave with the action
    None.

    In a sequential game the rules determine `agent_selection`, which may be the same agent several
    times in a row. An eliminated agent stays in `agents` until the episode ends for all, and is not
    selected before that.

    Attributes:
        agent_selection: the agent to act next.
        rewards: the reward of each agent from the last step.
        terminations, truncations: by agent, True if the rules or a limit ended its episode.
        infos: the info of each agent; see `axiom_gym.adapters.pettingzoo`.
    """

    _moves = 0  # steps and resets, for `agent_iter`

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: the seed of the episode; None continues with the generators as they are.
            options: ignored; PettingZoo passes it.
        """
        self._game.begin(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._moves += 1
        self._show_turn()

    def step(self, action: Any) -> None:
        """Take the action of `agent_selection`.

        Args:
            action: integers (K,), or one integer for a Discrete action; None for an agent whose
                episode has ended, which then leaves `agents`.

        Raises:
            ActionError: for an action outside of the agent's action space, or one that is not None
                after the end.
            IllegalActionError: for an illegal action with the policy "raise"; nothing is changed.
            ResetNeededError: before the first reset, or when all agents have left.
        """
        if not self._game.started or not self.agents:
            raise self._game.refusal()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._retire(agent, action)
        else:
            self._take(agent, action)
        self._moves += 1

    def _take(self, agent: str, action: Any) -> None:
        """Take an agent's sub-actions, and play the turn if all agents have given theirs."""
        game, seat = self._game, self._seats[agent]
        sub_actions = game.form.read(agent, action)
        if game.batch.on_illegal == "raise":
            game.check_legal(seat, sub_actions)
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
        """Set the attributes of all agents after a turn or reset, and select the next agent."""
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
        """Return the agent to leave first, else the agent to act first in a turn."""
        if self._game.is_sequential:
            return self.possible_agents[max(self._game.acting.item(), 0)]
        return (self._leaving() or self.agents or self.possible_agents)[0]

    def _leaving(self) -> list[str]:
        """Return those of `agents` whose episode has ended."""
        truncated = self.truncations
        return [agent for agent, end in self.terminations.items() if end or truncated[agent]]

    def _retire(self, agent: str, action: Any) -> None:
        """Remove an agent whose episode has ended."""
        if action is not None:
            raise ActionError(f"the episode has ended for {agent}; its only action is None.")
        self.agents.remove(agent)
        for values in (self.terminations, self.truncations, self.infos, self._cumulative_rewards):
            del values[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = (self._leaving() or self.agents)[0]

    def observe(self, agent: str) -> Observation:
        """Return what this agent sees. It does not see actions given for the coming turn."""
        self._game.check_started()
        return self._game.observe(self._seats[self._check_agent(agent)])

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Info]:
        """Return `agent_selection`'s observation, reward since its last action, ends and info."""
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
        """Return an iterator over the agents in the order in which they act.

        Raises:
            ActionError: if `step` was not called for an agent, at the next one.
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
        """Return the game, its generators and the sub-actions already given, for `set_state`."""
        return {
            **super().get_state(),
            "agents": list(self.agents),
            "agent_selection": self.agent_selection,
            "sub_actions": self.batch.buffers.actions.copy(),
            "rewards": dict(self.rewards),
            "cumulative_rewards": dict(self._cumulative_rewards),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Restore a state that `get_state` returned.

        Raises:
            StateError: if it is damaged, or of another form, game, version or configuration.
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
            """Explain why an attribute is missing that exists only after a reset."""
            if name in _KNOWN_AFTER_RESET:
                raise AttributeError(f"{name} exists only after reset(): call reset() first.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
