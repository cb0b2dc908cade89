"""The tables of a tournament as CSV files in its run folder: one row a thing, for further use."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.stopping import HalfWidth
from handfoot_sim.tally import Estimate, match_share
from handfoot_sim.tournament.entrants import Variant, rules_text
from handfoot_sim.tournament.partners import Partnership
from handfoot_sim.tournament.standings import Field


def csv_bytes(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A CSV file of rows with the same keys; empty without rows."""
    listed = list(rows)
    if not listed:
        return b""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return buffer.getvalue().encode()


def estimate_columns(name: str, estimate: Estimate) -> dict[str, float]:
    """A figure and the ends of its interval."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def standings_rows(variant: Variant, field: Field) -> list[dict[str, Any]]:
    """One row an entrant."""
    return [
        {
            "rules": rules_text(variant.rules),
            "place": place,
            "lineup": each.label,
            "elo": each.elo,
            "elo_low": "" if each.bounded else each.low,
            "elo_high": "" if each.bounded else each.high,
            "elo_is_bound": each.bounded,
            **estimate_columns("margin", each.margin),
            **estimate_columns("pairs_won", each.share),
            "nash": "" if field.nash is None else float(field.nash[each.entrant]),
            "pairs": each.sets,
            "matches": each.matches,
        }
        for place, each in enumerate(field.standings, 1)
    ]


def pairings_rows(variant: Variant, field: Field) -> list[dict[str, Any]]:
    """One row a pairing, from the side of its first line-up."""
    rows = []
    for each in field.comparisons:
        tally = each.encounter.tally
        won, tied, lost = (int(n) for n in tally.sets_won)
        outcomes = {f"outcome_{n}": int(count) for n, count in enumerate(tally.outcomes)}
        rows.append(
            {
                "rules": rules_text(variant.rules),
                "pairing": each.encounter.number,
                "a": variant.labels[each.encounter.a],
                "b": variant.labels[each.encounter.b],
                "matches": tally.matches,
                "pairs": tally.sets,
                **estimate_columns("margin", each.encounter.margin),
                "pairs_won": won,
                "pairs_tied": tied,
                "pairs_lost": lost,
                **estimate_columns("matches_won", match_share(tally)),
                **outcomes,
                "p": each.p,
                "p_holm": each.holm,
                "p_fdr": each.fdr,
                "forfeits_a": int(tally.forfeits[0].sum()),
                "forfeits_b": int(tally.forfeits[1].sum()),
                "stopped_by_rule": each.encounter.ledger.decided,
                **test_columns(each.encounter.ledger),
            }
        )
    return rows


def test_columns(ledger: Ledger) -> dict[str, Any]:
    """What a sequential test says of a pairing; empty without one."""
    if ledger.rule is None or isinstance(ledger.rule, HalfWidth):
        return {"llr": "", "accepted": ""}
    verdict = ledger.rule.verdict(ledger.tally)
    return {"llr": verdict.llr, "accepted": verdict.accepted}


def partnership_rows(variant: Variant, found: Sequence[Partnership]) -> list[dict[str, Any]]:
    """One row a partnership of a cross-play."""
    nothing = Estimate(float("nan"), float("nan"), float("nan"), 0)
    return [
        {
            "rules": rules_text(variant.rules),
            "agent": each.agents[0],
            "partner": each.agents[1],
            "opponent": opponent_of(variant),
            **estimate_columns("margin", each.margin),
            **estimate_columns("pairs_won", each.share),
            **estimate_columns("together", each.together or nothing),
            "p_holm": each.holm,
            "pairs": each.sets,
        }
        for each in found
    ]


def opponent_of(variant: Variant) -> str:
    """The opponent of a cross-play."""
    return variant.labels[variant.encounters[0].b]
