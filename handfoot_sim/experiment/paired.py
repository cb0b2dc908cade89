"""Figures by match number, so that what is compared was played with the same cards.

A match number is the same shuffles in every pairing, mirror and variant of the rules with as many
cards. Everything that was played with it is put into one number first; these are independent of
each other, so Student's interval of their mean holds, whatever hangs together within them. A change
is the mean of differences between two settings at the same match number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import special

from handfoot_sim.errors import RunError
from handfoot_sim.game.state import OUT, STOCK
from handfoot_sim.ratings.payoff import holm
from handfoot_sim.stats.blocks import Block, blocks_of
from handfoot_sim.stats.intervals import student
from handfoot_sim.stats.meetings import encounters
from handfoot_sim.stats.reading import Shard, pieces, source_of, table_of

_Columns = dict[str, np.ndarray]

FIGURES: Final[dict[str, tuple[str, Callable[[_Columns], np.ndarray]]]] = {
    "points": ("points a deal", lambda deals: deals["score"]),
    "turns": ("turns a deal", lambda deals: deals["turns"]),
    "opened": ("%", lambda deals: deals["opened_turn"] >= 0),
    "first foot": ("%", lambda deals: deals["foot1_turn"] >= 0),
    "went out": ("%", lambda deals: deals["went_out"] > 0),
    "someone went out": ("%", lambda deals: deals["end"] == OUT),
    "stock ran out": ("%", lambda deals: deals["end"] == STOCK),
    "clean books": ("a deal", lambda deals: deals["clean"]),
    "dirty books": ("a deal", lambda deals: deals["dirty"]),
    "wild books": ("a deal", lambda deals: deals["wild"]),
    "pile taken": ("a deal", lambda deals: deals["pile_takes"]),
    "asked": ("a deal", lambda deals: deals["asked"]),
    "refused": ("a deal", lambda deals: deals["refused"]),
}
"""Figures of a team's deal by name: unit, and how it is made of the columns of the table."""

ALL: Final = "all strategies"
"""The agent that stands for all of them together."""

MARGIN: Final = "margin"
"""The margin of a match: own points less the others', mean over mirrors."""


def by_cards(source: Any, figures: Sequence[str] = (), *, variant: int = 0) -> pd.DataFrame:
    """Margin and figures by match number: one row a pairing, agent and match number.

    Columns: ``pairing``, ``agent``, ``opponent`` (the other label; that of the agent itself where
    it plays itself), ``match``, ``margin`` (points a match), and of ``figures`` (names of
    ``FIGURES``) the mean over mirrors, deals and the agent's teams. ``source``: see
    ``stats.totals``. Raises ``RunError`` for an unknown figure and for what can't be read.
    """
    for name in figures:
        if name not in FIGURES:
            raise RunError(f"there is no figure {name!r}; there are {', '.join(FIGURES)}")
    parts = []
    for item in source_of(source, variant).tables:
        tables = [table_of(item)] if isinstance(item, Shard) else pieces(item)
        for table in tables:
            parts += [_rows(block, figures) for block in blocks_of(table)]
    if not parts:
        raise RunError("there are no deals to make figures of")
    return pd.concat(parts, ignore_index=True)


def _rows(block: Block, figures: Sequence[str]) -> pd.DataFrame:
    """The rows of a block for each label in it."""
    _, mirrors, _, teams = block.shape
    labels = list(dict.fromkeys(block.labels))
    if len(labels) > 2:
        raise RunError(f"a pairing of {len(labels)} different line-ups has no single opponent")
    _, _, margins, _, _ = next(iter(encounters(block)))
    margin = margins.mean(1)
    seated = (np.arange(teams) + np.arange(mirrors)[:, None]) % teams  # mirror, line-up: its team
    parts = []
    for sign, label in zip((1.0, -1.0), labels, strict=False):
        own = [place for place, each in enumerate(block.labels) if each == label]
        columns: dict[str, Any] = {
            "pairing": block.pairing,
            "agent": label,
            "opponent": next((each for each in labels if each != label), label),
            "match": block.match,
            MARGIN: sign * margin,
        }
        for name in figures:
            values = FIGURES[name][1](block.columns).astype(np.float64)
            mine = np.take_along_axis(values, seated[None, :, None, own], 3)
            columns[name] = mine.mean((1, 2, 3))
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def by_mirror(source: Any, *, variant: int = 0) -> pd.DataFrame:
    """Margins of matches by match number and mirror, of the first line-up of each pairing.

    Columns: ``pairing``, ``match``, and a column a mirror by its number (points a match).
    """
    parts = []
    for item in source_of(source, variant).tables:
        tables = [table_of(item)] if isinstance(item, Shard) else pieces(item)
        for table in tables:
            for block in blocks_of(table):
                _, _, margins, _, _ = next(iter(encounters(block)))
                keys = {"pairing": block.pairing, "match": block.match}
                mirrors = {str(mirror): margins[:, mirror] for mirror in range(margins.shape[1])}
                parts.append(pd.DataFrame(keys | mirrors))
    return pd.concat(parts, ignore_index=True)


