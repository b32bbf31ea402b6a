"""The README and the cards say what is so: their code runs, their facts are the games' facts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import action_space
from axiom_gym.game import KernelGame
from axiom_gym.registry import get_game, make_config

ROOT = Path(__file__).parent.parent
GAMES = sorted(path.parent.name for path in (ROOT / "envs").glob("axiom_envs/*/game.py"))

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


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_card__code_runs(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = _python_blocks(_card(game))
    assert blocks
    for block in blocks:
        exec(block, {})
    assert capsys.readouterr().out


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_card__facts_are_the_games(game: str) -> None:
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
    assert set(re.findall(r"`(.*?)`", facts["presets"])) == set(found.presets)
    assert set(re.findall(r"`(.*?)`", facts["bots"])) == {"random", *found.bots}
    assert set(re.findall(r"`(.*?)`", facts["options"])) == _option_names(found)


def _facts_table(text: str) -> dict[str, str]:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    return {name.strip(): value.strip() for name, value in rows}


def _option_names(game: KernelGame) -> set[str]:
    return set(game.config.__dataclass_fields__)


@needs_repository
@pytest.mark.parametrize("game", GAMES)
def test_readme__shows_the_games_spaces(game: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| `{game}-v")]
    layout = get_game(game).layout(make_config(get_game(game)))
    space = str(action_space(ActionForm(layout))).replace("[", "(").replace("]", ")")
    shown = space.replace("((", "(").replace("))", ")").replace(" ", ", ")
    assert shown in row
    assert f"{layout.observation_shape[0]} features" in row
