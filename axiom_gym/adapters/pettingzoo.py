"""PettingZoo: a parallel and an AEC environment, each of which stands directly on a batch of one.

Both check what they are given, so that no wrapper is needed around them: a step before `reset()` or
after the end, other agents than those that act, and actions of another shape, dtype or range raise
a named error and change nothing.

An observation is a dict:

- `observation`: float32, (*shape), what the agent sees from its own side;
- `action_mask`: int8, 1 = legal: (N,) for a Discrete action, (J,) for joint ones. For several
  orders a turn it is flat, (M,): the orders' masks one after the other, as sb3-contrib and most
  trainers want it. `action_space(agent).sample(mask)` takes it in this form.

An info holds the same mask as `action_mask`, and `illegal_action`, a bool: whether the agent's last
orders held an illegal one. At the end of an episode it also holds `episode_return`, a float, and
`episode_length`, an int. All arrays are the caller's to keep.

Axis letters: P players, K orders, N choices of an order, M the sum of all orders' choices, J joint
actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv, ParallelEnv

from axiom_gym.adapters.spaces import joint_actions, observation_space
from axiom_gym.batch import Batch
from axiom_gym.errors import (
    ActionError,
    AxiomError,
    ClosedEnvironmentError,
    ConfigError,
    IllegalActionError,
    IncompatibleGameError,
    ResetNeededError,
    StateError,
    UnknownNameError,
    check_choice,
)
from axiom_gym.game import KernelGame
from axiom_gym.registry import get_game
from axiom_gym.render import RENDER_MODES, render_state

Observation = dict[str, npt.NDArray[Any]]
Info = dict[str, Any]

HUMAN = "human"
"""The render mode that prints every position to standard output."""

_BATCH_OPTIONS = ("num_envs", "autoreset", "num_threads")
_AEC_KEYS = {"batch", "agents", "agent_selection", "orders", "rewards", "cumulative_rewards"}
_KNOWN_AFTER_RESET = frozenset(
    {"agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}
)


def parallel_env(game: str | KernelGame, **options: Any) -> AxiomParallelEnv:
    """The parallel form of a game; for the options see `OneGame`."""
    return AxiomParallelEnv(game, **options)


def env(game: str | KernelGame, **options: Any) -> AxiomAECEnv:
    """The AEC form of a game, with all checks; for the options see `OneGame`."""
    return AxiomAECEnv(game, **options)


def raw_env(game: str | KernelGame, **options: Any) -> AxiomAECEnv:
    """The same as `env`, by PettingZoo's other name: the checks are no wrapper to be left away."""
    return AxiomAECEnv(game, **options)


class OrderSpace(spaces.MultiDiscrete):
    """A MultiDiscrete with an entry per order, which can be sampled with a flat mask, (M,) int8.

    Gymnasium's own form of the mask, a tuple with an array per order, is taken as well.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        return super().sample(self._by_order(mask), self._by_order(probability))

    def _by_order(self, flat: Any) -> Any:
        if not isinstance(flat, np.ndarray):
            return flat
        return tuple(np.split(flat, np.cumsum(self.nvec)[:-1]))


class _Views(NamedTuple):
    """What a step touches of the batch's buffers; an entry per seat where it says "each"."""

    orders: tuple[npt.NDArray[np.int64], ...]  # (K,) each
    observations: tuple[npt.NDArray[np.float32], ...]  # (*shape) each
    masks: tuple[npt.NDArray[np.int8], ...]  # (K * N,) each, padded where orders differ
    rewards: npt.NDArray[np.float32]  # (P,)
    offenders: npt.NDArray[np.int16]  # (1,)


