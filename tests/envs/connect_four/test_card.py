"""The tutorial on the card quotes the code exactly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from axiom_envs.connect_four import game

FOLDER = Path(game.__file__).parent
# An excerpt belongs to the last file that is linked before it.
EXCERPT = re.compile(r"\]\((\w+\.py)\)(?:(?!\]\(\w+\.py\)|```).)*```py\n(.*?)```", re.DOTALL)


def _excerpts() -> list[tuple[str, str]]:
    return EXCERPT.findall((FOLDER / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("file", "excerpt"), _excerpts())
def test_card__excerpts_are_in_their_files(file: str, excerpt: str) -> None:
    assert excerpt in (FOLDER / file).read_text(encoding="utf-8")


def test_card__shows_every_file() -> None:
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(_excerpts()) == card.count("```py\n")
    files = {path.name for path in FOLDER.glob("*.py")} - {"__init__.py"}
    assert {file for file, _ in _excerpts()} == files
