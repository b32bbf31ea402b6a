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
more rewards, and its sub-actions are the lowest legal ones. When all have left, the episode is
over, although the game may have turns left.

Axis letters: K sub-actions, N choices of a sub-action, M the sum of all orders' choices, J joint
actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.env import ParallelEnv

from axiom_gym.adapters.aec import AxiomAECEnv
from axiom_gym.adapters.game_env import GameEnv
from axiom_gym.adapters.one_game import HUMAN, Info, Observation
from axiom_gym.errors import ActionError, IncompatibleGameError
from axiom_gym.game.facts import GameLike
from axiom_gym.registry.games import get_game

__all__ = [
    "AxiomAECEnv",
    "AxiomParallelEnv",
    "ParallelStep",
    "aec_env",
    "env",
    "parallel_env",
    "raw_env",
]

ParallelStep = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]
"""Observations, rewards, terminations, truncations and infos, each by agent."""


def parallel_env(game: GameLike, **options: Any) -> AxiomParallelEnv:
    """The parallel form of a game; for the options see `axiom_gym.adapters.one_game.OneGame`.

    Raises:
        IncompatibleGameError: for a game whose players act one at a time.
    """
    return AxiomParallelEnv(game, **options)


def env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """The AEC form of a game, with all checks; options as for `parallel_env`."""
    return AxiomAECEnv(game, **options)


def raw_env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """The same as `env`, by PettingZoo's other name: the checks are no wrapper to be left away."""
    return env(game, **options)


class AxiomParallelEnv(GameEnv, ParallelEnv[str, Observation, Any]):
    """All agents of a game act at once, as PettingZoo's `ParallelEnv`."""

    def __init__(self, game: GameLike, **options: Any) -> None:
        """Takes the options of `env`.

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
        self._game.begin(seed)
        self.agents = list(self.possible_agents)
        return self._show(dict.fromkeys(self.agents, False))

    def step(self, actions: Mapping[str, Any]) -> ParallelStep:
        """Plays a turn.

        Args:
            actions: an action for each of `agents`: integers, (K,), or one for a Discrete
                action.

        Raises:
            ActionError: for other agents than these, or an action that is not in the agent's action
                space.
            IllegalActionError: under the policy "raise"; nothing was touched.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        if not self.agents:
            raise self._game.refusal()
        if not isinstance(actions, Mapping) or actions.keys() != set(self.agents):
            given = list(actions) if isinstance(actions, Mapping) else type(actions).__name__
            wanted = f"a dict with an entry for each of {self.agents}"
            raise ActionError(f"actions must be {wanted}, got {given}.")
        game = self._game
        sub_actions = [game.form.read(agent, actions[agent]) for agent in self.agents]
        for agent, values in zip(self.agents, sub_actions, strict=True):
            game.sub_actions[self._seats[agent]][:] = values
        self._play_turn()
        return self._finish_step()

    def _finish_step(self) -> ParallelStep:
        by_seat = self._game.rewards.tolist()
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
        game, seats = self._game, self._seats
        observations = {agent: game.observe(seats[agent]) for agent in ended}
        infos = {agent: game.describe(seats[agent], end) for agent, end in ended.items()}
        return observations, infos

    def sample_actions(self) -> dict[str, Any]:
        """A random legal action for each of `agents`; compiled, and from the game's own streams."""
        if not self.agents:
            raise self._game.refusal()
        self.batch.sample_actions()
        rows: Any = self._game.form.actions(self.batch.buffers.actions[0].copy())
        if not self._game.form.shape:
            rows = rows.tolist()
        return {agent: rows[self._seats[agent]] for agent in self.agents}

    def set_state(self, state: dict[str, Any]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Goes back to what `get_state` gave; returns observations and infos as `reset` does.

        They are those of `agents`, and at the end of an episode of all who play the game.

        Raises:
            StateError: if it is of another form, game, version or configuration, or damaged.
        """
        self._game.set_state(state, {"batch"}, type(self).__name__)
        self.agents = list(self.possible_agents)
        out, over = self._find_out(), any(self._game.find_end())
        left = [agent for agent in self.agents if agent not in out]
        self.agents = [] if over else left
        return self._show(dict.fromkeys(left, over))


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
