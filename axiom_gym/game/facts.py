"""What a game is: its facts as data, the record that it exports, and the object-level interface.

Nothing here compiles or imports Numba.
"""

from __future__ import annotations

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
    """The facts of a game. Algorithms, adapters and documents read these, and no game's name."""

    name: str
    """Lower case with underscores, as in `axiom-gym info NAME`."""
    version: int
    """Rises with every change of results: rules, observation, rewards, order of random draws."""
    title: str
    """As people write it; also the Gymnasium id, `axiom/TITLE-vVERSION`."""
    summary: str
    """One sentence."""
    agents: tuple[str, ...]
    """PettingZoo's names of the players, by index; of as many as can play."""
    dynamics: Literal["simultaneous", "sequential"]
    """Whether all players act in each turn, or one at a time."""
    chance: bool
    """Whether the rules draw random numbers."""
    perfect_information: bool
    """Whether every player sees the whole state."""
    zero_sum: bool
    """Whether the players' outcomes always add up to 0."""
    min_outcome: float
    max_outcome: float
    max_length: int | None
    """Most turns that the rules allow, None for no limit; of a sequential game most decisions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Shapes that follow from a game's configuration."""

    observation_shape: tuple[int, ...]
    observation_low: float
    observation_high: float
    num_choices: tuple[int, ...]
    """Choices of each order of a player's turn; one order is a Discrete action, more are
    MultiDiscrete."""
    feature_names: tuple[str, ...] = ()
    """A name for each entry of a flat observation, empty where the observation is not flat."""
    num_players: int | None = None
    """How many of `GameInfo.agents`, the first ones, play with this configuration; None for all."""


