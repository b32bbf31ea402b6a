"""The log of a run: a CSV row for each iteration and for each evaluation.

TensorBoard files get the same numbers. A missing number is an empty cell. For example, there is no
mean length of episodes before the first one has ended.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from axiom_gym.files import replacing

ITERATIONS = "progress.csv"
EVALUATIONS = "evaluations.csv"


class RunLog:
    """A log in CSV files, whose first column is `steps`, and in TensorBoard files."""

    def __init__(self, directory: Path, resume_at: Mapping[str, int] | None = None) -> None:
        """Open the log of a run.

        Args:
            directory: the run's directory.
            resume_at: for each file, the agent-steps of its last row at the checkpoint. Later rows
                are dropped, because the resumed run writes them again.
        """
        self._directory = directory
        for name, steps in (resume_at or {}).items():
            _drop_rows_after(directory / name, steps)
        # PyTorch is slow to import, and readers of the tables do not need it.
        from torch.utils.tensorboard import SummaryWriter

        last = max(resume_at.values()) + 1 if resume_at else None
        self._writer = SummaryWriter(str(directory / "tensorboard"), purge_step=last)

    def write(self, name: str, steps: int, values: Mapping[str, float]) -> None:
        """Append a row.

        Args:
            name: the name of the CSV file.
            steps: the agent-steps so far.
            values: the values by metric, such as "losses/policy"; new metrics add columns.
        """
        path = self._directory / name
        row = {"steps": str(steps), **{key: _text(value) for key, value in values.items()}}
        columns = _columns(path)
        if set(columns) >= set(row):
            with path.open("a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, columns, lineterminator="\n").writerow(row)
        else:
            added = [key for key in row if key not in columns]
            _write_file(path, [*columns, *added], [*_read_cells(path), row])
        for key, value in values.items():
            if math.isfinite(value):
                self._writer.add_scalar(key, value, steps)

    def close(self) -> None:
        """Write all buffered values and close the files."""
        self._writer.close()


def read_rows(path: Path) -> list[dict[str, float]]:
    """Read the rows of a CSV file, with NaN for empty cells; none if the file does not exist."""
    return [
        {key: float(value) if value else math.nan for key, value in row.items()}
        for row in _read_cells(path)
    ]


def _text(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else ""


def _columns(path: Path) -> list[str]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return next(csv.reader(file), [])


def _read_cells(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, restval=""))


def _write_file(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with replacing(path) as file:
        file.write(text.getvalue().encode())


def _drop_rows_after(path: Path, steps: int) -> None:
    """Drop the rows after `steps`, and an incomplete last row."""
    if not path.exists():
        return
    lines = path.read_bytes().decode("utf-8").splitlines(keepends=True)
    complete = [line for line in lines if line.endswith("\n")]
    kept = complete[:1] + [line for line in complete[1:] if int(line.partition(",")[0]) <= steps]
    with replacing(path) as file:
        file.write("".join(kept).encode())
