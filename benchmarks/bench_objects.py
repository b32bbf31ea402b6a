"""Plain Python games: the cost of the interfaces in addition to the game's own code.

The game is a small one that takes a few microseconds per decision. Its own loop is the floor:
initialize, valid actions, an action, the check whether it is over. PettingZoo's official loop is
timed as a whole, with observation, mask, rewards and infos, as its users write it; its cost beyond
the game is the difference of the two, taken in turn in the same reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from common import Rate, measure, report

from axiom_gym.adapters.gymnasium import AxiomEnv, object_env
from axiom_gym.adapters.pettingzoo import AxiomAECEnv, aec_env
from axiom_gym.game import (
    BaseAction,
    BaseGameState,
    GameLoop,
    GameMetadata,
    Player,
    PlayerRanking,
    rank,
)
from axiom_gym.play.agents import pick_any
from axiom_gym.seeded_rng import SeededRNG

KINDS = ("hold", "step", "roll", "leap")
DICE = {"hold": 0, "step": 1, "roll": 6, "leap": 9}
IDS = ("player_0", "player_1")
PLAYERS = tuple(map(Player, IDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class DashState(BaseGameState):
    """Steps made, by seat."""

    steps: tuple[int, ...]


class Dash:
    """A race to 60 steps with a die of the player's choice."""

    metadata = GameMetadata("dash", 2, 2, "A short game with dice.")
    actions = {one: [BaseAction(kind, one) for kind in KINDS] for one in IDS}  # noqa: RUF012

    def initialize(
        self, config: Mapping[str, Any], players: Sequence[Player], rng: SeededRNG
    ) -> DashState:
        ids = tuple(player.id for player in players)
        return DashState(
            game_id="", turn=1, active_player_id=ids[0], player_order=ids, steps=(0,) * len(ids)
        )

    def get_valid_actions(self, state: DashState, player_id: str) -> list[BaseAction]:
        return self.actions[player_id] if player_id == state.active_player_id else []

    def execute_action(self, state: DashState, action: BaseAction, rng: SeededRNG) -> DashState:
        seat = state.player_order.index(action.player_id)
        moved = state.steps[seat] + rng.below(DICE[action.type] + 1)
        return replace(
            state,
            turn=state.turn + 1,
            active_player_id=state.player_order[1 - seat],
            steps=(*state.steps[:seat], moved, *state.steps[seat + 1 :]),
        )

    def is_game_over(self, state: DashState) -> bool:
        return max(state.steps) >= 60

    def get_winner(self, state: DashState) -> Player | None:
        return self.get_rankings(state)[0].player if self.is_game_over(state) else None

    def get_rankings(self, state: DashState) -> list[PlayerRanking]:
        return rank(dict(zip(PLAYERS, map(float, state.steps), strict=True)))

    def describe_action(self, action: BaseAction, state: DashState) -> str:
        return f"{action.player_id}: {action.type}."


def play_alone(game: Dash, seed: int) -> int:
    """Run the game's own code and nothing else; return the number of decisions."""
    rng, decisions = SeededRNG(seed), 0
    state = game.initialize({}, PLAYERS, rng)
    while not game.is_game_over(state):
        actions = game.get_valid_actions(state, state.active_player_id)
        state = game.execute_action(state, actions[2], rng)
        decisions += 1
    return decisions


def play_aec(env: AxiomAECEnv, seed: int) -> int:
    """Run PettingZoo's official loop; return the decisions, without the agents' last calls."""
    decisions = -len(env.possible_agents)
    env.reset(seed=seed)
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else 2)
        decisions += 1
    return decisions


def play_gymnasium(env: AxiomEnv, seed: int) -> int:
    """Play a learner against "random"; return the decisions of both."""
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, over, _, _ = env.step(2)
    return int(env.batch.buffers.episodes["final_length"][0])


def time_one(play: Callable[[int], int], seconds: float) -> float:
    """Return microseconds per decision."""
    decisions = seed = 0
    started = time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        decisions += play(seed)
        seed += 1
    return spent / decisions * 1e6


def main(
    seconds: Annotated[float, typer.Option(help="Time on the clock for each reading.")] = 1.0,
    out: Annotated[Path | None, typer.Option(help="Result file (JSON).")] = None,
    quick: Annotated[
        bool, typer.Option(help="A check of a few seconds; the numbers mean little.")
    ] = False,
) -> None:
    """Measure the interfaces of plain Python games."""
    seconds = 0.02 if quick else seconds
    game = Dash()
    aec, single = aec_env(game), object_env(game)
    loop = GameLoop(game, dict.fromkeys(IDS, pick_any))
    plays: dict[str, Callable[[int], int]] = {
        "AEC, official loop": lambda seed: play_aec(aec, seed),
        "Gymnasium, against random": lambda seed: play_gymnasium(single, seed),
        "GameLoop, recorded": lambda seed: len(loop.run(seed).replay.turns),
    }

    def alone() -> float:
        return time_one(lambda seed: play_alone(game, seed), seconds)

    own = measure("the game's own code", "us/decision", alone, more_is_better=False)
    rates = [own]
    for name, play in plays.items():
        rates.append(_measure(name, lambda play=play: time_one(play, seconds)))
        overhead = f"{name}, beyond the game"
        target = {"AEC": 14.0, "Gymnasium": 8.5}.get(name.split(",")[0], 0.0)
        rates.append(
            _measure(overhead, lambda play=play: time_one(play, seconds) - alone(), target)
        )
    report("Plain Python games", rates, out)
    ratio = rates[1].median / own.median
    print(f"AEC, official loop: {ratio:.1f} x the time of the game's own code")


def _measure(name: str, read: Callable[[], float], target: float = 0.0) -> Rate:
    return measure(name, "us/decision", read, target=target, more_is_better=False)


if __name__ == "__main__":
    typer.run(main)
