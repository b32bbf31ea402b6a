"""The warning about PyTorch's default number of threads."""

from __future__ import annotations

import os
import warnings

from axiom_gym.errors import ThreadsWarning

_has_warned = False


def warn_threads(threads: int) -> None:
    """Warn if a learner has several threads by default, at the first such call in this process.

    PyTorch's threads wait for each other at every layer of a small network. If other processes use
    the cores too, this takes most of the time. Nothing is changed, because threads are a setting of
    the whole process, and a large network may need them.

    threads: the number of threads of PyTorch, which is chosen if `OMP_NUM_THREADS` is set.
    """
    global _has_warned
    if _has_warned or threads < 2 or "OMP_NUM_THREADS" in os.environ:
        return
    _has_warned = True
    warnings.warn(
        f"PyTorch uses {threads} threads, which can make learning with small networks many times "
        "slower, above all on a busy machine. Call torch.set_num_threads(1) first, or set "
        "OMP_NUM_THREADS to 1, or to another number to keep it. This is said once per process; "
        "warnings.filterwarnings('ignore', category=axiom_gym.errors.ThreadsWarning) silences it.",
        ThreadsWarning,
        stacklevel=3,
    )
