"""The kernel contract: how the rules of a game are written so that everything else can be shared.

A game's state is one structured record, and a batch of games is a one-dimensional array of records.
A kernel is a module with a `STATE` dtype, whose last field is `rng`, and five compiled functions of
the names below, each working on one record. Where a record's shape follows from the configuration,
as from the number of players, `KernelGame.state_dtype` gives it instead.

    reset(state, params)
        Writes the initial position into every field but `rng`. Chance is drawn from `state.rng`,
        which is seeded already.
    legal_actions(state, player, mask, params)
        Writes 1 where legal and 0 elsewhere. mask: (K, N) int8. A player who acts always has a
        legal action for each sub-action; the row of an order that cannot matter holds exactly one
        1.
    step(state, actions, rewards, events, params) -> code
        Plays one turn. actions: (V, K) int64, the kernel's to overwrite; `NO_SUB_ACTION` stands for
        an order that is not given. rewards: (P,) float32, all written. events: None, or (E, 8)
        int16 to write a log into. Checks every action before it indexes anything with it. Never
        raises.
    observe(state, player, observation, params)
        Writes every entry of what `player` may see, from that player's own side. observation:
        float32, of the game's shape.
    outcome(state, returns, params)
        Writes the final result of each player; 0 while the rules have not ended the episode, but
        for the score so far of a single player. returns: (P,) float32.

A game whose players act one at a time (`dynamics="sequential"`) has the function `acting`, and one
in which players drop out before its end the function `alive`:

    acting(state, params) -> player
        Who is to decide now; asked only while the episode runs. One player may decide several times
        in a row. A step is one decision then, and `legal_actions` is asked for that player alone.
    alive(state, player, params) -> bool
        Whether a player still takes part. All do at first. Who has gone out stays out and gets no
        more rewards: what it has earned by its place was paid when it went out. In a sequential
        game it never acts again. In a simultaneous one it has legal actions to the end, and `step`
        gets orders of it, which should change nothing. A game in which nobody is left comes to its
        end by itself.

What `step` returns:

    RUNNING     the episode goes on
    ENDED       the rules have ended it: terminated
    TRUNCATED   the rules' own time limit has ended it: truncated
    ILLEGAL     an action is not allowed; the state is untouched
    FAULT + n   n from 1 to 32767: something in the rules cannot be computed, such as a division by
                zero; the state is as before, but for its generator

After `ILLEGAL`, where the mask allowed the action, and after a fault the driver truncates the
episode, and the rewards of the turn are 0. What fault n is, `KernelGame.describe_fault` says.

Axis letters, here and wherever a shape is given: B games of a batch, P players, V players who act
at once (all P of a simultaneous game, 1 of a sequential one), K sub-actions per player and turn, N
choices per sub-action, E rows of a log.

Kernels run compiled by Numba, and as plain Python where `NUMBA_DISABLE_JIT=1`; both give the same
bits. For that, every arithmetic value is made a wide integer first (`int(state.x[i])`), because
int8 arithmetic widens compiled and wraps in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.extending import register_jitable

from axiom_gym.backend.numba_internals import NO_MEMORY_RUNTIME, NO_PYTHON_ENTRY
from axiom_gym.deprecated import renamed_names
from axiom_gym.records import record_dtype as record_dtype
from axiom_gym.records import zero_records as zero_records

F = TypeVar("F", bound=Callable[..., Any])

RUNNING = 0
ENDED = 1
ILLEGAL = 2
TRUNCATED = 3
FAULT = 16

NO_SUB_ACTION = -1
"""The action that stands for "this order is not given"; only the policy "noop" writes it."""

__getattr__ = renamed_names(__name__, {"NO_ORDER": "NO_SUB_ACTION"})

EVENT_COLUMNS = 8
"""Columns of an event buffer: the event's type and up to seven numbers.

Row 0, column 0 counts the rows that follow.
"""

EVERYONE = -1
"""Whose turn it is in a game whose players act at the same time, and in one that has ended."""

KERNEL_FUNCTIONS = ("reset", "legal_actions", "step", "observe", "outcome")
OPTIONAL_FUNCTIONS = ("acting", "alive")
"""What the null kernel's functions stand in for, where a kernel has none of its own."""

_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", **NO_MEMORY_RUNTIME}
_INNER: dict[str, Any] = {**_FLAGS, **NO_PYTHON_ENTRY}


def kernel(function: F) -> F:
    """Compile a function of a kernel.

    It is not cached on its own: the generated driver that calls it is, and is named by a hash of
    every source it depends on.
    """
    compiled: F = numba.njit(**_FLAGS)(function)
    return compiled


def inline_kernel(function: F) -> F:
    """As `inner_kernel`, for a small function that is always inlined (hot loops)."""
    compiled: F = register_jitable(**_INNER, forceinline=True)(function)
    return compiled


def inner_kernel(function: F) -> F:
    """Compiles a function for compiled callers alone; Python runs it as it stands, bit for bit."""
    compiled: F = register_jitable(**_INNER)(function)
    return compiled


def entry(cache: bool) -> Callable[[F], F]:
    """Compiles a function that Python calls; `cache` keeps the result beside its file."""

    def decorate(function: F) -> F:
        compiled: F = numba.njit(**_FLAGS, cache=cache)(function)
        return compiled

    return decorate
