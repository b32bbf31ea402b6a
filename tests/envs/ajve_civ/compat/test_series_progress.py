"""Tests of the progress bar of a long series."""

from __future__ import annotations

import sys

import pytest

from axiom_envs.ajve_civ.compat import series_progress
from axiom_envs.ajve_civ.compat.series_progress import SeriesProgress


def test_progress__shows_a_bar_on_a_terminal_after_a_moment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with SeriesProgress(True, 10) as show:
        show(1)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(series_progress, "PATIENCE", -1.0)
        show(5)
    assert "50%" in capsys.readouterr().err


def test_progress__shows_nothing_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(series_progress, "PATIENCE", -1.0)
    for to_terminal, wanted in ((False, True), (True, False)):
        monkeypatch.setattr(sys.stdout, "isatty", lambda one=to_terminal: one)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        with SeriesProgress(wanted, 10) as show:
            show(5)
    assert capsys.readouterr().err == ""


def test_progress__calls_a_function() -> None:
    calls: list[tuple[int, int]] = []
    with SeriesProgress(lambda finished, total: calls.append((finished, total)), 10) as show:
        show(5)
    assert calls == [(5, 10)]
