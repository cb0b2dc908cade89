"""What does each opening minimum do, and what if it stayed at 50?

Every two of the strategies play with the same minimum in all four deals, 50, 90, 120 or 150, and by
the standard rules, where it rises through these. All variants are played with the same cards, so
changes are differences at the same match number.

    handfoot experiment meld_minimums [--quick]
"""

from __future__ import annotations

import pandas as pd

from handfoot_sim import plots, stats
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import DRAWN, FIELD, Study, changed, changes, corrected, over_field
from handfoot_sim.experiment.wording import (
    change,
    counted,
    listed,
    margins_changed,
    points_of_share,
    row_of,
    share,
)

MINIMUMS = (50, 90, 120, 150)
FIGURES = (
    "turn of opening, median", "opened in the first turn", "surplus", "from the pile", "opened",
    "lost by not opening",
)  # fmt: skip
ALIKE = ("opened", "points", "turns", "someone went out")
"""Figures that are compared at the same match numbers."""


def play(study: Study) -> str:
    """Play each minimum in all deals, and the standard's rise."""
    rules = [{"meld_minimums": [each]} for each in MINIMUMS]
    part = study.tournament(
        "minimums", FIELD, matches=study.sized(6000, 240), rules=[*rules, "standard"]
    )
    openings = pd.concat([
        stats.meld_minimums(part.totals(number)).query("deal == 'all'").assign(minimum=minimum)
        for number, minimum in enumerate(MINIMUMS)
    ])  # fmt: skip
    openings = openings[openings["figure"].isin(FIGURES)].drop(columns="deal")
    study.table("openings", openings)
    cards = [part.cards(ALIKE, number) for number in range(len(MINIMUMS) + 1)]
    alike = pd.concat([
        changes(cards[0], cards[number], ALIKE).assign(minimum=MINIMUMS[number])
        for number in range(1, len(MINIMUMS))
    ])  # fmt: skip
    study.table("changes_from_50", corrected(alike))
    flat = corrected(changed(over_field(cards[-1]), over_field(cards[0])))
    pooled = changes(cards[-1], cards[0], ALIKE, pooled=True)
    study.table("margins_if_50", flat)
    study.table("changes_if_50", pooled)
    draw(study, openings, flat)
    return answer(openings, flat, pooled)


def draw(study: Study, openings: pd.DataFrame, flat: pd.DataFrame) -> None:
    """Both plots."""
    study.plot(
        "openings",
        plots.curve(
            openings[openings["figure"].isin(FIGURES[:4])], x="minimum", panel="figure",
            label="opening minimum", text="What an opening minimum does to openings",
            columns=2,
            note="the same minimum in all four deals; curves that are alike hide each other; 95 % "
            "intervals", what="deals or openings",
            zero=False, agents=DRAWN,
        ),
    )  # fmt: skip
    study.plot(
        "margins_if_50",
        plots.effects(
            flat, rows="agent", agents=DRAWN, text="Who gains if the minimum stays at 50",
            note="margin over the field with 50 in all deals less that with 50, 90, 120, 150, same "
            "cards, points a match, 95 % intervals",
        ),
    )  # fmt: skip


def first_turn(openings: pd.DataFrame, agent: str, minimum: int) -> str:
    """The share of deals in which a strategy opens in its first turn."""
    figure = "opened in the first turn"
    return share(row_of(openings, agent=agent, minimum=minimum, figure=figure))


def answer(openings: pd.DataFrame, flat: pd.DataFrame, pooled: pd.DataFrame) -> str:
    """The paragraph."""
    first = [
        f"{agent} in {first_turn(openings, agent, 50)} of deals with 50 and in "
        f"{first_turn(openings, agent, 150)} with 150"
        for agent in ("greedy", "hoarder", "balanced")
    ]
    turns = openings[openings["figure"] == FIGURES[0]].pivot_table(
        index="agent", columns="minimum", values="value"
    )
    medians = [f"{agent} {row[50]:.0f} and {row[150]:.0f}" for agent, row in turns.iterrows()]
    turn, point, out = (row_of(pooled, figure=name) for name in ("turns", "points", ALIKE[3]))
    return (
        f"In its first turn opens {listed(first)}; the median turns of opening "
        f"with 50 and with 150 are {listed(medians)}. With 50 in all deals instead of 50, 90, 120, "
        f"150 the length of a deal changes by {change(turn, 'turns', 2)}, a team's points in it by "
        f"{change(point)}, and the share of deals that end by going out by {points_of_share(out)}; "
        f"{margins_changed(flat)} (Holm over {len(flat)} strategies; "
        f"{counted(flat)}, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
