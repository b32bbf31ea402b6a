"""Plain Python games as kernel games: records, rewards, options, text, copies."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiom_gym.batch import Batch
from axiom_gym.errors import ConfigError, GameError, IllegalActionError, StateError
from axiom_gym.game import GameLoop, MatchConfig, canonical
from axiom_gym.game.bridge import as_kernel_game, name_players
from axiom_gym.game.catalogue import Catalogue
from axiom_gym.play.agents import agent_seed
from axiom_gym.registry import get_game
from axiom_gym.seeded_rng import SeededRNG

ROLL, WALK = 0, 1
TAKE, PASS = 1, 0


def play(batch: Batch, *numbers: int) -> None:
    for number in numbers:
        batch.buffers.actions[:] = number
        batch.step()


def state_of(batch: Batch, game: int = 0) -> Any:
    """Return the live state that a record stands for."""
    return batch.params.find(batch.buffers.states[game]).progress.state


def begin(game: Any, seed: int = 0, num_envs: int = 1, **options: Any) -> Batch:
    batch = Batch(game, num_envs, autoreset="disabled", **options)
    batch.reset(seed)
    return batch


def test_batch__shows_the_first_state(heap: ModuleType) -> None:
    batch = begin(heap.Heap, low=9, high=9)
    assert state_of(batch) == (9, 0, 0)
    assert batch.to_act() == [0]
    assert batch.buffers.masks[0, 0, 0].tolist() == [0, 1]
    assert batch.buffers.observations[0, 0].tolist() == [1, 0, 9, 0, 0]
    assert batch.views()[1].tolist() == [0, 1, 9, 0, 0]


def test_batch__lets_a_player_decide_several_times(heap: ModuleType) -> None:
    batch = begin(heap.Heap, low=9, high=9)
    movers = []
    for number in (TAKE, TAKE, PASS, TAKE, TAKE, TAKE, PASS):
        movers += batch.to_act()
        play(batch, number)
    assert movers == [0, 0, 0, 1, 1, 1, 1]
    assert batch.to_act() == [0]


def test_batch__plays_the_match_of_a_game_loop(race: ModuleType) -> None:
    for seed in (0, 7):
        taken: list[Any] = []

        def decide(state: Any, actions: list[Any], player_id: str, rng: Any, taken=taken) -> Any:  # type: ignore[no-untyped-def]
            taken.append(rng.pick(actions))
            return taken[-1]

        ids = ["player_0", "player_1", "player_2"]
        loop = GameLoop(race.Race(), dict.fromkeys(ids, decide), MatchConfig(max_turns=40))
        result = loop.run(seed)
        batch = begin(race.Race, seed, players=3)
        for action in taken:
            play(batch, ("roll", "walk").index(action.type))
        own = dataclasses.replace(state_of(batch), max_turns=40)
        assert own == result.final_state
        assert batch.buffers.terminated[0] == (result.reason == "over")


# -- rewards ---------------------------------------------------------------------------------------


def test_rewards__are_for_the_places_at_the_end(race: ModuleType) -> None:
    batch = begin(race.Race, players=3, goal=2)
    paid = []
    for _ in range(4):
        play(batch, WALK)
        paid.append(batch.buffers.rewards[0].tolist())
    assert paid == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, -0.5, -0.5]]
    assert batch.buffers.terminated[0]
    assert batch.outcomes()[0].tolist() == [1, -0.5, -0.5]


def test_rewards__of_an_eliminated_player_are_for_the_last_place(race: ModuleType) -> None:
    outs = 0
    for seed in range(20):
        batch = begin(race.Race, seed, players=4, goal=100)
        while not batch.buffers.terminated[0]:
            out = state_of(batch).eliminated
            play(batch, ROLL)
            now, rewards = state_of(batch).eliminated, batch.buffers.rewards[0]
            if len(now) > len(out) and not batch.buffers.terminated[0]:
                seat = int(now[-1][-1])
                assert rewards[seat] == pytest.approx(1 - 2 * (4 - len(now)) / 3)
                assert np.count_nonzero(rewards) <= 1
                assert batch.alive().tolist() == [f"player_{i}" not in now for i in range(4)]
                outs += 1
        returns = batch.buffers.episodes["returns"][0]
        assert returns.sum() == pytest.approx(0, abs=1e-6)
        assert batch.outcomes()[0] == pytest.approx(returns)
    assert outs > 10


def test_rewards__come_from_get_rewards(race: ModuleType) -> None:
    class Paying(race.Race):  # type: ignore[misc, name-defined]
        def get_rewards(self, before: Any, after: Any) -> dict[str, float]:
            return {
                one: after.steps[i] - before.steps[i] for i, one in enumerate(after.player_order)
            }

    batch = begin(Paying, goal=3)
    play(batch, WALK)
    assert batch.buffers.rewards[0].tolist() == [1, 0]
    play(batch, WALK, WALK, WALK, WALK)
    assert batch.buffers.terminated[0]
    assert batch.outcomes()[0].tolist() == [1, -1]
    batch = begin(as_kernel_game(Paying, rewards=lambda before, after: {"player_1": 5}))
    play(batch, WALK)
    assert batch.buffers.rewards[0].tolist() == [0, 5]
    batch = begin(as_kernel_game(Paying, rewards=lambda before, after: {"ann": 5}))
    before = batch.buffers.states.tobytes()
    with pytest.raises(GameError, match="get_rewards must give a mapping"):
        play(batch, WALK)
    assert batch.buffers.states.tobytes() == before


def test_forfeit__costs_the_lowest_return_that_a_game_declares(
    race: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(race.Race, "lowest_return", -7.5, raising=False)
    batch = begin(as_kernel_game(race.Race), on_illegal="forfeit")
    play(batch, -1)
    assert batch.buffers.rewards[0].tolist() == [-7.5, 7.5]
    assert batch.buffers.terminated[0]
    again = pickle.loads(pickle.dumps(as_kernel_game(race.Race())))
    assert again.forfeit_reward(again.config()) == -7.5


@pytest.mark.parametrize("low", [float("-inf"), "low", lambda options: -3.0])
def test_lowest_return__must_be_a_number(race: ModuleType, low: Any) -> None:
    made = type("Costly", (race.Race,), {"lowest_return": low})
    with pytest.raises(ConfigError, match="race: lowest_return must be a finite number"):
        as_kernel_game(made)


def test_game__with_own_rewards_keeps_its_players_to_the_end(race: ModuleType) -> None:
    class Paying(race.Race):  # type: ignore[misc, name-defined]
        def get_rewards(self, before: Any, after: Any) -> dict[str, float]:
            return {}

    batch = begin(Paying, players=4, goal=100)
    while not state_of(batch).eliminated:
        play(batch, ROLL)
    assert batch.alive().all()


# -- limits and illegal actions --------------------------------------------------------------------


def test_limit__of_decisions_truncates_and_pays_nothing(race: ModuleType) -> None:
    for options in ({"max_decisions": 3}, {"max_turns": 3}):
        batch = begin(race.Race, **options)
        play(batch, WALK, WALK)
        assert not batch.buffers.truncated[0]
        play(batch, WALK)
        assert (batch.buffers.terminated[0], batch.buffers.truncated[0]) == (False, True)
        assert batch.outcomes()[0].tolist() == [0, 0]


def test_limit__of_the_state_truncates(race: ModuleType) -> None:
    class Short(race.Race):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            return super().initialize({**config, "max_turns": 4}, players, rng)

    batch = begin(Short)
    play(batch, WALK, WALK, WALK)
    assert not batch.buffers.truncated[0]
    play(batch, WALK)
    assert batch.buffers.truncated[0]


def test_record__has_room_for_the_limit_of_the_state(race: ModuleType) -> None:
    class Long(race.Race):  # type: ignore[misc, name-defined]
        def initialize(self, config: Any, players: Any, rng: Any) -> Any:
            return super().initialize({**config, "max_turns": 5000}, players, rng)

    game = as_kernel_game(Long)
    dtype = game.dtype(game.config())
    assert dtype["actions"].shape[0] >= 5000
    assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names or ())
    for players in (2, 3):
        for limit in range(5, 9):
            dtype = game.dtype(game.config(max_decisions=limit, players=players))
            assert dtype["actions"].shape[0] >= limit + 4
            assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names or ())


def test_noop__leaves_the_state_and_the_player_to_act(heap: ModuleType) -> None:
    batch = begin(heap.Heap, low=9, high=9, max_turns=3)
    play(batch, PASS)
    assert (state_of(batch), batch.to_act()) == ((9, 0, 0), [0])
    assert batch.buffers.episodes["offenders"][0].tolist() == [1, 0]
    play(batch, TAKE, TAKE)
    assert batch.buffers.truncated[0]


def test_forfeit__costs_the_game(heap: ModuleType) -> None:
    batch = begin(heap.Heap, on_illegal="forfeit")
    play(batch, PASS)
    assert batch.buffers.rewards[0].tolist() == [-1, 1]
    assert batch.buffers.terminated[0]


def test_raise__names_the_illegal_action(heap: ModuleType) -> None:
    batch = begin(heap.Heap, low=9, high=9, on_illegal="raise")
    with pytest.raises(IllegalActionError, match=r"(?s)action 0.*\(9, 0, 0\)"):
        play(batch, PASS)
    assert state_of(batch) == (9, 0, 0)


def test_action__that_a_seat_does_not_have_is_illegal(race: ModuleType) -> None:
    class Uneven(race.Race):  # type: ignore[misc, name-defined]
        def get_all_actions(self, player_id: str, options: Any) -> list[Any]:
            kinds = ("roll", "walk", "fly")[: 2 + (player_id == "player_1")]
            return [race.BaseAction(kind, player_id) for kind in kinds]

    batch = begin(Uneven)
    assert batch.layout.num_choices == (3,)
    assert batch.buffers.masks[0, 0, 0].tolist() == [1, 1, 0]
    play(batch, 2)
    assert batch.buffers.episodes["offenders"][0].tolist() == [1, 0]
    assert batch.game.describe_action(batch.buffers.states[0], 0, [2]) == "action 2"


def test_game__that_is_over_at_once_ends_with_its_first_step(heap: ModuleType) -> None:
    class Numbered(heap.Heap):  # type: ignore[misc, name-defined]
        def get_all_actions(self, player_id: str, options: Any) -> list[int]:
            return [PASS, TAKE]

    batch = begin(Numbered, low=0, high=0, max_decisions=5)
    assert batch.buffers.masks[0, 0, 0].tolist() == [1, 0]
    play(batch, 0)
    assert batch.buffers.terminated[0]
    assert batch.buffers.rewards[0].tolist() == [1, -1]


# -- options ---------------------------------------------------------------------------------------


def test_config__has_the_games_options_and_the_number_of_players(race: ModuleType) -> None:
    game = as_kernel_game(race.Race)
    config = game.config()
    assert dataclasses.asdict(config) == {
        "goal": 20, "lives": 1, "max_decisions": 0, "players": 2,
    }  # fmt: skip
    assert game.agents(config) == ("player_0", "player_1")
    assert game.agents(game.config(players=4))[-1] == "player_3"
    assert game.info.agents[-1] == "player_3"
    assert (game.info.name, game.info.version, game.info.title) == ("race", 3, "Race")
    named = as_kernel_game(race.Race, agents=["ann", "bob", "cid"])
    assert named.agents(named.config()) == ("ann", "bob", "cid")
    assert state_of(begin(named)).player_order == ("ann", "bob", "cid")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 5}, "players must be an integer from 2 to 4, got 5"),
        ({"gaol": 3}, "unknown option of race 'gaol'. Did you mean 'goal'"),
        ({"goal": {1, 2}}, "option 'goal' of race: .* cannot be written as JSON"),
        ({"max_decisions": -1}, "max_decisions must be an integer from 0"),
    ],
)
def test_config__refuses_values_that_are_not_allowed(
    race: ModuleType, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        Batch(race.Race, **options)


def test_catalogue__must_be_for_all_players(race: ModuleType) -> None:
    game = as_kernel_game(race.Race, catalogue=Catalogue("race", [["walk"]]))
    with pytest.raises(ConfigError, match="catalogue is for 1 players, and there are 2"):
        Batch(game)


def test_name_players__takes_a_number_or_ids(race: ModuleType) -> None:
    metadata = race.Race.metadata
    assert name_players(metadata, None) == ("player_0", "player_1")
    assert name_players(metadata, 3)[-1] == "player_2"
    for wrong, said in (
        (["ann"], "an integer from 2 to 4, or as many different"),
        ("abc", "'abc'"),
    ):
        with pytest.raises(ConfigError, match=said):
            name_players(metadata, wrong)
    with pytest.raises(ConfigError, match="different ids"):
        name_players(metadata, ["ann", "ann"])


def test_errors_of_the_game__are_passed_on(race: ModuleType) -> None:
    class Stuck(race.Race):  # type: ignore[misc, name-defined]
        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            return dataclasses.replace(state, active_player_id="zoe")

    with pytest.raises(GameError, match="active_player_id is 'zoe'"):
        Batch(Stuck)
    with pytest.raises(ConfigError, match=r"a Stage is not a game: .* it has no describe_action"):
        as_kernel_game(_stage(race))


def _stage(race: ModuleType) -> type:
    names = [name for name in dir(race.Race) if not name.startswith("_")]
    members = {name: getattr(race.Race, name) for name in names if name != "describe_action"}
    return type("Stage", (), members)


def test_record__is_unchanged_if_a_rule_raises(race: ModuleType) -> None:
    class Broken(race.Race):  # type: ignore[misc, name-defined]
        def get_all_actions(self, player_id: str, options: Any) -> list[Any]:
            return [race.BaseAction(kind, player_id) for kind in ("roll", "walk")]

        def execute_action(self, state: Any, action: Any, rng: Any) -> Any:
            if state.turn == 3:
                raise ZeroDivisionError
            return super().execute_action(state, action, rng)

    batch = begin(Broken)
    play(batch, WALK, WALK)
    before = batch.buffers.states.copy()
    with pytest.raises(ZeroDivisionError):
        play(batch, WALK)
    assert batch.buffers.states.tobytes() == before.tobytes()
    assert state_of(batch).turn == 3


def test_playing__never_hashes_a_state(race: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = begin(race.Race)
    monkeypatch.setattr(canonical, "canonical", None)
    monkeypatch.setattr(race.RaceState, "__hash__", None)
    while not batch.buffers.terminated[0]:
        play(batch, WALK)
    assert batch.buffers.rewards[0].tolist() == [1, -1]


# -- scripted players ------------------------------------------------------------------------------


def walk(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def draw(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    chosen = rng.pick(actions)
    actions.clear()  # the list is its own
    return chosen


async def think(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
    return actions[0]


def test_bots__are_those_of_the_game_and_of_the_caller(race: ModuleType) -> None:
    class Staffed(race.Race):  # type: ignore[misc, name-defined]
        bots = {"walk": walk}  # noqa: RUF012

    batch = begin(as_kernel_game(Staffed, bots={"draw": draw}))
    assert batch.bot_names() == ["random", "walk", "draw"]
    seats = np.zeros((1, 2), np.int16)
    batch.act("walk", seats, 0)
    assert batch.buffers.actions[0, 0, 0] == WALK


def test_bot__draws_as_the_agent_of_a_game_loop(race: ModuleType) -> None:
    batch, seats = begin(as_kernel_game(race.Race, bots={"draw": draw}), 11), np.zeros((1, 2), "i2")
    rngs = [SeededRNG(agent_seed(11, seat)) for seat in range(2)]
    while not batch.buffers.terminated[0]:
        seat = batch.to_act()[0]
        batch.act("draw", seats, 0)
        assert batch.buffers.actions[0, 0, 0] == (WALK, ROLL)[rngs[seat].below(2)]
        batch.step()


def test_bot__sees_the_view_of_its_player(race: ModuleType) -> None:
    seen = []

    class Hiding(race.Race):  # type: ignore[misc, name-defined]
        def view(self, state: Any, player_id: str) -> Any:
            return f"view of {player_id}"

        def encode(self, state: Any, player_id: str) -> Any:
            return np.zeros(3)

    def look(state: Any, actions: list[Any], player_id: str, rng: Any) -> Any:
        seen.append(state)
        return actions[0]

    game = as_kernel_game(Hiding, bots={"look": look})
    assert not game.info.perfect_information
    begin(game).act("look", np.zeros((1, 2), np.int16), 0)
    assert seen == ["view of player_0"]


def test_bot__with_an_illegal_action_or_no_decide_is_named_in_the_error(race: ModuleType) -> None:
    batch = begin(as_kernel_game(race.Race, bots={"fly": lambda *_: "fly"}))
    with pytest.raises(GameError, match="'player_0' chose 'fly', which is none of its 2"):
        batch.act("fly", np.zeros((1, 2), np.int16), 0)
    for wrong in (3, think):
        with pytest.raises(ConfigError, match=r'an opponent is "random", .* not async'):
            as_kernel_game(race.Race, bots={"wrong": wrong})


# -- text ------------------------------------------------------------------------------------------


def test_text__comes_from_the_game(race: ModuleType) -> None:
    class Drawing(race.Race):  # type: ignore[misc, name-defined]
        def describe_state(self, state: Any) -> str:
            return f"turn {state.turn}"

    for made, text in ((Drawing, "turn 1"), (race.Race, "RaceState(")):
        batch = begin(made)
        assert batch.describe_state().startswith(text)
    game, record = batch.game, batch.buffers.states[0]
    assert game.describe_action(record, 0, [WALK]) == "player_0 walks"
    assert game.action_kinds is not None
    assert game.action_kinds(batch.config) == [["roll", "walk"]]


def test_text__of_a_record_with_unknown_options_names_the_remedy(race: ModuleType) -> None:
    record = begin(as_kernel_game(race.Race), goal=9).buffers.states[0].copy()
    with pytest.raises(StateError, match="make a game with the same options first"):
        as_kernel_game(race.Race).describe_state(record)


# -- copies ----------------------------------------------------------------------------------------


def test_copies__play_the_same_game(heap: ModuleType) -> None:
    batch = Batch(heap.Heap, 3)
    batch.reset(5)
    for _ in range(4):
        batch.sample_actions()
        batch.step()
    restored = Batch(heap.Heap, 3)
    restored.set_state(batch.get_state())
    copies = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch), batch.clone(), restored]
    for _ in range(30):
        for one in (batch, *copies):
            one.sample_actions()
            one.step()
    for one in copies:
        assert one.buffers.states.tobytes() == batch.buffers.states.tobytes()
        assert one.buffers.rewards.tobytes() == batch.buffers.rewards.tobytes()


def test_game__is_pickled_by_its_arguments(heap: ModuleType) -> None:
    game = get_game(heap.Heap)
    assert pickle.loads(pickle.dumps(game)) is game
    config = game.config(low=7)
    assert pickle.loads(pickle.dumps(config)) == config
    own = as_kernel_game(heap.Heap(), agents=("ann", "bob"), bots={"walk": walk})
    again = pickle.loads(pickle.dumps(own))
    assert (again.info, list(again.bots)) == (own.info, ["walk"])
