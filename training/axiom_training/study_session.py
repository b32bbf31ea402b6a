"""The implementation of `train --seeds` and `train --sweep`, with the output on the terminal."""

from __future__ import annotations

import shlex
from typing import Any

import typer

from axiom_gym.errors import ConfigError
from axiom_gym.registry import get_game
from axiom_training.against import describe_opponents
from axiom_training.session import make_progress_bar
from axiom_training.study import PlannedRun, Study, count_jobs
from axiom_training.study_report import (
    collect,
    find_score,
    is_finished,
    print_summary,
    read_results,
    save_summary,
)
from axiom_training.workers import Workers


def train(study: Study, jobs: int = 0) -> int:
    """Train the runs that are not finished, then report; return the exit status.

    Args:
        study: the runs.
        jobs: the number of runs at the same time; 0 for as many as the cores have room for.

    Raises:
        ConfigError: if a run failed; the others have been trained.
    """
    study.save()  # a resumed study may have a new budget
    runs = [run for run in study.runs if not is_finished(study, run)]
    jobs = count_jobs(runs, jobs) if runs else 0
    _print_start(study, len(runs), jobs)
    workers = _train(study, runs, jobs) if runs else None
    if workers is not None and workers.interrupted:
        command = shlex.join(["axiom-gym", "train", "--resume", str(study.directory)])
        typer.echo(f"Interrupted; all checkpoints are saved. Resume with: {command}")
        return 128 + workers.interrupted
    _report(study)
    if workers is not None and workers.failures:
        listed = "; ".join(f"{name}: {text}" for name, text in workers.failures.items())
        raise ConfigError(f"{len(workers.failures)} of {len(runs)} runs failed: {listed}")
    return 0


def _print_start(study: Study, left: int, jobs: int) -> None:
    config = study.runs[0].config
    game, total = get_game(config.game), len(study.runs)
    done = f", of which {total - left} are finished" if left < total else ""
    at_once = f", {jobs} at the same time" if left else ""
    typer.echo(f"Training {game.info.title}: {total} runs in {study.directory}{done}{at_once}")
    if all(run.config.against == config.against for run in study.runs):
        typer.echo(describe_opponents(game, config))


def _train(study: Study, runs: list[PlannedRun], jobs: int) -> Workers:
    """Train with a bar for all runs and one for each that is running, and a line for each end."""
    with make_progress_bar() as bar:
        whole = bar.add_task("all", total=float(len(runs)), status="")
        tasks: dict[str, Any] = {}
        shares: dict[str, float] = {}
        texts: dict[str, str] = {}

        def on_start(run: PlannedRun) -> None:
            tasks[run.name] = bar.add_task(run.name, total=1.0, status="starting")

        def on_progress(run: PlannedRun, completed: float, status: str) -> None:
            shares[run.name], texts[run.name] = completed, status
            bar.update(tasks[run.name], completed=completed, status=status)
            bar.update(whole, completed=sum(shares.values()))

        def on_end(run: PlannedRun) -> None:
            bar.remove_task(tasks[run.name])
            text = texts.get(run.name, "").strip()
            bar.console.print(
                f"{run.name}: {_describe_end(study, run, workers, text)}", soft_wrap=True
            )

        workers = Workers(study.directory, jobs, on_start, on_progress, on_end)
        workers.train(runs)
    return workers


def _describe_end(study: Study, run: PlannedRun, workers: Workers, text: str) -> str:
    if run.name in workers.failures:
        return "failed"
    if not is_finished(study, run):
        return f"stopped at {text}" if text else "stopped"
    results = read_results(study, run)
    return f"finished at {results['steps'] / 1e6:.2f} M steps, score {find_score(results):.4g}"


def _report(study: Study) -> None:
    results = collect(study)
    if not results:
        return
    print_summary(results)
    summary, table = save_summary(study, results)
    typer.echo(f"\n results: {summary}\n   table: {table}")
    typer.echo(f"  curves: {shlex.join(['axiom-gym', 'plot', str(study.directory)])}")


def study_facts(study: Study) -> dict[str, Any]:
    """Return the results of the finished runs as JSON values, best setting first."""
    return {
        "directory": str(study.directory),
        "game": study.runs[0].config.game,
        "runs": len(study.runs),
        "finished": sum(is_finished(study, run) for run in study.runs),
        "results": [result.to_json() for result in collect(study)],
    }
