"""The configs of the games recorded with the original engine.

They use the functions that the compiler knows where possible; numbers in texts print as integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    HistoryEntry,
    PassiveModifier,
    PhaseResult,
)
from axiom_gym.config.expressions import where

SEASONS = ("spring", "summer", "autumn", "winter")

quickstart = GameConfig(
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
        Action("work", text="You worked a full day.", effects=[lambda s: {"money": 150}]),
        Action(
            "see_doctor",
            text="The doctor patches you up.",
            effects=[lambda s: {"health": 20, "money": -100}],
            conditions=[lambda s: s["money"] >= 100],
        ),
    ],
    events=[
        Event(
            "flu",
            text="You caught the flu.",
            base_probability=0.15,
            cooldown=5,
            effects=[lambda s: {"health": -10}],
        ),
        Event(
            "birthday",
            trigger="milestone",
            text=lambda s: f"Happy birthday! You are now {s['age']}.",
            conditions=[lambda s: (s["age"] % 10 == 0) & (s["age"] > 0)],
            cooldown=10,
            effects=[lambda s: {"health": 5}],
        ),
    ],
)


def _has_amount(s: Mapping[str, Any], ctx: Any) -> bool:
    return ctx is not None and isinstance(ctx.get("amount"), (int, float))


stress_town = GameConfig(
    name="stress_town",
    undo_depth=3,
    initial_state=lambda: {"stress": 40, "money": 300, "karma": 10, "job": "clerk", "age": 16},
    attributes={
        "stress": Attribute(0, 100, default=50),
        "money": Attribute(0, 5000, default=100),
        "karma": Attribute(-50, 50),
        "age": Attribute(0, 90, default=20),
        "energy": Attribute(0, 20, default=12),
    },
    choices={"job": Choice("clerk", "boss", "none")},
    passive_modifiers=[
        PassiveModifier("aging", {"age": 1}, condition=lambda s: s["tick"] % 4 == 0),
        PassiveModifier(
            "wage",
            lambda s: {"money": where(s["job"] == "boss", 60, where(s["job"] == "clerk", 25, 0))},
        ),
        PassiveModifier("burnout", {"energy": -3, "karma": -1}, lambda s: s["stress"] > 80),
        PassiveModifier(
            "rest",
            lambda s: {"energy": where(s["stress"] > 60, 1, 2), "stress": -1},
            condition=lambda s: s["energy"] < 20,
        ),
    ],
    actions=[
        Action(
            "work",
            text="You worked.",
            conditions=[lambda s: s["energy"] >= 3, lambda s: s["job"] != "none"],
            effects=[{"money": 50, "energy": -3, "stress": 8}],
        ),
        Action("rest", text="You rested.", effects=[{"energy": 5, "stress": -10}]),
        Action(
            "drink",
            text="You had a drink.",
            restrictions=[lambda s: s["age"] < 18],
            conditions=[lambda s: s["money"] >= 10],
            effects=[{"money": -10, "stress": -15, "karma": -2}],
        ),
        Action(
            "donate",
            text=lambda s: f"Donated with {s['money']} in hand.",
            conditions=[_has_amount, lambda s, ctx: s["money"] >= ctx["amount"]],
            effects=[lambda s, ctx: {"money": -ctx["amount"]}, {"karma": 1}],
        ),
        Action(
            "find_job",
            text="Hired as a clerk.",
            conditions=[lambda s: s["job"] == "none"],
            effects=[{"job": "clerk"}],
        ),
        Action(
            "freeze",
            text="Everything stops.",
            effects=[lambda s: {"frozenUntil": s["tick"] + 3}],
        ),
        Action(
            "smuggle",
            text="You smuggled.",
            restrictions=[lambda s: True],
            conditions=[lambda s: False],
            effects=[{"money": 1000}],
        ),
        Action(
            "panic",
            text=lambda s: f"Panic at {s['stress']}.",
            effects=[{"stress": 30}, lambda s: {"energy": where(s["stress"] >= 100, -5, -1)}],
        ),
    ],
    events=[
        Event(
            "promotion",
            base_probability=0.08,
            cooldown=6,
            text=lambda s: f"Promoted at age {s['age']}, stress {s['stress']}.",
            conditions=[lambda s: s["job"] == "clerk", lambda s: s["karma"] >= 0],
            effects=[
                {"job": "boss", "stress": 15},
                lambda s: {"money": where(s["stress"] > 50, 100, 50)},
            ],
        ),
        Event(
            "positive_gift",
            base_probability=0.2,
            cooldown=2,
            text="A gift arrives.",
            effects=[{"money": 40, "karma": 2}],
        ),
        Event(
            "accident",
            base_probability=0.1,
            text=lambda s: f"Accident! stress was {s['stress']}",
            conditions=[lambda s: s["energy"] < 10],
            effects=[{"stress": 25, "energy": -4}],
        ),
        Event(
            "fired",
            base_probability=0.5,
            cooldown=3,
            text="You are fired.",
            restrictions=[lambda s: s["karma"] > 20],
            conditions=[lambda s: s["stress"] >= 90],
            effects=[{"job": "none"}],
        ),
        Event(
            "burned_out",
            trigger="milestone",
            cooldown=5,
            text="You burn out.",
            conditions=[lambda s: s["stress"] >= 100],
            effects=[{"stress": -50, "job": "none"}],
        ),
        Event(
            "saint",
            trigger="milestone",
            cooldown=1000,
            text=lambda s: f"A saint at {s['age']}.",
            conditions=[lambda s: s["karma"] >= 40],
            restrictions=[lambda s: s["age"] < 18],
            effects=[{"title": "saint"}],
        ),
        Event(
            "rich",
            trigger="milestone",
            text="You are rich.",
            conditions=[lambda s: s["money"] >= 2000],
            effects=[{"money": -250, "karma": 5}],
        ),
    ],
    restrictions=[lambda s: s["tick"] < s.get("frozenUntil", 0)],
    probability_modifiers=[
        lambda s, p, e: where(s["stress"] > 80, p * 3, p),
        lambda s, p, e: where(e.id.startswith("positive_") & (s["karma"] > 5), p * 1.5, p),
        lambda s, p, e: p + 0.05 * (10 - s["energy"]) if e.id == "accident" else p,
        lambda s, p, e: where(s["karma"] < -20, p - 0.3, p),
        lambda s, p, e: where((e.id == "fired") & (s["job"] == "boss"), p - 0.8, p),
    ],
)


def _census(s: Mapping[str, Any], config: GameConfig, tick: int) -> PhaseResult:
    if tick % 5 != 0:
        return PhaseResult(s)
    meta = {**s["meta"], "census": s["people"], "censusTick": tick}
    entry = HistoryEntry(tick, "census", "Counted", 0.0)
    return PhaseResult({**s, "people": s["people"] + 1, "meta": meta}, [entry])


def _decree(s: Mapping[str, Any], config: GameConfig, tick: int) -> PhaseResult:
    if s["unrest"] < 8:
        return PhaseResult({**s, "season": SEASONS[tick % 4]})
    history = [*s["history"], HistoryEntry(tick, "decree", "Decree issued", 0.0)]
    return PhaseResult({**s, "season": "winter", "history": history})


kingdom = GameConfig(
    name="kingdom",
    initial_state=lambda: {
        "gold": 150,
        "people": 250,
        "season": "spring",
        "flags": {"crowned": False},
    },
    attributes={
        "gold": Attribute(0, 1000, default=100),
        "people": Attribute(0, 200, default=50),
        "unrest": Attribute(0, 10, default=1),
    },
    custom_phases={"census": _census, "decree": _decree},
    passive_modifiers=[
        PassiveModifier("upkeep", lambda s: {"gold": -(s["people"] // 20)}),
        PassiveModifier("growth", {"people": 2}, lambda s: s["unrest"] < 5),
        PassiveModifier("calm", {"unrest": -1}, lambda s: s["tick"] % 2 == 0),
    ],
    actions=[
        Action("tax_hard", text="Heavy taxes.", effects=[{"gold": 80, "unrest": 3}]),
        Action(
            "feast",
            text=lambda s: f"A feast in {s['season']}.",
            conditions=[lambda s: s["gold"] >= 60],
            effects=[{"gold": -60, "unrest": -4}],
        ),
        Action(
            "recruit",
            text="Recruits arrive.",
            conditions=[lambda s: s["people"] >= 10],
            effects=[lambda s: {"army": s.get("army", 0) + 10, "people": -10}],
        ),
        Action(
            "crown",
            text=lambda s: f"Crowned with {s['gold']} gold.",
            restrictions=[lambda s: s["flags"]["crowned"]],
            conditions=[lambda s: s["gold"] >= 200],
            effects=[{"flags": {"crowned": True}}],
        ),
        Action(
            "war",
            text="War!",
            conditions=[lambda s: s.get("army", 0) >= 20],
            effects=[lambda s: {"army": s["army"] - 20, "gold": 150}, {"unrest": 1}],
        ),
        Action("noop", text="Nothing happens."),
        Action("exile", text=lambda s: f"Exile of {s['people']}.", effects=[{"people": -75}]),
    ],
    events=[
        Event(
            "harvest",
            base_probability=0.4,
            cooldown=0,
            text=lambda s: f"Harvest of {s['season']}",
            effects=[{"gold": 30}],
        ),
        Event(
            "revolt",
            trigger="milestone",
            cooldown=1,
            text=lambda s: f"Revolt! unrest {s['unrest']}",
            conditions=[lambda s: s["unrest"] >= 5],
            effects=[{"unrest": -1, "gold": -40}],
        ),
        Event(
            "plague",
            base_probability=0.15,
            cooldown=4,
            text="Plague!",
            conditions=[lambda s: s["season"] == "winter"],
            effects=[{"people": -20, "unrest": 2}, lambda s: {"gold": -(s["people"] // 10)}],
        ),
        Event(
            "tax",
            trigger="milestone",
            cooldown=0,
            text="Emergency tax.",
            conditions=[lambda s: s["gold"] < 50],
            effects=[{"gold": 20, "unrest": 1}],
        ),
        Event(
            "jubilee",
            trigger="milestone",
            text="Jubilee",
            conditions=[lambda s: s["tick"] % 7 == 0],
        ),
        Event(
            "coronation",
            trigger="milestone",
            cooldown=1000,
            text="Coronation.",
            conditions=[lambda s: not s["flags"]["crowned"], lambda s: s["gold"] >= 400],
            effects=[{"flags": {"crowned": True}, "title": "king"}],
        ),
        Event(
            "crowding",
            base_probability=1.0,
            cooldown=3,
            text=lambda s: f"Crowding: {s['people']}",
            restrictions=[lambda s: s["people"] < 100],
            effects=[{"unrest": 1}],
        ),
    ],
    restrictions=[lambda s: s["people"] <= 0],
    tick_order=[
        "milestoneEventPhase",
        "census",
        "randomEventPhase",
        "passiveModifierPhase",
        "milestoneEventPhase",
        "decree",
    ],
)
