"""Errors name objects that cannot be saved, and the mistakes of damaged saves."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from axiom_envs.dnd.engine import saves
from axiom_envs.dnd.engine.creature.conditions import BaseCondition
from axiom_envs.dnd.engine.creature.durations import until
from axiom_envs.dnd.engine.creature.entity import Entity
from axiom_envs.dnd.engine.encounter.creation import create
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.encounter.frames import Frame
from axiom_envs.dnd.engine.features.traits import Parry
from axiom_envs.dnd.engine.rules import standard
from axiom_envs.dnd.engine.rules.actions import Action
from axiom_envs.dnd.engine.values.modifiers import ContextualNumericalModifier, NumericalModifier
from axiom_envs.dnd.engine.values.values import ModifiableValue
from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
from axiom_envs.dnd.engine.world.events import EventPhase, EventType
from axiom_envs.dnd.engine.world.objects import active_world
from axiom_envs.dnd.engine.world.world import World
from axiom_gym.errors import GameError, StateError


@pytest.fixture
def knight() -> Iterator[Entity]:
    """A creature with traits that add handlers, modifiers and reactions."""
    with World(seed=7):
        create("knight", position=(2, 3), side="party")
        yield create("troll", position=(2, 4), side="foes")


class Odd(BaseCondition):
    """A condition that adds the effects listed in its class."""

    name = "odd"
    handlers_now = 1

    __slots__ = ()

    def _apply(self, event: Any) -> None:
        for _ in range(self.handlers_now):
            self.handle(Trigger(EventType.ATTACK), ignore)


class Peculiar(Entity):
    """A custom subclass of Entity."""

    __slots__ = ()


class Waiting(Frame):
    """A custom subclass of Frame."""

    __slots__ = ()

    def describe(self) -> str:
        return "waits"


def ignore(event: Any, owner: Entity | None) -> None:
    """Do nothing."""


# -- unsavable objects -----------------------------------------------------------------------------


def put_handler(one: Entity) -> None:
    EventHandler(ignore, Trigger(EventType.ATTACK), owner=one, name="my alarm")


def put_handler_of_nobody(one: Entity) -> None:
    EventHandler(ignore, Trigger(EventType.ATTACK), name="my alarm")


def put_contextual(one: Entity) -> None:
    modifier = ContextualNumericalModifier("my luck", lambda *_: None)
    one.equipment.attack_bonus.self_contextual.add(modifier)


def put_lambda(one: Entity) -> None:
    one.add_condition(standard.Prone(duration=until(lambda _: False)))


def put_odd_parameter(one: Entity) -> None:
    one.traits["mark"] = {"what": object()}


def put_damage(one: Entity) -> None:
    one.equipment.extra_damage.append(lambda attack: None)


def put_reaction(one: Entity) -> None:
    one.reactions.append(Parry(2))


def put_value(one: Entity) -> None:
    ModifiableValue("luck")


def put_subclass(one: Entity) -> None:
    Peculiar("oddity")


def lose_trait(one: Entity) -> None:
    one.world.of_type(EventHandler)[-1].remove()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (put_handler, "handler 'my alarm' of Troll .* by hand.*let a condition"),
        (put_handler_of_nobody, "handler 'my alarm' was registered by hand"),
        (put_contextual, "contextual modifier 'my luck' .*let a condition"),
        (put_lambda, "condition 'prone': .*<lambda> .*top level of a module"),
        (put_odd_parameter, "<object object .*use numbers, texts"),
        (put_damage, "Troll has extra damage that no trait has added.*INSTALLERS"),
        (put_reaction, "Troll has reactions that no trait has added"),
        (put_value, r"a ModifiableValue \(\d+\) belongs to no entity.*forget"),
        (put_subclass, "oddity is a Peculiar: .*give an Entity traits"),
        (lose_trait, "Troll has lost 'regeneration'"),
    ],
)
def test_save__names_what_cannot_be_saved(
    knight: Entity, spoil: Callable[[Entity], None], words: str
) -> None:
    saves.to_json(knight.world)
    spoil(knight)
    with pytest.raises(StateError, match=words):
        saves.to_json(knight.world)


def test_save__leaves_out_actions_that_are_not_under_way(knight: Entity) -> None:
    Action(knight)
    world = saves.from_json(saves.to_json(knight.world))
    assert isinstance(world, World)
    assert not world.of_type(Action)


def test_save__not_while_an_event_is_handled(knight: Entity) -> None:
    errors: list[str] = []

    def try_to_save(event: Any, owner: Any) -> None:
        with pytest.raises(StateError) as error:
            saves.to_json(knight.world)
        errors.append(str(error.value))

    trigger = Trigger(EventType.CONDITION_APPLICATION, EventPhase.EFFECT)
    handler = EventHandler(try_to_save, trigger)
    knight.add_condition(standard.Prone())
    handler.remove()
    assert "an event is being handled (Troll is prone)" in errors[0]


def test_save__not_with_a_custom_frame() -> None:
    encounter = Encounter.from_preset("2v2-goblins", seed=1)
    encounter.stack.append(Waiting())
    with pytest.raises(StateError, match=r"a Waiting is in progress \(waits\)"):
        saves.to_json(encounter)


# -- unloadable saves ------------------------------------------------------------------------------


@pytest.fixture
def saved(knight: Entity) -> Any:
    """A save with a condition, after a round trip through JSON."""
    knight.add_condition(Odd(source=knight))
    knight.health.reduction.self_static.add(NumericalModifier("hide", 1))
    return json.loads(json.dumps(saves.to_json(knight.world)))


def load_error(saved: Any) -> str:
    with pytest.raises(StateError) as error:
        saves.from_json(saved)
    return str(error.value)


@pytest.mark.parametrize("data", [None, [], {}, {"world": {}}, "text"])
def test_load__of_other_data(data: Any) -> None:
    assert "this is not a save" in load_error(data)


def test_load__of_another_format_or_other_data(saved: Any) -> None:
    assert "format 99; 2 is supported" in load_error({**saved, "format": 99})
    assert "made with other data files ('cafe'" in load_error({**saved, "data": "cafe"})


def test_load__names_all_mistakes_of_the_schema(saved: Any) -> None:
    del saved["rng"]
    saved["entities"][0]["health"]["current"] = -3
    saved["entities"][1]["size"] = "vast"
    saved["surplus"] = 1
    text = load_error(saved)
    assert text.startswith("the save has 4 mistakes:")
    for line in (
        "rng: missing",
        "entities[0].health.current: ",
        "entities[1].size: ",
        "surplus: there is no such field",
    ):
        assert f"\n  {line}" in text


def test_load__names_all_invalid_conditions(saved: Any) -> None:
    first = saved["conditions"][0]
    others = [
        {**first, "kind": "nowhere:Odd", "number": 901},
        {**first, "kind": "axiom_envs.dnd.engine.world.world:World", "number": 902},
        {**first, "kind": "axiom_envs.dnd.engine.rules.standard:Odd", "number": 903},
        {**first, "source": 1000},
        {**first, "duration": {"$": "spell"}},
        {**first, "parameters": {"level": 3}},
    ]
    text = load_error({**saved, "conditions": others})
    for line in (
        "conditions[0]: the module of 'nowhere:Odd' is not imported: import nowhere first",
        "conditions[1]: 'axiom_envs.dnd.engine.world.world:World' is not a subclass of",
        "conditions[2]: there is no class or function 'axiom_envs.dnd.engine.rules.standard:Odd'",
        "conditions[3]: there is no Entity with the number 1000",
        "conditions[4]: the kind of value 'spell' is not known",
        "conditions[5]: unknown parameter of",
    ):
        assert line in text


def test_load__of_a_condition_that_has_changed(saved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Odd, "handlers_now", 2)
    assert "it had 1 handlers, and its _apply now adds 2" in load_error(saved)


def spoil_parts(saved: Any) -> None:
    saved["entities"][0]["parts"] += 1


def spoil_trait_parts(saved: Any) -> None:
    saved["entities"][0]["trait_parts"].pop()


def spoil_number(saved: Any) -> None:
    saved["weapons"][0]["number"] = saved["weapons"][1]["number"]


def spoil_count(saved: Any) -> None:
    saved["count"] = 10


def spoil_value(saved: Any) -> None:
    saved["entities"][0]["values"]["abilities.luck"] = 3


def spoil_listing(saved: Any) -> None:
    saved["entities"][1]["conditions"] = []


def spoil_body(saved: Any) -> None:
    saved["entities"][1]["body"] = 3


def spoil_plans(saved: Any) -> None:
    saved["entities"][1]["equipment"]["plans"] = [[7]]


def spoil_options(saved: Any) -> None:
    saved["options"]["gravity"] = True


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoil_parts, r"entities\[0\]: it consists of \d+ objects, and here of \d+"),
        (spoil_trait_parts, r"entities\[0\]: its traits consist of \d objects, and now of \d"),
        (spoil_number, r"weapons\[1\]: the number \d+ is used for two objects"),
        (spoil_count, "but only 10 were given out"),
        (spoil_value, r"entities\[0\]: an entity has no value 'abilities.luck'"),
        (spoil_listing, r"entities\[1\].conditions: the conditions \[\] are listed, and there are"),
        (spoil_body, r"entities\[1\]: the body 3 of Troll is not at \(2, 4\)"),
        (spoil_plans, r"entities\[1\]: profile of a plan must be .* from 0 to"),
        (spoil_options, "world: TypeError: .*gravity"),
    ],
)
def test_load__names_inconsistent_parts(
    saved: Any, spoil: Callable[[Any], None], words: str
) -> None:
    spoil(saved)
    with pytest.raises(StateError, match=words):
        saves.from_json(saved)


def test_load__leaves_no_world_active(saved: Any) -> None:
    before = active_world()
    saves.from_json(saved)
    load_error({**saved, "count": 1})
    assert active_world() is before


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values of a save."""
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, one in entries:
        yield (*path, key)
        if isinstance(one, dict | list):
            yield from leaves(one, (*path, key))


