from __future__ import annotations

import io
import re
import sys

import pytest

from axiom_training import progress
from axiom_training.progress import INTERVAL, ProgressDisplay, describe_faults, describe_progress
from axiom_training.trainer import TrainingProgress


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list whose last entry is the time in seconds."""
    times = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: times[-1])
    return times


def test_lines__come_from_time_to_time_without_a_terminal(
    now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with ProgressDisplay() as display:
        for name in ("a", "b"):
            display.start(name, "starting")
        display.update("a", 0.1, "first")
        assert capsys.readouterr().out == "a: starting\nb: starting\na:  10%  first\n"
        now.append(now[-1] + INTERVAL - 1)
        display.update("a", 0.2, "second")
        display.update("b", 0.2, "[first]")
        assert capsys.readouterr().out == "b:  20%  [first]\n"
        now.append(now[-1] + 1)
        display.update("a", 0.3, "third")
        display.update("b", 0.3, "second")
        assert capsys.readouterr().out == "a:  30%  third\n"
        display.end("b", "finished")
        assert capsys.readouterr().out == "b: finished\n"
        display.update("a", 1.0, "last")
    assert capsys.readouterr().out == "a: 100%  last\n"


def test_lines__of_a_single_run_have_no_name(
    now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with ProgressDisplay() as display:
        display.start("")
        display.update("", 0.0, "first")
    assert capsys.readouterr().out == "  0%  first\n"


def test_bars__are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())
    with ProgressDisplay() as display:
        display.start("seed-0", "starting")
        display.update("seed-0", 0.25, "[first] of 4")
        display.end("seed-0", "finished")
        display.start("seed-1[a]")
        display.update("seed-1[a]", 0.5, "[last] of 4")
    printed = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", sys.stdout.getvalue())
    assert "seed-0: finished" in printed
    assert re.search(r"seed-1\[a\] .* 50 % .*\[last\] of 4", printed)
    assert "seed-1[a]: " not in printed


def test_faults__are_described_with_their_share() -> None:
    done = TrainingProgress()
    done.add_ends(30, {})
    assert describe_faults(done) == []
    assert "fault" not in describe_progress(done)
    done.add_ends(10, {"a": 3})
    done.add_ends(10, {"a": 1, "b": 6})
    assert describe_progress(done).endswith("20% of the episodes end by a fault")
    assert describe_faults(done) == [
        "warning: a fault of the rules ended 10 of 50 episodes of training:",
        "  6  b",
        "  4  a",
    ]
