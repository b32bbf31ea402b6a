"""Games that conform to the interface pass all checks; each violation fails its own check."""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.check import probe
from axiom_gym.check.conformance import (
    CHECKS,
    Finding,
    check_game,
    judge_replays,
    play_replays,
)
from axiom_gym.errors import ConfigError
from axiom_gym.game import BaseAction, Player, PlayerRanking


def failed(findings: list[Finding]) -> dict[str, str]:
    return {one.check: one.message for one in findings if not one.ok}


@pytest.mark.parametrize(("name", "players"), [("race", None), ("race", 4), ("heap", 2)])
def test_check_game__passes_good_games(
    request: pytest.FixtureRequest, name: str, players: int | None
) -> None:
    done: list[int] = []
    make = getattr(request.getfixturevalue(name), name.title())
    findings = check_game(make, games=5, seed=3, players=players, on_game=done.append)
    assert failed(findings) == {}
    others = ("another process", "written")  # the second is for kernels
    assert [one.check for one in findings] == [one for one in CHECKS if one not in others]
    assert all(one.message and not one.remedy for one in findings)
    assert done == [1, 2, 3, 4, 5]


@pytest.fixture
def faulty(race: ModuleType) -> Callable[..., Callable[[], Any]]:
    """A function that makes a `Race` with other methods: (state, ..., original) -> result."""

    def make(**methods: Callable[..., Any]) -> Callable[[], Any]:
        members = {}
        for name, function in methods.items():
            original = getattr(race.Race, name)

            def member(  # type: ignore[no-untyped-def]
                self, *args: Any, function=function, original=original
            ) -> Any:
                return function(*args, lambda *given: original(self, *given))

            members[name] = member
        return type("Race", (race.Race,), members)

    return make


class Odd:
    """Test double: an object without a digest."""

    lock = threading.Lock()

    def __getstate__(self) -> Any:
        raise TypeError("no")


count = [0]


def draw_elsewhere(state: Any, action: Any, rng: Any, original: Any) -> Any:
    count[0] += 1
    return dataclasses.replace(original(state, action, rng), goal=20 + count[0] % 7)


def stumble(state: Any, action: Any, rng: Any, original: Any) -> Any:
    return original(state, action, rng) if state.turn != 3 else 1 / 0


def stand_still(state: Any, action: Any, rng: Any, original: Any) -> Any:
    return dataclasses.replace(state, turn=state.turn + 1)


def others_too(state: Any, player_id: str, original: Any) -> Any:
    return [BaseAction("walk", player_id), BaseAction("roll", player_id)]


def pass_to_the_dead(state: Any, action: Any, rng: Any, original: Any) -> Any:
    after = original(state, action, rng)
    return dataclasses.replace(after, active_player_id=(after.eliminated or state.player_order)[0])


def change(state: Any, action: Any, rng: Any, original: Any) -> Any:
    object.__setattr__(state, "goal", 19)
    return original(state, action, rng)


def twins(state: Any, player_id: str, original: Any) -> Any:
    actions = original(state, player_id)
    return actions + actions[:1]


def other_order(state: Any, player_id: str, original: Any) -> Any:
    count[0] += 1
    return original(state, player_id)[:: 1 - 2 * (count[0] % 2)]


def rank_badly(state: Any, original: Any) -> Any:
    return [PlayerRanking(place.player, 1 + i * 2, 0) for i, place in enumerate(original(state))]


def rank_backwards(state: Any, original: Any) -> Any:
    return list(reversed(original(state)))


def forget_somebody(state: Any, original: Any) -> Any:
    return original(state)[:1]


def wrong_winner(state: Any, original: Any) -> Any:
    winner = original(state)
    return winner and Player(next(one for one in state.player_order if one != winner.id))


FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "raises": (
        {"execute_action": stumble},
        "plays",
        "seed 0: ZeroDivisionError: division by zero",
    ),
    "endless": ({"execute_action": stand_still}, "ends", "no end after 200 dec"),
    "changed": ({"execute_action": change}, "immutable", "execute_action changed the RaceState"),
    "same": ({"execute_action": lambda state, *_: state}, "immutable", "the same RaceState back"),
    "chance": (
        {"execute_action": draw_elsewhere},
        "deterministic",
        "a second game has another replay",
    ),
    "others": ({"get_valid_actions": others_too}, "valid actions", "has some, but"),
    "twins": ({"get_valid_actions": twins}, "valid actions", "one occurs twice"),
    "order": ({"get_valid_actions": other_order}, "valid actions", "a second call differs"),
    "badly": ({"get_rankings": rank_badly}, "rankings", r"ranks are \[1, 3\], but must be"),
    "backwards": ({"get_rankings": rank_backwards}, "rankings", r"ranks are \[2, 1\]"),
    "forget": ({"get_rankings": forget_somebody}, "rankings", "but must be of"),
    "early": (
        {"get_winner": lambda state, original: Player("player_0")},
        "winner",
        "before the end",
    ),
    "wrong": ({"get_winner": wrong_winner}, "winner", "wins, but at rank 1 is"),
    "silent": ({"describe_action": lambda *_: " "}, "descriptions", "is described as ' '"),
    "keys": ({"describe_action": lambda *_: "u"}, "descriptions", "'u' is a key of the prompt"),
    "lines": ({"describe_action": lambda *_: "a\nb"}, "descriptions", "is described as"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_check_game__finds_the_fault(
    faulty: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "MOST_DECISIONS", 200)
    methods, check, said = FAULTS[name]
    findings = check_game(faulty(**methods), games=6)
    (finding,) = (one for one in findings if one.check == check)
    assert not finding.ok
    assert finding.remedy == CHECKS[check]
    assert re.search(said, finding.message)


def test_check_game__finds_eliminated_players_who_act(faulty: Any) -> None:
    found = failed(check_game(faulty(execute_action=pass_to_the_dead), games=9, players=3))
    assert "is eliminated, but is to act" in found["eliminated"]


def test_check_game__finds_actions_that_json_does_not_restore(race: ModuleType) -> None:
    class Coded(race.Race):  # type: ignore[misc, name-defined]
        def encode_action(self, action: Any) -> str:
            return "walk"

        def decode_action(self, text: str, state: Any) -> Any:
            return BaseAction(text, state.active_player_id)

    message = failed(check_game(Coded, games=1))["JSON"]
    assert "BaseAction(type='roll', player_id='player_0') becomes another action" in message
    del Coded.decode_action
    assert "two valid actions have the same JSON" in failed(check_game(Coded, games=1))["JSON"]


def test_check_game__finds_actions_that_have_no_number(heap: ModuleType, race: ModuleType) -> None:
    class Lists(heap.Heap):  # type: ignore[misc, name-defined]
        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            return [[one] for one in super().get_valid_actions(state, player_id)]

        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            return super().execute_action(state, action[0], rng)

    assert "is not hashable" in failed(check_game(Lists, games=1))["catalogue"]

    class Short(race.Race):  # type: ignore[misc, name-defined]
        def get_all_actions(self, player_id: str, options: Any) -> list[Any]:
            return [BaseAction("walk", player_id)]

    assert "is none of the 1 actions" in failed(check_game(Short, games=1))["catalogue"]


def test_check_game__finds_state_in_the_game_object(heap: ModuleType) -> None:
    class Keeping(heap.Heap):  # type: ignore[misc, name-defined]
        played = 0

        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            self.played += 1
            left, taken, seat = super().initialize(config, players, rng)
            return left + self.played, taken, seat

    found = failed(check_game(Keeping, games=1))
    assert {"deterministic", "replay"} <= set(found)
    assert found["replay"].startswith("seed 0: the state at the start differs")


def test_check_game__finds_states_without_a_digest(race: ModuleType) -> None:
    class Holding(race.Race):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            state = super().initialize(config, players, rng)
            return dataclasses.replace(state, game_id=Odd())

    found = failed(check_game(Holding, games=1))
    assert "a Odd has no canonical form" in found["plays"]
    for check in ("ends", "deterministic", "winner", "rankings", "replay"):
        assert found[check] == "it could not be checked: no game has ended"


def test_check_game__finds_states_whose_copies_differ(race: ModuleType) -> None:
    class Placed:
        def canonical_fields(self) -> dict[str, int]:
            return {"place": id(self)}

    class Placing(race.Race):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            state = super().initialize(config, players, rng)
            return dataclasses.replace(state, game_id=Placed())

    found = failed(check_game(Placing, games=1))
    assert "a copy of a state has another digest" in found["JSON"]


def test_check_game__finds_states_that_cannot_be_encoded(heap: ModuleType) -> None:
    class Logging(heap.Heap):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            return super().initialize(config, players, rng), ()

        def get_valid_actions(self, state: Any, player_id: str) -> Any:
            return super().get_valid_actions(state[0], player_id)

        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            return super().execute_action(state[0], action, rng), (*state[1], action)

        def is_game_over(self, state: Any) -> Any:
            return super().is_game_over(state[0])

        def get_winner(self, state: Any) -> Any:
            return super().get_winner(state[0])

    found = failed(check_game(Logging, games=1))
    assert set(found) == {"observations", "environments", "forfeit"}
    for check in ("observations", "environments"):
        message = found[check]
        assert "state[1] cannot be encoded: it has 1 entries, and must always have 0" in message


def test_check_game__plays_in_the_aec_form(race: ModuleType) -> None:
    class Shy(race.Race):  # type: ignore[misc, name-defined]
        metadata = dataclasses.replace(race.Race.metadata, options={"max_decisions": 9})

        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            return super().initialize({**config, "goal": 20, "lives": 1}, players, rng)

        def get_rewards(self, before: Any, after: Any) -> Any:
            return {"ann": 1.0}

    found = failed(check_game(Shy, games=1))
    assert set(found) == {"environments", "forfeit"}
    assert "get_rewards" in found["environments"]
    assert found["forfeit"] == "it could not be checked: the AEC form raised"


def test_check_game__finds_a_forfeit_that_is_better_than_a_loss(race: ModuleType) -> None:
    class Costly(race.Race):  # type: ignore[misc, name-defined]
        def get_rewards(self, before: Any, after: Any) -> Any:
            return {} if self.get_winner(after) is None else {self.get_winner(after).id: -7.5}

    found = failed(check_game(Costly, games=2))
    assert found == {
        "forfeit": "seed 0: the rewards of a player add up to -7.5, but a forfeit costs 1"
    }
    assert failed(check_game(type("Costly", (Costly,), {"lowest_return": -7.5}), games=2)) == {}


def test_check_game__does_not_build_environments_of_a_game_that_raises(faulty: Any) -> None:
    found = failed(check_game(faulty(execute_action=stumble), games=1))
    assert found["environments"] == "it could not be checked: a game raised"


def test_check_game__names_what_is_missing(race: ModuleType) -> None:
    class Half:
        metadata = race.Race.metadata
        initialize = 3

        def get_valid_actions(self) -> None:
            pass

    (finding,) = check_game(Half)
    assert (finding.check, finding.ok) == ("interface", False)
    assert finding.message == (
        "Half has no execute_action, is_game_over, get_winner, get_rankings, describe_action"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"initialize": 3}, "initialize of Race cannot be called"),
        ({"metadata": {"name": "race"}}, "metadata is a dict, but must be a GameMetadata"),
        ({"__init__": lambda self: 1 / 0}, "the game cannot be made: ZeroDivisionError"),
    ],
)
def test_check_game__describes_a_wrong_member(
    race: ModuleType, change: dict[str, Any], said: str
) -> None:
    (finding,) = check_game(type("Race", (race.Race,), change))
    assert said in finding.message


