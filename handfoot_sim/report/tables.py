"""Tables of the page: the frames in short, every figure with its interval and what it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from handfoot_sim.report.figures import NONE, chance, count, estimate, number
from handfoot_sim.report.headline import sets_called

Frames = Mapping[str, pd.DataFrame]

_LONG: Final = ("agent", "figure", "unit", "value", "low", "high", "n")
MOST_COLUMNS: Final = 4
"""Agents up to which each has a column; more have a row each."""
MOST_ROWS: Final = 120
"""Rows of a table above which the page leaves it to the files."""


@dataclass(frozen=True)
class Cell:
    """What stands in a cell, and in small type below it what it is counted of."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class Table:
    """A table of the page; the first column holds names. ``file`` is the frame it is from."""

    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    file: str


def _agents_in(frame: pd.DataFrame, order: Sequence[str]) -> list[str]:
    own = {str(agent) for agent in frame["agent"].unique()}
    return [agent for agent in order if agent in own] + sorted(own - set(order))


def _long_cells(rows: pd.DataFrame, agents: Sequence[str]) -> dict[tuple[str, str], Cell]:
    """Cells of a long frame by agent and figure."""
    columns = [rows[name].tolist() for name in _LONG]
    return {
        (str(agent), str(figure)): Cell(estimate(value, low, high, str(unit)), f"n {n:,}")
        for agent, figure, unit, value, low, high, n in zip(*columns, strict=True)
        if str(agent) in agents
    }


def figure_names(frame: pd.DataFrame) -> dict[str, str]:
    """Names of a long frame's figures, with their units where these differ and aren't told."""
    names = {}
    alike = frame["unit"].nunique() == 1
    for figure, unit in zip(frame["figure"], frame["unit"], strict=True):
        told = str(figure).replace("_", " ")
        plain = alike or unit in ("%", "turn", "") or str(unit) in told
        names[str(figure)] = told if plain else f"{told}, {unit}"
    return names


def long_table(frame: pd.DataFrame, order: Sequence[str], name: str, caption: str) -> Table:
    """A long frame over all deals: figures by agents, or agents by figures where there are many."""
    rows = frame if "deal" not in frame else frame[frame["deal"].astype(str) == "all"]
    agents, names = _agents_in(rows, order), figure_names(rows)
    cells = _long_cells(rows, agents)
    if len(agents) <= MOST_COLUMNS:
        body = [
            (Cell(shown), *(cells.get((agent, figure), Cell(NONE)) for agent in agents))
            for figure, shown in names.items()
        ]
        return _noted(Table(caption, ("", *agents), tuple(body), name))
    body = [
        (Cell(agent), *(cells.get((agent, figure), Cell(NONE)) for figure in names))
        for agent in agents
    ]
    return _noted(Table(caption, ("", *names.values()), tuple(body), name))


def _noted(table: Table) -> Table:
    """The table with what its cells are counted of in the caption, where that is the same."""
    notes = {cell.note for row in table.rows for cell in row if cell.note}
    if len(notes) != 1:
        return table
    rows = tuple(tuple(Cell(cell.text) for cell in row) for row in table.rows)
    caption = f"{table.caption}; {notes.pop().replace('n ', 'n = ')} deals"
    return Table(caption, table.headers, rows, table.file)


def by_deal_table(frame: pd.DataFrame, order: Sequence[str], name: str) -> Table | None:
    """A long frame deal by deal; None where there is but one deal."""
    rows = frame[frame["deal"].astype(str) != "all"]
    deals = list(dict.fromkeys(rows["deal"].astype(str)))
    if len(deals) < 2:
        return None
    agents, names = _agents_in(rows, order), figure_names(rows)
    body = []
    for agent in agents:
        for deal in deals:
            cells = _long_cells(rows[rows["deal"].astype(str) == deal], [agent])
            own = (cells.get((agent, figure), Cell(NONE)) for figure in names)
            body.append((Cell(agent), Cell(deal), *own))
    return _limited(Table("Deal by deal", ("", "deal", *names.values()), tuple(body), name))


def _limited(table: Table) -> Table | None:
    return table if len(table.rows) <= MOST_ROWS else None


def _listed(
    frame: pd.DataFrame,
    name: str,
    caption: str,
    columns: Mapping[str, Callable[[pd.Series], str]],
) -> Table:
    """A table with a row for each of a frame's, its columns written by functions of the row."""
    body = tuple(
        tuple(Cell(write(row)) for write in columns.values()) for _, row in frame.iterrows()
    )
    return Table(caption, tuple(columns), body, name)


def _figure(
    unit: str, value: str, low: str = "low", high: str = "high", sign: bool = False
) -> Callable[[pd.Series], str]:
    """Writes a figure of a row with its interval."""
    return lambda row: estimate(
        float(row[value]), float(row[low]), float(row[high]), unit, sign=sign
    )


def _plain(column: str) -> Callable[[pd.Series], str]:
    return lambda row: str(row[column])


def _count(column: str) -> Callable[[pd.Series], str]:
    return lambda row: count(float(row[column]))


def _chance(column: str) -> Callable[[pd.Series], str]:
    return lambda row: chance(float(row[column]))


def standings_table(frames: Frames) -> Table:
    """Who stands where: margin against the field, share of pairs won."""
    return _listed(
        frames["standings"],
        "standings",
        "Standings: 95 % intervals, margins in points a match",
        {
            "line-up": _plain("agent"),
            "margin against the field": _figure("points", "margin", sign=True),
            "won, ties as halves": _figure("%", "share", "share_low", "share_high"),
            "opponents": _count("opponents"),
            "pairs": _count("pairs"),
            "matches": _count("matches"),
        },
    )