def test_load__of_random_damage_loads_or_names_the_mistake() -> None:
    encounter = Encounter.from_preset("spiders-in-the-ravine", seed=1)
    one = encounter.world.entities[0]
    one.add_condition(standard.Restrained(source=encounter.world.entities[-1]))
    text = json.dumps(saves.to_json(encounter))
    rng, paths = random.Random(1), list(leaves(json.loads(text)))
    refused = 0
    for _ in range(120):
        data = json.loads(text)
        *way, last = rng.choice(paths)
        place = data
        for key in way:
            place = place[key]
        place[last] = rng.choice([None, -1, 10**9, "x", [], {}, {"$": "object", "number": 1}])
        try:
            saves.from_json(data)
        except StateError:
            refused += 1
    assert refused > 60


def test_find_named__imports_nothing(saved: Any) -> None:
    text = json.dumps(saved).replace(f"{Odd.__module__}:Odd", "antigravity:Odd")
    assert "import antigravity first" in load_error(json.loads(text))


def test_deepcopy_of_a_condition__is_as_immutable(knight: Entity) -> None:
    knight.add_condition(standard.Exhaustion(2))
    twin = copy.deepcopy(knight).condition("exhaustion")
    assert twin is not None
    assert twin.is_applied
    with pytest.raises(GameError, match="can no longer change"):
        twin.is_own = False
