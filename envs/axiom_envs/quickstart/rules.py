"""The rules of Quickstart as data: the attributes health, money and age, and two actions."""

from __future__ import annotations

from axiom_gym.config.definitions import (
    MILESTONE,
    PASSIVE,
    RANDOM,
    Action,
    Attribute,
    Event,
    GameConfig,
    PassiveModifier,
)

CONFIG = GameConfig(
    name="quickstart",
    initial_state=lambda: {"health": 80, "money": 500, "age": 18},
    attributes={
        "health": Attribute(0, 100, default=75),
        "money": Attribute(0, 99_999),
        "age": Attribute(0, 120),
    },
    passive_modifiers=[
        PassiveModifier("aging", {"age": 1}),
        PassiveModifier("expenses", {"money": -50}),
    ],
    actions=[
        Action(
            "work",
            label="Go to work",
            text="You worked a full day.",
            effects=[lambda s: {"money": 150}],
        ),
        Action(
            "see_doctor",
            label="See a doctor",
            text="The doctor patches you up.",
            conditions=[lambda s: s["money"] >= 100],
            effects=[lambda s: {"health": 20, "money": -100}],
        ),
    ],
    events=[
        Event(
            "flu",
            base_probability=0.15,
            cooldown=5,
            text="You caught the flu.",
            effects=[lambda s: {"health": -10}],
        ),
        Event(
            "birthday",
            trigger="milestone",
            cooldown=10,
            text=lambda s: f"Happy birthday! You are now {s['age']}.",
            conditions=[lambda s: (s["age"] % 10 == 0) & (s["age"] > 0)],
            effects=[lambda s: {"health": 5}],
        ),
    ],
    tick_order=[PASSIVE, RANDOM, MILESTONE],
)
