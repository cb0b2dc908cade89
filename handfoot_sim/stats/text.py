"""Frames of statistics in short, as aligned text for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
from tabulate import tabulate

from handfoot_sim.stats.measures import ALL, SHARE
from handfoot_sim.stats.totals import Totals

WIDTH: Final = 100
"""Characters of a line, at most, unless a single column is wider."""
LONGEST_LABEL: Final = 28

TITLES: Final = {
    "standings": "Standings: mean margin over the opponents, points a match, and pairs won, %",
    "head_to_head": "Head to head: pairs won, tied, lost; margin in points a match",
    "margins": "Margins of pairs, points a match",
    "margin_histogram": "Histogram of the margins of pairs",
    "running_margin": "The margin over the pairs played so far, points a match",
    "scores": "Points by part, mean a deal and team",
    "book_timing": "Books: share of deals in which they were closed, %, and median turn",
    "book_curves": "Books closed by turn",
    "book_logrank": "Who closes books sooner: ratio of hazards, corrected p",
    "meld_minimums": "Openings",
    "opening_curves": "Opened by turn",
    "go_out_rates": "How deals end, and going out",
    "go_out_curves": "Gone out by turn",
    "foot": "Feet picked up",
    "foot_curves": "Feet picked up by turn",
    "piles": "The pile, and discards of threes and wild cards",
    "seats": "Seats: margin over the other levels within a pairing, points a deal",
    "fingerprint": "How they play",
}
"""What each frame tells."""
SHORT: Final = (
    "standings", "head_to_head", "scores", "book_timing", "meld_minimums", "go_out_rates", "foot",
    "piles", "seats",
)  # fmt: skip
"""Frames that are shown where none is named."""


def records(frame: pd.DataFrame) -> list[Any]:
    """The rows of a frame, columns as attributes."""
    return list(frame.itertuples(index=False))


def spread(value: float, low: float, high: float) -> float:
    """The longer arm of an interval; NaN where there is none."""
    if math.isnan(low) and math.isnan(high):
        return math.nan
    return max(value - low, high - value)


def cell(value: float, low: float, high: float, unit: str, decimals: int = 0) -> str:
    """An estimate with its interval: ``53.2 ± 0.4``, of turns ``29 [28, 30]``."""
    if math.isnan(value):
        return "-"
    if unit == "turn":
        ends = ["-" if math.isnan(end) else f"{end:.0f}" for end in (low, high)]
        return f"{value:.0f} [{', '.join(ends)}]"
    scale, places = (100, 1) if unit == SHARE else (1, decimals)
    half = spread(value, low, high)
    said = f"{scale * value:,.{places}f}"
    return said if math.isnan(half) else f"{said} ± {scale * half:,.{places}f}"


def decimals_of(rows: pd.DataFrame) -> int:
    """Decimals that a column of estimates is shown with: more where it is known more exactly."""
    unit = str(rows["unit"].iloc[0])
    least = 2 if unit in ("a deal", "cards") else int(unit == "turns")
    halves = [spread(row.value, row.low, row.high) for row in records(rows)]
    widest = max((half for half in halves if half > 0), default=math.inf)
    return max(least, min(3, math.floor(1.3 - math.log10(widest)))) if widest < 5 else least


def short_labels(labels: Sequence[str]) -> dict[str, str]:
    """Labels cut to ``LONGEST_LABEL`` characters; numbered where that makes them alike."""
    cut = {
        label: label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
        for label in labels
    }
    if len(set(cut.values())) == len(cut):
        return cut
    return {
        label: f"{number}: {label[: LONGEST_LABEL - 5]}…" if cut[label] != label else label
        for number, label in enumerate(labels)
    }


def aligned(keys: dict[str, list[str]], columns: dict[str, list[str]]) -> str:
    """Tables of some columns behind the same key columns, as many as fit side by side each."""
    headers = {name: "\n".join(textwrap.wrap(name, 13)) for name in columns}
    tables: list[str] = []
    chosen: dict[str, list[str]] = {}

    def made(shown: dict[str, list[str]]) -> str:
        align = ["left"] * len(keys) + ["right"] * len(shown)
        return str(tabulate(
            {**keys, **{headers[name]: cells for name, cells in shown.items()}}, headers="keys",
            disable_numparse=True, colalign=align,
        ))  # fmt: skip

    for name, cells in columns.items():
        wider = {**chosen, name: cells}
        if chosen and max(map(len, made(wider).splitlines())) > WIDTH:
            tables.append(made(chosen))
            wider = {name: cells}
        chosen = wider
    tables.append(made(chosen))
    return "\n\n".join(tables)


def measures_text(frame: pd.DataFrame, by_deal: bool) -> str:
    """A frame of measures: one row an agent (and deal), one column a figure."""
    if "deal" in frame:
        keep = frame["deal"] != ALL if by_deal else frame["deal"] == ALL
        frame = frame[keep]
    names = short_labels(list(dict.fromkeys(frame["agent"])))
    keyed = [name for name in ("agent", "deal", "minimum") if name in frame]
    keyed = keyed if by_deal else ["agent"]
    groups = list(frame.groupby(keyed, observed=True, sort=False, dropna=False))
    keys: dict[str, list[str]] = {name: [] for name in keyed}
    for values, _ in groups:
        for name, value in zip(keyed, values, strict=True):
            keys[name].append(names[str(value)] if name == "agent" else str(value))
    columns: dict[str, list[str]] = {}
    for figure, rows in frame.groupby("figure", sort=False):
        unit = str(rows["unit"].iloc[0])
        decimals = decimals_of(rows)
        shown = [cell(row.value, row.low, row.high, unit, decimals) for row in records(rows)]
        columns[f"{figure}, {unit}"] = shown
        if rows["n"].nunique() and "n, deals" not in columns and unit != "turn":
            columns = {"n, deals": [f"{n:,}" for n in rows["n"]], **columns}
    return aligned(keys, columns)


def fingerprint_text(frame: pd.DataFrame) -> str:
    """Few agents side by side, one row a figure; more of them one under the other."""
    agents = list(dict.fromkeys(frame["agent"]))
    if len(agents) > 4:
        return measures_text(frame, by_deal=False)
    names = short_labels(agents)
    own = {agent: frame[frame["agent"] == agent] for agent in agents}
    first = own[agents[0]]
    keys = {"figure": list(first["figure"]), "unit": list(first["unit"])}
    decimals = {figure: decimals_of(rows) for figure, rows in frame.groupby("figure")}
    columns = {
        names[agent]: [
            cell(row.value, row.low, row.high, row.unit, decimals[row.figure])
            for row in records(rows)
        ]
        for agent, rows in own.items()
    }
    return aligned(keys, columns)


def standings_text(frame: pd.DataFrame) -> str:
    """Standings, best first."""
    names = short_labels(list(frame["agent"]))
    columns = {
        "margin": [cell(r.margin, r.low, r.high, "points") for r in records(frame)],
        "pairs won, %": [cell(r.share, r.share_low, r.share_high, SHARE) for r in records(frame)],
        "opponents": [f"{n}" for n in frame["opponents"]],
        "n, pairs": [f"{n:,}" for n in frame["pairs"]],
        "matches": [f"{n:,}" for n in frame["matches"]],
    }
    return aligned({"agent": [names[agent] for agent in frame["agent"]]}, columns)


def head_to_head_text(frame: pd.DataFrame) -> str:
    """Every meeting once, from the side of who is ahead; those of the strongest first."""
    ahead = frame[(frame["margin"] > 0) | ((frame["margin"] == 0) & _first_of(frame))]
    strength = frame.groupby("agent")["margin"].mean().rank(ascending=False)
    order = pd.DataFrame({name: ahead[name].map(strength) for name in ("agent", "opponent")})
    names = short_labels(list(dict.fromkeys([*frame["agent"], *frame["opponent"]])))
    rows = records(ahead.loc[order.sort_values(["agent", "opponent"], kind="stable").index])
    columns = {
        "margin": [cell(r.margin, r.low, r.high, "points") for r in rows],
        "p, corrected": [p_text(r.holm) for r in rows],
        "won : tied : lost": [f"{r.won:,} : {r.tied:,} : {r.lost:,}" for r in rows],
        "n, pairs": [f"{r.pairs:,}" for r in rows],
        "pairs needed": [
            "-" if not math.isfinite(r.pairs_needed) else f"{r.pairs_needed:,.0f}" for r in rows
        ],
    }
    if frame["forfeits"].any():
        columns["forfeits"] = [f"{r.forfeits:,} : {r.opponent_forfeits:,}" for r in rows]
    keys = {"ahead": [names[r.agent] for r in rows], "behind": [names[r.opponent] for r in rows]}
    return aligned(keys, columns)


def _first_of(frame: pd.DataFrame) -> pd.Series:
    """Which of a meeting's two rows is the first; pairings with the same labels are apart."""
    meeting = [(r.pairing, *sorted((r.agent, r.opponent))) for r in records(frame)]
    return ~pd.Series(meeting, frame.index).duplicated()


