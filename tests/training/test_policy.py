from __future__ import annotations

import dataclasses
import io
import json
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from scipy import special, stats

from axiom_gym.adapters.gymnasium import AxiomVectorEnv
from axiom_gym.errors import CheckpointError, ConfigError
from axiom_gym.opponents import load_opponent
from axiom_gym.play.match import Match
from axiom_training.evaluation import play_series, score_against
from axiom_training.facts import ModelFacts
from axiom_training.networks import make_policy
from axiom_training.policy import (
    FACTS,
    WEIGHTS,
    ModelPolicy,
    choose,
    load_policy,
    read_weights,
    save_model,
    weights_digest,
)
from axiom_training.trainer import Trainer

Make = Callable[..., Any]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# Networks


@pytest.mark.parametrize(
    ("shape", "choices"), [((4,), (3,)), ((4,), (3, 2)), ((2, 5, 5), (3,)), ((2, 6), (2, 2))]
)
def test_make_policy__fits_observations_and_actions(
    shape: tuple[int, ...], choices: tuple[int, ...]
) -> None:
    policy = make_policy(shape, choices, (8,))
    masks = np.zeros((6, len(choices), max(choices)), np.int8)
    masks[:, :, 1] = 1
    orders = choose(policy, np.ones((6, *shape), np.float32), masks, rng())
    np.testing.assert_array_equal(orders, np.ones((6, len(choices))))


