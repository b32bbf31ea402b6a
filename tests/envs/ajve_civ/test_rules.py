"""Tests of each rule of the card, and of the options that change them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.ajve_civ import rules
from axiom_envs.ajve_civ.state import score_of
from axiom_gym.kernel import ENDED, ILLEGAL, RUNNING
from axiom_gym.seeded_rng import SeededRNG

PLAIN = [2, 2, 2, 2, 2, 2, 3, 3, 0]
"""A people at the start: six values, population, yield, alive."""

ORDER = ["discover", "conquer", "expand", "exchange", "consent", "develop"]

# --------------------------------------------------------------------------------------------------
# Start, schedule, end


def test_start__all_peoples_are_alike(table: Any) -> None:
    game = table(players=3)
    people = [2, 2, 2, 2, 2, 2, 3, 3, 0]
    assert game.world() == [20, [[0] * 3] * 3, [people] * 3]


def test_start__options_change_it(table: Any) -> None:
    game = table(players=2, start_value=-1, start_population=5, start_yield=7, start_world_yield=-8)
    people = [-1, -1, -1, -1, -1, -1, 5, 7, 0]
    assert game.world() == [-8, [[0] * 2] * 2, [people] * 2]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, range(0, 100, 10)),
        ({"duration": 25, "inflection_period": 7}, [0, 7, 14, 21]),
        ({"duration": 4, "inflection_period": 1}, range(4)),
        ({"duration": 30, "inflections": False}, []),
    ],
)
def test_schedule__every_period_has_an_inflection_first(
    table: Any, options: dict[str, Any], expected: Any
) -> None:
    game, found, steps, code = table(players=2, **options), [], 0, RUNNING
    while code == RUNNING:
        if rules.is_inflection(game.state, game.params):
            found.append(steps)
        code = game.step([game.state.offer[0, 0], game.state.offer[1, 0]])
        steps += 1
    assert (code, steps) == (ENDED, options.get("duration", 100))
    assert found == list(expected)


# --------------------------------------------------------------------------------------------------
# Offers


def test_offers__of_a_turn_draw_six_numbers_for_each_people_including_the_dead(table: Any) -> None:
    game = table(seed=77, players=3)
    game.state.death[1] = 5
    generator = SeededRNG(77)
    assert game.state.rng == generator.state
    for _ in range(9):
        game.step([game.state.offer[player, 0] for player in range(3)])
        for player in range(3):
            names = list(ORDER)
            for place in range(6, 0, -1):
                other = generator.below(place)
                names[place - 1], names[other] = names[other], names[place - 1]
            assert game.offered(player) == names[:3]
        assert game.state.rng == generator.state
    game.step([game.state.offer[player, 0] for player in range(3)])
    assert rules.is_inflection(game.state, game.params)
    assert game.state.rng == generator.state


def test_offers__of_an_inflection_are_the_highest_with_ties_in_order(table: Any) -> None:
    game = table(players=2)
    game.state["values"][0] = [1, 4, -2, 4, 9, 1]
    rules.make_offers(game.state, game.params)
    assert game.offered(0) == ["consent", "conquer", "exchange"]
    assert game.offered(1) == ["discover", "conquer", "expand"]


@pytest.mark.parametrize("options", [{"inflection_offer": "random"}, {"rules": "text"}])
def test_offers__of_an_inflection_may_be_random(table: Any, options: dict[str, Any]) -> None:
    offers = {tuple(table(seed, players=2, **options).offered(0)) for seed in range(20)}
    assert len(offers) > 10


@pytest.mark.parametrize("size", range(1, 7))
def test_offers__are_as_many_as_offer_size(table: Any, size: int) -> None:
    game = table(players=2, offer_size=size, inflections=False)
    before, mask = game.state.copy(), game.mask(0)
    assert sum(mask) == size
    for value in range(6):
        assert mask[value] == (value in before.offer[0, :size])
        game.state = before.copy()
        assert (game.step([value, before.offer[1, 0]]) != ILLEGAL) == mask[value]


# --------------------------------------------------------------------------------------------------
# Turns: the six values


def test_discover__raises_the_own_yield(table: Any) -> None:
    game = table(players=2)
    game.turn("discover", "-")
    assert game.world() == [20, [[0, 0], [0, 0]], [[3, 2, 2, 2, 2, 2, 3, 6, 0], PLAIN]]


def test_expand__raises_the_population(table: Any) -> None:
    game = table(players=2)
    game.turn("expand", "-")
    assert game.world() == [20, [[0, 0], [0, 0]], [[2, 2, 3, 2, 2, 2, 6, 3, 0], PLAIN]]


def test_develop__takes_from_the_world_and_is_disliked(table: Any) -> None:
    game = table(players=3)
    game.turn("-", "develop", "-")
    feelings = [[0, -1, 0], [0, 0, 0], [0, -1, 0]]
    assert game.world() == [17, feelings, [PLAIN, [2, 2, 2, 2, 2, 3, 3, 9, 0], PLAIN]]


def test_consent__gives_to_the_world_and_is_liked(table: Any) -> None:
    game = table(players=3)
    game.turn("-", "consent", "-")
    feelings = [[0, 3, 0], [0, 0, 0], [0, 3, 0]]
    assert game.world() == [23, feelings, [PLAIN, [2, 2, 2, 2, 3, 2, 3, 3, 0], PLAIN]]


def test_conquer__robs_the_least_liked_and_is_hated(table: Any) -> None:
    game = table(players=4)
    game.state.feelings[0, :] = [-9, -2, -3, 0]
    game.turn("conquer", "-", "-", "-")
    assert game.nation(0) == (3, 6)
    assert [game.nation(other)[1] for other in (1, 2, 3)] == [3, 0, 3]
    assert game.state.feelings[:, 0].tolist() == [-9, -1, -5, -1]
    assert game.state.feelings[0].tolist() == [-9, -2, -3, 0]


def test_conquer__on_a_tie_robs_the_last_dead_or_alive(table: Any) -> None:
    game = table(players=4)
    game.state.death[3] = 1
    game.turn("conquer", "-", "-", "-")
    assert [game.nation(other)[1] for other in (1, 2, 3)] == [3, 3, 0]
    game = table(players=4)
    game.turn("-", "-", "-", "conquer")
    assert game.nation(2)[1] == 0


def test_exchange__gives_to_the_most_liked_its_own_exchange(table: Any) -> None:
    game = table(players=4)
    game.state.feelings[0, :] = [9, 1, 2, 0]
    game.state["values"][2, 3] = 7
    game.turn("exchange", "-", "-", "-")
    assert [game.nation(player)[1] for player in range(4)] == [6, 3, 10, 3]
    assert game.value(2, "exchange") == 7
    assert game.state.feelings[0].tolist() == [9, 1, 3, 0]
    assert game.state.feelings[:, 0].tolist() == [9, 0, 1, 0]


def test_exchange__on_a_tie_is_with_the_last_dead_or_alive(table: Any) -> None:
    game = table(players=4)
    game.state.death[3] = 1
    game.turn("exchange", "-", "-", "-")
    assert game.nation(3)[1] == 5


@pytest.mark.parametrize(
    ("options", "own"),
    [
        ({}, 1),
        ({"exchange": "partner"}, 0),
        ({"rules": "text"}, 0),
        ({"rules": "text", "exchange": "both"}, 1),
    ],
)
def test_exchange__improves_feelings_by_the_option_exchange(
    table: Any, options: dict[str, Any], own: int
) -> None:
    game = table(players=2, **options)
    game.turn("exchange", "-")
    assert game.state.feelings.tolist() == [[0, own], [1, 0]]


def test_alone__conquer_and_exchange_do_nothing_and_do_not_rise(table: Any) -> None:
    game = table(players=1)
    for name in ("conquer", "exchange"):
        game.turn(name)
        assert game.world() == [20, [[0]], [PLAIN]]
    game.turn("develop")
    game.turn("consent")
    assert game.world() == [20, [[0]], [[2, 2, 2, 2, 3, 3, 3, 9, 0]]]


def test_value__rises_if_negative_and_still_reduces_the_yield(table: Any) -> None:
    game = table(players=2, start_value=-5)
    game.turn("discover", "expand")
    assert game.nation(0) == (3, -1)
    assert game.nation(1) == (-1, 3)


def test_turn__each_people_sees_what_those_before_it_did(table: Any) -> None:
    game = table(players=3)
    game.turn("conquer", "exchange", "conquer")
    # 0 robs 2, the last one on a tie; 1 trades with 2; 2 now dislikes 0 most, and robs it.
    assert [game.nation(player)[1] for player in range(3)] == [3 + 3 - 3, 3 + 3, 3 - 3 + 2 + 3]
    assert game.state.feelings.tolist() == [[0, 0, -5], [-1, 0, 0], [-5, 1, 0]]


def test_turn__without_a_choice_a_people_does_nothing(table: Any) -> None:
    game = table(players=2)
    game.turn("-", "-")
    assert game.world() == [20, [[0, 0], [0, 0]], [PLAIN, PLAIN]]


# --------------------------------------------------------------------------------------------------
# Food and death


def test_food__is_own_and_world_yield_and_bounds_the_population(table: Any) -> None:
    game = table(players=2)
    game.state.world_yield, game.state.population[:] = -1, (9, 1)
    game.turn("-", "-")
    assert [game.nation(player) for player in range(2)] == [(2, 3), (1, 3)]


def test_food__negative_kills_in_the_turn_after(table: Any) -> None:
    game = table(players=2)
    game.state.yields[1] = -30
    game.turn("-", "-")
    assert (game.nation(1), game.state.death[1]) == ((-10, -30), 0)
    game.turn("-", "-")
    assert (game.nation(1), game.state.death[1]) == ((-10, -30), 3)


def test_food__expand_can_still_save(table: Any) -> None:
    game = table(players=2, start_value=9)
    game.state.yields[1] = -30
    game.turn("-", "-")
    game.turn("-", "expand")
    assert (game.nation(1), game.state.death[1]) == ((-10, -30), 0)
    game.turn("-", "expand")
    assert game.state.death[1] == 0


def test_food__zero_is_no_death(table: Any) -> None:
    game = table(players=2)
    game.state.population[1] = 0
    game.turn("-", "-")
    assert game.state.death[1] == 0


def test_food__nobody_eats_at_an_inflection(table: Any) -> None:
    game = table(players=2)
    game.state.population[:] = (-4, 500)
    game.play("discover", "discover")
    assert [game.nation(player)[0] for player in range(2)] == [-4, 500]
    assert game.state.death.tolist() == [0, 0]


def test_dead__do_not_act_nor_eat_but_others_rob_and_feed_them(table: Any) -> None:
    game = table(players=2, choices="any")
    game.state.death[1], game.state.population[1] = 1, -7
    game.turn("conquer", "develop")
    assert (game.nation(1), game.value(1, "develop"), game.state.world_yield) == ((-7, 0), 2, 20)
    game.turn("exchange", "expand")
    assert game.nation(1) == (-7, 2)
    assert game.state.death[1] == 1


def test_dead__stay_dead_even_with_a_population(table: Any) -> None:
    game = table(players=2)
    game.state.death[1] = 1
    game.turn("-", "-")
    assert game.nation(1) == (3, 3)
    assert game.state.death[1] == 1


# --------------------------------------------------------------------------------------------------
# Inflections


def test_inflection__the_chosen_rises_by_two_and_the_others_fall(table: Any) -> None:
    game = table(players=2)
    game.state["values"][0] = [1, 4, -2, 4, 9, 1]
    rules.make_offers(game.state, game.params)
    game.play("exchange", "discover")
    assert game.state["values"].tolist() == [[1, 3, -2, 6, 8, 1], [4, 1, 1, 2, 2, 2]]


def test_inflection__without_a_choice_all_offered_fall(table: Any) -> None:
    game = table(players=2)
    game.step([-1, 1])
    assert game.state["values"].tolist() == [[1, 1, 1, 2, 2, 2], [1, 4, 1, 2, 2, 2]]


def test_inflection__the_dead_take_part(table: Any) -> None:
    game = table(players=2)
    game.state.death[0] = 1
    assert sum(game.mask(0)) == 3
    game.play("conquer", "discover")
    assert game.state["values"][0].tolist() == [1, 4, 1, 2, 2, 2]


@pytest.mark.parametrize("size", [1, 2, 6])
def test_inflection__all_that_are_offered_change(table: Any, size: int) -> None:
    game = table(players=2, offer_size=size)
    game.step([0, 0])
    assert game.state["values"][1].tolist() == [4] + [1] * (size - 1) + [2] * (6 - size)


# --------------------------------------------------------------------------------------------------
# Choices


def test_choice__outside_the_offer_is_illegal_and_changes_nothing(table: Any) -> None:
    game = table(players=2)
    before = game.state.copy()
    for value in (3, 4, 5, 6, -2, 2**62, -(2**63)):
        assert game.step([0, value]) == ILLEGAL
        assert game.state == before
        assert game.rewards.tolist() == [9, 9]


def test_choice__outside_the_offer_is_carried_out_with_choices_any(table: Any) -> None:
    game = table(players=2, choices="any")
    assert game.mask(0) == [1] * 6
    assert game.step([5, 0]) == RUNNING
    assert game.state["values"].tolist() == [[1, 1, 1, 2, 2, 2], [4, 1, 1, 2, 2, 2]]
    game.offer(0, "discover", "conquer", "expand")
    game.offer(1, "discover")
    assert game.step([5, 0]) == RUNNING
    assert game.value(0, "develop") == 3
    for value in (6, -2, 2**62):
        assert game.step([0, value]) == ILLEGAL


@pytest.mark.parametrize("choices", ["offered", "any"])
def test_mask__leaves_the_dead_one_choice_in_a_turn(table: Any, choices: str) -> None:
    game = table(players=2, choices=choices)
    game.play("discover", "discover")
    game.state.death[1] = 1
    assert [sum(game.mask(player)) for player in range(2)] == [3 if choices == "offered" else 6, 1]


# --------------------------------------------------------------------------------------------------
# Score, and elimination


def test_score__is_yield_and_population(table: Any) -> None:
    game = table(players=2)
    game.state.population[1], game.state.yields[1] = 8, -20
    assert [score_of(game.state, player) for player in range(2)] == [6, -12]


@pytest.mark.parametrize("black_death", [False, True])
def test_alive__the_dead_leave_without_black_death(table: Any, black_death: bool) -> None:
    game = table(players=2, black_death=black_death)
    assert game.alive() == [True, True]
    game.state.population[0] = -1
    game.turn("-", "-")
    assert game.alive() == [black_death, True]


# --------------------------------------------------------------------------------------------------
# Sizes


def test_sizes__sixty_four_players_can_play(table: Any) -> None:
    game = table(players=64, duration=12, seed=3, black_death=True)
    code = RUNNING
    for step in range(12):
        assert code == RUNNING
        choices = [int(game.state.offer[p, (step + p) % 3]) for p in range(64)]
        code = game.step(choices)
        assert step > 1 or len(game.log) >= 64
    assert code == ENDED
    assert abs(game.rewards.sum()) < 1e-4
    assert np.all(np.diagonal(game.state.feelings) == 0)
