"""The options of Connect Four, of which there are none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectFourConfig:
    """The game has one form; an option would be a field here, checked in `__post_init__`."""


PRESETS: dict[str, dict[str, object]] = {}