def p_text(p: float) -> str:
    """A p value."""
    if math.isnan(p):
        return "-"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def book_timing_text(frame: pd.DataFrame, by_deal: bool) -> str:
    """One row an agent (and deal), two columns a book."""
    frame = frame[frame["deal"] != ALL if by_deal else frame["deal"] == ALL]
    names = short_labels(list(dict.fromkeys(frame["agent"])))
    first = frame[frame["book"] == "first clean"]
    keys = {"agent": [names[agent] for agent in first["agent"]]}
    if by_deal:
        keys["deal"] = [str(deal) for deal in first["deal"]]
    columns = {"n, deals": [f"{n:,}" for n in first["n"]]}
    for book, rows in frame.groupby("book", observed=True, sort=False):
        columns[f"{book}, %"] = [
            cell(r.share, r.share_low, r.share_high, SHARE) for r in records(rows)
        ]
        columns[f"{book}, turn"] = [
            cell(r.median, r.median_low, r.median_high, "turn") for r in records(rows)
        ]
    return aligned(keys, columns)


def seats_text(frame: pd.DataFrame) -> str:
    """What the first turn and the seats are worth: one row an agent, over all deals."""
    over_all = frame[frame["deal"] == ALL]
    names = short_labels(list(dict.fromkeys(over_all["agent"])))
    turns = over_all[over_all["factor"] == "first turn"].groupby("agent", sort=False)["n"].sum()
    columns = {"n, deals": [f"{turns[agent]:,}" for agent in names]}
    for (factor, level), rows in over_all.groupby(["factor", "level"], sort=False):
        if level in ("later", "another deals"):
            continue
        name = f"{factor} {level}" if factor == "seat" else str(level)
        columns[name if level != "first" else "first turn"] = [
            cell(r.effect, r.effect_low, r.effect_high, "points") for r in records(rows)
        ]
    return aligned({"agent": list(names.values())}, columns)


