"""Tests of series of games: compiled and by steps, with various AIs, rulesets and answers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiom_envs import ajve_civ as civ
from axiom_envs.ajve_civ.compat.ai import Person
from axiom_envs.ajve_civ.constants import VALUES
from axiom_gym.errors import ConfigError, GameError, IllegalActionError

GAMES = Path(__file__).parents[3] / "vectors" / "ajve" / "games.jsonl.gz"
LINEUP = (
    "greedy",
    "random",
    "conquer",
    "consent-develop-expand-discover",
    "diplomat",
    "basic.develop",
    "consent",
)


class Same(civ.Ruleset):
    """The original's rules in a class that is not built in, so that games are played by steps."""

    def turn(self, choices: Any, world: civ.World) -> None:
        super().turn(choices, world)


class First(civ.AI):
    """Test double: an AI that chooses the first value of the offer, and records its calls."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, str, int, tuple[str, ...]]] = []

    def init(self, player: int, world: civ.World) -> None:
        self.asked.append((world.turn, "init", player, ()))

    def turn(self, choices: Any, player: int, world: civ.World) -> str:
        self.asked.append((world.turn, "turn", player, tuple(choices)))
        return str(choices[0])

    def inflection(self, choices: Any, player: int, world: civ.World) -> str:
        self.asked.append((world.turn, "inflection", player, tuple(choices)))
        return str(choices[0])


class Drawing(First):
    def turn(self, choices: Any, player: int, world: civ.World) -> str:
        return self.rng.pick(choices)


class Scripted(First):
    """Test double: `First` with a given answer in one step."""

    def __init__(self, step: int, answer: Any) -> None:
        super().__init__()
        self.step, self.answer = step, answer

    def turn(self, choices: Any, player: int, world: civ.World) -> str:
        if world.turn != self.step:
            return super().turn(choices, player, world)
        if isinstance(self.answer, BaseException):
            raise self.answer
        if self.answer == "outside":
            return next(value for value in VALUES if value not in choices)
        return self.answer  # of any type: that is what is tried

    inflection = turn


@pytest.mark.parametrize(
    ("options", "lineup"),
    [
        ({}, LINEUP[:3]),
        *(
            pytest.param(options, LINEUP, marks=pytest.mark.slow)
            for options in (
                {},
                {"rules": "text", "offer_size": 2},
                {"inflections": False, "choices": "any"},
            )
        ),
    ],
    ids=str,
)
def test_series__is_the_same_compiled_and_by_steps(
    options: dict[str, Any], lineup: tuple[str, ...]
) -> None:
    compiled = civ.Series(**options).game(*lineup).play(seed=2**32 - 1, games=2)
    stepped = civ.Series(Same, **options).game(*lineup).play(seed=2**32 - 1, games=2)
    assert compiled.results == stepped.results
    assert compiled.traces is not None
    assert stepped.traces is not None
    assert np.array_equal(compiled.traces.chosen, stepped.traces.chosen)
    for name in compiled.traces.states.dtype.names:
        assert np.array_equal(compiled.traces.states[name], stepped.traces.states[name]), name
    assert any(player.dead for result in compiled.results for player in result.players)


class Recorded(First):
    """Test double: an AI that repeats recorded choices, and compares the offers."""

    def __init__(self, steps: list[Any]) -> None:
        super().__init__()
        self.steps = steps

    def turn(self, choices: Any, player: int, world: civ.World) -> str:
        _, offers, chosen, _ = self.steps[world.turn]
        assert "".join(str(VALUES.index(choice)) for choice in choices) == offers.split()[player]
        return VALUES[int(chosen[player])]

    inflection = turn


def test_series__plays_the_originals_games_of_three() -> None:
    """The recordings include choices outside of the offer."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as file:
        games = [game for game in map(json.loads, file) if game["n"] == 3]
    games = [game for game in games if all("x" not in step[2] for step in game["steps"])]
    assert {"offmenu", "random", "war"} <= {game["mode"] for game in games}
    for game in games:
        series = civ.Series(on_illegal="accept").game(*[Recorded(game["steps"])] * 3)
        result = series.play(game["duration"], seed=game["seed"]).results[0]
        assert [player.score for player in result.players] == game["final"]["scores"]
        assert [player.label for player in result.players] == game["final"]["labels"]
        assert result.total == game["final"]["total"]
        assert result.world_yield == game["steps"][-1][3][0]


def test_series__can_mix_built_in_ais_with_others() -> None:
    """The offers of a built-in AI do not depend on the other players."""

    class Conquer(First):
        def turn(self, choices: Any, player: int, world: civ.World) -> str:
            return "conquer" if "conquer" in choices else str(choices[0])

        inflection = turn

    own = civ.Series().game("greedy", Conquer, "random").play(seed=4)
    built_in = civ.Series().game("greedy", "conquer", "random").play(seed=4)
    assert [one.score for one in own.results[0].players] == [
        one.score for one in built_in.results[0].players
    ]


