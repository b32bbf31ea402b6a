"""Checkpoints from which a run goes on exactly: the same bits as if it had never stopped.

A checkpoint is one zip file: `meta.json` (format, configuration, progress), `model.zip` (weights and optimizer), `state.pkl` (games,
opponents' weights, all generators, the observations that the next rollout begins with). It is written whole or not at all. It holds
pickled objects: load only checkpoints of your own.
"""

from __future__ import annotations

import io
import json
import pickle
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from axiom_gym.errors import CheckpointError
from axiom_gym.files import replacing

FORMAT = 1
_PARTS = ("meta.json", "model.zip", "state.pkl")


def save_checkpoint(path: Path, meta: dict[str, Any], model: MaskablePPO, state: dict[str, Any]) -> None:
    """Writes a checkpoint under a temporary name and renames it.

    Args:
        path: the file.
        meta: plain JSON values; `format` is added.
        model: with its optimizer.
        state: everything else, picklable; the global generators are added.
    """
    saved = io.BytesIO()
    model.save(saved)
    with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr("meta.json", json.dumps({"format": FORMAT, **meta}, sort_keys=True))
        archive.writestr("model.zip", saved.getvalue())
        archive.writestr("state.pkl", pickle.dumps({**state, "generators": _generators()}))


def load_checkpoint(path: Path) -> tuple[dict[str, Any], bytes, dict[str, Any]]:
    """What `save_checkpoint` wrote: meta, the model's file, state. The generators are not touched; see `restore_generators`.

    Raises:
        CheckpointError: if there is no such file, or it is damaged, or of another format.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            if broken is not None:
                raise CheckpointError(f"checkpoint {str(path)!r} is damaged: {broken} inside it does not fit its checksum.")
            meta, model, state = (archive.read(part) for part in _PARTS)
        facts = json.loads(meta)
    except KeyError as error:
        raise CheckpointError(f"{str(path)!r} is no checkpoint of a training run: {error}.") from error
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"checkpoint {str(path)!r} cannot be read: {error}.") from error
    if facts.get("format") != FORMAT:
        raise CheckpointError(f"checkpoint {str(path)!r} has format {facts.get('format')!r}; this version reads {FORMAT}.")
    return facts, model, pickle.loads(state)


def _generators() -> dict[str, Any]:
    """The global generators, which stable-baselines3 and PyTorch draw from."""
    return {"python": random.getstate(), "numpy": np.random.get_state(), "torch": torch.get_rng_state()}


def restore_generators(state: dict[str, Any]) -> None:
    """Sets the global generators to where they stood at the checkpoint."""
    saved = state["generators"]
    random.setstate(saved["python"])
    np.random.set_state(saved["numpy"])
    torch.set_rng_state(saved["torch"])