class OneGame:
    """What both forms share: one game with its spaces, observations, checks, saving and drawing.

    Attributes:
        possible_agents: names of all players, by seat.
        observation_spaces, action_spaces: the spaces by agent; every agent has its own.
        state_space: the space of `state()`.
        batch: the game, as a batch of one.
    """

    agents: list[str]

    def __init__(
        self,
        game: str | KernelGame,
        *,
        actions: str = "orders",
        on_illegal: str = "noop",
        max_turns: int = 0,
        max_cycles: int | None = None,
        preset: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Builds the environment; the kernel is compiled, or loaded from disk, at the first reset.

        Args:
            game: the game's name, such as "quantaris".
            actions: "orders" for an entry per order, "joint" for one Discrete action.
            on_illegal: "noop", "forfeit" or "raise"; see `axiom_gym.batch.Batch`. An action that is
                not in the action space is an error under each of them.
            max_turns: truncates an episode after so many turns; 0 for no limit but the rules' own.
            max_cycles: PettingZoo's name for `max_turns`; give one of the two.
            preset: a named configuration of the game.
            render_mode: None, "human", "ansi" or "rgb_array".
            **options: the game's own options.

        Raises:
            ConfigError: for any value that is not allowed, with the valid ones.
            IncompatibleGameError: for a game in which the players do not act at the same time.
        """
        super().__init__()
        loaded = _simultaneous(get_game(game))
        modes = [HUMAN, *RENDER_MODES]
        self.render_mode = render_mode
        if render_mode is not None:
            check_choice("render mode", render_mode, modes)
        for name in _BATCH_OPTIONS:
            if name in options:
                raise ConfigError(f"a PettingZoo environment is one game; it has no {name!r}.")
        limits = {"on_illegal": on_illegal, "max_turns": _turn_limit(max_turns, max_cycles)}
        self.batch = Batch(loaded, preset=preset, autoreset="disabled", **limits, **options)
        self.metadata = {
            "name": f"{loaded.info.name}_v{loaded.info.version}",
            "render_modes": modes,
            "render_fps": 4,
            "is_parallelizable": True,
        }
        self._joint = joint_actions(self.batch.layout, actions)
        self._started = False
        self._closed = False
        self._name_agents()
        self._views = self._make_views()

    def _name_agents(self) -> None:
        """Agents and their spaces, and what an action has to be like."""
        layout, info = self.batch.layout, self.batch.game.info
        self.possible_agents = list(info.agents)
        self._seats = {agent: seat for seat, agent in enumerate(info.agents)}
        self._choices = layout.num_choices if self._joint is None else (self._joint.count,)
        self._is_padded = len(set(layout.num_choices)) > 1
        self._action_shape = () if len(self._choices) == 1 else (len(self._choices),)
        self.observation_spaces = {agent: self._make_observation_space() for agent in info.agents}
        self.action_spaces = {agent: self._make_action_space() for agent in info.agents}
        shape = layout.observation_shape
        if not info.perfect_information:
            shape = (len(info.agents) * shape[0], *shape[1:])
        self.state_space = spaces.Box(
            layout.observation_low, layout.observation_high, shape, np.float32
        )

    def _make_observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (sum(self._choices),), np.int8)
        seen = observation_space(self.batch.layout)
        return spaces.Dict({"observation": seen, "action_mask": mask})

    def _make_action_space(self) -> spaces.Discrete | spaces.MultiDiscrete:
        if len(self._choices) == 1:
            return spaces.Discrete(self._choices[0])
        return OrderSpace(np.array(self._choices, np.int64))

    def _make_views(self) -> _Views:
        buffers = self.batch.buffers
        return _Views(
            orders=tuple(buffers.actions[0]),
            observations=tuple(buffers.observations[0]),
            masks=tuple(mask.reshape(-1) for mask in buffers.masks[0]),
            rewards=buffers.rewards[0],
            offenders=buffers.episodes["offenders"],
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """What this agent sees; always the same object."""
        return self.observation_spaces[self._check_agent(agent)]

    def action_space(self, agent: str) -> spaces.Discrete | spaces.MultiDiscrete:
        """What this agent can order; always the same object."""
        return self.action_spaces[self._check_agent(agent)]

    def _check_agent(self, agent: str) -> str:
        if agent not in self._seats:
            raise UnknownNameError("agent", agent, self.possible_agents)
        return agent

    # -- what agents are shown ---------------------------------------------------------------------

    def state(self) -> npt.NDArray[np.float32]:
        """The whole position, for a central critic.

        Where every player sees everything it is what the first one sees; otherwise what all see,
        one after the other along the first axis.
        """
        self._check_started()
        seen = self.batch.buffers.observations[0]
        if self.batch.game.info.perfect_information:
            return seen[0].copy()
        return np.concatenate(seen)

    def action_masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Each agent's mask as bool, 1 = legal, in the form that sb3-contrib wants."""
        self._check_started()
        return {agent: self._mask(self._seats[agent]).astype(np.bool_) for agent in self.agents}

    def _observation(self, seat: int) -> Observation:
        seen = self._views.observations[seat].copy()
        return {"observation": seen, "action_mask": self._mask(seat)}

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        """A new flat mask."""
        if self._joint is not None:
            return self._joint.masks(self.batch.buffers.masks[0, seat : seat + 1])[0]
        flat = self._views.masks[seat]
        if self._is_padded:
            rows = flat.reshape(len(self._choices), -1)
            return np.concatenate([row[:n] for row, n in zip(rows, self._choices, strict=True)])
        return flat.copy()

    def _info(self, seat: int, over: bool) -> Info:
        illegal = bool(self._views.offenders.item() >> seat & 1)
        info: Info = {"action_mask": self._mask(seat), "illegal_action": illegal}
        if over:
            episode = self.batch.buffers.episodes[0]
            info["episode_return"] = float(episode["final_returns"][seat])
            info["episode_length"] = int(episode["final_length"])
        return info

    # -- what agents order -------------------------------------------------------------------------

    def _read_action(self, agent: str, action: Any) -> list[int]:
        """The orders (K) that an action stands for.

        Raises:
            ActionError: if it is not in the agent's action space.
        """
        array = np.asarray(action)
        if array.shape != self._action_shape or array.dtype.kind not in "iu":
            raise ActionError(
                f"the action of {agent} must be whole numbers of shape {self._action_shape}, got "
                f"dtype {array.dtype} and shape {array.shape}."
            )
        values: list[int] = array.ravel().tolist()
        for value, choices in zip(values, self._choices, strict=True):
            if not 0 <= value < choices:
                raise ActionError(
                    f"the action of {agent} holds {value}; allowed is 0 to {choices - 1}."
                )
        if self._joint is None:
            return values
        return [int(digit) for digit in np.unravel_index(values[0], self._joint.num_choices)]

    # -- beginning and end -------------------------------------------------------------------------

    def _begin(self, seed: int | None) -> None:
        if self._closed:
            raise self._refusal()
        self.batch.reset(seed)
        self._started = True

    def _check_started(self) -> None:
        if not self._started:
            raise self._refusal()

    def _refusal(self) -> AxiomError:
        """Why nothing can be played now."""
        if self._closed:
            return ClosedEnvironmentError("this environment was closed; make a new one.")
        reason = "the episode is over" if self._started else "no episode has begun"
        return ResetNeededError(f"{reason}: call reset() first.")

    def _ends(self) -> tuple[bool, bool]:
        """Whether the last turn terminated or truncated the episode."""
        buffers = self.batch.buffers
        return buffers.terminated.item(), buffers.truncated.item()

    def close(self) -> None:
        """Ends the environment; later calls raise `ClosedEnvironmentError`."""
        self._closed = True
        self._started = False
        self.agents = []
        self.batch.close()

    # -- saving and drawing ------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """The game and its generators, for `set_state` of the same form."""
        self._check_started()
        return {"batch": self.batch.get_state()}

    def _restore(self, state: Any, keys: set[str]) -> None:
        """Goes back to a state that holds these keys.

        Raises:
            StateError: if it does not, or its bytes are not of this game; nothing was changed then.
        """
        if self._closed:
            raise self._refusal()
        if not isinstance(state, dict) or state.keys() != keys:
            given = sorted(state) if isinstance(state, dict) else type(state).__name__
            raise StateError(
                f"a saved state of {type(self).__name__} is a dict of {sorted(keys)}, got {given}; "
                "get it from get_state() of the same form."
            )
        self.batch.set_state(state["batch"])
        self._started = True

    def __getstate__(self) -> dict[str, Any]:
        # A pickled view would no longer be one of the batch.
        return {**self.__dict__, "_views": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._views = self._make_views()

    def render(self) -> Any:
        """The position: as text or (H, W, 3) uint8 by `render_mode`; for "human" it is printed."""
        self._check_started()
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; give one when making the env.")
            return None
        mode = "ansi" if self.render_mode == HUMAN else self.render_mode
        batch = self.batch
        drawn = render_state(batch.game, batch.buffers.states[0], batch.config, mode)
        if self.render_mode == HUMAN:
            print(drawn)
            return None
        return drawn


class AxiomParallelEnv(OneGame, ParallelEnv[str, Observation, Any]):
    """All agents of a game act at once, as PettingZoo's `ParallelEnv`."""

    def __init__(self, game: str | KernelGame, **options: Any) -> None:
        """Takes the options of `OneGame`."""
        super().__init__(game, **options)
        self.agents = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Starts an episode; without a seed the generators go on from where they are.

        `options` is PettingZoo's; there are none, and it is not looked at.
        """
        self._begin(seed)
        self.agents = list(self.possible_agents)
        return self._show(over=False)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        """Plays a turn.

        Args:
            actions: an action for every agent: whole numbers, (K,), or one for a Discrete action.

        Raises:
            ActionError: for other agents than those of the game, or an action that is not in the
                agent's action space.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        if not self.agents:
            raise self._refusal()
        if not isinstance(actions, Mapping) or actions.keys() != self._seats.keys():
            given = list(actions) if isinstance(actions, Mapping) else type(actions).__name__
            raise ActionError(
                f"actions must be a dict with an entry for each of {self.agents}, got {given}."
            )
        orders = [self._read_action(agent, actions[agent]) for agent in self.agents]
        for row, values in zip(self._views.orders, orders, strict=True):
            row[:] = values
        self.batch.step()
        return self._finish_step()

    def _finish_step(self) -> Any:
        """What `step` returns."""
        agents = self.agents
        terminated, truncated = self._ends()
        over = terminated or truncated
        observations, infos = self._show(over)
        rewards = dict(zip(agents, self._views.rewards.tolist(), strict=True))
        if over:
            self.agents = []
        ends = dict.fromkeys(agents, terminated), dict.fromkeys(agents, truncated)
        return observations, rewards, *ends, infos

    def _show(self, over: bool) -> tuple[dict[str, Observation], dict[str, Info]]:
        if self.render_mode == HUMAN:
            self.render()
        observations = {agent: self._observation(seat) for agent, seat in self._seats.items()}
        infos = {agent: self._info(seat, over) for agent, seat in self._seats.items()}
        return observations, infos

    def sample_actions(self) -> dict[str, Any]:
        """A random legal action for every agent, drawn by compiled code from the game's streams."""
        if not self.agents:
            raise self._refusal()
        self.batch.sample_actions()
        orders = self.batch.buffers.actions[0]
        actions = orders.copy() if self._joint is None else self._joint.index(orders)
        if len(self._choices) == 1:
            return dict(zip(self.agents, actions.ravel().tolist(), strict=True))
        return dict(zip(self.agents, actions, strict=True))

    def set_state(self, state: dict[str, Any]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Goes back to what `get_state` gave; returns observations and infos as `reset` does.

        Raises:
            StateError: if it is of another form, game, version or configuration, or damaged.
        """
        self._restore(state, {"batch"})
        over = any(self._ends())
        self.agents = [] if over else list(self.possible_agents)
        return self._show(over)


class AxiomAECEnv(OneGame, AECEnv[str, Observation, Any]):
    """Agents act one after the other, as PettingZoo's `AECEnv`.

    The agents of a simultaneous game give their orders in the order of their seats. Nobody sees
    another's orders, and the turn is played when the last one has given them.

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
        orders, seat = self._read_action(agent, action), self._seats[agent]
        if self.batch.on_illegal == "raise":
            self._check_legal(agent, orders)
        self._views.orders[seat][:] = orders
        self._cumulative_rewards[agent] = 0.0
        following = self._next_agent()
        if following is not None:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = following
            return
        self.batch.step()
        self._show_turn()
        for name, reward in self.rewards.items():
            self._cumulative_rewards[name] += reward

    def _next_agent(self) -> str | None:
        """Who acts next before the game is stepped; None if all have acted."""
        seat = self._seats[self.agent_selection] + 1
        return self.possible_agents[seat] if seat < len(self.possible_agents) else None

    def _check_legal(self, agent: str, orders: list[int]) -> None:
        """Refuses an illegal order at once, and not only when the turn is played."""
        masks = self.batch.buffers.masks[0, self._seats[agent]]
        for k, order in enumerate(orders):
            if not masks[k, order]:
                legal = np.flatnonzero(masks[k]).tolist()
                raise IllegalActionError(
                    f"action {order} of {agent}, order {k}, is not legal; legal are {legal}.\n"
                    f"{self.batch.describe_state()}"
                )

    def _show_turn(self) -> None:
        """Tells all agents how the game stands, and lets the first of them act."""
        terminated, truncated = self._ends()
        over = terminated or truncated
        rewards = self._views.rewards.tolist()
        self.rewards = {agent: rewards[self._seats[agent]] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {agent: self._info(self._seats[agent], over) for agent in self.agents}
        self.agent_selection = next(iter(self.agents), self.possible_agents[0])
        if self.render_mode == HUMAN:
            self.render()

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
            self.agent_selection = self.agents[0]

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
                raise ActionError(
                    f"{self.agent_selection} has not acted: call step() or reset() in the loop."
                )
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
            """Says of what exists only during an episode why it is not there."""
            if name in _KNOWN_AFTER_RESET:
                raise AttributeError(f"{name} exists only after reset(): call reset() first.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _simultaneous(game: KernelGame) -> KernelGame:
    if game.info.dynamics != "simultaneous":
        raise IncompatibleGameError(
            f"{game.info.name} is {game.info.dynamics}; the PettingZoo forms are for games in "
            "which all players act at the same time."
        )
    return game


def _turn_limit(max_turns: int, max_cycles: int | None) -> int:
    if max_cycles is None:
        return max_turns
    if max_turns != 0:
        raise ConfigError("max_cycles is another name for max_turns; give one of the two.")
    return max_cycles
