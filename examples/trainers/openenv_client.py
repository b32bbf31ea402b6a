"""OpenEnv: a server for all games, a client that plays on it, and OpenEnv's own check.

    pip install -r examples/trainers/locks/openenv.txt
    python examples/trainers/openenv_client.py --game connect_four

The client plays the first legal move of each turn over a WebSocket, as a language model would send
its move, and gets a reward from 0 to 1 at the end. `openenv validate` checks the environment's
files without running them.
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import time
from pathlib import Path

from openenv.core.generic_client import GenericEnvClient

import axiom_gym.adapters.openenv as adapter


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Return when the server accepts connections; importing OpenEnv takes some seconds."""
    for _ in range(600):
        if server.poll() is not None:
            sys.exit(f"the server stopped with status {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("the server did not start within two minutes")


def play(url: str, game: str, seed: int) -> None:
    with GenericEnvClient(base_url=url).sync() as client:
        result = client.reset(seed=seed, game=game, opponent="random", seat=0)
        moves = 0
        while not result.done:
            legal = result.observation["legal_moves"]
            move = legal[0] if legal else result.observation["prompt"].split("- ")[-1]
            result = client.step({"move": move})
            moves += 1
    print(f"{game}, seed {seed}: reward {result.reward} after {moves} moves")


def main() -> None:
    parser = argparse.ArgumentParser(description="Play games on an OpenEnv server.")
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--iterations", type=int, default=2, help="games")
    args = parser.parse_args()
    folder = Path(adapter.__file__).parent
    openenv = Path(sys.executable).with_name("openenv")
    check = [openenv, "validate", folder, "--level", "static", "--skip-build"]
    subprocess.run(check, check=True)
    port = find_free_port()
    command = [sys.executable, "-m", "axiom_gym.adapters.openenv", "--port", str(port)]
    server = subprocess.Popen(command)
    try:
        wait_for(server, port)
        for seed in range(args.iterations):
            play(f"http://127.0.0.1:{port}", args.game, seed)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
