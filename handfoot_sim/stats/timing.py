"""When things happen: books, openings, feet and going out, by turn of the deal."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import special

from handfoot_sim.ratings.payoff import holm
from handfoot_sim.stats.counting import ENDS
from handfoot_sim.stats.intervals import student
from handfoot_sim.stats.measures import (
    SHARE,
    Measure,
    Waiting,
    as_frame,
    deal_names,
    measures_frame,
    minimums,
    with_all,
)
from handfoot_sim.stats.survival import Curve, curve, log_rank, median
from handfoot_sim.stats.totals import Totals, totals

BOOKS: Final = {
    "first clean": "clean1_turn",
    "second clean": "clean2_turn",
    "first dirty": "dirty1_turn",
    "second dirty": "dirty2_turn",
    "first wild": "wild1_turn",
    "all needed": "ready_turn",
}
"""Books by the column that says when they were closed; the last: all that going out needs."""
FEET: Final = {"first foot": "foot1_turn", "second foot": "foot2_turn"}
CURVE_COLUMNS: Final = (
    "agent", "deal", "event", "turn", "at_risk", "happened", "share", "low", "high", "incidence",
    "incidence_low", "incidence_high", *ENDS, "n", "clusters",
)  # fmt: skip


def book_timing(source: Any) -> pd.DataFrame:
    """How often and when books are closed: one row an agent, deal and book.

    Columns: ``agent``, ``deal``, ``book``, ``n`` (deals), ``closed``, ``share`` with ``share_low``
    and ``share_high`` (closed before the deal ended), ``own_out``, ``other_out``, ``stock`` (shares
    of deals that ended so without it: own team out, another out, stock used up), ``median`` with
    ``median_low`` and ``median_high`` (turn of the deal by which half would be closed if deals went
    on, Kaplan-Meier; NaN where that is not reached), ``clusters``. ``source``: see ``totals``.
    """
    found = totals(source)
    rows = []
    for agent, (book, event) in itertools.product(found.agents, BOOKS.items()):
        for deal, counts in _by_deal(found, agent, event):
            own = curve(counts)
            rows.append((agent, deal, book, *_closing(own), *median(own), own.clusters))
    columns = (
        "agent", "deal", "book", "n", "closed", "share", "share_low", "share_high", *ENDS,
        "median", "median_low", "median_high", "clusters",
    )  # fmt: skip
    return _books_ordered(as_frame(rows, columns, found))


def _by_deal(found: Totals, agent: str, event: str) -> Any:
    return zip(deal_names(found), with_all(found.waits(agent, event)), strict=True)


def _closing(own: Curve) -> tuple[Any, ...]:
    if not own.n:
        return (0, 0, *[np.nan] * (3 + len(ENDS)))
    last = own.incidence
    closed = int(own.happened.sum())
    return (own.n, closed, last.value[-1], last.low[-1], last.high[-1], *own.ended[:, -1])


def _books_ordered(frame: pd.DataFrame) -> pd.DataFrame:
    frame["book"] = pd.Categorical(frame["book"], list(BOOKS), ordered=True)
    keys = [name for name in ("agent", "opponent", "deal", "book") if name in frame]
    return frame.sort_values(keys, kind="stable", ignore_index=True)


def _curves(found: Totals, events: dict[str, str]) -> pd.DataFrame:
    """One row an agent, deal, event and turn; see ``CURVE_COLUMNS``."""
    parts: list[pd.DataFrame] = []
    for agent, (event, column) in itertools.product(found.agents, events.items()):
        for deal, counts in _by_deal(found, agent, column):
            own = curve(counts)
            if own.n:
                parts.append(_curve_frame(agent, deal, event, own))
    if not parts:
        return as_frame([], CURVE_COLUMNS, found)
    frame = pd.concat(parts, ignore_index=True)
    order = pd.Categorical(frame["event"], list(events), ordered=True)
    frame["deal"] = pd.Categorical(frame["deal"], deal_names(found), ordered=True)
    frame = frame.assign(order=order).sort_values(
        ["agent", "deal", "order", "turn"], kind="stable", ignore_index=True
    )
    return frame.drop(columns="order").astype({"event": "str", "agent": "str"})


def _curve_frame(agent: str, deal: str, event: str, own: Curve) -> pd.DataFrame:
    shown = int(np.flatnonzero(own.at_risk > 0)[-1]) + 1
    columns = {
        "at_risk": own.at_risk, "happened": own.happened, "share": own.share, "low": own.low,
        "high": own.high, "incidence": own.incidence.value, "incidence_low": own.incidence.low,
        "incidence_high": own.incidence.high, **dict(zip(ENDS, own.ended, strict=True)),
    }  # fmt: skip
    cut = {name: values[:shown] for name, values in columns.items()}
    keys = {"agent": agent, "deal": deal, "event": event, "turn": np.arange(shown)}
    return pd.DataFrame({**keys, **cut, "n": own.n, "clusters": own.clusters})


def book_curves(source: Any) -> pd.DataFrame:
    """Share of books closed by each turn: one row an agent, deal, book (``event``) and turn.

    Columns: ``agent``, ``deal``, ``event``, ``turn`` (0-based, all seats together), ``at_risk``
    (deals that went on without it), ``happened`` (in this turn), ``share`` with ``low`` and
    ``high`` (happened by this turn, Kaplan-Meier, the end of a deal censors; no band where the
    share is 0 or 1), ``incidence`` with ``incidence_low`` and ``incidence_high`` (of all deals,
    happened by this turn, Aalen-Johansen), ``own_out``, ``other_out``, ``stock`` (of all deals,
    ended so by this turn without it), ``n`` (deals), ``clusters``. ``source``: see ``totals``.
    """
    return _curves(totals(source), BOOKS)


def opening_curves(source: Any) -> pd.DataFrame:
    """Share opened by each turn, by deal and so by opening minimum.

    Columns as ``book_curves``, with ``minimum`` after ``deal``. ``source``: see ``totals``.
    """
    found = totals(source)
    frame = _curves(found, {"opening": "opened_turn"})
    return with_minimum(found, frame)


def with_minimum(found: Totals, frame: pd.DataFrame) -> pd.DataFrame:
    """A frame by agent and deal with the opening minimum in a column after ``deal``."""
    known = {
        (agent, deal): minimum
        for agent in found.agents
        for deal, minimum in zip(deal_names(found), minimums(found, agent), strict=True)
    }
    keys = zip(frame["agent"], frame["deal"].astype("str"), strict=True)
    frame.insert(2, "minimum", pd.Series([known[key] for key in keys], frame.index, "Int64"))
    return frame


def foot_curves(source: Any) -> pd.DataFrame:
    """Share of feet picked up by each turn; columns as ``book_curves``.

    The event is the first or the second foot of the team, the second only where a team has
    several players. ``source``: see ``totals``.
    """
    found = totals(source)
    return _curves(found, dict(itertools.islice(FEET.items(), min(2, found.players_a_team))))


def go_out_curves(source: Any) -> pd.DataFrame:
    """Share of deals in which the team went out by each turn; columns as ``book_curves``.

    ``share`` is what it would be if other teams and the stock did not end deals; ``own_out`` is
    0. ``source``: see ``totals``.
    """
    return _curves(totals(source), {"going out": "out_turn"})


def foot(source: Any) -> pd.DataFrame:
    """How often and when feet are picked up; one row an agent, deal and figure.

    Columns as ``measures.COLUMNS``. ``all feet`` means the last player's; with three players a
    team the table tells of the first two only, and the share is an upper bound. ``source``: see
    ``totals``.
    """
    found = totals(source)
    shares = [Measure("first foot", "foot1_turn", "deals", SHARE)]
    turns = [Waiting("turn of the first foot, median", "foot1_turn")]
    last = "foot1_turn"
    if found.players_a_team > 1:
        last = "foot2_turn"
        shares.append(Measure("second foot", last, "deals", SHARE))
        turns.append(Waiting("turn of the second foot, median", last))
    return measures_frame(found, [*shares, *turns, Measure("all feet", last, "deals", SHARE)])


def book_logrank(source: Any) -> pd.DataFrame:
    """Which of two agents closes a book sooner: one row a pair of agents, deal and book.

    Columns: ``agent``, ``opponent``, ``deal``, ``book``, ``ratio`` with ``low`` and ``high``
    (hazard of ``agent`` over that of ``opponent``, Cox's estimate; above 1: sooner; infinite or 0,
    without an interval, where only one of them ever closes it), ``statistic`` (the log-rank
    comparison as Student's t), ``p``, ``holm`` (corrected over all rows), ``n`` (deals of both),
    ``clusters``. Errors are the jackknife's over groups of match numbers, so deals are not taken
    for independent. Empty with a single agent. ``source``: see ``totals``.
    """
    found = totals(source)
    rows = []
    for (a, b), (book, event) in itertools.product(
        itertools.combinations(found.agents, 2), BOOKS.items()
    ):
        waits = [with_all(found.waits(agent, event)) for agent in (a, b)]
        for deal, ours, theirs in zip(deal_names(found), *waits, strict=True):
            compared = log_rank(ours, theirs)
            freedom = max(1, compared.clusters - 1)
            half = float(student(np.array(freedom))) * compared.error
            ratio = np.exp([compared.log_ratio + step for step in (0.0, -half, half)])
            t = compared.statistic
            p = 2 * float(special.stdtr(freedom, -abs(t)))
            n = int(ours.sum() + theirs.sum())
            rows.append((a, b, deal, book, *ratio, t, p, np.nan, n, compared.clusters))
    columns = (
        "agent", "opponent", "deal", "book", "ratio", "low", "high", "statistic", "p", "holm", "n",
        "clusters",
    )  # fmt: skip
    frame = _books_ordered(as_frame(rows, columns, found))
    frame["holm"] = holm(frame["p"].to_numpy())
    return frame
