"""The kernel contract: the form of a game's rules that all other code can share.

The state of a game is one structured record, and a batch of games is a one-dimensional array of
records. A kernel is a module with a `STATE` dtype, whose last field is `rng`, and the five compiled
functions below. Each of them works on one record. Where the shape of the record depends on the
configuration, such as on the number of players, `KernelGame.state_dtype` replaces `STATE`.

The arrays that a function writes still hold what an earlier call or another game left there, so a
function writes every entry in every call. `axiom-gym check` finds the entries that it does not.

    reset(state, params)
        Write the initial position into every field except `rng` and the fields of
        `KernelGame.game_options`. Draw random numbers from `state.rng`, which is seeded already.
    legal_actions(state, player, mask, params)
        Write 1 for each legal choice and 0 elsewhere. mask: (K, N) int8. A player who acts has at
        least one legal choice for each sub-action. The row of a sub-action that has no effect
        holds exactly one 1.
    step(state, actions, rewards, events, params) -> code
        Play one turn and return one of the codes below. actions: (V, K) int64, which may be
        overwritten; `NO_SUB_ACTION` marks a sub-action that is not given. rewards: (P,) float32;
        write every entry. events: None, or an (E, 8) int16 array to write log rows into. Check
        every action before it is used as an index. Never raise.
    observe(state, player, observation, params)
        Write every entry of what `player` may see, from that player's own side. observation:
        float32, of the game's shape.
    outcome(state, returns, params)
        Write the final result of each player. Until the rules have ended the episode, write 0; in
        a game for one player, write the score so far. returns: (P,) float32.

A game whose players act one at a time (`dynamics="sequential"`) also has the function `acting`. A
game in which players can be eliminated before its end also has the function `alive`:

    acting(state, params) -> player
        Return the player who decides next. It is called only while the episode is in progress. One
        player may decide several times in a row. In such a game a step is one decision, and
        `legal_actions` is called for that player only.
    alive(state, player, params) -> bool
        Return whether a player still takes part. At first all players do. An eliminated player
        stays eliminated and gets no more rewards: any reward for its rank is paid when it is
        eliminated. In a sequential game it never acts again. In a simultaneous game it has legal
        actions until the end, and `step` receives its sub-actions, which should have no effect. The
        rules must end a game in which no player is left.

The codes that `step` returns:

    RUNNING     the episode is in progress
    ENDED       the rules ended the episode: terminated
    TRUNCATED   a time limit of the rules ended the episode: truncated
    ILLEGAL     an action is illegal; the state is unchanged
    FAULT + n   the rules cannot compute something, such as a division by zero; n, from 1 to 32767,
                identifies the fault. The state is unchanged, except for its generator

If `step` returns a fault, or `ILLEGAL` for an action that the mask allowed, the driver truncates
the episode and sets the rewards of the turn to 0. `KernelGame.describe_fault` describes fault n.

Axis letters, here and wherever a shape is given: B games of a batch, P players, V players who act
at once (all P in a simultaneous game, 1 in a sequential game), K sub-actions per player and turn, N
choices per sub-action, E rows of a log.

Kernels are compiled by Numba, or run as plain Python with `NUMBA_DISABLE_JIT=1`. Both give the same
bits, provided that every value is converted to a wide integer before arithmetic
(`int(state.x[i])`): int8 arithmetic widens in compiled code and wraps around in Python.
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
"""The action that marks a sub-action as not given; only the policy "noop" writes it."""

__getattr__ = renamed_names(__name__, {"NO_ORDER": "NO_SUB_ACTION"})

EVENT_COLUMNS = 8
"""The number of columns of an event buffer: the event's type and up to seven numbers.

Entry [0, 0] counts the rows that follow.
"""

EVERYONE = -1
"""The acting player's number in a simultaneous game, and in a game that has ended."""

KERNEL_FUNCTIONS = ("reset", "legal_actions", "step", "observe", "outcome")
OPTIONAL_FUNCTIONS = ("acting", "alive")
"""Functions that a kernel may leave out; the null kernel's functions then replace them."""

_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", **NO_MEMORY_RUNTIME}
_INNER: dict[str, Any] = {**_FLAGS, **NO_PYTHON_ENTRY}


def kernel(function: F) -> F:
    """Compile a function of a kernel.

    Its code is not cached separately. The generated driver that calls it is cached, under a hash of
    all sources that the driver depends on.
    """
    compiled: F = numba.njit(**_FLAGS)(function)
    return compiled


def inline_kernel(function: F) -> F:
    """Compile a small function as `inner_kernel` does, and always inline it, for hot loops."""
    compiled: F = register_jitable(**_INNER, forceinline=True)(function)
    return compiled


def inner_kernel(function: F) -> F:
    """Compile a function for compiled callers only; Python code calls the original function."""
    compiled: F = register_jitable(**_INNER)(function)
    return compiled


def entry(cache: bool) -> Callable[[F], F]:
    """Return a decorator that compiles a function for callers in Python.

    `cache`: if True, keep the compiled code on disk next to the source file.
    """

    def decorate(function: F) -> F:
        compiled: F = numba.njit(**_FLAGS, cache=cache)(function)
        return compiled

    return decorate
