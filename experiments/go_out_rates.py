"""Does it pay to go out early, and what is a partner's permission worth?

Every two of the strategies play with permission, as the standard rules have it, and without, with
the same cards. closer goes out as soon as it may, milker stays in while its team gains more.

    handfoot experiment go_out_rates [--quick]
"""

from __future__ import annotations

import pandas as pd

from handfoot_sim import plots, stats
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import DRAWN, FIELD, Study, changed, changes, corrected, over_field
from handfoot_sim.experiment.wording import (
    amount,
    counted,
    each_change,
    listed,
    margins_changed,
    points_of_share,
    ranked,
    row_of,
    share,
)

RULES = ("standard", {"partner_permission": False})
CHANGES = ("went out", "turns", "points")


def play(study: Study) -> str:
    """Play with and without permission."""
    part = study.tournament("field", FIELD, matches=study.sized(10_000, 600), rules=RULES)
    field = part.totals()
    rates = stats.go_out_rates(field)
    met = stats.head_to_head(field)
    study.table("go_out_rates", rates)
    study.table("head_to_head", met)
    asked, free = (part.cards(CHANGES, number) for number in range(2))
    margins = corrected(changed(over_field(asked), over_field(free)))
    moved = changes(asked, free, CHANGES)
    study.table("margins_without_permission", margins)
    study.table("changes_without_permission", moved)
    study.plot("go_out_rates", plots.go_out_rates(rates, agents=DRAWN))
    study.plot(
        "permission",
        plots.effects(
            margins, rows="agent", agents=DRAWN, text="What it changes if nobody asks the partner",
            note="margin over the field without permission less that with it, same cards, points a "
            "match, 95 % intervals",
        ),
    )  # fmt: skip
    return answer(rates, met, margins, moved)


def answer(
    rates: pd.DataFrame, met: pd.DataFrame, margins: pd.DataFrame, moved: pd.DataFrame
) -> str:
    """The paragraph."""
    over_all = rates[rates["deal"] == "all"]
    out = ranked(over_all[over_all["figure"] == "went out"])
    often, seldom = out.iloc[0], out.iloc[-1]
    duel = row_of(met, agent="closer", opponent="milker").rename({"margin": "value"})
    verb = "beats" if duel["low"] > 0 else "loses to" if duel["high"] < 0 else "is level with"
    refused = over_all[over_all["figure"] == "refused"].dropna(subset=["value"])
    refusing = [
        f"{row['agent']} in {share(row)} of n = {row['n']:,} cases"
        for _, row in ranked(refused).iterrows()
        if row["value"] > 0
    ]
    worth = over_all[over_all["figure"] == "gained by going out"].dropna(subset=["value"])
    milker = row_of(moved, agent="milker", figure="went out")
    return (
        f"{often['agent']} goes out most, in {share(often)} of its deals, {seldom['agent']} least, "
        f"in {share(seldom)}. closer {verb} milker by {amount(duel)} a match (n = {duel['n']:,} "
        f"pairs). Deals in which a team goes out are better for it than its others by "
        f"{each_change(worth, 'agent', 'points')}, which says what goes together, not what going "
        f"out brings. Requests to go out are refused to {listed(refusing)}. Without permission the "
        f"share of deals in which milker goes out changes by {points_of_share(milker)}, and "
        f"{margins_changed(margins)} (Holm over {len(margins)} strategies; "
        f"{counted(margins)}, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
