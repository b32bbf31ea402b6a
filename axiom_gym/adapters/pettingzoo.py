"""PettingZoo's parallel and AEC environments, built directly on a batch of one.

Both check their arguments themselves, so they need no wrapper. A step before `reset()` or after the
end, an agent that does not act, and an action of another shape, dtype or range raise an error of
`axiom_gym.errors` and change nothing.

An observation is a dict, or with `mask_in="info"` only the first of these arrays:

- `observation`: float32, (*shape), what the agent sees from its own side;
- `action_mask`: int8, 1 = legal. Its shape is (N,) for a Discrete action and (J,) for joint
  actions. For several sub-actions it is flat, (M,): their masks are concatenated, as sb3-contrib
  and most trainers expect. `action_space(agent).sample(mask)` accepts it in this form. In a
  sequential game the mask of an agent who is not to act is all zero.

An info is a dict:

- `action_mask`: the same mask, unless `mask_in="obs"`;
- `illegal_action`: `np.bool_`, True if the last action of the agent had an illegal sub-action;
- `episode_return`, a float, and `episode_length`, an int, of the episode so far;
- `fault`: a text, only at the end of an episode that is truncated because the rules could not
  compute a turn;
- `score`: a float, only at the end of an episode of a game with a score. All other keys are always
  present.

All arrays are new, and the caller can keep them.

An agent that is eliminated in a simultaneous game is terminated and leaves `agents`, while the
others continue; its info describes its own episode. It gets no more rewards, and its sub-actions
are the lowest legal ones. The episode is over when all agents have left, even if the game itself
could continue. With `dropouts="stay"` it remains in `agents` until the episode ends for all: its
rewards are 0, its mask allows only the lowest legal sub-actions, and its actions have no effect.

Axis letters: K sub-actions, N choices per sub-action, M the sum of all sub-actions' choices, J
joint actions.
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
    """Return the parallel form of a game; `axiom_gym.adapters.one_game.OneGame` has the options.

    Raises:
        IncompatibleGameError: for a sequential game.
    """
    return AxiomParallelEnv(game, **options)


def env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """Return the AEC form of a game, with all checks; options as for `parallel_env`."""
    return AxiomAECEnv(game, **options)


def raw_env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """Return the same as `env`, under PettingZoo's name for an environment without wrappers."""
    return env(game, **options)


class AxiomParallelEnv(GameEnv, ParallelEnv[str, Observation, Any]):
    """A PettingZoo `ParallelEnv`: all agents act at once."""

    def __init__(self, game: GameLike, **options: Any) -> None:
        """Build the environment; arguments as for `parallel_env`.

        Raises:
            IncompatibleGameError: for a sequential game.
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
        """Start an episode.

        Args:
            seed: the seed of the episode; None continues with the generators as they are.
            options: ignored; PettingZoo passes it.
        """
        self._game.begin(seed)
        self.agents = list(self.possible_agents)
        return self._show(dict.fromkeys(self.agents, False))

    def step(self, actions: Mapping[str, Any]) -> ParallelStep:
        """Play a turn.

        Args:
            actions: an action for each of `agents`: integers (K,), or one integer for a Discrete
                action. Actions of agents that have left are ignored. After the end of an episode,
                a step without actions returns empty dicts, on which wrappers of others rely.

        Raises:
            ActionError: if an agent is missing or unknown, or an action is outside of the agent's
                action space.
            IllegalActionError: for an illegal action with the policy "raise"; nothing is changed.
            ResetNeededError: before the first reset, or after the end of the episode.
        """
        if not self.agents:
            if self._game.started and not actions:
                return {}, {}, {}, {}, {}
            raise self._game.refusal()
        self._check_agents_of(actions)
        game = self._game
        sub_actions = [game.form.read(agent, actions[agent]) for agent in self.agents]
        for agent, values in zip(self.agents, sub_actions, strict=True):
            game.sub_actions[self._seats[agent]][:] = values
        self._play_turn()
        return self._finish_step()

    def _check_agents_of(self, actions: Any) -> None:
        """Raise an error unless these are actions of `agents`, and perhaps of agents that left."""
        if not isinstance(actions, Mapping):
            given: Any = type(actions).__name__
        elif not set(self.agents) <= actions.keys() <= self._seats.keys():
            given = list(actions)
        else:
            return
        wanted = f"a dict with an entry for each of {self.agents}"
        raise ActionError(f"actions must be {wanted}, got {given}.")

    def _finish_step(self) -> ParallelStep:
        by_seat = self._game.rewards.tolist()
        rewards = {agent: by_seat[self._seats[agent]] for agent in self.agents}
        terminations, truncations = self._find_ends()
        ended = truncations if any(truncations.values()) else terminations
        observations, infos = self._show(ended)
        self.agents = [agent for agent, end in ended.items() if not end]
        return observations, rewards, terminations, truncations, infos

    def _show(self, ended: dict[str, bool]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Return the observations and infos of these agents; ended: True if its episode ended."""
        if self.render_mode == HUMAN:
            self.render()
        game, seats = self._game, self._seats
        observations = {agent: game.observe(seats[agent]) for agent in ended}
        infos = {agent: game.describe(seats[agent], end) for agent, end in ended.items()}
        return observations, infos

    def sample_actions(self) -> dict[str, Any]:
        """Return a random legal action for each of `agents`, drawn from the game's own streams."""
        if not self.agents:
            raise self._game.refusal()
        self.batch.sample_actions()
        rows: Any = self._game.form.actions(self.batch.buffers.actions[0].copy())
        if not self._game.form.shape:
            rows = rows.tolist()
        return {agent: rows[self._seats[agent]] for agent in self.agents}

    def set_state(self, state: dict[str, Any]) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Restore a state that `get_state` returned; return observations and infos.

        They are those of `agents`, or at the end of an episode those of all agents.

        Raises:
            StateError: if it is damaged, or of another form, game, version or configuration.
        """
        self._game.set_state(state, {"batch"}, type(self).__name__)
        self.agents = list(self.possible_agents)
        leaving, over = self._find_leaving(), any(self._game.find_end())
        shown = [agent for agent in self.agents if agent not in leaving]
        self.agents = [] if over else shown
        return self._show(dict.fromkeys(shown, over))


def aec_env(game: GameLike, **options: Any) -> AxiomAECEnv:
    """Return an AEC environment of a plain Python game.

    Args:
        game: the game, or its class.
        **options: the options of `env`, and `rewards`, `catalogue` and `players` as for
            `axiom_gym.adapters.plain_game.adapt_plain_game`.

    Raises:
        ConfigError: for a value that is not allowed.
        GameError: if the game's states cannot be encoded, or its actions cannot be numbered.
    """
    from axiom_gym.adapters.plain_game import adapt_plain_game

    return env(adapt_plain_game(game, options), **options)
