"""Observations of the skirmish; `observe.layout` describes their layout.

Sizes and names need neither the engine nor a compiler. Modules that do are imported when the first
observation is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from axiom_envs.skirmish.observe.layout import Floats, feature_names, observation_size, split

if TYPE_CHECKING:
    from axiom_envs.skirmish.observe.view import View
    from axiom_envs.skirmish.rules import Session

__all__ = ["feature_names", "observation_size", "split", "write_observation"]

_views: WeakKeyDictionary[Session, View] = WeakKeyDictionary()


def write_observation(session: Session, player: int, out: Floats) -> None:
    """Write the observation of a player's side.

    Args:
        session: the game.
        player: the observer; all players of a side observe the same.
        out: (F,) float32, where F is the `observation_size` of the session's units, width and
            height; all entries are written.
    """
    view = _views.get(session)
    if view is None:
        from axiom_envs.skirmish.observe.view import View

        view = _views[session] = View(session)
    view.write(session, session.observer_side(player), out)
