"""When a pairing has been played enough.

A pairing stops after its matches; or, before that, as soon as its interval is narrow enough or a
sequential test has decided. Both are looked at only after every ``step`` matches and in the order
of the cards, never of arrival, so that the same seed stops after the same match on any number of
workers. A time budget is the exception: what fits into it depends on the machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from handfoot_sim.errors import PlanError
from handfoot_sim.ratings.sprt import EloTest, MarginTest, SequentialTest
from handfoot_sim.tally import Tally, mean_estimate

MOST_MATCHES: Final = 1_000_000
"""Matches after which a pairing that stops by a rule stops anyhow, unless the plan says."""

STEP: Final = 2_000
"""Matches between two looks at a stop rule."""

LEAST_SETS: Final = 100
"""Sets of mirrors before an interval is trusted."""

_UNITS: Final = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class HalfWidth:
    """Stop when the half-width of the margin's 95 % interval is below so many points."""

    below: float

    def __post_init__(self) -> None:
        """Check the number; raises ``PlanError``."""
        if not 0.0 < self.below < float("inf"):
            raise PlanError(f"below = {self.below!r} must be a positive number of points")


StopRule = HalfWidth | SequentialTest


def is_enough(rule: StopRule | None, tally: Tally) -> bool:
    """Whether a pairing with these results is to stop before its last match."""
    if rule is None or not tally.sets:
        return False
    if isinstance(rule, HalfWidth):
        estimate = mean_estimate(float(tally.margin[0]), float(tally.margin[1]), tally.sets)
        return tally.sets >= LEAST_SETS and estimate.half_width < rule.below
    return bool(rule.verdict(tally).accepted)


NUMBERS: Final = ("below", "elo0", "elo1", "margin0", "margin1", "alpha", "beta")
"""Numbers of stop rules, as a plan, a manifest and the command line call them."""


def rule_asked(asked: Mapping[str, Any]) -> StopRule | None:
    """The rule that a manifest's ``asked`` (or a plan's keys) describes."""
    return stop_rule(asked.get("until", "matches"), **{name: asked.get(name) for name in NUMBERS})


def stop_rule(
    until: str,
    *,
    below: float | None = None,
    elo0: float | None = None,
    elo1: float | None = None,
    margin0: float | None = None,
    margin1: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
) -> StopRule | None:
    """The rule that words of a plan or a command describe; None for ``matches``.

    Raises ``PlanError`` for numbers that the rule does not take.
    """
    given = {
        "below": below, "elo0": elo0, "elo1": elo1, "margin0": margin0, "margin1": margin1,
        "alpha": alpha, "beta": beta,
    }  # fmt: skip
    named = {name: float(value) for name, value in given.items() if value is not None}
    margins = "margin0" in named or "margin1" in named
    takes = {
        "matches": (),
        "half-width": ("below",),
        "sprt": ("margin0", "margin1", "alpha", "beta")
        if margins
        else ("elo0", "elo1", "alpha", "beta"),
    }
    if until not in takes:
        raise PlanError(f"until = {until!r} must be one of {', '.join(takes)}")
    spare = [name for name in named if name not in takes[until]]
    if spare:
        needed = "sprt with either elo0 and elo1 or margin0 and margin1"
        wanted = {"below": "half-width"}.get(spare[0], needed)
        raise PlanError(f"{spare[0]} is given but not used with until = {until}: it takes {wanted}")
    if until == "matches":
        return None
    if until == "half-width":
        if "below" not in named:
            raise PlanError("until half-width needs below, the half-width to reach in points")
        return HalfWidth(named["below"])
    return MarginTest(**named) if margins else EloTest(**named)


def check_rule(rule: StopRule | None, teams: int, mirrors: int) -> None:
    """Refuse a rule that can't be looked at with so many teams and mirrors; ``PlanError``."""
    if isinstance(rule, EloTest) and not teams == mirrors == 2:
        raise PlanError(
            "until sprt with elo0 and elo1 needs two teams and duplicate pairs, whose five "
            "outcomes it counts; give margin0 and margin1 instead, which works with any mirrors"
        )


def seconds_of(text: str) -> float:
    """A time budget such as ``90``, ``90s``, ``5m`` or ``1.5h`` in seconds; ``PlanError``."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*(s|m|min|h|)\s*", str(text))
    if not found or not float(found[1]):
        raise PlanError(f"time = {text!r} must be a time such as 60s, 5m or 1.5h")
    return float(found[1]) * _UNITS[found[2]]
