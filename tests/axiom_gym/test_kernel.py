from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import pytest

from axiom_gym import kernel as contract
from axiom_gym.backend import null_kernel
from axiom_gym.kernel import entry, inline_kernel, kernel, record_dtype, zero_records
from axiom_gym.rng import STREAM, SeededRNG

FIELDS = [("flag", np.int8), ("count", np.int32), ("cells", np.int16, (3,))]


@kernel
def fill(record: Any) -> int:
    record.count = 7
    record.cells[1] = int(record.flag) + 200
    return int(record.count) + int(record.cells[1])


@inline_kernel
def double(value: float) -> float:
    return 2 * value


@entry(False)
def ratio(a: float, b: float) -> float:
    return a / double(b)


def test_record_dtype__gives_fields_as_attributes() -> None:
    record = zero_records(2, record_dtype(FIELDS))[1]
    record.flag = 100
    assert fill(record) == 307
    assert getattr(fill, "py_func", fill)(record) == 307
    assert (record.flag, record.count, record.cells.tolist()) == (100, 7, [0, 300, 0])


def test_codes__are_different() -> None:
    codes = (contract.RUNNING, contract.ENDED, contract.ILLEGAL, contract.TRUNCATED)
    assert len(set(codes)) == 4
    assert max(codes) <= contract.FAULT  # every fault has a code of its own above it


def test_no_sub_action__is_not_an_action() -> None:
    assert contract.NO_SUB_ACTION < 0


@pytest.mark.parametrize("name", contract.KERNEL_FUNCTIONS)
def test_kernel_functions__are_those_of_the_contract(name: str) -> None:
    assert callable(getattr(null_kernel, name))
    assert f"    {name}(" in (contract.__doc__ or "")


@pytest.mark.compiled_only
def test_kernel__refuses_to_allocate() -> None:
    @kernel
    def allocate(n: int) -> float:
        scratch = np.zeros(n)
        return float(scratch.sum())

    with pytest.raises(numba.core.errors.NumbaError, match=r"NRT required|returning of array"):
        allocate(3)


@pytest.mark.compiled_only
def test_kernel__never_raises_on_a_division_by_zero() -> None:
    assert ratio(1.0, 0.0) == math.inf


# The scripted player "random"


def play_random(mask: list[list[int]], seed: int) -> tuple[list[int], int]:
    """Return the bot's sub-actions, and the state of its generator afterwards."""
    stream = zero_records(1, STREAM)[0]
    stream.rng = seed
    sub_actions = np.full(len(mask), -9, np.int64)
    null_kernel.bot(None, 0, np.array(mask, np.int8), stream, sub_actions, None)
    return sub_actions.tolist(), int(stream.rng)


def test_random_bot__draws_one_number_for_each_sub_action() -> None:
    mask = [[0, 1, 0, 1, 1], [1, 0, 0, 0, 0]]
    for seed in range(50):
        rng = SeededRNG(seed)
        expected = [(1, 3, 4)[rng.below(3)], (0,)[rng.below(1)]]
        assert play_random(mask, seed) == (expected, rng.state)


def test_random_bot__takes_every_legal_choice_about_as_often() -> None:
    counts = np.bincount([play_random([[1, 0, 1, 1]], seed)[0][0] for seed in range(3000)])
    # 1000 each, with a standard deviation of 26.
    assert counts[1] == 0
    assert np.abs(counts[[0, 2, 3]] - 1000).max() < 130


def test_random_bot__counts_more_choices_than_an_int8_holds() -> None:
    play = getattr(null_kernel.bot, "py_func", null_kernel.bot)
    stream = zero_records(1, STREAM)[0]
    sub_actions = np.zeros(1, np.int64)
    play(None, 0, np.ones((1, 200), np.int8), stream, sub_actions, None)
    assert sub_actions[0] == SeededRNG(0).below(200)
