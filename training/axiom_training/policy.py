"""Trained policies as opponents: frozen networks that sample actions under a mask.

Axis letters: R rows, K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.base_class import BaseAlgorithm

from axiom_gym.errors import AxiomError, CheckpointError
from axiom_gym.files import replacing
from axiom_gym.game import KernelGame
from axiom_training.archive import read_json, read_parts
from axiom_training.facts import GameFacts, ModelFacts
from axiom_training.networks import make_policy
from axiom_training.sb3_policy import Sb3Policy
from axiom_training.weights import choose_under_masks, read_weights, weights_digest

FACTS = "axiom_gym.json"
"""The file inside a saved model with the facts of its game and network."""

WEIGHTS = "policy.pth"
"""The file inside a saved model with the weights, as stable-baselines3 writes them."""

DESCRIPTION = "data"
"""The file inside a saved model in which stable-baselines3 describes the algorithm."""

FORMAT = 1
"""The version of the contents of `FACTS`; other versions are refused."""

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
    return choose_under_masks(logits, _widths(policy.action_space), masks, rng)


def _widths(space: Any) -> list[int]:
    """Return the number of choices of each sub-action."""
    return space.nvec.tolist() if hasattr(space, "nvec") else [int(space.n)]


def save_model(model: BaseAlgorithm, path: Path | str, facts: GameFacts, **more: Any) -> None:
    """Save a model with the facts of its game, in a file that its algorithm can load too.

    A model that was trained on one of our environments needs no more than its own `save`, because
    the environment's spaces name the game. This function does the same for models that were trained
    on other environments with the same spaces, such as wrappers.

        facts = GameFacts.of("connect_four", {"obs": "planes"})
        save_model(model, "model.zip", facts)

    The file is replaced as a whole or not at all.

    Args:
        model: the trained model.
        path: the file.
        facts: the facts of its game.
        **more: other plain values to store with the facts.
    """
    text = json.dumps({"format": FORMAT, **facts.to_json(), **more}, sort_keys=True)
    with replacing(Path(path)) as file:
        model.save(file, exclude=_NOT_SAVED)
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(FACTS, text)


def load_policy(path: Path | str, *, trust: bool = False) -> ModelPolicy | Sb3Policy:
    """Load a saved model as an opponent. The core calls this for paths that end in `.zip`.

    The file is one of `save_model`, of `axiom-gym train`, or of a model of stable-baselines3 or
    sb3-contrib. Only the facts, the weights and the description of the network are read. No code in
    the file is executed, so models from untrusted sources are safe to load.

    Args:
        path: the file.
        trust: if True, the description of a model of stable-baselines3 may name any class, such as
            a network of your own. Such a file can run any code.

    Raises:
        CheckpointError: if the file is damaged or is no such model.
    """
    path = Path(path)
    parts = read_parts(path, "model")
    if FACTS not in parts and DESCRIPTION not in parts:
        raise CheckpointError(
            f"{str(path)!r} is no model of Axiom Gym or stable-baselines3: neither {FACTS} nor "
            f"{DESCRIPTION} is in it."
        )
    if WEIGHTS not in parts:
        raise CheckpointError(f"{str(path)!r} is no model: {WEIGHTS} is missing in it.")
    values = read_json(parts, FACTS, path, "model") if FACTS in parts else {}
    if FACTS in parts and values.get("format") != FORMAT:
        raise CheckpointError(
            f"model {str(path)!r} has format {values.get('format')!r}; this version reads {FORMAT}."
        )
    try:
        if "network" in values:
            facts = ModelFacts.from_json(values)
            return ModelPolicy.from_bytes(facts, parts[WEIGHTS], path.name)
        own = GameFacts.from_json(values) if values else None
        described = read_json(parts, DESCRIPTION, path, "model")
        weights = read_weights(parts[WEIGHTS], path.name)
        return Sb3Policy(described, weights, path.name, own, trust=trust)
    except AxiomError as error:
        raise CheckpointError(f"model {str(path)!r}: {error}") from error
