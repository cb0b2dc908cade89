"""Payoffs of a league: every two members meet once, all of them with the same cards.

A meeting is a batch of the book in which a block is one pair, so that the margin of every pair is
kept: what two members do against a third one can be compared pair by pair.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from handfoot_sim.errors import PlanError
from handfoot_sim.ratings.bradley_terry import Ratings, ratings
from handfoot_sim.ratings.payoff import nash_mix, payoff_matrix
from handfoot_sim.tally import Estimate, mean_estimate
from handfoot_sim.tuning.batches import Batch, Evaluated, Request, Setting
from handfoot_sim.tuning.evaluations import Book
from handfoot_sim.tuning.leagues.members import LeagueMember
from handfoot_sim.tuning.plan import derived_seed
from handfoot_sim.tuning.pool import Member, Pool

PAYOFFS: Final = "payoffs"
"""Folder of a league in which the book of meetings lies, and their stage in it."""

SPEED: Final = "speed"
SPEED_PAIRS: Final = 200
"""Pairs against each member by which the speed is measured, after as many that may compile."""


@dataclass(frozen=True)
class Meeting:
    """Two members that met, by number, ``a`` below ``b``; ``margins`` of a over b.

    ``margins``: paired, points a match, float64, shape (pairs,); pair k of every meeting of a
    league has the same cards.
    """

    a: int
    b: int
    margins: np.ndarray

    @property
    def margin(self) -> Estimate:
        """The mean margin of a over b."""
        return mean_of(self.margins)

    @property
    def results(self) -> np.ndarray:
        """Whether a won, tied or lost each pair, float64, shape (pairs, 3)."""
        signs = np.sign(self.margins)[:, None]
        return np.asarray(signs == np.array([1.0, 0.0, -1.0]), np.float64)


class Payoffs:
    """The members of a league and all meetings of them, which are played when one joins."""

    def __init__(self, setting: Setting, pairs: int, seed: int) -> None:
        self.setting, self.pairs, self.seed = setting, pairs, seed
        self.members: list[LeagueMember] = []
        self.meetings: list[Meeting] = []
        self.matches = 0
        self._rated = functools.lru_cache(maxsize=None)(self._ratings)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the members in the order in which they joined."""
        return tuple(each.label for each in self.members)

    def join(self, book: Book, newcomer: LeagueMember) -> str:
        """Let a member play all others and join them.

        Returns why it can't, where it or another one fails at that; empty where it has joined.
        """
        number = len(self.members)
        found = []
        for other, each in enumerate(self.members):
            evaluated = book.evaluate(self._batch(newcomer, number, each, other))
            self.matches += evaluated.matches
            if evaluated.messages[0]:
                return f"against {each.label}: {evaluated.messages[0]}"
            found.append(Meeting(other, number, -evaluated.margins[0, 0]))
        self.members.append(newcomer)
        self.meetings += found
        return ""

    def _batch(self, new: LeagueMember, number: int, old: LeagueMember, other: int) -> Batch:
        return Batch(
            name=f"{PAYOFFS}-{_told(new, number)}-{_told(old, other)}",
            setting=replace(self.setting, agent=new.specification),
            pool=Pool((Member(old.specification, old.label, 1.0),)),
            requests=(Request(new.label, dict(new.agent.params)),),
            counts=(1,),
            blocks=self.pairs,
            seed=derived_seed(self.seed, PAYOFFS),
        )

    def margins(self, a: int, b: int) -> np.ndarray:
        """Paired margins of a over b, shape (pairs,); all 0 of a member over itself."""
        if a == b:
            return np.zeros(self.pairs)
        low, high = min(a, b), max(a, b)
        (found,) = (each for each in self.meetings if (each.a, each.b) == (low, high))
        return found.margins if a == low else -found.margins

    def among(self, first: int) -> list[Meeting]:
        """The meetings of the first so many members."""
        return [each for each in self.meetings if each.b < first]

    def mix(self) -> np.ndarray:
        """The Nash mix of all members, shape (members,)."""
        pairs = np.array([(each.a, each.b) for each in self.meetings], np.int64).reshape(-1, 2)
        values = np.array([each.margin.value for each in self.meetings])
        found = nash_mix(payoff_matrix(pairs, values, len(self.members)))
        if found is None:
            raise PlanError("the payoffs hold a value that is no number, so there is no Nash mix")
        return found

    def ratings(self) -> Ratings:
        """Bradley-Terry ratings of all members; the first one has the rating 0."""
        return self._rated(len(self.members))

    def _ratings(self, members: int) -> Ratings:
        met = self.among(members)
        if not met:
            alone = np.zeros(members)
            return Ratings(alone, alone, alone, np.zeros(members, bool))
        pairs = np.array([(each.a, each.b) for each in met], np.int64)
        clusters = np.stack([each.results for each in met], axis=1)
        return ratings(pairs, clusters, members, seed=derived_seed(self.seed, "ratings"))


def _told(member: LeagueMember, number: int) -> str:
    """A member in the name of a batch: another one is tried under its number if it fails."""
    return f"{number:02d}" + (f"g{member.generation}" if member.generation else "")


def mean_of(margins: np.ndarray) -> Estimate:
    """The mean of paired margins, shape (pairs,), with its interval (Student's)."""
    return mean_estimate(float(margins.sum()), float(margins @ margins), len(margins))


def measured_rate(book: Book, setting: Setting, members: Sequence[LeagueMember], seed: int) -> int:
    """Matches a second of all workers together: the first member against all others.

    Kept in the book, so that a league that goes on finds the same figure. Raises ``PlanError``
    where there are no others.
    """
    first, *others = members
    if not others:
        raise PlanError(
            "time: the speed can't be measured with the agent alone; give another member with "
            "--pool, or --budget instead"
        )
    pool = Pool(tuple(Member(o.specification, o.label, 1.0 / len(others)) for o in others))
    found: Evaluated | None = None
    for number in range(2):
        found = book.evaluate(
            Batch(
                name=f"{SPEED}-{number}",
                setting=replace(setting, agent=first.specification),
                pool=pool,
                requests=(Request(first.label, dict(first.agent.params)),),
                counts=tuple(1 for _ in others),
                blocks=SPEED_PAIRS,
                seed=derived_seed(seed, SPEED),
            )
        )
    assert found is not None
    return max(1, round(found.matches / max(found.seconds, 1e-9)))
