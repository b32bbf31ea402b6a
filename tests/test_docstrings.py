"""Docstrings of the sources open with a verb or a noun, never with a question word.

Ruff's D401 checks that a function's docstring is in the imperative. It does not look at classes,
modules, properties and attributes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

QUESTION_WORDS = {"Who", "Whom", "Whose", "What", "Which", "Whether", "How", "Where", "When", "Why"}

PERMITTED = dict[str, str]()
"""Docstrings that may open so: "module:first line" -> the reason."""


def _docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of a module, its classes and functions, and of attributes."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, [])
            for one in statements if isinstance(statements, list) else []:
                if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                    text = one.value.value
                    if isinstance(text, str):
                        yield text.strip()


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@pytest.mark.parametrize("package", ["axiom_gym", "axiom_envs", "axiom_training"])
def test_docstrings__open_with_no_question_word(package: str) -> None:
    count, found = 0, []
    for path in sorted(_folder(package).rglob("*.py")):
        for text in _docstrings(ast.parse(path.read_text(encoding="utf-8"))):
            count += 1
            first = re.match(r"\w*", text)
            place = f"{path.relative_to(_folder(package))}:{text.splitlines()[0] if text else ''}"
            if first and first[0] in QUESTION_WORDS and place not in PERMITTED:
                found.append(place)
    assert count > 100
    assert found == []
