"""One game as PettingZoo's forms share it: spaces, observations, checks, saving and drawing.

Axis letters: P players, V of them who act at once, K orders, N choices of an order, M the sum of
all orders' choices, J joint actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import ChoiceSpace, OrderSpace, observation_space
from axiom_gym.batch.batch import Batch
from axiom_gym.batch.faults import describe_fault
from axiom_gym.errors import (
    AxiomError,
    ClosedEnvironmentError,
    ConfigError,
    ResetNeededError,
    StateError,
    UnknownNameError,
    check_choice,
)
from axiom_gym.game.facts import GameLike, KernelGame
from axiom_gym.registry.games import get_game
from axiom_gym.render import RENDER_MODES, render_modes, render_state

Observation = dict[str, npt.NDArray[Any]]
Info = dict[str, Any]

HUMAN = "human"
"""The render mode that prints every position to standard output."""

_BATCH_OPTIONS = ("num_envs", "autoreset", "num_threads")


class _Views(NamedTuple):
    """What a step touches of the batch's buffers; V entries where it says "each"."""

    orders: tuple[npt.NDArray[np.int64], ...]  # (K,) each
    observations: tuple[npt.NDArray[np.float32], ...]  # (*shape) each
    masks: npt.NDArray[np.int8]  # (V, K, N)
    rewards: npt.NDArray[np.float32]  # (P,)
    offenders: npt.NDArray[np.int8]  # (P,)


