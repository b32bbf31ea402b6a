"""The implementation of `train --seeds` and `train --sweep`, with the output on the terminal."""

from __future__ import annotations

import shlex
from typing import Any

import typer

from axiom_gym.errors import ConfigError
from axiom_gym.registry import get_game
from axiom_training.against import describe_opponents
from axiom_training.next_steps import list_next_steps
from axiom_training.progress import ProgressDisplay
from axiom_training.study import PlannedRun, Study, count_jobs
from axiom_training.study_report import (
    collect,
    find_best,
    find_score,
    has_checkpoint,
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
    failures = workers.failures if workers is not None else {}
    listed = "; ".join(f"{name}: {text}" for name, text in failures.items())
    if workers is not None and workers.interrupted:
        if failures:
            typer.echo(f"Failed: {listed}")
        _print_interruption(study)
        return 128 + workers.interrupted
    _report(study)
    if failures:
        raise ConfigError(f"{len(failures)} of {len(runs)} runs failed: {listed}")
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
    """Train, and show the progress of all runs and of each that is running."""
    shares: dict[str, float] = {}
    ended: list[str] = []
    texts: dict[str, str] = {}
    with ProgressDisplay() as display:

        def show_all() -> None:
            text = f"{len(ended)} of {len(runs)} runs ended"
            display.update("all", sum(shares.values()) / len(runs), text)

        def on_start(run: PlannedRun) -> None:
            display.start(run.name, "starting")

        def on_progress(run: PlannedRun, completed: float, status: str) -> None:
            shares[run.name], texts[run.name] = completed, status
            display.update(run.name, completed, status)
            show_all()

        def on_end(run: PlannedRun) -> None:
            display.end(run.name, _describe_end(study, run, workers, texts.get(run.name, "")))
            ended.append(run.name)
            show_all()

        def on_stop() -> None:
            display.say(
                "Stopping after the current iteration of each run, or its final evaluation. Ctrl-C "
                "again ends all runs at once, without saving."
            )

        display.start("all")
        workers = Workers(study.directory, jobs, on_start, on_progress, on_end, on_stop)
        workers.train(runs)
    return workers


def _describe_end(study: Study, run: PlannedRun, workers: Workers, text: str) -> str:
    if run.name in workers.failures:
        return "failed"
    if is_finished(study, run):
        results = read_results(study, run)
        return f"finished at {results['steps'] / 1e6:.2f} M steps, score {find_score(results):.4g}"
    if not has_checkpoint(study, run):
        return "stopped before its first checkpoint; nothing is saved"
    if run.name in workers.killed:
        return "stopped at once; its last checkpoint is kept"
    return f"stopped at {text.strip()}; the checkpoint is saved"


def _print_interruption(study: Study) -> None:
    """Print what is saved, from the files that are there, and how to go on."""
    finished = [run for run in study.runs if is_finished(study, run)]
    saved = [run for run in study.runs if run not in finished and has_checkpoint(study, run)]
    counts = {
        "finished": len(finished),
        "with a checkpoint": len(saved),
        "with nothing saved yet": len(study.runs) - len(finished) - len(saved),
    }
    runs = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    command = shlex.join(["axiom-gym", "train", "--resume", str(study.directory)])
    typer.echo(f"Interrupted. Of {len(study.runs)} runs: {runs}. Resume with: {command}")


def _report(study: Study) -> None:
    results = collect(study)
    if not results:
        return
    print_summary(results)
    summary, table = save_summary(study, results)
    typer.echo(f"\n results: {summary}\n   table: {table}")
    typer.echo(f"  curves: {shlex.join(['axiom-gym', 'plot', str(study.directory)])}")
    best, score = find_best(study)
    typer.echo(f"best run: {study.directory / best.name}, score {score:.4g}")
    for label, command in list_next_steps(best.config, study.directory / best.name).items():
        typer.echo(f"{label:>8}: {command}")


def study_facts(study: Study) -> dict[str, Any]:
    """Return the results of the finished runs as JSON values, best setting first."""
    return {
        "directory": str(study.directory),
        "game": study.runs[0].config.game,
        "runs": len(study.runs),
        "finished": sum(is_finished(study, run) for run in study.runs),
        "results": [result.to_json() for result in collect(study)],
    }
