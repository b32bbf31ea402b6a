"""Run the scripts of this folder, each in a virtual environment of its own, and record the results.

    make clients                                  # all of them; downloads some gigabytes once
    make clients CLIENTS="tianshou torchrl"       # some of them

Each client is installed with the versions of its lock file (`locks/`) and runs two short iterations
on two games. The table in `docs/trainers.md` is written anew with the results; rows of clients that
did not run stay. The exit status is 1 if a client fails. Its last lines of output are printed.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ENVIRONMENTS = ROOT / ".venv-clients"
GUIDE = ROOT / "docs" / "trainers.md"
BEGIN, END = "<!-- results of make clients -->\n", "<!-- end of the results -->\n"
LIMIT = 900
"""The seconds after which a run counts as hanging."""


@dataclass(frozen=True)
class Client:
    """A script, the package whose version the table names, and the games that it plays."""

    script: str
    package: str
    games: tuple[str, str] = ("connect_four", "quantaris")
    arguments: tuple[str, ...] = ()


CLIENTS = {
    "agilerl": Client("agilerl_dqn.py", "agilerl"),
    "minari": Client("minari_dataset.py", "minari"),
    "openenv": Client("openenv_client.py", "openenv"),
    "openspiel": Client("openspiel_mcts.py", "open-spiel"),
    "rl_zoo3": Client("rl_zoo3_train.py", "rl_zoo3"),
    "rllib": Client("rllib_ppo.py", "ray"),
    "supersuit": Client("supersuit_sb3.py", "SuperSuit", ("quantaris", "ajve_civ")),
    "tianshou": Client(
        "tianshou_dqn.py", "tianshou", arguments=("--epochs", "2", "--epoch-steps", "1000")
    ),
    "torchrl": Client("torchrl_rollouts.py", "torchrl"),
}


def install(name: str) -> Path:
    """Make the environment of a client, unless it is up to date, and return its Python."""
    folder, lock = ENVIRONMENTS / name, HERE / "locks" / f"{name}.txt"
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != lock.read_text():
        print(f"{name}: installing {len(lock.read_text().splitlines())} packages", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        subprocess.run([*pip, "hatchling", "editables", "-r", lock], check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", ROOT], check=True)
        stamp.write_text(lock.read_text())
    return python


def run(python: Path, client: Client, game: str) -> str:
    """Run a client's script on a game, and return "works" or "fails"."""
    command = [python, HERE / client.script, "--game", game, *client.arguments]
    # Networks of this size are slower with several threads.
    settings = {"env": {**os.environ, "OMP_NUM_THREADS": "1"}, "cwd": ROOT, "timeout": LIMIT}
    try:
        done = subprocess.run(command, capture_output=True, text=True, **settings)
    except subprocess.TimeoutExpired:
        print(f"    {game}: no end after {LIMIT} s")
        return "fails"
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    print(f"    {game}: " + "\n        ".join(lines[-3:]), flush=True)
    return "works" if done.returncode == 0 else "fails"


def find_version(name: str, package: str) -> str:
    """Return the version of a package in a lock file."""
    text = (HERE / "locks" / f"{name}.txt").read_text()
    found = re.search(rf"^{package}==(\S+)$", text, re.MULTILINE | re.IGNORECASE)
    return found[1] if found else "?"


def read_rows(text: str) -> dict[str, str]:
    """Return the rows of the guide's table by client."""
    table = text.split(BEGIN)[1].split(END)[0]
    rows = [row for row in table.splitlines() if row.startswith("| [")]
    return {row.split("[")[1].split("]")[0]: row for row in rows}


def write_rows(rows: dict[str, str]) -> None:
    """Write the guide's table, sorted by client."""
    head = "| client | version | games | result | date |\n|---|---|---|---|---|\n"
    before, rest = GUIDE.read_text().split(BEGIN)
    table = head + "".join(f"{rows[name]}\n" for name in sorted(rows))
    GUIDE.write_text(before + BEGIN + table + END + rest.split(END)[1])


def main() -> None:
    parser = argparse.ArgumentParser(description="Run trainers of others on our games.")
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(CLIENTS))
    chosen = parser.parse_args().clients or list(CLIENTS)
    if unknown := [name for name in chosen if name not in CLIENTS]:
        parser.error(f"unknown client {unknown[0]!r}. Valid: {', '.join(CLIENTS)}.")
    rows, failed = read_rows(GUIDE.read_text()), []
    for name in chosen:
        client = CLIENTS[name]
        python = install(name)
        version = find_version(name, client.package)
        print(f"{name} {version}", flush=True)
        results = [run(python, client, game) for game in client.games]
        result = "works" if results == ["works", "works"] else ", ".join(results)
        failed += [name] * (result != "works")
        link = f"[{name}](../examples/trainers/{client.script})"
        games = ", ".join(client.games)
        date = datetime.date.today().isoformat()
        rows[name] = f"| {link} | {version} | {games} | {result} | {date} |"
        write_rows(rows)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