def resampled(values: np.ndarray, draws: int, seed: int) -> np.ndarray:
    """Means over match numbers drawn anew, with replacement: the bootstrap of Efron (1979).

    ``values``: float64, shape (match numbers, columns). Returns shape (draws, columns). The draws
    follow from ``seed`` alone.
    """
    n = len(values)
    generator = np.random.default_rng(seed)
    found = np.empty((draws, values.shape[1]))
    for draw in range(draws):
        found[draw] = values[generator.integers(0, n, n)].mean(0)
    return found


def over_field(cards: pd.DataFrame, column: str = MARGIN, by: str = "agent") -> pd.DataFrame:
    """Means by match number: one row a match number, one column an agent.

    ``cards``: a frame of ``by_cards``. Of several pairings with the same number the mean is taken,
    so that with a round robin it is the mean over all opponents. Match numbers that not every
    agent has are left out.
    """
    wide = cards.groupby(["match", by], observed=True)[column].mean().unstack(by)
    return wide.dropna()


def means(wide: pd.DataFrame, by: str = "agent") -> pd.DataFrame:
    """Mean of each column over its rows, which are independent: one row a column.

    Columns: ``by``, ``value``, ``low``, ``high`` (Student's 95 % interval), ``p`` (of a mean of 0,
    two-sided; NaN where all are the same), ``n`` (match numbers).
    """
    rows = []
    for name in wide.columns:
        values = wide[name].to_numpy(np.float64)
        n = len(values)
        value = float(values.mean()) if n else float("nan")
        error = float(values.std(ddof=1)) / np.sqrt(n) if n > 1 else float("nan")
        half = float(student(np.array(n - 1))) * error
        p = float("nan")
        if error > 0:
            p = 2 * float(special.stdtr(n - 1, -abs(value) / error))
        rows.append((name, value, value - half, value + half, p, n))
    return pd.DataFrame(rows, columns=[by, "value", "low", "high", "p", "n"])


def lead(wide: pd.DataFrame) -> dict[str, Any]:
    """Who has the largest mean, who the second, and by how much: a row of ``means`` with names.

    It is read from the same figures as who leads, so a small lead is overstated.
    """
    order = wide.mean().sort_values(ascending=False, kind="stable").index
    ahead = means((wide[order[0]] - wide[order[1]]).to_frame("lead"), "what").iloc[0]
    figures = {name: ahead[name] for name in ("value", "low", "high", "p", "n")}
    return {"leader": str(order[0]), "second": str(order[1]), **figures}


def changed(before: pd.DataFrame, after: pd.DataFrame, by: str = "agent") -> pd.DataFrame:
    """By how much figures differ with the same cards: the means of ``after`` less ``before``.

    Both as ``over_field`` makes them; match numbers and agents that both have are compared.
    Columns as ``means``.
    """
    names = [name for name in before.columns if name in after.columns]
    difference = after[names] - before[names]
    return means(difference.dropna(), by)


def changes(
    before: pd.DataFrame, after: pd.DataFrame, figures: Sequence[str], *, pooled: bool = False
) -> pd.DataFrame:
    """By how much several figures differ with the same cards: one row an agent and figure.

    ``before`` and ``after``: frames of ``by_cards`` with the ``figures``; ``pooled`` takes all
    agents together, under the name ``ALL``. Columns as ``means``, with ``figure`` and ``unit``.
    """
    first, second = (each.assign(agent=ALL) if pooled else each for each in (before, after))
    parts = [
        changed(over_field(first, name), over_field(second, name)).assign(
            figure=name, unit=FIGURES[name][0]
        )
        for name in figures
    ]
    return pd.concat(parts, ignore_index=True)


def corrected(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame with a column ``holm``: its ``p`` corrected over all of its rows (Holm 1979)."""
    return frame.assign(holm=holm(frame["p"].to_numpy(np.float64)))
