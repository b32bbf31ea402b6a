"""The commands `axiom-gym train` and `axiom-gym evaluate`; the core's command line finds them by their entry points."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from axiom_gym.commands.options import Json, Options, parse_options
from axiom_gym.errors import CheckpointError, ConfigError
from axiom_gym.opponents import Opponent
from axiom_gym.registry import get_game, resolve_id
from axiom_training.config import TrainConfig
from axiom_training.evaluation import score_against
from axiom_training.policy import load_policy
from axiom_training.report import draw_learning_curve, rate_players, rating_table, result_table
from axiom_training.showcase import save_showcase
from axiom_training.trainer import CHECKPOINT, CONFIG, MODEL, Trainer
from axiom_training.trainer import Progress as RunProgress

_DEFAULT = TrainConfig(game="any", steps=1)

RATING_GAMES = 400
"""Games of each pair in the round robin that ratings rest on."""


def train(
    game: Annotated[str, typer.Argument(help="Name of the game; `axiom-gym list` shows them.")] = "",
    minutes: Annotated[float, typer.Option(help="Budget in minutes of training; evaluation comes on top.")] = 0.0,
    steps: Annotated[int, typer.Option(help="Budget in agent-steps. Reproducible to the bit, unlike minutes.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Directory of the run [default: runs/GAME-TIME].")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this directory.")] = None,
    seed: Annotated[int, typer.Option(help="Of games, opponents, weights and minibatches.")] = _DEFAULT.seed,
    option: Options = None,
    num_games: Annotated[int, typer.Option(help="Games side by side.")] = _DEFAULT.num_games,
    share_latest: Annotated[float, typer.Option(help="Share of games against itself.")] = _DEFAULT.share_latest,
    share_pool: Annotated[float, typer.Option(help="Share of games against snapshots.")] = _DEFAULT.share_pool,
    share_bots: Annotated[float, typer.Option(help="Share of games against bots.")] = _DEFAULT.share_bots,
    snapshot_every: Annotated[int, typer.Option(help="Iterations between snapshots.")] = _DEFAULT.snapshot_every,
    pool_size: Annotated[int, typer.Option(help="Snapshots in use.")] = _DEFAULT.pool_size,
    rollout_turns: Annotated[int, typer.Option(help="Turns per iteration.")] = _DEFAULT.rollout_turns,
    batch_size: Annotated[int, typer.Option(help="Decisions in a minibatch.")] = _DEFAULT.batch_size,
    epochs: Annotated[int, typer.Option(help="Passes over an iteration.")] = _DEFAULT.epochs,
    learning_rate: Annotated[float, typer.Option(help="At the start.")] = _DEFAULT.learning_rate,
    final_learning_rate: Annotated[float, typer.Option(help="At the end.")] = _DEFAULT.final_learning_rate,
    gamma: Annotated[float, typer.Option(help="Discount per turn.")] = _DEFAULT.gamma,
    entropy: Annotated[float, typer.Option(help="Weight of the policy's entropy.")] = _DEFAULT.entropy_coefficient,
    network: Annotated[str, typer.Option(help="Widths of the hidden layers.")] = "128,128",
    torch_threads: Annotated[int, typer.Option(help="Threads of PyTorch; more than one seldom pays.")] = 1,
    evaluate_every: Annotated[float, typer.Option(help="Seconds between evaluations.")] = _DEFAULT.evaluate_every,
    final_games: Annotated[int, typer.Option(help="Games against each bot at the end.")] = _DEFAULT.final_games,
) -> None:
    """Train an agent by self-play (MaskablePPO), and rate it against the game's bots.

    Ctrl-C ends the run after its iteration and leaves a checkpoint; `--resume DIRECTORY` goes on from it exactly. With --resume,
    --minutes and --steps set a new total budget, and all other options are the run's own.
    """
    console = Console()
    if resume is not None:
        if game:
            raise ConfigError("--resume takes the game from the run; leave the GAME argument away.")
        trainer = Trainer(_resumed_config(resume, minutes, steps), resume, resume=True)
    else:
        if not game:
            raise ConfigError("name a game to train, such as quantaris; `axiom-gym list` shows them.")
        config = TrainConfig(
            game=resolve_id(game),
            options=parse_options(get_game(game), option),
            seed=seed,
            minutes=minutes if minutes or steps else 5.0,
            steps=steps,
            num_games=num_games,
            share_latest=share_latest,
            share_pool=share_pool,
            share_bots=share_bots,
            snapshot_every=snapshot_every,
            pool_size=pool_size,
            rollout_turns=rollout_turns,
            batch_size=batch_size,
            epochs=epochs,
            learning_rate=learning_rate,
            final_learning_rate=final_learning_rate,
            gamma=gamma,
            entropy_coefficient=entropy,
            network=_parse_network(network),
            torch_threads=torch_threads,
            evaluate_every=evaluate_every,
            final_games=final_games,
        )
        trainer = Trainer(config, out or _new_directory(config.game))
    _run(trainer, console)


def _run(trainer: Trainer, console: Console) -> None:
    """Trains with a progress bar, then reports."""
    console.print(f"Training [bold]{trainer.game.info.title}[/bold] by self-play in {trainer.directory}")
    with _progress_bar(console) as bar:
        task = bar.add_task("", total=1.0, status="")

        def show(progress: RunProgress) -> None:
            scores = "  ".join(f"{name} {score:.2f}" for name, score in progress.scores.items())
            rate = progress.steps / progress.seconds if progress.seconds else 0.0
            status = f"{progress.steps / 1e6:5.2f} M steps  {rate / 1e3:4.1f} k/s  {scores}"
            bar.update(task, completed=trainer.spent(), status=status)

        trainer.run(show)
    if trainer.interrupted:
        draw_learning_curve(trainer.directory, _title(trainer))
        console.print(f"Interrupted; checkpoint written. Go on with: axiom-gym train --resume {trainer.directory}")
        return
    _report(trainer, console)


def _progress_bar(console: Console) -> Progress:
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[status]}"),
    )
    return Progress(*columns, console=console)


def _report(trainer: Trainer, console: Console) -> None:
    """Tables on the console; curve, results, a replay and its text in the run's directory."""
    config, directory = trainer.config, trainer.directory
    with console.status("Playing the final games ..."):
        results = trainer.measure(config.final_games, config.seed + 1_000_000)
        players: dict[str, Opponent] = {"model": trainer.policy(), **{anchor: anchor for anchor in trainer.anchors}}
        two = len(trainer.game.info.agents) == 2
        ratings = rate_players(config.game, players, RATING_GAMES, config.seed, config.options) if two else []
    console.print(result_table(results, f"Score after {trainer.progress.steps / 1e6:.2f} M steps"))
    if ratings:
        console.print(rating_table(ratings, "random"))
    _save_results(directory, trainer, results, ratings)
    curve = draw_learning_curve(directory, _title(trainer))
    replay, text = save_showcase(trainer.policy(), trainer.anchors[-1], config.game, config.options, config.seed, directory)
    for label, path in (("model", directory / MODEL), ("learning curve", curve), ("replay", replay), ("as text", text)):
        console.print(f"{label:>15}: {path}", soft_wrap=True, highlight=False)
    console.print(f"Play it: axiom-gym play {config.game} --a {directory / MODEL} --b human", soft_wrap=True, highlight=False)


