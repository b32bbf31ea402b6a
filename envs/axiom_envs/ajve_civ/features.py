"""The names of the entries of an observation of AjveCiv; `observe` writes the entries."""

from __future__ import annotations

from axiom_envs.ajve_civ.constants import VALUES


def feature_names(players: int) -> tuple[str, ...]:
    """Return a name for each entry; people 0 is the observer's own."""
    peoples = range(players)
    names = [f"people{i}.{value}" for i in peoples for value in VALUES]
    names += [f"people{i}.population" for i in peoples]
    names += [f"people{i}.yield" for i in peoples]
    names += [f"people{i}.dead" for i in peoples]
    names += [f"feels_about_people{i}" for i in peoples[1:]]
    names += [f"people{i}_feels_about_it" for i in peoples[1:]]
    names += [f"offered.{value}" for value in VALUES]
    return (*names, "world_yield", "turn", "inflection")
