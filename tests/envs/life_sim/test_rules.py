"""Each rule of the card, interpreted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from axiom_envs import life_sim
from axiom_envs.life_sim import CONFIG, TASK, world
from axiom_envs.life_sim.constants import COMFORT, HOMES, JOBS, PRIDE
from axiom_gym.config.definitions import GameConfig
from axiom_gym.config.engine import Engine
from axiom_gym.config.validation import validate
from axiom_gym.errors import EngineError

CARD = Path(life_sim.__file__).with_name("README.md")
Life = Callable[..., Engine]
HEALTHY = {"health": 75.0, "stress": 30.0, "bonds": 75.0}

needs_card = pytest.mark.skipif(not CARD.exists(), reason="the card is not part of a wheel")


def ids(engine: Engine, context: Any = None) -> set[str]:
    return {action.id for action in engine.get_available_actions(context)}


def happened(engine: Engine) -> list[str]:
    return [entry.event_id for entry in engine.get_state()["history"]]


def test_config__has_no_mistakes() -> None:
    assert validate(CONFIG) == []


@needs_card
def test_card__names_every_field_action_and_event() -> None:
    text = CARD.read_text(encoding="utf-8")
    for name in (*CONFIG.attributes, *CONFIG.choices, *CONFIG.initial_state()):
        assert f"`{name}`" in text
    for action in CONFIG.actions:
        assert f" | `{action.id}` " in text
    for event in CONFIG.events:
        chance = event.base_probability or "milestone"
        odds = " ".join(event.meta.get("odds", ()))
        assert f"| `{event.id}` | {f'{chance} {odds}'.strip()} |" in text


def test_constants__tables_have_an_entry_for_each_job_and_home() -> None:
    for values in (world.WAGES, world.EXPERIENCE_SHARE, world.STRAIN, PRIDE):
        assert set(values) == set(JOBS)
    for values in (world.RENT, COMFORT):
        assert set(values) == set(HOMES)


# -- learning and earning --------------------------------------------------------------------------


@pytest.mark.parametrize(("job", "gain"), [("none", 2.0), ("clerk", 1.2)])
def test_study__is_slower_with_a_job(life: Life, job: str, gain: float) -> None:
    assert life(job=job).apply_action("study")["education"] == gain


def test_study__is_limited_by_education_money_and_age(life: Life) -> None:
    assert "study" in ids(life())
    for known in ({"education": 10.0}, {"money": -70.0}, {"age": 61}):
        assert "study" not in ids(life(**known))


@pytest.mark.parametrize(
    ("education", "hired"),
    [(0.0, ["labourer"]), (2.0, ["labourer", "clerk"]), (6.0, ["labourer", "clerk", "specialist"])],
)
def test_apply__requires_education(life: Life, education: float, hired: list[str]) -> None:
    engine = life(education=education)
    jobs = ("labourer", "clerk", "specialist")
    assert [job for job in jobs if engine.is_available("apply", {"job": job})] == hired


def test_apply__is_for_another_job_and_has_an_age_limit(life: Life) -> None:
    assert not life(job="clerk", education=2.0).is_available("apply", {"job": "clerk"})
    for known in ({"age": 68}, {"job": "retired"}):
        assert "apply" not in ids(life(**known), {"job": "labourer"})


def test_business__needs_experience_and_money(life: Life) -> None:
    able = {"experience": 10.0, "money": 20.0, "age": 40}
    state = life(**able).apply_action("start_business")
    assert (state["job"], state["money"]) == ("owner", -20.0)
    for known in ({"experience": 9.0}, {"money": 19.0}, {"age": 60}, {"job": "owner"}):
        assert "start_business" not in ids(life(**able | known))


def test_pay__grows_with_experience_and_education(life: Life) -> None:
    saved = [
        life(job="specialist", experience=experience, education=education).tick()["money"]
        for experience, education in ((0.0, 0.0), (10.0, 0.0), (0.0, 10.0))
    ]
    assert saved[1] - saved[0] == pytest.approx(30.0 * 0.1 * 0.97, abs=0.01)
    assert saved[2] - saved[0] == pytest.approx(30.0 * 0.2 * 0.97, abs=0.01)


def test_pay__of_an_owner_moves_with_the_economy(life: Life) -> None:
    rich, poor = (life(job="owner", money=200.0, economy=e).tick()["money"] for e in (0.8, -0.8))
    assert rich - poor == pytest.approx(30.0 * 1.6 * 0.75 * 0.97)


def test_retirement__is_possible_at_58_and_automatic_at_70(life: Life) -> None:
    assert "retire" not in ids(life(job="clerk", age=57))
    assert life(job="clerk", age=58).apply_action("retire")["job"] == "retired"
    engine = life(job="clerk", age=69)
    assert engine.tick()["job"] == "retired"
    assert "golden_watch" in happened(engine)


# -- money -----------------------------------------------------------------------------------------


def test_interest_and_inflation(life: Life) -> None:
    calm = {"seed": 2, "job": "none", "home": "shared"}
    assert life(money=-20.0, **calm).tick()["money"] == pytest.approx(1.08 * (-20.0 + 3.0 - 15.0))
    assert life(money=100.0, **calm).tick()["money"] == pytest.approx(0.97 * (100.0 + 3.0 - 15.0))


def test_fund__grows_with_the_economy(life: Life) -> None:
    fund = [life(fund=100.0, economy=e, cooldowns={"crash": 9}).tick()["fund"] for e in (0.0, 0.4)]
    assert fund == pytest.approx([105.0, 105.0 + 100.0 * 0.12 * 0.3])


def test_fund__takes_money_and_gives_less_back(life: Life) -> None:
    engine = life(money=60.0)
    assert not engine.is_available("invest", {"amount": 180.0})
    assert engine.apply_action("invest", {"amount": 60.0})["fund"] == 60.0
    assert engine.apply_action("withdraw")["money"] == 55.0
    assert not engine.is_available("withdraw")


def test_house__requires_a_deposit_and_is_sold_at_a_loss(life: Life) -> None:
    assert not life(money=59.0).is_available("move", {"home": "house"})
    engine = life(money=60.0)
    assert engine.apply_action("move", {"home": "house"})["money"] == -70.0
    with pytest.raises(EngineError, match="conditions not met"):
        engine.apply_action("move", {"home": "flat"})
    assert life(money=20.0, home="house").apply_action("move", {"home": "flat"})["money"] == 129.0


def test_bankruptcy__takes_home_and_fund_and_the_debt(life: Life) -> None:
    engine = life(money=-145.0, home="house", fund=50.0)
    state = engine.tick()
    assert (state["home"], state["fund"], state["money"]) == ("shared", 0.0, -50.0)
    assert "bankruptcy" in happened(engine)


def test_parents__end_the_stay_at_27(life: Life) -> None:
    assert life(age=25).tick()["home"] == "parents"
    assert life(age=26).tick()["home"] == "shared"


# -- health and company ----------------------------------------------------------------------------


def test_children__need_a_partner_and_money_and_have_an_age_limit(life: Life) -> None:
    able = {"partner": True, "age": 30, "money": 5.0}
    state = life(**able).apply_action("have_child")
    assert (state["children"], state["at_home"]) == (1, 1)
    for known in ({"partner": False}, {"age": 46}, {"money": 4.0}, {"children": 3}):
        assert "have_child" not in ids(life(**able | known))


def test_children__cost_while_they_are_at_home(life: Life) -> None:
    alone, parent = (life(money=100.0, stress=50.0, children=2, at_home=n).tick() for n in (0, 2))
    assert alone["money"] - parent["money"] == pytest.approx(2 * 5.0 * 0.97)
    assert parent["stress"] > alone["stress"]


def test_hospital__allows_only_waiting_for_a_year(life: Life) -> None:
    engine = life(stress=99.0, job="manager", age=30, at_home=3, cooldowns={"burnout": 99})
    state = engine.tick()
    assert state["hospital"]
    assert state["health"] < 85.0 - 12.0
    assert "breakdown" in happened(engine)
    assert engine.get_available_actions() == []
    assert not engine.tick()["hospital"]
    assert engine.get_available_actions()


def test_stress__lowers_health(life: Life) -> None:
    calm, tense = (life(stress=stress).tick()["health"] for stress in (40.0, 90.0))
    assert calm - tense > 1.0


def test_doctor__restores_more_at_low_health(life: Life) -> None:
    assert not life(health=85.0).is_available("see_doctor")
    gains = [life(health=h).apply_action("see_doctor")["health"] - h for h in (20.0, 80.0)]
    assert gains == pytest.approx([20.6, 7.4])


# -- odds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("modifier", "tag", "state", "factor"),
    [
        (world.stress_raises, "stress", {"stress": 100.0}, 2.5),
        (world.frailty_raises, "frailty", {"age": 68, "health": 50.0}, 2.5),
        (world.education_lowers, "education", {"education": 10.0}, 0.3),
        (world.economy_moves, "boom", {"climate": "boom"}, 2.0),
        (world.economy_moves, "boom", {"climate": "bust"}, 0.4),
        (world.economy_moves, "bust", {"climate": "bust"}, 2.0),
        (world.economy_moves, "bust", {"climate": "calm"}, 1.0),
        (world.merit_raises, "experience", {"experience": 25.0}, 2.0),
        (world.company_raises, "bonds", {"bonds": 100.0}, 2.0),
    ],
)
def test_odds(modifier: Any, tag: str, state: dict[str, Any], factor: float) -> None:
    tagged, other = (SimpleNamespace(meta=meta) for meta in ({"odds": (tag,)}, {}))
    assert modifier(state, 0.1, tagged) == pytest.approx(0.1 * factor)
    assert modifier(state, 0.1, other) == 0.1


def test_odds__every_tag_has_a_modifier() -> None:
    known = {"stress", "frailty", "education", "boom", "bust", "experience", "bonds"}
    assert {tag for event in CONFIG.events for tag in event.meta.get("odds", ())} == known


@pytest.mark.parametrize(("economy", "name"), [(-0.4, "bust"), (0.0, "calm"), (0.4, "boom")])
def test_climate__depends_on_the_economy(life: Life, economy: float, name: str) -> None:
    assert life(economy=economy).tick()["climate"] == name


# -- the score -------------------------------------------------------------------------------------


def test_wellbeing__is_capped(life: Life) -> None:
    def of(**known: Any) -> float:
        return float(world.wellbeing(life(**known).get_state()))

    enough = of(**HEALTHY, money=800.0)
    assert of(health=100.0, stress=0.0, bonds=100.0, money=1000.0, fund=900.0) == enough
    assert of(**HEALTHY | {"health": 50.0}) < of(**HEALTHY)
    assert of(health=0.0, stress=100.0, bonds=0.0, money=-150.0) == 0.0
    best = {"job": "owner", "home": "house", "children": 3, "partner": True, "education": 10.0}
    assert of(**HEALTHY, **best, fund=1000.0) == pytest.approx(1.0, abs=0.03)


def test_task__terminates_at_health_0_or_age_78(life: Life) -> None:
    def is_over(**known: Any) -> bool:
        assert TASK.terminated is not None
        return bool(TASK.terminated(life(**known).get_state()))

    assert is_over(health=0.0)
    assert is_over(age=78)
    assert not is_over(health=0.1, age=77)


def test_texts__are_sentences(life: Life) -> None:
    state = life(education=6.0, job="clerk").get_state()
    assert isinstance(CONFIG, GameConfig)
    for thing in (*CONFIG.actions, *CONFIG.events):
        for context in getattr(thing, "contexts", ()) or (None,):
            arguments = (state,) if context is None else (state, context)
            text = thing.text
            if callable(text):
                text = text(*arguments[: text.__code__.co_argcount])
            assert text.endswith((".", "!")), thing.id
            assert "{" not in text
