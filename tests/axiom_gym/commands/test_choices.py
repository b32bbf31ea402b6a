"""The legal moves at a prompt: typed, close and listed ones."""

from __future__ import annotations

import pytest

from axiom_gym.commands.choices import (
    Choice,
    count_choices,
    explain_refusal,
    find_choice,
    print_choices,
    without_collisions,
)
from axiom_gym.game.prompt_keys import PROMPT_KEYS, find_collision

MOVES = [
    Choice(0, "quell", "places 3 armies on Quell", "place"),
    Choice(7, "quell > brindle", "attacks Brindle from Quell", "attack"),
    Choice(8, "torvane > brindle", "attacks Brindle from Torvane", "attack"),
    Choice(9, "stop", "ends the attack", "end"),
]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("7", 7),
        ("QUELL>brindle", 7),
        (" quell ", 0),
        ("attacks brindle from torvane", 8),
        ("brindle", None),
        ("", None),
        ("1", None),
    ],
)
def test_find_choice__takes_number_key_or_text(line: str, action: int | None) -> None:
    assert find_choice(line, MOVES) == action


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("brindle", "Did you mean one of these: quell > brindle, torvane > brindle?"),
        ("brindle torvane", "Did you mean 'torvane > brindle'?"),
        ("torvane > brimble", "Did you mean 'torvane > brindle'?"),
        ("quel", "Did you mean one of these: quell, quell > brindle?"),
        ("xyzzy", "m lists the legal moves."),
    ],
)
def test_explain_refusal__names_close_moves(line: str, answer: str) -> None:
    assert explain_refusal(line, MOVES) == f"{line!r} is not a legal move here. {answer}"


def test_print_choices__groups_by_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    more = [Choice(20 + n, f"k{n}", "digs", "dig") for n in range(5)]
    print_choices([*MOVES[1:3], *more])
    assert capsys.readouterr().out.splitlines() == [
        "attack:",
        "  quell > brindle    attacks Brindle from Quell",
        "  torvane > brindle  attacks Brindle from Torvane",
        "dig:",
        "  k0  digs    k1  digs    k2  digs    k3  digs    k4  digs",
    ]
    print_choices(MOVES)
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], lines[3]) == ("attack:", "other:")
    assert lines[4].startswith("  quell  places")
    print_choices([MOVES[0], MOVES[3]])
    assert capsys.readouterr().out.startswith("  quell  places")


def test_count_choices__names_short_lists() -> None:
    assert count_choices([Choice(0, "p ne", ""), Choice(4, "", "x")]) == "2 moves (p ne, 4)"
    assert count_choices([*MOVES, *MOVES]) == "8 moves (m lists them)"


def test_find_collision__is_with_keys_and_numbers() -> None:
    for key in [*PROMPT_KEYS, "M", " u ", "12", "-3"]:
        assert find_collision(key)
    assert not any(map(find_collision, ["b", "me", "p ne", "1a", "", "quit"]))


def test_without_collisions__drops_only_keys_of_the_prompt() -> None:
    kept = without_collisions([Choice(3, "u", "up"), Choice(4, "d", "down")])
    assert [(one.key, one.name) for one in kept] == [("", "3"), ("d", "d")]
