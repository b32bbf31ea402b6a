"""`axiom-gym new`: the skeleton of a game, in this repository or as a package of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axiom_gym.commands.options import examples
from axiom_gym.errors import ConfigError

WAYS = {
    "kernel": "compiled functions on a record, the fastest",
    "python": "a class with objects and any Python, the easiest",
    "config": "data: attributes, actions and events, for one player",
}
"""The ways to write a game, as their options explain them."""

_LEFT_IN_PACKAGE = """Next:
  cd {root}
  pip install --no-deps -e .     # registers {name}-v0
  axiom-gym check {name}
  python -m pytest
  axiom-gym train {name} --minutes 1
Then replace the rules, their tests and the card by your own. After a change of the rules, remove
the playthrough and record it again: axiom-gym playthrough {name} --out tests/playthroughs
"""

_LEFT_IN_REPOSITORY = """Next:
  make install                   # registers {name}-v0
  axiom-gym check {name}
  make test PYTEST_ARGS="-k {name}"
Then replace the rules, their tests and the card by your own. Left to do by hand:
  - README.md: a row in the table of games, with a link to envs/axiom_envs/{name}/README.md
  - the card: the table of facts, and the results of `axiom-gym simulate` and `axiom-gym bench`
  - CHANGELOG.md: an entry under Added
  - after a change of the rules, the playthrough: axiom-gym playthrough {name}
"""


@examples("axiom-gym new my_game --python --package", "axiom-gym new my_game --kernel")
def new(
    name: Annotated[
        str, typer.Argument(help="The name of the game, such as my_game.", metavar="NAME")
    ],
    kernel: Annotated[bool, typer.Option("--kernel", help=f"Write {WAYS['kernel']}.")] = False,
    python: Annotated[bool, typer.Option("--python", help=f"Write {WAYS['python']}.")] = False,
    config: Annotated[bool, typer.Option("--config", help=f"Write {WAYS['config']}.")] = False,
    package: Annotated[
        bool,
        typer.Option("--package", help="Create a package of your own in the current folder."),
    ] = False,
) -> None:
    """Write the skeleton of a game that passes all checks.

    It has rules, a card, tests and a playthrough. Without --package, the game becomes part of the
    checkout of Axiom Gym that holds the current folder, and its entry point is added to
    pyproject.toml. No other file is ever changed.
    """
    from axiom_gym.commands import skeleton

    given = {"kernel": kernel, "python": python, "config": config}
    chosen = [kind for kind in skeleton.KINDS if given[kind]]
    if len(chosen) != 1:
        listed = "; ".join(f"--{kind}: {text}" for kind, text in WAYS.items())
        raise ConfigError(f"choose one way to write the game. {listed}.")
    skeleton.check_name(name)
    here = Path.cwd()
    if package:
        root = here / name
        files, changed = skeleton.make_package(name, chosen[0], here), None
    else:
        root = skeleton.find_repository(here)
        files, changed = skeleton.make_game(name, chosen[0], root), root / "pyproject.toml"
    skeleton.write_files(files, changed)
    for path in files:
        word = "changed" if path == changed else "wrote  "
        typer.echo(f"{word} {path.relative_to(root.parent if package else root)}")
    left = _LEFT_IN_PACKAGE if package else _LEFT_IN_REPOSITORY
    typer.echo(f"\n{left.format(name=name, root=root.name)}", nl=False)
