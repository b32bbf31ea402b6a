"""Trained policies as opponents: load a saved model, freeze the present one, sample actions under a mask.

Axis letters: R rows, K orders, N choices per order.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from axiom_gym.errors import CheckpointError
from axiom_gym.files import replacing

FACTS = "axiom_gym.json"
"""The file inside a saved model that says which game it plays."""

_FORBIDDEN = -1e9


class ModelPolicy:
    """A frozen policy as an opponent: `(observations, masks, rng) -> actions`; see `axiom_gym.opponents`.

    It holds a copy of the weights of its own and never changes. Actions are sampled, with all chance from `rng`.

    Attributes:
        name: for tables.
        facts: which game, version and options the model was trained on.
    """

    def __init__(self, policy: Any, facts: dict[str, Any], name: str, deterministic: bool = False) -> None:
        """Freezes a copy of a MaskablePPO's `policy`."""
        self.facts = facts
        self.name = name
        self.deterministic = deterministic
        self._policy = _frozen_copy(policy)

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """(R, K) int64. observations: (R, *shape) float32. masks: (R, K, N) int8."""
        return choose(self._policy, observations, masks, None if self.deterministic else rng)

    def digest(self) -> str:
        """A hash of the weights: equal policies, equal digests."""
        return weights_digest(self._policy)

    def to_bytes(self) -> bytes:
        """The weights, for `load_weights`."""
        buffer = io.BytesIO()
        torch.save(self._policy.state_dict(), buffer)
        return buffer.getvalue()

    def load_weights(self, data: bytes) -> None:
        """Takes the weights of `to_bytes` of a policy of the same shape."""
        self._policy.load_state_dict(torch.load(io.BytesIO(data), weights_only=True))


def _frozen_copy(policy: Any) -> Any:
    """A policy of the same kind with copied weights and without gradients."""
    arguments = policy._get_constructor_parameters()
    copy = type(policy)(**arguments)
    copy.load_state_dict(policy.state_dict())
    copy.optimizer = None
    copy.set_training_mode(False)
    for parameter in copy.parameters():
        parameter.requires_grad_(False)
    return copy


def weights_digest(policy: Any) -> str:
    """12 hex digits of a hash of all weights."""
    digest = hashlib.sha256()
    for name, tensor in sorted(policy.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().numpy().tobytes())
    return digest.hexdigest()[:12]


def choose(
    policy: Any,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.int8],
    rng: np.random.Generator | None,
) -> npt.NDArray[np.int64]:
    """Orders under a mask: sampled with numbers from `rng`, or the likeliest ones without it.

    observations: (R, *shape) float32. masks: (R, K, N) int8. Returns (R, K) int64. Sampling adds Gumbel noise to the logits,
    which draws exactly from the softmax.
    """
    rows, orders, choices = masks.shape
    with torch.no_grad():
        features = policy.extract_features(torch.as_tensor(np.ascontiguousarray(observations)), policy.pi_features_extractor)
        logits = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
    padded = np.full((rows, orders, choices), _FORBIDDEN, np.float32)
    widths = _widths(policy, orders)
    start = 0
    for k, width in enumerate(widths):
        padded[:, k, :width] = logits[:, start : start + width]
        start += width
    if rng is not None:
        padded += rng.gumbel(size=padded.shape).astype(np.float32)
    chosen: npt.NDArray[np.int64] = np.where(masks != 0, padded, 2 * _FORBIDDEN).argmax(axis=-1)
    return chosen


def _widths(policy: Any, orders: int) -> list[int]:
    """Choices of each order, from the policy's action space."""
    space = policy.action_space
    widths = space.nvec.tolist() if hasattr(space, "nvec") else [int(space.n)]
    if len(widths) != orders:
        raise CheckpointError(f"this model gives {len(widths)} orders a turn, but the game wants {orders}.")
    return widths


def save_model(model: MaskablePPO, path: Path, facts: dict[str, Any]) -> None:
    """Saves a model with the facts of its game, whole or not at all."""
    with replacing(path) as file:
        model.save(file)
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(FACTS, json.dumps(facts, sort_keys=True))


def read_facts(path: Path) -> dict[str, Any]:
    """Which game a saved model plays.

    Raises:
        CheckpointError: if the file is damaged or was not saved by Axiom Gym.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            if broken is not None:
                raise CheckpointError(f"model {str(path)!r} is damaged: {broken} inside it does not fit its checksum.")
            facts: dict[str, Any] = json.loads(archive.read(FACTS))
            return facts
    except KeyError as error:
        raise CheckpointError(f"{str(path)!r} does not say which game it plays; it was not saved by axiom-gym train.") from error
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"model {str(path)!r} cannot be read: {error}.") from error


def load_model(path: Path) -> MaskablePPO:
    """A saved model, for further training or inspection.

    Raises:
        CheckpointError: if the file is damaged or was not saved by Axiom Gym.
    """
    read_facts(path)
    try:
        return MaskablePPO.load(path, device="cpu")
    except Exception as error:
        # Whatever stable-baselines3 meets in a file that it did not write comes out as some exception of its own.
        raise CheckpointError(f"model {str(path)!r} cannot be loaded: {error}.") from error


def load_policy(path: Path | str) -> ModelPolicy:
    """A saved model as an opponent. The core calls this for paths that end in `.zip`.

    Raises:
        CheckpointError: if the file is damaged or was not saved by Axiom Gym.
    """
    path = Path(path)
    model = load_model(path)
    return ModelPolicy(model.policy, read_facts(path), path.stem)
