"""The world of LifeSim: fields, annual changes, and the modifiers of probabilities."""

from __future__ import annotations

from typing import Any

from axiom_envs.life_sim.constants import (
    CHILD_COST,
    CLIMATES,
    COMFORT,
    CREDIT,
    EXPERIENCE_SHARE,
    FIRST_AGE,
    HOMES,
    HOUSE_VALUE,
    JOBS,
    LAST_AGE,
    LIVING,
    OWNER_SHARE,
    PRIDE,
    RENT,
    STRAIN,
    WAGES,
    YEARS,
)
from axiom_gym.config.definitions import (
    Attribute,
    Choice,
    Delta,
    Event,
    GameConfig,
    PassiveModifier,
    PhaseResult,
    State,
)
from axiom_gym.config.expressions import clip, max_, min_, table, where

ATTRIBUTES = {
    "age": Attribute(FIRST_AGE, LAST_AGE, default=FIRST_AGE),
    "health": Attribute(0.0, 100.0, default=85.0),
    "stress": Attribute(0.0, 100.0, default=30.0),
    "bonds": Attribute(0.0, 100.0, default=50.0),
    "money": Attribute(-CREDIT, 1000.0, default=5.0),
    "fund": Attribute(0.0, 2000.0, default=0.0),
    "education": Attribute(0.0, 10.0, default=0.0),
    "experience": Attribute(0.0, 50.0, default=0.0),
    "economy": Attribute(-1.0, 1.0, default=0.0),
    "good_years": Attribute(0.0, float(YEARS), default=0.0),
}

CHOICES = {
    "job": Choice(*JOBS),
    "home": Choice(*HOMES),
    "climate": Choice(*CLIMATES, default="calm"),
}


def initial_state() -> dict[str, Any]:
    """Return the initial fields, without attributes and choices, which get their defaults."""
    return {
        "children": 0,
        "at_home": 0,
        "partner": False,
        "hospital": False,
    }


# -- a year ----------------------------------------------------------------------------------------


def new_year(state: State, config: GameConfig, tick: int) -> PhaseResult:
    """End a stay in hospital, and set `climate` by the economy."""
    economy = state["economy"]
    climate = where(economy < -0.35, "bust", where(economy > 0.35, "boom", "calm"))
    return PhaseResult({**state, "hospital": False, "climate": climate})


def _pay(state: State) -> Delta:
    merit = table(state["job"], EXPERIENCE_SHARE) * state["experience"]
    wage = table(state["job"], WAGES) * (1.0 + merit + 0.02 * state["education"])
    profit = where(state["job"] == "owner", OWNER_SHARE * state["economy"], 0.0)
    return {"money": wage + profit}


def _practise(state: State) -> Delta:
    return {"experience": where(state["job"] == "labourer", 0.5, 1.0)}


def is_working(state: State) -> Any:
    """Return True if the player has a job; retirement does not count."""
    return (state["job"] != "none") & (state["job"] != "retired")


def _strain(state: State) -> Delta:
    relief = state["stress"] * (0.14 + 0.0008 * state["bonds"])
    debt = where(state["money"] < -20.0, 4.0, 0.0)
    return {"stress": table(state["job"], STRAIN) + debt - relief}


def _wear(state: State) -> Delta:
    age = 0.3 + 0.025 * (state["age"] - FIRST_AGE)
    overload = 0.10 * max_(state["stress"] - 55.0, 0.0)
    toil = where(state["job"] == "labourer", 1.0, 0.0)
    return {"health": -(age + overload + toil)}


