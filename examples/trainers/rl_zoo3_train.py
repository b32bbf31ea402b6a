"""RL Baselines3 Zoo: its command line trains on our environments.

    pip install -r examples/trainers/locks/rl_zoo3.txt
    python examples/trainers/rl_zoo3_train.py --game connect_four

The Zoo's command imports `axiom_gym` (`--gym-packages`), which registers the environments. Options
of the environment follow `--env-kwargs`. The script writes the file of hyperparameters that the Zoo
wants for each environment, and runs `python -m rl_zoo3.train` with it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = {"connect_four": "ConnectFour", "quantaris": "Quantaris"}


def main() -> None:
    parser = argparse.ArgumentParser(description="Train with RL Baselines3 Zoo.")
    parser.add_argument("--game", default="connect_four", choices=tuple(NAMES))
    parser.add_argument("--steps", type=int, default=4096)
    args = parser.parse_args()
    env = f"axiom/{NAMES[args.game]}-v0"
    with tempfile.TemporaryDirectory() as folder:
        hyperparameters = Path(folder) / "ppo.yml"
        settings = {"n_envs": 8, "n_timesteps": args.steps, "policy": "MlpPolicy", "n_steps": 128}
        lines = [f"  {name}: {value}" for name, value in settings.items()]
        hyperparameters.write_text("\n".join([f"{env}:", *lines, ""]))
        command = [sys.executable, "-m", "rl_zoo3.train", "--algo", "ppo", "--env", env]
        command += ["--gym-packages", "axiom_gym", "--conf-file", str(hyperparameters)]
        command += ["--env-kwargs", "opponent:'random'", "--log-folder", folder, "--seed", "1"]
        subprocess.run([*command, "--eval-freq", "-1", "--verbose", "0"], check=True)
        models = sorted(path.name for path in Path(folder).glob("ppo/*/*.zip"))
        print(f"trained {args.steps} steps on {env}; saved {', '.join(models)}")


if __name__ == "__main__":
    main()
