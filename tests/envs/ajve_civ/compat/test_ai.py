"""Tests of the built-in AIs by name, and of a person at the terminal."""

from __future__ import annotations

import pytest

from axiom_envs import ajve_civ as civ
from axiom_envs.ajve_civ.compat.ai import Family, Person, get_all
from axiom_envs.ajve_civ.compat.terminal import Quit, find_choice
from axiom_gym.errors import ConfigError, UnknownNameError
from axiom_gym.seeded_rng import SeededRNG


def make_world() -> civ.World:
    return civ.World(civ.AjveCivConfig(players=3))


def test_families__have_their_ais_by_name_and_attribute() -> None:
    assert civ.ai.basic["conquer"] is civ.ai.basic.conquer
    assert civ.ai.basic2["conquer-discover"] is civ.ai.basic2.conquer_discover
    assert [len(family) for family in (civ.ai.basic, civ.ai.basic2, civ.ai.basic3)] == [6, 15, 20]
    assert "conquer" in civ.ai.basic
    assert "conquer" not in civ.ai.basic2
    with pytest.raises(UnknownNameError, match=r"unknown AI of basic 'rob'.*'conquer', 'consent'"):
        civ.ai.basic["rob"]
    with pytest.raises(AttributeError, match="no AI 'rob' in basic: conquer, discover"):
        _ = civ.ai.basic.rob


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("basic.conquer", "conquer"),
        ("conquer", "conquer"),
        ("basic3.conquer-expand-develop", "conquer-expand-develop"),
        ("consent-conquer", "consent-conquer"),
        ("greedy", "greedy"),
        ("human", "human"),
    ],
)
def test_get__finds_ais(name: str, known: str) -> None:
    found = civ.ai.get(name)
    assert isinstance(found, civ.AI)
    assert found.name == known
    assert [one.name for one in get_all(name)] == [known]


def test_get__finds_families() -> None:
    found = civ.ai.get("basic")
    assert isinstance(found, Family)
    assert [one.name for one in get_all("basic")] == [*found]


@pytest.mark.parametrize("name", ["gredy", "conquer-conquer", "basic.", "conquer-rob", "", "-"])
def test_get__refuses_unknown_names(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown AI.*'conquer', "):
        civ.ai.get(name)


def test_priority__follows_any_number_of_values() -> None:
    order = ("develop", "consent", "exchange", "expand", "conquer")
    ai, world = civ.ai.priority(*order), make_world()
    assert ai.turn(("conquer", "discover", "expand"), 0, world) == "expand"
    assert ai.turn(("discover", "conquer"), 1, world) == "conquer"
    assert ai.turn(("discover",), 1, world) == "discover"
    assert civ.ai.priority("conquer").turn(("expand", "consent"), 0, world) == "expand"
    assert civ.ai.priority("conquer").inflection(("expand", "conquer"), 0, world) == "conquer"
    with pytest.raises(UnknownNameError, match="unknown value 'rob'"):
        civ.ai.priority("rob")
    for wrong in ((), ("conquer", "conquer")):
        with pytest.raises(ConfigError, match="one or more different values"):
            civ.ai.priority(*wrong)


def test_built_in__chooses_by_the_world_and_leaves_it_alone() -> None:
    world = make_world()
    world.societies[1].values["discover"] = 9
    before = world.record.tobytes()
    assert civ.ai.greedy.turn(("expand", "develop", "discover"), 1, world.view()) == "discover"
    assert civ.ai.greedy.turn(("expand", "develop", "discover"), 0, world.view()) == "develop"
    assert world.record.tobytes() == before


def test_built_in__of_a_dead_people_chooses_what_is_offered_first() -> None:
    """In a batch it is the only legal choice."""
    world, offer = make_world(), ("expand", "conquer")
    world.record["turn"], world.societies[0].dead = 1, True
    assert civ.ai.basic.conquer.turn(offer, 0, world) == "expand"
    world.record["turn"] = 10
    assert civ.ai.basic.conquer.inflection(offer, 0, world) == "conquer"


def test_built_in__draws_from_the_generator_it_is_given() -> None:
    ai = civ.ai.BuiltIn("random")
    drawn = []
    for _ in range(2):
        ai.rng = SeededRNG(5)
        drawn.append([ai.turn(("expand", "develop"), 0, make_world()) for _ in range(20)])
    assert drawn[0] == drawn[1]
    assert {*drawn[0]} == {"expand", "develop"}


def test_ai__without_its_methods_cannot_be_made() -> None:
    class Half(civ.AI):
        def turn(self, choices: object, player: int, world: civ.World) -> str:
            return "expand"

    with pytest.raises(ConfigError, match="AI Half has no inflection"):
        civ.Series().game(Half)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1", "conquer"),
        (" 3 ", "expand"),
        ("CONQ", "conquer"),
        ("cons", "consent"),
        ("con", None),
        ("e", "expand"),
        ("4", None),
        ("0", None),
        ("", None),
        ("²", None),
        ("discover", None),
    ],
)
def test_find_choice__takes_numbers_names_and_unique_beginnings(
    line: str, found: str | None
) -> None:
    assert find_choice(line, ("conquer", "consent", "expand")) == found


def test_find_choice__an_empty_line_is_not_a_choice() -> None:
    assert find_choice(" ", ("conquer",)) is None


def test_person__sees_the_world_and_is_asked_until_it_chooses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers, world = iter(["", "?", "rob [b]", "2", "1"]), make_world()
    person = Person(lambda prompt: next(answers))
    world.record["turn"] = 1
    person.init(1, world)
    world.societies[2].yield_ += 5
    assert person.turn(("expand", "develop"), 1, world.view()) == "develop"
    text = capsys.readouterr().out
    assert "step 2 of 100, turn; the world yields 20" in text
    assert "  2 develop   devotion 3: your yield + 2 devotion" in text
    assert "Type a value's name" in text
    assert "'rob [b]' is none of expand, develop; ? explains, q quits." in text
    rows = [line.split() for line in text.splitlines() if line[:2] in ("1 ", "2 ", "3 ")]
    assert rows[1] == ["2", *"222222", "3", "3", "6"]
    assert rows[2] == ["3", *"222222", "3", "8", "11", "+5", "0", "0"]
    world.societies[2].yield_ -= 1
    world.societies[0].dead = True
    person.turn(("develop",), 1, world.view())
    text = capsys.readouterr().out
    assert "+5" not in text
    rows = [line.split() for line in text.splitlines() if line[:2] in ("1 ", "3 ")]
    assert [row[10] for row in rows] == ["dead", "-1"]


def test_person__stops_by_q_and_at_the_end_of_input() -> None:
    def end(prompt: str) -> str:
        raise EOFError

    for ask in (end, lambda prompt: " Q "):
        with pytest.raises(Quit):
            Person(ask).turn(("expand", "develop"), 0, make_world())


def test_person__is_not_asked_when_dead() -> None:
    world = make_world()
    world.societies[0].dead = True
    assert Person(lambda prompt: "2").inflection(("expand", "develop"), 0, world) == "expand"