def wellbeing(state: State) -> Any:
    """Return the well-being of a year, from 0 to 1.

    Health and bonds count up to 75, and stress from 30 on. Home, job, education, a partner, up to
    three children and wealth up to 800 add the rest.
    """
    body = 0.003 * min_(state["health"], 75.0) - 0.003 * max_(state["stress"], 30.0)
    estate = state["money"] + state["fund"] + where(state["home"] == "house", HOUSE_VALUE, 0.0)
    wealth = clip(0.0004 * estate, -0.05, 0.32)
    family = where(state["partner"], 0.05, 0.0) + 0.04 * state["children"]
    mind = 0.004 * state["education"] + table(state["job"], PRIDE)
    company = 0.0025 * min_(state["bonds"], 75.0)
    good = body + company + wealth + family + mind + table(state["home"], COMFORT)
    return clip(good - 0.05, 0.0, 1.0)


def _reckon(state: State) -> Delta:
    return {"good_years": wellbeing(state)}


PASSIVE_MODIFIERS = [
    PassiveModifier("economy", lambda s: {"economy": -0.25 * s["economy"]}),
    PassiveModifier("birthday", {"age": 1}),
    PassiveModifier("pay", _pay),
    PassiveModifier("practice", _practise, condition=is_working),
    PassiveModifier("living", lambda s: {"money": -LIVING - table(s["home"], RENT)}),
    PassiveModifier(
        "children",
        lambda s: {"money": -CHILD_COST * s["at_home"], "stress": 1.5 * s["at_home"]},
        condition=lambda s: s["at_home"] > 0,
    ),
    PassiveModifier(
        "interest", lambda s: {"money": 0.08 * s["money"]}, condition=lambda s: s["money"] < 0
    ),
    PassiveModifier(
        "inflation", lambda s: {"money": -0.03 * s["money"]}, condition=lambda s: s["money"] > 0
    ),
    PassiveModifier("returns", lambda s: {"fund": s["fund"] * (0.05 + 0.12 * s["economy"])}),
    PassiveModifier("strain", _strain),
    PassiveModifier("wear", _wear),
    PassiveModifier(
        "drifting_apart", lambda s: {"bonds": s["bonds"] * where(s["partner"], -0.045, -0.075)}
    ),
    PassiveModifier("reckoning", _reckon),
]


# -- odds ------------------------------------------------------------------------------------------
# An event lists in its `meta` what its probability depends on. Each modifier acts on its own word.


def _tags(event: Event) -> tuple[str, ...]:
    tags: tuple[str, ...] = event.meta.get("odds", ())
    return tags


def stress_raises(state: State, probability: float, event: Event) -> Any:
    """Raise the probability of accidents and heart attacks with stress."""
    if "stress" not in _tags(event):
        return probability
    return probability * (0.5 + 0.02 * state["stress"])


def frailty_raises(state: State, probability: float, event: Event) -> Any:
    """Raise the probability of illness with age and with poor health."""
    if "frailty" not in _tags(event):
        return probability
    return probability * (
        0.5 + 0.02 * (state["age"] - FIRST_AGE) + 0.02 * (100.0 - state["health"])
    )


def education_lowers(state: State, probability: float, event: Event) -> Any:
    """Lower the probability of a layoff with education."""
    if "education" not in _tags(event):
        return probability
    return probability * (1.0 - 0.07 * state["education"])


def economy_moves(state: State, probability: float, event: Event) -> Any:
    """Raise the probability in the climate that the event names, and lower it in the opposite."""
    for climate in ("boom", "bust"):
        if climate in _tags(event):
            return probability * table(state["climate"], {climate: 2.0, "calm": 1.0}, 0.4)
    return probability


def merit_raises(state: State, probability: float, event: Event) -> Any:
    """Raise the probability of a promotion with experience."""
    if "experience" not in _tags(event):
        return probability
    return probability * 0.08 * state["experience"]


def company_raises(state: State, probability: float, event: Event) -> Any:
    """Raise the probability of falling in love with bonds."""
    if "bonds" not in _tags(event):
        return probability
    return probability * 0.02 * state["bonds"]


PROBABILITY_MODIFIERS = [
    stress_raises,
    frailty_raises,
    education_lowers,
    economy_moves,
    merit_raises,
    company_raises,
]
