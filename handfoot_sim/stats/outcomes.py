"""Opening, going out and seats, and what they are worth in points.

What something is worth is the difference of mean margins (own score of the deal less the others'
mean) between deals in which it happened and those in which it did not, each pairing and deal
compared within itself. That tells how much it goes together with winning, not what would
change by trying for it: a good deal brings both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from handfoot_sim.stats.counting import levels_of
from handfoot_sim.stats.intervals import Estimates, contrast, mean_of
from handfoot_sim.stats.measures import (
    COLUMNS,
    SHARE,
    Measure,
    Waiting,
    as_frame,
    deal_names,
    measures_frame,
    rows_of,
)
from handfoot_sim.stats.timing import with_minimum
from handfoot_sim.stats.totals import Totals, totals

A_DEAL_POINTS: Final = "points a deal"

OPENINGS: Final = (
    Measure("opened", "opened", "deals", SHARE),
    Waiting("turn of opening, median", "opened_turn"),
    Measure("opened in the first turn", "opened_first_turn", "deals", SHARE),
    Measure("chance a turn", "opened", "turns_to_open", SHARE),
    Measure("surplus", "surplus", "opened", "points"),
    Measure("from the pile", "from_pile", "opened", SHARE),
)


def margins_by(levels: np.ndarray, places: Sequence[int]) -> Estimates:
    """Mean margin of the deals of some levels, for all deals together and for each.

    ``levels``: shape (pairings, deals, BUCKETS, levels, 2), as ``Totals.levels`` gives them.
    """
    own = _deals_of(levels, places).sum(1)
    present = _deals_of(levels, range(2)).sum(1)[..., 0] > 0  # out and not out: all deals
    return mean_of(own[..., 1], own[..., 0], present)


def _deals_of(levels: np.ndarray, places: Sequence[int]) -> np.ndarray:
    """Counts and sums of levels, shape (1 + deals, pairings, BUCKETS, 2), all deals first."""
    chosen = levels[..., list(places), :].sum(-2).transpose(1, 0, 2, 3)
    return np.concatenate([chosen.sum(0, keepdims=True), chosen])


def effects_of(
    levels: np.ndarray, place: int, others: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Margin of a level over others within pairings and deals, for all deals and for each.

    Returns the difference, its interval, and the number of deals compared, shape (1 + deals,).
    """
    own = levels[..., place, :].transpose(1, 0, 2, 3)  # deals, pairings, buckets, 2
    rest = levels[..., list(others), :].sum(-2).transpose(1, 0, 2, 3)
    rows = []
    for deal in range(len(own) + 1):
        chosen = slice(None) if deal == 0 else slice(deal - 1, deal)
        sides = [each[chosen].reshape(-1, *each.shape[2:]) for each in (own, rest)]
        (n1, s1), (n0, s0) = (np.moveaxis(each, -1, 0) for each in sides)
        compared = (n1.sum(1) > 0) & (n0.sum(1) > 0)
        n = (n1 + n0)[compared].sum()
        rows.append((*contrast((n1, s1), (n0, s0)), n))
    value, low, high, n = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    return value, low, high, n


def _worth(
    found: Totals, agent: str, level: str, names: tuple[str, str, str]
) -> list[tuple[Any, ...]]:
    """Rows for the mean margins with and without something, and their difference."""
    levels = found.levels(agent)
    place = levels_of(found.teams).index(level)
    other = place + 1  # its opposite stands after it
    when, without = margins_by(levels, [place]), margins_by(levels, [other])
    value, low, high, n = effects_of(levels, place, [other])
    gained = Estimates(value, low, high, n.astype(np.int64), when.clusters)
    return [
        *rows_of(found, agent, names[0], A_DEAL_POINTS, when),
        *rows_of(found, agent, names[1], A_DEAL_POINTS, without),
        *rows_of(found, agent, names[2], "points", gained),
    ]


def _with_worth(
    found: Totals,
    measures: Sequence[Measure | Waiting],
    level: str,
    names: tuple[str, str, str],
) -> pd.DataFrame:
    rows = [row for agent in found.agents for row in _worth(found, agent, level, names)]
    parts = [measures_frame(found, measures), as_frame(rows, COLUMNS, found)]
    return pd.concat(parts, ignore_index=True).sort_values(
        ["agent", "deal"], kind="stable", ignore_index=True
    )


