"""Experiments: one question each, played, counted, drawn and answered into a folder.

An experiment is a file of ``experiments/`` in a checkout: its docstring begins with the question,
and its function ``play(study)`` plays, keeps tables and plots, and returns the answer.
docs/experiments.md shows how one is written.

>>> from handfoot_sim.experiment import FIELD, Study  # doctest: +SKIP
"""

from __future__ import annotations

from handfoot_sim.experiment.paired import (
    by_cards,
    by_mirror,
    changed,
    corrected,
    means,
    over_field,
    resampled,
)
from handfoot_sim.experiment.study import DRAWN, FIELD, Part, Study

__all__ = [
    "DRAWN", "FIELD", "Part", "Study", "by_cards", "by_mirror", "changed", "corrected", "means",
    "over_field", "resampled", "start",
]  # fmt: skip


def start(file: str) -> None:
    """Play the experiment of a file from the command line: ``python -m experiments.NAME``."""
    import sys
    from pathlib import Path

    from handfoot_sim.cli.main import run  # the command line stands above the library

    sys.exit(run(["experiment", Path(file).stem, *sys.argv[1:]]))
