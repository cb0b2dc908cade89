"""What a search is to do: its plan, and how its budget is divided."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from handfoot_sim.errors import PlanError
from handfoot_sim.ratings.sprt import MarginTest, wald_bounds
from handfoot_sim.simulation import DECISION_LIMIT
from handfoot_sim.stopping import seconds_of
from handfoot_sim.tuning.methods import METHODS
from handfoot_sim.tuning.space import ALL

BUDGET: Final = 1_000_000
"""Matches unless a budget or a time is given."""

SHARES: Final = {"search": 0.70, "test": 0.12, "again": 0.10, "curves": 0.06, "grid": 0.02}
"""Parts of the budget: searching, the test against the start, re-evaluation, curves of each
parameter at the answer, and the grid of the two that matter most."""

GENERATIONS: Final = 120
"""Generations of a search by CMA-ES that its population is chosen for (tried on synthetic
landscapes with the noise of matches: 40 to 200 did about equally well)."""

POPULATIONS: Final = (16, 512)
"""Population unless another is asked for, at least and at most."""
PAIRS: Final = (10, 200)
"""Pairs of a candidate in a generation, at least and at most."""

LEAST_GENERATIONS: Final = 10
MOST_ROUNDS: Final = 60
"""Rounds of a search by Optuna, at most: its own work grows with the square of its trials."""
LEAST_LOOK: Final = 30
"""Blocks after which the sequential test first looks, so that their mean is near normal."""

ALPHA: Final = 0.01
BETA: Final = 0.05
WORTH: Final = 50.0


class BudgetTooSmall(PlanError):
    """A budget too small to search, or to decide; ``needed`` is about how many matches would do."""

    def __init__(self, sentence: str, needed: int) -> None:
        super().__init__(sentence)
        self.needed = needed


class TunePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A search for better parameters of an agent; the keys are those of the command's options.

    agent
        What is tuned, from its parameters as named: a specification, or an agent made in Python.
    against
        The pool: line-ups with ``*WEIGHT``, ``itself`` (the start), ``nash:DIR``.
    params
        Parameters to tune, ``all`` or names, each with bounds of its own if so asked
        (``burst=0..10``).
    method
        "cma", "spsa" or "optuna".
    budget
        Matches in all: search, test, re-evaluation and curves. ``time`` ("20m") instead plays as
        many as that takes here.
    rules, transfer
        Rules to tune for, and further rules under which the answer is looked at; the other
        presets unless given.
    held_out
        Line-ups that the search does not meet; all other compiled agents unless given.
    worth
        Gain in points a match that is worth finding: H1 of the test; H0 is no gain.
    alpha, beta
        Probabilities of its errors: accepting no gain as one, and missing one of ``worth``.
    population, pairs
        Candidates of a generation (a round), and pairs each of them plays in it; chosen by the
        budget unless given.
    sigma
        Spread of CMA-ES at the start, as a part of the bounds.
    """

    agent: Any
    against: list[Any]
    params: list[str] = msgspec.field(default_factory=lambda: [ALL])
    method: Literal["cma", "spsa", "optuna"] = "cma"
    budget: Annotated[int, Meta(ge=1, le=10**12)] | None = None
    time: str = ""
    rules: Any = "standard"
    transfer: list[Any] | None = None
    held_out: list[Any] | None = None
    seed: Annotated[int, Meta(ge=0, le=2**62)] = 0
    dealer: Annotated[int, Meta(ge=0, le=5)] = 0
    decision_limit: Annotated[float, Meta(ge=0)] = DECISION_LIMIT
    worth: float = WORTH
    alpha: float = ALPHA
    beta: float = BETA
    population: Annotated[int, Meta(ge=4, le=100_000)] | None = None
    pairs: Annotated[int, Meta(ge=1, le=10**6)] | None = None
    sigma: float | None = None

    def __post_init__(self) -> None:
        """Check what belongs together; raises ``PlanError``."""
        if self.method not in METHODS:
            raise PlanError(f"method = {self.method!r} must be one of {', '.join(METHODS)}")
        if self.budget is not None and self.time:
            raise PlanError("budget and time: give one of them")
        for name in ("worth", "alpha", "beta", "sigma"):
            value = getattr(self, name)
            if name == "sigma" and value is None:
                continue
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value):
                raise PlanError(f"{name} = {value!r} must be a finite number")
        if self.sigma is not None and not 0.0 < self.sigma <= 1.0:
            raise PlanError(f"sigma = {self.sigma!r} must be above 0, and 1 at most")
        if self.sigma is not None and self.method != "cma":
            raise PlanError(f"sigma: the method {self.method} takes none")
        if not self.worth > 0:
            raise PlanError(f"worth = {self.worth:g} must be above 0 points")
        self.test()
        self.seconds()

    def test(self) -> MarginTest:
        """The sequential test by which the answer is accepted; raises ``PlanError``."""
        return MarginTest(0.0, self.worth, self.alpha, self.beta)

    def seconds(self) -> float | None:
        """Seconds of the time budget, or None."""
        return seconds_of(self.time) if self.time else None


