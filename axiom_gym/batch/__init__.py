"""Batches of games of one kind: records, buffers, and the loop that steps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiom_gym.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_gym.batch.batch import Batch
    from axiom_gym.batch.types import Buffers

__all__ = ["Batch", "Buffers"]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, __all__, ("axiom_gym.batch.types", "axiom_gym.batch.batch"))


def __dir__() -> list[str]:
    return list(__all__)
