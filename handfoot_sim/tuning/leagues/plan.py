"""What a league is to do: its plan, and how its budget is divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from handfoot_sim.errors import PlanError
from handfoot_sim.simulation import DECISION_LIMIT
from handfoot_sim.stopping import seconds_of
from handfoot_sim.tuning.plan import ALPHA, BETA, WORTH, BudgetTooSmall, TunePlan, sizes_of
from handfoot_sim.tuning.space import ALL

BUDGET: Final = 4_000_000
"""Matches in all unless a budget, a time or the matches of a generation are given."""
GENERATIONS: Final = 4
"""Generations unless told, or as many as a budget has of a given size."""
MOST_GENERATIONS: Final = 1000
PAYOFF_MATCHES: Final = 10_000
FAILURES: Final = 2


class LeaguePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A league; the keys are those of the command's options.

    agent
        What is tuned: a specification. It is the league's first member, as it is named.
    pool
        The other members of the beginning: specifications of single agents.
    generations
        How often the agent is tuned at most, accepted or not.
    budget
        Matches in all; ``time`` ("1h") instead plays as many as that takes here.
    tune_budget
        Matches of one generation; else what the budget leaves is divided among those to come.
    payoff_matches
        Matches of every two members.
    failures
        Generations in a row that may be without a gain before the league ends.
    params, method, rules, transfer, held_out, dealer, decision_limit, worth, alpha, beta,
    population, pairs, sigma
        As in ``TunePlan``, for each generation.
    seed
        From which the seeds of all generations and of the payoffs are derived.
    """

    agent: Any
    pool: list[Any]
    params: list[str] = msgspec.field(default_factory=lambda: [ALL])
    method: Literal["cma", "spsa", "optuna"] = "cma"
    generations: Annotated[int, Meta(ge=1, le=MOST_GENERATIONS)] | None = None
    budget: Annotated[int, Meta(ge=1, le=10**12)] | None = None
    time: str = ""
    tune_budget: Annotated[int, Meta(ge=1, le=10**12)] | None = None
    payoff_matches: Annotated[int, Meta(ge=4, le=10**9)] = PAYOFF_MATCHES
    failures: Annotated[int, Meta(ge=1, le=MOST_GENERATIONS)] = FAILURES
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
        if self.budget is not None and self.time:
            raise PlanError("budget and time: give one of them")
        self.seconds()
        self.generation(self.agent, [], 0, 1)

    def seconds(self) -> float | None:
        """Seconds of the time budget, or None."""
        return seconds_of(self.time) if self.time else None

    def generation(self, agent: Any, against: list[Any], seed: int, budget: int) -> TunePlan:
        """The plan by which one generation is tuned."""
        shared = {
            name: getattr(self, name)
            for name in TunePlan.__struct_fields__
            if name in self.__struct_fields__ and name != "time"
        }
        return TunePlan(**shared | {
            "agent": agent, "against": against, "seed": seed, "budget": budget,
        })  # fmt: skip


@dataclass(frozen=True)
class Purse:
    """The matches of a league, and what of them a generation gets.

    ``total``: matches in all, None without a bound; ``generations``: how many at most; ``each``:
    matches of a generation if that is given; ``meeting``: those of two members.
    """

    total: int | None
    generations: int
    each: int | None
    meeting: int

    def share(self, spent: int, number: int, members: int) -> int:
        """Matches for tuning in generation ``number`` (from 1), with so many members; 0 if none.

        Without a given size the rest is divided evenly among the generations to come, after the
        meetings that they need if all are accepted. So what one of them leaves goes to the others.
        """
        if self.each is not None:
            if self.total is None or spent + self.each + members * self.meeting <= self.total:
                return self.each
            return 0
        assert self.total is not None  # `purse_of` sees to it
        left = self.generations - number + 1
        return max(0, (self.total - spent - self._reserve(left, members)) // left)

    def needed(self, tune: int, members: int) -> int:
        """Matches of a whole league that begins with so many members and tunes with ``tune``."""
        beginning = members * (members - 1) // 2 * self.meeting
        return beginning + self.generations * tune + self._reserve(self.generations, members)

    def _reserve(self, left: int, members: int) -> int:
        return sum(members + joined for joined in range(left)) * self.meeting


def purse_of(plan: LeaguePlan, total: int | None, mirrors: int) -> Purse:
    """The purse of a plan; ``total`` are the matches of a time budget, None if it has none."""
    given = plan.budget if total is None else total
    most = MOST_GENERATIONS if plan.tune_budget and given else GENERATIONS
    if given is None and plan.tune_budget is None:
        given = BUDGET
    meeting = meeting_pairs(plan, mirrors) * mirrors
    return Purse(given, plan.generations or most, plan.tune_budget, meeting)


def meeting_pairs(plan: LeaguePlan, mirrors: int) -> int:
    """Pairs (sets of mirrors) of every two members."""
    return -(-plan.payoff_matches // mirrors)


def check_purse(plan: LeaguePlan, purse: Purse, members: int, mirrors: int) -> None:
    """Refuse a budget with which not even the first generation can be tuned.

    Raises ``BudgetTooSmall`` in a sentence that says what is needed.
    """
    beginning = members * (members - 1) // 2 * purse.meeting
    share = purse.share(beginning, 1, members)
    try:
        sizes_of(plan.generation(plan.agent, [], 0, max(1, share)), share, mirrors, members)
    except BudgetTooSmall as error:
        raise too_small(purse, share, error.needed, members) from None


def too_small(purse: Purse, share: int, tune: int, members: int) -> BudgetTooSmall:
    """What is said where the first generation gets ``share`` matches, but needs ``tune``."""
    if purse.each is not None and share == purse.each:
        return BudgetTooSmall(
            f"tune_budget: a generation needs about {tune:,} matches, not {share:,}; give "
            f"--tune-budget {tune}, or look for a larger gain with --worth",
            tune,
        )
    if purse.each is not None:
        one = Purse(purse.total, 1, purse.each, purse.meeting)
        needed = one.needed(max(tune, purse.each), members)
        return BudgetTooSmall(
            f"budget: {purse.total:,} matches are not enough for the payoffs of the pool and one "
            f"generation, which take about {needed:,}; give --budget {needed}, or fewer "
            "--payoff-matches",
            needed,
        )
    needed = purse.needed(tune, members)
    return BudgetTooSmall(
        f"budget: {purse.total:,} matches leave {share:,} for a generation, which needs about "
        f"{tune:,}; give --budget {needed}, fewer --generations or --payoff-matches, or look for "
        "a larger gain with --worth",
        needed,
    )
