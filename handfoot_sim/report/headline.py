"""What came out, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import pandas as pd

from handfoot_sim.report.figures import NONE, estimate, number
from handfoot_sim.report.manifest import sequence_text

SHOWN: Final = 0.05
"""Corrected p-values below this count as a difference that is shown."""

Frames = Mapping[str, pd.DataFrame]


def sets_called(mirrors: int) -> str:
    """What matches with the same cards are called together."""
    if mirrors == 1:
        return "matches"
    return "pairs" if mirrors == 2 else f"sets of {mirrors} mirrors"


def headline(frames: Frames, teams: int) -> list[str]:
    """The result in a sentence or a few: who beats whom, and over whom it is not shown.

    ``frames`` need ``standings`` and ``head_to_head``.
    """
    standings, meetings = frames["standings"], frames["head_to_head"]
    apart = meetings[meetings["agent"] != meetings["opponent"]]
    if standings.empty:
        return ["No match was played to its end."]
    if apart.empty:
        agent = str(standings["agent"].iloc[0])
        return [f"{agent} plays against itself: there is no margin, only how it plays."]
    leader = str(standings["agent"].iloc[0])
    own = apart[apart["agent"] == leader]
    if len(own) == 1 and len(standings) == 2:
        return [_duel(own.iloc[0], teams)]
    return _field(leader, standings, own)


def _duel(row: pd.Series, teams: int) -> str:
    """The sentence for two line-ups."""
    a, b = str(row["agent"]), str(row["opponent"])
    margin, low, high = (float(row[name]) for name in ("margin", "low", "high"))
    others = "" if teams == 2 else ", taking means where a line-up has several teams,"
    sets = sets_called(int(row["mirrors"]))
    if int(row["pairs"]) == 1:
        return f"One of the {sets} was played, which is too few to say who is better."
    played = f"over {int(row['pairs']):,} {sets}"
    if margin == 0:
        return f"{a} and {b} are level{others} {played}."
    size = number(margin)
    if math.isnan(low):
        return (
            f"{a} is ahead of {b} by {size} points a match{others} {played}, too few to say more."
        )
    size = estimate(margin, low, high, "points")
    if low > 0:
        return f"{a} beats {b} by {size} points a match{others} {played}."
    return (
        f"No difference is shown between {a} and {b}: {a} is ahead by {size} points a "
        f"match{others} {played}."
    )


def _field(leader: str, standings: pd.DataFrame, own: pd.DataFrame) -> list[str]:
    """The sentences for a field of line-ups; ``own`` are the leader's meetings."""
    row = standings.iloc[0]
    size = estimate(float(row["margin"]), float(row["low"]), float(row["high"]), "points")
    met = int(row["opponents"])
    said = [
        f"{leader} leads: {size} points a match over the mean of the {met} line-ups it met, in "
        f"{int(row['pairs']):,} {sets_called(int(own['mirrors'].iloc[0]))}."
    ]
    sure = own[own["holm"] < SHOWN]
    beaten = [str(name) for name in sure.loc[sure["margin"] > 0, "opponent"]]
    lost = [str(name) for name in sure.loc[sure["margin"] < 0, "opponent"]]
    unsure = [str(n) for n in own.loc[~(own["holm"] < SHOWN), "opponent"]]
    if len(beaten) == len(own):
        said.append("It is shown to beat every one of them (Holm over all pairings, 5 %).")
    else:
        said.append(
            f"It is shown to beat {len(beaten)} of {len(own)} (Holm over all pairings, 5 %)."
        )
    if unsure:
        said.append(f"No difference is shown to {sequence_text(unsure)}.")
    if lost:
        said.append(f"It loses to {sequence_text(lost)}: there is no one best.")
    return said


def key_facts(frames: Frames, most: int = 3) -> list[tuple[str, list[tuple[str, str]]]]:
    """How line-ups play in a few figures: each with (agent, figure) for ``most`` agents.

    Agents in the order of the standings.
    """
    agents = [str(agent) for agent in frames["standings"]["agent"][:most]]
    wanted = (
        ("scores", "score", "points a deal"),
        ("go_out_rates", "went out", "went out"),
        ("meld_minimums", "turn of opening, median", "opened in turn (median)"),
    )
    facts = [
        (called, [(agent, _long(frames[name], agent, figure)) for agent in agents])
        for name, figure, called in wanted
    ]
    facts.append(("first clean book closed", [(agent, _closed(frames, agent)) for agent in agents]))
    return facts


def _long(frame: pd.DataFrame, agent: str, figure: str) -> str:
    rows = frame[(frame["agent"] == agent) & (frame["figure"] == figure) & (frame["deal"] == "all")]
    if rows.empty:
        return NONE
    row = rows.iloc[0]
    return estimate(float(row["value"]), float(row["low"]), float(row["high"]), str(row["unit"]))


def _closed(frames: Frames, agent: str) -> str:
    frame = frames["book_timing"]
    rows = frame[
        (frame["agent"] == agent) & (frame["book"] == "first clean") & (frame["deal"] == "all")
    ]
    if rows.empty:
        return NONE
    row = rows.iloc[0]
    return estimate(float(row["share"]), float(row["share_low"]), float(row["share_high"]), "%")
