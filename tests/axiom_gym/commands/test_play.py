"""`axiom-gym play`, with bots and with a person."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from axiom_gym import replay
from axiom_gym.cli import app
from axiom_gym.commands.human import Human
from axiom_gym.commands.play import seat_players
from axiom_gym.errors import ConfigError
from axiom_gym.play.match import Match, MatchPlayer
from axiom_gym.play.saved_game import load_game
from axiom_gym.registry import games as registry

Run = Callable[..., str]
BOTS = ["--players", "random,random"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each command in an empty folder, since a game that stops is saved there."""
    folder = tmp_path.with_name(f"{tmp_path.name}_cwd")
    folder.mkdir()
    monkeypatch.chdir(folder)


def test_play__prints_each_turn_and_saves_the_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = run("play", "quantaris", *BOTS, "--seed", "1", "--save", path)
    assert text.startswith("Quantaris; ruleset=0.2 obs=features shaping=0.0; seed 1\n")
    assert len(re.findall(r"^Turn ", text, re.MULTILINE)) == 31
    assert text.endswith(f"player_0 (random) wins after 31 turns.\nSaved as {path}.\n")
    assert replay.load(path) == Match("quantaris", ["random", "random"], seed=1).play()
    assert run("replay", "verify", path).startswith("ok  ")


def test_play__quiet_prints_only_players_and_result(run: Run) -> None:
    text = run("play", "quantaris", *BOTS, "--seed", "1", "--quiet")
    assert len(text.splitlines()) == 3


def test_human__is_not_asked_once_eliminated(raft: ModuleType) -> None:
    """Several sub-actions would be legal; the game continues to its end."""
    prompts, answers = [], iter(["0", "0", "0", "1"])

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers)

    human = MatchPlayer("human", Human(raft.GAME, ask).decide)
    replay = Match(raft.GAME, [human, "sailor", "sailor"], seed=1, preset="sharks").play()
    assert len(prompts) == 4
    assert [turn.orders[0] for turn in replay.turns[:3]] == [(0, 0), (0, 1), (raft.SWIM, 1)]
    assert len(replay.turns) == 30


