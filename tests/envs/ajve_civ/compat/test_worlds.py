"""Tests of worlds as objects, of extended rulesets, and of the two functions for offers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from axiom_envs import ajve_civ as civ
from axiom_envs.ajve_civ.compat.worlds import make_offers
from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.errors import ConfigError, StateError, UnknownNameError
from axiom_gym.seeded_rng import SeededRNG

VECTORS = Path(__file__).parents[3] / "vectors" / "ajve"


def read(name: str) -> list[Any]:
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def make_world(players: int = 3, **options: Any) -> civ.World:
    return civ.World(civ.AjveCivConfig(players=players, **options))


def build(recorded: list[Any]) -> civ.World:
    """Return the world of a recorded step."""
    income, feelings, societies = recorded
    world = make_world(len(societies), inflection_offer="highest")
    world.yield_ = income
    world.feelings[:] = feelings
    for society, (*values, population, nation, dead) in zip(
        world.societies, societies, strict=True
    ):
        society.values.update(zip(VALUES, values, strict=True))
        society.population, society.yield_, society.dead = population, nation, bool(dead)
    return world


def flatten(world: civ.World) -> list[Any]:
    societies = [
        [*one.values.values(), one.population, one.yield_, int(one.dead)] for one in world.societies
    ]
    return [world.yield_, world.feelings.tolist(), societies]


def test_choice_functions__are_the_originals() -> None:
    head, *lines = read("values")
    rng = SeededRNG(head["seed"])
    assert len(lines) == 200
    for line in lines:
        values = dict(zip(VALUES, line["v"], strict=True))
        drawn = civ.common.random_values(line["k"], values, rng)
        highest = civ.common.highest_values(line["k"], values)
        assert "".join(str(VALUES.index(name)) for name in drawn) == line["random"]
        assert "".join(str(VALUES.index(name)) for name in highest) == line["highest"]


def test_choice_functions__take_a_society_and_check_k() -> None:
    world = make_world()
    world.societies[1].values["consent"] = 3
    assert civ.common.highest_values(2, world.societies[1]) == ("consent", "discover")
    with pytest.raises(ConfigError, match="k must be an integer from 0 to 6, got 7"):
        civ.common.random_values(7, world.societies[0], SeededRNG(1))
    with pytest.raises(ConfigError, match="from 0 to 6, got -1"):
        civ.common.highest_values(-1, world.societies[0])


def test_ruleset__plays_the_originals_steps() -> None:
    """The recordings of three and of seven players are enough, and need little compilation."""
    steps = [step for step in read("steps") if len(step[1][2]) in (3, 7)]
    assert len(steps) > 50
    rules = civ.worlds.original()
    for kind, before, chosen, after in steps:
        world = build(before)
        choices = [VALUES[int(one)] if one.isdigit() else None for one in chosen]
        if kind == "I":
            make_offers(world)
            rules.inflection(choices, world)
        else:
            rules.turn(choices, world)
        assert flatten(world) == after


def test_ruleset__refuses_choices_that_are_not_values() -> None:
    rules, world = civ.Ruleset(), make_world()
    with pytest.raises(UnknownNameError, match=r"unknown value 'rob'.*'conquer'"):
        rules.turn(["rob", "expand", None], world)
    with pytest.raises(ConfigError, match="each of the 3 players, got 1"):
        rules.turn(["expand"], world)


class GentleWorld(civ.Ruleset):
    """A ruleset whose world yields more in every turn; inflections are the original's."""

    options: ClassVar = {"start_yield": 9}

    def turn(self, choices: Any, world: civ.World) -> None:
        super().turn(choices, world)
        world.yield_ += 1


class ReturningWorld(GentleWorld):
    """The same ruleset, but it returns another world with a wrong step number and generator."""

    def turn(self, choices: Any, world: civ.World) -> civ.World:
        changed = world.copy()
        super().turn(choices, changed)
        changed.record["turn"], changed.record["rng"] = 77, 5
        return changed


def test_ruleset__can_be_extended_in_place_or_by_another_world() -> None:
    gentle = civ.Series(GentleWorld).game("consent", "consent", "greedy").play(11, seed=1)
    returning = civ.Series(ReturningWorld()).game("consent", "consent", "greedy").play(11, seed=1)
    original = civ.Series(start_yield=9).game("consent", "consent", "greedy").play(11, seed=1)
    assert gentle.results == returning.results
    assert gentle.results[0].world_yield == original.results[0].world_yield + 9
    assert gentle.as_report()["ruleset"] == "GentleWorld"
    assert gentle.as_report()["options"] == {"start_yield": 9}


