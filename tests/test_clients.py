"""The scripts for trainers of others have a lock file and a result; `make clients` runs them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from axiom_gym.registry.targets import load_module

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "trainers"

pytestmark = pytest.mark.skipif(
    not FOLDER.exists(), reason="the examples are not part of an installed wheel"
)


def test_clients__each_has_a_script_a_lock_file_and_a_result() -> None:
    run = load_module(str(FOLDER / "run.py"))
    names = sorted(run.CLIENTS)
    scripts = sorted(client.script for client in run.CLIENTS.values())
    assert scripts == sorted(path.name for path in FOLDER.glob("*.py") if path.name != "run.py")
    assert names == sorted(path.stem for path in (FOLDER / "locks").glob("*.txt"))
    rows = run.read_rows((ROOT / "docs" / "trainers.md").read_text(encoding="utf-8"))
    assert sorted(rows) == names
    for name, client in run.CLIENTS.items():
        assert f"| {run.find_version(name, client.package)} |" in rows[name]
        assert re.search(r"\| works \| 20\d\d-\d\d-\d\d \|$", rows[name]), rows[name]


def test_clients__torch_is_the_version_of_the_constraints() -> None:
    (pin,) = re.findall(r"^torch==.*$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    for lock in (FOLDER / "locks").glob("*.txt"):
        found = re.findall(r"^torch==.*$", lock.read_text(), re.MULTILINE)
        assert found in ([], [pin]), lock.name


def test_examples__are_short() -> None:
    files = [*(ROOT / "examples").glob("*.py"), *FOLDER.glob("*.py")]
    assert not [path.name for path in files if len(path.read_text().splitlines()) > 150]
