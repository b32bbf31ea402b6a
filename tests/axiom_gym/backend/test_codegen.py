from __future__ import annotations

import errno
import importlib
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import caching

from axiom_gym.backend import codegen, null_kernel
from axiom_gym.backend.codegen import CompiledCalls, compile_function, load_template
from axiom_gym.batch import Batch
from axiom_gym.kernel import KERNEL_FUNCTIONS, kernel

RULES = """
from axiom_gym.kernel import kernel

@kernel
def bonus(x):
    return x + {bonus}
"""
KERNEL = """
from axiom_gym.kernel import kernel
from {package}.rules import bonus

@kernel
def score(x):
    return 10 * bonus(x)
"""
TEMPLATE = "axiom_gym.backend.entry_driver"
_names = itertools.count()


class Package:
    """A package on the path with a kernel, and rules that the kernel imports."""

    def __init__(self, folder: Path) -> None:
        self.name = f"toy_package_{os.getpid()}_{next(_names)}"
        self.path = folder
        (folder / self.name).mkdir()
        (folder / self.name / "__init__.py").touch()
        self.write_rules(1)
        text = KERNEL.format(package=self.name)
        (folder / self.name / "kernel.py").write_text(text, encoding="utf-8")

    def write_rules(self, bonus: int) -> None:
        text = RULES.format(bonus=bonus)
        (self.path / self.name / "rules.py").write_text(text, encoding="utf-8")

    def forget(self) -> None:
        """Forget all imports of the package, as in a new process."""
        importlib.invalidate_caches()
        generated = "axiom_gym_generated."
        for name in list(sys.modules):
            if name.startswith(self.name) or (name.startswith(generated) and self.name in name):
                del sys.modules[name]

    def score(self) -> Callable[..., Any]:
        importlib.invalidate_caches()
        function: Callable[..., Any] = importlib.import_module(f"{self.name}.kernel").score
        return function

    def load(self) -> ModuleType:
        return load_template(TEMPLATE, {"function": self.score()}, self.name)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty directory for generated files, which the code stores in `drivers`."""
    path = tmp_path / "cache"
    monkeypatch.setenv("AXIOM_GYM_CACHE_DIR", str(path))
    # Where this is set, Numba keeps compiled code there and not beside the generated file.
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    return path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    monkeypatch.syspath_prepend(str(tmp_path))
    # Else an edit within the same second is not noticed by Python itself.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = Package(tmp_path)
    yield made
    made.forget()


def files(cache: Path) -> dict[str, int]:
    """Return all files below a directory with the times of their last change."""
    return {
        str(path.relative_to(cache)): path.stat().st_mtime_ns
        for path in cache.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def sources(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / "drivers").glob("*.py"))


def no_space(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


# Names


def test_cache_directory__is_the_one_that_was_chosen(cache: Path) -> None:
    assert codegen.cache_directory() == cache


def test_cache_directory__is_the_platforms_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXIOM_GYM_CACHE_DIR", "")
    assert codegen.cache_directory().is_absolute()
    assert "axiom-gym" in str(codegen.cache_directory())


def test_load_template__names_the_file_by_label_template_and_hash(
    cache: Path, package: Package
) -> None:
    module = package.load()
    (name,) = sources(cache)
    assert name.startswith(f"{package.name}_entry_driver_")
    assert module.__name__ == f"axiom_gym_generated.{name.removesuffix('.py')}"
    text = (cache / "drivers" / name).read_text(encoding="utf-8")
    assert f"from {package.name}.kernel import score as function\n" in text
    assert "null_kernel import" not in text
    assert "\nCACHE = True\n" in text
    assert module.call(4) == 50


def test_load_template__gives_the_same_module_for_the_same_code(
    cache: Path, package: Package
) -> None:
    first = package.load()
    assert package.load() is first
    assert len(sources(cache)) == 1


def test_load_template__gives_the_same_file_to_another_process(
    cache: Path, package: Package
) -> None:
    package.load()
    before = files(cache)
    package.forget()
    package.load()
    assert files(cache) == before


def test_load_template__gives_another_file_after_an_edit_of_an_imported_module(
    cache: Path, package: Package
) -> None:
    assert package.load().call(4) == 50
    package.write_rules(2)
    package.forget()
    assert package.load().call(4) == 60
    assert len(sources(cache)) == 2


def test_load_template__goes_back_to_the_first_file_when_the_edit_is_taken_back(
    cache: Path, package: Package
) -> None:
    for bonus, expected in ((1, 50), (2, 60), (1, 50)):
        package.write_rules(bonus)
        package.forget()
        assert package.load().call(4) == expected
    assert len(sources(cache)) == 2


def test_load_template__gives_another_file_after_an_edit_of_a_module_of_the_arguments(
    cache: Path, package: Package
) -> None:
    for bonus in (1, 2):
        package.write_rules(bonus)
        package.forget()
        module = package.score().__module__
        load_template(TEMPLATE, {"function": null_kernel.bot}, package.name, [module])
    assert len(sources(cache)) == 2


def test_load_template__keeps_its_name_while_the_edited_module_is_not_imported_anew(
    cache: Path, package: Package
) -> None:
    package.load()
    package.write_rules(2)
    # What runs is still the code from before the edit; it must not be kept as the edited code's.
    package.load()
    assert len(sources(cache)) == 1
    assert package.load().call(4) == 50


def test_load_template__notices_a_reload(cache: Path, package: Package) -> None:
    package.load()
    package.write_rules(2)
    for name in ("rules", "kernel"):
        importlib.reload(importlib.import_module(f"{package.name}.{name}"))
    assert package.load().call(4) == 60
    assert len(sources(cache)) == 2


def test_load_template__follows_relative_imports(cache: Path, package: Package) -> None:
    text = KERNEL.format(package=package.name).replace(f"from {package.name}.rules", "from .rules")
    (package.path / package.name / "kernel.py").write_text(text, encoding="utf-8")
    package.load()
    package.write_rules(2)
    package.forget()
    assert package.load().call(4) == 60


LAZY = """
from __future__ import annotations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import {package}.later as for_types

