"""Tables: the players who meet in one series of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiom_gym.batch.scripted import RANDOM
from axiom_gym.game.facts import KernelGame
from axiom_gym.opponents.pool import Opponent
from axiom_gym.play.games import name_player


@dataclass(frozen=True, slots=True)
class Table:
    """The players of one series of games; they change seats from game to game.

    Attributes:
        players: a player for each seat of the first game.
        agents: the different players.
        names: the names of the agents, all different.
        places: for each player, the index of its agent.
    """

    players: tuple[Opponent, ...]
    agents: tuple[Opponent, ...]
    names: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def label(self) -> str:
        """The names of the agents, such as "minimax2" or "minimax2 v random"."""
        return " v ".join(self.names)


def make_table(players: Sequence[Opponent]) -> Table:
    """Return the table of these players."""
    agents: list[Opponent] = []
    for player in players:
        if player not in agents:
            agents.append(player)
    names = [name_player(agent) for agent in agents]
    full = [
        str(agent) if names.count(name) > 1 else name
        for agent, name in zip(agents, names, strict=True)
    ]
    places = tuple(agents.index(player) for player in players)
    return Table(tuple(players), tuple(agents), tuple(_tell_apart(full)), places)


def _tell_apart(names: Sequence[str]) -> list[str]:
    """Return names with a number after those that occur before."""
    return [
        f"{name} ({names[:i].count(name) + 1})" if name in names[:i] else name
        for i, name in enumerate(names)
    ]


def default_tables(game: KernelGame, seats: int) -> list[Table]:
    """Return tables of the game's standard agents.

    Each of them plays alone, or against itself in all seats. With two seats each bot also plays
    against `random`, with more seats all agents meet at one table.
    """
    agents = [RANDOM, *game.standard_bots]
    tables = [make_table([agent] * seats) for agent in agents]
    if seats == 2:
        tables += [make_table([agent, RANDOM]) for agent in agents[1:]]
    elif seats > 2 and len(agents) > 1:
        tables.append(make_table([agents[i % len(agents)] for i in range(seats)]))
    return tables