def test_series__gives_each_game_the_next_seed() -> None:
    series = civ.Series().game("greedy", "random", "conquer").game("random", "random", "conquer")
    series.play(seed=7, games=2, duration=30)
    alone = civ.Series().game("random", "random", "conquer").play(seed=10, duration=30)
    assert [result.seed for result in series.results] == [7, 8, 9, 10]
    assert series.results[3] == alone.results[0]
    assert series.play(seed=7, games=2, duration=30).results[3] == alone.results[0]


def test_series__passes_the_offer_to_ais() -> None:
    first = First()
    series = civ.Series().game(first, "greedy", "random").play(duration=11, seed=1)
    kinds = [(step, kind, player) for step, kind, player, _ in first.asked]
    turns = [(step, "turn", 0) for step in range(1, 10)]
    assert kinds == [(0, "init", 0), (0, "inflection", 0), *turns, (10, "inflection", 0)]
    assert series.traces is not None
    for step, _, player, choices in first.asked[1:]:
        offer = series.traces.states["offer"][step, player, :3]
        assert choices == tuple(VALUES[value] for value in offer)
        assert series.traces.chosen[step, player] == offer[0]


def test_series__asks_the_dead_only_at_inflections() -> None:
    class Dying(civ.Ruleset):
        def init(self, world: civ.World) -> None:
            world.societies[0].dead = True

    first = First()
    series = civ.Series(Dying).game(first, "greedy", "greedy").play(duration=11)
    assert [(step, kind) for step, kind, _, _ in first.asked[1:]] == [
        (0, "inflection"),
        (10, "inflection"),
    ]
    assert series.traces is not None
    assert (series.traces.chosen[1:10, 0] == -1).all()
    assert series.results[0].players[0].label == "DEAD"
    assert series.results[0].players[0].died_in == 1


def test_series__gives_every_seat_its_own_generator_and_repeats_games() -> None:
    series = civ.Series().game(Drawing, Drawing, Drawing).play(duration=40, seed=3)
    assert series.traces is not None
    before = series.traces.chosen
    assert (before[1:10, 0] != before[1:10, 1]).any()
    again = civ.Series().game(Drawing, Drawing, Drawing).play(duration=40, seed=3)
    assert again.traces is not None
    assert np.array_equal(again.traces.chosen, before)


def test_series__gives_one_ai_in_two_seats_two_generators() -> None:
    shared = Drawing()
    chosen = []
    for players in ((shared, shared, Drawing), (Drawing, Drawing, Drawing)):
        series = civ.Series().game(*players).play(duration=10, seed=3)
        assert series.traces is not None
        chosen.append(series.traces.chosen)
    assert np.array_equal(*chosen)


def test_series__lets_no_ai_change_the_world() -> None:
    class Cheat(First):
        def turn(self, choices: Any, player: int, world: civ.World) -> str:
            world.societies[player].yield_ += 100
            return str(choices[0])

    series = civ.Series().game("greedy", Cheat, "greedy")
    with pytest.raises(GameError, match=r"people 2, Cheat\.turn failed: ValueError.*read-only"):
        series.play()


@pytest.mark.slow
def test_series__plays_games_of_different_sizes() -> None:
    series = civ.Series().game("greedy", "random", "conquer").game("basic", "random")
    series.play(duration=20, seed=5, games=3)
    assert [len(result.players) for result in series.results] == [3, 7, 3, 7, 3, 7]
    alone = civ.Series().game("basic", "random").play(duration=20, seed=8)
    assert series.results[3] == alone.results[0]


def test_series__makes_new_ais_of_a_class_and_keeps_an_object() -> None:
    first = First()
    civ.Series().game(first, First, "greedy").play(duration=1, games=3)
    assert [kind for _, kind, _, _ in first.asked] == ["init", "inflection"] * 3


def test_series__forfeits_or_accepts_choices_outside_the_offer() -> None:
    for policy, chosen in (("forfeit", -1), ("accept", None)):
        series = civ.Series(on_illegal=policy)
        series.game(Scripted(1, "outside"), "greedy", "greedy").play(duration=3)
        assert series.traces is not None
        state, after = series.traces.states[1], series.traces.states[2]
        risen = (after["values"][0] - state["values"][0]).tolist()
        if chosen is None:
            value = int(series.traces.chosen[1, 0])
            assert value not in state["offer"][0, :3]
            assert risen[value] == sum(risen) == 1
        else:
            assert series.traces.chosen[1, 0] == -1
            assert risen == [0] * 6


def test_series__a_forfeit_at_an_inflection_lowers_the_whole_offer() -> None:
    series = civ.Series(on_illegal="forfeit")
    series.game(Scripted(0, "outside"), "greedy", "greedy").play(duration=1)
    assert [*series.results[0].players[0].values.values()] == [1, 1, 1, 2, 2, 2]


def test_series__raises_for_choices_outside_the_offer_by_default() -> None:
    series = civ.Series().game("greedy", Scripted(4, "outside"), "greedy")
    pattern = r"game 0 \(seed 9\), step 4: people 2, Scripted answered '\w+', but it was offered "
    with pytest.raises(IllegalActionError, match=pattern + r"\w+, \w+, \w+; on_illegal="):
        series.play(seed=9)
    civ.Series(choices="any").game("greedy", Scripted(4, "outside"), "greedy").play(seed=9)


