"""Runs matches of object-level games between agents of any kind.

    from axiom_gym.game.facts import GameLoop

    result = GameLoop(MyGame(), agents={"ann": bot, "bob": human}).run(seed=42)
    result.replay.save("match.jsonl")

Beside its eight members a game may have further methods, which the loop then uses:

    view(state, player_id)             the state as this player may see it, for agents
    eliminate(state, player_id, rng)   the state without a player who forfeits; None if the match
                                       cannot go on
    encode_action(action)              an action as JSON
    decode_action(json, state)         the action that this JSON stands for

In all other forms (`axiom_gym.game.bridge`) a game is also asked for `view`, and

    encode(state, player_id)               what this player sees, an array of always the same shape
    get_all_actions(player_id, options)    all that this player may ever do, in a fixed order
    get_rewards(before, after)             what an action was worth, by player id
    describe_state(state)                  the state as text
    bots                                   scripted players: name -> an agent
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Generic

from axiom_gym.batch.seeds import MAX_SEED
from axiom_gym.errors import ConfigError, check_range
from axiom_gym.game.facts import Action, Game, State
from axiom_gym.play.agents import Agent, find_agent, is_agent
from axiom_gym.play.asking import Answer, Desk, Question
from axiom_gym.play.events import Listener
from axiom_gym.play.match_config import MatchConfig
from axiom_gym.play.playing import Playing
from axiom_gym.play.result import GameResult


class GameLoop(Generic[State, Action]):
    """Runs matches: valid actions, the agent decides, check, execute, record, and tell listeners.

    Each agent draws from a generator of its own, which is forked from the seed; the game's is never
    handed to an agent. The same seed and agents give the same replay, byte for byte, as long as
    nobody is late.
    """

    def __init__(
        self,
        game: Game[State, Action],
        agents: Mapping[str, Agent | str],
        config: MatchConfig | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        """Checks that everything fits.

        Args:
            game: the rules.
            agents: who decides, by player id and in the order of the seats: an agent (see
                `axiom_gym.play.agents`), "random", or the name of a scripted player of the game.
            config: limits and options.
            listeners: are told each event of `axiom_gym.play.events`; one that raises is warned of
                and does no harm.

        Raises:
            ConfigError: for a number of agents that the game does not allow, an agent that cannot
                decide, or an option that the game does not have; UnknownOpponentError for a name.
        """
        self._game = game
        self._config = config or MatchConfig()
        self._listeners = tuple(listeners)
        self._agents = {name: find_agent(game, agent) for name, agent in agents.items()}
        self._options = self._config.fill(game.metadata)
        _check_agents(game, self._agents)

    def run(self, seed: int) -> GameResult:
        """Plays a match to its end. seed: 0 to 2**32 - 1.

        With a time limit a sync agent decides in a thread. One that does not answer is given up,
        but Python cannot stop it: it may go on in the background until the process ends.

        Raises:
            ConfigError: for another seed, or an async agent while an event loop runs in this
                thread; use `run_async` there.
            GameError: if the game breaks the interface.
        """
        playing = self._start(seed)
        with Desk(self._config.time_limit_s) as desk:
            answer: Answer | None = None
            while True:
                try:
                    question = playing.send(answer)
                except StopIteration as end:
                    result: GameResult = end.value
                    return result
                answer = desk.ask(question)

    async def run_async(self, seed: int) -> GameResult:
        """As `run`, in the event loop that runs already.

        A sync agent without a time limit holds that loop up while it decides.
        """
        playing = self._start(seed)
        desk = Desk(self._config.time_limit_s)
        answer: Answer | None = None
        while True:
            try:
                question = playing.send(answer)
            except StopIteration as end:
                result: GameResult = end.value
                return result
            answer = await desk.ask_async(question)

    def _start(self, seed: int) -> Generator[Question, Answer | None, GameResult]:
        seed = check_range("seed", seed, 0, MAX_SEED)
        match = Playing(
            self._game, self._agents, self._options, self._config, seed, self._listeners
        )
        return match.play()


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
            raise ConfigError(f"a player's id must be a text that is not empty, got {player_id!r}.")
        if not is_agent(agent):
            raise ConfigError(
                f"the agent of {player_id!r} is a {type(agent).__name__}; it must be a callable "
                "(state, valid_actions, player_id, rng) -> action, or have such a decide()."
            )
