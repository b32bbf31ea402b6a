"""PettingZoo: parallel and AEC environments, each of which stands directly on a batch of one.

Both check what they are given, so that no wrapper is needed around them: a step before `reset()` or
after the end, other agents than those that act, and actions of another shape, dtype or range raise
a named error and change nothing.

An observation is a dict:

- `observation`: float32, (*shape), what the agent sees from its own side;
- `action_mask`: int8, 1 = legal: (N,) for a Discrete action, (J,) for joint ones. For several
  orders a turn it is flat, (M,): the orders' masks one after the other, as sb3-contrib and most
  trainers want it. `action_space(agent).sample(mask)` takes it in this form. In a sequential game
  the mask of an agent who is not to act is all zero.

An info holds the same mask as `action_mask`, and `illegal_action`, a bool: whether the agent's last
orders held an illegal one. At the end of an episode it also holds `episode_return`, a float, and
`episode_length`, an int; and `fault`, a text, if the rules could not be computed and the episode is
truncated for that. All arrays are the caller's to keep.

Where the rules of a simultaneous game let players drop out, an agent that is out is terminated, and
leaves `agents` while the others play on; its info tells of its own episode. From then on it gets no
more rewards, and its orders are the lowest legal ones. When all have left, the episode is over,
although the game may have turns left.

Axis letters: K orders, N choices of an order, M the sum of all orders' choices, J joint actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from pettingzoo.utils.env import AECEnv, ParallelEnv

from axiom_gym.adapters.one_game import HUMAN, Info, Observation, OneGame
from axiom_gym.errors import ActionError, IllegalActionError, IncompatibleGameError
from axiom_gym.game.facts import GameLike
from axiom_gym.registry.games import get_game

ParallelStep = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]
"""Observations, rewards, terminations, truncations and infos, each by agent."""

_AEC_KEYS = {"batch", "agents", "agent_selection", "orders", "rewards", "cumulative_rewards"}
_KNOWN_AFTER_RESET = frozenset(
    {"agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}
)


def parallel_env(game: GameLike, **options: Any) -> AxiomParallelEnv:
    """The parallel form of a game; for the options see `axiom_gym.adapters.one_game.OneGame`.

    Raises:
        IncompatibleGameError: for a game whose players act one at a time.
    """
    return AxiomParallelEnv(game, **options)


def env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """The AEC form of a game, with all checks; options as for `parallel_env`."""
    from axiom_gym.adapters.turn_aec import AxiomTurnEnv

    loaded = get_game(game)
    return (AxiomTurnEnv if loaded.is_sequential else AxiomAECEnv)(loaded, **options)


def raw_env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """The same as `env`, by PettingZoo's other name: the checks are no wrapper to be left away."""
    return env(game, **options)


