"""AjveCiv: peoples with six values, and feelings between them."""

from __future__ import annotations
