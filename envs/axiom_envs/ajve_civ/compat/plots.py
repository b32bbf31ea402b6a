"""Plots of a game: feelings, metrics and scores over time. They need Matplotlib.

Axis letters: P players, T steps.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from axiom_envs.ajve_civ.compat.metrics import Course, check_trace, measure, smooth_shares
from axiom_envs.ajve_civ.constants import CONQUER, VALUES
from axiom_gym.errors import ConfigError
from axiom_gym.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colorbar import Colorbar
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

FEELINGS, COURSE, SCORES = "feelings.png", "course.png", "scores.png"
"""The file names of the plots."""

DPI = 150
LONGEST_NAME = 26
IN_A_ROW = 12
"""The largest number of peoples whose maps of feelings are in one row; more get two rows."""
NAMED = 8
"""The largest number of lines with a name and a colour; of more, only the best and the last two."""
WINDOW = 10
"""The number of steps over which shares are averaged: the default period of inflections."""

# Okabe and Ito's colours, which are distinguishable with colour blindness.
COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7"),
    *("#e69f00", "#56b4e9", "#000000", "#a08f00"),
)
VALUE_COLOURS = dict(
    zip(VALUES, ("#56b4e9", "#d55e00", "#cc79a7", "#009e73", "#f0e442", "#e69f00"), strict=True)
)
FAINT = "#b0b0b0"

STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "font.size": 9,
    # A name such as "$a" is not a formula.
    "text.parse_math": False,
}


def save_plots(
    states: npt.NDArray[Any], chosen: npt.NDArray[np.int8], names: Sequence[str], directory: Path
) -> list[Path]:
    """Draw the plots of one game and write them as PNG files, each whole or not at all.

    Args:
        states: (T + 1,) records, before each step and at the end.
        chosen: (T, P) int8, values 0 to 5; negative for none.
        names: the names of the P players, by seat.
        directory: the directory of the plots. It is created if missing; files of an earlier call
            are replaced.

    Returns:
        The paths of the files. A game of one player has no plot of feelings.

    Raises:
        ConfigError: Matplotlib is missing, the arguments do not match, or the directory cannot be
            written to.
    """
    check_trace(states, chosen)
    if states.ndim != 1 or len(names) != chosen.shape[-1] or len(chosen) == 0:
        raise ConfigError(
            "plots show one game of at least one step, with a name for each of its "
            f"{chosen.shape[-1]} players; got choices of shape {chosen.shape} and {len(names)} "
            "names."
        )
    labels = [shorten(name) for name in names]
    with _drawing():
        figures = {COURSE: _draw_course(states, chosen), SCORES: _draw_scores(states, labels)}
        if len(names) > 1:
            figures = {FEELINGS: _draw_feelings(states, labels), **figures}
        pictures = {name: _render(figure) for name, figure in figures.items()}
    return _write(pictures, Path(directory))


def shorten(name: str) -> str:
    """Return the name, or its beginning if it is too long for a plot."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


@contextmanager
def _drawing() -> Iterator[None]:
    """Draw in our style, or raise ConfigError if Matplotlib is missing."""
    try:
        import matplotlib
    except ImportError as error:
        raise ConfigError(
            f"plots need Matplotlib: pip install axiom-gym[train] or axiom-gym[bench] ({error})."
        ) from error
    with matplotlib.rc_context(STYLE):
        yield


def _render(figure: Figure) -> bytes:
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=DPI, bbox_inches="tight")
    return picture.getvalue()


def _write(pictures: dict[str, bytes], directory: Path) -> list[Path]:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            with replacing(directory / name) as file:
                file.write(picture)
    except OSError as error:
        raise ConfigError(
            f"cannot write plots to {str(directory)!r}: {error.strerror}. Choose a directory that "
            "exists or can be made, and that can be written to."
        ) from error
    return [directory / name for name in pictures]


# -- feelings --------------------------------------------------------------------------------------


def _draw_feelings(states: npt.NDArray[Any], names: Sequence[str]) -> Figure:
    """Draw maps of all feelings at the start, at each quarter and at the end of the game."""
    from matplotlib.figure import Figure

    last, side = len(states) - 1, _side_of_map(len(names))
    moments = sorted({round(last * quarter / 4) for quarter in range(5)})
    is_row = len(names) <= IN_A_ROW
    rows, columns = (1, len(moments)) if is_row else (2, 3)
    size = (columns * side + (3.2 if is_row else 1.6), rows * (side + 0.4) + 1.6)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes in panels.flat[len(moments) :]:
        axes.set_axis_off()
    most = max(10, int(np.abs(states["feelings"][moments]).max()))
    for place, (axes, moment) in enumerate(zip(panels.flat, moments, strict=False)):
        image = _draw_map(axes, states[moment], most)
        axes.set_title("start" if moment == 0 else f"step {moment}")
        below = place + columns < len(moments)
        _name_axes(axes, names, left=place % columns == 0, bottom=not below)
    if is_row:
        bar = figure.colorbar(image, ax=panels, aspect=20, pad=0.01)
    else:
        bar = figure.colorbar(image, cax=panels[-1, -1].inset_axes((0.1, 0.1, 0.05, 0.8)))
    _finish_bar(bar, most)
    return figure