def test_ruleset__draws_the_same_numbers_each_time() -> None:
    class Weather(civ.Ruleset):
        def init(self, world: civ.World) -> None:
            world.yield_ = self.rng.below(1000)

    series = civ.Series(Weather).game("greedy", "greedy", "greedy").play(0, seed=1, games=2)
    yields = [result.world_yield for result in series.results]
    again = series.play(0, seed=2).results[0].world_yield
    assert yields[0] != yields[1] == again


def test_ruleset__is_named_if_it_fails_or_returns_no_world() -> None:
    class Broken(civ.Ruleset):
        def inflection(self, choices: Any, world: civ.World) -> Any:
            return 3

    series = civ.Series(Broken).game("greedy", "greedy", "greedy")
    with pytest.raises(Exception, match=r"ruleset Broken\.inflection returned 3; it must return"):
        series.play()


def test_worlds__are_found_by_name() -> None:
    assert civ.worlds.get("text") is civ.worlds.text
    with pytest.raises(UnknownNameError, match=r"unknown world 'txt'.*'text'"):
        civ.worlds.get("txt")


def test_text_ruleset__differs_from_the_original() -> None:
    players = ("exchange", "exchange", "exchange")
    text, original = (civ.Series(name).game(*players).play(20) for name in ("text", "original"))
    assert text.traces is not None
    assert original.traces is not None
    assert int(text.traces.states["feelings"][-1].sum()) < int(
        original.traces.states["feelings"][-1].sum()
    )


def test_world__views_the_record_without_converting() -> None:
    world = make_world()
    world.yield_, world.societies[2].yield_, world.societies[2].population = 5, 6, 7
    world.societies[1].values["conquer"] += 3
    world.feelings[0, 1] = -4
    assert int(world.record.world_yield) == 5
    assert world.record.yields.tolist() == [3, 3, 6]
    assert world.record.population.tolist() == [3, 3, 7]
    assert world.record["values"][1].tolist() == [2, 5, 2, 2, 2, 2]
    assert int(world.record.feelings[0, 1]) == -4
    assert world.societies[2].score == 13
    assert not world.societies[0].dead
    world.societies[0].dead = True
    assert world.societies[0].died_in == 1
    world.societies[0].dead = False
    assert world.societies[0].died_in is None


def test_values__are_a_mapping_of_six() -> None:
    values = make_world().societies[0].values
    assert dict(values) == dict.fromkeys(VALUES, 2)
    assert "rob" not in values
    with pytest.raises(KeyError, match="the values are discover, conquer"):
        values["rob"] = 1
    with pytest.raises(TypeError, match="always has all six values"):
        del values["conquer"]


def test_world__copy_is_another_world() -> None:
    world = make_world()
    other = world.copy()
    other.yield_ = 1
    other.feelings[:] = 9
    assert world.yield_ == 20
    assert not world.feelings.any()
    world.take(other)
    assert world.yield_ == 1
    assert (world.feelings == 9).all()


def test_world__view_is_read_only() -> None:
    world = make_world()
    view = world.view()

    def set_yield() -> None:
        view.yield_ = 1

    def set_value() -> None:
        view.societies[0].values["conquer"] = 1

    def set_feelings() -> None:
        view.feelings[0, 1] = 1

    def set_population() -> None:
        view.societies[0].population = 1

    def play() -> None:
        civ.Ruleset().turn(["expand"] * 3, view)

    before = world.record.tobytes()
    for change in (set_yield, set_value, set_feelings, set_population, play):
        with pytest.raises(ValueError, match="read-only"):
            change()
    assert world.record.tobytes() == before
    world.yield_ = 8
    assert view.yield_ == 8
    view.copy().yield_ = 9


def test_world__survives_a_round_trip_through_json() -> None:
    world = make_world(start_value=-2)
    world.feelings[0, 2], world.societies[1].dead, world.yield_ = -3, True, -7
    data = json.loads(json.dumps(world.to_json()))
    again = civ.World.from_json(data)
    assert again.to_json() == data
    assert again.societies[1].died_in == 1
    assert np.array_equal(again.feelings, world.feelings)


@pytest.mark.parametrize(
    "change", [{"societies": [{}] * 3}, {"feelings": [[0]]}, {"turn": "x"}, {"yield": 2**40}]
)
def test_world__refuses_invalid_json(change: dict[str, Any]) -> None:
    with pytest.raises(StateError, match="not a world: "):
        civ.World.from_json({**make_world().to_json(), **change})
