"""`axiom-gym balance`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., str]

pytestmark = pytest.mark.usefixtures("known_climb")


def test_balance__writes_a_page_and_its_numbers(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["balance", "climb", "--games", "60", "-o", "limit=5,9", "--out", tmp_path]
    output = run(*command, "--players", "careful,random")
    page, numbers = tmp_path / "balance_climb.html", tmp_path / "balance_climb.json"
    assert output.splitlines()[-1] == f"Wrote {page} and {numbers}"
    assert "limit=5: careful: a limit ends 100.0% of the games." in output
    found = json.loads(numbers.read_text())
    assert [one["label"] for one in found["settings"]] == ["limit=5", "limit=9"]
    labels = [table["label"] for table in found["settings"][0]["tables"]]
    assert labels == ["careful", "random"]
    assert page.read_text().startswith("<!doctype html>")
    first = numbers.read_bytes()
    monkeypatch.setattr("axiom_gym.balance.page._draw", lambda report, setting: [])
    run(*command, "--players", "careful", "--players", "random")
    assert numbers.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "carefl"], "Did you mean 'careful'?"),
        (["--players", "careful,carefl"], "Did you mean 'careful'?"),
        (["--players", "2,careful"], "climb is for 1 players, got --players 2."),
        (["-o", "limits=5"], "Did you mean 'limit'?"),
        (["--out", "page.pdf"], "a file with the suffix .html, or a folder that exists, got"),
        (["--out", "none/page.html"], "cannot write the page 'none/page.html': there is no folder"),
        (["--games", "0"], "games must be an integer at least 1"),
        (["--games", "2000000"], "games must be an integer from 1 to 1000000, got 2000000."),
    ],
)
def test_balance__refuses_wrong_options(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in run("balance", "climb", *arguments, status=2)
    assert list(tmp_path.iterdir()) == []


def test_balance__names_the_extra_that_is_missing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("axiom_gym.commands.balance.find_spec", lambda name: None)
    output = run("balance", "climb", "--out", tmp_path, status=2)
    assert "pip install 'axiom-gym[bench]'" in output


def test_balance__says_why_a_file_cannot_be_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("axiom_gym.balance.page.write", fail)
    output = run("balance", "climb", "--games", "2", "--out", tmp_path, status=2)
    assert "error: cannot write the page" in output
    assert "No space left on device" in output
