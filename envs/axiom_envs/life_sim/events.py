"""The events of LifeSim: random events and milestones."""

from __future__ import annotations

from typing import Any

from axiom_envs.life_sim.constants import CREDIT
from axiom_gym.config.definitions import Event, State
from axiom_gym.config.expressions import any_, max_, not_, where

ONCE = 100
"""A cooldown longer than a life."""


def _chance(id: str, probability: float, *odds: str, **more: Any) -> Event:
    """Return a random event; the modifiers that `odds` names change its probability."""
    return Event(id, base_probability=probability, meta={"odds": odds} if odds else {}, **more)


def _milestone(id: str, *conditions: Any, **more: Any) -> Event:
    return Event(id, trigger="milestone", conditions=conditions, **more)


def _is_hired(state: State) -> Any:
    return any_(*(state["job"] == job for job in ("labourer", "clerk", "specialist", "manager")))


BODY = [
    _chance(
        "flu",
        0.15,
        text="You spend weeks in bed with the flu.",
        effects=[{"health": -4.0}],
    ),
    _chance(
        "accident",
        0.03,
        "stress",
        text=lambda s: f"An accident, with your head elsewhere (stress {s['stress']:.0f}).",
        effects=[{"health": -14.0, "money": -3.0}],
    ),
    _chance(
        "illness",
        0.03,
        "frailty",
        text=lambda s: f"At {s['age']} you fall seriously ill.",
        effects=[{"health": -16.0, "money": -6.0, "stress": 6.0}],
    ),
    _chance(
        "heart_attack",
        0.012,
        "stress",
        "frailty",
        text="A heart attack. The next year is for getting up again.",
        effects=[{"health": -24.0, "stress": -10.0}, {"hospital": True}],
        conditions=[lambda s: s["age"] >= 45],
    ),
    _chance(
        "burnout",
        0.3,
        cooldown=4,
        text=lambda s: f"You burn out as a {s['job']}, and leave.",
        effects=[{"job": "none", "health": -6.0, "stress": -25.0}],
        conditions=[lambda s: s["stress"] >= 80.0, _is_hired],
    ),
]

CAREER = [
    _chance(
        "laid_off",
        0.05,
        "education",
        "bust",
        text=lambda s: f"You lose your job as a {s['job']}; the climate: {s['climate']}.",
        effects=[{"job": "none", "stress": 14.0}],
        conditions=[_is_hired],
    ),
    _chance(
        "promotion",
        0.07,
        "experience",
        "boom",
        text="You are made a manager.",
        effects=[{"job": "manager", "money": 6.0, "stress": 5.0}],
        conditions=[lambda s: (s["job"] == "specialist") & (s["experience"] >= 8.0)],
    ),
    _chance(
        "moved_up",
        0.05,
        "experience",
        text=lambda s: f"{s['experience']:.0f} years at the counter: you are made a specialist.",
        effects=[{"job": "specialist", "stress": 3.0}],
        conditions=[lambda s: (s["job"] == "clerk") & (s["experience"] >= 12.0)],
    ),
    _chance(
        "big_order",
        0.20,
        "boom",
        text="The order that every owner dreams of.",
        effects=[{"money": 40.0, "stress": 6.0}],
        conditions=[lambda s: s["job"] == "owner"],
    ),
    _chance(
        "insolvency",
        0.05,
        "bust",
        text="Your business fails.",
        effects=[{"job": "none", "money": -35.0, "stress": 20.0}],
        conditions=[lambda s: s["job"] == "owner"],
    ),
]