def ratings_table(frames: Frames) -> Table | None:
    """Elo ratings, where a tournament left any."""
    if "ratings" not in frames:
        return None
    return _listed(
        frames["ratings"],
        "ratings",
        "Ratings: Elo by Bradley and Terry, 95 % intervals, as the tournament last wrote them",
        {
            "line-up": _plain("agent"),
            "Elo": _figure("points", "rating", sign=True),
            "only a bound": lambda row: "yes" if row["bound"] else "no",
        },
    )


def _first_of_two(frame: pd.DataFrame) -> list[bool]:
    """Which rows are the first order in which a meeting stands there."""
    seen: set[tuple[object, ...]] = set()
    first = []
    for pairing, a, b in zip(frame["pairing"], frame["agent"], frame["opponent"], strict=True):
        key = (pairing, *sorted((str(a), str(b))))
        first.append(key not in seen)
        seen.add(key)
    return first


def meetings_table(frames: Frames) -> Table | None:
    """Every two line-ups that met, once."""
    frame = frames["head_to_head"]
    frame = frame[_first_of_two(frame)]
    mirrors = int(frame["mirrors"].max()) if len(frame) else 2
    sets = sets_called(mirrors)
    return _limited(
        _listed(
            frame,
            "head_to_head",
            f"Meetings: margin in points a match over {sets} with the same cards. p-values of a "
            "margin of 0 are corrected by Holm; needed to see it: how many show such a margin with "
            "80 % chance",
            {
                "line-up": _plain("agent"),
                "against": _plain("opponent"),
                "margin": _figure("points", "margin", sign=True),
                f"{sets} won, tied, lost": lambda r: " / ".join(
                    f"{int(r[name]):,}" for name in ("won", "tied", "lost")
                ),
                "share won": _figure("%", "share", "share_low", "share_high"),
                "matches won": _figure("%", "match_share", "match_share_low", "match_share_high"),
                "p (Holm)": _chance("holm"),
                "needed to see it": lambda r: number(float(r["pairs_needed"])),
                "forfeits": lambda r: f"{int(r['forfeits']):,} / {int(r['opponent_forfeits']):,}",
            },
        )
    )


def margins_table(frames: Frames) -> Table | None:
    """How the margins of single pairs spread."""
    names = {"5 %": "q05", "25 %": "q25", "75 %": "q75", "95 %": "q95"}
    written = {
        shown: (lambda row, own=column: number(float(row[own]))) for shown, column in names.items()
    }
    return _limited(
        _listed(
            frames["margins"],
            "margins",
            "Margins of single pairs, points a match: mean, median and quantiles",
            {
                "line-up": _plain("agent"),
                "against": _plain("opponent"),
                "pairs": _count("n"),
                "mean": _figure("points", "mean", sign=True),
                "standard deviation": lambda row: number(float(row["sd"])),
                "median": _figure("points", "median", "median_low", "median_high"),
                **written,
            },
        )
    )


def books_table(frames: Frames, order: Sequence[str]) -> Table | None:
    """Books over all deals: closed at all, when, and how deals ended without them."""
    frame = frames["book_timing"]
    rows = frame[frame["deal"].astype(str) == "all"]
    place = {agent: number for number, agent in enumerate(order)}
    rows = rows.assign(place=rows["agent"].map(place)).sort_values(["book", "place"])
    part = {
        "another went out first": "other_out",
        "went out without it": "own_out",
        "stock ran out first": "stock",
    }
    written = {
        shown: (lambda row, own=column: estimate(float(row[own]), *_NO_ENDS, "%"))
        for shown, column in part.items()
    }
    return _limited(
        _listed(
            rows,
            "book_timing",
            "Books over all deals: shares of deals, turns by Kaplan and Meier",
            {
                "book": _plain("book"),
                "line-up": _plain("agent"),
                "closed": _figure("%", "share", "share_low", "share_high"),
                "turn, median": _figure("turn", "median", "median_low", "median_high"),
                **written,
                "deals": _count("n"),
            },
        )
    )


_NO_ENDS: Final = (float("nan"), float("nan"))


def logrank_table(frames: Frames) -> Table | None:
    """Who closes books sooner, over all deals."""
    frame = frames["book_logrank"]
    rows = frame[frame["deal"].astype(str) == "all"]
    if rows.empty:
        return None
    return _limited(
        _listed(
            rows,
            "book_logrank",
            "Who closes sooner: ratio of hazards (above 1: the first does), log-rank, all deals",
            {
                "book": _plain("book"),
                "line-up": _plain("agent"),
                "against": _plain("opponent"),
                "ratio": _figure("", "ratio"),
                "p (Holm)": _chance("holm"),
                "deals": _count("n"),
            },
        )
    )


def seats_table(frames: Frames, order: Sequence[str]) -> Table | None:
    """What places are worth, over all deals."""
    frame = frames["seats"]
    rows = frame[frame["deal"].astype(str) == "all"]
    place = {agent: number for number, agent in enumerate([*order, "(all)"])}
    rows = rows.assign(place=rows["agent"].map(place))
    rows = rows.sort_values(["factor", "place"], kind="stable")
    return _limited(
        _listed(
            rows,
            "seats",
            "Places at the table: margin of such deals, and what the place is worth, points a deal",
            {
                "factor": lambda row: f"{row['factor']}: {row['level']}",
                "line-up": lambda row: "all together" if row["agent"] == "(all)" else row["agent"],
                "margin": _figure("points", "value", sign=True),
                "worth": _figure("points", "effect", "effect_low", "effect_high", sign=True),
                "deals": _count("n"),
            },
        )
    )
