"""When are books closed, and by which strategies soonest?

Every two of the strategies play duplicate matches. A deal that ends before a book censors the wait
for it, so median turns are Kaplan and Meier's; shares are of all deals. Turns count from 0 over the
deal, all seats together.

    handfoot experiment book_timing [--quick]
"""

from __future__ import annotations

import pandas as pd

from handfoot_sim import plots, stats
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import DRAWN, FIELD, Study
from handfoot_sim.experiment.wording import counted, ranked, row_of, share, turn

BOOKS = ("first clean", "first dirty", "first wild", "all needed")
PICTURE = ("greedy", "random_legal")
EVERY = 4
"""Turns between two rows of the table of curves: a round of the table."""


def sentence(timing: pd.DataFrame, book: str) -> str:
    """Who closes a book soonest and who latest, and how often."""
    rows = ranked(timing[timing["book"] == book], "median", ascending=True)
    soon = rows.iloc[0]
    late = rows[rows["share"] == rows["share"].min()].iloc[0]
    name = "all books needed to go out" if book == "all needed" else f"the {book} book"
    often = late.rename({"share": "value", "share_low": "low", "share_high": "high"})
    return (
        f"{name} is closed soonest by {soon['agent']}, by half of deals at {turn(soon)}; least "
        f"often by {late['agent']}, in {share(often)} of its deals"
    )


def play(study: Study) -> str:
    """Play every two strategies, and the pair of the README's picture."""
    field = study.tournament("field", FIELD, matches=study.sized(16_000, 1000)).totals()
    timing = stats.book_timing(field)
    curves = stats.book_curves(field).query("deal == 'all'")
    apart = stats.book_logrank(field).query("deal == 'all'")
    study.table("book_timing", timing)
    study.table("book_curves", curves[curves["turn"] % EVERY == 0])
    study.table("book_logrank", apart)
    study.plot("book_timing", plots.book_timing(curves, agents=DRAWN))
    pair = study.single("picture", PICTURE, matches=study.sized(20_000, 2000)).totals()
    first = stats.book_curves(pair).query("deal == 'all'")
    first = first[first["event"].isin(BOOKS[:3])]
    study.table("first_books", first[first["turn"] % EVERY == 0])
    study.plot("first_books", plots.book_timing(first, measure="share", agents=(*DRAWN, *PICTURE)))
    over_all = timing[timing["deal"] == "all"]
    said = "; ".join(sentence(over_all, book) for book in BOOKS)
    race = row_of(apart, agent="closer", opponent="milker", book="all needed")
    return (
        f"Of {len(FIELD)} strategies, {said}. closer has all books needed at a rate "
        f"{race['ratio']:.2f} ({race['low']:.2f} to {race['high']:.2f}) times milker's, and greedy "
        f"closes its first clean book at {turn(row_of(over_all, agent='greedy', book=BOOKS[0]))}, "
        f"balanced at {turn(row_of(over_all, agent='balanced', book=BOOKS[0]))} "
        f"({counted(over_all, 'deals a strategy')}; 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
