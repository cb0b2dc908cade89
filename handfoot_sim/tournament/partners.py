"""How well agents play together: the partnerships of a cross-play against their one opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from handfoot_sim.ratings.payoff import holm
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.tally import Estimate, student
from handfoot_sim.tournament.entrants import Variant
from handfoot_sim.tournament.standings import (
    Encounter,
    clustered_mean,
    clustered_proportion,
    clusters_of,
)


@dataclass(frozen=True)
class Partnership:
    """Two agents as partners, in both orders of their seats.

    ``margin``: mean paired margin over the opponent, points a match; ``together``: by how much it
    is more than the mean of the margins that each has with itself as partner (None for
    those); ``holm``: the p-value of its margin, corrected for all partnerships.
    """

    agents: tuple[str, str]
    margin: Estimate
    share: Estimate
    together: Estimate | None
    holm: float
    sets: int


def partners_of(label: str) -> tuple[str, str]:
    """The agents of a partnership's label, in the order of their names."""
    parts = label.split("+")
    first, second = sorted((parts[0], parts[-1]))
    return first, second


def partnerships(variant: Variant) -> list[Partnership]:
    """Every partnership of a cross-play, the best first."""
    groups: dict[tuple[str, str], list[Encounter]] = {}
    for each in variant.encounters:
        if each.tally.sets:
            groups.setdefault(partners_of(_label(each.ledger, variant, each)), []).append(each)
    found = [_partnership(agents, own, groups) for agents, own in groups.items()]
    corrected = holm([_p_value(each.margin) for each in found])
    ranked = [
        Partnership(each.agents, each.margin, each.share, each.together, float(p), each.sets)
        for each, p in zip(found, corrected, strict=True)
    ]
    return sorted(ranked, key=lambda each: -each.margin.value)


def _label(ledger: Ledger, variant: Variant, encounter: Encounter) -> str:
    return variant.labels[encounter.a]


def _partnership(
    agents: tuple[str, str],
    own: Sequence[Encounter],
    groups: dict[tuple[str, str], list[Encounter]],
) -> Partnership:
    sums = clusters_of(own, slice(0, 5))
    counts = sums[:, :, :3].sum(2)
    weights = np.full(len(own), 1.0 / len(own))
    single = [groups.get((agent, agent), []) for agent in agents]
    together = None
    if agents[0] != agents[1] and all(single):
        together = _difference(list(own), [each[0] for each in single])
    return Partnership(
        agents=agents,
        margin=clustered_mean(sums[:, :, 3], counts, weights),
        share=clustered_proportion(sums[:, :, 0] + sums[:, :, 1] / 2.0, counts),
        together=together,
        holm=1.0,
        sets=int(counts.sum()),
    )


def _difference(mixed: list[Encounter], single: list[Encounter]) -> Estimate:
    """Mean margin of some pairings less that of others, over the cards they share."""
    sums = clusters_of([*mixed, *single], slice(0, 5))
    weights = [1.0 / len(mixed)] * len(mixed) + [-1.0 / len(single)] * len(single)
    return clustered_mean(sums[:, :, 3], sums[:, :, :3].sum(2), np.array(weights))


def _p_value(margin: Estimate) -> float:
    """Two-sided p-value of a margin of 0, from the interval; 1 without one."""
    if np.isnan(margin.low):
        return 1.0
    if margin.half_width == 0.0:
        return 1.0 if margin.value == 0.0 else 0.0
    freedom = max(1, min(margin.n, 2000) - 1)
    error = margin.half_width / student(freedom)
    return float(2.0 * stats.t.sf(abs(margin.value) / error, freedom))
