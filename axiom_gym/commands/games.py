"""`axiom-gym list` and `axiom-gym info`: the games and their facts."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import textwrap
from typing import Any

import typer

from axiom_gym.commands.options import (
    Game,
    Json,
    Options,
    Preset,
    examples,
    parse_options,
)
from axiom_gym.commands.output import print_json, print_table, print_text, word_for_turn
from axiom_gym.game.facts import GameInfo, KernelGame, Layout
from axiom_gym.registry.games import (
    count_players,
    find_problem,
    game_ids,
    get_game,
    gymnasium_id,
    is_installed,
    make_config,
)


@examples("axiom-gym list", "axiom-gym list --json")
def list_games(as_json: Json = False) -> None:
    """List all installed games.

    A game that cannot be loaded has the reason as its summary.
    """
    entries = [_summarize(game_id) for game_id in game_ids()]
    if as_json:
        print_json(entries)
        return
    rows = [
        [entry["id"], _players_range(entry), entry["kind"] or "?", entry["summary"]]
        for entry in entries
    ]
    print_table(["game", "players", "kind", "summary"], rows)


def _summarize(game_id: str) -> dict[str, Any]:
    """Return one entry of the list; `error` is the reason why a game cannot be loaded, or None."""
    problem = find_problem(game_id)
    entry: dict[str, Any] = {
        "id": game_id,
        "players": None,
        "min_players": None,
        "kind": None,
        "presets": [],
        "bots": [],
        "gymnasium_id": None,
        "summary": f"cannot be loaded: {problem}",
        "error": problem,
    }
    if problem is not None:
        return entry
    game = get_game(game_id)
    return {
        **entry,
        "players": len(game.info.agents),
        "min_players": _find_min_players(game),
        "kind": _kind(game.info),
        "presets": list(game.presets),
        "bots": ["random", *game.bots],
        "gymnasium_id": gymnasium_id(game_id),
        "summary": game.info.summary,
    }


def _players_range(entry: dict[str, Any]) -> str:
    low, high = entry["min_players"], entry["players"]
    if high is None:
        return "?"
    return str(high) if low == high else f"{low}-{high}"


def _find_min_players(game: KernelGame) -> int:
    """Return the least number of players that the options, or else the presets, allow."""
    most = len(game.info.agents)
    if most == 1:
        return 1
    if "players" in {option.name for option in dataclasses.fields(game.config)}:
        return next((n for n in range(1, most) if _accepts_players(game, n)), most)
    try:
        counts = [count_players(game, preset=preset) for preset in (None, *game.presets)]
    except Exception:  # the code of a plugin, without which the list is still complete
        return most
    return min(counts)


def _accepts_players(game: KernelGame, players: int) -> bool:
    try:
        make_config(game, options={"players": players})
    except Exception:  # a plugin may raise anything
        return False
    return True


def _kind(info: GameInfo) -> str:
    dynamics = info.dynamics if len(info.agents) > 1 else "solo"
    return f"{dynamics}, chance" if info.chance else dynamics


@examples("axiom-gym info konquista", "axiom-gym info quantaris --preset v0.1 --json")
def info(game: Game, preset: Preset = None, option: Options = None, as_json: Json = False) -> None:
    """Show the facts of a game.

    These are its players, shapes, options, presets, bots and ids.
    """
    chosen = get_game(game)
    config = make_config(chosen, preset, parse_options(chosen, option))
    facts = _collect(chosen, config)
    if as_json:
        print_json(facts)
        return
    print_text(f"{chosen.info.title}: {chosen.info.summary}\n")
    print_table(["", ""], _fact_rows(chosen, chosen.agents(config)), "Facts")
    typer.echo()
    rows = _layout_rows(chosen.layout(config), word_for_turn(chosen.info))
    print_table(["", ""], rows, f"Shapes with {_values(config)}")
    typer.echo()
    rows = [[entry["name"], entry["default"], entry["doc"]] for entry in facts["options"]]
    print_table(["option", "default", "meaning"], rows, "Options")
    typer.echo()
    print_table(["", ""], _name_rows(facts), "Names")


def _collect(game: KernelGame, config: Any) -> dict[str, Any]:
    game_id = f"{game.info.name}-v{game.info.version}"
    has_ids = is_installed(game)
    return {
        "id": game_id,
        "info": dataclasses.asdict(game.info),
        "config": dataclasses.asdict(config),
        "layout": dataclasses.asdict(game.layout(config)),
        "options": describe_options(game.config),
        "presets": {name: dict(values) for name, values in game.presets.items()},
        "bots": ["random", *game.bots],
        "compiled": game.compiled,
        "gymnasium_id": gymnasium_id(game_id) if has_ids else None,
        "pettingzoo_id": f"axiom/{game_id}" if has_ids else None,
    }


def _values(config: Any) -> str:
    pairs = dataclasses.asdict(config).items()
    return ", ".join(f"{name}={value}" for name, value in pairs) or "no options"


def _fact_rows(game: KernelGame, agents: tuple[str, ...]) -> list[list[object]]:
    info, words = game.info, {True: "yes", False: "no"}
    return [
        ["version", info.version],
        ["players", _describe_players(info, agents)],
        ["acting", _describe_acting(info)],
        ["chance", words[info.chance]],
        ["perfect information", words[info.perfect_information]],
        ["zero-sum", words[info.zero_sum]],
        ["outcome", f"{info.min_outcome:g} to {info.max_outcome:g}"],
        ["longest game", _describe_length(info)],
        ["rules", "compiled" if game.compiled else "plain Python"],
    ]


def _describe_length(info: GameInfo) -> str:
    limit = info.max_length
    return "no limit" if limit is None else f"{limit:,} {word_for_turn(info)}s"


def _describe_players(info: GameInfo, agents: tuple[str, ...]) -> str:
    """Return the agents with the given options, and the greatest number of players."""
    more = f"; at most {len(info.agents)}" if len(agents) < len(info.agents) else ""
    return f"{len(agents)}: {', '.join(agents)}{more}"


def _describe_acting(info: GameInfo) -> str:
    if len(info.agents) == 1:
        return "the only player, in each turn"
    return "all players in each turn" if info.dynamics == "simultaneous" else "one player at a time"


def _layout_rows(layout: Layout, turn: str) -> list[list[object]]:
    low, high = layout.observation_low, layout.observation_high
    names = len(layout.feature_names)
    shape = "x".join(map(str, layout.observation_shape))
    choices = ", ".join(map(str, layout.num_choices))
    return [
        ["observation", f"{shape} float32, {low:g} to {high:g}" + (", named" if names else "")],
        [f"sub-actions per {turn}", f"{len(layout.num_choices)}, with {choices} choices"],
    ]


def _pettingzoo_form(facts: dict[str, Any]) -> str:
    return "parallel" if facts["info"]["dynamics"] == "simultaneous" else "aec"


def _name_rows(facts: dict[str, Any]) -> list[list[object]]:
    presets: list[list[object]] = [
        [f"preset {name}", ", ".join(f"{key}={value}" for key, value in values.items())]
        for name, values in facts["presets"].items()
    ]
    rows: list[list[object]] = [*presets, ["bots", ", ".join(facts["bots"])]]
    if facts["gymnasium_id"] is None:
        return rows
    form, name = _pettingzoo_form(facts), facts["pettingzoo_id"]
    return [
        *rows,
        ["Gymnasium", f'gymnasium.make("{facts["gymnasium_id"]}")'],
        ["PettingZoo", f'pettingzoo.make("{form}", "{name}")'],
    ]


def describe_options(config: type[Any]) -> list[dict[str, Any]]:
    """Return the name, type, default and docstring of each field of a game's configuration."""
    docs = _field_docs(config)
    entries = []
    for field in dataclasses.fields(config):
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        is_required = default is dataclasses.MISSING
        kind = field.type if isinstance(field.type, str) else field.type.__name__
        entries.append(
            {
                "name": field.name,
                "type": kind,
                "default": "required" if is_required else default,
                "doc": field.metadata.get("doc", docs.get(field.name, "")),
            }
        )
    return entries


def _field_docs(config: type[Any]) -> dict[str, str]:
    """Return the text below each field in the source of a class; {} if there is no source."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(config))).body
    except (OSError, SyntaxError):
        return {}
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
