"""What a run writes while it goes on: a CSV row per iteration and per evaluation, and the same for TensorBoard."""

from __future__ import annotations

import csv
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

ITERATIONS = "progress.csv"
EVALUATIONS = "evaluations.csv"


class RunLog:
    """Appends rows to CSV files whose first column is `steps`, and mirrors them to TensorBoard."""

    def __init__(self, directory: Path, resume_at: int | None = None) -> None:
        """Opens the log of a run.

        Args:
            directory: the run's directory.
            resume_at: agent-steps of the checkpoint that the run goes on from; rows that came later are dropped, since they
                will be written again.
        """
        self._directory = directory
        if resume_at is not None:
            for name in (ITERATIONS, EVALUATIONS):
                _drop_rows_after(directory / name, resume_at)
        self._writer = SummaryWriter(str(directory / "tensorboard"), purge_step=resume_at)

    def write(self, name: str, steps: int, values: dict[str, float]) -> None:
        """Appends one row.

        Args:
            name: the CSV file.
            steps: agent-steps so far.
            values: by metric, such as "losses/policy"; the same metrics in every row of a file.
        """
        path = self._directory / name
        is_new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["steps", *values])
            if is_new:
                writer.writeheader()
            writer.writerow({"steps": steps, **{key: f"{value:.6g}" for key, value in values.items()}})
        for key, value in values.items():
            self._writer.add_scalar(key, value, steps)

    def close(self) -> None:
        """Writes what is still held back."""
        self._writer.close()


def read_rows(path: Path) -> list[dict[str, float]]:
    """The rows of a CSV file of a run; none if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def _drop_rows_after(path: Path, steps: int) -> None:
    if not path.exists():
        return
    header, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if float(row.partition(",")[0]) <= steps]
    path.write_text("".join([header, *kept]), encoding="utf-8")
