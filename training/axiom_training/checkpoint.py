"""Checkpoints of training runs. A resumed run gives the same bits as one without interruption.

A checkpoint is one zip file, which is written atomically:

    meta.json        format, configuration, progress, versions
    parameters.pth   weights and optimizer
    state.json       the other state: numbers and strings
    state/NAME.npy   the other state: an array
    state/NAME.bin   the other state: bytes

Only tensors are pickled, and PyTorch reads them without executing code.
"""

from __future__ import annotations

import io
import json
import random
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from axiom_gym.errors import CheckpointError
from axiom_gym.files import replacing
from axiom_training.archive import read_json, read_parts
from axiom_training.weights import read_weights

FORMAT = 3
"""The version of the contents of a checkpoint; other versions are refused."""

_KIND = "checkpoint"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The contents of a checkpoint.

    Attributes:
        meta: plain JSON values.
        parameters: dicts of tensors and plain values, as `MaskablePPO.get_parameters` returns them.
        state: arrays, bytes and plain JSON values, by name.
    """

    meta: dict[str, Any]
    parameters: dict[str, Any]
    state: dict[str, Any]


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint under a temporary name and rename it."""
    parameters = io.BytesIO()
    torch.save(checkpoint.parameters, parameters)
    meta = {"format": FORMAT, **checkpoint.meta}
    with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr("meta.json", json.dumps(meta, sort_keys=True))
        archive.writestr("parameters.pth", parameters.getvalue())
        for name, data in _to_parts(checkpoint.state).items():
            archive.writestr(name, data)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a file that `save_checkpoint` wrote.

    Raises:
        CheckpointError: if the file does not exist, is damaged, or has another format.
    """
    parts = read_parts(path, _KIND)
    meta = read_json(parts, "meta.json", path, _KIND)
    if meta.pop("format", None) != FORMAT:
        raise CheckpointError(
            f"checkpoint {str(path)!r} has another format; this version reads {FORMAT}."
        )
    state = read_json(parts, "state.json", path, _KIND)
    if "parameters.pth" not in parts:
        raise CheckpointError(f"{str(path)!r} is no checkpoint: parameters.pth is missing in it.")
    parameters = read_weights(parts["parameters.pth"], str(path))
    try:
        return Checkpoint(meta, parameters, {**state, **_from_parts(parts)})
    except ValueError as error:
        raise CheckpointError(f"checkpoint {str(path)!r} is damaged: {error}.") from error


def _to_parts(state: dict[str, Any]) -> dict[str, bytes]:
    """Return the files that hold a state, by name."""
    parts, plain = {}, {}
    for name, value in state.items():
        if isinstance(value, bytes):
            parts[f"state/{name}.bin"] = value
        elif isinstance(value, np.ndarray):
            buffer = io.BytesIO()
            np.save(buffer, value, allow_pickle=False)
            parts[f"state/{name}.npy"] = buffer.getvalue()
        else:
            plain[name] = value
    return {"state.json": json.dumps(plain, sort_keys=True).encode(), **parts}


def _from_parts(parts: dict[str, bytes]) -> dict[str, Any]:
    """Return the arrays and bytes of a state, by name."""
    state: dict[str, Any] = {}
    for path, data in parts.items():
        folder, _, file = path.rpartition("/")
        name, _, kind = file.rpartition(".")
        if folder == "state" and kind == "bin":
            state[name] = data
        elif folder == "state" and kind == "npy":
            state[name] = np.load(io.BytesIO(data), allow_pickle=False)
    return state


def get_generators() -> dict[str, Any]:
    """Return the states of the global generators that stable-baselines3 and PyTorch draw from."""
    version, words, gauss = random.getstate()
    kind, keys, *rest = np.random.get_state()
    return {
        "python_generator": [version, list(words), gauss],
        "numpy_generator": [kind, np.asarray(keys).tolist(), *rest],
        "torch_generator": torch.get_rng_state().numpy(),
    }


def set_generators(state: dict[str, Any]) -> None:
    """Set the global generators to the states that `get_generators` returned."""
    version, words, gauss = state["python_generator"]
    random.setstate((version, tuple(words), gauss))
    kind, keys, *rest = state["numpy_generator"]
    np.random.set_state((kind, np.array(keys, np.uint32), *rest))
    torch.set_rng_state(torch.from_numpy(state["torch_generator"]))
