"""The guide to action masks is correct: its table has the shapes of the code, its snippets run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import axiom_gym
from axiom_gym.adapters.pettingzoo import env, parallel_env

GUIDE = Path(__file__).parent.parent / "docs" / "masks.md"
B = 4
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("connect_four", {}),
    ("quantaris", {}),
    ("quantaris", {"actions": "joint"}),
)

pytestmark = [
    pytest.mark.skipif(not GUIDE.exists(), reason="the guides are not part of an installed wheel"),
    pytest.mark.compiled_only,
]


def masks_of(form: str, game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the masks that an environment of this form shows, by the first word of the guide."""
    options = {**options, **({"mask_in_obs": True} if "mask_in_obs" in form else {})}
    if form.startswith("PettingZoo"):
        if "AEC" in form:
            aec = env(game, **options)
            aec.reset(seed=0)
            seen, *_, info = aec.last()
        else:
            seen, info = (
                shown["player_0"] for shown in parallel_env(game, **options).reset(seed=0)
            )
        assert (seen["action_mask"] == info["action_mask"]).all()
        return {"observation": seen["action_mask"], "observations": seen["action_mask"]}
    if form.startswith("stable"):
        sb3 = pytest.importorskip("axiom_gym.adapters.sb3").make_vec_env(game, B, **options)
        sb3.reset()
        return {"envs": sb3.action_masks()}
    is_vector = "vector" in form
    made = axiom_gym.make_vec(game, B, **options) if is_vector else axiom_gym.make(game, **options)
    seen, info = made.reset(seed=0)
    found = {"env": made.action_masks(), "info": info["action_mask"]}
    if isinstance(seen, dict):
        found["observation"] = seen["action_mask"]
    return {**found, **{f"{word}s": mask for word, mask in found.items()}}


def rows() -> list[list[str]]:
    text = GUIDE.read_text(encoding="utf-8").partition("## Masks by form")[2].partition("\n- ")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[5:]]


def test_table__has_the_shapes_and_dtypes_of_the_code() -> None:
    table = [row for row in rows() if row and row[0] not in ("form", "---")]
    assert len(table) == 9
    for form, mask, dtype, *shapes in table:
        word = re.findall(r"`(\w+)", mask)[0]
        for (game, options), shape in zip(GAMES, shapes, strict=True):
            if shape == "none":
                continue
            found = masks_of(form, game, options)[word]
            assert found.dtype == dtype, form
            assert str(found.shape) == shape.replace("B", str(B)), (form, game, options)


def test_snippets__of_masks_in_observations_run(capsys: pytest.CaptureFixture[str]) -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("### Masks in observations")[2]
    (code,) = re.findall(r"```python\n(.*?)```", section.partition("###")[0], re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out == "(84,) [1. 1. 1. 1. 1. 1. 1.]\n"
