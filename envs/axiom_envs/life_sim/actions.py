"""The actions of LifeSim; a player takes one each year."""

from __future__ import annotations

from typing import Any

from axiom_envs.life_sim.constants import (
    DEPOSIT,
    FIRST_AGE,
    HOUSE_PRICE,
    HOUSE_VALUE,
    SCHOOLING,
)
from axiom_envs.life_sim.world import is_working
from axiom_gym.config.definitions import Action, Condition, Delta, State
from axiom_gym.config.expressions import min_, where

Context = dict[str, Any]

_PLACES = {"shared": "a shared flat", "flat": "a flat of your own", "house": "a house"}


def _for(key: str, condition: Condition) -> Condition:
    """Return a condition on an entry of an action's context; it is False without the entry."""
    return lambda state, context: (
        context is not None and key in context and condition(state, context[key])
    )


# -- learning and earning --------------------------------------------------------------------------


def _study(state: State) -> Delta:
    works = is_working(state)
    return {
        "education": where(works, 1.2, 2.0),
        "money": -6.0,
        "stress": where(works, 8.0, 3.0),
    }


def _hire(state: State, context: Context) -> Delta:
    return {"job": context["job"], "stress": 4.0}


LEARNING = [
    Action(
        "study",
        label="Study",
        text="A year of lectures, books and exams.",
        effects=[_study],
        conditions=[lambda s: s["money"] > -70.0, lambda s: s["education"] < 10.0],
        restrictions=[lambda s: s["age"] > 60],
    ),
    Action(
        "apply",
        label="Apply for a job",
        text=lambda s, c: f"You are hired as a {c['job']}.",
        effects=[_hire],
        conditions=[
            _for("job", lambda s, job: s["education"] >= SCHOOLING[job]),
            _for("job", lambda s, job: s["job"] != job),
        ],
        restrictions=[lambda s: s["age"] >= 68, lambda s: s["job"] == "retired"],
        contexts=[{"job": job} for job in SCHOOLING],
    ),
    Action(
        "work_hard",
        label="Work hard",
        text=lambda s: f"You put in the hours as a {s['job']}.",
        effects=[{"experience": 2.5, "stress": 7.0, "bonds": -3.0, "money": 10.0}],
        conditions=[is_working],
    ),
    Action(
        "start_business",
        label="Start a business",
        text="You hang out your own sign.",
        effects=[{"money": -40.0, "job": "owner", "stress": 8.0}],
        conditions=[
            lambda s: (s["experience"] >= 10.0) & (s["money"] >= 20.0),
            lambda s: s["job"] != "owner",
        ],
        restrictions=[lambda s: s["age"] >= 60],
    ),
    Action(
        "retire",
        label="Retire",
        text=lambda s: f"You retire after {s['experience']:.0f} years' worth of experience.",
        effects=[{"job": "retired", "stress": -10.0}],
        conditions=[lambda s: s["age"] >= 58, lambda s: s["job"] != "retired"],
    ),
]


# -- health and company ----------------------------------------------------------------------------


def _take_holiday(state: State) -> Delta:
    return {
        "money": -7.0,
        "stress": -14.0 - 0.15 * state["stress"],
        "bonds": where(state["partner"], 6.0, 2.0),
        "health": 1.0,
    }


LIVING = [
    Action(
        "rest",
        label="Take it easy",
        text="A quiet year.",
        effects=[{"stress": -9.0, "health": 0.5}],
    ),
    Action(
        "holiday",
        label="Take a long holiday",
        text=lambda s: "A summer for two by the sea." if s["partner"] else "A summer by the sea.",
        effects=[_take_holiday],
        conditions=[lambda s: s["money"] >= 7.0],
    ),
    Action(
        "exercise",
        label="Get fit",
        text="You run, swim and eat your greens.",
        effects=[lambda s: {"health": 9.0 - 0.06 * (s["age"] - FIRST_AGE), "stress": -4.0}],
    ),
    Action(
        "see_doctor",
        label="See the doctors",
        text="Tests, treatment, and a bill.",
        effects=[lambda s: {"health": 3.0 + 0.22 * (100.0 - s["health"]), "money": -9.0}],
        conditions=[lambda s: (s["health"] < 85.0) & (s["money"] >= -100.0)],
    ),
    Action(
        "socialise",
        label="See friends and family",
        text="Long evenings with the people you like.",
        effects=[{"bonds": 16.0, "stress": -3.0, "money": -2.0}],
    ),
    Action(
        "have_child",
        label="Have a child",
        text=lambda s: "Your first child!" if s["children"] == 0 else "Another child!",
        effects=[
            lambda s: {
                "children": min_(s["children"] + 1, 3),
                "at_home": min_(s["at_home"] + 1, 3),
                "stress": 8.0,
                "bonds": 8.0,
                "money": -5.0,
            }
        ],
        conditions=[lambda s: s["partner"] & (s["money"] >= 5.0), lambda s: s["children"] < 3],
        restrictions=[lambda s: s["age"] > 45],
    ),
]


# -- home and money --------------------------------------------------------------------------------


def _move(state: State, context: Context) -> Delta:
    sold = where(state["home"] == "house", HOUSE_VALUE, 0.0)
    price = HOUSE_PRICE if context["home"] == "house" else 1.0
    return {"home": context["home"], "money": sold - price, "stress": 4.0}


MONEY = [
    Action(
        "move",
        label="Move house",
        text=lambda s, c: f"You move into {_PLACES[c['home']]}.",
        effects=[_move],
        conditions=[
            _for("home", lambda s, home: s["home"] != home),
            _for("home", lambda s, home: s["money"] >= DEPOSIT[home]),
        ],
        contexts=[{"home": home} for home in _PLACES],
    ),
    Action(
        "invest",
        label="Invest",
        text=lambda s, c: f"You put {c['amount']:.0f} thousand into the fund.",
        effects=[lambda s, c: {"money": -c["amount"], "fund": c["amount"]}],
        conditions=[_for("amount", lambda s, amount: s["money"] >= amount)],
        contexts=[{"amount": 20.0}, {"amount": 60.0}, {"amount": 180.0}],
    ),
    Action(
        "withdraw",
        label="Withdraw",
        text=lambda s: "You sell a part of the fund; the tax office takes its share.",
        effects=[lambda s: {"fund": -60.0, "money": 55.0}],
        conditions=[lambda s: s["fund"] >= 60.0],
    ),
]

ACTIONS = [*LEARNING, *LIVING, *MONEY]
