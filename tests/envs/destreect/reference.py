"""A slow reference implementation of Destreect, written from the rules and not from the kernel.

A game is a generator: it yields the acting seat and its legal actions, and is sent a decision as
users type it. Its dice and its deck come from a `SeededRNG`.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from axiom_gym.seeded_rng import SeededRNG

Ask = Generator[tuple[int, set[str]], str, Any]


class OverError(Exception):
    """The game has ended."""


@dataclass
class Deed:
    data: Any
    place: int
    owner: Any = None
    houses: int = 0
    mortgaged: bool = False


@dataclass
class Player:
    seat: int
    cash: int
    place: int = 0
    fails: int | None = None  # failed rolls in the lock-up; None: free
    bankrupt: bool = False
    reward: Fraction | None = None

    def __bool__(self) -> bool:
        return not self.bankrupt


@dataclass
class Reference:
    board: Any
    config: Any
    seed: int
    players: list[Player] = field(default_factory=list)
    turns: int = 0
    truncated: bool = False
    over: bool = False
    bid: int = 0
    owed: int = 0

    def __post_init__(self) -> None:
        self.rng = SeededRNG(self.seed)
        config = self.config
        self.players = [
            Player(seat, config.start_cash + seat * config.seat_bonus)
            for seat in range(config.players)
        ]
        self.deeds = {
            place: Deed(space, place)
            for place, space in enumerate(self.board.spaces)
            if space.rents or space.price
        }
        self.deck = self.rng.shuffle(list(self.board.cards))

    # -- turns -----------------------------------------------------------------------------------

    def run(self) -> Ask:
        try:
            me = self.players[0]
            while True:
                doubles = 0
                while True:
                    self.turns += 1
                    doubles = yield from self.turn(me, doubles)
                    if self.turns == self.config.turn_limit:
                        self.rank()
                    if not doubles or me.bankrupt:
                        break
                me = self.after(me)[0]
        except OverError:
            self.over = True

    def after(self, me: Player) -> list[Player]:
        """Return the opponents who are not bankrupt, from the next seat on."""
        around = self.players[me.seat + 1 :] + self.players[: me.seat]
        return [other for other in around if other]

    def turn(self, me: Player, doubles: int) -> Ask:
        """Play a turn; return the player's doubles in a row, 0 for no further turn."""
        fee = self.config.lockup_fee
        choice = yield (
            me.seat,
            {"roll", *(["pay"] if me.fails is not None and me.cash >= fee else [])},
        )
        if choice == "pay":
            me.cash -= fee
            me.fails = None
            yield me.seat, {"roll"}
        first, second = self.rng.range(1, 6), self.rng.range(1, 6)
        if me.fails is not None:
            doubles = 0
            me.fails += 1
            if first != second and me.fails < 3:
                yield from self.manage(me)
                return 0
            failed = first != second
            me.fails = None
            if failed:
                yield from self.owe(me, None, fee)
                if me.bankrupt:
                    return 0
        else:
            doubles = doubles + 1 if first == second else 0
        if doubles == 3:
            self.lock(me)
        else:
            self.forward(me, first + second)
            yield from self.land(me)
        if me.bankrupt:
            return 0
        locked = me.fails is not None
        yield from self.manage(me)
        return 0 if locked else doubles

    def rank(self) -> None:
        remaining = [one for one in self.players if one]
        worths = sorted((self.worth(one) for one in remaining), reverse=True)
        for one in remaining:
            places = [i for i, worth in enumerate(worths) if worth == self.worth(one)]
            shares = [self.pay_of(place) for place in places]
            one.reward = sum(shares, Fraction(0)) / len(shares)
        self.truncated = True
        raise OverError

    def pay_of(self, place: int) -> Fraction:
        return 1 - Fraction(2 * place, len(self.players) - 1)

    def worth(self, one: Player) -> int:
        total = one.cash
        for deed in self.of(one):
            total += deed.data.price // 2 if deed.mortgaged else deed.data.price
            total += deed.houses * (deed.data.house_cost // 2)
        return total

    # -- moving ----------------------------------------------------------------------------------

    def forward(self, me: Player, steps: int) -> None:
        for _ in range(steps):
            me.place = (me.place + 1) % len(self.board.spaces)
            if me.place == 0:
                me.cash += self.config.start_pay

    def lock(self, me: Player) -> None:
        parks = [i for i, space in enumerate(self.board.spaces) if self.kind(i) == "park"]
        me.place, me.fails = parks[0], 0

    def kind(self, place: int) -> str:
        names = ("start", "street", "line", "fate", "tax", "park", "detour")
        return names[self.board.spaces[place].kind]

    def land(self, me: Player) -> Ask:
        kind = self.kind(me.place)
        if kind == "fate":
            card = self.deck.pop(0)
            self.deck.append(card)
            yield from self.carry_out(me, card)
        elif kind == "tax":
            yield from self.owe(me, None, self.board.spaces[me.place].amount)
        elif kind == "detour":
            self.lock(me)
        elif me.place in self.deeds:
            deed = self.deeds[me.place]
            if deed.owner is None:
                yield from self.sell(me, deed)
            elif deed.owner is not me and not deed.mortgaged:
                yield from self.owe(me, deed.owner, self.rent(deed))

    def carry_out(self, me: Player, card: Any) -> Ask:
        kind = ("cash", "move", "lockup", "repairs", "collect")[card.kind]
        if kind == "cash" and card.amount >= 0:
            me.cash += card.amount
        elif kind == "cash":
            yield from self.owe(me, None, -card.amount)
        elif kind == "move":
            self.forward(me, (card.space - me.place) % len(self.board.spaces))
            yield from self.land(me)
        elif kind == "lockup":
            self.lock(me)
        elif kind == "repairs":
            yield from self.owe(me, None, card.amount * sum(d.houses for d in self.of(me)))
        else:
            for other in self.after(me):
                yield from self.owe(other, me, card.amount)

    # -- deeds -----------------------------------------------------------------------------------

    def of(self, one: Player) -> list[Deed]:
        return [deed for deed in self.deeds.values() if deed.owner is one]

    def district(self, deed: Deed) -> list[Deed]:
        """Return the streets of the deed's district, or all lines for a line."""
        return [d for d in self.deeds.values() if d.data.district == deed.data.district]

    def rent(self, deed: Deed) -> int:
        group = self.district(deed)
        held = sum(d.owner is deed.owner for d in group)
        if not deed.data.district:
            return self.board.line_rents[held - 1]
        rent = deed.data.rents[deed.houses]
        return 2 * rent if held == len(group) and deed.houses == 0 else rent

    def sell(self, me: Player, deed: Deed) -> Ask:
        price = deed.data.price
        choice = yield me.seat, {"decline", *(["buy"] if me.cash >= price else [])}
        if choice == "buy":
            me.cash -= price
            deed.owner = me
        else:
            yield from self.auction(me, deed)

    def auction(self, me: Player, deed: Deed) -> Ask:
        bidders, best, raises = [*self.after(me), me], None, 0
        self.bid = 0
        while bidders and bidders != [best]:
            one = bidders.pop(0)
            left = one.cash - self.bid if raises < self.config.action_limit else 0
            legal = {"pass"} | {f"raise {by}" for by in (10, 50) if by <= left}
            choice = yield one.seat, legal
            if choice != "pass":
                self.bid += int(choice.split()[1])
                best, raises = one, raises + 1
                bidders.append(one)
        if best is not None:
            best.cash -= self.bid
            deed.owner = best
        self.bid = 0

    def manage(self, me: Player) -> Ask:
        for _ in range(self.config.action_limit):
            legal = {"end", *self.raising(me), *self.spending(me)}
            choice = yield me.seat, legal
            if choice == "end":
                return
            self.act(me, choice)
        yield me.seat, {"end"}

    def raising(self, me: Player) -> set[str]:
        legal = set()
        for deed in self.of(me):
            houses = [d.houses for d in self.district(deed)]
            if deed.houses and deed.houses == max(houses):
                legal.add(f"sell {deed.place}")
            if not deed.mortgaged and not any(houses):
                legal.add(f"mortgage {deed.place}")
        return legal

    def spending(self, me: Player) -> set[str]:
        legal = set()
        for deed in self.of(me):
            group = self.district(deed)
            if deed.mortgaged and me.cash >= self.redemption(deed):
                legal.add(f"redeem {deed.place}")
            whole = all(d.owner is me and not d.mortgaged for d in group)
            evenly = deed.houses == min(d.houses for d in group) and deed.houses < 4
            if deed.data.district and whole and evenly and me.cash >= deed.data.house_cost:
                legal.add(f"build {deed.place}")
        return legal

    def redemption(self, deed: Deed) -> int:
        loan = deed.data.price // 2
        return loan + -(-loan // 10)

    def act(self, me: Player, choice: str) -> None:
        verb, _, place = choice.partition(" ")
        deed = self.deeds[int(place)]
        if verb == "build":
            me.cash -= deed.data.house_cost
            deed.houses += 1
        elif verb == "sell":
            me.cash += deed.data.house_cost // 2
            deed.houses -= 1
        elif verb == "mortgage":
            me.cash += deed.data.price // 2
            deed.mortgaged = True
        else:
            me.cash -= self.redemption(deed)
            deed.mortgaged = False

    # -- debts -----------------------------------------------------------------------------------

    def owe(self, me: Player, creditor: Player | None, amount: int) -> Ask:
        while me.cash < amount:
            legal = self.raising(me)
            if not legal:
                self.ruin(me, creditor)
                return
            self.owed = amount
            choice = yield me.seat, legal
            self.owed = 0
            self.act(me, choice)
        me.cash -= amount
        if creditor is not None:
            creditor.cash += amount

    def ruin(self, me: Player, creditor: Player | None) -> None:
        remaining = [one for one in self.players if one]
        me.reward = self.pay_of(len(remaining) - 1)
        if creditor is not None:
            creditor.cash += me.cash
        me.cash = 0
        for deed in self.of(me):
            deed.owner = creditor
            deed.mortgaged = deed.mortgaged and creditor is not None
        me.bankrupt, me.fails = True, None
        if len(remaining) == 2:
            (winner,) = (one for one in self.players if one)
            winner.reward = Fraction(1)
            raise OverError
