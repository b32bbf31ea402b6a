"""Tests against all recorded games, turns, validations and lists of legal actions."""

from __future__ import annotations

from typing import Any

import pytest

from axiom_envs.quantaris.compat.hashing import hash_state, hash_turn
from axiom_envs.quantaris.compat.rules import (
    create_initial_state,
    legal_actions,
    resolve_turn,
    validate_action,
    validate_player_actions,
)
from axiom_envs.quantaris.compat.types import GamePhase, Player, ValidationCode

ENDINGS = ("GAME_OVER", "TERMINAL_LOSS", "DRAW")


def check_turn(traces: Any, result: Any, before: Any, after: list, events: list) -> None:
    assert traces.values(result.state) == after
    assert (result.state.cores.A.position, result.state.cores.B.position) == (
        before.cores.A.position,
        before.cores.B.position,
    )
    assert [event.to_json() for event in result.log.events] == [traces.event(e) for e in events]
    assert result.log.turn == before.turn


def test_games__play_out_as_recorded(traces: Any, ruleset: str) -> None:
    games = 0
    for game in traces.records(ruleset, "games"):
        games += 1
        state = create_initial_state()
        assert hash_state(state) == game["h0"]
        first_end = None
        for text_a, text_b, after, state_hash, turn_hash, events in game["turns"]:
            lists = traces.actions(text_a), traces.actions(text_b)
            assert hash_turn(state, *lists) == turn_hash
            result = resolve_turn(state, *lists, ruleset=ruleset)
            check_turn(traces, result, state, after, events)
            state = result.state
            assert hash_state(state) == state_hash
            if first_end is None and state.phase == GamePhase.ENDED:
                first_end = result
        assert first_end is not None
        assert (first_end.state.turn, first_end.state.winner) == (game["endTurn"], game["winner"])
        ending = [e.to_json() for e in first_end.log.events if e.type in ENDINGS]
        assert game["end"] == "+".join(
            f"{e['type']}:{e['reason']}" if "reason" in e else e["type"] for e in ending
        )
    assert games == 160


def test_games__have_valid_lists_if_made_of_legal_actions(traces: Any, ruleset: str) -> None:
    for game in traces.records(ruleset, "games"):
        state = create_initial_state()
        # A mirrored list lacks an action once only the unit of the other side has died.
        for turn in game["turns"] if game["mode"] not in ("chaos", "mirror", "rotcore") else ():
            if state.phase == GamePhase.PLAYING:
                for player, text in zip(Player, turn[:2], strict=True):
                    actions = traces.actions(text)
                    assert validate_player_actions(state, actions, player, ruleset=ruleset)
            state = traces.state(turn[2])


def test_turns__resolve_as_recorded(traces: Any, ruleset: str) -> None:
    turns = thrown = 0
    for record in traces.records(ruleset, "turns"):
        turns += 1
        state = traces.state(record["s"])
        lists = traces.actions(record["a"]), traces.actions(record["b"])
        assert hash_state(state) == record["hs"]
        assert hash_turn(state, *lists) == record["ht"]
        if record.get("throws"):
            thrown += 1
            with pytest.raises(ValueError, match="has the direction"):
                resolve_turn(state, *lists, ruleset=ruleset)
            continue
        result = resolve_turn(state, *lists, ruleset=ruleset)
        check_turn(traces, result, state, record["r"], record["e"])
        assert hash_state(result.state) == record["h"]
    assert (turns, thrown) == (1400, {"0.1": 109, "0.2": 118}[ruleset])


def test_validations__match_the_recording(traces: Any, ruleset: str) -> None:
    checks = 0
    for record in traces.records(ruleset, "validate"):
        checks += 1
        state, player = traces.state(record["s"]), Player(record["p"])
        result = validate_player_actions(state, record["a"], player, ruleset=ruleset)
        if record.get("throws"):
            assert result.code == ValidationCode.INVALID_ACTION_TYPE, record
        elif record["v"] is None:
            assert result.valid, record
        else:
            assert [result.valid, result.code, result.message] == [False, *record["v"]], record
    assert checks == 1206


def test_legal_actions__are_those_recorded(traces: Any, ruleset: str) -> None:
    positions = 0
    for record in traces.records(ruleset, "legal"):
        positions += 1
        state = traces.state(record["s"])
        for player in Player:
            actions = legal_actions(state, player, ruleset=ruleset)
            assert traces.text(actions) == record[player]
            assert all(validate_action(state, a, player, ruleset=ruleset) for a in actions)
    assert positions == 160
