"""Warnings about exceptions of agents, with the agent's own part of the traceback."""

from __future__ import annotations

import traceback
import warnings
from typing import Any

from axiom_gym.errors import AgentWarning
from axiom_gym.play import asking
from axiom_gym.play.agents import name_agent

ON_ERROR = ("warn", "raise", "forfeit")
"""The ways to treat an exception of an agent; see `axiom_gym.play.game_loop.GameLoop`."""

_given: dict[Any, Any] = {}
"""The warnings that were given; each is given once, unless the warning filters ask for all."""


def warn_of_agent(seat: asking.Seat, error: Exception) -> None:
    """Warn of an agent's exception, at the agent's file and line."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [place for place, frame in enumerate(frames) if frame.filename == asking.__file__]
    own = frames[inside[-1] + 1 :] if inside else frames
    kind = type(error).__name__
    text = "".join(
        (
            f"agent {name_agent(seat.agent)!r} of player {seat.player.id!r} raised {kind} "
            f"({error}), which counts as no answer; on_error='raise' stops the match here.\n",
            *traceback.format_list(own),
            *traceback.format_exception_only(error),
        )
    )
    file, line = (own[0].filename, own[0].lineno or 0) if own else (asking.__file__, 0)
    warnings.warn_explicit(text, AgentWarning, file, line, registry=_given)
