"""A league in words and tables, for a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tabulate import tabulate

from handfoot_sim.tally import Estimate
from handfoot_sim.tournament.report import letter, rating_text, short, table
from handfoot_sim.tuning.leagues.forgetting import SURE
from handfoot_sim.tuning.leagues.outcome import League, LeagueGeneration
from handfoot_sim.tuning.leagues.tables import payoff_rows
from handfoot_sim.tuning.text import interval, points

MOST_COLUMNS: Final = 8
"""Members whose margins fit side by side; further ones come below."""


def league_text(league: League) -> str:
    """The whole result: how it ended, generations, members, payoffs, what was forgotten."""
    parts = [head_text(league)]
    if league.generations:
        parts.append(generations_table(league.generations))
    parts += [members_table(league), payoffs_text(league), forgetting_text(league)]
    return "\n\n".join(parts)


def head_text(league: League) -> str:
    """What was played, and why it ended."""
    joined = sum(each.accepted for each in league.generations)
    count = len(league.generations)
    return (
        f"league of {league.payoffs.labels[0]}: {count} generation{'s' * (count != 1)}, {joined} "
        f"accepted; {league.matches:,} matches; {league.ended}"
    )


def generation_text(generation: LeagueGeneration) -> str:
    """A generation in one line."""
    joins = f", joins as {generation.member}" if generation.accepted else ""
    return (
        f"generation {generation.number}, from {generation.start}: {generation.decision}{joins}; "
        f"gain {margin_text(generation.gain)} points a match re-evaluated over "
        f"{generation.gain_pairs:,} pairs ({generation.reason})"
    )


def margin_text(estimate: Estimate) -> str:
    """A figure with its sign and its interval."""
    ends = "" if math.isnan(estimate.low) else f" {interval(estimate)}"
    return points(estimate.value) + ends


def mix_text(labels: Sequence[str], mix: Sequence[float]) -> str:
    """The members that a Nash mix plays, the largest share first."""
    shares = sorted(zip(mix, labels, strict=True), key=lambda each: -each[0])
    return ", ".join(f"{label} ({share:.0%})" for share, label in shares if share >= 0.005)


def generations_table(generations: Sequence[LeagueGeneration]) -> str:
    """One row a generation: from whom, against what mix, and what came of it."""
    rows = [
        (
            str(each.number),
            short(each.start),
            mix_text(each.before.labels, each.before.mix.tolist())[:40],
            each.decision,
            points(each.gain.value),
            interval(each.gain),
            f"{each.gain_pairs:,}",
        )
        for each in generations
    ]
    headers = ("", "from", "against the mix", "result", "gain", "95 % interval", "pairs")
    align = ("right", "left", "left", "left", "right", "right", "right")
    text = str(tabulate(rows, headers, disable_numparse=True, colalign=align))
    failed = [f"generation {g.number}: {g.reason}" for g in generations if g.decision == "failed"]
    return "\n".join([text, *failed])


def members_table(league: League) -> str:
    """The members by rating, with their shares of the Nash mix."""
    standing = league.standing
    ratings = standing.ratings
    order = sorted(range(len(standing.labels)), key=lambda n: -ratings.elo[n])
    pairs = league.payoffs.pairs * (len(order) - 1)
    rows = [
        (
            letter(n),
            short(standing.labels[n]),
            rating_text(ratings.elo[n], ratings.low[n], ratings.high[n], bool(ratings.bounded[n])),
            f"{standing.mix[n]:.1%}",
            f"{pairs:,}",
        )
        for n in order
    ]
    return table(rows, ("", "member", "Elo [95 %]", "Nash mix", "pairs"), left=2)


def payoffs_text(league: League) -> str:
    """Mean margin of the row over the column with its half-width; in brackets if not shown."""
    count = len(league.payoffs.labels)
    if count == 1:
        return "there is one member, which has met nobody"
    shown = {(row["a"], row["b"]): row["p_holm"] < SURE for row in payoff_rows(league)}
    cells = {}
    for each in league.payoffs.meetings:
        sure = shown[league.payoffs.labels[each.a], league.payoffs.labels[each.b]]
        value, half = each.margin.value, f" ± {each.margin.half_width:,.0f}"
        for key, sign in (((each.a, each.b), 1), ((each.b, each.a), -1)):
            text = points(sign * value) + half
            cells[key] = text if sure else f"({text})"
    parts = []
    for begin in range(0, count, MOST_COLUMNS):
        columns = range(begin, min(begin + MOST_COLUMNS, count))
        rows = [(letter(r), *(cells.get((r, c), "") for c in columns)) for r in range(count)]
        parts.append(table(rows, ("", *(letter(c) for c in columns))))
    note = (
        f"margin of the row over the column, points a match, {league.payoffs.pairs:,} pairs of the "
        "same cards each;\nin brackets: no difference is shown (Holm over all, 5 %)"
    )
    return "\n\n".join(parts) + f"\n{note}"


def forgetting_text(league: League) -> str:
    """Members that an older generation beat more clearly than the newest does."""
    compared = league.forgetting
    if not compared:
        return "forgetting: nothing to compare, as no generation was accepted"
    pairs = f"{compared[0].loss.n:,} pairs of the same cards"
    lost = [each for each in compared if each.forgotten]
    count = f"{len(compared)} comparison{'s' * (len(compared) > 1)}"
    if not lost:
        return (
            f"forgetting: none shown in {count} of older generations with {compared[0].newest}\n"
            f"({pairs} each, Holm, 5 %)"
        )
    rows = [
        (
            short(each.opponent), short(each.older), margin_text(each.margin_older),
            margin_text(each.margin_newest), margin_text(each.loss),
        )
        for each in lost
    ]  # fmt: skip
    headers = ("forgotten", "beaten more by", "its margin", f"of {lost[0].newest}", "loss")
    return (
        table(rows, headers, left=2)
        + f"\nshown in {len(lost)} of {count} ({pairs} each, Holm, 5 %)"
    )
