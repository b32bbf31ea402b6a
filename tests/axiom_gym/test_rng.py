from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from axiom_gym.kernel import kernel, zero_records
from axiom_gym.rng import (
    STREAM,
    SeededRNG,
    mix_seed,
    next_below,
    next_float,
    next_uint32,
)

# The first four numbers of each seed, as published with the recorded games of the original engines.
VECTORS = {
    0: [1144304738, 1416247, 958946056, 627933444],
    1: [2693262067, 11749833, 2265367787, 4213581821],
    42: [2581720956, 1925393290, 3661312704, 2876485805],
    4294967295: [3850105811, 813802916, 3073704848, 4054706436],
}
SEEDS = st.integers(0, 2**32 - 1)


def mulberry32(seed: int) -> Iterator[int]:
    """Return the numbers of the published algorithm, implemented a second time."""
    a = seed
    while True:
        a = (a + 0x6D2B79F5) % 2**32
        t = (a ^ (a >> 15)) * (a | 1) % 2**32
        t = ((t + (t ^ (t >> 7)) * (t | 61) % 2**32) ^ t) % 2**32
        yield t ^ (t >> 14)


def stream(seed: int) -> Any:
    """Return a generator in a record, as compiled code has it."""
    record = zero_records(1, STREAM)[0]
    record.rng = seed
    return record


# Scalar


@pytest.mark.parametrize("seed", VECTORS)
def test_seeded_rng__gives_the_published_numbers(seed: int) -> None:
    rng = SeededRNG(seed)
    assert [rng.next_uint32() for _ in range(4)] == VECTORS[seed]


@pytest.mark.parametrize("seed", VECTORS)
def test_next__is_the_number_over_two_to_the_32(seed: int) -> None:
    rng = SeededRNG(seed)
    assert [rng.next() for _ in range(4)] == [number / 2**32 for number in VECTORS[seed]]


@given(seed=SEEDS)
@example(0)
@example(2**32 - 1)
def test_seeded_rng__follows_the_published_algorithm(seed: int) -> None:
    rng = SeededRNG(seed)
    expected = list(itertools.islice(mulberry32(seed), 50))
    assert [rng.next_uint32() for _ in range(50)] == expected


def test_seeded_rng__takes_the_low_32_bits_of_its_seed() -> None:
    assert SeededRNG(2**32).state == SeededRNG(0).state == 0
    assert SeededRNG(-1).state == 2**32 - 1


@given(seed=SEEDS, draws=st.integers(0, 20))
def test_state__is_a_seed_that_continues_the_stream(seed: int, draws: int) -> None:
    rng = SeededRNG(seed)
    for _ in range(draws):
        rng.next()
    other = SeededRNG(rng.state)
    assert [other.next_uint32() for _ in range(5)] == [rng.next_uint32() for _ in range(5)]


@given(seed=SEEDS, n=st.integers(1, 2**20))
def test_below__is_the_floor_of_the_number_times_n(seed: int, n: int) -> None:
    rng, same = SeededRNG(seed), SeededRNG(seed)
    for _ in range(10):
        value = rng.below(n)
        assert value == math.floor(same.next() * n)
        assert 0 <= value < n


def test_below__reaches_both_ends() -> None:
    rng = SeededRNG(7)
    assert {rng.below(6) for _ in range(200)} == set(range(6))
    assert {rng.below(1) for _ in range(20)} == {0}


@given(seed=SEEDS, low=st.integers(-1000, 1000), width=st.integers(0, 1000))
def test_range__includes_both_ends(seed: int, low: int, width: int) -> None:
    rng, same = SeededRNG(seed), SeededRNG(seed)
    assert rng.range(low, low + width) == low + same.below(width + 1)


def test_pick__takes_the_entry_that_below_names() -> None:
    rng, same = SeededRNG(3), SeededRNG(3)
    assert [rng.pick("abcde") for _ in range(20)] == ["abcde"[same.below(5)] for _ in range(20)]


def test_chance__compares_the_number_and_always_draws_one() -> None:
    rng = SeededRNG(0)
    probability = VECTORS[0][0] / 2**32
    assert not rng.chance(probability)
    assert rng.next_uint32() == VECTORS[0][1]
    assert SeededRNG(0).chance(math.nextafter(probability, 1))
    assert not SeededRNG(0).chance(0.0)
    assert SeededRNG(0).chance(1.0)


