"""The server of all games; `app` is the ASGI application that `openenv.yaml` names."""

from __future__ import annotations

from functools import partial
from typing import Any

from openenv.core.env_server.http_server import create_app

from axiom_gym.adapters.openenv.environment import (
    GameEnvironment,
    GameObservation,
    GameState,
    MoveAction,
)


def make_app(sessions: int = 64, **defaults: Any) -> Any:
    """Return an ASGI application.

    Args:
        sessions: the most concurrent sessions; each has a game of its own.
        **defaults: the arguments of `GameEnvironment`.
    """
    return create_app(
        partial(GameEnvironment, **defaults),
        MoveAction,
        GameObservation,
        env_name="axiom_gym",
        max_concurrent_envs=sessions,
        state_cls=GameState,
    )


app = make_app()
