"""Trained policies as opponents: frozen, loaded from a file, sampling actions under a mask.

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
"""The file inside a saved model that says which game it plays, and how large it is."""

WEIGHTS = "policy.pth"
"""The file inside a saved model that stable-baselines3 writes the weights to."""

FORMAT = 1
"""Rises when `FACTS` changes; other formats are refused."""

_FORBIDDEN = -1e9
_NOT_SAVED = ("_last_obs", "_last_original_obs", "_last_episode_starts", "ep_info_buffer")


class ModelPolicy:
    """A frozen policy as an opponent: `(observations, masks, rng) -> actions`.

    It holds a copy of the weights of its own and never changes. See `axiom_gym.opponents`.

    Attributes:
        facts: which game and options the model was trained on.
        name: for tables.
        deterministic: whether it always gives the likeliest orders, instead of sampling them with
            all chance from `rng`.
    """

    def __init__(
        self,
        facts: ModelFacts,
        weights: Mapping[str, torch.Tensor],
        name: str,
        deterministic: bool = False,
    ) -> None:
        """Copies `weights`, a state dict of `axiom_training.networks.make_policy`.

        Raises:
            CheckpointError: if the weights are not those of a network as `facts` describe it.
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
        """(R, K) int64. observations: (R, *shape) float32. masks: (R, K, N) int8."""
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
        """Makes sure that it was trained on this game; `axiom_gym.opponents` calls it.

        Raises:
            CheckpointError: if it was another game or version, or had other options.
        """
        self.facts.check_game(game, config, self.name)

    def digest(self) -> str:
        """A hash of the weights: equal policies, equal digests."""
        return weights_digest(self._policy)

    def to_bytes(self) -> bytes:
        """The weights, for `from_bytes`."""
        buffer = io.BytesIO()
        torch.save(self._policy.state_dict(), buffer)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, facts: ModelFacts, data: bytes, name: str) -> ModelPolicy:
        """The policy whose weights `to_bytes` gave.

        Raises:
            CheckpointError: if these bytes are no weights of such a policy.
        """
        return cls(facts, read_weights(data, name), name)


def read_weights(data: bytes, name: str) -> Any:
    """What `torch.save` wrote, tensors and plain values only; nothing in it is executed.

    Raises:
        CheckpointError: if the bytes are something else.
    """
    try:
        return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:
        # PyTorch has no class of its own for this, and lets through those of zip and pickle.
        raise CheckpointError(f"the weights of {name!r} cannot be read: {error}") from error


def weights_digest(policy: Any) -> str:
    """12 hex digits of a hash of all weights of a network."""
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
    """Orders under a mask: sampled with numbers from `rng`, or the likeliest ones without it.

    Sampling adds Gumbel noise to the logits, which draws exactly from the softmax.

    Args:
        policy: a `MaskableActorCriticPolicy`.
        observations: (R, *shape) float32.
        masks: (R, K, N) int8.
        rng: where all chance comes from.

    Returns:
        (R, K) int64.
    """
    with torch.no_grad():
        seen = torch.as_tensor(np.ascontiguousarray(observations))
        features = policy.extract_features(seen, policy.pi_features_extractor)
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
    """Choices of each sub-action."""
    return space.nvec.tolist() if hasattr(space, "nvec") else [int(space.n)]


def save_model(model: MaskablePPO, path: Path, facts: ModelFacts, **more: Any) -> None:
    """Saves a model, whole or not at all, as a file that `MaskablePPO.load` reads as well.

    Args:
        model: what was trained.
        path: the file.
        facts: of its game.
        **more: further plain values to keep with them.
    """
    text = json.dumps({"format": FORMAT, **facts.to_json(), **more}, sort_keys=True)
    with replacing(path) as file:
        model.save(file, exclude=_NOT_SAVED)
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(FACTS, text)


def load_policy(path: Path | str) -> ModelPolicy:
    """A saved model as an opponent. The core calls this for paths that end in `.zip`.

    Of the file only the facts and the weights are read, and nothing in it is executed: a model from
    elsewhere can be loaded without trusting it.

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
