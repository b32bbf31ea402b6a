"""One game, written twice: in ordinary Python, and with the functions of expressions.

Both have the same rules and give the same games; the benchmark shows what the paths of ordinary
Python cost, or save, in the compiled kernel.
"""

from __future__ import annotations

from typing import Any

from axiom_gym.config import (
    Action,
    Attribute,
    Choice,
    Event,
    GameConfig,
    PassiveModifier,
    Task,
    all_,
    any_,
    clip,
    floor,
    max_,
    min_,
    table,
    where,
)

JOBS = ("none", "clerk", "smith", "mayor")
WAGES = {"none": 0, "clerk": 20, "smith": 35, "mayor": 60}
TASK = Task(
    reward=lambda before, after: (after["money"] - before["money"]) / 100,
    terminated=lambda s: s["health"] == 0,
    max_ticks=200,
)


def _config(rules: dict[str, Any]) -> GameConfig:
    """Return the game with the rules of one style."""
    return GameConfig(
        name=rules["name"],
        initial_state=lambda: {"money": 50, "health": 70, "skill": 0, "mood": 50.0, "job": "none"},
        attributes={
            "money": Attribute(0, 5000),
            "health": Attribute(0, 100),
            "skill": Attribute(0, 20),
            "mood": Attribute(0.0, 100.0),
        },
        choices={"job": Choice(*JOBS)},
        passive_modifiers=[
            PassiveModifier("wage", rules["wage"]),
            PassiveModifier("living", rules["living"]),
            PassiveModifier("mood", rules["mood"]),
        ],
        actions=[
            Action("learn", conditions=[rules["may learn"]], effects=[rules["learn"]]),
            Action("apply", effects=[rules["apply"]]),
            Action("rest", effects=[rules["rest"]]),
        ],
        events=[
            Event("illness", base_probability=0.1, effects=[rules["illness"]]),
            Event("bonus", base_probability=0.05, conditions=[rules["may win"]],
                  effects=[{"money": 100}]),
        ],
        probability_modifiers=[rules["risk"]],
    )  # fmt: skip


def _apply(s: Any) -> Any:
    if s["skill"] >= 15 and s["mood"] > 60:
        return {"job": "mayor"}
    if s["skill"] >= 8:
        return {"job": "smith", "mood": 2.5}
    if s["skill"] >= 3:
        return {"job": "clerk"}
    return {"mood": -5.0}


def _illness(s: Any) -> Any:
    if s["money"] > 500:
        return {"health": -5, "money": -int(s["money"] * 0.1)}
    return {"health": -12 if s["job"] == "smith" else -10}


ORDINARY = _config(
    {
        "name": "ordinary",
        "wage": lambda s: {"money": WAGES[s["job"]] + 2 * s["skill"] if s["job"] != "none" else 1},
        "living": lambda s: (
            {"money": -min(s["money"], 15)} if s["money"] >= 10 else {"health": -3, "mood": -4.0}
        ),
        "mood": lambda s: {
            "mood": (50 - s["mood"]) / 8 + (3 if s["health"] > 60 < s["health"] + s["skill"] else 0)
        },
        "may learn": lambda s: s["money"] >= 30 and s["health"] > 20,
        "learn": lambda s: {"money": -30, "skill": max(1, int(s["mood"] / 40))},
        "apply": _apply,
        "rest": lambda s: {"health": 8 if s["job"] in ("none", "clerk") else 5, "mood": 6.0},
        "illness": _illness,
        "may win": lambda s: s["job"] == "mayor" or (s["job"] == "smith" and s["mood"] > 55),
        "risk": lambda s, p, event: p * (2 if s["health"] < 30 else 1),
    }
)

# `apply` and `living` change other fields on other sides, which `where` cannot say: a change of 0
# stands for no change, and the job is set to itself.
EXPRESSIONS = _config(
    {
        "name": "expressions",
        "wage": lambda s: {
            "money": where(s["job"] != "none", table(s["job"], WAGES) + 2 * s["skill"], 1)
        },
        "living": lambda s: {
            "money": where(s["money"] >= 10, -min_(s["money"], 15), 0),
            "health": where(s["money"] >= 10, 0, -3),
            "mood": where(s["money"] >= 10, 0.0, -4.0),
        },
        "mood": lambda s: {
            "mood": (50 - s["mood"]) / 8
            + where(all_(s["health"] > 60, s["health"] + s["skill"] > 60), 3, 0)
        },
        "may learn": lambda s: (s["money"] >= 30) & (s["health"] > 20),
        "learn": lambda s: {"money": -30, "skill": max_(1, floor(s["mood"] / 40))},
        "apply": lambda s: {
            "job": where(
                (s["skill"] >= 15) & (s["mood"] > 60),
                "mayor",
                where(s["skill"] >= 8, "smith", where(s["skill"] >= 3, "clerk", s["job"])),
            ),
            "mood": where(
                s["skill"] >= 8,
                where((s["skill"] >= 15) & (s["mood"] > 60), 0.0, 2.5),
                where(s["skill"] >= 3, 0.0, -5.0),
            ),
        },
        "rest": lambda s: {
            "health": where(any_(s["job"] == "none", s["job"] == "clerk"), 8, 5), "mood": 6.0
        },
        "illness": lambda s: {
            "health": where(s["money"] > 500, -5, where(s["job"] == "smith", -12, -10)),
            "money": where(s["money"] > 500, -floor(clip(s["money"], 0, 5000) * 0.1), 0),
        },
        "may win": lambda s: (s["job"] == "mayor") | ((s["job"] == "smith") & (s["mood"] > 55)),
        "risk": lambda s, p, event: p * where(s["health"] < 30, 2, 1),
    }
)  # fmt: skip
