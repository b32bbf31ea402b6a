"""Configs of recorded games that validation would refuse, and a tiny valid one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axiom_gym.config.definitions import (
    Action,
    Attribute,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
)


def _reactor(s: Mapping[str, Any], config: GameConfig, tick: int) -> PhaseResult:
    if s["fuel"] == 0 and s["heat"] < 40:
        raise RuntimeError("Reactor stalled")
    if s["heat"] > 90:
        return PhaseResult({**s, "heat": 85, "vents": s.get("vents", 0) + 1})
    return PhaseResult(s)


def _blow_up(s: Mapping[str, Any]) -> dict[str, Any]:
    if s["heat"] >= 100:
        raise RuntimeError(f"Boom at heat {s['heat']}")
    return {"power": -1}


def _no_text(s: Mapping[str, Any]) -> str:
    if s["power"] < 8:
        raise RuntimeError("No text")
    return f"Power {s['power']}"


def _sense(s: Mapping[str, Any]) -> bool:
    if s["heat"] > 95:
        raise RuntimeError("Sensor failure")
    return bool(s["heat"] > 50)


broken_lab = GameConfig(
    name="broken_lab",
    undo_depth=1,
    initial_state=lambda: {
        "power": "high",
        "heat": 150,
        "fuel": None,
        "weird": 2,
        "label": "lab",
        "tick": 77,
        "history": ["x"],
        "meta": {"a": 1},
        "cooldowns": {"spark": 900},
    },
    attributes={
        "power": Attribute(-10, 10, default=99),
        "heat": Attribute(0, 100, default=20),
        "fuel": Attribute(0, 50, default=5),
        "weird": Attribute(5, 1, default=3),
        "spare": Attribute(0, 3, default=-7),
    },
    custom_phases={"reactor": _reactor},
    passive_modifiers=[
        PassiveModifier("cool", {"heat": -6}),
        PassiveModifier("leak", {"fuel": -3}, lambda s: s["fuel"] > 0),
        PassiveModifier(
            "bogus",
            {"tick": 50, "history": [], "cooldowns": {"x": 1}, "meta": {"z": 1}, "note": "n"},
        ),
        PassiveModifier("zero_power", {"power": 0}, lambda s: s["tick"] == 3),
        PassiveModifier("weird", {"weird": 100, "spare": 0}, lambda s: s["tick"] == 6),
    ],
    actions=[
        Action("refuel", text="Refuelled.", effects=[{"fuel": 20}]),
        Action("explode", text="Bang.", effects=[{"heat": 40}, _blow_up, {"label": "scorched"}]),
        Action("badtext", text=_no_text, effects=[{"power": -3}]),
        Action(
            "inject",
            text="Injected.",
            conditions=[lambda s, ctx: ctx is not None and ctx.get("kind") == "safe"],
            effects=[lambda s, ctx: {"fuel": ctx["amount"], "last": ctx["kind"]}],
        ),
        Action("badcond", text="Sensed.", conditions=[_sense], effects=[{"sensed": True}]),
        Action(
            "dup",
            text="First dup.",
            conditions=[lambda s: s["heat"] >= 50],
            effects=[{"label": "dup1"}],
        ),
        Action("dup", text="Second dup.", effects=[{"label": "dup2"}]),
    ],
    events=[
        Event(
            "spark",
            base_probability=0.3,
            text=lambda s: f"Spark at {s['heat']}",
            effects=[{"heat": 8}],
        ),
        Event("surge", base_probability=1.7, cooldown=3, text="Surge.", effects=[{"power": 3}]),
        Event("never", base_probability=-0.5, text="Never.", effects=[{"power": -100}]),
        Event("nobase", text="No base.", effects=[{"power": -100}]),
        Event(
            "gated",
            trigger="milestone",
            cooldown=4,
            text=lambda s: f"Label was {s['label']}",
            conditions=[lambda s: s["label"] == "scorched"],
            effects=[{"label": "lab"}],
        ),
        Event(
            "cold",
            trigger="milestone",
            cooldown=6,
            text="Cold.",
            conditions=[lambda s: s["heat"] < 20],
            effects=[{"heat": 30}],
        ),
    ],
    tick_order=["randomEventPhase", "passiveModifierPhase", "reactor", "milestoneEventPhase"],
)

badphase_a = GameConfig(
    name="badphase_a",
    undo_depth=2,
    initial_state=lambda: {"hp": 10},
    attributes={"hp": Attribute(0, 20, default=5)},
    passive_modifiers=[PassiveModifier("drain", {"hp": -1})],
    actions=[Action("heal", text=lambda s: f"Healed from {s['hp']}", effects=[{"hp": 3}])],
    events=[Event("coin", base_probability=0.5, text="Coin.", effects=[{"hp": 1}])],
    tick_order=["passiveModifierPhase", "randomEventPhase", "noSuchPhase"],
)

_ROLLS = (4141362819, 282481148, 1639744616, 2086875440, 3437818064, 1612424744)

exact_roll_a = GameConfig(
    name="exact_roll_a",
    initial_state=lambda: {"n": 0},
    attributes={"n": Attribute(0, 99)},
    events=[
        Event(
            f"e{i}", base_probability=roll / 2**32, cooldown=1000, text=f"E{i}", effects=[{"n": 1}]
        )
        for i, roll in enumerate(_ROLLS)
    ],
    tick_order=["randomEventPhase"],
)
