"""Plain Python games as `KernelGame`s, so that they have all interfaces.

    batch = Batch(as_kernel_game(MyGame), 64)

The record is the seed and the decisions so far; see `axiom_gym.game.history`. Actions are numbers
of `axiom_gym.game.catalogue`, observations are those of `axiom_gym.game.encoding`.

Rewards follow from the players' places. A player whom the state lists as `eliminated` gets the last
free place and its reward at once. The other players get theirs at the end, from the game's
rankings. A game with `get_rewards` may give rewards until the end, so all its players stay until
then.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from axiom_gym.errors import ConfigError, GameError, StateError, check_range
from axiom_gym.game.agent_bot import AgentBot
from axiom_gym.game.bridge_rules import Rules
from axiom_gym.game.canonical import to_json
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.game.facts import (
    GameInfo,
    GameMetadata,
    KernelGame,
    Layout,
    missing_members,
)
from axiom_gym.game.history import SessionReader, history_dtype
from axiom_gym.game.progress import MatchProgress
from axiom_gym.game.rewards import GetRewards, find_lowest_return

if TYPE_CHECKING:
    from axiom_gym.game.bridge_kernel import Params, PlainSession


def as_kernel_game(
    game: Any,
    *,
    agents: Sequence[str] = (),
    rewards: GetRewards | None = None,
    catalogue: Catalogue | None = None,
    bots: Mapping[str, Any] | None = None,
    name: str = "",
    source: tuple[Callable[..., Any], tuple[Any, ...]] | None = None,
) -> KernelGame:
    """Return a plain Python game in the form that the driver plays.

    Its options are those of the game's metadata, `players` if their number can be chosen, and
    `max_decisions`, after which an episode is truncated.

    Args:
        game: a class or function that makes the game, which each batch calls; or the game itself.
        agents: the players' ids by seat, which also set the number of players; by default
            `player_0`, `player_1`, ...
        rewards: the function that gives rewards, instead of the game's `get_rewards`; see
            `axiom_gym.game.rewards`.
        catalogue: the numbers of actions, instead of those that `Catalogue.of` returns.
        bots: scripted opponents in addition to the game's `bots`: name -> an agent for `GameLoop`
            that is not async.
        name: the name of `game` in error messages.
        source: (function, arguments) that recreate this game from a pickle.

    Raises:
        ConfigError: for agents, bots or options that are not allowed.
    """
    if source is None:
        given = {"agents": tuple(agents), "rewards": rewards, "catalogue": catalogue, "bots": bots}
        source = (_make_again, (game, given))
    bridge = Bridge(find_maker(game, name), tuple(agents), rewards, catalogue, bots or {})
    return bridge.to_kernel_game(source)


def _make_again(game: Any, given: dict[str, Any]) -> KernelGame:
    return as_kernel_game(game, **given)


def find_maker(game: Any, name: str = "") -> Callable[[], Any]:
    """Return a callable that returns a plain game.

    Args:
        game: a class or function, which is returned as it is; or a game.
        name: the name of `game` in error messages.

    Raises:
        ConfigError: if the class or function cannot be called without arguments.
    """
    if not callable(game) or not (isinstance(game, type) or missing_members(game)):
        return lambda: game
    try:
        inspect.signature(game).bind()
    except TypeError as error:
        raise ConfigError(
            f"{name or game.__name__} cannot be called without arguments ({error}); give an "
            "instance instead, such as GAME = MyGame(...)."
        ) from error
    except ValueError:
        pass  # a builtin without a signature
    maker: Callable[[], Any] = game
    return maker


def name_players(metadata: GameMetadata, players: int | Sequence[str] | None) -> tuple[str, ...]:
    """Return the ids of the players by seat.

    Args:
        metadata: the facts of the game.
        players: their ids; or their number, None for the least, for ids `player_0`, ...

    Raises:
        ConfigError: if the game does not allow this number of players, or an id is empty or occurs
            twice.
    """
    low, high = metadata.min_players, metadata.max_players
    if players is None or isinstance(players, int):
        count = check_range("players", low if players is None else players, low, high)
        return tuple(f"player_{seat}" for seat in range(count))
    ids = tuple(players)
    are_texts = not isinstance(players, str) and all(isinstance(one, str) and one for one in ids)
    if not are_texts or len(set(ids)) != len(ids) or not low <= len(ids) <= high:
        raise ConfigError(
            f"{metadata.name}: players must be an integer from {low} to {high}, or as many "
            f"different ids, got {players!r}."
        )
    return ids


class Bridge:
    """The functions of a plain game's `KernelGame`.

    Attributes:
        make: the callable that returns a game.
        game: a game, for its facts.
        rewards: the function that gives rewards instead of the game's own.
        reader: the reader of records.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        agents: tuple[str, ...],
        rewards: GetRewards | None,
        catalogue: Catalogue | None,
        bots: Mapping[str, Any],
    ) -> None:
        self.make, self.game, self.rewards = make, make(), rewards
        missing = missing_members(self.game)
        if missing:
            raise ConfigError(
                f"a {type(self.game).__name__} is not a game: a game is a name, FILE.py:NAME, a "
                "KernelGame, or a class or object with the members of axiom_gym.game.Game; it has "
                f"no {', '.join(missing)}."
            )
        metadata: GameMetadata = self.game.metadata
        self._metadata = metadata
        self._agents = name_players(metadata, agents or metadata.max_players)
        self._is_fixed = bool(agents) or metadata.min_players == metadata.max_players
        self._catalogue = catalogue
        own: Mapping[str, Any] = getattr(self.game, "bots", {})
        self._bots = {name: AgentBot(name, one) for name, one in {**own, **bots}.items()}
        self._lowest_return = find_lowest_return(self.game)
        self._rules: dict[int, Rules] = {}
        self._known: dict[int, Any] = {}
        self.reader: SessionReader[PlainSession] = SessionReader(self._begin_known)

    def to_kernel_game(self, source: tuple[Callable[..., Any], tuple[Any, ...]]) -> KernelGame:
        """Return the `KernelGame`; see `as_kernel_game`."""
        self.config = self._make_config_class()
        made = KernelGame(
            info=self._make_info(),
            config=self.config,
            presets={},
            layout=self.layout,
            kernel=_load_kernel,
            params=self.params,
            bots=self._bots,
            describe_action=self.describe_action,
            describe_state=self.describe_state,
            describe_sub_action=self.describe_sub_action,
            action_kinds=self.action_kinds,
            lowest_return=None if self._lowest_return is None else self.lowest_return,
            state_dtype=self.state_dtype,
            compiled=False,
            live=_find_match,
            source=source,
        )
        self.config.__reduce__ = functools.partialmethod(_reduce_config, made)
        return made

    def _make_info(self) -> GameInfo:
        name, players = self._metadata.name, len(self._agents)
        by_places = self.rewards is None and not hasattr(self.game, "get_rewards")
        least, most = (-1.0, 1.0) if players > 1 else (float("-inf"), float("inf"))
        return GameInfo(
            name=name,
            version=self._metadata.version,
            title=name.title().replace("_", ""),
            summary=self._metadata.description or "A game in plain Python.",
            agents=self._agents,
            dynamics="sequential",
            chance=True,
            perfect_information=not any(hasattr(self.game, one) for one in ("view", "encode")),
            zero_sum=by_places and players > 1,
            min_outcome=least,
            max_outcome=most,
            max_length=None,
        )

    # -- options -----------------------------------------------------------------------------------

    def _make_config_class(self) -> Any:
        """Return a dataclass of the game's own options and those of every plain game."""
        metadata = self._metadata
        fields = [(name, *_as_field(value)) for name, value in metadata.options.items()]
        own: list[tuple[str, int, int, int]] = [("max_decisions", 0, 0, 2**24)]
        if not self._is_fixed:
            low, high = metadata.min_players, metadata.max_players
            own.append(("players", low, low, high))
        own = [one for one in own if one[0] not in metadata.options]

        def check(config: Any) -> None:
            for name, _, low, high in own:
                check_range(name, getattr(config, name), low, high)
            for name in metadata.options:
                try:
                    to_json(getattr(config, name))
                except GameError as error:
                    raise ConfigError(f"option {name!r} of {metadata.name}: {error}") from error

        fields += [(name, int, default) for name, default, _, _ in own]
        try:
            return dataclasses.make_dataclass(
                "PlainConfig", fields, namespace={"__post_init__": check}, frozen=True, kw_only=True
            )
        except TypeError as error:
            raise ConfigError(f"options of {metadata.name}: {error}") from error

    def options(self, config: Any) -> dict[str, Any]:
        """Return the game's own options as a dict."""
        return {name: getattr(config, name) for name in self._metadata.options}

    def ids(self, config: Any) -> tuple[str, ...]:
        """Return the ids of the players with this configuration, by seat."""
        if self._is_fixed or "players" in self._metadata.options:
            return self._agents
        return self._agents[: config.players]

    def fingerprint(self, config: Any) -> int:
        """Return a hash of the game and its configuration, 0 to 2**64 - 1."""
        facts = [self._metadata.name, self._metadata.version, self._agents]
        text = json.dumps(to_json([*facts, dataclasses.asdict(config)]), sort_keys=True)
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little")

    def lowest_return(self, config: Any) -> float:
        """Return the lowest sum of a player's rewards, as the game declares it."""
        assert self._lowest_return is not None
        return self._lowest_return

    # -- rules and shapes --------------------------------------------------------------------------

    def rules(self, config: Any) -> Rules:
        """Return the rules with these options, which are shared by all readers of records."""
        key = self.fingerprint(config)
        if key not in self._rules:
            self._known[key] = config
            self._rules[key] = Rules(self, config)
        return self._rules[key]

    def find_catalogue(self, rules: Rules) -> Catalogue:
        """Return the numbers of actions; a search for actions runs once per configuration."""
        known = self._rules.get(rules.fingerprint)
        found = known.catalogue if known is not None else self._catalogue
        if found is None:
            found = Catalogue.of(rules.game, rules.players, rules.options)
        if len(found.counts) != len(rules.ids):
            raise ConfigError(
                f"the catalogue is for {len(found.counts)} players, and there are {len(rules.ids)}."
            )
        return found

    def layout(self, config: Any) -> Layout:
        """Return the shapes of observations and actions."""
        rules = self.rules(config)
        return Layout(
            observation_shape=rules.encoder.shape or (0,),
            observation_low=float("-inf"),
            observation_high=float("inf"),
            num_choices=(max(rules.catalogue.counts),),
            num_players=len(rules.ids),
        )

    def state_dtype(self, config: Any) -> np.dtype[Any]:
        """Return the dtype of a record: a history, and each player's reward for its place."""
        rules = self.rules(config)
        results = ("results", np.float32, (len(rules.ids),))
        return history_dtype(rules.room, [results], np.int16 if rules.is_narrow else np.int32)

    def params(self, config: Any) -> Params:
        """Return the parameters of one batch: its own game object, and its live sessions."""
        from axiom_gym.game.bridge_kernel import Params

        self.rules(config)
        return Params(Rules(self, config), self.reader)

    def _begin_known(self, fingerprint: int, seed: int) -> PlainSession:
        from axiom_gym.game.bridge_kernel import PlainSession

        if fingerprint not in self._rules:
            raise StateError(
                f"the configuration of this record of {self._metadata.name} is not known in this "
                "process: make a game with the same options first, as in Batch(...)."
            )
        return PlainSession(self._rules[fingerprint], seed)

    # -- text --------------------------------------------------------------------------------------

    def describe_state(self, state: Any) -> str:
        """Return the state as text, from the game's `describe_state(state)` or `repr`."""
        session = self.reader.find(state)
        describe = getattr(session.rules.game, "describe_state", repr)
        return str(describe(session.progress.state))

    def describe_action(self, state: Any, player: int, sub_actions: Sequence[int]) -> str:
        """Return the game's description of an action."""
        return self.describe_sub_action(state, player, 0, int(sub_actions[0]))

    def describe_sub_action(self, state: Any, player: int, k: int, action: int) -> str:
        """Return the game's description of an action, "action N" if it is out of range."""
        session = self.reader.find(state)
        rules = session.rules
        if not 0 <= action < rules.catalogue.counts[player]:
            return f"action {action}"
        chosen = rules.catalogue.get_action(player, action)
        text: str = rules.game.describe_action(chosen, session.progress.state)
        return text.strip().removesuffix(".")

    def action_kinds(self, config: Any) -> list[list[str]]:
        """Return for each action its `type`, or the action as text if it has none."""
        actions = self.rules(config).catalogue.actions
        longest = max(actions, key=len)
        kinds = (getattr(one, "type", one) for one in longest)
        return [[str(kind) for kind in kinds]]


def _as_field(value: Any) -> tuple[Any, Any]:
    """Return the type and the default of an option."""
    if isinstance(value, bool | int | float | str):
        return type(value), value
    return Any, dataclasses.field(default_factory=lambda: value)


def _reduce_config(config: Any, game: KernelGame) -> tuple[Any, ...]:
    """Pickle options with their game, because no module holds the class of the options."""
    names = [field.name for field in dataclasses.fields(config)]
    return _make_config, (game, {name: getattr(config, name) for name in names})


def _make_config(game: KernelGame, values: dict[str, Any]) -> Any:
    return game.config(**values)


def _find_match(params: Params, state: Any) -> MatchProgress[Any, Any]:
    return params.find(state).progress


def _load_kernel() -> ModuleType:
    from axiom_gym.game import bridge_kernel

    return bridge_kernel
