"""Tests against recorded games, steps, choices and scores of the original, AjveCiv 0.1.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from axiom_envs.ajve_civ import rules
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.priorities import PRIORITIES
from axiom_envs.ajve_civ.state import score_of
from axiom_gym.kernel import ENDED, RUNNING

Vectors = Callable[[str], Iterator[Any]]


STEPS = 4732
"""The number of steps of all recorded games together."""


def numbers(chosen: str) -> list[int]:
    """Return the choices of all players as numbers; "x" is no choice."""
    return [-1 if sign == "x" else int(sign) for sign in chosen]


def offers(game: Any) -> str:
    """Return all offers as they are recorded: digits, with a blank between two players."""
    shown = game.state.offer[:, : game.config.offer_size].tolist()
    return " ".join("".join(map(str, values)) for values in shown)


def test_games__play_out_as_recorded(table: Any, vectors: Vectors) -> None:
    modes, sizes, steps = Counter(), Counter(), 0
    for record in vectors("games"):
        modes[record["mode"]] += 1
        sizes[record["n"]] += 1
        game = table(
            record["seed"], players=record["n"], duration=record["duration"], choices="any"
        )
        assert game.world() == record["w0"]
        for number, (kind, offered, chosen, after) in enumerate(record["steps"], start=1):
            assert kind == ("I" if rules.is_inflection(game.state, game.params) else "T")
            assert offers(game) == offered
            code = game.step(numbers(chosen))
            assert code == (ENDED if number == record["duration"] else RUNNING)
            assert game.world() == after
        steps += number
        scores = [score_of(game.state, player) for player in range(record["n"])]
        assert scores == record["final"]["scores"]
    assert (len(modes), sum(modes.values()), steps) == (11, 60, STEPS)
    assert set(sizes) == set(range(1, 9))


def test_games__priority_ais_choose_as_recorded(vectors: Vectors) -> None:
    """The choices of the built-in AIs depend only on the offers."""
    seen = Counter()
    for record in vectors("games"):
        for _, offered, chosen, _ in record["steps"]:
            for name, menu, choice in zip(record["ai"], offered.split(), chosen, strict=True):
                if name in PRIORITIES:
                    wishes = [str(VALUES.index(value)) for value in PRIORITIES[name]]
                    wanted = [value for value in wishes if value in menu] or [menu[0]]
                    assert choice == wanted[0]
                    seen[name] += 1
    assert len(seen) > 20


def test_steps__change_worlds_as_recorded(table: Any, vectors: Vectors) -> None:
    """The worlds are random, and include dead peoples with some population."""
    tables, kinds = {}, Counter()
    for kind, before, chosen, after in vectors("steps"):
        kinds[kind] += 1
        players = len(before[2])
        if players not in tables:
            tables[players] = table(players=players, choices="any")
        game = tables[players]
        game.state.turn = 10 if kind == "I" else 11
        game.set_world(before)
        rules.make_offers(game.state, game.params)
        assert game.step(numbers(chosen)) == RUNNING
        assert game.world() == after
    assert sum(kinds.values()) == 500
    assert min(kinds.values()) > 50


def test_values__are_offered_as_recorded(table: Any, vectors: Vectors) -> None:
    """Both functions for offers are tested, with one generator for the whole file."""
    header, *records = vectors("values")
    game = table(players=2)
    game.state.rng = header["seed"]
    for record in records:
        game.state["values"][1] = record["v"]
        for offer, name in ((rules.offer_random, "random"), (rules.offer_highest, "highest")):
            offer(game.state, 1)
            first = game.state.offer[1, : record["k"]]
            assert "".join(map(str, first.tolist())) == record[name]
    assert len(records) == 200


def test_reports__scores_are_yield_and_population(table: Any, vectors: Vectors) -> None:
    for record in vectors("reports"):
        players = len(record["s"])
        game = table(players=players)
        for player, (population, income, dead) in enumerate(record["s"]):
            game.state.population[player], game.state.yields[player] = population, income
            game.state.death[player] = dead
        scores = [score_of(game.state, player) for player in range(players)]
        assert scores == record["scores"]
        assert sum(scores) == record["total"]
