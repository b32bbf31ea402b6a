"""Weights of networks, and the choice of actions from a network's scores."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from axiom_gym.errors import CheckpointError

_FORBIDDEN = -1e9


def read_weights(data: bytes, name: str) -> Any:
    """Decode the bytes of `torch.save`: only tensors and plain values, without executing code.

    Raises:
        CheckpointError: if the bytes cannot be decoded.
    """
    try:
        return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:
        # PyTorch has no exception class of its own for this; those of zip and pickle propagate.
        raise CheckpointError(f"the weights of {name!r} cannot be read: {error}") from error


def weights_digest(policy: Any) -> str:
    """Return 12 hex digits of a hash of all weights of a network."""
    digest = hashlib.sha256()
    for name, tensor in sorted(policy.state_dict().items()):
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(tensor.cpu().numpy().tobytes())
    return digest.hexdigest()[:12]


def choose_under_masks(
    scores: npt.NDArray[np.float32],
    widths: Sequence[int],
    masks: npt.NDArray[np.int8],
    rng: np.random.Generator | None,
) -> npt.NDArray[np.int64]:
    """Sample legal choices with the softmax of scores, or take the best ones if `rng` is None.

    Adding Gumbel noise to the scores and taking the maximum samples exactly from the softmax.

    Args:
        scores: (R, sum of widths) float32.
        widths: the number of choices of each of K entries.
        masks: (R, K, N) int8.
        rng: the source of all random numbers, or None.

    Returns:
        (R, K) int64.
    """
    padded = np.full(masks.shape, _FORBIDDEN, np.float32)
    start = 0
    for k, width in enumerate(widths):
        padded[:, k, :width] = scores[:, start : start + width]
        start += width
    if rng is not None:
        padded += rng.gumbel(size=padded.shape).astype(np.float32)
    chosen: npt.NDArray[np.int64] = np.where(masks != 0, padded, 2 * _FORBIDDEN).argmax(axis=-1)
    return chosen