def derived_seed(seed: int, purpose: str) -> int:
    """A seed of its own for a purpose, so that its cards are those of nothing else.

    The first 63 bits of the SHA-256 hash of both.
    """
    digest = hashlib.sha256(f"handfoot tune {seed} {purpose}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass(frozen=True)
class Sizes:
    """How a budget is spent.

    ``population`` candidates of ``pairs`` pairs make a generation, of which there are
    ``generations``; ``extra`` evaluations more (start, mean) come with each. The others are
    matches of the stages after the search.
    """

    population: int
    pairs: int
    extra: int
    generations: int
    test: int
    again: int
    curves: int
    grid: int


def sizes_of(plan: TunePlan, budget: int, mirrors: int, members: int) -> Sizes:
    """Divide a budget of matches; raises ``BudgetTooSmall`` if no search fits in."""
    pairs_in_all = int(budget * SHARES["search"]) // mirrors
    extra = 2 if plan.method == "cma" else 1
    population, pairs = _population(plan, pairs_in_all, members)
    if plan.method == "spsa":
        population = max(2, population // 2 * 2)
    generations = pairs_in_all // ((population + extra) * pairs)
    least = 2 if plan.population and plan.pairs else LEAST_GENERATIONS
    if generations < least:
        needed = math.ceil(least * (population + extra) * pairs * mirrors / SHARES["search"])
        raise BudgetTooSmall(
            f"budget: {budget:,} matches are {generations} generations of {population} candidates "
            f"with {pairs} pairs each; at least {least} are needed, so {needed:,} matches",
            needed,
        )
    rest = {name: int(budget * share) for name, share in SHARES.items() if name != "search"}
    return Sizes(population, pairs, extra, generations, **rest)


def _population(plan: TunePlan, pairs_in_all: int, members: int) -> tuple[int, int]:
    """Population and pairs: as asked, else as many candidates as leave enough generations."""
    if plan.method == "spsa":
        population = plan.population or 16
        pairs = plan.pairs or max(members, 10)
        return population, pairs
    if plan.method == "optuna":
        population = plan.population or 16
        each = population + 1  # the start too
        rounds = max(LEAST_GENERATIONS, min(MOST_ROUNDS, pairs_in_all // (each * PAIRS[1])))
        pairs = plan.pairs or max(members, PAIRS[0], pairs_in_all // (each * rounds))
        return population, pairs
    generation = pairs_in_all / GENERATIONS
    population = plan.population or int(
        min(POPULATIONS[1], max(POPULATIONS[0], math.sqrt(5 * generation)))
    )
    pairs = plan.pairs or int(min(PAIRS[1], max(PAIRS[0], members, generation / population)))
    return population, pairs


def check_decidable(plan: TunePlan, budget: int, noise: float, mirrors: int) -> None:
    """Refuse a budget with which the test could hardly find a gain of ``worth`` points.

    ``noise``: standard deviation of the gain of a pair. The pairs that Wald's test takes on
    average under H1 are ((1 - beta) log((1 - beta) / alpha) + beta log(beta / (1 - alpha))) 2
    noise² / worth² (Wald, Sequential Analysis, 1947, section 3.5); both sides play each.
    Raises ``BudgetTooSmall``, which says what is needed.
    """
    low, high = wald_bounds(plan.alpha, plan.beta)
    steps = (1.0 - plan.beta) * high + plan.beta * low
    pairs = max(2.0 * LEAST_LOOK, steps * 2.0 * noise**2 / plan.worth**2)
    matches = pairs * 2 * mirrors
    there = budget * SHARES["test"]
    if matches <= there:
        return
    needed = math.ceil(matches / SHARES["test"])
    visible = plan.worth * math.sqrt(matches / there)
    raise BudgetTooSmall(
        f"budget: {budget:,} matches are too few to decide: a gain of {plan.worth:g} points a "
        f"match (SD {noise:,.0f} a pair) needs about {needed:,}; give --budget {needed}, or look "
        f"for a gain of at least {visible:,.0f} points with --worth",
        needed,
    )