def _save_results(directory: Path, trainer: Trainer, results: Any, ratings: Any) -> None:
    scores = {
        name: {"score": one.score, "interval": one.interval, "wins": one.wins, "draws": one.draws, "losses": one.losses}
        for name, one in results.items()
    }
    rated = {entry.name: {"points": entry.points, "error": entry.error, "games": entry.games} for entry in ratings}
    values = {"steps": trainer.progress.steps, "seconds": trainer.progress.seconds, "scores": scores, "ratings": rated}
    (directory / "results.json").write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def _title(trainer: Trainer) -> str:
    return f"{trainer.game.info.title}: self-play PPO, seed {trainer.config.seed}"


def _new_directory(game: str) -> Path:
    return Path("runs") / f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"


def _parse_network(text: str) -> tuple[int, ...]:
    try:
        widths = tuple(int(part) for part in text.split(","))
    except ValueError:
        widths = ()
    if not widths or min(widths) < 1:
        raise ConfigError(f"network must be whole numbers above 0 with commas between, such as 128,128, got {text!r}.")
    return widths


def _resumed_config(directory: Path, minutes: float, steps: int) -> TrainConfig:
    """The configuration of a run, with a new total budget if one is given.

    Raises:
        CheckpointError: if the directory holds no run with a checkpoint.
    """
    if not (directory / CHECKPOINT).is_file() or not (directory / CONFIG).is_file():
        raise CheckpointError(f"{str(directory)!r} holds no run to resume: {CONFIG} or {CHECKPOINT} is missing.")
    try:
        values = json.loads((directory / CONFIG).read_text(encoding="utf-8"))
    except ValueError as error:
        raise CheckpointError(f"{str(directory / CONFIG)!r} is damaged: {error}.") from error
    values.pop("versions", None)
    if minutes or steps:
        values.update(minutes=minutes, steps=steps)
    return TrainConfig.from_json(values)


def evaluate(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    player: Annotated[list[str], typer.Option("--player", "-p", help="A model's path or a bot's name; repeatable.")],
    against: Annotated[list[str] | None, typer.Option(help="Bots or models [default: all bots]; repeatable.")] = None,
    games: Annotated[int, typer.Option(help="Games against each, seat-balanced.")] = 2000,
    ratings: Annotated[bool, typer.Option(help="Also a round robin of all with openskill ratings.")] = True,
    seed: Annotated[int, typer.Option(help="Of the games.")] = 0,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Measure models and bots against others: scores with 95 % intervals, and ratings."""
    console = Console()
    found = get_game(game)
    bots = ["random", *found.bots]
    options = parse_options(get_game(game), option)
    players = {name: _load(name, bots) for name in player}
    anchors = {name: _load(name, bots) for name in (against or bots)}
    results = {
        name: {
            anchor: score_against(game, one, other, games, seed, options)
            for anchor, other in anchors.items()
            if anchor != name
        }
        for name, one in players.items()
    }
    two = len(found.info.agents) == 2
    everybody = {**anchors, **players}
    rated = rate_players(game, everybody, min(games, RATING_GAMES), seed, options) if ratings and two else []
    if as_json:
        scores = {name: {anchor: one.score for anchor, one in row.items()} for name, row in results.items()}
        typer.echo(json.dumps({"scores": scores, "ratings": {entry.name: entry.points for entry in rated}}))
        return
    for name, row in results.items():
        console.print(result_table(row, name))
    if rated:
        anchor = "random" if "random" in everybody else "openskill's default"
        console.print(rating_table(rated, anchor))


def _load(name: str, bots: list[str]) -> Opponent:
    return name if name in bots or not name.endswith(".zip") else load_policy(name)