@pytest.mark.usefixtures("known_climb")
def test_play__of_a_game_for_one_player_is_yours_by_default(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = run("play", "climb", "-o", "limit=3", "--save", path, typed="1\n1\n0\n")
    assert replay.load(path).header.players[0].name == "human"
    assert re.search(r"^player_0, \d moves \(0, 1.*\): ", text, re.MULTILINE)
    assert f"The limit ends the game after 3 turns with a score of 0.75.\nSaved as {path}" in text
    assert run("replay", "verify", path).startswith("ok  ")
    assert "ends the game after 3 turns with a score of 0.75." in run("replay", "show", path)


@pytest.mark.usefixtures("known_climb")
def test_play__has_one_seat_where_there_is_one_player(run: Run) -> None:
    text = run("play", "climb", "--players", "careful", "-q", "--seed", "1")
    assert text.splitlines()[1:] == [
        "player_0 = careful",
        "The limit ends the game after 30 turns with a score of 108.75.",
    ]
    refused = run("play", "climb", "--a", "careful", "--b", "random", status=2)
    assert refused == "error: the game has one player, so there is no seat 2.\n"


@pytest.mark.usefixtures("known_climb")
def test_play__reports_a_fault(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = run("play", "climb", "-o", "tool=true", "--save", path, typed="1\n3\n")
    end = (
        "A fault of the rules ends the game after 2 turns with a score of 0.\n"
        "The fault: fault 7: the tool is broken, limit 30\n"
    )
    assert end in text
    assert end in run("replay", "show", path)
    assert run("replay", "verify", path).startswith("ok  ")


def test_play__takes_preset_options_and_a_limit(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--preset", "v0.1", "-o", "shaping=0.5", "--max-turns", "2"]
    text = run("play", "quantaris", *BOTS, *options, "-q", "--save", path)
    assert "Draw after 2 turns, where the limit ended the game." in text
    header = replay.load(path).header
    assert header.options == {"ruleset": "0.1", "obs": "features", "shaping": 0.5}
    assert f"seed {header.seed}\n" in text


def test_play__asks_a_person_for_sub_actions_by_number_or_short_form(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    typed = "n\nP NE\n0\n" + "pne\nu\nsh\nx\n\n3\nA3 pulses SW\n"
    options = ["--players", "human,random", "--max-turns", "2", "--seed", "0"]
    text = run("play", "quantaris", *options, "-q", "--save", path, typed=typed)
    assert [turn.orders[0] for turn in replay.load(path).turns] == [(1, 9, 0), (0, 3, 12)]
    assert "Type a move; m lists all" in text
    assert "player_0, A1, 13 moves (sh, n, e, s, w, p n," in text
    assert "'x' is not a legal move here. m lists the legal moves." in text
    assert "turn 1; cores A=5 B=5" in text  # the board is shown to a person in spite of --quiet


def test_play__shows_player_b_directions_as_on_the_board(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--players", "random,human", "--max-turns", "1"]
    text = run("play", "quantaris", *options, "--save", path, typed="s\np ne\nsh\n")
    assert replay.load(path).turns[0].orders[1] == (1, 12, 0)  # north and south-west, turned
    assert "B3 moves S, B2 pulses NE, B1 shields" in text


def test_play__offers_only_legal_sub_actions_of_living_units(run: Run) -> None:
    typed = "s\ns\ns\n" * 2 + "s\nn\nw\n"
    text = run("play", "quantaris", "-o", "ruleset=0.1", "--seed", "3", typed=typed, status=1)
    last = text[text.rindex("turn 3; cores") :]
    assert "player_0, A1, 8 moves (sh, n, e, w, p n, p e, p s, p w)" in last
    assert "'s' is not a legal move here" in last


@pytest.mark.parametrize("typed", ["", "n\nq\n"])
def test_play__saves_nothing_when_quit_in_the_first_turn(
    run: Run, tmp_path: Path, typed: str
) -> None:
    path = tmp_path / "game.jsonl"
    text = run("play", "quantaris", "--save", path, typed=typed, status=1)
    assert text.endswith("Stopped before the end; nothing was saved.\n")
    assert list(tmp_path.iterdir()) == []


def test_play__lists_moves_and_help_on_demand(run: Run) -> None:
    text = run("play", "quantaris", typed="m\nm pulses n\n?\nq\n", status=1)
    assert text.count("A1 shields") == 1
    assert text.count("A1 pulses NE") == 2
    assert text.count("A1 pulses S ") == 1
    assert len(text[text.index("Type a move by") : text.rindex("player_0")].splitlines()) <= 8


def test_play__stops_and_continues_with_the_same_bits(run: Run, tmp_path: Path) -> None:
    """Four turns of three sub-actions, in one go, and with two stops and moves taken back."""
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    words = ["play", "quantaris", "--b", "random", "--seed", "5", "--max-turns", "4", "--save"]
    turn = "n\nsh\nsh\n"
    run(*words, whole, typed=4 * turn)
    first = run(*words, parts, typed=turn + "s\ns\ns\n" + "u\n" + turn + "n\nq\n", status=1)
    saved = tmp_path / "parts.saved.json"
    assert "Back to turn 2." in first
    assert first.endswith(f"Continue with: axiom-gym play --resume {saved}\n")
    assert not parts.exists()
    again = run("play", "--resume", saved, typed=turn + "u\nu\n" + turn, status=1)
    assert "Back to turn 3.\n" in again
    assert "Back to turn 2.\n" in again
    run("play", "--resume", saved, "--save", parts, typed=2 * turn)
    assert parts.read_bytes() == whole.read_bytes()


def test_play__with_ctrl_c_saves_the_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = iter(["a", "b"])

    def ask(prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", ask)
    text = run("play", "connect_four", "--seed", "7", status=1)
    assert "Continue with: axiom-gym play --resume connect_four-7.saved.json" in text
    assert len(load_game(tmp_path / "connect_four-7.saved.json").turns) == 4


def test_play__resumes_only_a_saved_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.saved.json"
    assert "cannot read the saved game" in run("play", "--resume", path, status=2)
    path.write_text("{}")
    assert "is not a saved game; `axiom-gym play`" in run("play", "--resume", path, status=2)
    facts = {"format": "axiom-gym game in progress", "format_version": 1, "game": "quantaris"}
    path.write_text(
        json.dumps({**facts, "players": [], "settings": {}, "turns": [], "moments": []})
    )
    assert "game.saved.json' is damaged" in run("play", "--resume", path, status=2)
    for given in (["quantaris"], ["--seed", "0"], ["--max-turns", "0"], ["--ruleset", "0.1"]):
        both = run("play", *given, "--resume", path, status=2)
        assert "leave out the game, players and options" in both
        assert given[0].removeprefix("--") in both
    assert "give a game, such as" in run("play", status=2)


def test_play__refuses_an_unwritable_file_before_the_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = ["play", "quantaris", *BOTS, "--save"]
    missing = run(*save, tmp_path / "missing" / "a.jsonl", status=2)
    assert re.fullmatch(r"error: cannot write replay .*: there is no folder .*\n", missing)
    assert run(*save, tmp_path, status=2).endswith(": it is a folder.\n")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "no permission to write to" in run(*save, tmp_path / "a.jsonl", status=2)
    assert list(tmp_path.iterdir()) == []


def test_play__leaves_no_partial_file_if_saving_fails(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    run("play", "quantaris", *BOTS, "-q")  # compiled code is kept by os.replace as well
    monkeypatch.setattr(os, "replace", refuse)
    text = run("play", "quantaris", *BOTS, "-q", "--save", tmp_path / "a.jsonl", status=2)
    assert "wins after" in text or "Draw after" in text
    assert "error: cannot write replay" in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "greedi"], "unknown opponent 'greedi'. Did you mean 'greedy'?"),
        (["--player", "random", "--a", "random"], "--a and --player both name player 1"),
        (["--player", "random"] * 3, None),
        (["--games", "0"], "games must be an integer at least 1, got 0."),
        (["--games", "2", "--save", "x"], "--save keeps one game, got --games 2"),
        (["--players", "3"], "quantaris is for 2 players, got --players 3."),
        (["--players", "0"], "--players is a number of players of at least 1, or names"),
        (["--players", "random,,random"], "--players is a number of players"),
        (["--seed", "-1"], "seed must be an integer from 0"),
        (["-o", "ruleset"], "an option is given as KEY=VALUE, got 'ruleset'"),
        (["-o", "shaping=7"], "shaping must be a number from 0 to 1, got 7.0"),
        (["-o", "ruleset=0.3"], "unknown ruleset '0.3'. Did you mean"),
    ],
)
def test_play__refuses_wrong_options(run: Run, options: list[str], message: str | None) -> None:
    text = run("play", "quantaris", *options, status=2)
    assert text.startswith(f"error: {message or 'the game has 2 players, so there is no seat 3'}")


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        ((2, None, None, None), ["human", "random"]),
        ((2, "x", None, None), ["x", "random"]),
        ((2, None, "y", None), ["human", "y"]),
        ((1, None, None, None), ["human"]),
        ((3, None, "y", None), ["human", "y", "random"]),
        ((3, None, "y", ["x"]), ["x", "y", "random"]),
        ((3, None, None, ["x", "y", "z"]), ["x", "y", "z"]),
    ],
)
def test_seat_players__fills_the_other_seats(arguments: tuple[Any, ...], seats: list[str]) -> None:
    assert seat_players(*arguments) == seats


def test_seat_players__refuses_more_players_than_seats() -> None:
    with pytest.raises(ConfigError, match="the game has one player"):
        seat_players(1, None, "y", None)


@pytest.mark.parametrize(
    "options", [["--ruleset", "0.1"], ["--ruleset=0.1"], ["-o", "ruleset=0.1"]]
)
def test_play__takes_the_games_options_by_their_own_names(run: Run, options: list[str]) -> None:
    assert "ruleset=0.1" in run("play", "quantaris", *BOTS, "-q", "--seed", "1", *options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rulset", "0.1"], "unknown option of quantaris 'rulset'. Did you mean 'ruleset'?"),
        (["extra"], "'extra' is neither an option nor the value of one"),
        (["--ruleset"], "option --ruleset needs a value, as in --ruleset VALUE"),
        (["--ruleset", "--quiet"], "option --ruleset needs a value"),
        (["--ruleset", "0.1", "-o", "ruleset=0.1"], "option 'ruleset' of quantaris is given twice"),
    ],
)
def test_play__refuses_options_that_the_game_does_not_have(
    run: Run, options: list[str], message: str
) -> None:
    assert message in run("play", "quantaris", *BOTS, *options, status=2)