class OneGame:
    """What both forms share.

    Attributes:
        possible_agents: names of all players, by seat.
        observation_spaces, action_spaces: the spaces by agent; every agent has its own.
        state_space: the space of `state()`.
        batch: the game, as a batch of one.
    """

    agents: list[str]

    def __init__(
        self,
        game: GameLike,
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
            game: the game's name, such as "quantaris", or the game itself; see `GameLike`.
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
        """
        super().__init__()
        loaded = get_game(game)
        self.render_mode = render_mode
        self.metadata = _metadata(loaded)
        if render_mode is not None:
            check_choice("render mode", render_mode, [HUMAN, *RENDER_MODES])
        for name in _BATCH_OPTIONS:
            if name in options:
                raise ConfigError(f"a PettingZoo environment is one game; it has no {name!r}.")
        self.batch = Batch(
            loaded,
            preset=preset,
            autoreset="disabled",
            on_illegal=on_illegal,
            max_turns=_turn_limit(max_turns, max_cycles),
            **options,
        )
        self._form = ActionForm(self.batch.layout, actions)
        drops_out = not loaded.is_sequential and hasattr(loaded.kernel(), "alive")
        self._everybody_stays = not drops_out
        self._started = False
        self._closed = False
        self._name_agents()
        self._bind()

    def _name_agents(self) -> None:
        """Agents and their spaces, and what an action has to be like."""
        layout, agents = self.batch.layout, self.batch.agents
        self.possible_agents = list(agents)
        self._seats = {agent: seat for seat, agent in enumerate(agents)}
        self.observation_spaces = {agent: self._make_observation_space() for agent in agents}
        self.action_spaces = {agent: self._make_action_space() for agent in agents}
        shape = layout.observation_shape
        if not self.batch.game.info.perfect_information:
            shape = (len(agents) * shape[0], *shape[1:])
        low, high = layout.observation_low, layout.observation_high
        self.state_space = spaces.Box(low, high, shape, np.float32)

    def _make_observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (sum(self._form.choices),), np.int8)
        seen = observation_space(self.batch.layout)
        return spaces.Dict({"observation": seen, "action_mask": mask})

    def _make_action_space(self) -> spaces.Discrete | spaces.MultiDiscrete:
        choices = self._form.choices
        return (
            OrderSpace(np.array(choices, np.int64)) if self._form.shape else ChoiceSpace(choices[0])
        )

    def _bind(self) -> None:
        """Takes views of the batch's buffers."""
        buffers = self.batch.buffers
        self._views = _Views(
            orders=tuple(buffers.actions[0]),
            observations=tuple(buffers.observations[0]),
            masks=buffers.masks[0],
            rewards=buffers.rewards[0],
            offenders=buffers.episodes["offenders"][0],
        )
        self._refresh_masks()

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
        seen = self._all_views()
        return seen[0].copy() if self.batch.game.info.perfect_information else np.concatenate(seen)

    def _all_views(self) -> Sequence[npt.NDArray[np.float32]]:
        """What each player sees, (*shape) each."""
        return self._views.observations

    def action_masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """Each agent's flat mask as bool, 1 = legal, as sb3-contrib wants it."""
        self._check_started()
        return {agent: self._mask(self._seats[agent]).astype(np.bool_) for agent in self.agents}

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        """A player's flat mask, (M,) or (J,); not the caller's to keep."""
        mask: npt.NDArray[np.int8] = self._masks[seat]
        return mask

    def _refresh_masks(self) -> None:
        """Keeps the flat masks of all who act in `_masks`, where it can as views of the buffer."""
        self._masks = tuple(self._form.flat_masks(self._views.masks))

    def _observation(self, seat: int) -> Observation:
        seen = self._views.observations[seat].copy()
        return {"observation": seen, "action_mask": self._mask(seat).copy()}

    def _info(self, seat: int, over: bool) -> Info:
        """What stands beside a player's observation; `over`: whether its episode has ended."""
        illegal = self._views.offenders.item(seat) == 1
        info: Info = {"action_mask": self._mask(seat).copy(), "illegal_action": illegal}
        if over:
            episode = self.batch.buffers.episodes[0]
            info["episode_return"] = float(episode["returns"][seat])
            info["episode_length"] = int(episode["length"])
            fault = describe_fault(self.batch)
            if fault is not None:
                info["fault"] = fault
        return info

    def _ends(self) -> tuple[bool, bool]:
        """Whether the last turn terminated or truncated the episode."""
        buffers = self.batch.buffers
        return buffers.terminated.item(), buffers.truncated.item()

    def _find_out(self) -> list[str]:
        """Those of `agents` who are out of a simultaneous game, while the others play on."""
        if self._everybody_stays or any(self._ends()):
            return []
        alive = self.batch.alive().tolist()
        return [agent for agent in self.agents if not alive[self._seats[agent]]]

    def _find_ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Whether the last turn terminated or truncated the episode, for each of `agents`."""
        terminated, truncated = self._ends()
        terminations = dict.fromkeys(self.agents, terminated)
        for agent in self._find_out():
            terminations[agent] = True
        return terminations, dict.fromkeys(self.agents, truncated)

    # -- beginning and end -------------------------------------------------------------------------

    def _begin(self, seed: int | None) -> None:
        if self._closed:
            raise self._refusal()
        self.batch.reset(seed)
        self._started = True
        self._refresh_masks()

    def _play_turn(self) -> None:
        if len(self.agents) < len(self.possible_agents):
            self._order_for_absent()
        self.batch.step()
        if not self._form.flat_is_view:
            self._refresh_masks()

    def _order_for_absent(self) -> None:
        """The lowest legal orders for all who have left: the rules want some of everybody."""
        present = set(self.agents)
        seats = [seat for agent, seat in self._seats.items() if agent not in present]
        self.batch.buffers.actions[0, seats] = self._views.masks[seats].argmax(axis=2)

    def _check_started(self) -> None:
        if not self._started:
            raise self._refusal()

    def _refusal(self) -> AxiomError:
        """Why nothing can be played now."""
        if self._closed:
            return ClosedEnvironmentError("this environment was closed; make a new one.")
        reason = "the episode is over" if self._started else "no episode has begun"
        return ResetNeededError(f"{reason}: call reset() first.")

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
        self._refresh_masks()

    def __getstate__(self) -> dict[str, Any]:
        # A pickled view would no longer be one of the batch.
        return {**self.__dict__, "_views": None, "_masks": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def render(self) -> Any:
        """The position: as text or (H, W, 3) uint8 by `render_mode`; for "human" it is printed."""
        self._check_started()
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode; give one when making the env.")
            return None
        mode = "ansi" if self.render_mode == HUMAN else self.render_mode
        batch = self.batch
        drawn = render_state(batch.game, batch.buffers.states[0], batch.config, mode)
        if self.render_mode != HUMAN:
            return drawn
        print(drawn)
        return None


def _metadata(game: KernelGame) -> dict[str, Any]:
    return {
        "name": f"{game.info.name}_v{game.info.version}",
        "render_modes": [HUMAN, *render_modes(game)],
        "render_fps": 4,
        "is_parallelizable": not game.is_sequential,
    }


def _turn_limit(max_turns: int, max_cycles: int | None) -> int:
    if max_cycles is None:
        return max_turns
    if max_turns != 0:
        raise ConfigError("max_cycles is another name for max_turns; give one of the two.")
    return max_cycles
