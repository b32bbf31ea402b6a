"""Commands of plugins."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
import typer

from axiom_gym.commands import group

Run = Callable[..., str]


def plug_in(monkeypatch: pytest.MonkeyPatch, name: str, load: Any) -> None:
    entry = SimpleNamespace(
        name=name, value="x:y", load=load, dist=SimpleNamespace(name="axiom-gym")
    )
    monkeypatch.setattr(group, "_plugins", lambda: {name: entry})


def test_plugin__becomes_a_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def greet(name: str, times: Annotated[int, typer.Option()] = 1) -> None:
        """Greet somebody."""
        typer.echo(f"hello {name} " * times)

    plug_in(monkeypatch, "greet", lambda: greet)
    assert re.search(r"greet\s+Greet somebody\.", run("--help"))
    assert run("greet", "Ada", "--times", "2") == "hello Ada hello Ada \n"


def test_plugin__with_missing_packages_says_how_to_install_them(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def load() -> Any:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    plug_in(monkeypatch, "train", load)
    assert re.search(r"train\s+Not installed: pip install 'axiom-gym\[train\]'", run("--help"))
    assert run("train", "quantaris", "--minutes", "2", status=2) == (
        "error: 'train' needs packages that are not installed: pip install 'axiom-gym[train]' "
        "(No module named 'torch').\n"
    )


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("half written"),
        ImportError("cannot import name 'y' from 'x'", name="x"),
        ModuleNotFoundError("No module named 'x.z'", name="x.z"),
    ],
)
def test_plugin__that_is_broken_does_not_affect_other_commands(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def load() -> Any:
        raise error

    plug_in(monkeypatch, "train", load)
    assert "quantaris-v0" in run("list")
    assert "Cannot be loaded." in run("--help")
    text = run("train", status=2)
    assert text == f"error: 'train' cannot be loaded: {type(error).__name__}: {error}\n"


def test_plugin__does_not_replace_a_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, "list", lambda: pytest.fail("must not be loaded"))
    assert "quantaris-v0" in run("list")
    assert len(re.findall(r"^\s+list\s", run("--help"), re.MULTILINE)) == 1