@given(seed=SEEDS, items=st.lists(st.integers(), max_size=12))
def test_shuffle__is_fisher_yates_from_the_end(seed: int, items: list[int]) -> None:
    numbers = mulberry32(seed)
    expected = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = math.floor(next(numbers) / 2**32 * (i + 1))
        expected[i], expected[j] = expected[j], expected[i]
    before = list(items)
    assert SeededRNG(seed).shuffle(items) == expected
    assert items == before


def test_shuffle__of_one_entry_draws_nothing() -> None:
    rng = SeededRNG(5)
    assert rng.shuffle(["only"]) == ["only"]
    assert rng.state == 5


# Forks


@given(seed=SEEDS, salt=st.integers(0, 2**20))
def test_fork__does_not_advance_its_parent(seed: int, salt: int) -> None:
    rng = SeededRNG(seed)
    child = rng.fork(salt)
    assert rng.state == seed
    assert child.state == SeededRNG(seed).fork(salt).state


def test_fork__gives_another_stream_for_each_salt_and_seed() -> None:
    starts = {SeededRNG(seed).fork(salt).state for seed in range(100) for salt in range(100)}
    # Chance alone makes about 0.01 pairs among 10,000 of 2**32 equal.
    assert len(starts) == 10_000


def test_fork__is_independent_of_its_parent_and_of_its_siblings() -> None:
    seeds = range(2000)
    parents = np.array([SeededRNG(seed).next() for seed in seeds])
    children = np.array([[SeededRNG(seed).fork(salt).next() for seed in seeds] for salt in (0, 1)])
    correlations = np.corrcoef([parents, *children])[np.triu_indices(3, 1)]
    # 2000 pairs: a standard deviation of 0.022.
    assert np.abs(correlations).max() < 0.1


def test_fork__of_neighbouring_seeds_does_not_run_into_the_neighbour() -> None:
    ahead = set(itertools.islice(mulberry32(1), 1000))
    child = SeededRNG(0).fork()
    assert not ahead & {child.next_uint32() for _ in range(1000)}


@given(seed=SEEDS, salt=st.integers(0, 2**20))
def test_mix_seed__is_a_uint32(seed: int, salt: int) -> None:
    assert 0 <= mix_seed(seed, salt) < 2**32


# As kernels use it


@pytest.mark.parametrize("seed", VECTORS)
def test_next_uint32__gives_the_published_numbers(seed: int) -> None:
    record = stream(seed)
    assert [int(next_uint32(record)) for _ in range(4)] == VECTORS[seed]


@given(seed=SEEDS, n=st.integers(1, 2**20))
@example(0, 1)
@example(2**32 - 1, 2**20)
def test_kernel_draws__are_those_of_seeded_rng(seed: int, n: int) -> None:
    record, rng = stream(seed), SeededRNG(seed)
    assert next_uint32(record) == rng.next_uint32()
    assert next_float(record) == rng.next()
    assert next_below(record, n) == rng.below(n)
    assert int(record.rng) == rng.state


@kernel
def mix_in_kernel(seed: int, salt: int) -> int:
    return mix_seed(seed, salt)


@given(seed=SEEDS, salt=st.integers(0, 2**20))
def test_mix_seed__is_the_same_in_a_kernel(seed: int, salt: int) -> None:
    assert mix_in_kernel(seed, salt) == mix_seed(seed, salt)


INTERPRETED = """
import json, numpy, warnings
warnings.simplefilter("ignore", RuntimeWarning)
from axiom_gym.kernel import zero_records
from axiom_gym.rng import STREAM, next_below, next_float, next_uint32, mix_seed
assert not hasattr(next_uint32, "py_func")
found = {}
for seed in (0, 1, 42, 4294967295):
    record = zero_records(1, STREAM)[0]
    record.rng = seed
    numbers = [int(next_uint32(record)) for _ in range(4)]
    more = [float(next_float(record)), int(next_below(record, 1 << 20)), int(record.rng)]
    found[seed] = [numbers, more, [int(mix_seed(numpy.int64(seed), salt)) for salt in range(4)]]
print(json.dumps(found))
"""


@pytest.mark.compiled_only
def test_kernel_draws__are_the_same_as_plain_python(python: Callable[..., str]) -> None:
    found = json.loads(python(INTERPRETED, NUMBA_DISABLE_JIT="1"))
    for seed, numbers in VECTORS.items():
        record = stream(seed)
        for _ in range(4):
            next_uint32(record)
        more = [next_float(record), next_below(record, 1 << 20), int(record.rng)]
        mixed = [mix_in_kernel(seed, salt) for salt in range(4)]
        assert found[str(seed)] == [numbers, more, mixed]