def test_check_game__checks_the_number_of_players(race: ModuleType) -> None:
    low = dataclasses.replace(race.Race.metadata, min_players=0)
    (finding,) = check_game(type("Race", (race.Race,), {"metadata": low}))
    assert finding.message.startswith("metadata says 0 to 4 players")
    with pytest.raises(ConfigError, match="players must be an integer from 2 to 4, got 5"):
        check_game(race.Race, players=5)
    for games in (0, 1.5):
        with pytest.raises(ConfigError, match="games must be an integer from 1"):
            check_game(race.Race, games=games)  # type: ignore[arg-type]


def test_play_replays__returns_the_replays_or_the_error(
    race: ModuleType, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = play_replays(race.Race, [1, 2], None)
    assert text.count('"type":"footer"') == 2
    assert play_replays(race.Race, [1, 2], 3) != text
    monkeypatch.setattr(probe, "MOST_DECISIONS", 20)
    endless = faulty(execute_action=stand_still)
    assert play_replays(endless, [4], None) == "GameError: seed 4: no end after 20 decisions.\n"


def test_judge_replays__names_the_first_line_that_differs() -> None:
    assert judge_replays("a\nb\n", "a\nb\n").ok
    finding = judge_replays("a\nb\nc\n", "a\nx\nc\n")
    assert not finding.ok
    assert finding.message.endswith("plays differently, from line 2 on")
