"""Each action has one meaning, and legal actions are those of the engine."""

from __future__ import annotations

import pytest

from axiom_envs.dnd import constants as kinds
from axiom_envs.skirmish import catalogue
from axiom_envs.skirmish.catalogue import Catalogue, Meaning
from axiom_envs.skirmish.config import SkirmishConfig, sizes_of
from axiom_envs.skirmish.rules import Session
from axiom_gym.seeded_rng import SeededRNG


def begin(seed: int = 1, **options: object) -> Session:
    config = SkirmishConfig(**options)  # type: ignore[arg-type]
    sizes = sizes_of(config)
    return Session(config, Catalogue(sizes.units, sizes.width, sizes.height), seed)


def test_size__follows_the_formula() -> None:
    assert Catalogue(4, 12, 12).size == 214
    assert Catalogue(8, 16, 16).size == 366


def test_decode__follows_the_order_of_the_blocks() -> None:
    small = Catalogue(2, 5, 4)
    found = {action: small.decode(action) for action in range(small.size)}
    assert found[0] == Meaning("end turn")
    assert found[15] == Meaning("reckless")
    assert [found[20 + k] for k in range(8)] == [Meaning("step", k) for k in range(8)]
    assert found[28] == Meaning("attack", 0, 0)
    assert found[28 + 4 + 3] == Meaning("attack", 1, 3)
    assert [found[36 + 2 * k + 1].kind for k in range(6)] == list(catalogue.TARGETED)
    assert found[36 + 5] == Meaning("shove prone", 1)
    assert [found[48 + k].kind for k in range(2)] == ["ready melee", "ready ranged"]
    assert found[50] == Meaning("move", square=(0, 0))
    assert found[50 + 5 + 2] == Meaning("move", square=(2, 1))
    assert found[small.size - 1] == Meaning("move", square=(4, 3))
    assert len(set(found.values())) == small.size
    assert small.decode(-1) == small.decode(small.size) == Meaning("")
    assert len(small.kinds()) == small.size


def test_catalogue__has_every_kind_of_choice() -> None:
    texts = {name: one for name, one in vars(kinds).items() if isinstance(one, str)}
    known = {one for name, one in texts.items() if name.isupper() and one != kinds.SYMBOLS}
    assert {*catalogue.SIMPLE, *catalogue.TARGETED, *catalogue.READIED} | {
        kinds.STEP,
        kinds.ATTACK,
        kinds.MOVE,
        kinds.RAMPAGE,
    } == known
    assert kinds.DIRECTIONS[:3] == ((0, -1), (1, -1), (1, 0))


GAMES = (
    {"scenario": "bandits-vs-party"},
    {"scenario": "kobold-warren", "units": 7, "width": 14},
    {"scenario": "gnolls-on-the-plain", "reactions": "auto"},
    {"scenario": "wolves-in-the-woods", "knock_out": True, "ready": True},
)


@pytest.mark.parametrize("options", GAMES, ids=lambda options: str(options["scenario"]))
def test_choices__are_restored_from_their_numbers_in_whole_games(
    options: dict[str, object],
) -> None:
    session, rng, kinds = begin(seed=2, **options), SeededRNG(5), set()
    for _ in range(250):
        if session.encounter.over:
            break
        choices = session.encounter.legal_actions()
        numbers = [session.catalogue.to_index(choice, session) for choice in choices]
        for number, choice in zip(numbers, choices, strict=True):
            assert session.catalogue.to_choice(number, session) == choice
        assert sorted(numbers) == session.mask.nonzero()[0].tolist()
        kinds |= {choice.kind for choice in choices}
        session.play(rng.pick(numbers), session.left)
    assert {"end turn", "step", "attack", "move"} <= kinds
    assert ("ready melee" in kinds) == ("ready" in options)


def test_to_choice__without_a_target_is_none() -> None:
    session = begin(scenario="duel-fighters", units=3)
    first = session.catalogue.first_target
    assert session.catalogue.to_choice(28, session).target is not None  # type: ignore[union-attr]
    assert session.catalogue.to_choice(28 + 4, session) is None
    assert session.catalogue.to_choice(first + 1, session) is None
    stabilise = first + 5 * 3
    assert session.catalogue.to_choice(stabilise, session).target is session.decider  # type: ignore[union-attr]
    assert session.catalogue.to_choice(stabilise + 1, session) is None


def test_enemies__are_numbered_in_the_order_of_creation() -> None:
    session = begin(scenario="goblins-vs-fighters")
    party, foes = session.sides
    assert [one.spec for one in party] == ["fighter"] * 2
    assert [session.slots[one.number] for one in foes] == [0, 1, 2, 3]
    own = session.seat_of_side(session.decider)
    others = session.sides[1 - own]
    targets = [session.catalogue.to_choice(28 + 4 * e, session).target for e in range(len(others))]  # type: ignore[union-attr]
    assert targets == others
