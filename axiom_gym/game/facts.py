"""The facts of games, and the interface of plain Python games.

A game is either a `KernelGame`, whose rules work on records, or a `Game`, whose rules work on
Python objects. This module neither compiles anything nor imports Numba.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    runtime_checkable,
)

from axiom_gym.deprecated import renamed_fields
from axiom_gym.seeded_rng import SeededRNG

if TYPE_CHECKING:
    import numpy as np

    from axiom_gym.game.progress import MatchProgress

State = TypeVar("State")
Action = TypeVar("Action")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """The facts of a game.

    Algorithms, adapters and documentation depend on these facts, never on the name of a game.
    """

    name: str
    """The name in lower case with underscores, as in `axiom-gym info NAME`."""
    version: int
    """A number that rises whenever results change.

    Results depend on the rules, the observation, the rewards and the order of random draws.
    """
    title: str
    """The name for display. It is also part of the Gymnasium id, `axiom/TITLE-vVERSION`."""
    summary: str
    """A description in one sentence."""
    agents: tuple[str, ...]
    """The names of the players by seat, as PettingZoo uses them; as many as can play."""
    dynamics: Literal["simultaneous", "sequential"]
    """"simultaneous" if all players act in each turn, "sequential" if they act one at a time."""
    chance: bool
    """True if the rules draw random numbers."""
    perfect_information: bool
    """True if every player sees the whole state."""
    zero_sum: bool
    """True if the outcomes of all players always add up to 0."""
    min_outcome: float
    """The lowest possible outcome of a player."""
    max_outcome: float
    """The highest possible outcome of a player."""
    max_length: int | None
    """The most turns that the rules allow; decisions in a sequential game; None for no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The shapes of a game's observations and actions, which depend on its configuration."""

    observation_shape: tuple[int, ...]
    """The shape of one player's observation."""
    observation_low: float
    """The lowest value in an observation."""
    observation_high: float
    """The highest value in an observation."""
    num_choices: tuple[int, ...]
    """The number of choices of each sub-action of a player's turn.

    The action space is Discrete for one sub-action, and MultiDiscrete for several.
    """
    feature_names: tuple[str, ...] = ()
    """A name for each entry of a flat observation; empty if the observation is not flat."""
    num_players: int | None = None
    """The number of players, who are the first of `GameInfo.agents`; None for all of them."""