class AxiomParallelEnv(OneGame, ParallelEnv[str, Observation, Any]):
    """All agents of a game act at once, as PettingZoo's `ParallelEnv`."""

    def __init__(self, game: GameLike, **options: Any) -> None:
        """Takes the options of `OneGame`.

        Raises:
            IncompatibleGameError: for a game whose players act one at a time.
        """
        loaded = get_game(game)
        if loaded.is_sequential:
            raise IncompatibleGameError(
                f"{loaded.info.name} is sequential: its players act one at a time, which the "
                "parallel form cannot show. Use the AEC form, env()."
            )
        super().__init__(loaded, **options)
        self.agents = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Starts an episode; without a seed the generators go on from where they are.

        `options` is PettingZoo's; there are none, and it is not looked at.
        """
        self._begin(seed)
        self.agents = list(self.possible_agents)
        return self._show(dict.fromkeys(self.agents, False))

    def step(self, actions: Mapping[str, Any]) -> ParallelStep:
        """Plays a turn.

        Args:
            actions: an action for each of `agents`: whole numbers, (K,), or one for a Discrete
                action.

        Raises:
            ActionError: for other agents than these, or an action that is not in the agent's action
                space.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        if not self.agents:
            raise self._refusal()
        if not isinstance(actions, Mapping) or actions.keys() != set(self.agents):
            given = list(actions) if isinstance(actions, Mapping) else type(actions).__name__
            wanted = f"a dict with an entry for each of {self.agents}"
            raise ActionError(f"actions must be {wanted}, got {given}.")
        orders = [self._form.read(agent, actions[agent]) for agent in self.agents]
        for agent, values in zip(self.agents, orders, strict=True):
            self._views.orders[self._seats[agent]][:] = values
        self._play_turn()
        return self._finish_step()

    def _finish_step(self) -> ParallelStep:
        by_seat = self._views.rewards.tolist()
        rewards = {agent: by_seat[self._seats[agent]] for agent in self.agents}
        terminations, truncations = self._find_ends()
        ended = truncations if any(truncations.values()) else terminations
        observations, infos = self._show(ended)
        self.agents = [agent for agent, end in ended.items() if not end]
        return observations, rewards, terminations, truncations, infos

    def _show(self, ended: dict[str, bool]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """What these agents see; the values are whether their episode has ended."""
        if self.render_mode == HUMAN:
            self.render()
        observations = {agent: self._observation(self._seats[agent]) for agent in ended}
        infos = {agent: self._info(self._seats[agent], end) for agent, end in ended.items()}
        return observations, infos

    def sample_actions(self) -> dict[str, Any]:
        """A random legal action for each of `agents`; compiled, and from the game's own streams."""
        if not self.agents:
            raise self._refusal()
        self.batch.sample_actions()
        rows: Any = self._form.actions(self.batch.buffers.actions[0].copy())
        if not self._form.shape:
            rows = rows.tolist()
        return {agent: rows[self._seats[agent]] for agent in self.agents}

    def set_state(self, state: dict[str, Any]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Goes back to what `get_state` gave; returns observations and infos as `reset` does.

        They are those of `agents`, and at the end of an episode of all who play the game.

        Raises:
            StateError: if it is of another form, game, version or configuration, or damaged.
        """
        self._restore(state, {"batch"})
        self.agents = list(self.possible_agents)
        out, over = self._find_out(), any(self._ends())
        left = [agent for agent in self.agents if agent not in out]
        self.agents = [] if over else left
        return self._show(dict.fromkeys(left, over))


class AxiomAECEnv(OneGame, AECEnv[str, Observation, Any]):
    """Agents act one after the other, as PettingZoo's `AECEnv`.

    The agents of a simultaneous game give their orders in the order of their seats. Nobody sees
    another's orders, and the turn is played when the last one has given them. Agents who went out
    in it are then selected first, one after the other, to leave by the action None.

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
        self._begin(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._moves += 1
        self._show_turn()

    def step(self, action: Any) -> None:
        """Takes the action of `agent_selection`: whole numbers, (K,), or one for a Discrete action.

        An agent whose episode has ended gives None, and leaves `agents`.

        Raises:
            ActionError: for an action that is not in the agent's action space, and for one that is
                not None after the end.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or when all agents have left.
        """
        if not self._started or not self.agents:
            raise self._refusal()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._retire(agent, action)
        else:
            self._order(agent, action)
        self._moves += 1

    def _order(self, agent: str, action: Any) -> None:
        """Takes an agent's orders, and plays the turn if they were the last."""
        orders = self._form.read(agent, action)
        if self.batch.on_illegal == "raise":
            self._check_legal(agent, orders)
        self._views.orders[self._seats[agent]][:] = orders
        self._cumulative_rewards[agent] = 0.0
        following = self._next_agent()
        if following is not None:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = following
            return
        self._play_turn()
        self._show_turn()
        for name, reward in self.rewards.items():
            self._cumulative_rewards[name] += reward

    def _next_agent(self) -> str | None:
        """Who acts next before the game is stepped; None if all have acted."""
        place = self.agents.index(self.agent_selection) + 1
        return self.agents[place] if place < len(self.agents) else None

    def _check_legal(self, agent: str, orders: list[int]) -> None:
        """Refuses an illegal order when it is given, and not only when the turn is played."""
        masks = self._masks_by_order(agent)
        for k, order in enumerate(orders):
            if not masks[k, order]:
                legal = np.flatnonzero(masks[k]).tolist()
                raise IllegalActionError(
                    f"action {order} of {agent}, order {k}, is not legal; legal are {legal}.\n"
                    f"{self.batch.describe_state()}"
                )

    def _masks_by_order(self, agent: str) -> npt.NDArray[np.int8]:
        """(K, N) int8: an agent's masks, one for each order."""
        masks: npt.NDArray[np.int8] = self._views.masks[self._seats[agent]]
        return masks

    def _show_turn(self) -> None:
        """Tells all agents how the game stands, and who acts now."""
        rewards = self._views.rewards.tolist()
        self.rewards = {agent: rewards[self._seats[agent]] for agent in self.agents}
        self.terminations, self.truncations = self._find_ends()
        ended = self.truncations if any(self.truncations.values()) else self.terminations
        self.infos = {agent: self._info(self._seats[agent], end) for agent, end in ended.items()}
        self.agent_selection = self._first_to_act()
        if self.render_mode == HUMAN:
            self.render()

    def _first_to_act(self) -> str:
        """Who leaves first, else who acts first in a turn."""
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
        self._check_started()
        return self._observation(self._seats[self._check_agent(agent)])

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Info]:
        """Observation, reward since its last action, ends and info of `agent_selection`."""
        if not self._started or not self.agents:
            raise self._refusal()
        agent = self.agent_selection
        return (
            self._observation(self._seats[agent]) if observe else None,
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
        self._check_started()
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
        kept["orders"] = self.batch.buffers.actions.copy()
        kept["rewards"] = dict(self.rewards)
        kept["cumulative_rewards"] = dict(self._cumulative_rewards)
        return kept

    def set_state(self, state: dict[str, Any]) -> None:
        """Goes back to what `get_state` gave.

        Raises:
            StateError: if it is of another form, game, version or configuration, or damaged.
        """
        self._restore(state, _AEC_KEYS)
        self.agents = list(state["agents"])
        self._show_turn()
        self.agent_selection = state["agent_selection"]
        self.batch.buffers.actions[...] = state["orders"]
        self.rewards = dict(state["rewards"])
        self._cumulative_rewards = dict(state["cumulative_rewards"])
        self._moves += 1

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says why something is missing that exists only after a reset."""
            if name in _KNOWN_AFTER_RESET:
                raise AttributeError(f"{name} exists only after reset(): call reset() first.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def aec_env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """A plain Python game as an AEC environment.

    Args:
        game: the rules, or what makes them.
        **options: those of `env`, and `rewards`, `catalogue` and `players`, as of
            `axiom_gym.adapters.plain_game.adapt_plain_game`.

    Raises:
        ConfigError: for a value that is not allowed.
        GameError: for a game whose states cannot be encoded, or actions numbered.
    """
    from axiom_gym.adapters.plain_game import adapt_plain_game

    return env(adapt_plain_game(game, options), **options)
