from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiom_gym.text.moves import Moves, Part
from axiom_gym.text.parsing import LONGEST, Parsed, parse

ONE = Moves([Part(0, (0, 2, 5), ("a", "Bee 2", "7"), ("", "", ""))], [0])
TWO = Moves(
    [Part(0, (0, 1), ("n", "p ne"), ("", "")), Part(2, (3, 4), ("sh", "n"), ("", ""))], [0, 9, 3]
)


def read(reply: str, moves: Moves = ONE) -> tuple[str, str | None]:
    parsed = parse(reply, moves)
    return parsed.category, parsed.move


@pytest.mark.parametrize(
    ("reply", "category", "move"),
    [
        ("a", "ok", "a"),
        (" A\n", "ok", "a"),
        ("ＢＥＥ ２", "ok", "Bee 2"),  # noqa: RUF001 - full-width letters
        ("BEE2", "ok", "Bee 2"),
        ('{"move": "bee 2"}', "ok", "Bee 2"),
        ('I think.\n```json\n{"move": "a"}\n```\nDone.', "ok", "a"),
        ('{"why": "{braces}", "move": "a"}', "ok", "a"),
        ('{"answer": {"move": "a"}}', "ok", "a"),
        ('{"move": ["a"]}', "ok", "a"),
        ('{"move": 7}', "ok", "7"),
        ('{"move": "bee 2"} is weak, so {"move": "a"}', "ok", "a"),
        ('{"move": "a"}\n```\n{"move": " A "}\n```', "ok", "a"),
        ('{"move": "a"} and {"note": 1}', "ok", "a"),
        ('{{"move": "a"}', "ok", "a"),
        ("", "empty", None),
        (" \n\t", "empty", None),
        ("I play a", "unparsable", None),
        ("a.", "unparsable", None),
        ('"a"', "unparsable", None),
        ("a a", "unparsable", None),
        ("{'move': 'a'}", "unparsable", None),
        ('{"Move": "a"}', "unparsable", None),
        ('{"move": "a"', "unparsable", None),
        ('{"move": null}', "unparsable", None),
        ('{"move": true}', "unparsable", None),
        ('{"move": {"column": "a"}}', "unparsable", None),
        ('{"move": []}', "unparsable", None),
        ('{"move": [["a", null]]}', "unparsable", None),
        ('{"move": "b"}', "illegal", None),
        ('{"move": "a"} no, {"move": "b"}', "illegal", None),
        ('{"move": ""}', "illegal", None),
        ('{"move": "a or 7"}', "illegal", None),
        ('{"move": "a"}{"move": "7"}', "ambiguous", None),
        ('{"move": "a"},\n```json\n{"move": "b"}\n```', "ambiguous", None),
        ('[{"move": "a"}, {"move": "7"}]', "ambiguous", None),
        ('{"move": "a", "move": "7"}', "ambiguous", None),
        ('{"move": "a", "move": "A"}', "ok", "a"),
    ],
)
def test_parse__reads_the_last_object_or_a_bare_move(
    reply: str, category: str, move: str | None
) -> None:
    assert read(reply) == (category, move)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("P NE ;sh", (1, 9, 3)),
        ('{"move": "n; n"}', (0, 9, 4)),
        ('{"move": ["n", "N"]}', (0, 9, 4)),
        ('{"move": ["n", "n"]} {"move": "n;n"}', (0, 9, 4)),
    ],
)
def test_parse__joins_parts_and_adds_what_is_forced(reply: str, expected: tuple[int, ...]) -> None:
    assert parse(reply, TWO).sub_actions == expected


@pytest.mark.parametrize("answer", ["n", "n; n; n", "sh; n", ["n"], ["n; n"], ["n", "up"]])
def test_parse__refuses_a_wrong_number_of_parts(answer: object) -> None:
    assert read(json.dumps({"move": answer}), TWO) == ("illegal", None)


def test_parse__names_what_it_refuses() -> None:
    assert parse('{"move": "Up"}', ONE).answer == "Up"
    assert parse('{"move": ["n", "up"]}', TWO).answer == "n; up"
    assert parse('{"move": "a"}{"move": "7"}', ONE).answer == "a, 7"


def test_parse__does_not_read_what_was_cut_off() -> None:
    assert parse('{"move": "a"}', ONE, truncated=True) == Parsed("truncated")
    assert parse("", ONE, truncated=True) == Parsed("truncated")


@pytest.mark.parametrize("sign", ["{", '{"a":', "[", '[{"move":', '{"move": '])
def test_parse__survives_depth(sign: str) -> None:
    assert read(sign * 30_000)[0] == "unparsable"
    assert read(sign * 30_000 + ' x {"move": "a"}') == ("ok", "a")


def test_parse__reads_the_end_of_a_long_reply() -> None:
    assert read('{"move": "a"}' + "x" * LONGEST) == ("unparsable", None)
    assert read("9" * 3 * LONGEST + '{"move": "a"}') == ("ok", "a")
    assert read('{"move": ' + "9" * 5000 + "}")[0] == "unparsable"


@given(st.text() | st.text(st.sampled_from('{}[]":,move a7`\n')))
def test_parse__finds_moves_only_in_objects(reply: str) -> None:
    parsed = parse(reply, ONE)
    if parsed.category == "ok":
        bare = "".join(reply.casefold().split())
        assert bare in ("a", "bee2", "7") or '"move"' in reply


@given(st.text(st.characters(exclude_characters='{"'), min_size=1), st.sampled_from(["a", "7"]))
def test_parse__does_not_depend_on_prose_around_the_answer(prose: str, move: str) -> None:
    assert read(f'{prose}{{"move": "{move}"}}{prose}') == ("ok", move)
