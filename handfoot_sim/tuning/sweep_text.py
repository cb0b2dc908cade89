"""The report of a sweep on the terminal: every point with its intervals, and where the best is."""

from __future__ import annotations

import math
from typing import Any, Final

import pandas as pd
from tabulate import tabulate

from handfoot_sim.simulation import as_rules
from handfoot_sim.tournament.entrants import rules_text
from handfoot_sim.tuning.sweeping import Swept

MOST_ROWS: Final = 80
"""Points that the terminal shows; all are in the table of the folder."""


def sweep_text(swept: Swept) -> str:
    """The report of a sweep in words and a table."""
    prepared, frame = swept.prepared, swept.frame
    plan = prepared.plan
    names = " and ".join(axis.name for axis in prepared.axes)
    pairs = _span(frame["pairs"])
    lines = [
        f"sweep of {names}: {prepared.agent.label} against {prepared.pool.text()}, "
        f"rules {rules_text(as_rules(plan.rules))}, seed {plan.seed}",
        f"{len(frame)} points on the same cards, n = {pairs} pairs each; 95 % intervals over "
        f"{_span(frame['blocks'])} blocks of them",
        "",
        _table(swept),
        "",
        *best_sentences(swept),
    ]
    failed = frame[frame["failure"] != ""]
    if len(failed):
        lines += ["", f"the agent failed at {len(failed)} of {len(frame)} points:"]
        lines += [f"  {_at(swept, row)}: {row['failure']}" for _, row in failed.iterrows()]
    return "\n".join([*lines, "", _speed(swept)])


def _speed(swept: Swept) -> str:
    """How many matches, and how fast those that were played now."""
    if not swept.played:
        return f"{swept.matches:,} matches, all of them read from the folder"
    some = f", {swept.played:,} of them now" if swept.played != swept.matches else ""
    rate = swept.played / swept.seconds
    return f"{swept.matches:,} matches{some} in {swept.seconds:,.1f} s: {rate:,.0f} matches/s"


def best_sentences(swept: Swept) -> list[str]:
    """Where the best value is, as far as it is known: a sentence for each group compared."""
    frame, axes = swept.frame, swept.prepared.axes
    by_rules = any(axis.of == "params" for axis in axes)
    theirs = [axis.column for axis in axes if axis.of == "rules"] if by_rules else []
    groups = list(frame.groupby(theirs, sort=False)) if theirs else [((), frame)]
    found = []
    for _, own in groups:
        known = own[own["failure"] == ""]
        if known.empty:
            continue
        at = f"under {_at(swept, known.iloc[0], 'rules')}: " if theirs else ""
        found.append(at + _best_of(swept, known, "params" if theirs else ""))
    found.append(
        "What seems best is the luckiest of the good ones: its figures flatter it. Play it on "
        "other cards before relying on it: the same sweep with another --seed, or handfoot compare."
    )
    return found


def _best_of(swept: Swept, known: pd.DataFrame, of: str) -> str:
    best = known.iloc[int(known["margin"].to_numpy(float).argmax())]
    rivals = [row for _, row in known[known["maybe_best"]].iterrows()]
    gain = (
        ""
        if bool(best["reference"]) or math.isnan(best["gain"])
        else (f", {signed(best, 'gain')} over the reference")
    )
    said = f"the largest margin is seen at {_at(swept, best, of)} ({signed(best, 'margin')}{gain})"
    if len(rivals) == 1:
        return f"{said}; all other values are shown to be worse (paired, Holm, 5 %)"
    if len(rivals) == len(known):
        return f"{said}, but no value is shown to be worse than another (paired, Holm, 5 %)"
    named = ", ".join(_values(swept, row, of) for row in rivals)
    return f"{said}; not shown to be worse than others (paired, Holm, 5 %): {named}"


def signed(row: pd.Series, figure: str) -> str:
    """A figure of a row with its sign and interval: ``+12 ± 5``, a dash without one."""
    value, low, high = (float(row[f"{figure}{end}"]) for end in ("", "_low", "_high"))
    if math.isnan(value):
        return "-"
    return f"{round(value):+,d} ± {(high - low) / 2:,.0f}"


def shown(value: Any) -> str:
    """A value of an axis as one would type it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _table(swept: Swept) -> str:
    rows = []
    for _, row in swept.frame.head(MOST_ROWS).iterrows():
        gain = "(reference)" if row["reference"] else signed(row, "gain")
        word = "failed" if row["failure"] else "may be best" if row["maybe_best"] else ""
        values = [shown(_own(row[axis.column])) for axis in swept.prepared.axes]
        rows.append((*values, signed(row, "margin"), gain, word))
    axes = swept.prepared.axes
    headers = (*(axis.name for axis in axes), "margin, points a match", "over the reference", "")
    align = (*["right"] * (len(axes) + 2), "left")
    text: str = tabulate(rows, headers, disable_numparse=True, colalign=align)
    more = len(swept.frame) - MOST_ROWS
    return f"{text}\n... and {more:,} more points" if more > 0 else text


def _own(value: Any) -> Any:
    """A value without its NumPy type."""
    return value.item() if hasattr(value, "item") else value


def _at(swept: Swept, row: pd.Series, of: str = "") -> str:
    axes = [axis for axis in swept.prepared.axes if of in ("", axis.of)]
    return ", ".join(f"{axis.name} = {shown(_own(row[axis.column]))}" for axis in axes)


def _values(swept: Swept, row: pd.Series, of: str) -> str:
    axes = [axis for axis in swept.prepared.axes if of in ("", axis.of)]
    if len(axes) == 1:
        return shown(_own(row[axes[0].column]))
    return f"({', '.join(shown(_own(row[axis.column])) for axis in axes)})"


def _span(counts: pd.Series) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