def test_play__takes_all_players_at_once(run: Run) -> None:
    words = ["play", "connect_four", "--seed", "1", "--quiet", "--players"]
    assert "player_0 = minimax2, player_1 = random" in run(*words, "minimax2, random")
    assert "player_0 = random, player_1 = random" in run(*words, "random")
    assert "leave out --a, --b and --player" in run(*words, "random,random", "--a", "x", status=2)
    assert "connect_four has 2 players, got 3: random,x,y" in run(*words, "random,x,y", status=2)


def test_play__takes_old_spellings_with_a_note(run: Run) -> None:
    words = ["play", "connect_four", "--seed", "1", "--quiet"]
    new = run(*words, "--players", "random,minimax2")
    note = "note: write --players random,minimax2 instead of"
    assert run(*words, "--a", "random", "--b", "minimax2") == f"{note} --a, --b.\n{new}"
    old = run(*words, "--player", "random", "--player", "minimax2")
    assert old == f"{note} --player.\n{new}"


def test_play__prints_several_games_as_json() -> None:
    words = ["play", "connect_four", "--players", "random", "--games", "2", "--json"]
    result = CliRunner().invoke(app, words)
    found = json.loads(result.stdout)
    assert "player_0 = random, player_1 = random" in result.stderr
    assert (found["game"], found["players"]) == ("connect_four-v0", ["random", "random"])
    seeds = [found["seed"], (found["seed"] + 1) % 2**32]
    assert [one["seed"] for one in found["games"]] == seeds
    first = Match("connect_four", ["random", "random"], seed=seeds[0]).play()
    assert found["games"][0]["turns"] == first.footer.turns
    assert found["games"][0]["outcome"] == list(first.footer.outcome)
    repeated = CliRunner().invoke(app, [*words, "--seed", str(seeds[0])])
    assert repeated.stdout == result.stdout


@pytest.mark.slow
def test_play__seats_as_many_as_there_are_players(run: Callable[..., str]) -> None:
    words = ["play", "konquista", "--preset", "island", "--seed", "3", "--quiet", "--players"]
    output = run(*words, "greedy,planner,random")
    assert "player_2 = random" in output
    assert "players=3" in output


def test_play__of_a_plain_game_prints_and_saves_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_targets", "_registered"):  # so that other tests do not know the game
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    target = f"{Path(__file__).parents[2] / 'games' / 'race_game.py'}:Race"
    path = tmp_path / "race.jsonl"
    text = run("play", target, "--players", "random,random", "--seed", 1, "--save", path)
    assert re.search(r"^1\. player_0 (walk|roll)s\.$", text, re.MULTILINE)
    assert run("replay", "verify", path, "--game", target).startswith("ok  ")