PEOPLE = [
    _chance(
        "falling_in_love",
        0.18,
        "bonds",
        text="You meet somebody, and stay together.",
        effects=[{"partner": True, "bonds": 10.0, "stress": -6.0}],
        conditions=[lambda s: not_(s["partner"])],
    ),
    _chance(
        "separation",
        0.20,
        text="The two of you have nothing left to say to each other.",
        effects=[{"partner": False, "bonds": -12.0, "stress": 18.0, "money": -10.0}],
        conditions=[lambda s: s["partner"], lambda s: s["bonds"] < 40.0],
    ),
    _chance(
        "reunion",
        0.08,
        cooldown=5,
        text="Your class meets again.",
        effects=[{"bonds": 6.0, "stress": -2.0}],
    ),
    _chance(
        "child_moves_out",
        0.07,
        text=lambda s: f"A child moves out; {s['at_home'] - 1} left at home.",
        effects=[lambda s: {"at_home": max_(s["at_home"] - 1, 0)}, {"stress": -4.0}],
        conditions=[lambda s: s["at_home"] > 0],
    ),
]

FORTUNE = [
    _chance(
        "recession",
        0.12,
        cooldown=3,
        text="The newspapers say: recession.",
        effects=[{"economy": -0.8}],
    ),
    _chance(
        "boom",
        0.14,
        cooldown=3,
        text="The newspapers say: boom.",
        effects=[{"economy": 0.7}],
    ),
    _chance(
        "crash",
        0.05,
        "bust",
        cooldown=6,
        text=lambda s: f"The markets crash; your fund of {s['fund']:.0f} thousand with them.",
        effects=[lambda s: {"fund": -0.25 * s["fund"]}],
    ),
    _chance(
        "inheritance",
        0.04,
        cooldown=ONCE,
        text="An aunt whom you hardly knew has remembered you.",
        effects=[{"money": 35.0}],
        conditions=[lambda s: s["age"] >= 35],
    ),
    _chance(
        "repairs",
        0.15,
        text="The roof leaks.",
        effects=[{"money": -9.0, "stress": 3.0}],
        conditions=[lambda s: s["home"] == "house"],
    ),
]

MILESTONES = [
    _milestone(
        "graduation",
        lambda s: s["education"] >= 6.0,
        cooldown=ONCE,
        text=lambda s: f"At {s['age']} you hold your degree.",
        effects=[{"bonds": 4.0, "stress": -6.0}],
    ),
    _milestone(
        "independence",
        lambda s: s["money"] + s["fund"] >= 300.0,
        cooldown=ONCE,
        text=lambda s: f"At {s['age']} you could live on what you have.",
        effects=[{"stress": -12.0}],
    ),
    _milestone(
        "leaving_the_nest",
        lambda s: (s["home"] == "parents") & (s["age"] >= 27),
        text="Your parents have found you a room.",
        effects=[{"home": "shared", "stress": 6.0}],
    ),
    _milestone(
        "bankruptcy",
        lambda s: s["money"] <= 1.0 - CREDIT,
        text="The bank takes what you have, and calls it even.",
        effects=[
            lambda s: {
                "home": where(s["home"] == "parents", "parents", "shared"),
                "money": 100.0,
                "fund": -2000.0,
                "stress": 25.0,
            }
        ],
    ),
    _milestone(
        "breakdown",
        lambda s: s["stress"] >= 90.0,
        cooldown=3,
        text="You cannot get up any more. The doctors keep you.",
        effects=[{"health": -12.0, "stress": -35.0, "bonds": -5.0}, {"hospital": True}],
    ),
    _milestone(
        "golden_watch",
        lambda s: (s["age"] >= 70) & (s["job"] != "retired"),
        text=lambda s: f"A handshake, a watch: at {s['age']} your working days are over.",
        effects=[{"job": "retired", "stress": -8.0}],
    ),
    _milestone(
        "round_birthday",
        lambda s: s["age"] % 10 == 0,
        cooldown=10,
        text=lambda s: f"You turn {s['age']}, with {s['good_years']:.1f} good years behind you.",
        effects=[{"bonds": 3.0}],
    ),
]

EVENTS = [*BODY, *CAREER, *PEOPLE, *FORTUNE, *MILESTONES]
