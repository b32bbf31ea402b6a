from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiom_gym.game.joint import JointActions

SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)


@pytest.mark.parametrize("sizes", [(3,), (2, 3), (13, 13, 13), (4, 1, 2)])
def test_count__is_the_product_of_the_choices(sizes: tuple[int, ...]) -> None:
    assert JointActions(sizes).count == math.prod(sizes)


def test_sub_actions__let_the_last_one_change_fastest() -> None:
    orders = JointActions((2, 3)).sub_actions(np.arange(6))
    assert orders.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]


@given(sizes=SIZES)
def test_index__is_the_inverse_of_sub_actions(sizes: tuple[int, ...]) -> None:
    joint = JointActions(sizes)
    every = np.arange(joint.count)
    orders = joint.sub_actions(every)
    assert orders.dtype == np.int64
    assert orders.tolist() == [list(one) for one in itertools.product(*map(range, sizes))]
    assert joint.index(orders).dtype == np.int64
    assert joint.index(orders).tolist() == every.tolist()


@given(sizes=SIZES, beyond=st.integers(0, 2**40))
def test_sub_actions__of_a_joint_action_out_of_range_are_out_of_range(
    sizes: tuple[int, ...], beyond: int
) -> None:
    joint = JointActions(sizes)
    orders = joint.sub_actions(np.array([-1 - beyond, 0, joint.count + beyond]))
    assert orders.tolist() == [[-1] * len(sizes), [0] * len(sizes), [-1] * len(sizes)]


@given(data=st.data(), sizes=SIZES, rows=st.integers(0, 3))
def test_masks__allow_combinations_of_legal_sub_actions(
    data: st.DataObject, sizes: tuple[int, ...], rows: int
) -> None:
    bits = st.lists(st.integers(0, 1), min_size=max(sizes), max_size=max(sizes))
    shape = st.lists(bits, min_size=len(sizes), max_size=len(sizes))
    given_masks = data.draw(st.lists(shape, min_size=rows, max_size=rows))
    # What stands beyond the choices of a shorter order does not matter.
    masks = np.array(given_masks, np.int8).reshape(rows, len(sizes), max(sizes))
    joint = JointActions(sizes)
    found = joint.masks(masks)
    assert found.dtype == np.int8
    assert found.shape == (rows, joint.count)
    assert found.flags.c_contiguous
    for row, every in zip(masks, found, strict=True):
        for index, orders in enumerate(itertools.product(*map(range, sizes))):
            assert every[index] == all(row[k, order] for k, order in enumerate(orders))
