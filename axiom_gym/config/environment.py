"""Environments and games made of a config.

    envs = make_vec(config, task, num_envs=4096)

A step takes one of the config's actions, or `wait`, and then advances the game by one tick.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.ending import describe_outcome
from axiom_gym.config.parameter_checks import check_parameters
from axiom_gym.config.parameters import options_class, record_field
from axiom_gym.config.problems import report
from axiom_gym.config.task import Task, check_end
from axiom_gym.errors import EngineError
from axiom_gym.game.facts import GameInfo, KernelGame, Layout
from axiom_gym.game.prompt_keys import find_collision
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    from axiom_gym.adapters.gymnasium import AxiomEnv, AxiomVectorEnv
    from axiom_gym.config.compiled import CompiledConfig


@dataclass(frozen=True)
class NoOptions:
    """The options of the game of a config without parameters, which has none."""


class NoParams(NamedTuple):
    """The `params` of a config's kernel, which uses none; see `axiom_gym.config.parameters`."""

    unused: int = 0


class ConfigGame:
    """The functions of a config's `KernelGame`; the first call traces the config."""

    def __init__(self, config: GameConfig, task: Task) -> None:
        self._config = config
        self._task = task

    @functools.cached_property
    def compiled(self) -> CompiledConfig:
        """The traced config."""
        from axiom_gym.config.compiled import CompiledConfig

        return CompiledConfig(self._config, self._task)

    def kernel(self) -> ModuleType:
        """Return the kernel's module, with STATE and the five functions of `axiom_gym.kernel`."""
        return self.compiled.kernel

    def layout(self, config: Any) -> Layout:
        """Return the shapes of observations and actions, with a name for each feature."""
        features = self.compiled.source.features
        return Layout(
            observation_shape=(len(features),),
            observation_low=-1.0 if any(feature.signed for feature in features) else 0.0,
            observation_high=1.0,
            num_choices=(len(self.compiled.action_names),),
            feature_names=tuple(feature.name for feature in features),
        )

    def params(self, config: Any) -> NoParams:
        """Return the kernel's `params`."""
        return NoParams()

    def action_kinds(self, config: Any) -> list[list[str]]:
        """Return the label of each action, without its context."""
        moves = [move.action.label or move.action.id for move in self.compiled.source.moves]
        return [[*moves, *["wait"] * (len(self.compiled.action_names) - len(moves))]]

    def action_names(self, config: Any) -> list[list[str]]:
        """Return the label of each action, with its context."""
        count = len(self.compiled.action_names)
        return [[self.describe_sub_action(None, 0, 0, number) for number in range(count)]]

    def quantities(self, config: Any, states: Any) -> dict[str, Any]:
        """Return the compiled fields of the config's states, (B,) each; a choice by its options."""
        found: dict[str, Any] = {}
        for key, field in self.compiled.source.fields.items():
            if field.role == "choice":
                for option in field.options:
                    code = self.compiled.source.codes[option]
                    found[f"{key}={option}"] = states[field.name] == code
            elif field.role in ("attribute", "field"):
                found[key] = states[field.name]
        return found

    def describe_fault(self, config: Any, number: int) -> str:
        """Return the text of fault `number`, from 1 on: the place in the config and the problem."""
        return self.compiled.source.faults[number - 1]

    def describe_state(self, state: Any) -> str:
        """Describe a state: the tick, then the fields, the cooldowns and the parameters."""
        known, params = self.compiled.decode(state), self.compiled.decode_params(state)
        cooldowns = known.pop("cooldowns")
        lines = [f"tick {known.pop('tick')}"]
        width = max((len(key) for key in known), default=0)
        lines += [f"  {key:<{width}}  {_shown(value)}" for key, value in known.items()]
        if cooldowns:
            until = ", ".join(f"{event} until tick {tick}" for event, tick in cooldowns.items())
            lines.append(f"  on cooldown: {until}")
        if params:
            lines.append(f"  with {', '.join(f'{k}={_shown(v)}' for k, v in params.items())}")
        return "\n".join(lines)

    def describe_action(self, state: Any, player: int, sub_actions: Sequence[int]) -> str:
        """Return the action's label, with its context."""
        return self.describe_sub_action(state, player, 0, sub_actions[0])

    def describe_turn(self, before: Any, sub_actions: Sequence[Sequence[int]]) -> list[str]:
        """Return the texts of the events of a turn, which the interpreter plays once more."""
        from axiom_gym.config.compiler.scheme import MOVES
        from axiom_gym.config.engine import Engine, create_engine
        from axiom_gym.config.episode import Episode

        start, fields = create_engine(self._config).get_state(), self.compiled.source.fields
        moved = int(before[fields[MOVES].name]) if MOVES in fields else 0
        rng = SeededRNG(int(before["rng"]))
        state, params = self.compiled.decode(before), self.compiled.decode_params(before)
        engine = Engine(self._config, {**start, **state}, rng, parameters=params)
        number = int(sub_actions[0][0])
        episode = Episode(engine, self._task, moved)
        try:
            entries = episode.step(number)
        except EngineError:  # the kernel reports a fault
            return []
        outcome = episode.engine.outcome
        end = [describe_outcome(outcome)] if outcome else []
        return [*(entry.text for entry in entries if entry.text), *end]

    def describe_sub_action(self, state: Any, player: int, index: int, action: int) -> str:
        """Return the action's label, with its context."""
        moves = self.compiled.source.moves
        if not 0 <= action < len(moves):
            return "wait"
        move = moves[action]
        label = move.action.label or move.action.id
        if move.context is None:
            return label
        return f"{label} ({', '.join(f'{key} {value}' for key, value in move.context.items())})"

    def sub_action_key(self, state: Any, player: int, index: int, action: int) -> str:
        """Return a short form to type: the action's name, with its number if that is ambiguous."""
        names = [name.lower() for name in self.compiled.action_names]
        name = names[action]
        is_plain = names.count(name) == 1 and not find_collision(name)
        return name if is_plain else f"{name}#{action}"


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain_name(name: str) -> str:
    """Return a config's name as the name of a game, which is also part of file names."""
    plain = re.sub(r"[^a-z0-9_]", "_", name.lower())[:40]
    return plain if plain[0].isalpha() else f"game_{plain}"


