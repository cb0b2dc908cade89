"""What are the first turn and the dealer's seat worth?

Strategies play themselves, every match on cards of its own, as mirrors of the same strategy are the
same match. By the standard rules the player to the dealer's left begins, so that the dealer's team
never has the first turn; played again with the same seed where the dealer begins, the two effects
come apart: half of the sum of the first team's margins is the first turn's, half of their
difference the dealer's. With four players alone each place round the table has its own worth.

    handfoot experiment seat_effects [--quick]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from handfoot_sim import plots, read_results
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import DRAWN, FIELD, Part, Study, corrected, means
from handfoot_sim.experiment.wording import change, counted, each_change, ranked, row_of, sure_of

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


def by_deals(deals: pd.DataFrame) -> pd.DataFrame:
    """The same by deal: a row a match number, a column a deal."""
    first = deals[deals["first"] == 1]
    return first.pivot_table(index="match", columns="deal", values="margin")


def runs_of(study: Study, agent: str) -> dict[str, pd.DataFrame]:
    """Deals of a strategy against itself: left of the dealer begins, the dealer, four alone."""
    matches = study.sized(24_000, 1600)
    forms: dict[str, tuple[dict[str, Any], int]] = {
        "left": ({}, matches),
        "dealer": ({"first_player": "dealer"}, matches),
        "alone": ({"teams": 4}, matches // 2),
    }
    found = {}
    for name, (rules, count) in forms.items():
        part = study.single(
            f"{name}-{agent}", [agent, agent], matches=count, rules=rules, duplicate=False
        )
        found[name] = deals_of(part)
    return found


def play(study: Study) -> str:
    """Play every strategy against itself, in three forms."""
    effects, by_deal, places = [], [], []
    for agent in FIELD:
        runs = runs_of(study, agent)
        left, dealer = of_first(runs["left"]), of_first(runs["dealer"])
        both = {"first turn": (left + dealer) / 2, "dealer's team": (dealer - left) / 2}
        effects.append(means(pd.DataFrame(both), "factor").assign(agent=agent))
        wide = sum(by_deals(runs[name]) for name in ("left", "dealer")) / 2
        by_deal.append(means(wide, "deal").assign(agent=agent))
        alone = runs["alone"]
        alone["place"] = (alone["team"] - alone["dealer"] - 1) % 4 + 1
        wide = alone.pivot_table(index="match", columns="place", values="margin")
        places.append(means(wide, "place").assign(agent=agent))
    tables = [corrected(pd.concat(each, ignore_index=True)) for each in (effects, by_deal, places)]
    for name, table in zip(("effects", "first_turn_by_deal", "places_alone"), tables, strict=True):
        study.table(name, table)
    draw(study, tables[0], tables[2])
    return answer(*tables)


def draw(study: Study, effects: pd.DataFrame, places: pd.DataFrame) -> None:
    """Both plots."""
    study.plot(
        "effects",
        plots.effects(
            effects, rows="agent", panel="factor", agents=DRAWN, columns=2,
            unit="points a deal", what="matches",
            text="What the first turn and the dealer's seat are worth to a team",
            note="margin of the deal, each strategy against itself, points, 95 % intervals",
        ),
    )  # fmt: skip
    study.plot(
        "places_alone",
        plots.effects(
            places.assign(seat=places["place"].map(PLACES)), rows="seat", agents=DRAWN,
            unit="points a deal", what="matches", text="Four players alone: what a place is worth",
            note="margin of the deal over the others' mean, points, 95 % intervals",
        ),
    )  # fmt: skip


def answer(effects: pd.DataFrame, by_deal: pd.DataFrame, places: pd.DataFrame) -> str:
    """The paragraph."""
    first = ranked(effects[effects["factor"] == "first turn"])
    dealer = ranked(effects[effects["factor"] == "dealer's team"])
    sure, unit = sure_of(dealer), "points a deal"
    seat = (
        f"the dealer's seat, turns apart, counts for {each_change(sure, 'agent', unit)}"
        if len(sure)
        else "the dealer's seat, turns apart, is not shown to count (the most has "
        f"{dealer.iloc[0]['agent']}, {change(dealer.iloc[0], unit)})"
    )
    most = first.iloc[0]["agent"]
    deals = [change(row_of(by_deal, agent=most, deal=deal)) for deal in range(4)]
    alone = ranked(places[places["place"] == 1])
    return (
        f"The first turn is worth to a team {each_change(first, 'agent', unit)}; {seat}. By deal, "
        f"and so by opening minimum, the first turn is worth to {most} {', '.join(deals)} points. "
        f"With four players alone who begins is ahead of the others by "
        f"{each_change(alone, 'agent', unit)} ({counted(effects, 'matches')}, alone "
        f"{counted(places, 'matches')}; Holm within each table, 95 % intervals)."
    )


if __name__ == "__main__":
    start(__file__)
