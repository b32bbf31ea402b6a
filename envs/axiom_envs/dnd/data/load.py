"""Weapons, armour, creatures and scenarios by name: the built-in ones and those of other files.

    creature("goblin"), creature("fighter", level=3), scenario("2v2-goblins")
    library = Library.builtin().extended_by("mine.json")
    library.creature("frost_goblin")

Another file is a JSON object with any of the sections "weapons", "armour", "creatures", "classes"
and "scenarios", each an object of entries by name, as in the files of this folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from axiom_gym.errors import ConfigError, UnknownNameError, check_choice

# The modules that validate data need pydantic, so they are imported at the first use of data.
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
"""The sections of a file; later ones refer to earlier ones."""

# Creatures and classes share one set of names, because `create` looks up both.
_SHARING = dict.fromkeys(("creatures", "classes"), ("creatures", "classes"))

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Library:
    """The entries that can be used by name. A library is immutable: extending it makes a new one.

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
        """Return the library of the built-in files, which are read once.

        Raises:
            ConfigError: if pydantic is not installed.
        """
        return _builtin()

    def extended_by(
        self, source: str | Path | Mapping[str, Any], kind: str | None = None
    ) -> Library:
        """Return this library with the entries of a file added, which may refer to each other.

        Args:
            source: path of a JSON file, or the content of one.
            kind: None if the file has sections; otherwise the one of `KINDS` of all its entries.

        Raises:
            ConfigError: if the file cannot be read or has mistakes; the message lists all mistakes,
                one per line, each with its place. A name that is already in use is a mistake.
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
        """Return all entries of one of `KINDS`, by name."""
        return getattr(self, "armours" if kind == "armour" else kind)  # type: ignore[no-any-return]

    def weapon(self, name: str) -> WeaponSpec:
        """Return the weapon of that name.

        Raises:
            UnknownNameError: if there is none. The same holds for the other kinds.
        """
        return _find("weapon", name, self.weapons)

    def armour(self, name: str) -> ArmourSpec:
        """Return the armour of that name, or "shield"."""
        return _find("armour", name, self.armours)

    def creature(self, name: str, level: int | None = None) -> CreatureSpec:
        """Return the monster of that name, or a character of the class of that name.

        Args:
            name: name of a monster or a class.
            level: one of the levels of the class, by default 1; must be None for a monster.

        Raises:
            UnknownNameError: if there is no such monster or class.
            ConfigError: if there is no such level.
        """
        if name in self.classes:
            return self._character(name, 1 if level is None else level)
        if name not in self.creatures:
            raise UnknownNameError("creature", name, (*self.creatures, *self.classes))
        if level is not None:
            raise ConfigError(f"level must be None, as {name!r} is not a class, got {level!r}.")
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
        """Return the scenario of that name."""
        return _find("scenario", name, self.scenarios)

    def scenario_names(self, held_out: bool | None = None) -> tuple[str, ...]:
        """Return the names of all scenarios, or only of those that are, or are not, held out."""
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
    """Return the library with the sections added and checked; if there are mistakes, raise them."""
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
    # An entry with mistakes stays as None, so that references to it are not mistakes too.
    entries: dict[str, dict[str, Any]] = {kind: dict(library.section(kind)) for kind in KINDS}
    added: list[tuple[str, str, str]] = []
    for kind in KINDS:
        source, data = sections.get(kind, ("", {}))
        for name, entry in parse_entries(of_kind[kind], data, source, mistakes).items():
            if any(name in entries[other] for other in _SHARING.get(kind, (kind,))):
                mistakes.add(source, name, "the name is already in use; choose another one")
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
    """Return the built-in weapon of that name; see `Library.weapon`."""
    return Library.builtin().weapon(name)


def armour(name: str) -> ArmourSpec:
    """Return the built-in armour of that name, or the shield; see `Library.armour`."""
    return Library.builtin().armour(name)


def creature(name: str, level: int | None = None) -> CreatureSpec:
    """Return the built-in monster or class of that name; see `Library.creature`."""
    return Library.builtin().creature(name, level)


def scenario(name: str) -> ScenarioSpec:
    """Return the built-in scenario of that name; see `Library.scenario`."""
    return Library.builtin().scenario(name)


def weapon_names() -> tuple[str, ...]:
    """Return the names of all built-in weapons."""
    return tuple(Library.builtin().weapons)


def armour_names() -> tuple[str, ...]:
    """Return the names of all built-in armour, with the shield."""
    return tuple(Library.builtin().armours)


def creature_names() -> tuple[str, ...]:
    """Return the names of all built-in monsters."""
    return tuple(Library.builtin().creatures)


def class_names() -> tuple[str, ...]:
    """Return the names of all built-in classes."""
    return tuple(Library.builtin().classes)


def scenario_names(held_out: bool | None = None) -> tuple[str, ...]:
    """Return the names of built-in scenarios; see `Library.scenario_names`."""
    return Library.builtin().scenario_names(held_out)


def load_file(kind: str, path: str | Path) -> Library:
    """Return the built-in library with the entries of a file, all of one of `KINDS`.

    Raises:
        ConfigError: see `Library.extended_by`.
    """
    return Library.builtin().extended_by(path, kind)
