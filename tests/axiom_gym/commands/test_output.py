"""Tables and texts, with and without a terminal."""

from __future__ import annotations

import re
import sys

import pytest

from axiom_gym.commands.output import print_table, print_text


def pretend_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make stdout a terminal of 40 columns; call it in a test, as pytest replaces stdout later."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")


def test_print_table__aligns_columns_without_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(["name", "rate"], [["a", 1], ["long", 1000]], title="Rates", numbers=True)
    assert capsys.readouterr().out == "Rates\nname  rate\na        1\nlong  1000\n"
    print_table(["", ""], [["a", "[b]"], ["cc", ""]])
    assert capsys.readouterr().out == "a   [b]\ncc\n"
    print_table(["", ""], [])
    assert capsys.readouterr().out == ""


def test_print_table__has_a_line_below_the_headings_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_terminal(monkeypatch)
    print_table(["name", "rate"], [["[a]", 1], ["long", 1000]], title="[Rates]", numbers=True)
    plain = re.sub(r"\x1b\[\d*m", "", capsys.readouterr().out)  # bold headings
    lines = [line.rstrip() for line in plain.splitlines()]
    assert lines[0] == "[Rates]"
    assert lines[1].split() == ["name", "rate"]
    assert set(lines[2]) == {"─"}
    assert [line.split() for line in lines[3:]] == [["[a]", "1"], ["long", "1000"]]
    assert lines[3].index("1") > lines[4].index("1")


def test_print_text__breaks_between_words_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_terminal(monkeypatch)
    print_text("[x] " + "word " * 12)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.rstrip().endswith("word") for line in lines)
    assert lines[0].startswith("[x] word")


def test_print_text__is_one_line_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_text("word " * 40)
    assert capsys.readouterr().out == "word " * 40 + "\n"
