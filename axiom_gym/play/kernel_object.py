"""The object-level interface of kernel games, and their scripted players as agents."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ConfigError, IllegalActionError, UnknownNameError, UnknownOpponentError
from axiom_gym.game.base import rank
from axiom_gym.game.facts import GameMetadata, KernelGame, Player, PlayerRanking
from axiom_gym.game.joint import MOST_JOINT_ACTIONS, JointActions
from axiom_gym.game.kernel_state import Ended, KernelAction, KernelState, PlayedTurn, SubActions
from axiom_gym.kernel import NO_SUB_ACTION
from axiom_gym.registry import games as registry
from axiom_gym.seeded_rng import SeededRNG


class KernelGameObject:
    """A kernel game with the object-level interface.

    In a sequential game every action is a turn. In a simultaneous game players choose one after the
    other, and the kernel plays the turn after the last choice. The states that agents get do not
    show what other players have chosen; see `view`. Eliminated players are not asked, and get the
    lowest legal sub-actions.

    Random numbers come from the match's generator, whose state is copied into the record for each
    turn. A match with seed s is therefore the same game that a batch plays after `reset(s)`.

    All methods are thread-safe.

    Attributes:
        kernel_game: the kernel game.
        settings: its options, by name.
        metadata: the facts of the game and its options.
    """

    def __init__(self, game: str | KernelGame, preset: str | None = None, **options: Any) -> None:
        """Check the options; nothing is compiled before the first match.

        Args:
            game: the name of a game, or the game itself.
            preset: a named configuration of the game.
            **options: the game's own options; they override those of the preset.

        Raises:
            UnknownGameError: for an unknown game.
            ConfigError: for an option or preset that is not allowed.
        """
        self.kernel_game = registry.get_game(game)
        self._config = config = registry.make_config(self.kernel_game, preset, options)
        settings = {f.name: getattr(config, f.name) for f in dataclasses.fields(config)}
        # "noop" ignores the NO_SUB_ACTION entries of players who have forfeited.
        self._batch = Batch(self.kernel_game, autoreset="disabled", on_illegal="noop", **settings)
        self.settings = settings
        self._joint = JointActions(self._batch.layout.num_choices)
        self._loaded = b""
        self._lock = threading.RLock()
        info = self.kernel_game.info
        self.metadata = GameMetadata(
            name=info.name,
            min_players=self._batch.num_players,
            max_players=self._batch.num_players,
            description=info.summary,
            options=json.loads(json.dumps(dataclasses.asdict(config))),
            version=info.version,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes without the lock, which belongs to this process."""
        return {**self.__dict__, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.RLock())

    @property
    def one_by_one(self) -> bool:
        """True if an action is a single sub-action, because a turn has too many combinations.

        Up to `MOST_JOINT_ACTIONS` combinations, an action holds all sub-actions of a turn.
        """
        return self._joint.count > MOST_JOINT_ACTIONS

    # -- the interface -----------------------------------------------------------------------------

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> KernelState:
        self._check_options(config)
        ids = tuple(player.id for player in players)
        if len(ids) != self._batch.num_players:
            raise ConfigError(
                f"this {self.metadata.name} is for {self._batch.num_players} players, got "
                f"{len(ids)}."
            )
        limit = self.kernel_game.info.max_length
        with self._lock:
            self._batch.reset(rng.state)
            return KernelState(
                kernel_game=self.kernel_game,
                config=self._config,
                game_id=str(config.get("game_id", "")),
                turn=1,
                active_player_id=ids[self._batch.to_act()[0]],
                player_order=ids,
                max_turns=int(config.get("max_turns", 0)) or limit or 0,
                data=self._unload(rng),
                pending=(None,) * len(ids),
                scores=tuple(self._batch.outcomes()[0].tolist()),
            )

    def get_valid_actions(self, state: KernelState, player_id: str) -> list[KernelAction]:
        if state.ended or player_id != state.active_player_id:
            return []
        masks = self._get_masks(state, player_id)
        return self._list_actions(player_id, masks, [len(state.partial)])

    def execute_action(
        self, state: KernelState, action: KernelAction, rng: SeededRNG
    ) -> KernelState:
        self._check_action(state, action)
        chosen = state.partial + action.sub_actions
        if len(chosen) < len(self._joint.num_choices):
            return dataclasses.replace(state, partial=chosen, played=())
        clean = dataclasses.replace(state, partial=(), played=())
        if self.kernel_game.is_sequential:
            return self._play_turn(clean, [chosen], rng)
        seat = state.player_order.index(action.player_id)
        return self._advance(_replace_pending(clean, seat, chosen), seat, rng)

    def is_game_over(self, state: KernelState) -> bool:
        return state.ended != ""

    def get_winner(self, state: KernelState) -> Player | None:
        first = [place.player for place in self.get_rankings(state) if place.rank == 1]
        is_won = bool(state.ended) and len(first) == 1 < len(state.player_order)
        return first[0] if is_won else None

    def get_rankings(self, state: KernelState) -> list[PlayerRanking]:
        players = map(Player, state.player_order)
        return rank(dict(zip(players, state.scores, strict=True)))

    def describe_action(self, action: KernelAction, state: KernelState) -> str:
        """Return a sentence such as "ann: A1 moves N, A2 shields, A3 pulses E."."""
        game, record = self.kernel_game, state.record
        seat = state.player_order.index(action.player_id)
        count = len(self._joint.num_choices)
        if len(action.sub_actions) == count:
            text = game.describe_action(record, seat, action.sub_actions)
            return f"{action.player_id}: {text}."
        k, choice = action.first, action.sub_actions[0]
        describe = game.describe_sub_action
        text = describe(record, seat, k, choice) if describe else f"choice {choice}"
        return f"{action.player_id}: {text} (sub-action {k + 1} of {count})."

    # -- beyond the interface ----------------------------------------------------------------------

    def view(self, state: KernelState, player_id: str) -> KernelState:
        """Return the state for an agent, as if this player were the first to choose.

        It does not show what other players have chosen in the current turn, or which of them have
        chosen. A search can continue from it.
        """
        active = state.active_player_id if player_id in state.eliminated else player_id
        return dataclasses.replace(
            state,
            active_player_id=active,
            pending=(None,) * len(state.player_order),
            partial=state.partial if player_id == state.active_player_id else (),
            played=(),
        )

    def get_all_actions(self, player_id: str, options: Mapping[str, Any]) -> Sequence[KernelAction]:
        """Return all actions of a player, legal or not, in the order of the kernel's choices."""
        choices = self._joint.num_choices
        masks = np.ones((len(choices), max(choices)), np.int8)
        return self._list_actions(player_id, masks, range(len(choices)))

    def bot(self, name: str) -> KernelBot:
        """Return a scripted player of the game as an agent for `GameLoop`.

        Raises:
            UnknownOpponentError: if the game has no such bot.
        """
        names = self._batch.bot_names()
        if name not in names:
            raise UnknownOpponentError(f"bot of {self.metadata.name}", name, names)
        return KernelBot(self, name)

    def ask_bot(self, name: str, state: KernelState, player_id: str, rng: SeededRNG) -> SubActions:
        """Return all sub-actions that a scripted player chooses; it draws from `rng`."""
        with self._lock:
            self._load(state.data)
            seat = state.player_order.index(player_id)
            seats = np.zeros((1, len(state.player_order)), np.int16)
            seats[0, seat] = 1
            stream = self._batch.buffers.streams[0, seat]
            stream.rng = rng.state
            self._batch.act(name, seats, 1)
            rng.state = int(stream.rng)
            return tuple(self._batch.buffers.actions[0, self._batch.view_of(seat)].tolist())

    def encode(self, state: KernelState, player_id: str) -> npt.NDArray[np.float32]:
        """Return a player's observation by the kernel's `observe`, in the layout's shape."""
        with self._lock:
            self._load(state.data)
            seat = state.player_order.index(player_id)
            observation: npt.NDArray[np.float32] = self._batch.views()[seat]
            return observation

    def decode_action(self, entries: Mapping[str, Any], state: KernelState) -> KernelAction:
        """Return the action that the JSON object of a replay stands for."""
        # Files of the format "axiom-gym-match" call the sub-actions "orders".
        chosen = tuple(entries["orders" if "orders" in entries else "sub_actions"])
        kind = "sub_action" if self.one_by_one else "sub_actions"
        return KernelAction(kind, entries["player_id"], chosen, entries["first"])

    def eliminate(self, state: KernelState, player_id: str, rng: SeededRNG) -> KernelState | None:
        """Return the state without a player, who takes no sub-actions from now on.

        Returns None in a sequential game, because its rules cannot skip a player.
        """
        if self.kernel_game.is_sequential:
            return None
        seat = state.player_order.index(player_id)
        without = _replace_pending(
            state, seat, None, eliminated=(*state.eliminated, player_id), played=()
        )
        if state.active_player_id != player_id:
            return without
        return self._advance(dataclasses.replace(without, partial=()), seat, rng)

    # -- playing -----------------------------------------------------------------------------------

    def _advance(self, state: KernelState, seat: int, rng: SeededRNG) -> KernelState:
        """Let the next player after `seat` who has not chosen choose, else play the turn."""
        order = state.player_order
        for place in [*range(seat, len(order)), *range(seat)]:
            if order[place] not in state.eliminated and state.pending[place] is None:
                return dataclasses.replace(state, active_player_id=order[place])
        nothing = (NO_SUB_ACTION,) * len(self._joint.num_choices)
        played = self._play_turn(state, [chosen or nothing for chosen in state.pending], rng)
        while _has_only_eliminated(played):
            played = self._play_turn(played, [nothing] * len(order), rng)
        left = [one for one in order if one not in played.eliminated]
        return dataclasses.replace(played, active_player_id=(left or order)[0])

    def _play_turn(self, state: KernelState, rows: list[SubActions], rng: SeededRNG) -> KernelState:
        """Return the state after a turn. rows: K sub-actions for each of the V who act at once."""
        with self._lock:
            batch, buffers = self._batch, self._batch.buffers
            self._load(state.data)
            buffers.states["rng"] = rng.state
            buffers.actions[0] = rows
            player = batch.to_act()[0] if self.kernel_game.is_sequential else None
            if player is None and state.eliminated:
                gone = ~batch.alive()
                buffers.actions[0, gone] = buffers.masks[0, gone].argmax(axis=2)
            sub_actions = tuple(map(tuple, buffers.actions[0].tolist()))
            masks = buffers.masks[0].copy()
            batch.step()
            ended: Ended = "truncated" if buffers.truncated[0] else ""
            data, order = self._unload(rng), state.player_order
            active = [order[seat] for seat in batch.to_act()] or [state.active_player_id]
            return dataclasses.replace(
                state,
                turn=state.turn + 1,
                active_player_id=active[0],
                eliminated=self._list_eliminated(state),
                data=data,
                played=(*state.played, PlayedTurn(player, sub_actions, masks, data, rng.state)),
                pending=(None,) * len(state.pending),
                ended="terminated" if buffers.terminated[0] else ended,
                fault=int(buffers.episodes["fault"][0]),
                scores=tuple(batch.outcomes()[0].tolist()),
            )

    def _list_eliminated(self, state: KernelState) -> tuple[str, ...]:
        """Return the ids of eliminated players, in the order of their elimination."""
        players = zip(state.player_order, self._batch.alive().tolist(), strict=True)
        new = [one for one, is_alive in players if not is_alive and one not in state.eliminated]
        return (*state.eliminated, *new)

    def _load(self, data: bytes) -> None:
        """Put a state into the batch, and refresh its observations and masks."""
        if not self._loaded:
            self._batch.reset(0)  # the state comes from another object; this batch has not played
        # After a fault the state is the one before the turn, but its episode has ended.
        if self._loaded != data or self._batch.buffers.episodes["ended"][0]:
            states = self._batch.buffers.states
            states[...] = np.frombuffer(data, states.dtype)
            self._batch.buffers.episodes["ended"] = 0
            self._batch.refresh()
            self._loaded = data

    def _unload(self, rng: SeededRNG) -> bytes:
        """Return the bytes of the batch's state, and move its generator's state into `rng`."""
        states = self._batch.buffers.states
        rng.state = int(states["rng"][0])
        states["rng"] = 0
        self._loaded = states.tobytes()
        return self._loaded

    def _list_actions(
        self, player_id: str, masks: npt.NDArray[np.int8], places: Iterable[int]
    ) -> list[KernelAction]:
        """Return the actions that masks (K, N) allow; single sub-actions only at `places`."""
        if self.one_by_one:
            return [
                KernelAction("sub_action", player_id, (choice,), k)
                for k in places
                for choice in np.flatnonzero(masks[k, : self._joint.num_choices[k]]).tolist()
            ]
        joint = np.flatnonzero(self._joint.masks(masks[None])[0])
        chosen = map(tuple, self._joint.sub_actions(joint).tolist())
        return [KernelAction("sub_actions", player_id, row) for row in chosen]

    def _get_masks(self, state: KernelState, player_id: str) -> npt.NDArray[np.int8]:
        """Return a player's action mask, (K, N) int8."""
        with self._lock:
            self._load(state.data)
            view = self._batch.view_of(state.player_order.index(player_id))
            masks: npt.NDArray[np.int8] = self._batch.buffers.masks[0, view].copy()
            return masks

    # -- checks ------------------------------------------------------------------------------------

    def _check_options(self, config: Mapping[str, Any]) -> None:
        """Refuse options that differ from those of this object."""
        own, game = self.metadata.options, self.metadata.name
        for name, value in config.items():
            if name in ("game_id", "max_turns"):
                continue
            if name not in own:
                raise UnknownNameError(f"option of {game}", name, own)
            if value != own[name]:
                raise ConfigError(
                    f"this {game} has {name}={own[name]!r}, and the match asks for {value!r}; make "
                    f"another: KernelGameObject({game!r}, {name}={value!r})."
                )

    def _check_action(self, state: KernelState, action: KernelAction) -> None:
        """Refuse an action that is not valid."""
        if state.ended or action.player_id != state.active_player_id:
            whose = "the game is over" if state.ended else f"it is {state.active_player_id}'s turn"
            raise IllegalActionError(f"{action} is not legal: {whose}.")
        masks = self._get_masks(state, action.player_id)
        k = len(state.partial)
        count = 1 if self.one_by_one else len(masks)
        if action.first != k or len(action.sub_actions) != count:
            raise IllegalActionError(
                f"{action} is not legal: first must be {k}, and the number of sub-actions {count}."
            )
        for place, choice in enumerate(action.sub_actions, start=k):
            legal = np.flatnonzero(masks[place]).tolist()
            if choice not in legal:
                raise IllegalActionError(
                    f"{action} is not legal: sub-action {place} is {choice}; legal are {legal}."
                )


