"""What the page says, part by part: words, the picture, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from handfoot_sim.report.pictures import Picture
from handfoot_sim.report.tables import (
    Table,
    books_table,
    by_deal_table,
    logrank_table,
    long_table,
    margins_table,
    meetings_table,
    ratings_table,
    seats_table,
    standings_table,
)

Frames = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes
    ----------
    name, title, words : its anchor, its heading, how to read it
    pictures : plots, in order
    tables : shown at once
    more : shown when asked for
    files : frames it is made from
    """

    name: str
    title: str
    words: str
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]
    more: tuple[Table, ...]
    files: tuple[str, ...]


@dataclass(frozen=True)
class _Plan:
    """How a section is made: plots by name, tables by function of frames and the agents' order."""

    title: str
    words: str
    pictures: tuple[str, ...]
    files: tuple[str, ...]
    tables: Callable[[Frames, Sequence[str]], list[Table | None]]
    more: Callable[[Frames, Sequence[str]], list[Table | None]] = lambda frames, order: []


def _long(name: str, caption: str) -> Callable[[Frames, Sequence[str]], list[Table | None]]:
    return lambda frames, order: [long_table(frames[name], order, name, caption)]


def _by_deal(name: str) -> Callable[[Frames, Sequence[str]], list[Table | None]]:
    return lambda frames, order: [by_deal_table(frames[name], order, name)]


PLANS: Final = {
    "standings": _Plan(
        "Standings",
        "The margin of a pair is a line-up's points less its opponent's, averaged over matches "
        "played with the same cards and the seats exchanged, so that good cards fall to both. "
        "Against the field it is the mean over the opponents met. An interval that holds 0 shows "
        "no difference.",
        ("standings", "ratings", "head_to_head", "head_to_head_share"),
        ("standings", "head_to_head"),
        lambda frames, order: [
            standings_table(frames),
            ratings_table(frames),
            meetings_table(frames),
        ],
    ),
    "margins": _Plan(
        "Margins",
        "How the mean margin settled while pairs came in, and how far single pairs spread: the "
        "wider they do, the more pairs it takes to tell two line-ups apart.",
        ("running_margin", "margins"),
        ("margins", "margin_histogram", "running_margin"),
        lambda frames, order: [margins_table(frames)],
    ),
    "scores": _Plan(
        "Points by part",
        "Where the points of a deal come from: cards melded, bonuses of books, red threes, the "
        "bonus for going out, and what the cards left in hand and foot cost.",
        ("scores",),
        ("scores",),
        _long("scores", "Mean points a deal and team, with 95 % intervals"),
        _by_deal("scores"),
    ),
    "going-out": _Plan(
        "Going out",
        "A deal ends when somebody goes out, or with the stock. What going out gained compares "
        "margins of deals within a pairing and deal; it is no proof that going out was the cause, "
        "as those who are ahead find it easier.",
        ("go_out_rates",),
        ("go_out_rates", "go_out_curves"),
        _long("go_out_rates", "Going out, all deals, with 95 % intervals"),
        _by_deal("go_out_rates"),
    ),
    "opening": _Plan(
        "Opening",
        "A team's first melds of a deal must be worth its minimum. A deal that ends before censors "
        "the wait; the median turn is Kaplan and Meier's.",
        ("meld_minimums",),
        ("meld_minimums", "opening_curves"),
        _long("meld_minimums", "Openings, all deals, with 95 % intervals"),
        _by_deal("meld_minimums"),
    ),
    "books": _Plan(
        "Books",
        "When the books needed to go out are closed. The curves rise to the share of deals in "
        "which the book was closed at all.",
        ("book_timing",),
        ("book_timing", "book_curves", "book_logrank"),
        lambda frames, order: [books_table(frames, order)],
        lambda frames, order: [logrank_table(frames)],
    ),
    "foot": _Plan(
        "Foot",
        "When hands are used up and the players go on with their feet.",
        ("foot",),
        ("foot", "foot_curves"),
        _long("foot", "Feet picked up, all deals, with 95 % intervals"),
        _by_deal("foot"),
    ),
    "pile": _Plan(
        "The pile",
        "A turn has a chance at the pile if some legal play could take it. What is counted of: "
        "chances for takings, takings for cards a taking, own turns for turns with a chance.",
        ("piles",),
        ("piles",),
        _long("piles", "The pile, all deals, with 95 % intervals"),
        _by_deal("piles"),
    ),
    "seats": _Plan(
        "Seats",
        "What it is worth to have the first turn, the deal, or a seat. Mirrors give every place to "
        "each line-up equally often, so these don't move the margins above.",
        ("seats",),
        ("seats",),
        lambda frames, order: [seats_table(frames, order)],
    ),
    "fingerprint": _Plan(
        "Fingerprint",
        "All figures of how a line-up plays, side by side: what tells one strategy from another.",
        ("fingerprint",),
        ("fingerprint",),
        _long("fingerprint", "How line-ups play, with 95 % intervals"),
    ),
}
"""The sections of a report in order."""


def sections(
    frames: Frames, pictures: Mapping[str, Picture], order: Sequence[str]
) -> list[Section]:
    """All sections; ``order`` is that of the line-ups, the best first."""
    return [
        Section(
            name,
            plan.title,
            plan.words,
            tuple(pictures[each] for each in plan.pictures if each in pictures),
            _those(plan.tables(frames, order)),
            _those(plan.more(frames, order)),
            plan.files,
        )
        for name, plan in PLANS.items()
    ]


def _those(tables: Sequence[Table | None]) -> tuple[Table, ...]:
    return tuple(table for table in tables if table is not None and table.rows)
