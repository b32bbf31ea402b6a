"""The guides in `docs` are correct: their code and their commands run, in the order of the text.

A block of Python whose first line is `# NAME.py` is a file that later blocks and commands use.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from axiom_gym.cli import app

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _guides() -> list[Any]:
    return [pytest.param(path, id=path.stem) for path in sorted(ROOT.glob("docs/*.md"))]


def _run_command(line: str) -> None:
    program, *arguments = shlex.split(line.partition("#")[0])
    assert program == "axiom-gym"
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, f"{line}: {result.output}"


def _run_block(language: str, text: str, names: dict[str, Any]) -> None:
    file = re.match(r"# (\w+\.py)\n", text)
    if language == "python" and file:
        Path(file[1]).write_text(text, encoding="utf-8")
    elif language == "python":
        # Readers run it without the future import of this file.
        exec(compile(text, "<guide>", "exec", dont_inherit=True), names)
    else:
        for line in text.splitlines():
            _run_command(line)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("path", _guides())
def test_guide__code_and_commands_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks that need a library of others that is not installed are left out."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    missing = []
    blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
    for language, text in blocks:
        try:
            _run_block(language, text, names)
        except ModuleNotFoundError as error:
            if (error.name or "axiom_gym").startswith("axiom_"):
                raise
            missing.append(str(error.name))
    if len(missing) == len(blocks):
        pytest.skip(f"the guide needs {', '.join(missing)}")
