"""Every kernel game as a `Game` of objects, from its kernel, its facts and its action codec."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import (
    ConfigError,
    IllegalActionError,
    UnknownNameError,
    UnknownOpponentError,
)
from axiom_gym.game.base import rank
from axiom_gym.game.facts import GameMetadata, KernelGame, Player, PlayerRanking
from axiom_gym.game.joint import MOST_JOINT_ACTIONS, JointActions
from axiom_gym.game.kernel_state import KernelAction, KernelState, Orders, PlayedTurn
from axiom_gym.kernel import NO_SUB_ACTION
from axiom_gym.play.kernel_bot import KernelBot
from axiom_gym.registry import games as registry
from axiom_gym.seeded_rng import SeededRNG


class KernelGameObject:
    """A kernel game by the object-level interface.

    In a sequential game an action is played when it is given, and a turn is one decision. Players
    of a simultaneous game give their orders one after the other, and the turn is played when the
    last has given them; no state that an agent gets holds what others have ordered meanwhile: see
    `view`. Who is out by the rules is not asked, and gets the lowest legal orders. Chance comes
    from the match's generator, whose state the kernel takes on for a turn; a match with seed s
    thereby is the very game that a batch plays after `reset(s)`.

    All methods may be called from several threads.
    """

    def __init__(self, game: str | KernelGame, preset: str | None = None, **options: Any) -> None:
        """Nothing is compiled before the first match.

        Args:
            game: a game's name, or the game itself.
            preset: a named configuration of the game.
            **options: the game's own options, over those of the preset.

        Raises:
            UnknownGameError: for an unknown game.
            ConfigError: for an option or preset that is not allowed.
        """
        self._game = registry.get_game(game)
        self._info = self._game.info
        self._config = registry.make_config(self._game, preset, options)
        values = {f.name: getattr(self._config, f.name) for f in dataclasses.fields(self._config)}
        # An eliminated player's orders are left out, which is what "noop" does with illegal ones.
        self._batch = Batch(self._game, autoreset="disabled", on_illegal="noop", **values)
        self._joint = JointActions(self._batch.layout.num_choices)
        self._loaded = b""
        self._lock = threading.RLock()
        self._metadata = GameMetadata(
            name=self._info.name,
            min_players=self._batch.num_players,
            max_players=self._batch.num_players,
            description=self._info.summary,
            options=json.loads(json.dumps(dataclasses.asdict(self._config))),
            version=self._info.version,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Without the lock, which belongs to this process."""
        return {**self.__dict__, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()

    @property
    def metadata(self) -> GameMetadata:
        return self._metadata

    @property
    def kernel_game(self) -> KernelGame:
        """The game of the kernel."""
        return self._game

    @property
    def one_by_one(self) -> bool:
        """Whether an action is a single order, because a turn's orders have too many combinations.

        Up to `MOST_JOINT_ACTIONS` an action is all orders of a turn.
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
                f"this {self._info.name} is for {self._batch.num_players} players, got {len(ids)}."
            )
        with self._lock:
            self._batch.reset(rng.state)
            first = self._batch.to_act()[0]
            return KernelState(
                kernel_game=self._game,
                config=self._config,
                game_id=str(config.get("game_id", "")),
                turn=1,
                active_player_id=ids[first],
                player_order=ids,
                max_turns=int(config.get("max_turns", 0)) or self._info.max_length or 0,
                data=self._unload(rng),
                pending=(None,) * len(ids),
                scores=tuple(self._batch.outcomes()[0].tolist()),
            )

    def get_valid_actions(self, state: KernelState, player_id: str) -> list[KernelAction]:
        if state.ended or player_id != state.active_player_id:
            return []
        masks = self._get_masks(state, player_id)
        if self.one_by_one:
            k = len(state.partial)
            orders = np.flatnonzero(masks[k]).tolist()
            return [KernelAction("order", player_id, (order,), k) for order in orders]
        joint = np.flatnonzero(self._joint.masks(masks[None])[0])
        rows = self._joint.sub_actions(joint).tolist()
        return [KernelAction("orders", player_id, tuple(row)) for row in rows]

    def execute_action(
        self, state: KernelState, action: KernelAction, rng: SeededRNG
    ) -> KernelState:
        self._check_action(state, action)
        given = state.partial + action.orders
        if len(given) < len(self._joint.num_choices):
            return dataclasses.replace(state, partial=given, played=())
        seat = state.player_order.index(action.player_id)
        if self._game.is_sequential:
            clean = dataclasses.replace(state, partial=(), played=())
            return self._play_turn(clean, [given], rng)
        pending = (*state.pending[:seat], given, *state.pending[seat + 1 :])
        clean = dataclasses.replace(state, pending=pending, partial=(), played=())
        return self._go_on(clean, seat, rng)

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
        """Such as "ann: A1 moves N, A2 shields, A3 pulses E."."""
        seat = state.player_order.index(action.player_id)
        count = len(self._joint.num_choices)
        if len(action.orders) == count:
            text = self._game.describe_action(state.record, seat, action.orders)
            return f"{action.player_id}: {text}."
        k, order = action.first, action.orders[0]
        describe = self._game.describe_sub_action
        text = describe(state.record, seat, k, order) if describe else f"choice {order}"
        return f"{action.player_id}: {text} (order {k + 1} of {count})."

    # -- beyond the interface ----------------------------------------------------------------------

    def view(self, state: KernelState, player_id: str) -> KernelState:
        """The state as an agent gets it: as if this player were the first to give orders.

        It tells nothing of others' orders in the present turn, not even who has given them, and can
        be played on from, as a search does.
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
        """All that a player may ever do, in the order of the kernel's choices."""
        if self.one_by_one:
            choices = enumerate(self._joint.num_choices)
            return [KernelAction("order", player_id, (n,), k) for k, c in choices for n in range(c)]
        rows = self._joint.sub_actions(np.arange(self._joint.count)).tolist()
        return [KernelAction("orders", player_id, tuple(row)) for row in rows]

    def bot(self, name: str) -> KernelBot:
        """A scripted player of the game as an agent of `GameLoop`.

        Raises:
            UnknownOpponentError: if the game has no such bot.
        """
        if name not in self._batch.bot_names():
            raise UnknownOpponentError(f"bot of {self._info.name}", name, self._batch.bot_names())
        return KernelBot(self, name)

    def ask_bot(self, name: str, state: KernelState, player_id: str, rng: SeededRNG) -> Orders:
        """All the orders that a scripted player gives now; its chance comes from `rng`."""
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
        """What a player may see, by the kernel's `observe`; in the shape of the layout."""
        with self._lock:
            self._load(state.data)
            seat = state.player_order.index(player_id)
            seen: npt.NDArray[np.float32] = self._batch.views()[seat]
            return seen

    def decode_action(self, entries: Mapping[str, Any], state: KernelState) -> KernelAction:
        """The action that a replay's JSON stands for."""
        return KernelAction(
            type=entries["type"],
            player_id=entries["player_id"],
            orders=tuple(entries["orders"]),
            first=entries["first"],
        )

    def eliminate(self, state: KernelState, player_id: str, rng: SeededRNG) -> KernelState | None:
        """The state without a player, whose orders are left out from now on.

        None in a sequential game, whose rules know no such thing.
        """
        if self._game.is_sequential:
            return None
        seat = state.player_order.index(player_id)
        pending = (*state.pending[:seat], None, *state.pending[seat + 1 :])
        without = dataclasses.replace(
            state, eliminated=(*state.eliminated, player_id), pending=pending, played=()
        )
        if state.active_player_id != player_id:
            return without
        return self._go_on(dataclasses.replace(without, partial=()), seat, rng)

    # -- playing -----------------------------------------------------------------------------------

    def _go_on(self, state: KernelState, seat: int, rng: SeededRNG) -> KernelState:
        """To the next player who has no orders yet, else to the next turn."""
        order = state.player_order
        for place in [*range(seat, len(order)), *range(seat)]:
            if order[place] not in state.eliminated and state.pending[place] is None:
                return dataclasses.replace(state, active_player_id=order[place])
        nothing = (NO_SUB_ACTION,) * len(self._joint.num_choices)
        played = self._play_turn(state, [orders or nothing for orders in state.pending], rng)
        while _is_deserted(played):
            played = self._play_turn(played, [nothing] * len(order), rng)
        left = [one for one in order if one not in played.eliminated]
        return dataclasses.replace(played, active_player_id=(left or order)[0])

    def _play_turn(self, state: KernelState, rows: list[Orders], rng: SeededRNG) -> KernelState:
        """The state after all who act at once have ordered this. rows: V lists of K orders."""
        with self._lock:
            batch, buffers = self._batch, self._batch.buffers
            self._load(state.data)
            buffers.states["rng"] = rng.state
            buffers.actions[0] = rows
            if not self._game.is_sequential and state.eliminated:
                out = ~batch.alive()
                buffers.actions[0, out] = buffers.masks[0, out].argmax(axis=2)
            player = batch.to_act()[0] if self._game.is_sequential else None
            orders = tuple(map(tuple, buffers.actions[0].tolist()))
            masks = buffers.masks[0].copy()
            batch.step()
            is_truncated, data = bool(buffers.truncated[0]), self._unload(rng)
            return dataclasses.replace(
                state,
                turn=state.turn + 1,
                active_player_id=self._next_active(state),
                eliminated=self._eliminated(state),
                data=data,
                played=(*state.played, PlayedTurn(player, orders, masks, data, rng.state)),
                pending=(None,) * len(state.pending),
                ended=(
                    "terminated" if buffers.terminated[0] else "truncated" if is_truncated else ""
                ),
                fault=int(buffers.episodes["fault"][0]),
                scores=tuple(batch.outcomes()[0].tolist()),
            )

    def _next_active(self, state: KernelState) -> str:
        """Who acts after the turn just played; the same player as before where nobody does."""
        to_act = self._batch.to_act()
        return state.player_order[to_act[0]] if to_act else state.active_player_id

    def _eliminated(self, state: KernelState) -> tuple[str, ...]:
        """Who is out, in the order in which they went."""
        gone = zip(state.player_order, self._batch.alive().tolist(), strict=True)
        new = [one for one, is_in in gone if not is_in and one not in state.eliminated]
        return (*state.eliminated, *new)

    def _load(self, data: bytes) -> None:
        """Puts a state into the batch, with its observations and masks."""
        if not self._loaded:
            self._batch.reset(0)  # the state comes from another object: nothing was played here
        # After a fault the position is the one before it, but its episode has ended.
        if self._loaded != data or self._batch.buffers.episodes["ended"][0]:
            states = self._batch.buffers.states
            states[...] = np.frombuffer(data, states.dtype)
            self._batch.buffers.episodes["ended"] = 0
            self._batch.refresh()
            self._loaded = data

    def _unload(self, rng: SeededRNG) -> bytes:
        """Takes the state out of the batch, and hands its generator back to the match."""
        states = self._batch.buffers.states
        rng.state = int(states["rng"][0])
        states["rng"] = 0
        self._loaded = states.tobytes()
        return self._loaded

    def _get_masks(self, state: KernelState, player_id: str) -> npt.NDArray[np.int8]:
        """(K, N) int8, 1 = legal."""
        with self._lock:
            self._load(state.data)
            seat = state.player_order.index(player_id)
            view = self._batch.view_of(seat)
            masks: npt.NDArray[np.int8] = self._batch.buffers.masks[0, view].copy()
            return masks

    # -- checks ------------------------------------------------------------------------------------

    def _check_options(self, config: Mapping[str, Any]) -> None:
        """A match may name the options, but they are those of this object."""
        own = self._metadata.options
        for name, value in config.items():
            if name in ("game_id", "max_turns"):
                continue
            if name not in own:
                raise UnknownNameError(f"option of {self._info.name}", name, own)
            if value != own[name]:
                raise ConfigError(
                    f"this {self._info.name} has {name}={own[name]!r}, and the match asks for "
                    f"{value!r}; make another: KernelGameObject({self._info.name!r}, "
                    f"{name}={value!r})."
                )

    def _check_action(self, state: KernelState, action: KernelAction) -> None:
        """Refuses what is not one of the valid actions."""
        if state.ended or action.player_id != state.active_player_id:
            whose = "the game is over" if state.ended else f"it is {state.active_player_id}'s turn"
            raise IllegalActionError(f"{action} is not legal: {whose}.")
        masks = self._get_masks(state, action.player_id)
        k = len(state.partial)
        count = 1 if self.one_by_one else len(masks)
        if action.first != k or len(action.orders) != count:
            raise IllegalActionError(
                f"{action} is not legal: {count} orders are to be given, from order {k} on."
            )
        for place, order in enumerate(action.orders, start=k):
            legal = np.flatnonzero(masks[place]).tolist()
            if order not in legal:
                raise IllegalActionError(
                    f"{action} is not legal: order {place} is {order}; legal are {legal}."
                )


def _is_deserted(state: KernelState) -> bool:
    """Whether a game has turns left, and nobody who could be asked for orders."""
    at_limit = 0 < state.max_turns < state.turn
    return not (state.ended or at_limit) and len(state.eliminated) == len(state.player_order)
