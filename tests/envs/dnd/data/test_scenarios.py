"""The built-in scenarios, and the mistakes of invalid ones."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.dnd.data import Library, creature, scenario, scenario_names
from axiom_envs.dnd.data.models import BodySpec, ScenarioSpec
from axiom_gym.errors import ConfigError

DUEL: dict[str, Any] = {
    "title": "Duel",
    "map": [".....", ".....", ".....", "....."],
    "sides": {
        "party": [{"creature": "fighter", "position": [0, 0]}],
        "foes": [{"creature": "ogre", "position": [2, 1]}],
    },
}


def of_duel(**changes: Any) -> list[str]:
    try:
        Library.builtin().extended_by({"duel": DUEL | changes}, "scenarios")
    except ConfigError as error:
        lines = str(error).split("\n")[1:]
        return [line.strip().removeprefix("data: scenarios: duel.") for line in lines]
    return []


def of_bodies(*foes: dict[str, Any], **changes: Any) -> list[str]:
    sides = {"party": DUEL["sides"]["party"], "foes": list(foes)}
    lines = of_duel(sides=sides, **changes)
    return [line.removeprefix("sides.foes") for line in lines]


def footprint(body: BodySpec) -> set[tuple[int, int]]:
    size = 2 if creature(body.creature, body.level).size == "large" else 1
    x, y = body.position or (0, 0)
    return {(x + dx, y + dy) for dx in range(size) for dy in range(size)}


def reaches(spec: ScenarioSpec, body: BodySpec, goal: set[tuple[int, int]]) -> bool:
    """Return True if the whole body can get next to the goal by orthogonal steps."""
    rows = spec.map or ()
    squares = footprint(body)
    offsets = {(x - min(squares)[0], y - min(squares)[1]) for x, y in squares}
    near = {(x + dx, y + dy) for x, y in goal for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    seen, frontier = {min(squares)}, [min(squares)]
    while frontier:
        x, y = frontier.pop()
        if {(x + dx, y + dy) for dx, dy in offsets} & near:
            return True
        for step in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            covered = [(step[0] + dx, step[1] + dy) for dx, dy in offsets]
            free = all(0 <= v < len(rows) and 0 <= u < len(rows[0]) for u, v in covered)
            if free and step not in seen and all(rows[v][u] not in "#~" for u, v in covered):
                seen.add(step)
                frontier.append(step)
    return False


def worth(bodies: tuple[BodySpec, ...]) -> int:
    return sum(creature(body.creature, body.level).xp for body in bodies)


def test_scenarios__to_train_on_and_to_evaluate_on() -> None:
    train, held_out = scenario_names(held_out=False), scenario_names(held_out=True)
    assert set(train) | set(held_out) == set(scenario_names())
    assert len(train) >= 12
    assert len(held_out) >= 4
    assert {"2v2-goblins", "goblins-vs-fighters", "bandits-vs-party", "4v4-mixed"} <= set(train)
    maps = {scenario(name).map for name in train} - {None}
    assert not maps & {scenario(name).map for name in held_out}


@pytest.mark.parametrize("name", scenario_names())
def test_scenario__is_one_that_can_be_fought(name: str) -> None:
    spec = scenario(name)
    party, foes = spec.sides["party"], spec.sides["foes"]
    assert spec.round_limit == 20
    # Budgets are rough: cheap creatures come in groups, expensive ones alone.
    assert 0.4 <= worth(party) / worth(foes) <= 2.5
    if spec.map is None:
        return
    for bodies, enemies in ((party, foes), (foes, party)):
        goal = set().union(*map(footprint, enemies))
        assert all(reaches(spec, body, goal) for body in bodies)


@pytest.mark.parametrize("name", ["duel-fighters", "2v2-goblins", "4v4-mixed", "veterans-duel"])
def test_mirrored_scenario__is_symmetric(name: str) -> None:
    spec = scenario(name)
    rows = spec.map or ()
    assert [row[::-1] for row in rows[::-1]] == list(rows)
    turned = {
        (body.creature, body.level, len(rows[0]) - 1 - x, len(rows) - 1 - y)
        for body in spec.sides["party"]
        for x, y in [body.position or (0, 0)]
    }
    assert turned == {(b.creature, b.level, *(b.position or ())) for b in spec.sides["foes"]}


def test_map_sizes__are_those_asked_for() -> None:
    sizes = {n: scenario(n).map for n in ("2v2-goblins", "4v4-mixed")}
    assert {n: (len(rows or ()), len((rows or "")[0])) for n, rows in sizes.items()} == {
        "2v2-goblins": (8, 8),
        "4v4-mixed": (16, 16),
    }


def test_bodies__at_impossible_places() -> None:
    def at(*position: int, **more: Any) -> dict[str, Any]:
        return {"creature": "goblin", "position": position, **more}

    assert of_duel() == []
    assert of_bodies(at(5, 1)) == ["[0].position: (5, 1) is outside of the map of 5 x 4 squares"]
    assert of_bodies(at(1, 1, creature="ogre"), at(2, 2)) == [
        "[1].position: (2, 2) is taken by sides.foes[0]"
    ]
    assert of_bodies(at(4, 1, creature="ogre")) == [
        "[0].position: (5, 1) is outside of the map of 5 x 4 squares"
    ]
    assert of_bodies(at(0, 0)) == ["[0].position: (0, 0) is taken by sides.party[0]"]
    pond = ["....", "..~#", "....", "...."]
    assert of_bodies(at(2, 1), at(3, 1), map=pond) == [
        "[0].position: (2, 1) is '~', where no creature can stand",
        "[1].position: (3, 1) is '#', where no creature can stand",
    ]
    cut = [".~..", "..~.", ".~..", ".#.."]
    assert of_bodies(at(3, 3), map=cut) == ["[0].position: there is no path from (0, 0) to (3, 3)"]
    assert of_bodies({"creature": "goblin"}) == [
        "[0].position: missing; on a map every body has its [x, y]"
    ]
    assert of_bodies(at(1, 1, level=2)) == ["[0].level: 2, but 'goblin' is not a class"]
    assert of_bodies(at(1, 1, creature="rogue", level=2)) == [
        "[0].level: 2, but rogue has the levels 1, 3, 5"
    ]
    assert of_bodies(at(1, 1, creature="rogue", level=0)) == [
        "[0].level: 0, but rogue has the levels 1, 3, 5"
    ]
    assert of_bodies(at(1, 1, creature="gobblin"))[0].startswith(
        "[0].creature: no creature 'gobblin'; there are commoner, bandit,"
    )
    assert of_bodies(at(1, 1, name="Bo"), at(1, 2, name="Bo")) == [
        "[0].name: 'Bo' twice; names tell bodies apart",
        "[1].name: 'Bo' twice; names tell bodies apart",
    ]
    assert of_bodies(at(-1, 0))[0].startswith("[0].position[0]: Input should be greater than or")
    assert of_bodies() == [": at least 1 needed"]
    assert of_bodies(*[at(x, y) for y in (2, 3) for x in range(5)]) == [": at most 8 needed"]
    assert of_duel(sides={"party": DUEL["sides"]["party"]})[0].startswith(
        "sides: both sides are needed: party and foes"
    )


def test_maps__with_mistakes() -> None:
    assert of_duel(map=["....?", ".....", "+....", "....."]) == [
        "map[0][4]: '?' is none of . # ~ , o %",
        "map[2][0]: '+' is none of . # ~ , o %",
    ]
    (line,) = of_duel(map=[".....", "....", ".....", "....."])
    assert line.startswith("map: 4 rows of [4, 5] squares, but all have one length")
    assert of_duel(map=["....."] * 3)[0].startswith("map: 3 rows of [5] squares")
    assert of_duel(map=["." * 17] * 4)[0].startswith("map: 4 rows of [17] squares")
    assert len(of_duel(map=[])) == 3
    assert of_duel(light=["00112", "22222", "22222", "22222"]) == []
    assert of_duel(light=["0011x", "22222", "22222", "22222"]) == [
        "light[0][4]: 'x' is none of 0 1 2"
    ]
    assert of_duel(light=["2222"] * 4) == ["light: not of the map's width and height"]


def test_generated_maps__place_bodies_themselves() -> None:
    sides = {side: [{"creature": "goblin"}] for side in ("party", "foes")}
    size = {"width": 8, "height": 8}
    assert of_duel(map=None, generate=size, sides=sides) == []
    assert of_duel(map=None, sides=sides) == ["map: give either a map or generate"]
    assert of_duel(generate=size) == ["map: give either a map or generate"]
    assert of_duel(map=None, generate=size) == [
        "sides.party[0].position: there is no map; a generated map places the bodies itself",
        "sides.foes[0].position: there is no map; a generated map places the bodies itself",
    ]
    assert of_duel(map=None, generate=size, sides=sides, light=["2222"] * 4) == [
        "light: there is no map to light"
    ]
    (line,) = of_duel(map=None, generate=size | {"width": 17}, sides=sides)
    assert line.startswith("generate.width: Input should be less than or equal to 16")
    (line,) = of_duel(map=None, generate=size | {"walls": 0.5}, sides=sides)
    assert line.startswith("generate.walls: Input should be less than or equal to 0.4")


def test_scenario_names__that_do_not_exist() -> None:
    with pytest.raises(ConfigError, match=r"unknown scenario '2v2-goblin'\. Did you mean '2v2-gob"):
        scenario("2v2-goblin")
