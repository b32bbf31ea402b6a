"""The README and the cards are correct: their code runs, and their facts are the games' facts."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer.main

from axiom_gym.adapters.actions import ActionForm
from axiom_gym.adapters.spaces import action_space
from axiom_gym.cli import app
from axiom_gym.game import KernelGame
from axiom_gym.registry import get_game, make_config
from axiom_gym.registry.targets import load_module

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
    blocks = _python_blocks(ROOT / "README.md")
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {})
        assert f"# {capsys.readouterr().out.strip()}" in block


@needs_repository
def test_citation__names_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in citation
    assert f"\nlicense: {project['license']}\n" in citation


@needs_repository
def test_tables__have_as_many_cells_in_each_row_as_in_the_first() -> None:
    """A row of another table, such as one that a merge misplaced, is not like its neighbours."""
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]:
        cells = 0
        for line in path.read_text(encoding="utf-8").splitlines():
            found = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
            assert not (cells and found) or found == cells, f"{path.name}: {line}"
            cells = found


@needs_repository
def test_readme__links_and_pictures_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    paths = [path for path in re.findall(r"\]\(([^)#]+)", text) if "://" not in path]
    assert "docs/games.gif" in paths
    assert not [path for path in paths if not (ROOT / path).exists()]


def _find_pages(folder: str) -> list[Path]:
    return [*(ROOT / folder).glob("*.md")] if folder == "." else [*(ROOT / folder).rglob("*.md")]


PAGES = sorted(
    path for folder in (".", "docs", "envs", "axiom_gym") for path in _find_pages(folder)
)


@needs_repository
@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_tables__rows_have_a_cell_for_each_column(page: Path) -> None:
    """A row of another table, which a merge has moved, is found by the number of its cells."""
    columns = 0
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) - 1 if line.startswith("|") else 0
        columns = columns or cells
        assert cells in (0, columns), line
        columns = cells


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
    limit = "no limit" if info.max_length is None else f"at most {info.max_length} turns"
    assert facts["length"] == limit
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


def _readme() -> str:
    """Return the README without the drawing of the folders, or "" where there is no README."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return text.replace(_section(text, "Layout"), "") if text else ""


FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMANDS = ("axiom-gym ", "make ")


def _plain_blocks() -> list[list[str]]:
    """Return the lines of each block without a language: commands and Python."""
    blocks = [body.splitlines() for language, body in FENCED.findall(_readme()) if not language]
    return [[line for line in lines if line] for lines in blocks]


def _expressions() -> list[Any]:
    """Return the Python code of each row of the table of interfaces, and of each plain block."""
    groups = {}
    for name, cell in _facts_table(_section(_readme(), "One game, every interface")).items():
        groups[name] = re.findall(r"`(.+?)`", cell)
    for lines in _plain_blocks():
        groups[lines[0].partition("#")[0].strip()] = lines
    python = {
        name: [line for line in lines if not line.startswith(COMMANDS)]
        for name, lines in groups.items()
    }
    return [pytest.param(lines, id=name) for name, lines in python.items() if any(lines)]


def _commands() -> list[str]:
    """Return the command lines in plain blocks, and those between backticks."""
    lines = [line for block in _plain_blocks() for line in block]
    lines += re.findall(r"`([^`]+)`", FENCED.sub("", _readme()))
    return sorted({line.partition("#")[0].strip() for line in lines if line.startswith(COMMANDS)})


def _names() -> list[str]:
    return sorted(set(re.findall(r"\baxiom_gym(?:\.\w+)+", _readme())))


def _namespace() -> dict[str, Any]:
    """Return the names that the README assumes."""
    import gymnasium
    import pettingzoo

    import axiom_envs.quantaris
    import axiom_gym

    def my_agent(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        return actions[0]

    return {
        "axiom_gym": axiom_gym,
        "gymnasium": gymnasium,
        "pettingzoo": pettingzoo,
        "axiom_envs": axiom_envs,
        "state": axiom_envs.quantaris.create_initial_state(),
        "actions_a": [],
        "actions_b": [],
        "MyGame": load_module(str(ROOT / "tests" / "games" / "race_game.py")).Race,
        "my_agent": my_agent,
    }


@needs_repository
@pytest.mark.compiled_only
@pytest.mark.parametrize("lines", _expressions())
def test_readme__expressions_run(
    lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pettingzoo

    code = "\n".join(lines)
    if "pettingzoo.make(" in code and not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has no registry before version 1.27")
    if ".sb3." in code:
        pytest.importorskip("stable_baselines3")
    monkeypatch.chdir(tmp_path)
    exec(code, _namespace())


@needs_repository
@pytest.mark.parametrize("name", _names())
def test_readme__names_are_found_after_import_axiom_gym_alone(name: str) -> None:
    if ".sb3." in name:
        pytest.importorskip("stable_baselines3")
    process = subprocess.run(
        [sys.executable, "-c", f"import axiom_gym; {name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


@needs_repository
@pytest.mark.parametrize("line", _commands())
def test_readme__commands_exist(line: str) -> None:
    """Parse the command lines with their options, and run none of them."""
    program, *arguments = shlex.split(line)
    if program == "make":
        (target,) = arguments
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
        return
    command: Any = typer.main.get_command(app)
    while hasattr(command, "resolve_command"):
        context = command.context_class(command)
        _, command, arguments = command.resolve_command(context, arguments)
    context = command.make_context(line, arguments)
    if options := context.args[::2]:  # those of the game, after the command's own
        known = _option_names(get_game(context.params["game"]))
        assert {option.removeprefix("--").replace("-", "_") for option in options} <= known


@needs_repository
def test_readme__expressions_names_and_commands_are_found() -> None:
    code = [line for group in _expressions() for line in group.values[0]]
    assert 'gymnasium.make_vec("axiom/Quantaris-v0", num_envs=1024)' in code
    assert "envs = axiom_gym.adapters.sb3.make_vec_env(MyGame, 16)" in code
    assert "axiom_gym.opponents.OpponentPool" in _names()
    assert {"make demo", "axiom-gym list", "axiom-gym train destreect --players 3"} <= set(
        _commands()
    )
