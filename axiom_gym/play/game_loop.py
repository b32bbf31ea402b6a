"""Matches of object-level games between agents of any kind.

    from axiom_gym.game import GameLoop

    result = GameLoop(MyGame(), agents={"ann": bot, "bob": human}).run(seed=42)
    result.replay.save("match.jsonl")

In addition to its eight required members, a game may have these methods, which the loop uses:

    view(state, player_id)             the state as an agent sees it
    eliminate(state, player_id, rng)   the state without a player who forfeits; None if the match
                                       cannot continue
    encode_action(action)              an action as JSON
    decode_action(json, state)         the action that this JSON stands for

All other forms of a game (`axiom_gym.game.bridge`) use `view` and these:

    encode(state, player_id)               the player's observation, an array of constant shape
    get_all_actions(player_id, options)    all actions of the player, in a fixed order
    get_rewards(before, after)             the rewards of an action, by player id
    lowest_return                          the lowest sum of a player's rewards, if it can be less
                                           than -1: a forfeit is never better
    describe_state(state)                  the state as text
    bots                                   scripted players: name -> an agent
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import Generic

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ConfigError, check_choice, check_range
from axiom_gym.game.facts import Action, Game, GameLike, State
from axiom_gym.play.agent_errors import ON_ERROR
from axiom_gym.play.agents import Agent, find_agent, get_agent_function
from axiom_gym.play.asking import Answer, Desk, Question
from axiom_gym.play.events import Listener
from axiom_gym.play.match_config import MatchConfig
from axiom_gym.play.opening import open_game
from axiom_gym.play.playing import Playing
from axiom_gym.play.result import GameResult


class GameLoop(Generic[State, Action]):
    """Runs matches: asks agents for actions, checks, executes and records them, calls listeners.

    Each agent draws from its own generator, which is forked from the seed; no agent gets the game's
    generator. The same seed and agents give the same replay, byte for byte, if no agent is late.
    """

    def __init__(
        self,
        game: Game[State, Action] | GameLike,
        agents: Mapping[str, Agent | str],
        config: MatchConfig | None = None,
        listeners: Sequence[Listener] = (),
        on_error: str = "warn",
    ) -> None:
        """Check the arguments.

        Args:
            game: the rules: a plain Python game, or any other `GameLike`, such as the name of a
                game or `FILE.py:NAME`.
            agents: the agents by player id, in the order of the seats: an agent (see
                `axiom_gym.play.agents`), "random", the name of a scripted player of the game, or
                `FILE.py:NAME` of an agent.
            config: limits and options.
            listeners: callables that get each event of `axiom_gym.play.events`. If one raises, a
                warning is issued and the match continues.
            on_error: the treatment of an exception that an agent raises. "warn" issues an
                `AgentWarning` with the agent's name, file, line and traceback, and the match
                continues as `config` says: with retries, and a fallback or a forfeit. "forfeit"
                does the same without a warning. "raise" passes the exception on.

        Raises:
            ConfigError: for a number of agents that the game does not allow, an agent that cannot
                decide, or an option that the game does not have.
            UnknownGameError: for an unknown game.
            UnknownOpponentError: for a name that is not a scripted player of the game.
        """
        self._game: Game[State, Action] = open_game(game)
        self._config = config or MatchConfig()
        self._listeners = tuple(listeners)
        self._on_error = check_choice("on_error", on_error, ON_ERROR)
        self._agents = {name: find_agent(self._game, agent) for name, agent in agents.items()}
        self._options = self._config.fill(self._game.metadata)
        _check_agents(self._game, self._agents)

    def run(self, seed: int) -> GameResult:
        """Play a match to its end. seed: 0 to 2**32 - 1.

        With a time limit, a sync agent decides in a thread. Python cannot stop that thread: if the
        agent is late, it may continue in the background until the process ends.

        Raises:
            ConfigError: for another seed, or for an async agent while an event loop runs in this
                thread; use `run_async` there.
            GameError: if the game breaks the interface.
            Exception: whatever an agent raises, with `on_error="raise"`.
        """
        playing = self._start(seed)
        with closing(Desk(self._config.time_limit_s)) as desk:
            try:
                question = next(playing)
                while True:
                    question = playing.send(desk.ask(question))
            except StopIteration as end:
                result: GameResult = end.value
        return result

    async def run_async(self, seed: int) -> GameResult:
        """Play a match as `run` does, in the event loop that is running.

        A sync agent without a time limit blocks that loop while it decides.
        """
        playing, desk = self._start(seed), Desk(self._config.time_limit_s)
        try:
            question = next(playing)
            while True:
                question = playing.send(await desk.ask_async(question))
        except StopIteration as end:
            result: GameResult = end.value
        return result

    def _start(self, seed: int) -> Generator[Question, Answer | None, GameResult]:
        seed = check_range("seed", seed, 0, MAX_SEED)
        return Playing(
            self._game,
            self._agents,
            self._options,
            self._config,
            seed,
            self._listeners,
            self._on_error,
        ).play()


def _check_agents(game: Game[State, Action], agents: Mapping[str, Agent]) -> None:
    metadata = game.metadata
    low, high = metadata.min_players, metadata.max_players
    if not low <= len(agents) <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        raise ConfigError(
            f"{metadata.name} is for {allowed} players, got {len(agents)} agents "
            f"({', '.join(map(repr, agents)) or 'none'})."
        )
    for player_id, agent in agents.items():
        if not isinstance(player_id, str) or not player_id:
            raise ConfigError(f"a player's id must be a non-empty string, got {player_id!r}.")
        if not callable(get_agent_function(agent)):
            raise ConfigError(
                f"the agent of {player_id!r} is a {type(agent).__name__}; it must be a callable "
                "(state, valid_actions, player_id, rng) -> action, or have such a decide()."
            )
