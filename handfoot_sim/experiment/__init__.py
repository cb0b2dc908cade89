"""Experiments: one question each, played, counted, drawn and answered into a folder.

An experiment is a file of ``experiments/`` in a checkout: its docstring begins with the question,
and its function ``play(study)`` plays, keeps tables and plots, and returns the answer.
docs/experiments.md shows how one is written.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handfoot_sim.experiment.paired import (
        ALL,
        by_cards,
        by_mirror,
        changed,
        changes,
        corrected,
        lead,
        means,
        over_field,
        resampled,
    )
    from handfoot_sim.experiment.study import DRAWN, FIELD, Part, Study

__all__ = [
    "ALL", "DRAWN", "FIELD", "Part", "Study", "by_cards", "by_mirror", "changed", "changes",
    "corrected", "lead", "means", "over_field", "resampled",
]  # fmt: skip

_OF_STUDY = ("DRAWN", "FIELD", "Part", "Study")


def __getattr__(name: str) -> Any:
    """Load public names on first use, so that a list of experiments needs no compiler."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "study" if name in _OF_STUDY else "paired"
    value = getattr(importlib.import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
