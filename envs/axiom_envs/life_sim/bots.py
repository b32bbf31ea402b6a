"""The scripted opponent of LifeSim: `planner`, which follows fixed rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from axiom_envs.life_sim.constants import HOMES, JOBS
from axiom_gym.kernel import inline_kernel, kernel

MOVES = (
    "study",
    "apply(job=labourer)",
    "apply(job=clerk)",
    "apply(job=specialist)",
    "work_hard",
    "start_business",
    "retire",
    "rest",
    "holiday",
    "exercise",
    "see_doctor",
    "socialise",
    "have_child",
    "move(home=shared)",
    "move(home=flat)",
    "move(home=house)",
    "invest(amount=20.0)",
    "invest(amount=60.0)",
    "invest(amount=180.0)",
    "withdraw",
    "wait",
)
"""The discrete actions, in the order of the configuration."""

STUDY, LABOURER, CLERK, SPECIALIST, WORK_HARD, BUSINESS, RETIRE = range(7)
REST, HOLIDAY, EXERCISE, DOCTOR, SOCIALISE, CHILD = range(7, 13)
SHARED, FLAT, HOUSE, INVEST_20, INVEST_60, INVEST_180, WITHDRAW, WAIT = range(13, 21)

NO_JOB, IS_CLERK = JOBS.index("none"), JOBS.index("clerk")
AT_PARENTS, IN_ROOM, IN_FLAT, IN_HOUSE = (len(JOBS) + i for i in range(len(HOMES)))
"""The numbers of strings in the record: first the jobs, then the homes."""


@inline_kernel
def _first_legal(mask: npt.NDArray[np.int8], first: int, second: int, third: int) -> int:
    """Return the first legal one of three actions, or `wait`. mask: (K, N)."""
    for action in (first, second, third):
        if mask[0, action] != 0:
            return action
    return WAIT


@kernel
def _care(state: Any, mask: npt.NDArray[np.int8]) -> int:
    """Return an action against stress, poor health or loneliness, or `wait`. mask: (K, N)."""
    health, stress, bonds = float(state.health), float(state.stress), float(state.bonds)
    if stress > 60.0:
        return _first_legal(mask, HOLIDAY, REST, WAIT)
    if health < 55.0:
        return _first_legal(mask, DOCTOR, EXERCISE, WAIT)
    if bonds < 40.0:
        return _first_legal(mask, SOCIALISE, WAIT, WAIT)
    if stress > 45.0:
        return _first_legal(mask, HOLIDAY, REST, WAIT)
    if health < 75.0:
        return _first_legal(mask, EXERCISE, WAIT, WAIT)
    return WAIT


@kernel
def _career(state: Any, mask: npt.NDArray[np.int8]) -> int:
    """Return the next action for education and career, or `wait`. mask: (K, N)."""
    age, job, education = int(state.age), int(state.job), float(state.education)
    if age < 30 and education < 6.0 and job == NO_JOB:
        return _first_legal(mask, STUDY, WAIT, WAIT)
    if age >= 66:
        return _first_legal(mask, RETIRE, WAIT, WAIT)
    if job in (NO_JOB, IS_CLERK):
        best = _first_legal(mask, SPECIALIST, CLERK, LABOURER)
        return WAIT if job == IS_CLERK and best != SPECIALIST else best
    return WAIT


@kernel
def _family_and_home(state: Any, mask: npt.NDArray[np.int8]) -> int:
    """Return a move to a better home, a child or an investment, or `wait`. mask: (K, N)."""
    money, home = float(state.money), int(state.home)
    if home != IN_HOUSE and money > 90.0:
        return _first_legal(mask, HOUSE, WAIT, WAIT)
    if home in (AT_PARENTS, IN_ROOM) and money > 15.0:
        return _first_legal(mask, FLAT, WAIT, WAIT)
    if int(state.children) < 2 and money > 0.0:
        child = _first_legal(mask, CHILD, WAIT, WAIT)
        if child != WAIT:
            return child
    if home == IN_HOUSE and money > 60.0:
        return _first_legal(mask, INVEST_180, INVEST_60, WAIT)
    return WAIT


@kernel
def planner(
    state: Any,
    player: int,
    mask: npt.NDArray[np.int8],
    stream: Any,
    sub_actions: npt.NDArray[np.int64],
    params: Any,
) -> None:
    """Study, work, stay healthy, and start a family, in this order of priority.

    1. Career: get a degree first, then the best job available, again after losing it; retire at 66.
       With stress over 75, rule 2 replaces this one.
    2. Care: reduce stress over 60, improve poor health, see people if lonely, in this order.
    3. Home: get a flat, a house, two children, and put money into the fund, as money allows.
    4. Otherwise see people if bonds are below 80, else exercise.

    mask: (K, N). sub_actions: (K,), written.
    """
    action = _career(state, mask)
    if action == WAIT or float(state.stress) > 75.0:
        action = _care(state, mask)
    if action == WAIT:
        action = _family_and_home(state, mask)
    if action == WAIT:
        wanted = SOCIALISE if float(state.bonds) < 80.0 else EXERCISE
        action = _first_legal(mask, wanted, WAIT, WAIT)
    sub_actions[0] = action
