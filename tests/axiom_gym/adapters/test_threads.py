from __future__ import annotations

import os
import warnings

import pytest

from axiom_gym.adapters import threads
from axiom_gym.errors import ThreadsWarning


@pytest.fixture(autouse=True)
def _first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_has_warned", False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


def test_threads__are_warned_about_once() -> None:
    with pytest.warns(ThreadsWarning, match=r"uses 8 threads, .* torch\.set_num_threads\(1\)"):
        threads.warn_threads(8)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ThreadsWarning)
        threads.warn_threads(8)


@pytest.mark.parametrize(("number", "chosen"), [(1, ""), (8, "8")])
def test_threads__that_are_few_or_chosen_are_fine(
    number: int, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chosen:
        monkeypatch.setitem(os.environ, "OMP_NUM_THREADS", chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ThreadsWarning)
        threads.warn_threads(number)


def test_threads__are_warned_about_by_the_vector_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch = pytest.importorskip("torch")
    from axiom_gym.adapters import sb3

    monkeypatch.setattr(torch, "get_num_threads", lambda: 4)
    with pytest.warns(ThreadsWarning, match="uses 4 threads") as found:
        sb3.make_vec_env("connect_four", 1)
    assert found[0].filename == __file__
