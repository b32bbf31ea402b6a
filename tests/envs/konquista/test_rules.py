"""Each rule of the card, mostly on the map `island`.

Verrin (2): Torvane Brindle Almery Quell. Dalmoor (3): Dorrim Luntar Pellow Ragnas Istrel. Siska
(2): Orvik Senna Maldir.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from axiom_envs.konquista.config import PRESETS
from axiom_envs.konquista.constants import PHASES
from axiom_gym.kernel import ENDED, RUNNING, TRUNCATED

PRESET_PLAYERS = [("island", 2), ("island", 3), ("classic", 5), ("continent", 4), ("continent", 6)]


# --------------------------------------------------------------------------------------------------
# The start


@pytest.mark.parametrize(("preset", "players"), PRESET_PLAYERS)
def test_start__territories_and_armies_are_dealt(table: Any, preset: str, players: int) -> None:
    game = table(players=players, **PRESETS[preset])
    count = len(game.board.territories)
    dealt = Counter(game.state.owner[:count].tolist())
    assert dealt == {player: len(range(player, count, players)) for player in range(players)}
    assert [game.armies_of(p) for p in range(players)] == list(game.board.armies[players])
    assert (game.state.armies[:count] >= 1).all()
    assert (game.state.owner[count:] == -1).all()
    assert (game.state.armies[count:] == 0).all()


def test_start__seat_0_reinforces_in_turn_1(table: Any) -> None:
    game = table(board="island")
    assert (game.player, game.phase, int(game.state.turn)) == (0, "reinforce", 1)
    assert game.alive() == [True, True]
    assert game.outcome() == [0, 0]


def test_start__depends_on_the_seed_alone(table: Any) -> None:
    first, same, other = table(seed=1), table(seed=1), table(seed=2)
    assert first.state == same.state
    assert (first.state.owner != other.state.owner).any()


# --------------------------------------------------------------------------------------------------
# Reinforce


@pytest.mark.parametrize(
    ("held", "income"),
    [
        (["Torvane"], 3),
        (["Torvane", "Brindle", "Almery", "Orvik", "Senna", "Dorrim", "Luntar", "Pellow"], 3),
        (["Torvane", "Brindle", "Almery", "Quell"], 3 + 2),
        (["Orvik", "Senna", "Maldir", "Torvane", "Brindle", "Almery", "Quell"], 3 + 2 + 2),
    ],
)
def test_income__is_3_and_the_bonus_of_whole_regions(
    table: Any, held: list[str], income: int
) -> None:
    game = table(board="island")
    game.hold(1, phase="fortify", rest=1)
    game.give(0, **dict.fromkeys(held, 1))
    game.play("end")
    assert (game.player, int(game.state.to_place)) == (0, income)


def test_income__is_a_third_of_many_territories(table: Any) -> None:
    game = table(board="classic")
    game.hold(1, phase="fortify", rest=0)
    for region in range(len(game.board.regions)):
        first = next(here for here in game.board.territories if here.region == region)
        game.give(1, **{first.name: 1})
    game.play("end")
    assert int(game.state.to_place) == 19 // 3


def test_place__one_or_all_on_own_territories_until_none_is_left(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="reinforce", Torvane=1, Quell=4)
    game.state.to_place = 5
    assert set(game.choices()) == {"torvane", "torvane 1", "quell", "quell 1"}
    game.play("torvane 1", "quell 1", "torvane 1")
    assert (game.armies("Torvane"), game.armies("Quell")) == (3, 5)
    assert (game.phase, int(game.state.to_place)) == ("reinforce", 2)
    game.play("quell")
    assert (game.armies("Quell"), game.phase, int(game.state.to_place)) == (7, "attack", 0)


def test_place__the_attack_phase_follows_the_last_army(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="reinforce", Torvane=1)
    game.state.to_place = 1
    game.play("torvane 1")
    assert (game.armies("Torvane"), game.phase) == (2, "attack")


# --------------------------------------------------------------------------------------------------
# Attack


def test_attack__needs_2_armies_and_a_foe_next_door(table: Any) -> None:
    game = table(board="island")
    game.hold(0, Torvane=2, Quell=5, Brindle=1)
    assert set(game.choices()) == {"quell > almery", "stop"}


def test_attack__a_roll_has_the_dice_and_losses_of_the_rules(table: Any) -> None:
    game = table(board="island")
    for own in (2, 3, 4, 9):
        for foe in (1, 2, 3, 9):
            for _ in range(4):
                game.hold(0, Almery=own)
                game.give(1, Luntar=foe)
                game.play("almery > luntar")
                check_roll(game, own, foe)


def check_roll(game: Any, own: int, foe: int) -> None:
    """Check that the losses follow from the dice in the log."""
    dice, against = game.rows[1, 2:5].tolist(), game.rows[1, 5:7].tolist()
    rolled = [die for die in dice if die], [die for die in against if die]
    assert [len(side) for side in rolled] == [min(3, own - 1), min(2, foe)]
    assert all(side == sorted(side, reverse=True) for side in (dice, against))
    assert all(1 <= die <= 6 for side in rolled for die in side)
    pairs = list(zip(*rolled, strict=False))
    won = sum(attacker > defender for attacker, defender in pairs)
    lost = len(pairs) - won
    mine, theirs = (" ".join(map(str, side)) for side in rolled)
    text = f"Almery rolls {mine} and loses {lost}, Luntar rolls {theirs} and loses {won}."
    assert game.log[0] == text
    if won == foe:
        assert game.armies("Luntar") == len(rolled[0])
        assert game.armies("Almery") == own - len(rolled[0])
    else:
        assert (game.armies("Almery"), game.armies("Luntar")) == (own - lost, foe - won)


def test_attack__dice_have_all_faces_and_the_attacker_loses_ties(table: Any) -> None:
    game, seen, ties = table(board="island"), Counter[int](), 0
    for _ in range(300):
        game.hold(0, Almery=2)
        game.give(1, Luntar=2)
        game.play("almery > luntar")
        attacker, defender = int(game.rows[1, 2]), int(game.rows[1, 5])
        seen[attacker] += 1
        if attacker == defender:
            ties += 1
            assert (game.armies("Almery"), game.armies("Luntar")) == (1, 2)
    assert set(seen) == {1, 2, 3, 4, 5, 6}
    assert ties > 10


def test_attack__may_continue_anywhere_or_stop(table: Any) -> None:
    game = table(board="island")
    game.hold(0, Almery=30, Maldir=9)
    game.give(1, Luntar=30)
    game.play("almery > luntar", "maldir > senna")
    if game.phase == "advance":
        game.play("hold")
    game.play("almery > luntar", "stop")
    assert game.phase == "fortify"


@pytest.mark.parametrize(("own", "dice"), [(2, 1), (3, 2), (4, 3)])
def test_conquest__as_many_armies_as_dice_move_in(table: Any, own: int, dice: int) -> None:
    game = table(board="island")
    game.conquer(own)
    assert (game.owner("Luntar"), game.armies("Luntar")) == (0, dice)
    assert game.armies("Almery") == own - dice


@pytest.mark.parametrize(("own", "phase"), [(4, "attack"), (5, "advance")])
def test_advance__is_skipped_if_one_army_stays_behind(table: Any, own: int, phase: str) -> None:
    game = table(board="island")
    game.conquer(own)
    assert game.phase == phase


def test_advance__all_but_one_follow(table: Any) -> None:
    game = table(board="island")
    game.conquer(9)
    assert set(game.choices()) == {"advance", "hold"}
    game.play("advance")
    assert (game.armies("Almery"), game.armies("Luntar"), game.phase) == (1, 8, "attack")


def test_hold__leaves_the_armies_where_they_are(table: Any) -> None:
    game = table(board="island")
    game.conquer(9)
    game.play("hold")
    assert (game.armies("Almery"), game.armies("Luntar"), game.phase) == (6, 3, "attack")


def test_blitz__one_attack_rolls_on_to_the_end(table: Any) -> None:
    game, fell = table(board="island", blitz=True), Counter[bool]()
    for _ in range(40):
        game.hold(0, Almery=6)
        game.give(1, Luntar=5)
        game.play("almery > luntar")
        taken = game.owner("Luntar") == 0
        fell[taken] += 1
        if not taken:
            assert game.armies("Almery") == 1
            assert game.armies("Luntar") >= 1
        assert game.phase == ("advance" if taken and game.armies("Almery") > 1 else "attack")
    assert min(fell[True], fell[False]) > 5


# --------------------------------------------------------------------------------------------------
# Fortify, and the end of a turn


def test_fortify__moves_all_but_one_between_own_neighbours(table: Any) -> None:
    game = table(board="island")
    game.hold(0, phase="fortify", Torvane=7, Quell=1, Brindle=2, Maldir=5)
    own = {"torvane > quell", "torvane > brindle", "brindle > torvane", "brindle > quell"}
    assert set(game.choices()) == own | {"end"}
    game.play("torvane > quell")
    assert (game.armies("Torvane"), game.armies("Quell")) == (1, 7)


@pytest.mark.parametrize("key", ["end", "torvane > quell"])
def test_turn__passes_to_the_next_player(table: Any, key: str) -> None:
    game = table(board="island", players=3)
    game.hold(0, phase="fortify", Torvane=2, Quell=1)
    game.give(2, Maldir=1)
    game.play(key)
    assert (game.player, game.phase, int(game.state.turn)) == (1, "reinforce", 2)


def test_turn__skips_eliminated_players(table: Any) -> None:
    game = table(board="island", players=3)
    game.hold(0, rest=2, Almery=40)
    game.give(1, Luntar=1)
    eliminate(game)
    game.play("hold", "stop", "end")
    assert game.player == 2
    game.state.phase = PHASES.index("fortify")
    game.play("end")
    assert game.player == 0


def eliminate(game: Any) -> int:
    return int(game.play_until("almery > luntar", lambda: game.owner("Luntar") == 0))


# --------------------------------------------------------------------------------------------------
# The end


def test_end__an_eliminated_player_is_rewarded_at_once(table: Any) -> None:
    game = table(board="island", players=3)
    game.hold(0, rest=2, Almery=40)
    game.give(1, Luntar=1)
    assert eliminate(game) == RUNNING
    assert game.rewards.tolist() == [0, -1, 0]
    assert game.alive() == [True, False, True]
    assert game.outcome() == [0, 0, 0]
    assert game.phase == "advance"


def test_end__the_winner_and_the_second_are_rewarded_together(table: Any) -> None:
    game = table(board="island", players=3)
    game.hold(0, rest=0, Almery=40)
    game.give(2, Luntar=1)
    game.state.place[1] = 3
    assert eliminate(game) == ENDED
    assert game.rewards.tolist() == [1, 0, 0]
    assert game.outcome() == [1, -1, 0]
    assert (game.phase, game.player) == ("over", 0)


def test_end__of_two_players(table: Any) -> None:
    game = table(board="island")
    game.hold(0, rest=0, Almery=40)
    game.give(1, Luntar=1)
    assert eliminate(game) == ENDED
    assert game.rewards.tolist() == [1, -1]
    assert game.outcome() == [1, -1]


def at_the_limit(table: Any, players: int, holdings: list[dict[str, int]]) -> Any:
    """Return a game on `classic` in its last turn; the last player holds all other territories."""
    game = table(board="classic", players=players, turn_limit=7)
    game.hold(0, phase="fortify", rest=players - 1)
    for player, armies in enumerate(holdings):
        game.give(player, **armies)
    game.state.turn = 7
    return game


def test_limit__ranks_by_territories_and_then_by_armies(table: Any) -> None:
    holdings = [dict(Cael=1, Vesk=1), dict(Odrin=9), dict(Tamber=1, Lorren=2)]
    game = at_the_limit(table, 4, holdings)
    assert game.play("end") == TRUNCATED
    assert game.rewards.tolist() == pytest.approx([-1 / 3, -1, 1 / 3, 1])
    assert game.outcome() == game.rewards.tolist()
    assert game.phase == "over"


def test_limit__equal_players_share_a_rank(table: Any) -> None:
    holdings = [dict(Cael=1, Vesk=3), dict(Odrin=9), dict(Tamber=2, Lorren=2)]
    game = at_the_limit(table, 4, holdings)
    game.play("end")
    assert game.rewards.tolist() == [0, -1, 0, 1]


def test_limit__an_eliminated_player_keeps_its_place_without_a_second_reward(table: Any) -> None:
    game = at_the_limit(table, 4, [dict(Cael=1), {}, dict(Odrin=2)])
    game.state.place[1] = 4
    game.play("end")
    assert game.rewards.tolist() == pytest.approx([-1 / 3, 0, 1 / 3, 1])
    assert game.outcome() == pytest.approx([-1 / 3, -1, 1 / 3, 1])


def test_limit__all_equal_is_a_draw(table: Any) -> None:
    game = at_the_limit(table, 2, [{}])
    for t in range(24):
        game.state.owner[t] = t % 2
    game.play("end")
    assert game.rewards.tolist() == [0, 0]


def test_limit__a_game_of_one_turn(table: Any) -> None:
    game = table(board="island", turn_limit=1)
    assert game.play(next(iter(game.choices())), *["stop"] * (game.phase == "attack")) == RUNNING
    while game.phase != "over":
        code = game.play(list(game.choices())[-1])
    assert code == TRUNCATED
