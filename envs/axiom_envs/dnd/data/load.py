"""Finds weapons, armour, creatures and scenarios by name: ours, and those of a user's own files.

    creature("goblin"), creature("fighter", level=3), scenario("2v2-goblins")
    library = Library.builtin().extended_by("mine.json")
    library.creature("frost_goblin")

A user's file is a JSON object with any of the sections "weapons", "armour", "creatures",
"classes" and "scenarios", each an object of entries by name, as in the files beside this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from axiom_gym.errors import ConfigError, UnknownNameError, check_choice

# What validates the data is imported when data is first asked for: it needs pydantic.
if TYPE_CHECKING:
    from axiom_envs.dnd.data.checks import Found
    from axiom_envs.dnd.data.fields import Entry
    from axiom_envs.dnd.data.models import (
        ArmourSpec,
        ClassSpec,
        CreatureSpec,
        ScenarioSpec,
        WeaponSpec,
    )

SpecT = TypeVar("SpecT")

KINDS = ("weapons", "armour", "creatures", "classes", "scenarios")
"""The sections of a file, in the order in which the later refer to the earlier."""

# A name means one creature, whether a monster or a class.
_SHARING = dict.fromkeys(("creatures", "classes"), ("creatures", "classes"))

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Library:
    """What can be used by name. It never changes: extending it makes another one.

    Attributes:
        weapons, armours, creatures, classes, scenarios: the entries by name.
    """

    weapons: Mapping[str, WeaponSpec]
    armours: Mapping[str, ArmourSpec]
    creatures: Mapping[str, CreatureSpec]
    classes: Mapping[str, ClassSpec]
    scenarios: Mapping[str, ScenarioSpec]

    @staticmethod
    def builtin() -> Library:
        """The library of our own files, read once.

        Raises:
            ConfigError: if pydantic is not installed.
        """
        return _builtin()

    def extended_by(
        self, source: str | Path | Mapping[str, Any], kind: str | None = None
    ) -> Library:
        """This library with the entries of a file added; they may use each other and ours.

        Args:
            source: path of a JSON file, or what one would hold.
            kind: None if the file has sections; otherwise which of `KINDS` all its entries are.

        Raises:
            ConfigError: if the file cannot be read or has mistakes: all of them, one per line,
                each with its place. A name that is taken is a mistake.
        """
        from axiom_envs.dnd.data.reading import read_json

        if isinstance(source, Mapping):
            data, title = source, "data"
        else:
            data, title = read_json(source), str(source)
        if kind is not None:
            data = {check_choice("kind of data", kind, KINDS): data}
        if not isinstance(data, Mapping) or not data.keys() <= set(KINDS):
            got = sorted(map(str, data)) if isinstance(data, Mapping) else data
            raise ConfigError(f"{title}: the sections of a file are {', '.join(KINDS)}; got {got}.")
        return _extended(self, {name: (f"{title}: {name}", part) for name, part in data.items()})

    def section(self, kind: str) -> Mapping[str, Entry]:
        """All entries of one of `KINDS`, by name."""
        return getattr(self, "armours" if kind == "armour" else kind)  # type: ignore[no-any-return]

    def weapon(self, name: str) -> WeaponSpec:
        """The weapon of that name.

        Raises:
            UnknownNameError: if there is none. The same holds for the other kinds.
        """
        return _find("weapon", name, self.weapons)

    def armour(self, name: str) -> ArmourSpec:
        """The armour of that name, or "shield"."""
        return _find("armour", name, self.armours)

    def creature(self, name: str, level: int | None = None) -> CreatureSpec:
        """The monster of that name, or a character of the class of that name.

        Args:
            name: of a monster or a class.
            level: of a character, one of its class's levels, 1 if it is None; a monster has none.

        Raises:
            UnknownNameError: if there is no such monster or class.
            ConfigError: if there is no such level.
        """
        if name in self.classes:
            return self._character(name, 1 if level is None else level)
        if name not in self.creatures:
            raise UnknownNameError("creature", name, (*self.creatures, *self.classes))
        if level is not None:
            raise ConfigError(f"level must be None, as {name!r} is no class, got {level!r}.")
        return self.creatures[name]

    def _character(self, name: str, level: int) -> CreatureSpec:
        from axiom_envs.dnd.data.classes import expand

        spec = self.classes[name]
        if str(level) not in spec.levels:
            raise ConfigError(
                f"level of {name!r} must be one of {', '.join(spec.levels)}, got {level!r}."
            )
        return expand(spec, int(level), self.weapons)

    def scenario(self, name: str) -> ScenarioSpec:
        """The scenario of that name."""
        return _find("scenario", name, self.scenarios)

    def scenario_names(self, held_out: bool | None = None) -> tuple[str, ...]:
        """All scenarios, or only those that are, or are not, held out for evaluation."""
        return tuple(
            name
            for name, spec in self.scenarios.items()
            if held_out is None or spec.held_out == held_out
        )


def _find(kind: str, name: str, entries: Mapping[str, SpecT]) -> SpecT:
    if name not in entries:
        raise UnknownNameError(kind, name, entries)
    return entries[name]


@cache
def _builtin() -> Library:
    from axiom_envs.dnd.data.reading import read_json

    files = {kind: (f"{kind}.json", read_json(_FOLDER / f"{kind}.json")) for kind in KINDS}
    return _extended(Library({}, {}, {}, {}, {}), files)


def _extended(library: Library, sections: Mapping[str, tuple[str, object]]) -> Library:
    """The library with sections, each with its source, added and checked; all or nothing."""
    from axiom_envs.dnd.data import models
    from axiom_envs.dnd.data.reading import Mistakes, parse_entries

    of_kind: dict[str, type[Entry]] = {
        "weapons": models.WeaponSpec,
        "armour": models.ArmourSpec,
        "creatures": models.CreatureSpec,
        "classes": models.ClassSpec,
        "scenarios": models.ScenarioSpec,
    }
    mistakes = Mistakes()
    # An entry with mistakes stays, as None: to refer to it is no further mistake.
    entries: dict[str, dict[str, Any]] = {kind: dict(library.section(kind)) for kind in KINDS}
    added: list[tuple[str, str, str]] = []
    for kind in KINDS:
        source, data = sections.get(kind, ("", {}))
        for name, entry in parse_entries(of_kind[kind], data, source, mistakes).items():
            if any(name in entries[other] for other in _SHARING.get(kind, (kind,))):
                mistakes.add(source, name, "the name is taken; choose another one")
            else:
                entries[kind][name] = entry
                added.append((kind, source, name))
    for kind, source, name in added:
        if entries[kind][name] is not None:
            mistakes.add_all(source, name, _check(kind, entries[kind][name], entries))
    mistakes.raise_if_any()
    return Library(*(entries[kind] for kind in KINDS))


def _check(kind: str, entry: Any, entries: Mapping[str, Mapping[str, Any]]) -> Found:
    from axiom_envs.dnd.data import checks, classes, scenario_checks

    match kind:
        case "weapons":
            return checks.weapon_mistakes(entry)
        case "armour":
            return checks.armour_mistakes(entry)
        case "creatures":
            return checks.creature_mistakes(entry, entries["weapons"], entries["armour"])
        case "classes":
            return classes.class_mistakes(entry, entries["weapons"], entries["armour"])
    return scenario_checks.scenario_mistakes(entry, entries["creatures"], entries["classes"])


def weapon(name: str) -> WeaponSpec:
    """Our weapon of that name; see `Library.weapon`."""
    return Library.builtin().weapon(name)


def armour(name: str) -> ArmourSpec:
    """Our armour of that name, or the shield; see `Library.armour`."""
    return Library.builtin().armour(name)


def creature(name: str, level: int | None = None) -> CreatureSpec:
    """Our monster or class of that name; see `Library.creature`."""
    return Library.builtin().creature(name, level)


def scenario(name: str) -> ScenarioSpec:
    """Our scenario of that name; see `Library.scenario`."""
    return Library.builtin().scenario(name)


def weapon_names() -> tuple[str, ...]:
    """All our weapons."""
    return tuple(Library.builtin().weapons)


def armour_names() -> tuple[str, ...]:
    """All our armour, and the shield."""
    return tuple(Library.builtin().armours)


def creature_names() -> tuple[str, ...]:
    """All our monsters."""
    return tuple(Library.builtin().creatures)


def class_names() -> tuple[str, ...]:
    """All our classes."""
    return tuple(Library.builtin().classes)


def scenario_names(held_out: bool | None = None) -> tuple[str, ...]:
    """Our scenarios; see `Library.scenario_names`."""
    return Library.builtin().scenario_names(held_out)


def load_file(kind: str, path: str | Path) -> Library:
    """Our library with the entries of a file whose entries are all of one of `KINDS`.

    Raises:
        ConfigError: as `Library.extended_by`.
    """
    return Library.builtin().extended_by(path, kind)
