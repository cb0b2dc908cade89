"""When are the first books closed?

Plays greedy against random_legal and draws, for each of them, the share of deals in which the
first clean, dirty and wild book was closed by a turn. A deal that ends first censors the wait, so
the curves are Kaplan and Meier's, with 95 % bands.

    python experiments/first_books.py [--matches 20000] [--seed 1] [--out first_books.png]
"""

from __future__ import annotations

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

from handfoot_sim import simulate
from handfoot_sim.stats import book_curves

AGENTS = ("greedy", "random_legal")
COLOURS = {"greedy": "#0072b2", "random_legal": "#d55e00"}
BOOKS = ("first clean", "first dirty", "first wild")


def draw(curves: pd.DataFrame, matches: int) -> plt.Figure:
    """One panel a type of book, one curve an agent."""
    figure, panels = plt.subplots(
        1, len(BOOKS), figsize=(11, 3.8), sharey=True, layout="constrained"
    )
    for panel, book in zip(panels, BOOKS, strict=True):
        for agent in AGENTS:
            own = curves[(curves["agent"] == agent) & (curves["event"] == book)]
            share, low, high = (100 * own[name] for name in ("share", "low", "high"))
            label = f"{agent} (n = {own['n'].iloc[0]:,} deals)"
            panel.step(own["turn"], share, where="post", color=COLOURS[agent], label=label)
            panel.fill_between(
                own["turn"], low, high, step="post", color=COLOURS[agent], alpha=0.25, lw=0
            )
        panel.set(
            title=f"{book} book", xlabel="turn of the deal, all seats together", xlim=(0, 110),
            ylim=(0, 100),
        )  # fmt: skip
        panel.grid(alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("closed by then, % of deals\n(Kaplan-Meier, 95 % band)")
    panels[0].legend(loc="lower right", frameon=False, fontsize=8)
    figure.suptitle(
        f"When a team closes its first books: greedy against random_legal, {matches:,} matches"
    )
    return figure


def main() -> None:
    """Play, and save the picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="first_books.png")
    words = parser.parse_args()
    curves = book_curves(simulate(AGENTS, words.matches, words.seed, jobs=-1))
    draw(curves[curves["deal"] == "all"], words.matches).savefig(words.out, dpi=130)
    print(f"{words.out} written")


if __name__ == "__main__":
    main()
