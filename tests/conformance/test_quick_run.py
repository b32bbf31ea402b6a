"""The selection of tests that `make test` runs."""

from __future__ import annotations


def test_quick_run__tests_every_game_in_every_file(never_quick: list[str]) -> None:
    """A file of this suite has at least one test of each game that is not marked slow."""
    assert never_quick == []
