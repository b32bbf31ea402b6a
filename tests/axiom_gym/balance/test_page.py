"""The pages of balance reports."""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from axiom_gym.balance.figures import draw_survival
from axiom_gym.balance.page import make_page, write
from axiom_gym.balance.report import balance
from axiom_gym.balance.setting_figures import choose_settings, draw_survivals
from axiom_gym.balance.settings import list_settings, parse_sweep
from axiom_gym.balance.style import to_svg
from axiom_gym.balance.tables import default_tables

HOSTILE = ("<script>alert(1)</script>", "$x^{$", 'a" onload="alert(2)', "\x00\x1b ]]> -->")


class Tags(HTMLParser):
    """Collects the elements of a page, and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def found(climb: ModuleType) -> dict[str, Any]:
    """A report on a game with hostile names, with a sweep."""

    def quantities(config: Any, states: Any) -> dict[str, Any]:
        return {HOSTILE[0]: states["height"], f"{HOSTILE[1]}={HOSTILE[2]}": states["height"] > 1}

    game = dataclasses.replace(
        climb.GAME,
        action_names=lambda config: [HOSTILE],
        quantities=quantities,
        describe_fault=lambda config, number: HOSTILE[0],
    )
    settings = list_settings(game, parse_sweep(game, ["limit=6,9", "tool=true"]))
    tables = default_tables(game, 1)[:1]
    return balance(game, [(setting, tables) for setting in settings], 120)


@pytest.fixture(scope="module")
def page(found: dict[str, Any]) -> str:
    """The page of that report."""
    return make_page(found)


def test_page__escapes_hostile_names(page: str) -> None:
    tags = Tags(page)
    assert not {"script", "img", "link", "iframe"} & {tag for tag, _ in tags.found}
    assert not any(name.startswith("on") for _, attributes in tags.found for name in attributes)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", page)


def test_page__loads_nothing_and_has_no_id_twice(page: str) -> None:
    addresses = set(re.findall(r"https?://[\w./]+", page))
    assert addresses == {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > 0
    used = re.findall(r'url\(#([^)]*)\)|href="#([^"]*)"', page)
    assert {one or other for one, other in used} <= set(ids)


def test_page__has_figures_that_parse(page: str) -> None:
    figures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    texts = ["".join(ElementTree.fromstring(figure).itertext()) for figure in figures]
    for words in ("turns played", "outcome of a game", "share of decisions", "advantage in return"):
        assert any(words in text for text in texts), words
    assert any("0.0% of moves forced" in text for text in texts)
    assert any(HOSTILE[0] in text for text in texts)
    assert "Quantities by setting" in page
    assert page.count("<details") == 2
    assert page.count("<details open") == 1


def test_figures__are_the_same_each_time(found: dict[str, Any]) -> None:
    setting = found["settings"][0]
    first, second = (to_svg(draw_survival(setting, "turn"), "x") for _ in range(2))
    assert first == second


def test_write__leaves_no_half_written_file(
    found: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "x.html"
    monkeypatch.setattr("axiom_gym.balance.page._draw", lambda report, setting: [])
    numbers = write(found, page)
    assert json.loads(numbers.read_text()) == found
    before = page.read_bytes()
    monkeypatch.setattr("axiom_gym.balance.page._setting", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write({**found, "title": "other"}, page)
    assert page.read_bytes() == before
    assert json.loads(numbers.read_text()) == found
    assert len(list(tmp_path.iterdir())) == 2


def test_survivals__have_a_panel_for_each_table_of_any_setting() -> None:
    def setting(label: str, *tables: str) -> dict[str, Any]:
        survival = {"turns": [0, 1], "share": [1, 0]}
        return {
            "label": label, "tables": [{"label": one, "survival": survival} for one in tables]
        }  # fmt: skip

    settings = [setting("players=1", "random"), setting("players=2", "random", "bully v random")]
    figure = draw_survivals({"turn": "turn", "settings": settings})
    assert [len(panel.lines) for panel in figure.axes if panel.get_visible()] == [2, 1]


def test_settings__are_thinned_out_evenly() -> None:
    settings = [{"label": str(number)} for number in range(30)]
    drawn = [one["label"] for one in choose_settings({"settings": settings})]
    assert drawn == ["0", "4", "8", "12", "17", "21", "25", "29"]
    assert choose_settings({"settings": settings[:8]}) == settings[:8]