@renamed_fields(
    describe_order="describe_sub_action",
    order_key="sub_action_key",
    yardsticks="default_opponents",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class KernelGame:
    """A game whose rules are a kernel, such as `axiom_envs.<game>.game:GAME`.

    Functions give access to everything that is compiled, so that the facts can be read without
    importing Numba. The rules may also be plain Python, see `compiled`.
    """

    # Facts.
    info: GameInfo
    config: type[Any]
    """A frozen dataclass whose fields are the game's options. It validates them on construction."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Named configurations: keyword arguments for `config`; none by default."""
    has_score: bool = False
    """True if the outcome is a score, which infos have as `score` at the end of an episode."""
    game_options: Mapping[str, str] = field(default_factory=dict)
    """The options that are fields of the state, by name: option -> field; none by default.

    Such an option has one value for all games of a batch, or a tuple with one for each. The batch
    writes them into its states once; `reset` and `step` do not change these fields. So they need no
    code of their own, and a state holds all that its game depends on.
    """
    default_opponents: tuple[str, ...] = ()
    """The bots that training and evaluation use as opponents; all bots if empty."""

    # Shapes.
    layout: Callable[[Any], Layout]
    """config -> the shapes of observations and actions."""
    state_dtype: Callable[[Any], np.dtype[Any]] | None = None
    """config -> the dtype of a state, if it depends on the configuration.

    If None, the dtype is the kernel's STATE. The kernel is compiled once for each dtype.
    """
    lowest_return: Callable[[Any], float] | None = None
    """config -> the lowest sum of a player's rewards, if it is not `info.min_outcome`.

    It is lower with shaping rewards, for example.
    """
    action_kinds: Callable[[Any], Sequence[Sequence[str]]] | None = None
    """config -> for each sub-action, the kind of each choice, such as "attack".

    Statistics count actions by kind if there are many choices.
    """
    action_names: Callable[[Any], Sequence[Sequence[str]]] | None = None
    """config -> for each sub-action, the name of each choice, if it is the same in every state.

    Balance reports list actions by these names; without them, by `action_kinds`.
    """
    quantities: Callable[[Any, Any], Mapping[str, Any]] | None = None
    """(config, state records (B,)) -> named quantities of the states, (B,), for balance reports.

    Numbers have the units of the game. A bool array is a property that a state has or has not.
    Those named `KEY=VALUE` are the values of one choice, of which each state has one.
    """

    # Code.
    kernel: Callable[[], ModuleType]
    """() -> the module with the functions of `axiom_gym.kernel`.

    It also has STATE if `state_dtype` is None.
    """
    params: Callable[[Any], Any]
    """config -> the parameters of the kernel's functions, a NamedTuple of an importable class."""
    compiled: bool = True
    """True if Numba compiles the rules, False if they are plain Python on top of Python objects.

    If False, the kernel's functions and the bots work on the same records, are never compiled, and
    may raise. The code that calls them is not compiled either, see `axiom_gym.backend.plain`.
    `params` may then return any object. Each batch calls it once in each process, and may keep live
    objects there as a cache of the records.
    """
    bots: Mapping[str, str | Callable[..., None]] = field(default_factory=dict)
    """The scripted opponents: name -> "module:function"; none by default.

    The function takes the arguments of `axiom_gym.backend.null_kernel.bot`. If the rules are plain
    Python, the value may be the function itself.
    """
    live: Callable[[Any, Any], MatchProgress[Any, Any]] | None = None
    """(params, state record) -> the match of a plain Python game that a record stands for.

    The match is a `MatchProgress` at this position, and its `action` is the one that led there.
    Callers must not change it. A replay then holds states and actions as JSON, like a replay of
    `GameLoop`: players, options and seed are those of the match, and the action of a line is
    `encode(game, action)`.
    """
    source: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
    """(function, arguments) that recreate a game from a pickle if no registry has it."""
    painter: str = ""
    """The function `paint(state, config) -> (H, W, 3) uint8` as "module:function"; "" for none."""

    # Text.
    card: str = ""
    """The package whose README.md is the card of the game; "" for none.

    Prompts for text agents contain its section "Rules".
    """
    describe_state: Callable[[Any], str]
    """state record -> a description in several lines."""
    describe_view: Callable[[Any, int], str] | None = None
    """(state record, player) -> `describe_state` without what is hidden from the player.

    None if `describe_state` shows nothing hidden.
    """
    describe_action: Callable[[Any, int, Sequence[int]], str]
    """(state record, player, sub-actions) -> a description in one line."""
    describe_sub_action: Callable[[Any, int, int, int], str] | None = None
    """(state record, player, k, action) -> the meaning of sub-action k in a few words."""
    sub_action_key: Callable[[Any, int, int, int], str] | None = None
    """(state record, player, k, action) -> a short text that people type to choose sub-action k.

    It is in lower case, is not a number, and differs between all legal choices of a sub-action.
    """
    event_kinds: Mapping[int, str] = field(default_factory=dict)
    """The names of kinds of events, such as {0: "conquest"}; the key is the first number of a row.

    Statistics count the rows of these kinds in the event log.
    """
    describe_event: Callable[[Any, Sequence[int]], str] | None = None
    """(state record after the step, a row of its log, 8 numbers) -> one sentence.

    The sentence is "" for an event that is not worth mentioning.
    """
    describe_turn: Callable[[Any, Sequence[Sequence[int]]], list[str]] | None = None
    """(state record before the turn, (V, K) sub-actions) -> the events of the turn as sentences.

    It replaces `describe_event` for rules that keep no event log. It may change the record.
    """
    describe_turn_seen: (
        Callable[[Any, Any, int, Sequence[Sequence[int]]], tuple[list[str], list[str]]] | None
    ) = None
    """(state records before and after a turn, player, (V, K) sub-actions) -> what the player sees.

    It returns a text for each player who acted, as `describe_action`, and the events as sentences;
    both without what is hidden from the player. None if nothing is hidden.
    """
    name_sub_action: Callable[[Any, int, int], str] | None = None
    """(state record, player, k) -> the name of sub-action k in a prompt, such as that of a unit."""
    player_marks: tuple[str, ...] = ()
    """For each seat, a regular expression of the player's marks in texts, which colours them."""
    describe_fault: Callable[[Any, int], str] | None = None
    """(config, n) -> the cause and the place of fault n, for which `step` returns `FAULT + n`."""

    def __deepcopy__(self, memo: dict[int, Any]) -> KernelGame:
        """Return the game itself, because it never changes and may hold modules."""
        return self

    @property
    def is_sequential(self) -> bool:
        """True if players act one at a time."""
        return self.info.dynamics == "sequential"

    @property
    def standard_bots(self) -> tuple[str, ...]:
        """The bots that training and evaluation use as opponents."""
        return self.default_opponents or tuple(self.bots)

    def forfeit_reward(self, config: Any) -> float:
        """Return the reward of a player who forfeits: -1, or the lowest return if it is lower.

        It is -1 if the lowest return is not known to be finite.
        """
        low = self.info.min_outcome if self.lowest_return is None else self.lowest_return(config)
        return min(-1.0, float(low)) if math.isfinite(low) else -1.0

    def dtype(self, config: Any) -> np.dtype[Any]:
        """Return the dtype of a state with this configuration."""
        if self.state_dtype is not None:
            return self.state_dtype(config)
        found: np.dtype[Any] = self.kernel().STATE
        return found

    def agents(self, config: Any) -> tuple[str, ...]:
        """Return the names of the players with this configuration, by seat."""
        return self.info.agents[: self.layout(config).num_players]


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a match."""

    id: str
    name: str = ""
    model: str = field(default="", compare=False)
    """The digest of the saved model that decides for this player; "" if there is none."""


@dataclass(frozen=True, slots=True)
class PlayerRanking:
    """A player's place at the end of a match.

    The best rank is 1. Players with equal results share a rank.
    """

    player: Player
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class GameMetadata:
    """The facts of a plain Python game."""

    name: str
    min_players: int
    max_players: int
    description: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options that `initialize` reads from `config`, with their defaults."""
    version: int = 0
    """A number that rises with every change of the rules."""


MEMBERS = (
    "metadata",
    "initialize",
    "get_valid_actions",
    "execute_action",
    "is_game_over",
    "get_winner",
    "get_rankings",
    "describe_action",
)
"""The names of all members of `Game`."""


def missing_members(value: object) -> list[str]:
    """Return the members of `Game` that an object or a class does not have."""
    return [name for name in MEMBERS if not hasattr(value, name)]


@runtime_checkable
class Game(Protocol, Generic[State, Action]):
    """The interface of a plain Python game, modelled on the Ludus `Game`.

    Names in brackets are those of Ludus. States are immutable: `execute_action` returns a new
    state. All random numbers come from the generator that is passed as `rng`.
    """

    @property
    def metadata(self) -> GameMetadata:
        """The name, the numbers of players, the options and the version."""

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> State:
        """Return the first state of a match.

        Args:
            config: the game's options, `game_id`, and `max_turns` if the match has a limit.
            players: the players by seat.
            rng: the generator of all random numbers of the match.
        """

    def get_valid_actions(self, state: State, player_id: str) -> list[Action]:
        """Return the player's legal actions, [] if it is not their turn [getValidActions]."""

    def execute_action(self, state: State, action: Action, rng: SeededRNG) -> State:
        """Return a new state, the one after the action [executeAction]."""

    def is_game_over(self, state: State) -> bool:
        """Return True if the match has ended [isGameOver]."""

    def get_winner(self, state: State) -> Player | None:
        """Return the winner; None after a draw and during the match [getWinner]."""

    def get_rankings(self, state: State) -> list[PlayerRanking]:
        """Return the places of all players, best first [getRankings]."""

    def describe_action(self, action: Action, state: State) -> str:
        """Return one sentence that describes the action [describeAction]."""


GameLike = str | KernelGame | Game[Any, Any] | Callable[[], Game[Any, Any]]
"""A game as functions accept it: a name, a target such as `FILE.py:NAME`, a `KernelGame`, a plain
Python game, or a callable that makes one, such as its class."""
