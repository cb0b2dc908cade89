"""What a league comes to: its generations, and how the members stood after each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from handfoot_sim.ratings.bradley_terry import Ratings
from handfoot_sim.tally import Estimate
from handfoot_sim.tuning.leagues.forgetting import Comparison, forgetting
from handfoot_sim.tuning.leagues.payoffs import Payoffs
from handfoot_sim.tuning.leagues.plan import LeaguePlan


@dataclass(frozen=True)
class Standing:
    """How the members stood: labels, Nash mix (shares, shape (members,)), ratings in Elo."""

    labels: tuple[str, ...]
    mix: np.ndarray
    ratings: Ratings


@dataclass(frozen=True)
class LeagueGeneration:
    """One generation: what was tuned against whom, and what came of it.

    Attributes
    ----------
    number : from 1
    start : label of the member whose parameters it began with
    budget, matches : for tuning it, planned and played
    accepted : whether its answer joined the members
    member : its label there, or ""
    decision, reason : how the test ended, in a word and in a sentence; where it was accepted but
        could not join, why not
    gain, gain_pairs : over the start against the mix, re-evaluated on cards of their own; pairs of
        each side
    claimed : gain by the search's own figures
    before, after : how the members stood
    """

    number: int
    start: str
    budget: int
    matches: int
    accepted: bool
    member: str
    decision: str
    reason: str
    gain: Estimate
    gain_pairs: int
    claimed: Estimate
    before: Standing
    after: Standing


@dataclass(frozen=True)
class League:
    """A league that was played.

    Attributes
    ----------
    plan : what was asked for
    payoffs : the members and their meetings
    beginning : how the members of the beginning stood
    generations : in order, accepted or not
    ended : why there were no more
    budget, matches : planned (None without a bound) and played, whenever that was
    """

    plan: LeaguePlan
    payoffs: Payoffs
    beginning: Standing
    generations: list[LeagueGeneration]
    ended: str
    budget: int | None
    matches: int

    @property
    def standing(self) -> Standing:
        """How the members stand in the end."""
        return self.generations[-1].after if self.generations else self.beginning

    @property
    def forgetting(self) -> list[Comparison]:
        """Comparisons of older generations with the newest one against every other member."""
        return forgetting(self.payoffs)

    @property
    def best(self) -> str:
        """Label of the newest member that was tuned here, or "" if none was accepted."""
        return next((each.member for each in reversed(self.generations) if each.accepted), "")


def standing_of(payoffs: Payoffs) -> Standing:
    """How the members stand now."""
    return Standing(payoffs.labels, payoffs.mix(), payoffs.ratings())
