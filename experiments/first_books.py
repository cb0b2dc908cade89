"""When are the first books closed?

Plays greedy against random_legal and draws, for each of them, the share of deals in which the
first clean, dirty and wild book was closed by a turn. A deal that ends first censors the wait, so
the curves are Kaplan and Meier's, with 95 % bands.

    python experiments/first_books.py [--matches 20000] [--seed 1] [--out first_books.png]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from handfoot_sim import plots, simulate
from handfoot_sim.stats import book_curves

AGENTS = ("greedy", "random_legal")
BOOKS = ("first clean", "first dirty", "first wild")


def draw(curves: pd.DataFrame) -> Figure:
    """One panel a type of book, one curve an agent."""
    return plots.book_timing(curves[curves["event"].isin(BOOKS)], measure="share")


def main() -> None:
    """Play, and save the picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="first_books.png")
    words = parser.parse_args()
    curves = book_curves(simulate(AGENTS, words.matches, words.seed, jobs=-1))
    plots.save(draw(curves), Path(words.out), "png")
    print(f"{words.out} written")


if __name__ == "__main__":
    main()