class Lazy:
    def later(self):
        from {package} import later
"""
CONDITIONAL = """
try:
    if True:
        import {package}.rules
except ImportError:
    import {package}.rules
"""


def test_load_template__does_not_depend_on_what_is_imported_later(
    cache: Path, package: Package
) -> None:
    folder = package.path / package.name
    (folder / "later.py").touch()
    text = LAZY.format(package=package.name) + KERNEL.format(package=package.name)
    (folder / "kernel.py").write_text(text, encoding="utf-8")
    module = package.load()
    importlib.import_module(f"{package.name}.later")
    assert package.load() is module


def test_load_template__follows_imports_under_a_condition(cache: Path, package: Package) -> None:
    kernel = package.path / package.name / "kernel.py"
    text = CONDITIONAL.format(package=package.name)
    kernel.write_text(RULES.format(bonus=1).replace("bonus(x)", "score(x)") + text)
    package.load()
    package.write_rules(2)
    package.forget()
    package.load()
    assert len(sources(cache)) == 2


def test_batches__of_a_process_share_their_code(python: Callable[..., str]) -> None:
    code = (
        "from pennies_game import GAME\n"
        "from axiom_gym.batch import Batch\n"
        "first = Batch(GAME)\n"
        "import axiom_gym.batch.bot_driver, axiom_gym.opponents.seating\n"
        "import axiom_gym.backend.entry_driver\n"
        "print(Batch(GAME, 2)._calls._module is first._calls._module)"
    )
    assert python(code) == "True\n"


@pytest.mark.parametrize("setting", ["BOUNDSCHECK", "OPT"])
def test_load_template__gives_another_file_for_other_compiler_settings(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    package.load()
    monkeypatch.setattr(numba.config, setting, 7)
    package.load()
    assert len(sources(cache)) == 2


def test_load_template__leaves_a_damaged_file_behind(cache: Path, package: Package) -> None:
    package.load()
    (name,) = sources(cache)
    (cache / "drivers" / name).write_text("", encoding="utf-8")
    package.forget()
    assert package.load().call(4) == 50


def test_load_template__shows_the_file_only_when_it_is_whole(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, replace = [], os.replace

    def watched(source: str, target: Path) -> None:
        if Path(target).suffix == ".py":
            seen.append((Path(target).exists(), Path(source).read_text(encoding="utf-8")))
        replace(source, target)

    monkeypatch.setattr(os, "replace", watched)
    package.load()
    (name,) = sources(cache)
    assert seen == [(False, (cache / "drivers" / name).read_text(encoding="utf-8"))]
    assert not list(cache.rglob("*.tmp"))


# Where nothing can be kept


def test_load_template__compiles_in_memory_where_the_directory_is_a_file(
    cache: Path, package: Package
) -> None:
    cache.write_text("in the way", encoding="utf-8")
    with pytest.warns(RuntimeWarning, match="cannot keep compiled code in .*AXIOM_GYM_CACHE_DIR"):
        module = package.load()
    assert module.call(4) == 50
    assert cache.read_text(encoding="utf-8") == "in the way"


def test_load_template__compiles_in_memory_where_the_disk_is_full(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "mkstemp", no_space)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        module = package.load()
    assert module.call(4) == 50
    assert sources(cache) == []


def test_load_template__compiles_in_memory_where_files_may_only_be_read(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    package.load()
    package.forget()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.warns(RuntimeWarning, match="no permission to write"):
        module = package.load()
    assert module.call(4) == 50


@pytest.mark.compiled_only
def test_load_template__compiles_in_memory_where_numba_finds_no_place(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching._CacheLocator, "ensure_cache_path", no_space)
    with pytest.warns(RuntimeWarning, match="cannot cache function"):
        module = package.load()
    assert module.call(4) == 50
    assert not any(name.endswith(module.__name__) for name in sys.modules)


@pytest.mark.compiled_only
def test_compiled_calls__compile_in_memory_where_the_code_cannot_be_saved(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching.IndexDataCacheFile, "save", no_space)
    calls = CompiledCalls(TEMPLATE, {"function": package.score()}, package.name)
    with pytest.warns(RuntimeWarning, match="cannot keep compiled code of .*No space left"):
        assert calls.call(4) == 50
    assert calls.call(5) == 60
    assert [name for name in files(cache) if name.endswith((".nbi", ".nbc"))] == []


@pytest.mark.compiled_only
def test_bind__compiles_in_memory_where_the_code_cannot_be_saved(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching.IndexDataCacheFile, "save", no_space)
    calls = CompiledCalls(TEMPLATE, {"function": package.score()}, package.name)
    with pytest.warns(RuntimeWarning, match="No space left"):
        bound = calls.bind("call", 3)
    assert bound(4) == 50


# Kernels that nobody can import


def local_kernel() -> Callable[..., int]:
    @kernel
    def triple(x: int) -> int:
        return 3 * x

    return triple


def test_load_template__keeps_a_local_function_in_memory(cache: Path) -> None:
    module = load_template(TEMPLATE, {"function": local_kernel()}, "local")
    assert module.call(4) == 12
    assert not cache.exists()


def test_load_template__keeps_executed_text_in_memory(cache: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(RULES.format(bonus=1), names)
    assert load_template(TEMPLATE, {"function": names["bonus"]}, "text").call(4) == 5
    assert not cache.exists()


def test_load_template__keeps_a_function_in_memory_that_its_module_calls_otherwise(
    cache: Path, package: Package
) -> None:
    score = package.score()
    module = sys.modules[f"{package.name}.kernel"]
    module.score = None  # type: ignore[attr-defined]
    assert load_template(TEMPLATE, {"function": score}, "renamed").call(4) == 50
    assert not cache.exists()


def test_load_template__drives_a_whole_game_in_memory(cache: Path) -> None:
    @kernel
    def step(state: Any, actions: Any, rewards: Any, events: Any, params: Any) -> int:
        for p in range(rewards.shape[0]):
            rewards[p] = actions[p, 0]
        return 1

    parts = {name: getattr(null_kernel, name) for name in KERNEL_FUNCTIONS}
    module = load_template("axiom_gym.batch.driver", {**parts, "step": step}, "game")
    assert module.step is step
    assert module.reset is null_kernel.reset
    assert not cache.exists()


# Calls


@pytest.mark.compiled_only
def test_bind__gives_the_same_results_as_the_plain_call(pennies: ModuleType) -> None:
    played = []
    for bind in (False, True):
        batch = Batch(pennies.GAME, 3, max_turns=5)
        batch.reset(1)
        seats, function = np.zeros((3, 2), np.int16), null_kernel.bot
        act = CompiledCalls("axiom_gym.batch.bot_driver", {"bot": function}, "pennies_random")
        arguments = (0, 3, seats, 0, batch.buffers, batch.params)
        call = act.bind("act_batch", 0, 0, *arguments[2:]) if bind else act.act_batch
        for _ in range(20):
            call(*arguments)
            batch.step()
        played.append((batch.get_state(), type(call).__name__))
    assert played[0][0] == played[1][0]
    assert [name for _, name in played] == ["function", "builtin_function_or_method"]


def test_bind__takes_arrays(cache: Path) -> None:
    @kernel
    def write(values: Any, number: int) -> int:
        values[0] += number
        return len(values)

    calls = CompiledCalls(TEMPLATE, {"function": write}, "arrays")
    values = np.zeros(3, np.int32)
    bound = calls.bind("call", values, 5)
    assert bound(values, 7) == 3
    assert values.tolist() == [12, 0, 0]


def test_compiled_calls__have_no_private_names(cache: Path) -> None:
    calls = CompiledCalls(TEMPLATE, {"function": local_kernel()}, "private")
    with pytest.raises(AttributeError):
        calls._nothing  # noqa: B018
    with pytest.raises(AttributeError):
        calls.nothing(1)


def test_compile_function__calls_the_function(cache: Path, package: Package) -> None:
    score = compile_function(package.score(), package.name)
    assert [score(1), score(2)] == [20, 30]
    assert len(sources(cache)) == 1


def test_compile_function__takes_any_number_of_arguments(cache: Path) -> None:
    @kernel
    def add(a: int, b: float, c: tuple[int, ...]) -> float:
        return a + b + c[0]

    assert compile_function(add, "add")(1, 0.5, (3,)) == 4.5


@pytest.mark.compiled_only
@pytest.mark.parametrize(("terminal", "seconds"), [(True, 0.0), (True, 60.0), (False, 0.0)])
def test_announcement__appears_on_a_terminal_after_a_second(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, seconds: float
) -> None:
    written: list[str] = []

    class Terminal:
        def isatty(self) -> bool:
            return terminal

        def write(self, text: str) -> None:
            written.append(text)

        def flush(self) -> None:
            pass

    monkeypatch.setattr(sys, "stderr", Terminal())
    announcement = codegen._Announcement("chess")
    announcement._timer.interval = seconds
    with announcement:
        if not seconds:
            announcement._timer.join()
    expected = ["axiom-gym: preparing chess (compiled once, then loaded from disk) ...\n"]
    assert written == (expected if terminal and not seconds else [])


# Between processes


@pytest.mark.slow
@pytest.mark.compiled_only
def test_generated_files__are_shared_by_processes_that_start_at_once(
    cache: Path, package: Package
) -> None:
    code = (
        f"from {package.name}.kernel import score\n"
        "from axiom_gym.backend.codegen import compile_function\n"
        f"print(compile_function(score, {package.name!r})(4))"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.path)}
    starts = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    assert [start.communicate() for start in starts] == [(b"50\n", b"")] * 2
    assert len(sources(cache)) == 1
    # Once more: the last of the two may have replaced the source that the first had compiled.
    assert package.load().call(4) == 50
    before = files(cache)
    assert any(name.endswith(".nbc") for name in before)
    assert not any(name.endswith(".tmp") for name in before)
    package.forget()
    assert package.load().call(4) == 50
    assert files(cache) == before


RECORDS = """
import sys
import numba
import numpy as np
from numba.core.itanium_mangler import mangle
from axiom_gym.kernel import record_dtype

