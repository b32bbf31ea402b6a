"""Decoding of the pickled values in a model of stable-baselines3 without running code of the file.

Such a file describes its spaces and the classes of its network as pickles. A pickle can name any
function and have it called, so these are decoded with an unpickler that finds only spaces, arrays
and classes of networks, in the packages that models need.
"""

from __future__ import annotations

import base64
import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from torch import nn, optim

from axiom_gym.errors import CheckpointError

_PACKAGES = {
    *("axiom_gym", "axiom_training", "collections", "gymnasium", "numpy", "sb3_contrib"),
    *("stable_baselines3", "torch"),
}
_KINDS = (
    *(spaces.Space, nn.Module, optim.Optimizer, OrderedDict),
    *(np.dtype, np.ndarray, np.generic),
    *(np.random.Generator, np.random.BitGenerator, np.random.SeedSequence),
)
"""The classes that a model's description may name, with their subclasses."""

_FUNCTIONS = {
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("numpy.core.numeric", "_frombuffer"),
    ("numpy.random._pickle", "__bit_generator_ctor"),
    ("numpy.random._pickle", "__generator_ctor"),
    ("numpy.random.bit_generator", "__pyx_unpickle_SeedSequence"),
}
"""The functions with which NumPy's arrays and generators are pickled."""


class _Unpickler(pickle.Unpickler):
    """An unpickler that refuses all other classes and functions."""

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) in _FUNCTIONS:
            return super().find_class(module, name)
        if module.partition(".")[0] in _PACKAGES:
            found = super().find_class(module, name)
            if isinstance(found, type) and issubclass(found, _KINDS):
                return found
        raise pickle.UnpicklingError(f"{module}.{name}")


def decode(values: Mapping[str, Any], key: str, name: str, trust: bool = False) -> Any:
    """Return a value of a model's description, which is JSON or a pickle.

    Args:
        values: the description, decoded from JSON.
        key: the name of the value.
        name: the name of the model for the error message.
        trust: if True, decode any pickle, which can run any code.

    Raises:
        CheckpointError: if the value is missing, damaged, or names a class that is not allowed.
    """
    if key not in values:
        raise CheckpointError(f"model {name!r} has no {key}, as stable-baselines3 writes it.")
    value = values[key]
    if not isinstance(value, dict) or ":serialized:" not in value:
        return value
    try:
        data = io.BytesIO(base64.b64decode(value[":serialized:"]))
        return pickle.Unpickler(data).load() if trust else _Unpickler(data).load()
    except pickle.UnpicklingError as error:
        raise CheckpointError(
            f"the {key} of model {name!r} needs {error}, which is not one of the classes of "
            "networks that are decoded without running code of the file. If you trust the file, "
            f"write a Python file with AGENT = axiom_training.load_policy({name!r}, trust=True) "
            "and name it FILE.py:AGENT."
        ) from error
    except Exception as error:
        # Damaged pickles raise exceptions of many classes without a common base.
        raise CheckpointError(f"the {key} of model {name!r} cannot be read: {error}.") from error
