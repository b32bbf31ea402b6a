"""Matches of `GameLoop`: results, limits, options and errors."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from axiom_gym.errors import (
    ConfigError,
    GameError,
    StateImmutabilityError,
    UnknownNameError,
    UnknownOpponentError,
)
from axiom_gym.game import (
    GameLoop,
    GameMetadata,
    GameResult,
    MatchConfig,
    Player,
    PlayerRanking,
    rank,
)
from axiom_gym.play.result import Incidents
from axiom_gym.seeded_rng import SeededRNG

Play = Callable[..., GameResult]


class Nim:
    """A game in which players take 1 or 2 stones; its states are tuples without field names."""

    metadata = GameMetadata("nim", 2, 2)
    players: Sequence[Player]

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> tuple[int, int]:
        self.players = players
        return config.get("stones", 5), 0

    def get_valid_actions(self, state: tuple[int, int], player_id: str) -> list[int]:
        mover = self.players[state[1]].id
        return [n for n in (1, 2) if n <= state[0]] if player_id == mover else []

    def execute_action(
        self, state: tuple[int, int], action: int, rng: SeededRNG
    ) -> tuple[int, int]:
        return state[0] - action, 1 - state[1]

    def is_game_over(self, state: tuple[int, int]) -> bool:
        return state[0] <= 0

    def get_winner(self, state: tuple[int, int]) -> Player | None:
        return self.players[1 - state[1]] if self.is_game_over(state) else None

    def get_rankings(self, state: tuple[int, int]) -> list[PlayerRanking]:
        winner = self.get_winner(state)
        return rank({player: float(player == winner) for player in self.players})

    def describe_action(self, action: int, state: tuple[int, int]) -> str:
        return f"takes {action}"


def take(number: int) -> Callable[..., int]:
    return lambda state, actions, player_id, rng: number


def test_run__plays_a_plain_game_whose_states_are_tuples() -> None:
    result = GameLoop(Nim(), agents={"ann": take(1), "bob": take(1)}).run(seed=42)
    assert result.reason == "over"
    assert result.winner is not None
    assert result.winner.id == "ann"
    assert [(place.player.id, place.rank) for place in result.rankings] == [("ann", 1), ("bob", 2)]
    assert result.turns == 5
    assert result.final_state == (0, 1)
    assert result.incidents == {"ann": Incidents(), "bob": Incidents()}
    turns = result.replay.turns
    assert [turn.player for turn in turns] == [0, 1, 0, 1, 0]
    assert [turn.number for turn in turns] == [1, 2, 3, 4, 5]
    assert [turn.orders for turn in turns] == [(1,)] * 5
    assert [turn.legal for turn in turns] == [((2,),)] * 4 + [((1,),)]


def test_run__counts_no_turn_for_a_forfeit() -> None:
    result = GameLoop(Nim(), agents={"ann": take(1), "bob": take(9)}).run(seed=42)
    assert (result.reason, result.turns, len(result.replay.turns)) == ("forfeit", 1, 2)


def test_run__ignores_state_fields_of_other_types(race: ModuleType) -> None:
    @dataclasses.dataclass(frozen=True)
    class Odd:
        left: int
        eliminated: int = 2
        max_turns: str = "many"
        turn: str = "first"

    class OddGame(race.Scribble):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: SeededRNG) -> Any:
            self.players = players
            return Odd(3)

        def execute_action(self, state: Any, action: str, rng: SeededRNG) -> Any:
            return dataclasses.replace(state, left=state.left - 1)

        def is_game_over(self, state: Any) -> bool:
            return state.left == 0

    result = GameLoop(OddGame(""), {"ann": walk}).run(1)
    assert (result.reason, result.turns) == ("over", 3)


def test_run__gives_the_same_replay_for_the_same_seed(play: Play) -> None:
    texts = [play(seed).replay.to_text() for seed in (1, 1, 2)]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_run__gives_the_same_bytes_in_another_process(
    play: Play, python: Callable[..., str]
) -> None:
    code = (
        "import sys\nfrom race_game import Race\nfrom axiom_gym.game import GameLoop, MatchConfig\n"
        "def draw(state, actions, player_id, rng):\n    return rng.pick(actions)\n"
        "options = {'goal': 20, 'lives': 1}\n"
        "loop = GameLoop(Race(), {'ann': draw, 'bob': draw}, MatchConfig(options=options))\n"
        "sys.stdout.write(loop.run(1).replay.to_text())\n"
        "assert not {'numba', 'torch'} & set(sys.modules), 'a plain game needs no compiler'\n"
    )
    expected = play(1).replay.to_text()
    assert {python(code, PYTHONHASHSEED=seed) for seed in ("1", "2")} == {expected}


def test_run__may_be_called_again(race: ModuleType, bots: dict[str, Any]) -> None:
    loop = GameLoop(race.Race(), {"ann": bots["draw"], "bob": bots["draw"]})
    assert loop.run(3).replay == loop.run(3).replay


def test_run__gives_each_agent_a_generator_of_its_own(race: ModuleType) -> None:
    drawn: dict[str, list[int]] = {"ann": [], "bob": []}

    def walk(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        drawn[player_id].append(rng.next_uint32())
        return actions[0]

    def roll_after(draws: int) -> Callable[..., Any]:
        def roll(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
            for _ in range(draws):
                rng.next()
            return actions[1]

        return roll

    GameLoop(race.Race(), {"ann": walk, "bob": walk}).run(5)
    GameLoop(race.Race(), {"ann": walk, "bob": walk}).run(6)
    both = drawn["ann"] + drawn["bob"]
    assert len(set(both)) == len(both)
    # The numbers that an agent draws do not change the dice.
    ends = [
        GameLoop(race.Race(), {"ann": roll_after(n), "bob": roll_after(1)}).run(5).final_state
        for n in (0, 7)
    ]
    assert ends[0] == ends[1]


def test_run__passes_states_actions_and_ids_to_agents(race: ModuleType) -> None:
    seen = []

    class Watcher:
        name = "the watcher"

        def decide(self, state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
            seen.append((state.turn, player_id, [action.type for action in actions]))
            chosen = actions[0]
            actions.clear()  # an agent may change its list
            return dataclasses.replace(chosen)  # an equal action is accepted

    events: list[Any] = []
    agents = {"ann": Watcher(), "bob": Watcher()}
    result = GameLoop(race.Race(), agents, listeners=[events.append]).run(1)
    assert seen[:3] == [
        (n, who, ["walk", "roll"]) for n, who in [(1, "ann"), (2, "bob"), (3, "ann")]
    ]
    assert result.turns == len(seen) == 39
    assert {player.name for player in result.replay.header.players} == {"the watcher"}
    assert events[2].action is events[1].valid_actions[0]


def test_run__eliminates_players_by_the_rules(play: Play) -> None:
    result = play(3, ann=roll, bob=walk, cid=roll, goal=40)
    assert result.reason == "over"
    assert set(result.final_state.eliminated) == {"ann", "cid"}
    assert result.winner == Player("bob", "walk")
    assert sum(incident.forfeits for incident in result.incidents.values()) == 0


def walk(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return actions[0]


def roll(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
    return actions[1]


def test_run__ends_at_the_limit_of_turns(play: Play) -> None:
    result = play(1, ann=walk, bob=walk, max_turns=7)
    assert (result.reason, result.turns, result.winner) == ("max_turns", 7, None)
    assert [(place.player.id, place.rank) for place in result.rankings] == [("ann", 1), ("bob", 2)]
    assert result.final_state.max_turns == 7


def test_run__ends_at_the_limit_that_the_state_names(race: ModuleType) -> None:
    class Short(race.Race):  # type: ignore[misc, name-defined]
        def initialize(self, *args: Any) -> Any:
            return dataclasses.replace(super().initialize(*args), max_turns=4)

    agents = {"ann": walk, "bob": walk}
    assert GameLoop(Short(), agents).run(1).turns == 4
    assert GameLoop(Short(), agents, MatchConfig(max_turns=6)).run(1).turns == 6


def test_run__lets_the_rules_end_before_the_limit(play: Play) -> None:
    result = play(1, ann=walk, bob=walk, goal=2, max_turns=3)
    assert (result.reason, result.turns) == ("over", 3)


def test_run__of_a_game_that_is_over_at_once_has_no_turns(play: Play) -> None:
    result = play(1, goal=0)
    assert (result.reason, result.turns, result.replay.turns) == ("over", 0, ())
    assert result.replay.footer.hash == result.replay.header.hash


def test_run__names_the_match(play: Play) -> None:
    assert play(9).final_state.game_id == "race-9"
    assert play(9).replay.header.match_id == ""
    named = play(9, game_id="final")
    assert (named.replay.header.match_id, named.final_state.game_id) == ("final", "final")


@pytest.mark.parametrize(
    ("fault", "strict", "said"),
    [("same", False, "same ListState back"), ("changed", True, "changed the ListState")],
)
def test_run__refuses_a_game_that_changes_its_states(
    race: ModuleType, fault: str, strict: bool, said: str
) -> None:
    loop = GameLoop(race.Scribble(fault), {"ann": walk}, MatchConfig(strict=strict))
    with pytest.raises(StateImmutabilityError, match=said):
        loop.run(1)
    assert GameLoop(race.Scribble(""), {"ann": walk}, MatchConfig(strict=strict)).run(1).turns == 3


def test_run__finds_an_agent_that_changes_the_state_if_strict(race: ModuleType) -> None:
    def cheat(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        state.marks.append("!")
        return actions[0]

    assert GameLoop(race.Scribble(""), {"ann": cheat}).run(1).turns == 3
    with pytest.raises(StateImmutabilityError, match="an agent"):
        GameLoop(race.Scribble(""), {"ann": cheat}, MatchConfig(strict=True)).run(1)


def test_run__propagates_exceptions_of_the_game(race: ModuleType) -> None:
    class Broken(race.Race):  # type: ignore[misc, name-defined]
        def execute_action(self, *args: Any) -> Any:
            raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError, match="a bug"):
        GameLoop(Broken(), {"ann": walk, "bob": walk}, MatchConfig(retries=3)).run(1)


def test_run__refuses_a_game_in_which_nobody_can_act(race: ModuleType) -> None:
    class Stuck(race.Race):  # type: ignore[misc, name-defined]
        def get_valid_actions(self, state: Any, player_id: str) -> list[Any]:
            return [] if state.turn == 3 else super().get_valid_actions(state, player_id)

    with pytest.raises(
        GameError, match=r"race: the match is not over, but .* gives 'ann' nothing to"
    ):
        GameLoop(Stuck(), {"ann": walk, "bob": walk}).run(1)


def test_run__refuses_an_active_player_that_does_not_play(race: ModuleType) -> None:
    class Lost(race.Race):  # type: ignore[misc, name-defined]
        def initialize(self, *args: Any) -> Any:
            return dataclasses.replace(super().initialize(*args), active_player_id="zoe")

    with pytest.raises(GameError, match="active_player_id is 'zoe', which is no player; players"):
        GameLoop(Lost(), {"ann": walk, "bob": walk}).run(1)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, None])
def test_run__refuses_a_seed_out_of_range(play: Play, seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed must be an integer from 0"):
        play(seed)


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ({"ann": walk}, r"race is for 2 to 4 players, got 1 agents \('ann'\)"),
        ({}, r"got 0 agents \(none\)"),
        (dict.fromkeys("abcde", walk), "got 5 agents"),
        ({"ann": walk, "bob": 7}, "the agent of 'bob' is a int; it must be a callable"),
        ({"ann": walk, "": walk}, "id must be a non-empty string, got ''"),
        ({"ann": walk, 2: walk}, "id must be a non-empty string, got 2"),
    ],
)
def test_game_loop__refuses_agents_that_do_not_fit(
    race: ModuleType, agents: Any, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        GameLoop(race.Race(), agents)


def test_game_loop__refuses_options_that_the_game_does_not_have(race: ModuleType) -> None:
    with pytest.raises(
        UnknownNameError, match=r"unknown option of race 'gaol'. Did you mean 'goal'"
    ):
        GameLoop(race.Race(), {"ann": walk, "bob": walk}, MatchConfig(options={"gaol": 3}))


def test_run_async__plays_the_same_match(race: ModuleType, bots: dict[str, Any]) -> None:
    async def draw(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
        await asyncio.sleep(0)
        return rng.pick(actions)

    plain = GameLoop(race.Race(), {"ann": bots["draw"], "bob": bots["draw"]}).run(8)
    for agents in ({"ann": draw, "bob": draw}, {"ann": bots["draw"], "bob": draw}):
        loop = GameLoop(race.Race(), agents)
        assert loop.run(8).replay == asyncio.run(loop.run_async(8)).replay == plain.replay


def test_run_async__plays_matches_at_the_same_time(race: ModuleType) -> None:
    order = []

    def make(name: str) -> Callable[..., Any]:
        async def agent(state: Any, actions: list[Any], player_id: str, rng: SeededRNG) -> Any:
            order.append(name)
            await asyncio.sleep(0)
            return actions[0]

        return agent

    async def both() -> None:
        loops = [GameLoop(race.Race(), {"ann": make(name), "bob": make(name)}) for name in "xy"]
        await asyncio.gather(*(loop.run_async(1) for loop in loops))

    asyncio.run(both())
    assert order == ["x", "y"] * 39


def test_run__of_async_agents_in_a_running_event_loop_names_run_async(race: ModuleType) -> None:
    async def agent(*_: Any) -> Any:
        raise AssertionError("is not asked")

    async def notebook() -> None:
        GameLoop(race.Race(), {"ann": agent, "bob": agent}).run(1)

    with pytest.raises(ConfigError, match=r"use `await loop.run_async\(seed\)` instead"):
        asyncio.run(notebook())


def test_run__of_plain_agents_works_in_a_running_event_loop(play: Play) -> None:
    async def notebook() -> GameResult:
        return play(1)

    assert asyncio.run(notebook()).replay == play(1).replay


# Agents by name


def test_loop__takes_agents_by_name(tmp_path: Path) -> None:
    source = tmp_path / "agents.py"
    source.write_text(
        "def first(state, valid_actions, player_id, rng):\n    return valid_actions[0]\n"
        "class Last:\n"
        "    def decide(self, state, valid_actions, player_id, rng):\n"
        "        return valid_actions[-1]\n"
        "NUMBER = 3\n"
    )
    result = GameLoop(Nim(), {"ann": f"{source}:first", "bob": f"{source}:Last"}).run(seed=0)
    assert [turn.orders for turn in result.replay.turns] == [(1,), (2,), (1,), (1,)]
    with pytest.raises(ConfigError, match=r"no agent 'fist' .* Did you mean 'first'"):
        GameLoop(Nim(), {"ann": f"{source}:fist", "bob": "random"})
    with pytest.raises(ConfigError, match="'human' plays on the terminal only"):
        GameLoop(Nim(), {"ann": "human", "bob": "random"})
    with pytest.raises(UnknownOpponentError, match=r"Saved models play in axiom_gym\.play"):
        GameLoop(Nim(), {"ann": "model.zip", "bob": "random"})
