"""Numbers and names of LifeSim. Money is in thousands."""

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
"""Annual pay without experience; an owner's pay also depends on the economy, `OWNER_SHARE`."""

OWNER_SHARE = 30.0
"""Annual pay that an owner gets in addition, times the economy, which is -1 to 1."""
EXPERIENCE_SHARE = {**dict.fromkeys(JOBS, 0.01), "none": 0.0, "retired": 0.03}
"""Increase of the pay per year of experience, as a share of it."""

STRAIN = {
    "none": 5.0,
    "labourer": 6.0,
    "clerk": 5.0,
    "specialist": 7.0,
    "manager": 10.0,
    "owner": 10.0,
    "retired": 1.0,
}
"""Stress per year in a job."""

SCHOOLING = {"labourer": 0.0, "clerk": 2.0, "specialist": 6.0}
"""Education that each job requires."""

RENT = {"parents": -4.0, "shared": 6.0, "flat": 11.0, "house": 7.0}
"""Annual cost of a home; it is negative at the parents', who provide food too."""

COMFORT = {"parents": -0.04, "shared": 0.0, "flat": 0.06, "house": 0.12}
"""Well-being per year in a home."""

PRIDE = {
    "none": -0.06,
    "labourer": -0.02,
    "clerk": 0.0,
    "specialist": 0.04,
    "manager": 0.06,
    "owner": 0.08,
    "retired": 0.03,
}
"""Well-being per year in a job."""

DEPOSIT = {"shared": 1.0, "flat": 15.0, "house": 60.0}
"""Money required to move into a home; a house is then paid in full, with a loan."""

LIVING = 9.0
"""Annual cost of food, clothes and the like."""

CHILD_COST = 5.0
HOUSE_PRICE, HOUSE_VALUE = 130.0, 110.0
CREDIT = 150.0
"""The largest possible debt."""

FIRST_AGE, LAST_AGE = 18, 78
YEARS = LAST_AGE - FIRST_AGE