def meld_minimums(source: Any) -> pd.DataFrame:
    """How agents get over the opening minimums: one row an agent, deal and figure.

    Columns as ``measures.COLUMNS``, with ``minimum`` after ``deal`` (null for all deals together
    where they differ). ``chance a turn`` is of own turns until the opening; ``surplus`` points
    over the minimum, mean of openings; ``lost by not opening`` the margin of deals with
    an opening over those without, within pairing and deal. ``source``: see ``totals``.
    """
    found = totals(source)
    names = ("margin when opened", "margin when not opened", "lost by not opening")
    return with_minimum(found, _with_worth(found, OPENINGS, "opened", names))


def go_out_rates(source: Any) -> pd.DataFrame:
    """How deals end and what going out is worth: one row an agent, deal and figure.

    Columns as ``measures.COLUMNS``. ``went out``, ``another went out`` and ``stock ran out`` add
    up to 1; ``ready`` is the share of deals in which all books needed were closed; ``caught with
    a foot`` that of deals in which another team went out while a foot lay untouched (with
    three players a team the table tells of two feet, so it is a lower bound); ``gained by going
    out`` the margin of deals with it over those without, within pairing and deal. ``source``: see
    ``totals``.
    """
    found = totals(source)
    caught = "caught_second" if found.players_a_team > 1 else "caught_first"
    measures = (
        Measure("went out", "went_out", "deals", SHARE),
        Measure("another went out", "other_out", "deals", SHARE),
        Measure("stock ran out", "stock_out", "deals", SHARE),
        Waiting("turn of going out, median", "out_turn"),
        Measure("ready", "ready_turn", "deals", SHARE),
        Measure("went out when ready", "ready_and_out", "ready_turn", SHARE),
        Measure("turns from ready to out", "ready_to_out", "ready_and_out", "turns"),
        Measure("asked", "asked", "deals", "a deal"),
        Measure("refused", "refused", "asked", SHARE),
        Measure("caught with a foot", caught, "other_out", SHARE),
    )
    names = ("margin when out", "margin when not out", "gained by going out")
    return _with_worth(found, measures, "out", names)


POOLED: Final = "(all)"
"""The row of all agents together."""


def seats(source: Any) -> pd.DataFrame:
    """What the seat is worth: one row an agent, deal, factor and level.

    ``factor`` is ``first turn`` (``first`` or ``later``: whether the team had the first turn),
    ``dealer`` (``own team deals`` or ``another deals``) or ``seat`` (the team's number). Other
    columns: ``agent`` (and ``(all)``), ``deal``, ``level``, ``unit``, ``value`` with ``low`` and
    ``high`` (mean margin, points a deal), ``effect`` with ``effect_low`` and ``effect_high``
    (margin over the other levels, within pairing and deal), ``n`` (deals of the level),
    ``clusters``. Where all mirrors are played each line-up plays each seat of the same
    cards equally often. ``source``: see ``totals``.
    """
    found = totals(source)
    names = levels_of(found.teams)
    factors = {
        "first turn": {"first": "first", "later": "later"},
        "dealer": {"own team deals": "own_dealer", "another deals": "other_dealer"},
        "seat": {str(team): f"team {team}" for team in range(found.teams)},
    }
    rows = []
    for agent in [*found.agents, POOLED]:
        levels = found.levels(None if agent == POOLED else agent)
        for factor, members in factors.items():
            places = {level: names.index(name) for level, name in members.items()}
            for level, place in places.items():
                mean = margins_by(levels, [place])
                others = [each for each in places.values() if each != place]
                effect = effects_of(levels, place, others)[:3]
                by_deal = zip(deal_names(found), *mean[:3], *effect, *mean[3:], strict=True)
                rows += [(agent, deal, factor, level, A_DEAL_POINTS, *rest)
                         for deal, *rest in by_deal]  # fmt: skip
    columns = (
        "agent", "deal", "factor", "level", "unit", "value", "low", "high", "effect",
        "effect_low", "effect_high", "n", "clusters",
    )  # fmt: skip
    frame = as_frame(rows, columns, found)
    return frame.sort_values(["agent", "deal"], kind="stable", ignore_index=True, key=_pooled_last)


def _pooled_last(column: pd.Series) -> pd.Series:
    return column.map(lambda label: (label == POOLED, label)) if column.name == "agent" else column
