"""What the entries of an observation are called; the kernel writes them in `observe`."""

from __future__ import annotations

from axiom_envs.ajve_civ.constants import VALUES


def feature_names(players: int) -> tuple[str, ...]:
    """A name for each entry; people 0 is the one that looks."""
    peoples = range(players)
    names = [f"people{i}.{value}" for i in peoples for value in VALUES]
    names += [f"people{i}.population" for i in peoples]
    names += [f"people{i}.yield" for i in peoples]
    names += [f"people{i}.dead" for i in peoples]
    names += [f"feels_about_people{i}" for i in peoples[1:]]
    names += [f"people{i}_feels_about_it" for i in peoples[1:]]
    names += [f"offered.{value}" for value in VALUES]
    return (*names, "world_yield", "turn", "inflection")
