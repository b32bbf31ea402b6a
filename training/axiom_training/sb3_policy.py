"""Models that stable-baselines3 or sb3-contrib saved, as opponents.

Every algorithm with discrete actions works: PPO, MaskablePPO, TRPO and A2C sample their actions
under the mask; DQN and QR-DQN take the best legal action, and so does ARS.

Axis letters: R rows, K sub-actions, N choices per sub-action.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from axiom_gym.adapters.actions import ACTION_FORMS, ActionForm
from axiom_gym.adapters.spaces import GAME_KEY, action_space, observation_space
from axiom_gym.errors import CheckpointError
from axiom_gym.game import KernelGame, Layout
from axiom_training.facts import GameFacts
from axiom_training.networks import NoOptimizer
from axiom_training.unpickling import decode
from axiom_training.weights import choose_under_masks, weights_digest


class Sb3Policy:
    """A frozen model of stable-baselines3 as an opponent: `(observations, masks, rng) -> actions`.

    It needs `check_game` before its first call, because a file of stable-baselines3 alone does not
    say which game it plays.

    Attributes:
        facts: the game and the options of the model, if the file has them; else None.
        name: the name in tables.
        deterministic: if True, it chooses the most likely sub-actions; else it samples them with
            random numbers from `rng`. Algorithms that learn values are always deterministic.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        weights: Mapping[str, torch.Tensor],
        name: str,
        facts: GameFacts | None = None,
        *,
        deterministic: bool = False,
        trust: bool = False,
    ) -> None:
        """Build the network.

        Args:
            values: the attributes of the algorithm, as stable-baselines3 writes them as JSON.
            weights: the state dict of its policy.
            name: the name of the model.
            facts: the facts of its game; by default those that our environments write into it.
            deterministic: as the attribute.
            trust: if True, decode classes outside of the usual packages, which can run any code.

        Raises:
            CheckpointError: if the file is damaged, or its algorithm cannot play.
        """
        self.name = name
        self.facts = facts or _read_facts(values, name)
        self._spaces = [
            decode(values, key, name, trust) for key in ("observation_space", "action_space")
        ]
        self._policy = self._build(values, weights, trust)
        learns_values = not hasattr(self._policy, "mlp_extractor")
        self.deterministic = deterministic or learns_values
        self._form: ActionForm | None = None

    def _build(
        self, values: Mapping[str, Any], weights: Mapping[str, torch.Tensor], trust: bool
    ) -> Any:
        kind = decode(values, "policy_class", self.name, trust)
        given = decode(values, "policy_kwargs", self.name, trust)
        known = ("ActorCriticPolicy", "MaskableActorCriticPolicy", "DQNPolicy", "QRDQNPolicy")
        bases = {base.__name__ for base in getattr(kind, "__mro__", ())}
        if "RecurrentActorCriticPolicy" in bases or not bases & {*known, "ARSPolicy"}:
            raise CheckpointError(
                f"model {self.name!r} has the policy {getattr(kind, '__name__', kind)}, which "
                f"cannot play: allowed are {', '.join(known)} and ARSPolicy, without memory."
            )
        has_schedule = "lr_schedule" in inspect.signature(kind).parameters
        extra: dict[str, Any] = {"lr_schedule": lambda _: 0.0} if has_schedule else {}
        if "optimizer_class" in inspect.signature(kind).parameters:
            extra["optimizer_class"] = NoOptimizer
        try:
            with torch.random.fork_rng(devices=[]):
                policy = kind(*self._spaces, **{**(given or {}), **extra})
            policy.load_state_dict(dict(weights))
        except Exception as error:
            # The constructors and PyTorch have no common exception for values that do not fit.
            raise CheckpointError(f"model {self.name!r} cannot be built: {error}") from error
        policy.optimizer = None
        policy.set_training_mode(False)
        policy.requires_grad_(False)
        return policy

    def check_game(self, game: KernelGame, config: Any) -> None:
        """Check that the model can play this game; `axiom_gym.opponents` calls this.

        Raises:
            CheckpointError: if the game, its version or its options are not those in the file, or
                the spaces of observations and actions differ.
        """
        if self.facts is not None:
            self.facts.check_game(game, config, self.name)
        layout = game.layout(config)
        forms = ACTION_FORMS if self.facts is None else (self.facts.actions,)
        for form in (ActionForm(layout, one) for one in forms):
            if _list_sizes(action_space(form)) == _list_sizes(self._spaces[1]):
                if self._spaces[0].shape == tuple(layout.observation_shape):
                    self._form = form
                    return
        raise CheckpointError(
            f"model {self.name!r} {_describe(*self._spaces)}, but "
            f"{game.info.name}-v{game.info.version} {_describe(*_spaces_of(layout))}."
        )

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
            CheckpointError: if `check_game` was not called before.
        """
        form = self._form
        if form is None:
            raise CheckpointError(
                f"model {self.name!r} must know its game before it plays: call check_game."
            )
        tensor = torch.as_tensor(np.ascontiguousarray(observations))
        with torch.no_grad():
            scores = _score(self._policy, tensor).numpy()
        shown = masks if form.shape else form.masks(masks)[:, None]
        source = None if self.deterministic else rng
        chosen = choose_under_masks(scores, form.choices, shown, source)
        return form.sub_actions(chosen if form.shape else chosen[:, 0])

    def digest(self) -> str:
        """Return a hash of the weights; equal policies have equal digests."""
        return weights_digest(self._policy)


def _read_facts(values: Mapping[str, Any], name: str) -> GameFacts | None:
    """Return the facts that our environments write into the observation space, if any."""
    space = values.get("observation_space")
    text = space.get(GAME_KEY) if isinstance(space, dict) else None
    if text is None:
        return None
    try:
        return GameFacts.from_json(json.loads(text))
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"model {name!r}: the facts of its game: {error}") from error


def _score(policy: Any, observations: torch.Tensor) -> torch.Tensor:
    """Return the logits or values of all choices, (R, sum of choices)."""
    scores: torch.Tensor
    if hasattr(policy, "mlp_extractor"):
        features = policy.extract_features(observations, policy.pi_features_extractor)
        scores = policy.action_net(policy.mlp_extractor.forward_actor(features))
    elif hasattr(policy, "q_net"):
        scores = policy.q_net(observations)
    elif hasattr(policy, "quantile_net"):
        scores = policy.quantile_net(observations).mean(dim=1)
    else:
        features = policy.extract_features(observations, policy.features_extractor)
        scores = policy.action_net(features)
    return scores


def _list_sizes(space: Any) -> list[int]:
    """Return the number of choices of each entry of an action; [] if they are not discrete."""
    if hasattr(space, "nvec"):
        return list(space.nvec.ravel().tolist())
    return [int(space.n)] if hasattr(space, "n") and getattr(space, "start", 0) == 0 else []


def _spaces_of(layout: Layout) -> tuple[Any, Any]:
    return observation_space(layout), action_space(ActionForm(layout))


def _describe(observations: Any, actions: Any) -> str:
    return f"has observations of shape {observations.shape} and actions {actions}"
