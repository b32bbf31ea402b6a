"""Numbers for the actions of a plain Python game, so that a network can choose among them.

A game may have the method

    get_all_actions(player_id, options) -> Sequence[Action]

which returns all actions that this player can ever have, in an order that means the same for every
player. Otherwise a search finds the actions: random players play games from fixed seeds until no
new action appears. The actions found are sorted, so the catalogue is the same in every process.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from axiom_gym.errors import ActionError, GameError
from axiom_gym.game.canonical import canonical
from axiom_gym.game.facts import Game, Player
from axiom_gym.game.progress import MatchProgress
from axiom_gym.seeded_rng import SeededRNG

MOST_ACTIONS = 65536
"""The most actions of a player; more cannot be learned as a single choice."""

DECISIONS = 100_000
"""The most decisions of a search for actions."""

_ENOUGH = 2000
"""The least decisions of a search. Also, 7 of 8 of them must have passed without a new action."""
_LONGEST = 2000
"""The most decisions of one game in a search, because a game may never end."""
_REMEDY = "give the game get_all_actions(player_id, options) with all actions"


class Catalogue:
    """All actions of a game, by number.

    Attributes:
        actions: for each seat, all actions of its player.
        counts: the number of actions for each seat.
    """

    def __init__(self, name: str, actions: Sequence[Sequence[Any]]) -> None:
        """Assign numbers to the actions in the given order.

        Args:
            name: the name of the game.
            actions: for each seat, all actions of its player.

        Raises:
            GameError: for an action that is not hashable or is listed twice, and for a player with
                no action or more than `MOST_ACTIONS`.
        """
        self._name = name
        self.actions = [list(own) for own in actions]
        self._numbers = [self._number(own) for own in self.actions]
        self.counts = tuple(map(len, self.actions))

    def _number(self, actions: list[Any]) -> dict[Any, int]:
        if not 0 < len(actions) <= MOST_ACTIONS:
            raise GameError(
                f"{self._name}: there must be 1 to {MOST_ACTIONS} different actions for each "
                f"player, got {len(actions)}; let a player choose in several steps."
            )
        numbers: dict[Any, int] = {}
        for number, action in enumerate(actions):
            if numbers.setdefault(_check_hashable(self._name, action), number) != number:
                raise GameError(f"{self._name}: {action!r} occurs twice among all actions.")
        return numbers

    def get_action(self, seat: int, number: int) -> Any:
        """Return the action with this number.

        Raises:
            ActionError: if the number is out of range.
        """
        actions = self.actions[seat]
        if 0 <= number < len(actions):
            return actions[number]
        raise ActionError(
            f"{self._name}: an action is a number from 0 to {len(actions) - 1}, got {number}."
        )

    def find(self, seat: int, valid_actions: Sequence[Any]) -> list[int]:
        """Return the numbers of legal actions.

        Raises:
            GameError: for an action that is not in the catalogue.
        """
        numbers = self._numbers[seat]
        try:
            return [numbers[action] for action in valid_actions]
        except KeyError:
            (new, *_) = [action for action in valid_actions if action not in numbers]
        raise GameError(
            f"{self._name}: {new!r} is none of the {len(numbers)} actions that were found when the "
            f"environment was made; {_REMEDY}, or search longer: "
            "Catalogue.search(game, players, options, decisions=...), handed over as catalogue=..."
        )

    @classmethod
    def of(
        cls, game: Game[Any, Any], players: Sequence[Player], options: Mapping[str, Any]
    ) -> Catalogue:
        """Return the catalogue of `get_all_actions`, or search if the game has no such method.

        Raises:
            GameError: for the reasons of the constructor or of `search`.
        """
        list_actions = getattr(game, "get_all_actions", None)
        if list_actions is None:
            return cls.search(game, players, options)
        return cls(game.metadata.name, [list_actions(one.id, options) for one in players])

    @classmethod
    def search(
        cls,
        game: Game[Any, Any],
        players: Sequence[Player],
        options: Mapping[str, Any],
        decisions: int = DECISIONS,
    ) -> Catalogue:
        """Return the actions that appear in games of random players with seeds 0, 1, 2, ...

        An action whose `player_id` is the acting player exists for every player, with one number.

        Raises:
            GameError: for an action that is not hashable or has no canonical form, and for more
                than `MOST_ACTIONS` actions.
        """
        found = _Search(game, tuple(players), options)
        seed = 0
        while found.seen < decisions and not found.is_enough:
            found.play(seed, decisions)
            seed += 1
        kept = sorted(found.kept, key=lambda action: _order(canonical(action)))
        return cls(game.metadata.name, [[_hand_to(one, a) for a in kept] for one in players])


class _Search:
    """A search that plays at random and keeps each action once.

    An action that names the acting player is kept as one of the first player.
    """

    def __init__(
        self, game: Game[Any, Any], players: tuple[Player, ...], options: Mapping[str, Any]
    ) -> None:
        self._game, self._players, self._options = game, players, options
        self.kept: dict[Any, None] = {}
        self._known: set[Any] = set()
        self.seen = self._newest = 0

    @property
    def is_enough(self) -> bool:
        return self.seen >= max(_ENOUGH, 8 * self._newest)

    def play(self, seed: int, decisions: int) -> None:
        """Play one game, up to the limits of decisions."""
        progress = MatchProgress(self._game, self._players, self._options, seed=seed)
        draws = SeededRNG(seed).fork(1)
        until = min(self.seen + _LONGEST, decisions)
        self.seen += 1  # also counts a game that is over at once, so that the search ends
        while progress.reason is None and self.seen < until:
            mover, actions = progress.get_mover()
            self.seen += 1
            for action in actions:
                self._keep(mover, action)
            progress.advance(draws.pick(actions))

    def _keep(self, mover: str, action: Any) -> None:
        name = self._game.metadata.name
        if _check_hashable(name, action) in self._known:
            return
        self._known.add(action)
        if getattr(action, "player_id", None) == mover:
            action = _hand_to(self._players[0], action)
        if action not in self.kept:
            self.kept[action] = None
            self._newest = self.seen
        if len(self.kept) > MOST_ACTIONS:
            raise GameError(
                f"{name}: there are more than {MOST_ACTIONS} different actions; let a player "
                f"choose in several steps, or {_REMEDY} that count."
            )


def _hand_to(player: Player, action: Any) -> Any:
    """Return an action with this player as `player_id`; unchanged if it has no such field."""
    fields = getattr(action, "__dataclass_fields__", {})
    if "player_id" not in fields or action.player_id == player.id:
        return action
    return dataclasses.replace(action, player_id=player.id)


def _check_hashable(name: str, action: Any) -> Any:
    try:
        hash(action)
    except TypeError:
        raise GameError(
            f"{name}: the action {action!r} is not hashable and cannot be numbered; make actions "
            "of frozen dataclasses, tuples, numbers and strings."
        ) from None
    return action


def _order(form: Any) -> tuple[Any, ...]:
    """Return the sort key of a canonical form: numbers by size, lists entry by entry."""
    if form is None:
        return (0,)
    if isinstance(form, bool | int | float):
        return 1, form
    if isinstance(form, str):
        return 2, form
    if isinstance(form, list):
        return (3, *map(_order, form))
    return (4, *((key, _order(value)) for key, value in form.items()))
