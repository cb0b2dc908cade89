"""Sequential tests that stop a comparison as soon as it is decided.

Wald's sequential probability ratio test stops when the log-likelihood ratio (LLR) of two
hypotheses leaves the interval from log(beta / (1 - alpha)) to log((1 - beta) / alpha) (Wald,
Sequential Analysis, 1947). Here the hypotheses leave parameters open, which are set to their
maximum likelihood under each of them: the *generalised* test.

``EloTest``
    on the five outcomes of a duplicate pair, from two losses to two wins. The pair, not the
    match, is the unit, as its two matches share cards. The formulas are those of Van den Bergh,
    "The generalized maximum likelihood ratio for the expectation value of a distribution" (online,
    cantate.be/Fishtest/support_MLE_multinomial.pdf), used by fishtest for chess engines.
``MarginTest``
    on the mean paired margin in points, taken as normal with unknown variance.

Both take A's side: what is tested is how much better A is than B. ``alpha`` is the probability of
accepting H1 although H0 is true, ``beta`` that of accepting H0 although H1 is true. They hold
approximately, and for looks after every pair or less often.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import optimize

from handfoot_sim.errors import PlanError

PAIR_VALUES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Share of a pair's points that each of its five outcomes gives A: a win 1, a tie one half."""

TINY_COUNT: Final = 1e-3
"""What an outcome that was never seen counts, so that its logarithm exists (as in fishtest)."""

EDGE: Final = 1e-9
"""How near the root is sought to the ends of its interval, as a part of the interval."""


def elo_of(score: float) -> float:
    """Logistic Elo difference of an expected score; infinite for 0 and 1."""
    if not 0.0 < score < 1.0:
        return math.copysign(math.inf, score - 0.5)
    return -400.0 * math.log10(1.0 / score - 1.0)


def score_of(elo: float) -> float:
    """Expected score, from 0 to 1, of a logistic Elo difference."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Bounds of the LLR: below the first H0 is accepted, above the second H1."""
    return math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)


def likeliest(values: np.ndarray, shares: np.ndarray, mean: float) -> np.ndarray:
    """The distribution on ``values`` of this mean under which observed ``shares`` are likeliest.

    It is shares / (1 + x (values - mean)) with the x for which it has this mean (Van den Bergh,
    proposition 1.1). ``values`` and ``shares``: float64, shape (n,), all shares above 0, and
    ``mean`` strictly between the smallest and the largest value.
    """
    gaps = values - mean
    low, high = -1.0 / gaps.max(), -1.0 / gaps.min()
    inset = EDGE * (high - low)
    root = optimize.brentq(
        lambda x: float(np.sum(shares * gaps / (1.0 + x * gaps))), low + inset, high - inset,
        xtol=1e-14, rtol=1e-12,
    )  # fmt: skip
    return np.asarray(shares / (1.0 + root * gaps))


def outcome_llr(counts: Sequence[float] | np.ndarray, elo0: float, elo1: float) -> float:
    """LLR of A being ``elo1`` better than B against its being ``elo0`` better.

    ``counts``: how often each outcome was seen, from A's worst to its best; five for pairs (two
    losses, loss and tie, loss and win or two ties, tie and win, two wins), three for single
    matches (lost, tied, won). 0 where nothing was seen.
    """
    seen = np.asarray(counts, np.float64)
    if not seen.sum():
        return 0.0
    seen = np.where(seen > 0, seen, TINY_COUNT)
    total = float(seen.sum())
    shares = seen / total
    values = np.linspace(0.0, 1.0, len(seen))
    first, second = (likeliest(values, shares, score_of(elo)) for elo in (elo0, elo1))
    return float(total * np.sum(shares * np.log(second / first)))