def frame_text(name: str, frame: pd.DataFrame, by_deal: bool = False) -> str:
    """A frame under its title; those without a short form as they are."""
    writers: dict[str, Any] = {
        "standings": standings_text, "head_to_head": head_to_head_text, "seats": seats_text,
        "fingerprint": fingerprint_text,
    }  # fmt: skip
    if frame.empty:
        body = "nothing to tell: there is one agent only"
    elif name in writers:
        body = writers[name](frame)
    elif name == "book_timing":
        body = book_timing_text(frame, by_deal)
    elif {"figure", "deal"} <= set(frame.columns):
        body = measures_text(frame, by_deal or name == "meld_minimums")
    else:
        body = whole_text(frame)
    return f"{TITLES[name]}\n\n{body}"


def whole_text(frame: pd.DataFrame) -> str:
    """Every row and column; shares to four decimals, points to one or two."""
    columns: dict[str, list[str]] = {}
    for name in frame:
        values = frame[name].tolist()
        if frame[name].dtype.kind != "f":
            columns[str(name)] = [f"{v:,}" if isinstance(v, int) else str(v) for v in values]
            continue
        largest = frame[name].abs().max()
        form = "{:.4f}" if not largest > 1 else "{:.2f}" if largest < 100 else "{:,.1f}"
        form = "{:.3g}" if name in ("density", "p", "holm") else form
        columns[str(name)] = ["-" if math.isnan(v) else form.format(v) for v in values]
    align = ["right" if frame[name].dtype.kind in "if" else "left" for name in frame]
    return str(tabulate(columns, headers="keys", disable_numparse=True, colalign=align))


def heading(totals: Totals, place: str) -> str:
    """What was read: how many matches of how many, by whom, and what was left out."""
    asked = ""
    if totals.planned is not None and not totals.complete:
        asked = f" of {totals.planned:,} asked for"
    lines = [
        f"{place}: {totals.matches:,} matches{asked} of {len(totals.agents)} agents, "
        f"{totals.mirrors} mirrors, {totals.deals} deals each; ± and [ ] are 95 % intervals"
    ]
    forfeits = {agent: number for agent, number in totals.forfeits.items() if number}
    if forfeits:
        told = ", ".join(f"{agent} {number:,}" for agent, number in forfeits.items())
        lines.append(f"forfeited matches: {told}; their pairs tell of margins only, not of play")
    lines += [f"left out: shard {path} can't be read" for path in totals.skipped]
    long = {a: s for a, s in short_labels(totals.agents).items() if a != s}
    lines += [f"{short} is {label}" for label, short in long.items()]
    return "\n".join(lines)
