"""The code of the guide to plain games runs, and prints what the guide says."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[1] / "docs" / "plain_games.md"

pytestmark = pytest.mark.skipif(
    not GUIDE.exists(), reason="guides are not part of an installed wheel"
)


def test_guide__code_prints_what_its_comments_say() -> None:
    names: dict[str, Any] = {"__name__": "plain_games"}
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        said = re.findall(r"^print\(.*\)  # (.+)$", block, re.MULTILINE)
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(block, str(GUIDE), "exec", dont_inherit=True), names)
        assert printed.getvalue().splitlines() == said


def test_guide__links_exist() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (GUIDE.parent / link).exists()] == []
