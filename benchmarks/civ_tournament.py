"""A seat-balanced tournament of all built-in AIs of AjveCiv: ratings, places, wins and deaths.

All AIs play about the same number of games, and each plays at every seat equally often, up to one
game. The line-ups come from decks. A deck is a shuffled list of all AIs, with a random distance for
each seat. In game k of a deck, the AI at each seat is the one at that distance from entry k. In a
whole deck each AI therefore plays once at every seat. Decks, and the order in which games are
rated, come from NumPy's generator with `--seed`; game g has the seed `mix_seed(seed, g)`.

Ratings are Plackett-Luce ratings in points: 400 points are odds of ten to one, and "random" has 0
(see `axiom_training.ratings`). They are computed in one pass over all games. Each game changes the
ratings, so they depend on the order of the games; the script measures how much, with other orders.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from common import describe_machine, machine, write_json
from rich.console import Console
from rich.progress import track

from axiom_envs.ajve_civ.compat.metrics import acts, count_acts, measure, shares
from axiom_envs.ajve_civ.compat.playing import BUILT_IN, play
from axiom_envs.ajve_civ.config import AjveCivConfig
from axiom_envs.ajve_civ.constants import VALUES
from axiom_envs.ajve_civ.game import GAME
from axiom_gym.rng import mix_seed
from axiom_training.evaluation import Result
from axiom_training.ratings import Match, rate

ANCHOR = "random"
GAMES = {2: 2_000}
"""The default number of games by number of players; 10,000 for all other numbers."""
AT_ONCE = 250
"""The number of games that are played at a time; more would take more memory for their traces."""
OTHER_ORDERS = 5
"""The number of other orders in which the games are rated, to measure the effect of the order."""

STDERR = Console(stderr=True)


class Games(NamedTuple):
    """The results of all games. Axis letters: G games, P players."""

    lineups: npt.NDArray[np.int64]  # (G, P) the AI at each seat, as an index of BUILT_IN
    scores: npt.NDArray[np.int64]  # (G, P)
    dead: npt.NDArray[np.bool_]  # (G, P)
    acts: npt.NDArray[np.int64]  # (G, P, 6) number of acts on each value
    world: dict[str, npt.NDArray[np.float64]]  # name of a metric -> (G,)


# -- playing ---------------------------------------------------------------------------------------


def draw_lineups(games: int, players: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the AI at each seat, (G, P); no AI plays twice in a game."""
    decks, count = [], len(BUILT_IN)
    for _ in range(-(-games // count)):
        distances = rng.choice(count, players, replace=False)
        decks.append(rng.permutation(count)[(np.arange(count)[:, None] + distances) % count])
    return np.concatenate(decks)[:games]


def play_part(lineups: npt.NDArray[np.int64], seeds: Sequence[int], config: AjveCivConfig) -> Games:
    """Play some games. lineups: (G, P)."""
    names = [[BUILT_IN[number] for number in row] for row in lineups]
    ends, trace = play(names, seeds, config, trace=True)
    course = measure(trace.states, trace.chosen)
    done = acts(trace.states, trace.chosen)
    last = {
        "living peoples": course.alive,
        "world yield": course.world_yield,
        "Gini of yields": course.gini,
        "mean feeling": course.feeling,
        "reciprocity": course.reciprocity,
    }
    world = {name: values[:, -1].astype(np.float64) for name, values in last.items()}
    for value, share in zip(VALUES, course.total_shares.T, strict=True):
        world[f"share of {value}"] = share
    scores = ends["yields"].astype(np.int64) + ends["population"]
    return Games(lineups, scores, ends["death"] != 0, count_acts(done.swapaxes(1, 2)), world)


def play_all(games: int, config: AjveCivConfig, seed: int) -> Games:
    """Play the whole tournament, with a progress bar."""
    lineups = draw_lineups(games, config.players, np.random.default_rng(seed))
    seeds = [mix_seed(seed, g) for g in range(games)]
    parts = [
        play_part(lineups[start : start + AT_ONCE], seeds[start : start + AT_ONCE], config)
        for start in track(range(0, games, AT_ONCE), "playing", console=STDERR)
    ]
    fields = zip(*(part[:-1] for part in parts), strict=True)
    names = parts[0].world
    world = {name: np.concatenate([part.world[name] for part in parts]) for name in names}
    return Games(*map(np.concatenate, fields), world)  # type: ignore[arg-type]


# -- statistics ------------------------------------------------------------------------------------


def places_of(scores: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return places from 1, with the mean place on ties, (G, P). scores: (G, P)."""
    own, others = scores[:, :, None], scores[:, None, :]
    return 0.5 + (others > own).sum(axis=2) + (others == own).sum(axis=2) / 2


def winners_of(games: Games) -> npt.NDArray[np.bool_]:
    """Return a mask of the winners, (G, P): living peoples with the highest score, dead included.

    A game has no winner if only dead peoples have the highest score.
    """
    return (games.scores == games.scores.max(axis=1, keepdims=True)) & ~games.dead


def rate_all(games: Games, seed: int) -> tuple[dict[str, tuple[float, float]], float]:
    """Return the rating and sigma of each AI, and the effect of the order of the games.

    The effect is the standard deviation of a rating between orders, as a mean over the AIs.
    """
    matches = [
        Match(tuple(BUILT_IN[number] for number in lineup), tuple(scores))
        for lineup, scores in zip(games.lineups, games.scores.astype(float).tolist(), strict=True)
    ]
    orders = track(range(seed, seed + 1 + OTHER_ORDERS), "rating", console=STDERR)
    passes = [rate(matches, ANCHOR, order) for order in orders]
    points = [{entry.name: entry.points for entry in one} for one in passes]
    spread = np.array([[one[name] for one in points] for name in points[0]]).std(axis=1, ddof=1)
    ratings = {entry.name: (entry.points, entry.error / 1.96) for entry in passes[0]}
    return ratings, float(spread.mean())


def mean_with_error(values: npt.NDArray[np.float64]) -> dict[str, float]:
    """Return the mean and half its 95 % interval, over the games with a value."""
    known = values[~np.isnan(values)]
    error = 1.96 * known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else np.nan
    return {"mean": float(known.mean()) if len(known) else np.nan, "error": float(error)}


def win_share(won: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return the share of games won, with its 95 % Wilson interval. won: (N,)."""
    wins = int(won.sum())
    result = Result(wins, 0, len(won) - wins)
    return {"wins": wins, "win_share": result.score, "win_interval": list(result.interval)}


def tabulate_ais(games: Games, ratings: dict[str, tuple[float, float]]) -> list[dict[str, Any]]:
    """Return a row for each AI, best first."""
    places, won = places_of(games.scores), winners_of(games)
    rows = []
    for name, (points, sigma) in ratings.items():
        own = games.lineups == BUILT_IN.index(name)
        done = shares(games.acts[own].sum(axis=0))
        rows.append(
            {
                "ai": name,
                "rating": points,
                "sigma": sigma,
                "games": int(own.sum()),
                "mean_place": float(places[own].mean()),
                **win_share(won[own]),
                "mean_score": float(games.scores[own].mean()),
                "death_rate": float(games.dead[own].mean()),
                "shares": dict(zip(VALUES, done.tolist(), strict=True)),
            }
        )
    return rows


def tabulate_seats(games: Games) -> list[dict[str, Any]]:
    """Return a row for each seat."""
    places, won = places_of(games.scores), winners_of(games)
    return [
        {"seat": seat + 1, "place": mean_with_error(places[:, seat]), **win_share(won[:, seat])}
        for seat in range(games.scores.shape[1])
    ]


def tabulate_acts(games: Games) -> dict[str, dict[str, float]]:
    """Return the shares of each value in the acts of winners, other survivors and the dead."""
    best = winners_of(games)
    groups = {"winners": best, "the other living": ~best & ~games.dead, "the dead": games.dead}
    return {
        who: dict(zip(VALUES, shares(games.acts[group].sum(axis=0)).tolist(), strict=True))
        for who, group in groups.items()
    }


# -- output ----------------------------------------------------------------------------------------


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table in Markdown; all columns but the first are numbers."""
    print(f"\n| {' | '.join(columns)} |")
    print(f"|---{'|---:' * (len(columns) - 1)}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def interval(low: float, high: float) -> str:
    return f"{100 * low:.1f} – {100 * high:.1f} %"


def with_error(value: dict[str, float]) -> str:
    return "–" if np.isnan(value["mean"]) else f"{value['mean']:.3f} ± {value['error']:.3f}"


def print_ais(rows: Sequence[dict[str, Any]]) -> None:
    columns = ["AI", "rating", "sigma", "games", "mean place", "wins", "95 %", "mean score", "died"]
    lines = [
        [
            row["ai"],
            f"{row['rating']:+.0f}",
            f"{row['sigma']:.0f}",
            row["games"],
            f"{row['mean_place']:.2f}",
            percent(row["win_share"]),
            interval(*row["win_interval"]),
            f"{row['mean_score']:.0f}",
            percent(row["death_rate"]),
        ]
        for row in rows
    ]
    print_table(columns, lines)


def print_seats(rows: Sequence[dict[str, Any]]) -> None:
    lines = [
        [
            row["seat"],
            with_error(row["place"]),
            percent(row["win_share"]),
            interval(*row["win_interval"]),
        ]
        for row in rows
    ]
    print_table(["seat", "mean place", "wins", "95 %"], lines)


def print_result(result: dict[str, Any]) -> None:
    """Print all results in Markdown."""
    print(f"{result['title']}. {result['games_without_winner']} games without a winner.")
    print(f"Ratings differ by {result['order_sd']:.1f} points (SD) between orders of the games.")
    print_ais(result["ais"])
    print_seats(result["seats"])
    metrics = result["world"].items()
    lines = [[name, with_error(one)] for name, one in metrics]
    print_table(["at the end of a game", "mean"], lines)
    groups = result["acts"].items()
    print_table(["acts", *VALUES], [[who, *map(percent, done.values())] for who, done in groups])
    print(f"\n{describe_machine()}, openskill {version('openskill')}")


def plain(value: Any) -> Any:
    """Return plain values for JSON, with None in place of nan, which JSON does not have."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return None if isinstance(value, float) and np.isnan(value) else value


def main(
    players: Annotated[
        int, typer.Option(min=2, max=len(BUILT_IN), help="Number of players of a game.")
    ] = 7,
    games: Annotated[
        int | None,
        typer.Option(
            min=len(BUILT_IN),
            help="Number of games; by default 2,000 for two players and 10,000 for more.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of line-ups, games and orders.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write the results to this JSON file.")] = None,
    quick: Annotated[
        bool, typer.Option(help="Check the script in a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Let all built-in AIs of AjveCiv play against each other."""
    count = 2 * len(BUILT_IN) if quick else games or GAMES.get(players, 10_000)
    played = play_all(count, AjveCivConfig(players=players), seed)
    ratings, order_sd = rate_all(played, seed)
    result = {
        "title": f"{GAME.info.title}: {len(BUILT_IN)} AIs, {players} players, {count:,} games",
        "game": f"{GAME.info.name}-v{GAME.info.version}",
        "command": " ".join(["python benchmarks/civ_tournament.py", *sys.argv[1:]]),
        "machine": {**machine(), "openskill": version("openskill")},
        "seed": seed,
        "players": players,
        "games": count,
        "games_without_winner": int((~winners_of(played).any(axis=1)).sum()),
        "order_sd": order_sd,
        "ais": tabulate_ais(played, ratings),
        "seats": tabulate_seats(played),
        "world": {name: mean_with_error(values) for name, values in played.world.items()},
        "acts": tabulate_acts(played),
    }
    print_result(result)
    if out is not None:
        write_json(out, plain(result))


if __name__ == "__main__":
    typer.run(main)