@pytest.mark.parametrize("policy", ["raise", "forfeit", "accept"])
@pytest.mark.parametrize("answer", ["none", None, 3])
def test_series__refuses_unknown_values(answer: Any, policy: str) -> None:
    series = civ.Series(on_illegal=policy).game(Scripted(1, answer), "greedy", "greedy")
    with pytest.raises(IllegalActionError, match="not a value; the values are discover, conquer"):
        series.play(duration=3)


def test_series__reports_the_failure_of_an_ai_and_keeps_finished_games() -> None:
    class Fragile(First):
        games = 0

        def init(self, player: int, world: civ.World) -> None:
            Fragile.games += 1

        def turn(self, choices: Any, player: int, world: civ.World) -> str:
            if Fragile.games == 3 and world.turn == 2:
                raise KeyError("lost")
            return str(choices[0])

    series = civ.Series().game("greedy", "greedy", Fragile)
    message = r"game 2 \(seed 7\), step 2: people 3, Fragile\.turn failed: KeyError: 'lost'"
    with pytest.raises(GameError, match=message):
        series.play(duration=5, seed=5, games=9)
    assert [result.seed for result in series.results] == [5, 6]
    assert series.interrupted


def test_series__keeps_finished_games_after_an_interruption() -> None:
    def stop(finished: int, total: int) -> None:
        assert total == 600
        if finished > 1:
            raise KeyboardInterrupt

    series = civ.Series().game("greedy", "random", "conquer")
    with pytest.raises(KeyboardInterrupt):
        series.play(games=600, duration=5, progress=stop)
    assert series.interrupted
    assert len(series.results) == 257
    assert series.as_report()["interrupted"] is True
    assert series.play(games=2, duration=5).interrupted is False


def test_series__with_no_steps_gives_the_start() -> None:
    for player in ("greedy", First):
        series = civ.Series(start_yield=9).game(player, "greedy", "greedy").play(duration=0)
        assert [one.score for one in series.results[0].players] == [12, 12, 12]
        assert series.traces is not None
        assert series.traces.states.shape == (1,)
        assert series.traces.chosen.shape == (0, 3)


def test_series__takes_the_duration_of_its_options() -> None:
    series = civ.Series(duration=4).game("greedy", "greedy", "greedy").play()
    assert series.traces is not None
    assert series.traces.chosen.shape == (4, 3)
    assert series.as_report()["duration"] == 4


def test_game__takes_lists_as_teams_and_families_as_players() -> None:
    series = civ.Series().game(["random", First], civ.ai.greedy)
    series.game("basic", [civ.ai.random]).game(civ.ai.basic, First)
    small, large, other = (result.players for result in series.play(duration=0).results)
    assert [(player.name, player.team) for player in small] == [
        ("random", 1),
        ("First", 1),
        ("greedy", 2),
    ]
    assert [player.team for player in large] == [1, 2, 3, 4, 5, 6, 7]
    assert [player.name for player in large[:3]] == ["conquer", "discover", "exchange"]
    assert [player.name for player in other[:6]] == [player.name for player in large[:6]]


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ([], "from 1 to 64, got 0"),
        (["basic3"] * 4, "from 1 to 64, got 80"),
        (["gredy"], "Did you mean 'greedy'"),
        (["basic.develov"], "unknown AI of basic 'develov'. Did you mean 'develop'"),
        ([3], "a player is a civ.AI"),
        ([civ.AI], "AI AI has no inflection and no turn"),
        ([[]], "team 1 is empty"),
    ],
)
def test_game__refuses_invalid_players(players: list[Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        civ.Series().game(*players)


@pytest.mark.parametrize(
    ("ruleset", "options", "message"),
    [
        ("orixinal", {}, "unknown world 'orixinal'. Did you mean 'original'"),
        (civ.AI, {}, "a ruleset is a civ.Ruleset"),
        ("text", {"players": 3}, "unknown option of a series 'players'"),
        ("text", {"start_yield": 2000}, "start_yield must be"),
        ("text", {"on_illegal": "ignore"}, "'accept', 'forfeit', 'raise'"),
    ],
)
def test_series__refuses_unknown_arguments(
    ruleset: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        civ.Series(ruleset, **options)


def test_play__refuses_arguments_out_of_range() -> None:
    series = civ.Series().game("greedy")
    for arguments in ({"duration": -1}, {"duration": 1001}, {"seed": -1}, {"games": 0}):
        with pytest.raises(ConfigError, match=next(iter(arguments))):
            series.play(**arguments)
    with pytest.raises(ConfigError, match="no games"):
        civ.Series().play()


def test_series__with_a_person_stops_if_the_person_quits() -> None:
    answers = iter(["1", "1", "q"])
    series = civ.Series().game(Person(lambda prompt: next(answers)), "greedy", "greedy")
    with pytest.raises(KeyboardInterrupt):
        series.play(duration=2, games=5)
    assert len(series.results) == 1
