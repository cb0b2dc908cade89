"""handfoot-sim: a strategy lab for the card game Hand and Foot.

Examples
--------
>>> from handfoot_sim import simulate
>>> deals = simulate(["greedy", "random_legal"], matches=1000, seed=1).deals
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handfoot_sim.errors import HandfootError
    from handfoot_sim.results import Results
    from handfoot_sim.rules import PRESETS, Rules
    from handfoot_sim.simulation import read_results, simulate

__all__ = ["PRESETS", "HandfootError", "Results", "Rules", "read_results", "simulate"]

_WHERE = {
    "HandfootError": "errors",
    "PRESETS": "rules",
    "Results": "results",
    "Rules": "rules",
    "read_results": "simulation",
    "simulate": "simulation",
}


def __getattr__(name: str) -> Any:
    """Load public names on first use, so that importing the package costs nothing."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value
