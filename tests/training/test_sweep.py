from __future__ import annotations

from pathlib import Path

import pytest

from axiom_gym.errors import ConfigError
from axiom_training.sweep import name_setting, parse_seeds, parse_sweep


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0-4", [0, 1, 2, 3, 4]),
        ("0,3,7", [0, 3, 7]),
        ("5", [5]),
        ("1-2, 10-11", [1, 2, 10, 11]),
    ],
)
def test_seeds__are_ranges_and_lists(text: str, expected: list[int]) -> None:
    assert parse_seeds(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a range or a list, such as 0-4 or 0,3,7; got ''"),
        ("a-b", "got 'a-b'"),
        ("-1", "got '-1'"),
        ("0,,1", "got '0,,1'"),
        ("4-0", "goes up and has at most 1000, got '4-0'"),
        ("0-99999", "at most 1000, got '0-99999'"),
        ("0-2,2", "got 2 twice in '0-2,2'"),
    ],
)
def test_seeds__refuse_other_forms(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_seeds(text)


def test_sweep__has_a_setting_for_each_combination() -> None:
    assert parse_sweep(["learning-rate=1e-4,3e-4", "epochs=1,2"]) == [
        {"learning_rate": 1e-4, "epochs": 1},
        {"learning_rate": 1e-4, "epochs": 2},
        {"learning_rate": 3e-4, "epochs": 1},
        {"learning_rate": 3e-4, "epochs": 2},
    ]
    assert parse_sweep([]) == [{}]


def test_sweep__reads_values_in_the_type_of_the_option() -> None:
    words = ["network=64x64,128", "against=greedy,random+runs/a", "random_opponent=yes,no"]
    first, *_, last = parse_sweep(words)
    assert first == {"network": (64, 64), "against": ("greedy",), "random_opponent": "yes"}
    assert last == {"network": (128,), "against": ("random", "runs/a"), "random_opponent": "no"}


def test_sweep__reads_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text("learning_rate = [1e-4]\nnetwork = [[64, 64], [128]]\n", encoding="utf-8")
    assert parse_sweep([str(file), "epochs=4"]) == [
        {"learning_rate": 1e-4, "network": (64, 64), "epochs": 4},
        {"learning_rate": 1e-4, "network": (128,), "epochs": 4},
    ]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("learning_rat=1", "unknown training option 'learning_rat'. Did you mean 'learning_rate'"),
        ("seed=1,2", "unknown training option 'seed'"),
        ("learning_rate", r"--sweep is NAME=VALUE,... or FILE.toml.* got 'learning_rate'"),
        ("learning_rate=1e-4,fast", "--sweep learning_rate must be a number, got 'fast'"),
        ("epochs=1.5", "--sweep epochs must be an integer, got '1.5'"),
        ("network=64xx", "--sweep network must be widths such as 64x64, got '64xx'"),
        ("epochs=1,1", "--sweep epochs needs different values, got 1 twice"),
        ("missing.toml", r"the sweep 'missing\.toml' cannot be read"),
    ],
)
def test_sweep__refuses_other_words(word: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_sweep([word])


def test_sweep__refuses_an_option_that_is_named_twice() -> None:
    with pytest.raises(ConfigError, match="--sweep names 'epochs' twice"):
        parse_sweep(["epochs=1", "epochs=2"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epochs = 3", r"epochs in .* must be a list of values, such as \[1e-4, 3e-4\], got 3"),
        ("epochs = []", "--sweep epochs needs different values, got none"),
        ("", "is empty"),
        ("epochs = [", "cannot be read"),
        ("epoch = [1]", "Did you mean 'epochs'"),
    ],
)
def test_sweep__refuses_other_files(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sweep.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        parse_sweep([str(tmp_path / "sweep.toml")])


def test_name__is_one_folder() -> None:
    setting = {"learning_rate": 1e-5, "network": (64, 32), "against": ("runs/a", "greedy")}
    assert name_setting(setting) == "learning_rate=1e-05,network=64x32,against=runs-a+greedy"
