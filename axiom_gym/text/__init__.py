"""Games for language models: prompts, moves as strings, a strict parser, and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.text.agents import LlmAgent, load_llm
    from axiom_gym.text.consulting import Reply
    from axiom_gym.text.game import TextGame
    from axiom_gym.text.parsing import CATEGORIES, Parsed

__all__ = ["CATEGORIES", "LlmAgent", "Parsed", "Reply", "TextGame", "load_llm"]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        __all__,
        (
            "axiom_gym.text.parsing",
            "axiom_gym.text.consulting",
            "axiom_gym.text.game",
            "axiom_gym.text.agents",
        ),
    )


def __dir__() -> list[str]:
    return list(__all__)
