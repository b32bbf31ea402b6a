from __future__ import annotations

import json
import pickle
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from axiom_gym.errors import CheckpointError
from axiom_training.checkpoint import (
    FORMAT,
    Checkpoint,
    get_generators,
    load_checkpoint,
    save_checkpoint,
    set_generators,
)


def sample() -> Checkpoint:
    return Checkpoint(
        meta={"config": {"game": "probe-v0", "rate": 0.1}, "progress": {"steps": 3}},
        parameters={
            "policy": {"w": torch.arange(3.0), "b": torch.tensor([0.1])},
            "policy.optimizer": {"state": {0: {"step": torch.tensor(4.0)}}, "param_groups": [{}]},
        },
        state={
            "whole": np.arange(5, dtype=np.int16),
            "observations": np.random.default_rng(0).normal(size=(2, 3)).astype(np.float32),
            "empty": np.zeros((0, 4), np.bool_),
            "batch": b"\x00\xff" * 9,
            "number": 0.1 + 0.2,
            "large": 2**100,
            "none": None,
            "list": [{"r": 1.5}],
        },
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "checkpoint.zip"
    save_checkpoint(file, sample())
    return file


def assert_equal(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert_equal(found[key], value)
    elif isinstance(expected, torch.Tensor):
        assert torch.equal(found, expected)
    elif isinstance(expected, np.ndarray):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert found.tobytes() == expected.tobytes()
    else:
        assert found == expected


def rewrite(path: Path, changes: dict[str, bytes | None]) -> None:
    """Replace files inside a zip file; None removes one."""
    with zipfile.ZipFile(path) as archive:
        parts: dict[str, bytes | None] = {n: archive.read(n) for n in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**parts, **changes}.items():
            if data is not None:
                archive.writestr(name, data)


def test_checkpoint__is_equal_after_saving_and_loading(path: Path) -> None:
    found, expected = load_checkpoint(path), sample()
    assert_equal(found.meta, expected.meta)
    assert_equal(found.parameters, expected.parameters)
    assert_equal(found.state, expected.state)


def test_save__is_atomic(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write, written = path.read_bytes(), zipfile.ZipFile.writestr, []

    def fail_late(self: zipfile.ZipFile, name: Any, data: Any) -> None:
        written.append(name)
        if len(written) == 4:
            raise OSError("no space left on device")
        write(self, name, data)

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail_late)
    with pytest.raises(OSError, match="no space left"):
        save_checkpoint(path, sample())
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_save__refuses_values_that_it_could_not_load(path: Path) -> None:
    before = path.read_bytes()
    for value in (object(), {1, 2}, np.array([object()])):
        with pytest.raises((TypeError, ValueError)):
            save_checkpoint(path, Checkpoint({}, {}, {"x": value}))
    assert path.read_bytes() == before


def test_load__refuses_other_files(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.zip"
    with pytest.raises(CheckpointError, match=r"cannot be read: .*No such file"):
        load_checkpoint(file)
    file.write_bytes(b"PK and so on")
    with pytest.raises(CheckpointError, match="cannot be read: File is not a zip file"):
        load_checkpoint(file)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("holiday.jpg", b"")
    with pytest.raises(
        CheckpointError, match=r"is no checkpoint of Axiom Gym: meta.json is missing"
    ):
        load_checkpoint(file)


@pytest.mark.parametrize(
    ("changes", "pattern"),
    [
        ({"meta.json": b"{"}, "meta.json is no JSON"),
        ({"meta.json": b"{}"}, f"another format; this version reads {FORMAT}"),
        ({"meta.json": json.dumps({"format": FORMAT + 1}).encode()}, "another format"),
        ({"state.json": None}, "state.json is missing"),
        ({"state.json": b"[]"}, "must hold an object"),
        ({"parameters.pth": None}, "parameters.pth is missing"),
        ({"parameters.pth": b"abc"}, "weights of .* cannot be read"),
        ({"state/whole.npy": b"abc"}, "is damaged"),
    ],
)
def test_load__error_names_the_mistake(
    path: Path, changes: dict[str, bytes | None], pattern: str
) -> None:
    rewrite(path, changes)
    with pytest.raises(CheckpointError, match=pattern):
        load_checkpoint(path)


def test_load__executes_no_code(path: Path, tmp_path: Path) -> None:
    mark = tmp_path / "executed"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (mark,)

    array = np.array([Evil()])
    np.save(tmp_path / "evil.npy", array, allow_pickle=True)
    evil = (tmp_path / "evil.npy").read_bytes()
    for name, data in (("parameters.pth", pickle.dumps(Evil())), ("state/whole.npy", evil)):
        save_checkpoint(path, sample())
        rewrite(path, {name: data})
        with pytest.raises(CheckpointError):
            load_checkpoint(path)
    assert not mark.exists()


def test_load__refuses_damaged_files(path: Path) -> None:
    sound, draws, refused = path.read_bytes(), np.random.default_rng(0), 0
    for _ in range(200):
        data = bytearray(sound)
        data[int(draws.integers(len(data)))] ^= int(draws.integers(1, 256))
        path.write_bytes(data)
        try:
            found = load_checkpoint(path)
        except CheckpointError:
            refused += 1
        else:
            assert_equal(found.state, sample().state)
            assert_equal(found.meta, sample().meta)
    assert refused > 100


def test_generators__continue_from_their_states() -> None:
    def draw() -> list[float]:
        return [random.random(), float(np.random.normal()), float(torch.rand(1))]

    random.gauss(0, 1)
    np.random.normal()
    state = json.loads(json.dumps({k: np.asarray(v).tolist() if "torch" in k else v
                                   for k, v in get_generators().items()}))  # fmt: skip
    state["torch_generator"] = np.array(state["torch_generator"], np.uint8)
    first = [draw() for _ in range(5)]
    assert [draw() for _ in range(5)] != first
    set_generators(state)
    assert [draw() for _ in range(5)] == first
