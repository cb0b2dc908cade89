"""The tables of a league: one row a thing, for CSV files and for plots."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from handfoot_sim.ratings.payoff import holm, mean_p_value
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.tally import share_estimate
from handfoot_sim.tournament.tables import csv_bytes, estimate_columns
from handfoot_sim.tuning.leagues.outcome import League, LeagueGeneration, Standing

Row = dict[str, Any]


def payoff_rows(league: League) -> list[Row]:
    """One row a meeting, from the side of its first member; p-values are corrected over all."""
    meetings = league.payoffs.meetings
    p_values = [
        mean_p_value(len(m.margins), float(m.margins.sum()), float(m.margins @ m.margins))
        for m in meetings
    ]
    rows = []
    for each, p, corrected in zip(meetings, p_values, holm(p_values), strict=True):
        won, tied, lost = (int(count) for count in each.results.sum(0))
        rows.append(
            {
                "a": league.payoffs.labels[each.a],
                "b": league.payoffs.labels[each.b],
                "pairs": len(each.margins),
                **estimate_columns("margin", each.margin),
                "pairs_won": won,
                "pairs_tied": tied,
                "pairs_lost": lost,
                **estimate_columns("share", share_estimate(won + tied / 2, len(each.margins))),
                "p": p,
                "p_holm": float(corrected),
            }
        )
    return rows


def history_rows(league: League) -> list[Row]:
    """One row a generation and member: mix before and after, and rating after it.

    Generation 0 is the beginning. A member that joined has no share of the mix before.
    """
    rows = _standing_rows(0, None, league.beginning)
    for each in league.generations:
        rows += _standing_rows(each.number, each, each.after)
    return rows


def _standing_rows(number: int, generation: LeagueGeneration | None, after: Standing) -> list[Row]:
    before: dict[str, float] = {}
    if generation is not None:
        shares = zip(generation.before.labels, generation.before.mix, strict=True)
        before = {label: float(share) for label, share in shares}
    ratings = after.ratings
    return [
        {
            "generation": number,
            **_gain_columns(generation),
            "member": label,
            "mix_before": before.get(label, ""),
            "mix_after": float(after.mix[place]),
            "rating": float(ratings.elo[place]),
            "rating_low": "" if ratings.bounded[place] else float(ratings.low[place]),
            "rating_high": "" if ratings.bounded[place] else float(ratings.high[place]),
            "rating_is_bound": bool(ratings.bounded[place]),
        }
        for place, label in enumerate(after.labels)
    ]


def _gain_columns(generation: LeagueGeneration | None) -> Row:
    if generation is None:
        return {"accepted": "", "gain": "", "gain_low": "", "gain_high": ""}
    return {"accepted": generation.accepted, **estimate_columns("gain", generation.gain)}


def generation_rows(league: League) -> list[Row]:
    """One row a generation, accepted or not."""
    return [
        {
            "generation": each.number,
            "start": each.start,
            "decision": each.decision,
            "member": each.member,
            **estimate_columns("gain", each.gain),
            "gain_pairs": each.gain_pairs,
            **estimate_columns("claimed", each.claimed),
            "budget": each.budget,
            "matches": each.matches,
            "reason": each.reason,
        }
        for each in league.generations
    ]


def forgetting_rows(league: League) -> list[Row]:
    """One row an older generation and opponent, compared with the newest generation."""
    return [
        {
            "opponent": each.opponent,
            "older": each.older,
            "newest": each.newest,
            "pairs": each.loss.n,
            **estimate_columns("margin_older", each.margin_older),
            **estimate_columns("margin_newest", each.margin_newest),
            **estimate_columns("loss", each.loss),
            "p": each.p,
            "p_holm": each.holm,
            "forgotten": each.forgotten,
        }
        for each in league.forgetting
    ]


def head_to_head_rows(league: League) -> list[Row]:
    """One row a member and opponent, as ``plots.head_to_head`` takes them."""
    rows = []
    for row in payoff_rows(league):
        about = {"n": row["pairs"], "holm": row["p_holm"]}
        rows.append(
            {"agent": row["a"], "opponent": row["b"], "margin": row["margin"],
             "share": row["share"], **about}
        )  # fmt: skip
        rows.append(
            {"agent": row["b"], "opponent": row["a"], "margin": -row["margin"],
             "share": 1.0 - row["share"], **about}
        )  # fmt: skip
    return rows


def rating_rows(league: League) -> list[Row]:
    """One row a generation and member with numbers only, as ``plots.league_history`` takes them."""
    rows = history_rows(league)
    members = collections.Counter(row["generation"] for row in rows)
    return [
        {
            "generation": row["generation"],
            "agent": row["member"],
            "rating": row["rating"],
            "low": np.nan if row["rating_is_bound"] else row["rating_low"],
            "high": np.nan if row["rating_is_bound"] else row["rating_high"],
            "share": row["mix_after"],
            "n": league.payoffs.pairs * (members[row["generation"]] - 1),
        }
        for row in rows
    ]


def write_tables(folder: RunFolder, league: League) -> None:
    """Write all tables into the folder ``tables`` of a league; ``RunError`` if that fails."""
    tables = {
        "payoffs": payoff_rows(league),
        "history": history_rows(league),
        "generations": generation_rows(league),
        "forgetting": forgetting_rows(league),
    }
    for name, rows in tables.items():
        folder.write(f"tables/{name}.csv", csv_bytes(rows))
