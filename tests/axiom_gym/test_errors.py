from __future__ import annotations

import inspect
import pickle
import re
from typing import Any

import numpy as np
import pytest

from axiom_gym import errors
from axiom_gym.errors import (
    AxiomError,
    ConfigError,
    UnknownGameError,
    UnknownNameError,
    check_choice,
    check_range,
)

CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, Exception) and not issubclass(value, Warning)
]


@pytest.mark.parametrize("error", CLASSES)
def test_errors__are_axiom_errors(error: type[Exception]) -> None:
    assert issubclass(error, AxiomError)


def test_docstring__draws_the_tree_as_it_is() -> None:
    lines = (errors.__doc__ or "").splitlines()
    drawn: dict[str, str | None] = {}
    above: dict[int, str] = {}
    for line in lines:
        if match := re.match(r"    ([-|` ]*)(\w+Error)\b", line):
            depth = len(match[1])
            drawn[match[2]] = above.get(depth - 4)
            above[depth] = match[2]
    actual = {
        error.__name__: next((b.__name__ for b in error.__bases__ if b in CLASSES), None)
        for error in CLASSES
    }
    assert drawn == actual


def test_docstring__names_the_builtin_bases() -> None:
    for error in CLASSES:
        builtin = [b.__name__ for b in error.__bases__ if b not in CLASSES]
        match = re.search(rf"\b{error.__name__} \((\w+)\)", errors.__doc__ or "")
        assert ([match[1]] if match else ["Exception"][: error is AxiomError]) == builtin


# Names


def test_unknown_name__names_the_closest_and_all_valid_names() -> None:
    error = UnknownGameError("game", "quantari", ["quantaris", "chess"], "Look around.")
    assert str(error) == (
        "unknown game 'quantari'. Did you mean 'quantaris'? "
        "Valid: 'chess', 'quantaris'. Look around."
    )
    assert (error.name, error.valid) == ("quantari", ("chess", "quantaris"))


def test_unknown_name__has_no_hint_if_no_name_is_close() -> None:
    assert str(UnknownNameError("game", "zzz", ["chess"])) == "unknown game 'zzz'. Valid: 'chess'."
    assert str(UnknownNameError("game", 3, [])) == "unknown game 3. Valid: none."


def test_check_choice__returns_the_value() -> None:
    assert check_choice("ruleset", "0.2", ("0.1", "0.2")) == "0.2"
    assert check_choice("ruleset", "0.2", iter(["0.1", "0.2"])) == "0.2"


@pytest.mark.parametrize("value", ["0.3", 0.2, None, ["0.1"], np.array(["0.1", "0.2"])])
def test_check_choice__refuses_all_else(value: Any) -> None:
    with pytest.raises(UnknownNameError, match="unknown ruleset"):
        check_choice("ruleset", value, ("0.1", "0.2"))


# Numbers


@pytest.mark.parametrize("value", [1, 5, np.int8(3), np.uint64(5), np.array(4)])
def test_check_range__returns_integers_as_int(value: Any) -> None:
    result = check_range("size", value, 1, 5)
    assert type(result) is int
    assert result == value


@pytest.mark.parametrize(
    "value", [0, 6, -1, 2.0, 2.5, "3", None, True, np.bool_(True), np.float32(2), [2]]
)
def test_check_range__refuses_all_else(value: Any) -> None:
    with pytest.raises(ConfigError, match="size must be an integer from 1 to 5, got"):
        check_range("size", value, 1, 5)


def test_check_range__without_an_upper_end() -> None:
    assert check_range("size", 10**30, 1) == 10**30
    with pytest.raises(ConfigError, match="size must be an integer at least 1, got 0"):
        check_range("size", 0, 1)


# Between processes


@pytest.mark.parametrize("error", [e for e in CLASSES if not issubclass(e, UnknownNameError)])
def test_errors__survive_pickling(error: type[Exception]) -> None:
    copy = pickle.loads(pickle.dumps(error("what was wrong")))
    assert type(copy) is error
    assert str(copy) == "what was wrong"


@pytest.mark.parametrize("error", [e for e in CLASSES if issubclass(e, UnknownNameError)])
def test_unknown_names__survive_pickling(error: type[UnknownNameError]) -> None:
    first = error("game", "ches", ["chess"], "Look.")
    copy = pickle.loads(pickle.dumps(first))
    assert type(copy) is error
    assert str(copy) == str(first)
    assert copy.valid == first.valid


def test_errors__are_documented() -> None:
    assert all(inspect.getdoc(error) for error in CLASSES)