def _side_of_map(players: int) -> float:
    """Return the side of a map of feelings, in inches."""
    return max(1.9, 0.11 * players)


def _draw_map(axes: Axes, state: Any, most: int) -> AxesImage:
    """Draw the feelings of the people in each row about those in the columns, and mark the dead.

    Colours follow the logarithm of the feelings, because a few are far stronger than the others.
    """
    import matplotlib
    from matplotlib.colors import SymLogNorm

    players = len(state["death"])
    feelings = np.ma.masked_array(state["feelings"], np.eye(players, dtype=np.bool_))
    colours = matplotlib.colormaps["RdBu"].with_extremes(bad="#d4d4d4")
    norm = SymLogNorm(linthresh=1, vmin=-most, vmax=most)
    image = axes.imshow(feelings, cmap=colours, norm=norm, interpolation="none")
    dead, cell = np.flatnonzero(state["death"]), 72 * _side_of_map(players) / players
    area = min(0.5 * cell, 8.0) ** 2
    axes.scatter(dead, dead, marker="x", color="black", s=area, linewidth=0.8)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, pad=2)
    return image


def _finish_bar(bar: Colorbar, most: int) -> None:
    """Put powers of ten and a label on the colour scale."""
    powers = [10**k for k in range(10) if 10**k <= most]
    ticks = [-power for power in powers[::-1]] + [0, *powers]
    bar.set_ticks(ticks, labels=[write_number(tick) for tick in ticks])
    bar.set_label("feelings of the people in the row\nabout the one in the column (× dead)")
    bar.outline.set_visible(False)
    bar.minorticks_off()


def write_number(number: int) -> str:
    """Return a number such as "1,200", with the minus sign that Matplotlib's axes have."""
    return f"{number:,}".replace("-", "−")


def _name_axes(axes: Axes, names: Sequence[str], *, left: bool, bottom: bool) -> None:
    """Put names at the left of the rows and below the columns, if the map is at that edge."""
    ticks, size = range(len(names)), 8 if len(names) <= IN_A_ROW else 5.5
    axes.set_xticks(ticks, names if bottom else [], rotation=90, fontsize=size)
    axes.set_yticks(ticks, names if left else [], fontsize=size)


# -- metrics ---------------------------------------------------------------------------------------


def _draw_course(states: npt.NDArray[Any], chosen: npt.NDArray[np.int8]) -> Figure:
    """Draw six panels over time: inequality, world, conquest, all values, survivors, feelings."""
    from matplotlib.figure import Figure

    course, players = measure(states, chosen), chosen.shape[-1]
    figure = Figure(figsize=(10, 7.5), layout="constrained")
    panels = figure.subplots(3, 2, sharex=True)
    steps = np.arange(len(states))
    _draw_line(panels[0, 0], steps, course.gini, "inequality of yields (Gini)")
    panels[0, 0].set_ylim(-0.03, 1.03)
    _draw_line(panels[0, 1], steps, course.world_yield, "world yield")
    panels[0, 1].axhline(0, color=FAINT, linewidth=0.8, zorder=0)
    _draw_conquest(panels[1, 0], course)
    _draw_shares(panels[1, 1], course)
    title = f"living peoples, of {players}"
    _draw_line(panels[2, 0], steps, course.alive, title, "steps-post")
    panels[2, 0].set_ylim(-0.03 * players, 1.03 * players)
    panels[2, 0].locator_params(axis="y", integer=True)
    _draw_feeling(panels[2, 1], steps, course)
    for axes in panels[-1]:
        _finish_steps(axes, len(chosen))
    return figure


def _finish_steps(axes: Axes, last: int) -> None:
    """Set up the axis of time."""
    axes.set_xlabel("step")
    axes.set_xlim(0, last)
    axes.locator_params(axis="x", integer=True)


def _draw_line(
    axes: Axes,
    steps: npt.NDArray[Any],
    values: npt.NDArray[Any],
    title: str,
    drawstyle: str = "default",
) -> None:
    """Draw a quantity over time. steps, values: (T + 1,)."""
    axes.plot(steps, values, color=COLOURS[0], drawstyle=drawstyle)
    axes.set_title(title)


def _draw_conquest(axes: Axes, course: Course) -> None:
    """Draw the share of conquest: a dot for each step, and a line of smoothed shares."""
    steps = np.arange(1, len(course.acts) + 1)
    axes.scatter(steps, course.conquest, s=6, color=FAINT, label="in a step", linewidth=0)
    smooth = smooth_shares(course.acts, WINDOW)[:, CONQUER]
    axes.plot(steps, smooth, color=VALUE_COLOURS[VALUES[CONQUER]], label=f"over {WINDOW} steps")
    axes.set(ylim=(-0.03, 1.03))
    axes.set_title("share of conquest")
    axes.legend(
        frameon=False,
        ncols=2,
        loc="lower right",
        bbox_to_anchor=(1.02, 0.96),
        handlelength=1.2,
        columnspacing=1.2,
    )