@renamed_fields(
    describe_order="describe_sub_action",
    order_key="sub_action_key",
    yardsticks="default_opponents",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class KernelGame:
    """A game written as a kernel: what `axiom_envs.<game>.game:GAME` is.

    Everything that compiles is reached through functions, so that facts can be read without Numba.
    Rules may also be plain Python: see `compiled`.
    """

    # Facts.
    info: GameInfo
    config: type[Any]
    """A frozen dataclass whose fields are the game's options; validates on construction."""
    presets: Mapping[str, Mapping[str, Any]]
    """Named configurations: keyword arguments for `config`."""
    default_opponents: tuple[str, ...] = ()
    """The bots that training plays against and that players are measured by, where there are many;
    all of them if not given."""

    # Shapes.
    layout: Callable[[Any], Layout]
    """config -> the shapes."""
    state_dtype: Callable[[Any], np.dtype[Any]] | None = None
    """config -> the dtype of a state, where its shape follows from the configuration; the kernel's
    STATE if not given. The kernel is compiled anew for each dtype."""
    action_kinds: Callable[[Any], Sequence[Sequence[str]]] | None = None
    """config -> for each sub-action the kind of each of its choices, such as "attack"; statistics
    count by these where there are many choices."""

    # Code.
    kernel: Callable[[], ModuleType]
    """() -> the module with the functions of `axiom_gym.kernel`, and STATE if not `state_dtype`."""
    params: Callable[[Any], Any]
    """config -> the NamedTuple that the kernel's functions get, of a class that can be imported."""
    compiled: bool = True
    """False for rules on top of Python objects: the kernel's functions and the bots are plain
    Python then, on the same records, are never compiled, and may raise. Nor is what calls them; all
    else is the same, `axiom_gym.backend.plain` says how. `params` may give any object, which each
    batch makes for itself, in each process anew: live objects there are a cache beside the
    records."""
    bots: Mapping[str, str | Callable[..., None]]
    """Scripted opponents: name -> "module:function" of a compiled bot, as `null_kernel.bot` is; or,
    where rules are plain Python, the function itself."""
    live: Callable[[Any, Any], MatchProgress[Any, Any]] | None = None
    """(params, state record) -> the match behind a record, where records stand for a plain Python
    game: a `MatchProgress` at this position, not to be changed, whose `action` led to it. A replay
    then holds its states and its actions as JSON, line for line as one of `GameLoop`; players,
    options
    and seed are those of the match, and a line's action is `encode(game, action)`."""
    source: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
    """What makes this game again from a pickle, (function, arguments), where no registry has it."""
    painter: str = ""
    """Where `paint(state, config) -> (H, W, 3) uint8` stands, as "module:function", if at all."""

    # Text.
    describe_state: Callable[[Any], str]
    """state record -> text, several lines."""
    describe_action: Callable[[Any, int, Sequence[int]], str]
    """(state record, player, orders) -> one line of text."""
    describe_sub_action: Callable[[Any, int, int, int], str] | None = None
    """(state record, player, k, action) -> what this action means for order k, in a few words."""
    sub_action_key: Callable[[Any, int, int, int], str] | None = None
    """(state record, player, k, action) -> a short form for people to type, in lower case and not a
    number; different for all legal actions of an order."""
    describe_event: Callable[[Any, Sequence[int]], str] | None = None
    """(state record after the step, a row of its log, 8 numbers) -> one sentence; "" for nothing
    worth telling."""
    describe_fault: Callable[[Any, int], str] | None = None
    """(config, n) -> what went wrong, and where, when `step` returned `FAULT + n`."""

    @property
    def is_sequential(self) -> bool:
        """Whether players act one at a time."""
        return self.info.dynamics == "sequential"

    @property
    def standard_bots(self) -> tuple[str, ...]:
        """The bots that training plays against and that players are measured by."""
        return self.default_opponents or tuple(self.bots)

    def dtype(self, config: Any) -> np.dtype[Any]:
        """The dtype of a state of this configuration."""
        if self.state_dtype is not None:
            return self.state_dtype(config)
        found: np.dtype[Any] = self.kernel().STATE
        return found

    def agents(self, config: Any) -> tuple[str, ...]:
        """Names of the players who play with this configuration, by seat."""
        return self.info.agents[: self.layout(config).num_players]


@dataclass(frozen=True, slots=True)
class Player:
    """A participant of a match."""

    id: str
    name: str = ""
    model: str = field(default="", compare=False)
    """A digest of the saved model that plays, if it is one."""


@dataclass(frozen=True, slots=True)
class PlayerRanking:
    """A player's place at the end of a match; equal players share a rank, and 1 is the best."""

    player: Player
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class GameMetadata:
    """What the object-level interface says of a game."""

    name: str
    min_players: int
    max_players: int
    description: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What `initialize` reads of `config`, with the defaults; empty if the game does not say."""
    version: int = 0
    """Rises with every change of the rules."""


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
"""All that a `Game` must have."""


def missing_members(value: object) -> list[str]:
    """Return what a game, or the class of one, lacks of the interface `Game`."""
    return [name for name in MEMBERS if not hasattr(value, name)]


@runtime_checkable
class Game(Protocol, Generic[State, Action]):
    """The object-level interface, after the Ludus `Game`; original names in brackets.

    States are immutable: `execute_action` returns a new one. All chance comes from the generator
    that is handed in.
    """

    @property
    def metadata(self) -> GameMetadata:
        """Name, number of players, description."""

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> State:
        """The first state of a match.

        Args:
            config: the game's options, `game_id`, and `max_turns` where the match has a limit.
            players: by seat.
            rng: where all chance of the match comes from.
        """

    def get_valid_actions(self, state: State, player_id: str) -> list[Action]:
        """All that this player may do now; empty if others are to act [getValidActions]."""

    def execute_action(self, state: State, action: Action, rng: SeededRNG) -> State:
        """A new state, in which the action was carried out [executeAction]."""

    def is_game_over(self, state: State) -> bool:
        """Whether the match has ended [isGameOver]."""

    def get_winner(self, state: State) -> Player | None:
        """The winner; None after a draw and while the match runs [getWinner]."""

    def get_rankings(self, state: State) -> list[PlayerRanking]:
        """All players, best first [getRankings]."""

    def describe_action(self, action: Action, state: State) -> str:
        """One sentence for people [describeAction]."""


GameLike = str | KernelGame | Game[Any, Any] | Callable[[], Game[Any, Any]]
"""What stands for a game: a name, a target such as `FILE.py:NAME`, a `KernelGame`, or a plain
Python game or what makes one, such as its class."""
