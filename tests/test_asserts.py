"""Asserts that have a comparison in the place of their message. No rule of ruff finds them."""

from __future__ import annotations

import ast
from pathlib import Path

FOLDER = Path(__file__).parent


def test_asserts__have_no_comparison_as_message() -> None:
    found = [
        f"{path.relative_to(FOLDER)}:{node.lineno}"
        for path in sorted(FOLDER.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Compare | ast.BoolOp)
    ]
    assert found == []
