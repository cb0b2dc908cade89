"""What are the first turn and the dealer's seat worth?

Strategies play themselves, every match on cards of its own, as mirrors of the same strategy are the
same match. By the standard rules the player to the dealer's left begins, so that the dealer's team
never has the first turn; played again with the same seed where the dealer begins, the two effects
come apart: half of the sum of the first team's margins is the first turn's, half of their
difference the dealer's. With four players alone each place round the table has its own worth.

    handfoot experiment seat_effects [--quick]
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from handfoot_sim import plots, read_results
from handfoot_sim.experiment import DRAWN, FIELD, Part, Study, corrected, means, start
from handfoot_sim.experiment.wording import amount, counted, each_of, ranked, row_of, shown

COLUMNS = ["match", "deal", "team", "dealer", "first", "score"]
PLACES = {1: "first, left of the dealer", 2: "second", 3: "third", 4: "fourth, the dealer"}


def deals_of(part: Part) -> pd.DataFrame:
    """Deals of a run, with each team's margin over the others' mean."""
    deals = read_results(part.folder).deals[COLUMNS].astype(np.int64)
    table = deals.groupby(["match", "deal"])["score"]
    others = (table.transform("sum") - deals["score"]) / (table.transform("size") - 1)
    return deals.assign(margin=deals["score"] - others)


def of_first(deals: pd.DataFrame) -> pd.Series:
    """The margin of the team with the first turn, mean over the deals of a match number."""
    return deals[deals["first"] == 1].groupby("match")["margin"].mean()


def play(study: Study) -> str:
    """Play every strategy against itself, in three forms."""
    matches = study.sized(16_000, 400)
    effects, by_deal, places = [], [], []
    for agent in FIELD:
        runs = {
            name: deals_of(
                study.single(
                    f"{name}-{agent}", [agent, agent], matches=count, rules=rules, duplicate=False
                )
            )
            for name, rules, count in (
                ("left", {}, matches),
                ("dealer", {"first_player": "dealer"}, matches),
                ("alone", {"teams": 4}, matches // 2),
            )
        }
        left, dealer = of_first(runs["left"]), of_first(runs["dealer"])
        both = {"first turn": (left + dealer) / 2, "dealer's team": (dealer - left) / 2}
        effects.append(means(pd.DataFrame(both), "factor").assign(agent=agent))
        first = runs["left"][runs["left"]["first"] == 1]
        wide = first.pivot_table(index="match", columns="deal", values="margin")
        by_deal.append(means(wide, "deal").assign(agent=agent))
        alone = runs["alone"]
        alone["place"] = (alone["team"] - alone["dealer"] - 1) % 4 + 1
        wide = alone.pivot_table(index="match", columns="place", values="margin")
        places.append(means(wide, "place").assign(agent=agent))
    tables = [corrected(pd.concat(each, ignore_index=True)) for each in (effects, by_deal, places)]
    for name, table in zip(("effects", "first_turn_by_deal", "places_alone"), tables, strict=True):
        study.table(name, table)
    study.plot(
        "effects",
        plots.effects(
            tables[0], rows="agent", panel="factor", agents=DRAWN, columns=2,
            unit="points a deal", what="matches",
            text="What the first turn and the dealer's seat are worth to a team",
            note="margin of the deal, each strategy against itself, points, 95 % intervals",
        ),
    )  # fmt: skip
    study.plot(
        "places_alone",
        plots.effects(
            tables[2].assign(seat=tables[2]["place"].map(PLACES)), rows="seat", agents=DRAWN,
            unit="points a deal", what="matches", text="Four players alone: what the place is worth",
            note="margin of the deal over the others' mean, points, 95 % intervals",
        ),
    )  # fmt: skip
    return answer(*tables)


def answer(effects: pd.DataFrame, by_deal: pd.DataFrame, places: pd.DataFrame) -> str:
    """The paragraph."""
    first = ranked(effects[effects["factor"] == "first turn"])
    dealer = ranked(effects[effects["factor"] == "dealer's team"])
    sure = dealer[[shown(row) for _, row in dealer.iterrows()]]
    seat = (
        f"to deal is worth {each_of(sure, ['agent'], 'points a deal', signed=True)}"
        if len(sure)
        else "to deal, the order of turns apart, is not shown to be worth anything (the largest "
        f"effect is {dealer.iloc[0]['agent']}'s, {amount(dealer.iloc[0], signed=True)})"
    )
    largest = first.iloc[0]["agent"]
    deals = [amount(row_of(by_deal, agent=largest, deal=deal), "") for deal in range(4)]
    alone = ranked(places[places["place"] == 1])
    return (
        f"The first turn is worth to a team {each_of(first, ['agent'], 'points a deal', signed=True)}"
        f"; {seat}. For {largest} it is, by deal and so by opening minimum, {', '.join(deals)} points. "
        f"With four players alone who begins is ahead of the others by "
        f"{each_of(alone, ['agent'], 'points a deal', signed=True)} ({counted(effects, 'matches')}, "
        f"alone {counted(places, 'matches')}; Holm within each table, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
