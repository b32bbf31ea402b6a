"""Numbers and names of LifeSim, which rules, texts and the planner share. Money is in thousands."""

from __future__ import annotations

JOBS = ("none", "labourer", "clerk", "specialist", "manager", "owner", "retired")
HOMES = ("parents", "shared", "flat", "house")
CLIMATES = ("bust", "calm", "boom")

WAGES = {
    "none": 3.0,
    "labourer": 18.0,
    "clerk": 22.0,
    "specialist": 30.0,
    "manager": 41.0,
    "owner": 38.0,
    "retired": 14.0,
}
"""A year's pay before experience; for an owner it moves with the economy, `OWNER_SHARE`."""

OWNER_SHARE = 30.0
EXPERIENCE_SHARE = {**dict.fromkeys(JOBS, 0.01), "none": 0.0, "retired": 0.03}
"""What each year of experience adds to the pay, as a share of it."""

STRAIN = {
    "none": 5.0,
    "labourer": 6.0,
    "clerk": 5.0,
    "specialist": 7.0,
    "manager": 10.0,
    "owner": 10.0,
    "retired": 1.0,
}
"""Stress that a year in a job adds."""

SCHOOLING = {"labourer": 0.0, "clerk": 2.0, "specialist": 6.0}
"""Years of education that one is hired with."""

RENT = {"parents": -4.0, "shared": 6.0, "flat": 11.0, "house": 7.0}
"""A year's cost of a home; parents feed you too."""

COMFORT = {"parents": -0.04, "shared": 0.0, "flat": 0.06, "house": 0.12}
"""What a home adds to a year's well-being."""

PRIDE = {
    "none": -0.06,
    "labourer": -0.02,
    "clerk": 0.0,
    "specialist": 0.04,
    "manager": 0.06,
    "owner": 0.08,
    "retired": 0.03,
}
"""What a job adds to a year's well-being."""

DEPOSIT = {"shared": 1.0, "flat": 15.0, "house": 60.0}
"""Money that one must have to move into a home; a house is paid in full, with a loan."""

LIVING = 9.0
"""A year's food, clothes and the like."""

CHILD_COST = 5.0
HOUSE_PRICE, HOUSE_VALUE = 130.0, 110.0
CREDIT = 150.0
"""Nobody lends more than this."""

FIRST_AGE, LAST_AGE = 18, 78
YEARS = LAST_AGE - FIRST_AGE
