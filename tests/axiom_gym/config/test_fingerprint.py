"""The hash of a game's rules: changes that alter it, and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiom_gym.config import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
    where,
)
from axiom_gym.config.fingerprint import fingerprint


def config(**parts: Any) -> GameConfig:
    return GameConfig(
        **{
            "initial_state": lambda: {"n": 3, "list": [1]},
            "attributes": {"a": Attribute(0, 9)},
            "choices": {"job": Choice("clerk", "boss")},
            "actions": [Action("act", effects=[lambda s: {"a": s["n"] * 2}])],
            "events": [Event("flu", base_probability=0.5, cooldown=3, effects=[{"a": 1}])],
            **parts,
        }
    )


BASE = fingerprint(config())


def doubled(state: Any) -> Any:
    """Compute the same delta as the config's own rule, with other code."""
    twice = 2
    return {"a": state["n"] * twice}


@pytest.mark.parametrize(
    "same",
    [
        config(),
        config(actions=[Action("act", effects=[doubled])]),
        config(actions=[Action("act", label="Act!", text="You act.", effects=[doubled])]),
        config(name="another name", undo_depth=3),
    ],
)
def test_fingerprint__stays(same: GameConfig) -> None:
    assert fingerprint(same) == BASE


def act(effect: Any, **parts: Any) -> GameConfig:
    return config(actions=[Action("act", effects=[effect], **parts)])


def untraceable(limit: int) -> Callable[[Any], Any]:
    return lambda s: {"a": 1} if s["n"] > limit else {}


DIFFERENT = [
    config(initial_state=lambda: {"n": 4, "list": [1]}),
    config(initial_state=lambda: {"n": 3, "list": [2]}),
    config(attributes={"a": Attribute(0, 8)}),
    config(choices={"job": Choice("boss", "clerk")}),
    config(tick_order=["randomEventPhase"]),
    config(events=[]),
    config(events=[Event("flu", base_probability=0.5, cooldown=2, effects=[{"a": 1}])]),
    config(events=[Event("flu", base_probability=0.4, cooldown=3, effects=[{"a": 1}])]),
    config(events=[Event("flu", base_probability=0.5, cooldown=3, effects=[{"a": 2}])]),
    config(events=[Event("flu", "milestone", base_probability=0.5, cooldown=3,
                         effects=[{"a": 1}])]),
    config(restrictions=[lambda s: s["n"] > 5]),
    config(probability_modifiers=[lambda s, p, e: p * 2]),
    config(probability_modifiers=[lambda s, p, e: p * 3]),
    config(passive_modifiers=[PassiveModifier("rent", {"a": -1})]),
    config(passive_modifiers=[PassiveModifier("rent", {"a": -1}, lambda s: s["n"] > 1)]),
    config(custom_phases={"own": lambda s, c, t: PhaseResult({**s, "n": t})}, tick_order=["own"]),
    config(custom_phases={"own": lambda s, c, t: PhaseResult({**s, "n": 5})}, tick_order=["own"]),
    act(doubled, conditions=[lambda s: s["n"] > 1]),
    act(doubled, conditions=[lambda s: s["n"] > 2]),
    act(doubled, restrictions=[lambda s: s["n"] > 1]),
    act(lambda s: {"a": s["n"] * 3}),
    act(lambda s: {"a": s["n"] * 2.0}),
    act(lambda s: {"a": s["n"] + 2}),
    act(lambda s: {"a": 2 - s["n"]}),
    act(lambda s: {"a": s["n"] - 2}),
    act(lambda s: {"n": s["n"] * 2}),
    act(untraceable(1)),
    act(untraceable(2)),
    act(lambda s, ctx: {"a": 1}),
    act(lambda s, ctx: {"a": 2}),
]  # fmt: skip


def test_fingerprint__changes_with_every_rule() -> None:
    found = {fingerprint(different) for different in DIFFERENT}
    assert len(found) == len(DIFFERENT)
    assert BASE not in found


def test_fingerprint__depends_on_all_of_a_deep_expression() -> None:
    # The hash once used the text of an expression, which omits deep parts.
    def deep(last: int) -> Callable[[Any], Any]:
        def effect(s: Any) -> Any:
            value = where(s["n"] > last, s["a"], 0.5)
            for _ in range(200):
                value = value / 2 + value
            return {"a": value}

        return effect

    assert fingerprint(act(deep(1))) == fingerprint(act(deep(1)))
    assert fingerprint(act(deep(1))) != fingerprint(act(deep(2)))


def test_fingerprint__of_a_config_that_cannot_be_compiled() -> None:
    huge = config(
        attributes={"a": Attribute(0, 10**400)},
        events=[Event("once", cooldown=10**30)],
        initial_state=lambda: {"<n>": 1},
    )
    assert len(fingerprint(huge)) == 16
    assert fingerprint(huge) != BASE


def test_fingerprint__is_the_same_in_every_process(python: Callable[..., str]) -> None:
    code = """
from axiom_gym.config import *
from axiom_gym.config.fingerprint import fingerprint
print(fingerprint(GameConfig(
    lambda: {"b": 1, "a": 2}, {"x": Attribute(0, 9), "y": Attribute(0, 9)},
    choices={"c": Choice("u", "v", None)},
    passive_modifiers=[PassiveModifier("p", lambda s: {k: s[k] * 2 for k in ("x", "y")})],
    actions=[Action("q", effects=[lambda s: {"x": 1} if s["c"] in {"u", "v"} else {}])])))
"""
    assert len({python(code, PYTHONHASHSEED=str(seed)) for seed in range(3)}) == 1
