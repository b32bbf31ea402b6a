"""The notebooks run from top to bottom, and were saved with the output of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples" / "notebooks"
NOTEBOOKS = ["quick_start", "self_play_research"]

needs_repository = pytest.mark.skipif(
    not FOLDER.exists(), reason="the notebooks are not part of an installed wheel"
)


@needs_repository
def test_notebooks__all_are_tested() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == NOTEBOOKS


@needs_repository
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook__was_saved_after_a_run_from_top_to_bottom(name: str) -> None:
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)
    assert not [
        output for cell in cells for output in cell.outputs if output.get("name") == "stderr"
    ]


@needs_repository
@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("name", NOTEBOOKS)
@pytest.mark.filterwarnings("default")
def test_notebook__runs(name: str, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    client.NotebookClient(book, timeout=600, resources={"metadata": {"path": tmp_path}}).execute()