def _replace_pending(
    state: KernelState, seat: int, chosen: SubActions | None, **changes: Any
) -> KernelState:
    """Return the state with the sub-actions of one seat replaced."""
    pending = (*state.pending[:seat], chosen, *state.pending[seat + 1 :])
    return dataclasses.replace(state, pending=pending, **changes)


def _has_only_eliminated(state: KernelState) -> bool:
    """Return True if the game has turns left and all its players are eliminated."""
    at_limit = 0 < state.max_turns < state.turn
    return not (state.ended or at_limit) and len(state.eliminated) == len(state.player_order)


class KernelBot:
    """An agent that acts as the scripted player `name`; `KernelGameObject.bot` makes it.

    Where sub-actions are chosen one by one, it chooses all of them at the first.
    """

    def __init__(self, game: KernelGameObject, name: str) -> None:
        """Make an agent for the states of this game."""
        self.name = name
        self._game = game
        self._planned: SubActions = ()

    def decide(self, state: Any, valid_actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        """Return one of the valid actions."""
        model = valid_actions[0]
        if model.first == 0 or len(self._planned) <= model.first:
            self._planned = self._game.ask_bot(self.name, state, player_id, rng)
        chosen = self._planned[model.first : model.first + len(model.sub_actions)]
        return dataclasses.replace(model, sub_actions=chosen)
