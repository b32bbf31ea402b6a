"""Agents that are language models, for `Match` and `GameLoop`."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from axiom_gym.batch.batch import Batch
from axiom_gym.errors import ConfigError, check_range
from axiom_gym.registry.targets import find_named
from axiom_gym.text.consulting import ATTEMPTS, Ask, Consultant, Message, Reply
from axiom_gym.text.seats import GameSeat, MatchSeat

_TARGET = re.compile(r".+\.py:\w+|[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class LlmAgent:
    """A language model as a player of `Match` and `GameLoop`.

    It gets the prompts of `TextGame`. A reply that is not a legal move gets feedback, which names
    the illegal move, or quotes the end of a reply without one. After the last attempt the player
    forfeits. The replay holds all replies, and verifying it asks no model.

    Attributes:
        name: the name in replays.
    """

    def __init__(
        self,
        ask: Ask,
        *,
        name: str = "",
        attempts: int = ATTEMPTS,
        legal_moves: bool = True,
        history: int = 10,
        rules: str | None = None,
    ) -> None:
        """Make an agent.

        Args:
            ask: a callable (messages) -> reply. Messages are dicts with "role" and "content". The
                reply is a string, or a `Reply` that says that a limit of tokens has cut it off.
            name: the name in replays; by default that of the callable.
            attempts: the number of replies for one decision.
            legal_moves: if False, prompts do not list the legal moves.
            history: the number of turns that prompts of a `Match` contain.
            rules: the rules in the prompts, instead of those of the game's card.

        Raises:
            ConfigError: for a value that is not allowed.
        """
        self.name = name or str(getattr(ask, "__name__", type(ask).__name__))
        self._consultant = Consultant(ask, attempts, legal_moves)
        self._length = check_range("history", history, 0)
        self._rules = rules

    def for_batch(self, batch: Batch, seat: int) -> MatchSeat:
        """Return the agent as a player of a match; see `axiom_gym.play.match.SeatAgent`."""
        return MatchSeat(self._consultant, batch, seat, self._length, self._rules)

    def for_game(self, game: Any) -> GameSeat:
        """Return the agent as an agent of a `GameLoop` of this game."""
        return GameSeat(self._consultant, self.name, game, self._rules)


class _Model:
    """A model that litellm asks."""

    def __init__(self, model: str) -> None:
        try:
            litellm = importlib.import_module("litellm")
        except ImportError as error:
            raise ConfigError(
                f"the agent 'llm:{model}' needs the extra 'llm': pip install axiom-gym[llm] "
                f"({error}). For a function of your own, write llm:FILE.py:FUNCTION."
            ) from error
        self.__name__, self._litellm = model, litellm

    def __call__(self, messages: list[Message]) -> Reply:
        choice = self._litellm.completion(model=self.__name__, messages=messages).choices[0]
        return Reply(choice.message.content or "", truncated=choice.finish_reason == "length")


def load_llm(text: str) -> LlmAgent:
    """Return the agent that the name `llm:TEXT` stands for.

    Args:
        text: `FILE.py:FUNCTION` or `MODULE:FUNCTION`, a callable (messages) -> reply; an `LlmAgent`
            there is valid too. Any other text is the name of a model that litellm asks.

    Raises:
        ConfigError: if there is no such function, or litellm is not installed.
    """
    if not text:
        raise ConfigError("an agent is llm:FILE.py:FUNCTION, llm:MODULE:FUNCTION or llm:MODEL.")
    if not _TARGET.fullmatch(text):
        if Path(text.partition(":")[0]).suffix == ".py":
            raise ConfigError(f"'llm:{text}' does not say which function: write llm:FILE.py:NAME.")
        return LlmAgent(_Model(text), name=text)
    _, found = find_named(text, callable, "function", takes=lambda one: isinstance(one, LlmAgent))
    return found if isinstance(found, LlmAgent) else LlmAgent(found, name=Path(text).name)