def margin_llr(n: int, total: float, squares: float, margin0: float, margin1: float) -> float:
    """LLR of a mean paired margin of ``margin1`` points against one of ``margin0``.

    ``n`` pairs with the sum ``total`` of their margins and the sum ``squares`` of the squares.
    With a normal margin of unknown variance it is n/2 log((s² + (m - margin0)²) / (s² + (m -
    margin1)²)), m and s² being the mean and the variance (with divisor n) seen. 0 for n = 0;
    infinite where the variance is 0 and the mean is exactly one of the hypotheses.
    """
    if not n:
        return 0.0
    mean = total / n
    variance = max(0.0, squares / n - mean * mean)
    if variance <= 1e-12 * squares / n:  # what is left is rounding
        variance = 0.0
    above, below = variance + (mean - margin0) ** 2, variance + (mean - margin1) ** 2
    if above == 0.0 or below == 0.0:
        return -math.inf if above == 0.0 else math.inf
    return n / 2.0 * math.log(above / below)


@dataclass(frozen=True)
class Verdict:
    """How a sequential test stands.

    ``accepted`` is "H0", "H1", or "" while neither is; ``low`` and ``high`` bound the LLR.
    """

    llr: float
    low: float
    high: float
    accepted: str

    @property
    def text(self) -> str:
        """LLR and bounds in words."""
        return f"LLR {self.llr:.2f}, bounds {self.low:.2f} and {self.high:.2f}"


def verdict_of(llr: float, alpha: float, beta: float) -> Verdict:
    """The verdict at an LLR."""
    low, high = wald_bounds(alpha, beta)
    accepted = "H1" if llr >= high else "H0" if llr <= low else ""
    return Verdict(llr, low, high, accepted)


def _check(names: tuple[str, str], first: float, second: float, alpha: float, beta: float) -> None:
    for name, value in zip((*names, "alpha", "beta"), (first, second, alpha, beta), strict=True):
        if isinstance(value, bool) or not math.isfinite(value):
            raise PlanError(f"sequential test: {name} = {value!r} must be a finite number")
    if not first < second:
        raise PlanError(
            f"sequential test: {names[0]} = {first:g} must be less than {names[1]} = {second:g}"
        )
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0.0 < value < 0.5:
            raise PlanError(f"sequential test: {name} = {value:g} must be above 0 and below 0.5")


@dataclass(frozen=True)
class EloTest:
    """H0: A is ``elo0`` Elo better than B; H1: it is ``elo1`` better. Raises ``PlanError``.

    Elo is logistic, of a single match, with pairs as the unit of observation.
    """

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check(("elo0", "elo1"), self.elo0, self.elo1, self.alpha, self.beta)
        if max(abs(self.elo0), abs(self.elo1)) > 4000:
            raise PlanError("sequential test: elo0 and elo1 must be from -4000 to 4000")

    def verdict(self, tally: Any) -> Verdict:
        """How the test stands after the pairs in a ``tally``."""
        llr = outcome_llr(tally.outcomes, self.elo0, self.elo1)
        return verdict_of(llr, self.alpha, self.beta)

    def claim(self, accepted: str) -> str:
        """What an accepted hypothesis says, from A's side."""
        return f"A is {self.elo1 if accepted == 'H1' else self.elo0:g} Elo better than B"


@dataclass(frozen=True)
class MarginTest:
    """H0: A's mean paired margin is ``margin0`` points a match; H1: ``margin1``."""

    margin0: float = 0.0
    margin1: float = 100.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers; raises ``PlanError``."""
        names = ("margin0", "margin1")
        _check(names, self.margin0, self.margin1, self.alpha, self.beta)

    def verdict(self, tally: Any) -> Verdict:
        """How the test stands after the sets of mirrors in a ``tally``."""
        total, squares = (float(x) for x in tally.margin)
        llr = margin_llr(tally.sets, total, squares, self.margin0, self.margin1)
        return verdict_of(llr, self.alpha, self.beta)

    def claim(self, accepted: str) -> str:
        """What an accepted hypothesis says, from A's side."""
        points = self.margin1 if accepted == "H1" else self.margin0
        return f"A is {points:g} points a match better than B"


SequentialTest = EloTest | MarginTest
