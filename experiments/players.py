"""Which strategies lead with two to six players, and how long do deals get?

Every two of the strategies play in every form of rule 2.1, with one pack more than there are
players. Where there are more than two teams, one strategy has one team and the other all the rest,
and each pairing is played both ways round; its margin is that over the others' mean.

    handfoot experiment players [--quick]
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from handfoot_sim import plots
from handfoot_sim.cli.experiment import start
from handfoot_sim.experiment import ALL, DRAWN, FIELD, Study, corrected, lead, means, over_field
from handfoot_sim.experiment.wording import amount, counted, listed, ranked, row_of, sure_of
from handfoot_sim.rules import TEAM_FORMS

PLAYED = ("turns", "someone went out")
LENGTHS = {"turns": "turns", "someone went out": "%", "turns a player": "turns"}
"""Figures of a deal's length, with their units."""


def called(players: int, teams: int) -> str:
    """A form in words: ``4 in 2``, ``3 alone``."""
    return f"{players} alone" if players == teams else f"{players} in {teams}"


FORMS = {called(*form): form for form in TEAM_FORMS}


def play(study: Study) -> str:
    """Play all forms."""
    rules: list[dict[str, Any]] = [
        {"players": players, "teams": teams, "decks": players + 1} for players, teams in TEAM_FORMS
    ]
    matches = study.sized(2400, 180)
    ways = [
        study.tournament(name, agents, matches=matches, rules=rules)
        for name, agents in (("one-way", FIELD), ("other-way", FIELD[::-1]))
    ]
    margins, leads, lengths = [], [], []
    for number, (form, (players, _)) in enumerate(FORMS.items()):
        cards = pd.concat([way.cards(PLAYED, number) for way in ways], ignore_index=True)
        wide = over_field(cards)
        margins.append(means(wide).assign(form=form))
        leads.append({"form": form, **lead(wide)})
        cards["turns a player"] = cards["turns"] / players
        for figure, unit in LENGTHS.items():
            own = means(over_field(cards.assign(agent=ALL), figure)).drop(columns="p")
            lengths.append(own.assign(form=form, figure=figure, unit=unit))
    table = corrected(pd.concat(margins, ignore_index=True))
    lead_table = corrected(pd.DataFrame(leads))
    length = pd.concat(lengths, ignore_index=True)
    study.table("margins", table)
    study.table("leads", lead_table)
    study.table("lengths", length)
    draw(study, table, length)
    return answer(lead_table, length, table)


def draw(study: Study, table: pd.DataFrame, length: pd.DataFrame) -> None:
    """Both plots."""
    study.plot(
        "margins",
        plots.effects(
            table, rows="form", agents=DRAWN, text="Who leads, by the form of the game",
            note="margin over the others' mean against all other strategies, points a match, 95 % "
            "intervals",
        ),
    )  # fmt: skip
    study.plot(
        "lengths",
        plots.effects(
            length, rows="form", panel="figure", text="How long a deal is, by the form of the game",
            note="mean over all strategies, 95 % intervals",
        ),
    )  # fmt: skip


def answer(leads: pd.DataFrame, length: pd.DataFrame, margins: pd.DataFrame) -> str:
    """The paragraph."""
    sure = sure_of(leads)
    said = [f"{row['form']} ({amount(row)} before {row['second']})" for _, row in sure.iterrows()]
    own = pd.Series(said, sure.index).groupby(sure["leader"]).agg(listed)
    who = "; ".join(f"{name} with {forms}" for name, forms in own.items())
    unsure = leads[~leads["form"].isin(sure["form"])]
    doubt = [f"{row['form']} ({row['leader']}, {amount(row)})" for _, row in unsure.iterrows()]
    who = f"in the lead, as far as it is shown: {who or 'no one'}"
    who += f"; not shown is the lead of {listed(doubt)}" if doubt else ""
    turns = ranked(length[length["figure"] == "turns"])
    rounds = ranked(length[length["figure"] == "turns a player"])
    ends = ranked(length[length["figure"] == "someone went out"])
    usual = row_of(length, figure="turns", form="4 in 2")
    return (
        f"Margins over the field put {who}. A deal of 4 in 2 takes "
        f"{amount(usual, 'turns', 1)}; the longest is that of {turns.iloc[0]['form']} with "
        f"{amount(turns.iloc[0], 'turns', 1)}, the shortest that of {turns.iloc[-1]['form']} with "
        f"{amount(turns.iloc[-1], 'turns', 1)}, while a player has most turns in "
        f"{rounds.iloc[0]['form']} ({amount(rounds.iloc[0], '', 1)}) and fewest in "
        f"{rounds.iloc[-1]['form']} ({amount(rounds.iloc[-1], '', 1)}). Somebody goes out in "
        f"{100 * ends.iloc[0]['value']:.0f} % of deals of {ends.iloc[0]['form']}, in "
        f"{100 * ends.iloc[-1]['value']:.0f} % of {ends.iloc[-1]['form']} ({counted(margins)}; "
        f"Holm over {len(leads)} leads; 95 % intervals; who leads is read from the same figures, "
        "so a small lead is overstated)."
    )


if __name__ == "__main__":
    start(__file__)
