"""Forgetting: a member that an older generation beat more clearly than the newest one does.

Tuning against what is strong now may undo what an earlier generation knew. All meetings of a league
have the same cards, so the margins of both generations over a third member are compared pair by
pair; p-values are corrected for all comparisons made (Holm).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from handfoot_sim.ratings.payoff import holm, mean_p_value
from handfoot_sim.tally import Estimate
from handfoot_sim.tuning.leagues.payoffs import Payoffs, mean_of

SURE = 0.05
"""Corrected p-values below this count as shown."""


@dataclass(frozen=True)
class Comparison:
    """An older generation and the newest one against the same member, points a match.

    ``loss``: how much more the older one wins by, over pairs of the same cards; ``holm``: its
    p-value, corrected for all comparisons of the league.
    """

    opponent: str
    older: str
    newest: str
    margin_older: Estimate
    margin_newest: Estimate
    loss: Estimate
    p: float
    holm: float

    @property
    def forgotten(self) -> bool:
        """Whether the older one beat this member, and surely by more than the newest one does."""
        return self.holm < SURE and self.loss.value > 0 and self.margin_older.value > 0


def forgetting(payoffs: Payoffs) -> list[Comparison]:
    """All comparisons of older generations with the newest one; none before one has joined.

    The agent that the league began with is the oldest generation.
    """
    line = [0, *(n for n, each in enumerate(payoffs.members) if each.generation)]
    if len(line) < 2:
        return []
    *older, newest = line
    asked = [
        (opponent, old)
        for opponent in range(len(payoffs.members))
        for old in older
        if opponent not in (old, newest)
    ]
    losses = [payoffs.margins(old, opp) - payoffs.margins(newest, opp) for opp, old in asked]
    p_values = [mean_p_value(len(x), float(x.sum()), float(x @ x)) for x in losses]
    return [
        _compared(payoffs, opponent, old, newest, loss, p, corrected)
        for (opponent, old), loss, p, corrected in zip(
            asked, losses, p_values, holm(p_values), strict=True
        )
    ]


def _compared(
    payoffs: Payoffs, opponent: int, old: int, newest: int, loss: np.ndarray, p: float, holm: float
) -> Comparison:
    labels: Sequence[str] = payoffs.labels
    return Comparison(
        opponent=labels[opponent],
        older=labels[old],
        newest=labels[newest],
        margin_older=mean_of(payoffs.margins(old, opponent)),
        margin_newest=mean_of(payoffs.margins(newest, opponent)),
        loss=mean_of(loss),
        p=p,
        holm=float(holm),
    )
