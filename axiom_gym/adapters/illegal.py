"""The warning about a learner's first illegal action."""

from __future__ import annotations

import warnings

from axiom_gym.errors import IllegalActionWarning

_EFFECTS = {
    "forfeit": "it ended the episode as a loss",
    "noop": "it was left out, so an agent that repeats it may play forever",
}

_has_warned = False


def warn_illegal(policy: str, stacklevel: int) -> None:
    """Warn about an illegal action, at the first call in this process.

    Args:
        policy: the environment's policy for illegal actions, "forfeit" or "noop".
        stacklevel: the argument of `warnings.warn`, so that the warning names the call of `step`.
    """
    global _has_warned
    if _has_warned:
        return
    _has_warned = True
    warnings.warn(
        f"the learner chose an illegal action: {_EFFECTS[policy]} (on_illegal={policy!r}). Choose "
        'where the mask is 1: info["action_mask"], env.action_masks() for sb3-contrib, or '
        "envs.sample_actions() for random actions. This is said once per process; "
        "warnings.filterwarnings('ignore', category=axiom_gym.errors.IllegalActionWarning) "
        "silences it.",
        IllegalActionWarning,
        stacklevel=stacklevel,
    )
