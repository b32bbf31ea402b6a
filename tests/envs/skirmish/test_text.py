"""Texts of positions, actions and events, and typed actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from axiom_envs.dnd import engine as dnd
from axiom_envs.skirmish.game import GAME
from axiom_envs.skirmish.rules import Session
from axiom_envs.skirmish.state import reader
from axiom_envs.skirmish.text import explain_events, hit_chance, letter_of
from axiom_gym.batch import Batch
from axiom_gym.play.match import Match
from axiom_gym.replay.text import narrate


def start(seed: int = 1, **options: Any) -> Batch:
    batch = Batch(GAME, 1, autoreset="disabled", **options)
    batch.reset(seed)
    return batch


def session_of(batch: Batch) -> Session:
    found: Session = batch.params.find(batch.buffers.states[0])
    return found


def act(batch: Batch, key: str) -> None:
    """Play a typed action."""
    batch.buffers.actions[0, 0, 0] = choices(batch)[key]
    batch.step()


def choices(batch: Batch) -> dict[str, int]:
    """Return all legal actions by their typed form."""
    state, seat = batch.buffers.states[0], int(batch.buffers.acting[0])
    legal = np.flatnonzero(batch.buffers.masks[0, 0, 0]).tolist()
    return {GAME.sub_action_key(state, seat, 0, action): action for action in legal}  # type: ignore[misc]


def describe(batch: Batch, key: str) -> str:
    state, seat = batch.buffers.states[0], int(batch.buffers.acting[0])
    return GAME.describe_sub_action(state, seat, 0, choices(batch)[key])  # type: ignore[misc]


def side_by_side(seed: int = 1) -> Batch:
    """Return a batch with two adjacent fighters, at the start of a turn and unhurt."""
    batch = start(seed, scenario="duel-fighters")
    session = session_of(batch)
    mine, other = session.decider, session.sides[1 - session.seat_of_side(session.decider)][0]
    mine.place((3, 3))
    other.place((4, 3))
    session.encounter._legal = None
    session.update()
    batch.buffers.masks[0, 0, 0] = session.mask
    return batch


@pytest.mark.parametrize(
    ("arguments", "chance"),
    [
        ((5, 15), 0.55), ((0, 40), 0.05), ((30, 10), 0.95), ((4, 15, 1), 0.75), ((4, 15, -1), 0.25),
        ((0, 15, 0, True), 0.95), ((9, 5, 0, False), 0.0),
    ],
)  # fmt: skip
def test_hit_chance(arguments: tuple[Any, ...], chance: float) -> None:
    assert hit_chance(*arguments) == pytest.approx(chance)


def test_describe_sub_action__gives_the_prospects_of_an_attack() -> None:
    batch = side_by_side()
    session = session_of(batch)
    profile = session.decider.equipment.profiles[0]
    enemy = session.sides[1 - session.seat_of_side(session.decider)][0]
    armour = enemy.equipment.read_armour_class().total
    text = describe(batch, "a1")
    plain, hindered = (f"{100 * hit_chance(5, armour, k):.0f} %" for k in (0, -1))
    dice = f"{profile.count}d{profile.sides}+3 {profile.damage_type.value}"
    assert text == f"attack {enemy.name} with {profile.name} (+5 against {armour}, {plain}, {dice})"
    act(batch, "dodge")
    act(batch, "end")
    assert f", {hindered}, " in describe(batch, "a1")


def test_describe_sub_action__of_other_kinds() -> None:
    batch = side_by_side()
    enemy = session_of(batch).sides[1 - session_of(batch).seat][0].name
    assert describe(batch, "end") == "end its turn"
    assert describe(batch, "pa") == f"shove {enemy} prone"
    assert describe(batch, "ba") == f"push {enemy} back"
    assert describe(batch, "w") == "step west"
    assert describe(batch, "m1,3") == "move to 1,3 (10 ft, provokes 1)"
    assert describe(batch, "m3,2") == "move to 3,2 (5 ft)"
    act(batch, "w")
    assert describe(batch, "yes").startswith("react: opportunity attack: ")
    assert describe(batch, "no") == "decline to react"


def test_describe_action__names_the_actor() -> None:
    batch = side_by_side()
    name = session_of(batch).decider.name
    state = batch.buffers.states[0]
    assert GAME.describe_action(state, 0, [choices(batch)["dodge"]]) == f"has {name} dodge"


@pytest.mark.compiled_only
@pytest.mark.parametrize("scenario", ["bandits-vs-party", "gnolls-on-the-plain", "kobold-warren"])
def test_sub_action_key__is_unique_for_each_legal_action(scenario: str) -> None:
    batch = start(3, scenario=scenario)
    for _ in range(80):
        keys = choices(batch)
        assert len(keys) == batch.buffers.masks[0, 0, 0].sum()
        for key in keys:
            assert key == key.lower()
            assert not key.isdigit()
            assert key not in ("q", "b", "?")
        batch.sample_actions()
        batch.step()


@pytest.mark.compiled_only
def test_texts__exist_for_any_number() -> None:
    batch = start(scenario="goblins-vs-fighters")
    for _ in range(3):
        for action in range(-1, batch.layout.num_choices[0] + 1):
            line = GAME.describe_action(batch.buffers.states[0], 0, [action])
            assert line
            assert "\n" not in line
            assert GAME.sub_action_key(batch.buffers.states[0], 0, 0, action)  # type: ignore[misc]
        batch.sample_actions()
        batch.step()


@pytest.mark.compiled_only
def test_texts__leave_no_trace() -> None:
    """Describing a game at every decision does not change it."""
    texts, silent = start(2, scenario="bandits-vs-party"), start(2, scenario="bandits-vs-party")
    for _ in range(60):
        batch = texts
        for key in choices(batch):
            describe(batch, key)
        GAME.describe_state(batch.buffers.states[0])
        for one in (texts, silent):
            one.sample_actions()
            one.step()
    assert texts.buffers.states.tobytes() == silent.buffers.states.tobytes()
    counts = {session_of(one).encounter.world.count for one in (texts, silent)}
    assert len(counts) == 1


# -- positions -------------------------------------------------------------------------------------


def test_describe_state__shows_map_order_and_question() -> None:
    batch = start(1, scenario="goblins-vs-fighters")
    session = session_of(batch)
    lines = GAME.describe_state(batch.buffers.states[0]).splitlines()
    assert lines[0].split() == [str(x) for x in range(11)]
    board = [line.split()[1:] for line in lines[1:12]]
    for one in session.encounter.fighters:
        x, y = one.position or (0, 0)
        assert board[y][x] == letter_of(session, one)
    assert sum(symbol == "#" for row in board for symbol in row) == 6
    names = [line[4:].split("  ")[0].strip() for line in lines[12:-1]]
    assert [name.split("   ")[0] for name in names] == [one.name for one in session.encounter.order]
    assert lines[12].startswith("> ")
    actor = session.encounter.actor
    assert lines[-1] == f"Round 1 of 20: turn of {actor.name} ({actor.side}); left: 30 ft, action."


def test_describe_state__shows_death_saving_throws() -> None:
    batch = start(1, scenario="goblins-vs-fighters")
    session = session_of(batch)
    fighter, goblin = session.sides[0][0], session.sides[1][2]
    with session.encounter.world:
        dnd.deal_damage(fighter, [(fighter.health.current, dnd.DamageType.COLD)])
        dnd.deal_damage(goblin, [(30, dnd.DamageType.COLD)])
    fighter.health.failures = 1
    text = GAME.describe_state(batch.buffers.states[0])
    assert "dying: 0 saved, 1 failed" in text
    assert f"  c {goblin.name}" in text
    (line,) = [line for line in text.splitlines() if line.startswith(f"  c {goblin.name}")]
    assert "0/7 hp" in line
    assert "dead" in line


def test_describe_state__names_the_winner() -> None:
    batch = start(1, scenario="duel-fighters")
    everybody = np.zeros((1, 2), np.int16)
    while not batch.buffers.terminated[0]:
        batch.act("greedy", everybody, 0)
        batch.step()
    winner = ("the party has won", "the foes have won")[session_of(batch).winner]
    assert GAME.describe_state(batch.buffers.states[0]).endswith(f"{winner}.")


# -- events ----------------------------------------------------------------------------------------


def test_events__explain_attacks_and_their_consequences() -> None:
    match = Match(GAME, ["greedy", "greedy"], seed=3, preset="2v2").play()
    text = "\n".join(narrate(match))
    assert "attacks Goblin" in text
    assert "to-hit 4 = 2 (dexterity) + 2 (proficiency)" in text
    assert " dies." in text
    assert "rolls for initiative" not in text
    assert not [line for line in text.splitlines() if line.strip().startswith("1d")]
    rows = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(rows) > 8


def test_events__are_those_of_the_position() -> None:
    batch = start(1, scenario="4v4-mixed")
    state = batch.buffers.states[0]
    everybody = np.zeros((1, 2), np.int16)
    for _ in range(12):
        batch.act("greedy", everybody, 0)
        batch.step()
        texts = explain_events(reader.find(state))
        rows = [GAME.describe_event(state, [0, number] + [0] * 6) for number in range(len(texts))]  # type: ignore[misc]
        assert rows == texts
        assert GAME.describe_event(state, [0, len(texts)] + [0] * 6) == ""  # type: ignore[misc]
