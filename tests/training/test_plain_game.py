"""A plain Python game in a file is trained, evaluated, played, and recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from axiom_gym import replay
from axiom_gym.play.match import Match
from axiom_training.config import TrainConfig
from axiom_training.evaluation import score_against
from axiom_training.trainer import Trainer

GAMES = Path(__file__).parents[1] / "games"


@pytest.mark.compiled_only
def test_plain_game__can_be_trained_evaluated_played_and_recorded(tmp_path: Path) -> None:
    target = f"{GAMES / 'race_game.py'}:Race"
    config = TrainConfig(
        game=target,
        options={"players": 3, "goal": 6},
        steps=1200,
        num_games=12,
        rollout_turns=8,
        batch_size=48,
        network=(8,),
        evaluation_games=9,
        final_games=9,
    )
    trainer = Trainer(config, tmp_path / "run")
    trainer.run()
    assert trainer.progress.steps >= 1200
    assert trainer.progress.scores.keys() == {"random"}
    model = tmp_path / "run" / "model.zip"
    result = score_against(target, str(model), "random", 9, seed=1, options=config.options)
    assert result.games == 9
    match = Match(target, [model, "random", "random"], seed=4, **config.options)
    recorded = match.play()
    recorded.save(tmp_path / "match.jsonl")
    assert recorded.header.plain
    assert replay.verify(tmp_path / "match.jsonl", game=target).ok
    assert Trainer.resume(tmp_path / "run", steps=2400).progress.steps == trainer.progress.steps
