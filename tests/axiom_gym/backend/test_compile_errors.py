from __future__ import annotations

import importlib
import os
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest
from typer.testing import CliRunner

from axiom_gym.backend.codegen import CompiledCalls
from axiom_gym.batch import Batch
from axiom_gym.cli import app
from axiom_gym.errors import CompileError
from axiom_gym.kernel import record_dtype, zero_records

pytestmark = pytest.mark.compiled_only

HINT = "NUMBA_DISABLE_JIT=1"
RULES = """
import numpy as np
from axiom_gym.kernel import inner_kernel, kernel

@kernel
def fine(x, y):
    return x

@{decorator}
def mistake(state, x):
{body}
"""
KERNEL = """
from axiom_gym.kernel import kernel
from {package}.rules import mistake

@kernel
def score(state):
    return mistake(state, 3)
"""
STATE = record_dtype([("lives", np.int16), ("turn", np.int32), ("rng", np.uint32)])
PENNIES = Path(__file__).parents[2] / "games" / "pennies_game.py"
IN_STEP = "    coin = next_below(state, 2)\n"
IN_OBSERVE = "    observation[2] = player\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a directory of Python modules, named so that no other test has the same ones."""
    monkeypatch.setenv("AXIOM_GYM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = tmp_path.resolve() / f"broken_{os.getpid()}_{tmp_path.name}"
    found.mkdir()
    (found / "__init__.py").touch()
    yield found
    for name in list(sys.modules):
        if name.partition(".")[0] == found.name:
            del sys.modules[name]


def load(file: Path) -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module(f"{file.parent.name}.{file.stem}")


def fail_in_rules(folder: Path, code: str, decorator: str = "kernel") -> list[str]:
    """Return the lines of the error for this code in a function in another file."""
    rules = RULES.format(decorator=decorator, body=code)
    (folder / "rules.py").write_text(rules, encoding="utf-8")
    (folder / "kernel.py").write_text(KERNEL.format(package=folder.name), encoding="utf-8")
    score = load(folder / "kernel.py").score
    calls = CompiledCalls("axiom_gym.backend.entry_driver", {"function": score}, "toy")
    with pytest.raises(CompileError) as caught:
        calls.call(zero_records(1, STATE)[0])
    assert caught.value.__cause__ is not None
    return str(caught.value).splitlines()


def break_pennies(folder: Path, where: str, code: str) -> Path:
    """Write a copy of the game with a mistake, and return its file."""
    file = folder / "pennies.py"
    text = PENNIES.read_text(encoding="utf-8")
    assert where in text
    file.write_text(text.replace(where, f"{where}    {code}\n"), encoding="utf-8")
    return file


def play(file: Path) -> None:
    """Reset and step the game in this file."""
    batch = Batch(load(file).GAME, 2)
    batch.reset(1)
    batch.step()


MISTAKES = {
    "missing field": ("    return state.lives2 + x", "no field 'lives2'. Did you mean 'lives'?"),
    "written field": (
        "    state.points = x\n    return x",
        "has no field 'points'. Fields: lives,",
    ),
    "wrong type": ('    return state.lives + "a"', "Numba has no add(int16, Literal[str](a))."),
    "two types": ("    y = 1 if x > 5 else 'a'\n    return y", "Cannot unify"),
    "import": ("    import os\n    return os.getpid()", "unsupported opcode (IMPORT_NAME)"),
    "format": ("    return f'{x:.2f}'", "format spec in f-strings not supported"),
    "allocation": ("    return np.zeros(3).sum()", "must not allocate memory"),
    "undefined name": ("    x += 1\n    return x + wrong", "name 'wrong' is not defined."),
    "arguments": ("    return fine(x)", "parameters (x, y) do not fit a call: missing a required"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_compile_error__has_the_line_in_an_inner_function(folder: Path, mistake: str) -> None:
    code, reason = MISTAKES[mistake]
    title, place, line, why, hint = fail_in_rules(folder, code)
    source = (folder / "rules.py").read_text(encoding="utf-8").splitlines()
    number = int(place.split("line ")[1].partition(",")[0])
    assert title == "toy: Numba cannot compile 'mistake', called from 'score'."
    assert place == f'  File "{folder / "rules.py"}", line {number}, in mistake'
    assert line.strip() == source[number - 1].strip()
    assert line.strip() in code
    assert why.startswith("Reason: ")
    assert reason in why
    assert HINT in hint


def test_compile_error__has_the_line_in_a_function_compiled_with_its_caller(folder: Path) -> None:
    lines = fail_in_rules(folder, "    return state.lives + 'a'", "inner_kernel")
    assert lines[2:4] == [
        "    return state.lives + 'a'",
        "Reason: Numba has no add(int16, Literal[str](a)).",
    ]


def test_compile_error__names_the_function_where_numba_gives_no_line(folder: Path) -> None:
    lines = fail_in_rules(folder, "    with open('x') as file:\n        return x")
    assert lines[2] == "    def mistake(state, x):"
    assert lines[3].startswith("Reason: The 'with (context manager) as (variable):' construct")


@pytest.mark.parametrize("function", ["step", "observe"])
@pytest.mark.parametrize("code", ["state.lives = 3", "state.turn = wrong", "state.turn += None"])
def test_compile_error__has_the_line_in_a_game(folder: Path, function: str, code: str) -> None:
    file = break_pennies(folder, {"step": IN_STEP, "observe": IN_OBSERVE}[function], code)
    number = file.read_text(encoding="utf-8").splitlines().index(f"    {code}") + 1
    with pytest.raises(CompileError) as caught:
        play(file)
    lines = str(caught.value).splitlines()
    assert lines[:3] == [
        f"pennies: Numba cannot compile {function!r}.",
        f'  File "{file}", line {number}, in {function}',
        f"    {code}",
    ]
    assert len(lines) == 5


def test_compile_error__names_a_function_with_the_wrong_parameters(folder: Path) -> None:
    file = folder / "pennies.py"
    text = PENNIES.read_text(encoding="utf-8").replace(
        "    events: Any,\n    params: Params,\n) -> int", "    params: Params,\n) -> int"
    )
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CompileError, match=r"parameters \(state, actions, rewards, params\) do"):
        play(file)


def test_command_line__prints_five_lines(folder: Path) -> None:
    file = break_pennies(folder, IN_STEP, "state.lives = 3")
    result = CliRunner().invoke(app, ["simulate", f"{file}:GAME", "--games", "1"])
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[0] == "error: pennies: Numba cannot compile 'step'."
    assert len(lines) == 5


def test_errors_of_running_code__are_passed_on(folder: Path) -> None:
    file = folder / "raising.py"
    file.write_text(
        "from axiom_gym.kernel import kernel\n\n@kernel\ndef f(x):\n    raise KeyError('x')\n"
    )
    calls = CompiledCalls("axiom_gym.backend.entry_driver", {"function": load(file).f}, "raising")
    with pytest.raises(KeyError):
        calls.call(3)


def test_compile_error__is_made_while_other_objects_disappear(folder: Path) -> None:
    dead = weakref.proxy(ModuleType("gone"))
    lines = fail_in_rules(folder, "    return state.lives + wrong")
    assert lines[2] == "    return state.lives + wrong"
    del dead


def test_chain__has_numbas_error(folder: Path) -> None:
    file = break_pennies(folder, IN_STEP, "state.turn = wrong")
    with pytest.raises(CompileError) as caught:
        play(file)
    assert isinstance(caught.value.__cause__, numba.core.errors.NumbaError)
