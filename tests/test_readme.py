"""The README and the cards are correct: their code runs, and their facts are the games' facts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import action_space
from axiom_gym.game import KernelGame
from axiom_gym.registry import get_game, make_config

ROOT = Path(__file__).parent.parent
GAMES = sorted(path.parent.name for path in (ROOT / "envs").glob("axiom_envs/*/game.py"))

HEADINGS = (
    "Quick start",
    "Rules",
    "Actions",
    "Observations",
    "Rewards and end",
    "Options and presets",
    "Opponents",
    "Results",
    "The original's API",
    "Differences from the original",
    "Sources",
    "Versions",
)
"""The order of the sections of a card."""
GUIDES = HEADINGS.index("Results") + 0.5
"""The place of sections with other titles: after the results."""
ALWAYS = {"Quick start", "Rules", "Actions", "Observations", "Rewards and end", "Versions"}
"""The sections that every card has."""

needs_repository = pytest.mark.skipif(
    not (ROOT / "README.md").exists(), reason="the README is not part of an installed wheel"
)


def _python_blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


def _card(game: str) -> Path:
    return ROOT / "envs" / "axiom_envs" / game / "README.md"


@needs_repository
@pytest.mark.compiled_only
def test_readme__code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = _python_blocks(ROOT / "README.md")
    exec(first, {})
    games, score = re.search(r"(\d+) games .* ([+-][\d.]+)", capsys.readouterr().out).groups()
    assert int(games) > 10_000
    assert float(score) < 0
    exec(second, {})
    assert f"# {capsys.readouterr().out.strip()}" in second


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_readme__lists_every_game(game: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"envs/axiom_envs/{game}/README.md" in text


def _by_players() -> list[Any]:
    """Return the games; examples for another number of players than the default are slow."""
    others = ("ajve_civ", "destreect", "konquista")
    marks = {game: [pytest.mark.slow] for game in others}
    return [pytest.param(game, marks=marks.get(game, [])) for game in GAMES]


@needs_repository
@pytest.mark.parametrize("game", _by_players())
def test_card__code_runs(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = _python_blocks(_card(game))
    assert blocks
    for block in blocks:
        exec(block, {})
    assert capsys.readouterr().out


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_card__facts_match_the_game(game: str) -> None:
    facts = _facts_table(_card(game).read_text(encoding="utf-8"))
    found = get_game(game)
    info = found.info
    assert facts["name, version"].startswith(f"`{info.name}`, {info.version}:")
    assert facts["players"].startswith(f"{len(info.agents)}:")
    assert facts["dynamics"] == info.dynamics
    assert (facts["chance"] == "none") == (not info.chance)
    assert (facts["information"] == "perfect") == info.perfect_information
    assert facts["utility"].startswith("zero-sum") == info.zero_sum
    assert facts["length"] == f"at most {info.max_length} turns"
    assert _quoted(facts["presets"]) == set(found.presets)
    assert _quoted(facts["options"]) == _option_names(found)


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_card__names_all_bots(game: str) -> None:
    """The table lists all bots, or their number if the section on opponents lists them."""
    text, found = _card(game).read_text(encoding="utf-8"), get_game(game)
    row, bots = _facts_table(text)["bots"], {"random", *found.bots}
    if row[0].isdigit():
        assert row.startswith(f"{len(bots)}: ")
        assert _quoted(row) == {"random", *found.default_opponents}
        assert bots <= _quoted(_section(text, "Opponents"))
    else:
        assert _quoted(row) == bots


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_card__headings_follow_one_order(game: str) -> None:
    text, found = _card(game).read_text(encoding="utf-8"), get_game(game)
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    titles = re.findall(r"^## (.+)$", prose, re.MULTILINE)
    places = [HEADINGS.index(title) if title in HEADINGS else GUIDES for title in titles]
    assert places == sorted(places), titles
    assert len(set(titles)) == len(titles)
    required = set(ALWAYS)
    if found.presets or _option_names(found):
        required.add("Options and presets")
    if found.bots:
        required.add("Opponents")
    assert required <= set(titles)


def _quoted(text: str) -> set[str]:
    """Return all that stands between backticks."""
    return set(re.findall(r"`(.*?)`", text))


def _section(text: str, title: str) -> str:
    """Return the text of a section, without its title."""
    _, _, after = text.partition(f"\n## {title}\n")
    return after.partition("\n## ")[0]


def _facts_table(text: str) -> dict[str, str]:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    return {name.strip(): value.strip() for name, value in rows}


def _option_names(game: KernelGame) -> set[str]:
    return set(game.config.__dataclass_fields__)


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_readme__shows_the_spaces_of_the_game(game: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| `{game}-v")]
    layout = get_game(game).layout(make_config(get_game(game)))
    space = str(action_space(ActionForm(layout))).replace("[", "(").replace("]", ")")
    shown = space.replace("((", "(").replace("))", ")").replace(" ", ", ")
    assert shown in row
    assert f"{layout.observation_shape[0]} features" in row
