"""Which house rules change who wins, and which shorten the deal?

Every two of the strategies play by the standard rules and by each of a number of house rules, with
the same seed. Where a rule leaves the packs and the dealt cards alone, the cards are the same too.

    handfoot experiment rule_changes [--quick]
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy import stats as tests

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import (
    DRAWN,
    FIELD,
    Study,
    changed,
    changes,
    corrected,
    lead,
    means,
    over_field,
)
from handfoot_sim.experiment.wording import (
    amount,
    change,
    counted,
    each_change,
    listed,
    ranked,
    row_of,
    sure_of,
)


def books(clean: int, dirty: int, wild: int) -> dict[str, Any]:
    """Books needed to go out."""
    return {"clean_to_go_out": clean, "dirty_to_go_out": dirty, "wild_to_go_out": wild}


VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "books 1+1+0": books(1, 1, 0),
    "books 2+2+0": books(2, 2, 0),
    "books 3+3+1": books(3, 3, 1),
    "pile take 4": {"pile_take": 4},
    "whole pile": {"pile_take": 0},
    "packs 4": {"decks": 4},
    "packs 6": {"decks": 6},
    "hands 11+11": {"hand_size": 11, "foot_size": 11},
    "hands 15+15": {"hand_size": 15, "foot_size": 15},
    "draw 1": {"draw_count": 1},
    "draw 3": {"draw_count": 3},
}
"""House rules; books are clean + dirty + wild needed to go out."""
CHANGES = ("turns", "someone went out", "points")


def likeness(margins: pd.DataFrame, others: pd.DataFrame) -> float:
    """Kendall's tau of two orders of the strategies by mean margin."""
    return float(tests.kendalltau(margins.mean(), others.mean()).statistic)


def play(study: Study) -> str:
    """Play by all rules."""
    part = study.tournament(
        "variants", FIELD, matches=study.sized(3000, 200), rules=list(VARIANTS.values())
    )
    cards = {rule: part.cards(CHANGES, number) for number, rule in enumerate(VARIANTS)}
    margins = {rule: over_field(each) for rule, each in cards.items()}
    usual, standard = cards.pop("standard"), margins["standard"]
    levels = pd.concat([means(each).assign(rule=rule) for rule, each in margins.items()])
    moved = corrected(pd.concat([
        changed(standard, margins[rule]).assign(rule=rule) for rule in cards
    ]))  # fmt: skip
    length = corrected(pd.concat([
        changes(usual, each, CHANGES, pooled=True).assign(rule=rule) for rule, each in cards.items()
    ]))  # fmt: skip
    leads = pd.DataFrame([{"rule": rule, **lead(each), "kendall_tau": likeness(standard, each)}
                          for rule, each in margins.items()])  # fmt: skip
    for name, table in (
        ("margins", levels), ("margin_changes", moved), ("deal_changes", length),
        ("leaders", leads),
    ):  # fmt: skip
        study.table(name, table)
    study.plot("length", length_plot(length))
    study.plot(
        "margins",
        plots.effects(
            moved, rows="rule", agents=DRAWN, text="Who gains by a house rule",
            note="margin over the field by the house rule less that by the standard rules, points "
            "a match, 95 % intervals",
        ),
    )  # fmt: skip
    return answer(moved, length, leads)


def length_plot(length: pd.DataFrame) -> Any:
    """Changes of the length of a deal and of how it ends."""
    titles = {"turns": "turns a deal", "someone went out": "deals that end by going out"}
    rows = length[length["figure"].isin(list(titles))]
    return plots.effects(
        rows.assign(
            panel=rows["figure"].map(titles)
        ),
        rows="rule", panel="panel", columns=2, text="Which house rules shorten the deal",
        note="change from the standard rules, mean over all strategies, 95 % intervals",
    )  # fmt: skip


def answer(moved: pd.DataFrame, length: pd.DataFrame, leads: pd.DataFrame) -> str:
    """The paragraph."""
    turns = ranked(length[length["figure"] == "turns"], ascending=True)
    sure = sure_of(turns)
    shorter, longer = sure[sure["value"] < 0], sure[sure["value"] > 0].iloc[::-1]
    first = row_of(leads, rule="standard")
    others = leads[leads["leader"] != first["leader"]]
    named = [f"{row['rule']} ({row['leader']})" for _, row in others.iterrows()]
    who = f"{first['leader']} leads by all of them"
    if named:
        who = f"{first['leader']} leads by the standard rules, another with {listed(named)}"
    close = leads.sort_values("value").iloc[0]
    least = leads[leads["rule"] != "standard"].sort_values("kendall_tau", kind="stable").iloc[0]
    strongest = moved.assign(size=moved["value"].abs()).sort_values("size").iloc[-1]
    return (
        f"Deals get shorter by {said(shorter)}, and longer by {said(longer)}. {who}; the lead, "
        f"read from the same figures as who has it, is smallest with {close['rule']} "
        f"({close['leader']}, {amount(close)} ahead of the next), and the order of the strategies "
        f"is least like the standard's with {least['rule']} (Kendall's tau "
        f"{least['kendall_tau']:.2f}). The largest change is that of {strongest['agent']} with "
        f"{strongest['rule']}, {change(strongest, 'points a match over the field')} "
        f"(Holm over {len(length)} changes of deals and {len(moved)} of margins; "
        f"{counted(moved)}, 95 % intervals)."
    )


def said(rows: pd.DataFrame) -> str:
    """Changes of length by rule."""
    return each_change(rows, "rule", "turns", 1) if len(rows) else "no rule"


if __name__ == "__main__":
    start(__file__)
