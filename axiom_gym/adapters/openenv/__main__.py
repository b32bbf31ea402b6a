"""Command that serves all games: `python -m axiom_gym.adapters.openenv --port 8000`."""

from __future__ import annotations

import argparse

import uvicorn

from axiom_gym.adapters.openenv.server import make_app


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m axiom_gym.adapters.openenv")
    parser.add_argument("--game", default="connect_four", help="the game of a plain reset()")
    parser.add_argument("--opponent", default="random", help="the player of all other seats")
    parser.add_argument("--sessions", type=int, default=64, help="the most concurrent sessions")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    app = make_app(given.sessions, game=given.game, opponent=given.opponent)
    uvicorn.run(app, host=given.host, port=given.port)


if __name__ == "__main__":
    main()