for length in map(int, sys.argv[1:]):
    records = np.ones(1, record_dtype([("x", np.int32, (length,)), ("rng", np.uint32)]))
    print(mangle("score", (numba.typeof(records[0]), numba.typeof(records))))
"""


@pytest.mark.slow
@pytest.mark.compiled_only
def test_records__have_one_name_in_compiled_code_whatever_a_process_compiled_before() -> None:
    def run(*lengths: int) -> list[str]:
        command = [sys.executable, "-W", "error", "-c", RECORDS, *map(str, lengths)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.split()

    seven, two = run(7, 2)
    assert seven != two
    assert run(2, 7) == [two, seven]


@pytest.mark.compiled_only
def test_warm_start__compiles_nothing(
    cache: Path, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    package.load().call(4)
    before = files(cache)
    package.forget()
    module = package.load()
    assert module.call(4) == 50
    assert sum(module.call.stats.cache_hits.values()) == 1
    assert not module.call.stats.cache_misses
    assert files(cache) == before


def test_name__depends_only_on_compiled_sources() -> None:
    # An import of the package itself would bring the adapters, and Gymnasium with them.
    found = codegen._sources({"axiom_gym.batch.driver", "axiom_gym.config.arithmetic"})
    assert {"axiom_gym.rng", "axiom_gym.seeded_rng", "axiom_gym.batch.types"} <= set(found)
    assert not {"axiom_gym", "axiom_gym.adapters.registration", "gymnasium"} & set(found)


def test_source__that_cannot_be_stored_is_loaded_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("AXIOM_GYM_CACHE_DIR", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="compiling in memory.*AXIOM_GYM_CACHE_DIR"):
        module = codegen.load_source("x = 5", (), "kept_nowhere")
    assert module.x == 5
