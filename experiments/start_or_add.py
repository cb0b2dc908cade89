"""What does the rule change that a turn either starts melds or adds to them?

Every two of the strategies play with rule 4.5 and without it, with the same cards.

    handfoot experiment start_or_add [--quick]
"""

from __future__ import annotations

import pandas as pd

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import DRAWN, FIELD, Study, changed, changes, corrected, over_field
from handfoot_sim.experiment.wording import (
    change,
    counted,
    margins_changed,
    points_of_share,
    ranked,
    row_of,
)

RULES = ("standard", {"start_or_add": False})
CHANGES = (
    "turns", "points", "went out", "clean books", "dirty books", "wild books", "pile taken",
    "first foot", "opened",
)  # fmt: skip


def play(study: Study) -> str:
    """Play with the rule and without."""
    part = study.tournament("field", FIELD, matches=study.sized(10_000, 600), rules=RULES)
    with_rule, without = (part.cards(CHANGES, number) for number in range(2))
    margins = corrected(changed(over_field(with_rule), over_field(without)))
    levels = pd.concat([
        over_field(cards).mean().rename("margin").reset_index().assign(start_or_add=kept)
        for kept, cards in ((True, with_rule), (False, without))
    ])  # fmt: skip
    single = corrected(changes(with_rule, without, CHANGES))
    pooled = changes(with_rule, without, CHANGES, pooled=True)
    study.table("margins_without_the_rule", margins)
    study.table("margins_over_the_field", levels)
    study.table("changes_without_the_rule", single)
    study.table("changes_of_all", pooled)
    study.plot(
        "changes",
        plots.effects(
            single[single["figure"].isin(CHANGES[:6])], rows="agent", panel="figure",
            agents=DRAWN, text="What a turn that may both start and add changes",
            note="without rule 4.5 less with it, same cards, a team's deal, 95 % intervals",
        ),
    )  # fmt: skip
    study.plot(
        "margins",
        plots.effects(
            margins, rows="agent", agents=DRAWN, text="Who gains if a turn may both start and add",
            note="margin over the field without rule 4.5 less that with it, same cards, points a "
            "match, 95 % intervals",
        ),
    )  # fmt: skip
    return answer(margins, levels, pooled)


def answer(margins: pd.DataFrame, levels: pd.DataFrame, pooled: pd.DataFrame) -> str:
    """The paragraph."""
    turn, point, out = (row_of(pooled, figure=name) for name in ("turns", "points", "went out"))
    orders = [
        ", ".join(ranked(levels[levels["start_or_add"] == kept], "margin")["agent"])
        for kept in (True, False)
    ]
    same = "stays the same" if orders[0] == orders[1] else f"turns from {orders[0]} to {orders[1]}"
    return (
        f"Where a turn may both start melds and add to them, the length of a deal changes by "
        f"{change(turn, 'turns', 2)}, a team's points in it by "
        f"{change(point)}, and the share of its deals in which it goes out by "
        f"{points_of_share(out)}. Then {margins_changed(margins)} (Holm over "
        f"{len(margins)} strategies); the order of their margins over the field {same} "
        f"({counted(margins)}, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