def test_make_policy__does_not_change_the_global_generator() -> None:
    before = torch.get_rng_state()
    make_policy((4,), (3,), (8,))
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.slow
def test_make_policy__does_not_import_the_compiler_of_pytorch() -> None:
    code = (
        "import sys; from axiom_training.networks import make_policy; "
        "make_policy((4,), (3,), (8,)); assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_make_policy__has_the_shape_of_training(trainer: Make) -> None:
    run: Trainer = trainer()
    trained = run.model.policy.state_dict()
    made = make_policy((4,), (4,), (8,)).state_dict()
    assert {k: v.shape for k, v in trained.items()} == {k: v.shape for k, v in made.items()}


# A frozen policy


def test_policy__does_not_change_with_the_model(trainer: Make, positions: Make) -> None:
    run: Trainer = trainer()
    policy, (seen, masks) = run.policy(), positions(40)
    digest, orders = policy.digest(), policy(seen, masks, rng())
    run.iterate()
    assert run.policy().digest() != digest
    assert policy.digest() == digest
    np.testing.assert_array_equal(policy(seen, masks, rng()), orders)


def test_policy__plays_as_the_model_does(trainer: Make, positions: Make) -> None:
    run: Trainer = trainer()
    run.iterate()
    seen, masks = positions(12)
    orders, _ = run.model.predict(seen, deterministic=True, action_masks=masks[:, 0])
    policy = ModelPolicy(run.facts, run.model.policy.state_dict(), "model", deterministic=True)
    np.testing.assert_array_equal(policy(seen, masks, rng())[:, 0], orders)


def test_digest__is_equal_if_and_only_if_the_weights_are(make_model: Make) -> None:
    first, same, other = make_model(seed=1), make_model(seed=1), make_model(seed=2)
    assert first.digest() == same.digest() != other.digest()
    network = make_policy((4,), (4,), (8,))
    before = weights_digest(network)
    for tensor in network.state_dict().values():
        kept = tensor.clone()
        tensor.view(-1)[-1] = torch.nextafter(tensor.view(-1)[-1], torch.tensor(torch.inf))
        assert weights_digest(network) != before
        tensor.copy_(kept)
    assert weights_digest(network) == before


def test_policy__samples_equal_actions_from_equal_generators(
    make_model: Make, positions: Make
) -> None:
    policy, seen = make_model(), positions(200)
    first = policy(*seen, rng(3))
    np.testing.assert_array_equal(policy(*seen, rng(3)), first)
    assert (policy(*seen, rng(4)) != first).any()


def test_policy__draws_from_its_own_generator_only(make_model: Make, positions: Make) -> None:
    policy, seen = make_model(), positions(50)
    first = policy(*seen, rng(3))
    torch.manual_seed(9)
    np.random.seed(9)
    states = torch.get_rng_state(), np.random.get_state()[1].tolist()  # type: ignore[index]
    np.testing.assert_array_equal(policy(*seen, rng(3)), first)
    assert torch.equal(torch.get_rng_state(), states[0])
    assert np.random.get_state()[1].tolist() == states[1]  # type: ignore[index]


@pytest.mark.parametrize("parity", [False, True])
def test_policy__samples_the_softmax_of_legal_actions(
    make_model: Make, positions: Make, probe: ModuleType, parity: bool
) -> None:
    model = make_model(parity=parity, seed=5)
    seen, masks = positions(1, parity)
    rows = 20_000
    orders = model(np.repeat(seen, rows, 0), np.repeat(masks, rows, 0), rng(1))
    distribution = model._policy.get_distribution(torch.as_tensor(seen))
    parts = distribution.distributions if parity else [distribution.distribution]
    for k, part in enumerate(parts):
        legal = np.flatnonzero(masks[0, k])
        expected = special.softmax(part.logits[0].numpy()[legal]) * rows
        counts = np.bincount(orders[:, k], minlength=4)
        assert counts.sum() == counts[legal].sum() == rows
        assert stats.chisquare(counts[legal], expected, sum_check=False).pvalue > 1e-3


def test_policy__chooses_the_most_likely_actions_if_deterministic(
    make_model: Make, positions: Make
) -> None:
    seen, masks = positions(8, parity=True)
    policy = make_model(parity=True, deterministic=True)
    orders = policy(seen, masks, rng(1))
    np.testing.assert_array_equal(policy(seen, masks, rng(2)), orders)
    sampling = make_model(parity=True)
    draws = np.stack([sampling(seen, masks, rng(seed)) for seed in range(400)])
    likeliest = stats.mode(draws, axis=0).mode
    assert (likeliest == orders).mean() > 0.8
    assert (np.take_along_axis(masks, orders[:, :, None], axis=2) == 1).all()


@pytest.mark.parametrize("deterministic", [False, True])
def test_policy__never_chooses_a_masked_action(
    make_model: Make, positions: Make, deterministic: bool
) -> None:
    policy = make_model(parity=True, deterministic=deterministic)
    # Whatever the weights say: as large as they get.
    for tensor in policy._policy.state_dict().values():
        tensor.mul_(1e4)
    draws = rng(0)
    for _ in range(50):
        seen = draws.normal(size=(64, 4)).astype(np.float32)
        masks = (draws.random((64, 2, 4)) < 0.3).astype(np.int8)
        masks[:, 1, 2:] = 0
        for k, width in enumerate((4, 2)):
            masks[np.arange(64), k, draws.integers(0, width, 64)] = 1
        orders = policy(seen, masks, draws)
        assert (np.take_along_axis(masks, orders[:, :, None], axis=2) == 1).all()


def test_policy__refuses_other_shapes_and_names_its_game(make_model: Make, positions: Make) -> None:
    with pytest.raises(CheckpointError, match=r"plays probe-v0 with .* choices \(4,\), got .*2, 4"):
        make_model()(*positions(3, parity=True), rng())
    seen, masks = positions(3)
    with pytest.raises(CheckpointError, match=r"observations \(4,\) and .* observations \(3,\)"):
        make_model()(seen[:, :3], masks, rng())


def test_policy__refuses_weights_of_another_network(make_model: Make) -> None:
    model = make_model()
    weights = model._policy.state_dict()
    for bad in (
        {},
        {**weights, "more": torch.zeros(1)},
        {**weights, "action_net.bias": torch.zeros(5)},
    ):
        with pytest.raises(CheckpointError, match="weights of model 'bad' do not fit"):
            ModelPolicy(model.facts, bad, "bad")


def test_policy__is_equal_after_bytes(make_model: Make) -> None:
    model = make_model(seed=3)
    again = ModelPolicy.from_bytes(model.facts, model.to_bytes(), "again")
    assert again.digest() == model.digest()
    assert again.name == "again"


# Files


@pytest.fixture
def saved(trainer: Make, tmp_path: Path) -> tuple[Trainer, Path]:
    """Return a run and the path of its saved model."""
    run: Trainer = trainer()
    path = tmp_path / "saved.zip"
    save_model(run.model, path, run.facts, steps=0)
    return run, path


def rewrite(path: Path, changes: dict[str, bytes | None]) -> None:
    """Replace files inside a zip file; None removes one."""
    with zipfile.ZipFile(path) as archive:
        parts: dict[str, bytes | None] = {n: archive.read(n) for n in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**parts, **changes}.items():
            if data is not None:
                archive.writestr(name, data)


def test_save_model__keeps_weights_and_facts(saved: tuple[Trainer, Path]) -> None:
    run, path = saved
    policy = load_policy(path)
    assert policy.digest() == weights_digest(run.model.policy)
    assert policy.facts == run.facts
    assert policy.name == "saved.zip"


def test_save_model__writes_files_that_stable_baselines3_can_read(
    saved: tuple[Trainer, Path],
) -> None:
    run, path = saved
    model = MaskablePPO.load(path, device="cpu")
    assert weights_digest(model.policy) == weights_digest(run.model.policy)
    assert model._last_obs is None


def test_save_model__is_atomic(
    saved: tuple[Trainer, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, path = saved
    before, files = path.read_bytes(), sorted(path.parent.iterdir())

    def fail(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(KeyboardInterrupt):
        save_model(run.model, path, run.facts)
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == files


def test_load_policy__executes_no_code(saved: tuple[Trainer, Path], tmp_path: Path) -> None:
    _, path = saved
    mark = tmp_path / "executed"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (mark,)

    buffer = io.BytesIO()
    torch.save({"a": Evil()}, buffer)
    for name, data in (("data", b'{"x": {":serialized:": "gASV"}}'), (WEIGHTS, buffer.getvalue())):
        rewrite(path, {name: data})
        if name == WEIGHTS:
            with pytest.raises(CheckpointError, match=r"weights of 'saved.zip' cannot be read"):
                load_policy(path)
        else:
            load_policy(path)
    assert not mark.exists()
    with pytest.raises(CheckpointError):
        read_weights(pickle.dumps(Evil()), "x")
    assert not mark.exists()


def test_load_policy__refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    with pytest.raises(
        CheckpointError, match=r"model '.*model.zip' cannot be read: .*No such file"
    ):
        load_policy(path)
    path.write_bytes(b"")
    with pytest.raises(CheckpointError, match="cannot be read: File is not a zip file"):
        load_policy(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("holiday.jpg", b"")
    with pytest.raises(CheckpointError, match="is no model of Axiom Gym or stable-baselines3"):
        load_policy(path)


@pytest.mark.parametrize(
    ("changes", "pattern"),
    [
        ({FACTS: b"\xff{"}, "is no JSON"),
        ({FACTS: b"[1]"}, "must hold an object"),
        ({FACTS: b"{}"}, "has format None; this version reads 1"),
        ({FACTS: b'{"format": 1}'}, "game, options, observation_shape, num_choices missing"),
        ({WEIGHTS: None}, "policy.pth is missing"),
        ({WEIGHTS: b"abc"}, "weights of 'saved.zip' cannot be read"),
    ],
)
def test_load_policy__error_names_the_mistake(
    saved: tuple[Trainer, Path], changes: dict[str, bytes | None], pattern: str
) -> None:
    _, path = saved
    rewrite(path, changes)
    with pytest.raises(CheckpointError, match=pattern):
        load_policy(path)


@pytest.mark.parametrize(
    "change",
    [
        {"network": [9]},
        {"network": []},
        {"network": [0]},
        {"network": "8"},
        {"num_choices": [5]},
        {"observation_shape": [True]},
        {"observation_shape": 4},
        {"options": None},
        {"game": 3},
    ],
)
def test_load_policy__refuses_facts_that_do_not_fit(
    saved: tuple[Trainer, Path], change: dict[str, Any]
) -> None:
    run, path = saved
    facts = {"format": 1, **run.facts.to_json(), **change}
    rewrite(path, {FACTS: json.dumps(facts).encode()})
    with pytest.raises(CheckpointError, match=r"model '.*saved.zip': "):
        load_policy(path)


def test_load_policy__refuses_damaged_files(
    saved: tuple[Trainer, Path],
) -> None:
    run, path = saved
    sound, digest = path.read_bytes(), weights_digest(run.model.policy)
    draws, refused = rng(0), 0
    for number in range(150):
        data = bytearray(sound)
        # Names and sizes are at the end of a zip file, so half of the damage is there.
        low = len(data) - 700 if number % 2 else 0
        at = int(draws.integers(low, len(data)))
        data[at] ^= int(draws.integers(1, 256))
        path.write_bytes(data)
        try:
            assert load_policy(path).digest() == digest
        except CheckpointError:
            refused += 1
    assert refused > 50
    for length in draws.integers(0, len(sound), 20).tolist():
        path.write_bytes(sound[:length])
        with pytest.raises(CheckpointError):
            load_policy(path)


# Which game


def test_facts__are_equal_after_json(probe: ModuleType) -> None:
    facts = ModelFacts.of(probe.GAME, {"turns": 3}, network=(8, 4))
    assert ModelFacts.from_json(json.loads(json.dumps(facts.to_json()))) == facts
    assert ModelFacts.from_json({**facts.to_json(), "steps": 5}) == facts
    with pytest.raises(ConfigError, match="not the facts of a model: network missing"):
        ModelFacts.from_json({k: v for k, v in facts.to_json().items() if k != "network"})


def test_model__is_an_opponent_by_its_path(saved: tuple[Trainer, Path]) -> None:
    _, path = saved
    env = AxiomVectorEnv("probe-v0", 3, opponent=str(path))
    env.reset(seed=1)
    env.step(env.action_space.sample())
    assert isinstance(env.seating.pool.members[0], ModelPolicy)
    env.close()


def use_in_environment(game: str, path: str, options: dict[str, Any]) -> None:
    AxiomVectorEnv(game, 2, opponent=path, **options)


def use_in_pool(game: str, path: str, options: dict[str, Any]) -> None:
    AxiomVectorEnv(game, 2, opponent=["random", path], **options)


def use_in_match(game: str, path: str, options: dict[str, Any]) -> None:
    Match(game, ["random", path], seed=0, **options)


def use_in_series(game: str, path: str, options: dict[str, Any]) -> None:
    play_series(game, [path, "random"], 2, options=options)


def use_in_score(game: str, path: str, options: dict[str, Any]) -> None:
    score_against(game, load_opponent(path, []), "random", 2, options=options)


@pytest.mark.parametrize(
    "use", [use_in_environment, use_in_pool, use_in_match, use_in_series, use_in_score]
)
def test_model__is_refused_by_another_game(
    saved: tuple[Trainer, Path], use: Callable[[str, str, dict[str, Any]], None]
) -> None:
    _, path = saved
    use("probe-v0", str(path), {})
    with pytest.raises(CheckpointError, match=r"'saved.zip' plays probe-v0, not quantaris-v0"):
        use("quantaris", str(path), {})
    pattern = (
        "'saved.zip' was trained on probe-v0 with turns=2, but this game has turns=3: "
        "use the model's options"
    )
    with pytest.raises(CheckpointError, match=pattern):
        use("probe-v0", str(path), {"turns": 3})


def test_check_game__uses_defaults_for_missing_options(make_model: Make, probe: ModuleType) -> None:
    config = probe.ProbeConfig
    make_model().check_game(probe.GAME, config(turns=2))
    make_model(turns=2).check_game(probe.GAME, config())
    make_model(turns=3).check_game(probe.GAME, config(turns=3))
    with pytest.raises(CheckpointError, match=r"with turns=3, label=, but .* turns=2, label=x"):
        make_model(turns=3).check_game(probe.GAME, config(label="x"))


def test_check_game__refuses_another_version(make_model: Make, probe: ModuleType) -> None:
    newer = probe.make_game(2, version=1)
    with pytest.raises(CheckpointError, match="plays probe-v0, not probe-v1"):
        make_model().check_game(newer, probe.ProbeConfig())


def test_check_game__refuses_options_that_the_game_no_longer_has(
    make_model: Make, probe: ModuleType
) -> None:
    facts = ModelFacts(
        game="probe-v0",
        options={"speed": 3},
        observation_shape=(4,),
        num_choices=(4,),
        network=(8,),
    )
    with pytest.raises(
        CheckpointError, match=r"'m' does not fit probe-v0: .*unknown option .*'speed'"
    ):
        facts.check_game(probe.GAME, probe.ProbeConfig(), "m")


def test_check_game__allows_any_value_of_options_that_differ_in_a_batch(
    make_model: Make, probe: ModuleType
) -> None:
    game = dataclasses.replace(probe.GAME, game_options={"turns": "turns"})
    make_model(turns=2).check_game(game, probe.ProbeConfig(turns=3))
    with pytest.raises(CheckpointError, match="was trained on probe-v0 with label="):
        make_model(turns=2, label="b").check_game(game, probe.ProbeConfig(turns=3))