def _draw_shares(axes: Axes, course: Course) -> None:
    """Draw the smoothed shares of all values, stacked."""
    steps = np.arange(1, len(course.acts) + 1)
    smooth = smooth_shares(course.acts, WINDOW).T
    axes.stackplot(steps, smooth, colors=list(VALUE_COLOURS.values()), labels=VALUES)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles[::-1],
        labels[::-1],
        frameon=False,
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
    )
    axes.set(ylim=(0, 1))
    axes.set_title(f"share of each value, over {WINDOW} steps")


def _draw_feeling(axes: Axes, steps: npt.NDArray[Any], course: Course) -> None:
    """Draw the mean feeling on the left axis and reciprocity on the right one, if defined."""
    if not np.isfinite(course.feeling).any():
        axes.set_axis_off()
        return
    axes.plot(steps, course.feeling, color=COLOURS[0])
    axes.axhline(0, color=FAINT, linewidth=0.8, zorder=0)
    axes.set_title("mean feeling about others")
    axes.tick_params(axis="y", colors=COLOURS[0])
    if np.isfinite(course.reciprocity).any():
        twin = axes.twinx()
        twin.spines["right"].set_visible(True)
        twin.plot(steps, course.reciprocity, color=COLOURS[1], linewidth=1)
        twin.set(ylim=(-1.05, 1.05))
        twin.tick_params(axis="y", colors=COLOURS[1])
        axes.set_title("reciprocity of feelings", loc="right", color=COLOURS[1])


# -- scores ----------------------------------------------------------------------------------------


def _draw_scores(states: npt.NDArray[Any], names: Sequence[str]) -> Figure:
    """Draw the score of each people; of more than `NAMED` only the best and the last have names."""
    from matplotlib.figure import Figure

    scores = states["yields"].astype(np.int64) + states["population"]
    order = np.argsort(-scores[-1], kind="stable").tolist()
    shown = order if len(order) <= NAMED else order[: NAMED - 2] + order[-2:]
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    for player in order[::-1]:
        colour = COLOURS[shown.index(player)] if player in shown else FAINT
        _draw_score(axes, scores[:, player], int(states["death"][-1, player]), colour)
    axes.set_ylabel("score (yield and population)")
    _finish_steps(axes, len(states) - 1)
    axes.set_title(_describe_scores(len(order), len(shown)))
    _name_lines(
        axes,
        [f"{names[player]}  {write_number(scores[-1, player])}" for player in shown],
        scores[-1][shown],
    )
    return figure


def _describe_scores(players: int, shown: int) -> str:
    title = "score of each people, × where it died"
    if shown == players:
        return title
    return f"{title}; the best {shown - 2} and the last 2 of {players} in colour"


def _draw_score(axes: Axes, scores: npt.NDArray[Any], death: int, colour: str) -> None:
    """Draw the score of a people, dotted from the step of its death.

    scores: (T + 1,). death: the step, or 0 if it is alive.
    """
    end = death or len(scores) - 1
    after = np.arange(end, len(scores))
    if colour == FAINT:
        axes.plot(scores, color=colour, linewidth=0.7)
    else:
        axes.plot(scores[: end + 1], color=colour, linewidth=1.6)
        axes.plot(after, scores[end:], color=colour, linewidth=1.6, linestyle=":")
    if death:
        size = 10 if colour == FAINT else 36
        axes.scatter([end], [scores[end]], marker="x", s=size, color=colour, zorder=3)


def _name_lines(axes: Axes, names: Sequence[str], ends: npt.NDArray[Any]) -> None:
    """Put names to the right of the ends of lines without overlap. ends: (N,), highest first."""
    low, high = axes.get_ylim()
    heights = spread(((ends - low) / (high - low)).tolist(), 0.05)
    for k, (name, end, height) in enumerate(zip(names, ends, heights, strict=True)):
        axes.annotate(
            name,
            xy=(1.0, end),
            xycoords=axes.get_yaxis_transform(),
            xytext=(1.04, height),
            textcoords="axes fraction",
            color=COLOURS[k],
            verticalalignment="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": COLOURS[k],
                "linewidth": 0.6,
                "relpos": (0, 0.5),
            },
        )


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Return heights moved apart by at least `gap`, from 1 downwards. heights: highest first."""
    placed: list[float] = []
    for height in heights:
        placed.append(min(height, placed[-1] - gap if placed else 1.0))
    floor = 0.0
    for k in reversed(range(len(placed))):
        placed[k] = max(placed[k], floor)
        floor = placed[k] + gap
    return placed
