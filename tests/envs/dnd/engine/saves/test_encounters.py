"""A loaded encounter continues exactly as the original."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from axiom_envs.dnd.data.load import Library
from axiom_envs.dnd.engine import saves
from axiom_envs.dnd.engine.creature.durations import (
    Duration,
)
from axiom_envs.dnd.engine.creature.economy import ActionEconomy
from axiom_envs.dnd.engine.creature.health import Health
from axiom_envs.dnd.engine.creature.senses import Senses
from axiom_envs.dnd.engine.encounter.choices import Choice
from axiom_envs.dnd.engine.encounter.encounter import Encounter
from axiom_envs.dnd.engine.encounter.frames import AttackFrame, MoveFrame
from axiom_envs.dnd.engine.rules.attack import Attack
from axiom_envs.dnd.engine.saves import entities as save_entities
from axiom_envs.dnd.engine.saves import frames as save_frames
from axiom_envs.dnd.engine.values.values import Score
from axiom_envs.dnd.engine.world.options import Options
from axiom_envs.dnd.tactics import find_bot
from axiom_gym.seeded_rng import SeededRNG

MAPPED = [name for name, spec in Library.builtin().scenarios.items() if spec.map]
QUICK = ("2v2-goblins", "duel-rogue-and-bandit-captain", "spiders-in-the-ravine", "troll-bridge")


def reload(encounter: Encounter) -> Encounter:
    """Save an encounter as text, and load it again."""
    loaded = saves.from_json(json.loads(json.dumps(saves.to_json(encounter))))
    assert isinstance(loaded, Encounter)
    return loaded


def mirror(choice: Choice, encounter: Encounter) -> Choice:
    """Return the same choice in another encounter."""
    target: Any = choice.target and encounter.world.objects[choice.target.number]
    return Choice(choice.kind, target, choice.profile, choice.square)


def plain(choice: Choice) -> Any:
    return choice.kind, choice.target and choice.target.number, choice.profile, choice.square


@pytest.fixture
def play_along(state: Any) -> Callable[..., set[str]]:
    """A function that plays an encounter together with two loaded copies.

    One copy is loaded before each decision, the other once. The function returns the reactions
    that were open when it was saved.
    """

    def play_along(encounter: Encounter, most: int, seed: int, bot: str = "greedy") -> set[str]:
        bots, rng = (find_bot(bot), find_bot("random")), SeededRNG(seed)
        old = reload(encounter)
        seen: set[str] = set()
        for k in range(most):
            if encounter.decider is None:
                break
            if k % 20 == 10:
                old = reload(encounter)
            new = reload(old)
            if encounter.stack:
                seen.add(encounter.question().partition(":")[0])
            assert new.question() == encounter.question()
            assert saves.to_json(new) == saves.to_json(encounter)
            legal = encounter.legal_actions()
            choice = bots[rng.below(4) == 0](encounter, encounter.legal, rng)
            happened = [event.explain() for event in encounter.act(choice)]
            for other in (old, new):
                assert list(map(plain, other.legal_actions())) == list(map(plain, legal))
                assert [event.explain() for event in other.act(mirror(choice, other))] == happened
                assert state(other.world) == state(encounter.world)
        assert (old.winner, old.over, old.round) == (
            encounter.winner,
            encounter.over,
            encounter.round,
        )
        return seen

    return play_along


@pytest.mark.parametrize("name", QUICK)
def test_encounter__continues_alike_from_every_decision(name: str, play_along: Any) -> None:
    play_along(Encounter.from_preset(name, seed=3), 45, seed=1)  # asserts


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPPED)
def test_encounter__of_every_scenario_continues_alike(name: str, play_along: Any) -> None:
    for seed in (1, 2):
        play_along(Encounter.from_preset(name, seed=seed), 100, seed)  # asserts


def test_encounter__within_attacks_and_moves_continues_alike(play_along: Any) -> None:
    wanted = {"opportunity attack", "parry against", "uncanny dodge against"}
    seen: set[str] = set()
    games = ((name, seed) for seed in range(10) for name in (QUICK[1], "bandits-vs-party"))
    for name, seed in games:
        seen |= play_along(Encounter.from_preset(name, seed), 60, seed)
        if wanted <= seen:
            return
    assert seen >= wanted


def test_encounter__with_readied_attacks_continues_alike(play_along: Any) -> None:
    options, seen = Options(ready=True), set()
    for seed in range(3):
        encounter = Encounter.from_preset("2v2-goblins", seed, options=options)
        seen |= play_along(encounter, 60, seed, bot="random")
    assert "readied attack" in seen


def reach(kind: type) -> tuple[Encounter, Any]:
    """Return an encounter with a frame of this kind that waits for a decision."""
    bot = find_bot("random")
    for seed in range(20):
        encounter, rng = Encounter.from_preset("duel-rogue-and-bandit-captain", seed), SeededRNG(1)
        while encounter.decider is not None:
            if encounter.stack and type(encounter.stack[-1]) is kind:
                return encounter, encounter.stack[-1]
            encounter.act(bot(encounter, encounter.legal, rng))
    raise AssertionError(f"no {kind.__name__} in 20 games")


def test_frames__are_restored() -> None:
    encounter, attack = reach(AttackFrame)
    attack.number = -1  # no reaction is open
    twin: Any = reload(encounter).stack[-1]
    assert twin.number == -1
    encounter, move = reach(MoveFrame)
    move.last_free = (1, 1)  # it is passing through an ally's space
    twin = reload(encounter).stack[-1]
    assert (twin.last_free, twin.path) == ((1, 1), move.path)


def test_encounter__saved_after_its_end() -> None:
    encounter = Encounter.from_preset("duel-fighters", seed=1)
    encounter.run({"party": "greedy", "foes": "greedy"})
    loaded = reload(encounter)
    assert (loaded.winner, loaded.decider) == (encounter.winner, None)
    assert saves.to_json(loaded) == saves.to_json(encounter)


def test_encounter__saved_before_its_start_rolls_the_same_initiative(state: Any) -> None:
    encounter = Encounter.from_preset("2v2-goblins", seed=5, start=False)
    loaded = reload(encounter)
    assert loaded.start().initiative == encounter.start().initiative
    assert state(loaded.world) == state(encounter.world)


def test_deepcopy__is_independent_and_continues_alike(state: Any) -> None:
    bot, rng = find_bot("greedy"), SeededRNG(1)
    encounter = Encounter.from_preset("spiders-in-the-ravine", seed=2)
    twins: list[Encounter] = []
    for k in range(60):
        if encounter.decider is None:
            break
        if k % 12 == 0:
            twins.append(copy.deepcopy(encounter))
        choice = bot(encounter, encounter.legal, rng)
        before = [state(twin.world) for twin in twins]
        happened = [event.explain() for event in encounter.act(choice)]
        assert [state(twin.world) for twin in twins] == before
        for twin in twins:
            assert [event.explain() for event in twin.act(mirror(choice, twin))] == happened
            assert state(twin.world) == state(encounter.world)
    assert any(one.conditions for one in encounter.world.entities)


ATTRIBUTES: dict[type, set[str]] = {
    MoveFrame: {"mover", "path", "waiting", "stepped", "last_free"},
    AttackFrame: {"event", "number"},
    Attack: {"profile", "with_ability"},
    Duration: {"kind", "moment", "of_target", "remaining", "until"},
    Senses: {"blindsight", "darkvision", "position", "tremorsense", "truesight"},
    Health: {"maximum", "reduction", "resistances", "hit_dice", *save_entities.HEALTH},
    ActionEconomy: {
        *ActionEconomy.value_names(),
        *save_entities.ECONOMY,
        "used",
        "path",
        "plans",
        "marks",
    },
    Score: {"parts", "terms", *save_frames.SCORE},
}


@pytest.mark.parametrize("kind", ATTRIBUTES)
def test_attributes__are_all_saved(kind: Any) -> None:
    """A new attribute must be added to the saves, and then here."""
    assert set(kind.__slots__) == ATTRIBUTES[kind]
