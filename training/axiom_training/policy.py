"""Trained policies as opponents: frozen networks that sample actions under a mask.

Axis letters: R rows, K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from axiom_gym.errors import AxiomError, CheckpointError
from axiom_gym.files import replacing
from axiom_gym.game import KernelGame
from axiom_training.archive import read_json, read_parts
from axiom_training.facts import ModelFacts
from axiom_training.networks import make_policy

FACTS = "axiom_gym.json"
"""The file inside a saved model with the facts of its game and network."""

WEIGHTS = "policy.pth"
"""The file inside a saved model with the weights, as stable-baselines3 writes them."""

FORMAT = 1
"""The version of the contents of `FACTS`; other versions are refused."""

_FORBIDDEN = -1e9
_NOT_SAVED = ("_last_obs", "_last_original_obs", "_last_episode_starts", "ep_info_buffer")


class ModelPolicy:
    """A frozen policy as an opponent: `(observations, masks, rng) -> actions`.

    It has its own copy of the weights and never changes. See `axiom_gym.opponents`.

    Attributes:
        facts: the game and the options that the model was trained on.
        name: the name in tables.
        deterministic: if True, it chooses the most likely sub-actions; else it samples them with
            random numbers from `rng`.
    """

    def __init__(
        self,
        facts: ModelFacts,
        weights: Mapping[str, torch.Tensor],
        name: str,
        deterministic: bool = False,
    ) -> None:
        """Copy `weights`, a state dict of `axiom_training.networks.make_policy`.

        Raises:
            CheckpointError: if the weights do not fit the network that `facts` describe.
        """
        self.facts = facts
        self.name = name
        self.deterministic = deterministic
        self._policy = make_policy(facts.observation_shape, facts.num_choices, facts.network)
        try:
            self._policy.load_state_dict(dict(weights))
        except (AttributeError, RuntimeError, TypeError) as error:
            raise CheckpointError(f"the weights of model {name!r} do not fit: {error}") from error

    def __call__(
        self,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.int8],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Return sub-actions (R, K) int64.

        Args:
            observations: (R, *shape) float32.
            masks: (R, K, N) int8.
            rng: the source of random numbers; unused if the policy is deterministic.

        Raises:
            CheckpointError: if the shapes are not those of the model's game.
        """
        shape, choices = self.facts.observation_shape, self.facts.num_choices
        sub_actions = (len(choices), max(choices))
        if observations.shape[1:] != shape or masks.shape[1:] != sub_actions:
            raise CheckpointError(
                f"model {self.name!r} plays {self.facts.game} with observations {shape} and "
                f"choices {choices}, got observations {observations.shape[1:]} and "
                f"masks {masks.shape[1:]}."
            )
        return choose(self._policy, observations, masks, None if self.deterministic else rng)

    def check_game(self, game: KernelGame, config: Any) -> None:
        """Check that the model was trained on this game; `axiom_gym.opponents` calls this.

        Raises:
            CheckpointError: if the game, its version or its options differ.
        """
        self.facts.check_game(game, config, self.name)

    def digest(self) -> str:
        """Return a hash of the weights; equal policies have equal digests."""
        return weights_digest(self._policy)

    def to_bytes(self) -> bytes:
        """Return the weights for `from_bytes`."""
        buffer = io.BytesIO()
        torch.save(self._policy.state_dict(), buffer)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, facts: ModelFacts, data: bytes, name: str) -> ModelPolicy:
        """Return the policy with the weights that `to_bytes` returned.

        Raises:
            CheckpointError: if the bytes are not the weights of such a policy.
        """
        return cls(facts, read_weights(data, name), name)


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


def choose(
    policy: Any,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.int8],
    rng: np.random.Generator | None,
) -> npt.NDArray[np.int64]:
    """Sample sub-actions under a mask, or choose the most likely ones if `rng` is None.

    Adding Gumbel noise to the logits and taking the maximum samples exactly from the softmax.

    Args:
        policy: a `MaskableActorCriticPolicy`.
        observations: (R, *shape) float32.
        masks: (R, K, N) int8.
        rng: the source of all random numbers, or None.

    Returns:
        (R, K) int64.
    """
    with torch.no_grad():
        tensor = torch.as_tensor(np.ascontiguousarray(observations))
        features = policy.extract_features(tensor, policy.pi_features_extractor)
        logits = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
    padded = np.full(masks.shape, _FORBIDDEN, np.float32)
    start = 0
    for k, width in enumerate(_widths(policy.action_space)):
        padded[:, k, :width] = logits[:, start : start + width]
        start += width
    if rng is not None:
        padded += rng.gumbel(size=padded.shape).astype(np.float32)
    chosen: npt.NDArray[np.int64] = np.where(masks != 0, padded, 2 * _FORBIDDEN).argmax(axis=-1)
    return chosen


def _widths(space: Any) -> list[int]:
    """Return the number of choices of each sub-action."""
    return space.nvec.tolist() if hasattr(space, "nvec") else [int(space.n)]


def save_model(model: MaskablePPO, path: Path, facts: ModelFacts, **more: Any) -> None:
    """Save a model atomically, in a file that `MaskablePPO.load` can read too.

    Args:
        model: the trained model.
        path: the file.
        facts: the facts of its game.
        **more: other plain values to store with the facts.
    """
    text = json.dumps({"format": FORMAT, **facts.to_json(), **more}, sort_keys=True)
    with replacing(path) as file:
        model.save(file, exclude=_NOT_SAVED)
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(FACTS, text)


def load_policy(path: Path | str) -> ModelPolicy:
    """Load a saved model as an opponent. The core calls this for paths that end in `.zip`.

    Only the facts and the weights are read, and no code in the file is executed, so models from
    untrusted sources are safe to load.

    Raises:
        CheckpointError: if the file is damaged or was not saved by `save_model`.
    """
    path = Path(path)
    parts = read_parts(path, "model")
    values = read_json(parts, FACTS, path, "model")
    if values.get("format") != FORMAT:
        raise CheckpointError(
            f"model {str(path)!r} has format {values.get('format')!r}; this version reads {FORMAT}."
        )
    if WEIGHTS not in parts:
        raise CheckpointError(
            f"{str(path)!r} is no model of Axiom Gym: {WEIGHTS} is missing in it."
        )
    try:
        facts = ModelFacts.from_json(values)
        return ModelPolicy.from_bytes(facts, parts[WEIGHTS], path.name)
    except AxiomError as error:
        raise CheckpointError(f"model {str(path)!r}: {error}") from error