def as_game(
    config: GameConfig,
    task: Task,
    *,
    title: str = "",
    summary: str = "",
    version: int = 0,
    bots: Mapping[str, str] | None = None,
    outcomes: tuple[float, float] = (float("-inf"), float("inf")),
    presets: Mapping[str, Mapping[str, Any]] | None = None,
    card: str = "",
) -> KernelGame:
    """Convert a config to a `KernelGame`, for the registry, `Batch`, adapters and training.

    Args:
        config: the game.
        task: the task.
        title: the title; made from the config's name if empty.
        summary: one sentence about the game.
        version: the version; increase it with every change of results.
        bots: scripted players, as for `KernelGame`.
        outcomes: the lowest and the highest possible score.
        presets: as for `KernelGame`; by default those of the config.
        card: as for `KernelGame`.

    The game is for one player. Its options are the config's parameters. The config is validated and
    traced when the game is first used, its parameters at once.

    Raises:
        ConfigError: if the task never ends an episode, or a parameter is wrong.
    """
    report(config, [*check_end(task, config), *check_parameters(config)])
    functions = ConfigGame(config, task)
    steps = task.max_ticks * task.actions_per_tick
    info = GameInfo(
        name=_plain_name(config.name),
        version=version,
        title=title or config.name.replace("_", " ").title().replace(" ", ""),
        summary=summary or "A game declared as a config.",
        agents=("player_0",),
        dynamics="simultaneous",
        chance=any(event.trigger != "milestone" for event in config.events),
        perfect_information=True,
        zero_sum=False,
        min_outcome=outcomes[0],
        max_outcome=outcomes[1],
        max_length=steps or None,
    )
    return KernelGame(
        info=info,
        config=options_class(config.parameters) if config.parameters else NoOptions,
        presets=config.presets if presets is None else presets,
        game_options={name: record_field(name) for name in config.parameters},
        has_score=True,
        card=card,
        layout=functions.layout,
        kernel=functions.kernel,
        params=functions.params,
        bots=bots or {},
        action_kinds=functions.action_kinds,
        action_names=functions.action_names,
        quantities=functions.quantities,
        event_kinds={index: event.label or event.id for index, event in enumerate(config.events)},
        describe_action=functions.describe_action,
        describe_state=functions.describe_state,
        describe_sub_action=functions.describe_sub_action,
        describe_turn=functions.describe_turn,
        sub_action_key=functions.sub_action_key,
        describe_fault=functions.describe_fault,
    )


def make_env(
    config: GameConfig,
    task: Task,
    *,
    parameters: Mapping[str, Any] | None = None,
    **options: Any,
) -> AxiomEnv:
    """Make a Gymnasium environment of a config.

    Args:
        config: the game.
        task: the task.
        parameters: values of the config's parameters, which may also be given as options.
        **options: the options of `axiom_gym.adapters.gymnasium.AxiomEnv`.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
        TraceError: for a callable that cannot be compiled; names it and the remedy.
    """
    from axiom_gym.adapters.gymnasium import AxiomEnv

    return AxiomEnv(as_game(config, task), **(parameters or {}), **options)


def make_vec(
    config: GameConfig,
    task: Task,
    num_envs: int = 1,
    *,
    parameters: Mapping[str, Any] | None = None,
    **options: Any,
) -> AxiomVectorEnv:
    """Make a Gymnasium vector environment of a config, with `num_envs` games in compiled code.

    Args:
        config: the game.
        task: the task.
        num_envs: the batch size B.
        parameters: values of the config's parameters, each a number for all games or a list or
            array (B,) with one for each; they may also be given as options.
        **options: the options of `axiom_gym.adapters.gymnasium.AxiomVectorEnv`.

    Raises:
        ConfigError: if the config has mistakes; lists all of them.
        TraceError: for a callable that cannot be compiled; names it and the remedy.
    """
    from axiom_gym.adapters.gymnasium import AxiomVectorEnv

    return AxiomVectorEnv(as_game(config, task), num_envs, **(parameters or {}), **options)
