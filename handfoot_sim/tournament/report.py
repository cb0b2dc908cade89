"""The report of a tournament on the terminal, in tables that fit 100 columns for ten agents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from tabulate import tabulate

from handfoot_sim.comparison import percent, points
from handfoot_sim.stopping import HalfWidth
from handfoot_sim.tally import Estimate
from handfoot_sim.tournament.entrants import Variant, rules_text
from handfoot_sim.tournament.partners import Partnership
from handfoot_sim.tournament.standings import SURE, Comparison, Field

LONGEST_LABEL: Final = 30
MOST_COMPARISONS: Final = 15
"""Comparisons that are all shown; of more only the closest ones."""

MOST_COLUMNS: Final = 10
"""Columns of the matrix of margins that fit side by side; further ones come below."""

LARGEST_MATRIX: Final = 20
"""Entrants whose matrix of margins is shown."""


def letter(number: int) -> str:
    """A to Z, then AA, AB, ...: a short name for an entrant."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def short(label: str) -> str:
    """A label cut so that it fits in a column."""
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 3] + "..."


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], left: int = 1) -> str:
    """Rows with the first ``left`` columns to the left, the others to the right."""
    if not rows:
        return ""
    align = ["left"] * left + ["right"] * (len(headers) - left)
    return str(tabulate(rows, headers, disable_numparse=True, colalign=align))


def signed(estimate: Estimate) -> str:
    """A margin with its sign and half-width: ``+1,234 ± 56``."""
    if math.isnan(estimate.value):
        return "-"
    text = points(estimate)
    return f"+{text}" if estimate.value > 0 else text


def rating_text(elo: float, low: float, high: float, bounded: bool) -> str:
    """A rating with its interval; one that is a bound says so."""
    if math.isnan(elo):
        return "not tied"
    if bounded:
        return f"{elo:+,.0f} bound"
    if math.isnan(low) or low == high:
        return f"{elo:+,.0f}"
    return f"{elo:+,.0f} [{low:+,.0f}, {high:+,.0f}]"


def chance(p: float) -> str:
    """A p-value in short."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def names_in_order(field: Field) -> dict[int, str]:
    """A letter for each entrant, by place."""
    return {each.entrant: letter(place) for place, each in enumerate(field.standings)}


def standings_table(field: Field) -> str:
    """Places with rating, margin against the field, share of pairs won, and what they rest on."""
    names = names_in_order(field)
    rows = [
        (
            names[each.entrant],
            short(each.label),
            rating_text(each.elo, each.low, each.high, each.bounded),
            signed(each.margin),
            percent(each.share),
            f"{each.sets:,}",
        )
        for each in field.standings
    ]
    headers = ("", "line-up", "Elo [95 %]", "margin", "pairs won [95 %]", "pairs")
    return table(rows, headers, left=2)


def matrix_table(field: Field) -> str:
    """Mean margin of the row over the column, in brackets where no difference is shown."""
    order = [each.entrant for each in field.standings]
    if len(order) > LARGEST_MATRIX:
        return f"(the matrix of {len(order)} line-ups is in tables/pairings.csv)"
    parts = (order[n : n + MOST_COLUMNS] for n in range(0, len(order), MOST_COLUMNS))
    return "\n\n".join(matrix_part(field, order, columns) for columns in parts)


def matrix_part(field: Field, order: Sequence[int], columns: Sequence[int]) -> str:
    """Some columns of the matrix of margins."""
    names = names_in_order(field)
    shown = {frozenset((c.encounter.a, c.encounter.b)): c.holm < SURE for c in field.comparisons}
    rows = []
    for row in order:
        cells = [names[row]]
        for column in columns:
            value = field.payoffs[row, column]
            text = "" if row == column or np.isnan(value) else f"{value:+,.0f}"
            sure = shown.get(frozenset((row, column)), False)
            cells.append(text if sure or not text else f"({text})")
        rows.append(cells)
    return table(rows, ("", *(names[n] for n in columns)))


def comparisons_table(field: Field) -> str:
    """Pairings with corrected p-values: all of a few, of many the closest."""
    names = names_in_order(field)
    ranked = sorted(field.comparisons, key=lambda each: (-each.holm, -each.p))
    left_out = ranked[MOST_COMPARISONS:]
    rows = [comparison_row(each, names) for each in ranked[:MOST_COMPARISONS]]
    headers = ("pairing", "margin", "pairs", "won", "tied", "lost", "p", "Holm", "FDR")
    text = table(rows, headers)
    if left_out:
        most = max(each.holm for each in left_out)
        bound = "below 0.001" if most < 0.001 else f"of at most {most:.3f}"
        text += f"\n{len(left_out)} further pairings have p-values by Holm {bound}"
    return text


def comparison_row(each: Comparison, names: dict[int, str]) -> tuple[str, ...]:
    """A pairing seen from the side of the better placed."""
    a, b = each.encounter.a, each.encounter.b
    margin = each.encounter.margin
    won, tied, lost = (f"{int(n):,}" for n in each.encounter.tally.sets_won)
    if list(names).index(a) > list(names).index(b):
        a, b, won, lost = b, a, lost, won
        margin = Estimate(-margin.value, -margin.high, -margin.low, margin.n)
    figures = chance(each.p), chance(each.holm), chance(each.fdr)
    sets = f"{each.encounter.tally.sets:,}"
    return (f"{names[a]} - {names[b]}", signed(margin), sets, won, tied, lost, *figures)


def stops_text(field: Field) -> str:
    """How the stop rule ended each pairing, from the side of the line-up named first."""
    rules = [each.encounter.ledger.rule for each in field.comparisons]
    rule = rules[0] if rules else None
    if rule is None:
        return ""
    names = names_in_order(field)
    sides = [(names[c.encounter.a], names[c.encounter.b]) for c in field.comparisons]
    ledgers = [c.encounter.ledger for c in field.comparisons]
    if isinstance(rule, HalfWidth):
        reached = [
            (f"{a} - {b}", f"{each.tally.matches:,}", "yes" if each.decided else "no")
            for (a, b), each in zip(sides, ledgers, strict=True)
        ]
        return table(reached, ("pairing", "matches", f"half-width below {rule.below:g}"))
    verdicts = [rule.verdict(each.tally) for each in ledgers]
    rows = [
        (f"{a} - {b}", f"{each.tally.matches:,}", f"{v.llr:+.2f}", v.accepted or "undecided")
        for (a, b), each, v in zip(sides, ledgers, verdicts, strict=True)
    ]
    claims = [
        f"{name}: {rule.claim(name)}".replace("A is", "the first is").replace("B", "the second")
        for name in ("H0", "H1")
    ]
    head = "\n".join(["sequential tests", *claims, ""])
    note = "p-values and intervals take the number of matches as fixed, not as chosen by a test"
    low, high = verdicts[0].low, verdicts[0].high
    last = f"LLR ({low:.2f}, {high:.2f})"
    return f"{head}{table(rows, ('pairing', 'matches', last, 'accepted'))}\n{note}"


def verdict_text(field: Field) -> str:
    """What may be said of who is best, without saying more."""
    names = names_in_order(field)
    if len(field.standings) < 2 or not field.comparisons:
        return "nothing to compare"
    best = field.standings[0].entrant
    beaten = {
        c.encounter.b if c.encounter.a == best else c.encounter.a
        for c in field.comparisons
        if best in (c.encounter.a, c.encounter.b)
        and c.holm < SURE
        and (c.encounter.margin.value > 0) == (c.encounter.a == best)
    }
    others = len(field.standings) - 1
    label = f"{names[best]} ({short(field.labels[best])})"
    if len(beaten) == others:
        text = f"{label} beats every other line-up (Holm, 5 %)"
    else:
        text = f"{label} has the best rating, but is shown to beat {len(beaten)} of {others} others"
    return "\n".join([text, *nash_lines(field, names), *circle_lines(field, names)])


def nash_lines(field: Field, names: dict[int, str]) -> list[str]:
    """The Nash mix in words."""
    if field.nash is None:
        return ["no Nash mix: not all line-ups have met"]
    shares = sorted((-share, names[n]) for n, share in enumerate(field.nash))
    parts = [f"{-100 * share:.0f} % {name}" for share, name in shares if share <= -0.005]
    alone = " (nothing gains against it)" if len(parts) == 1 else ""
    return [f"Nash mix of the margins: {', '.join(parts)}{alone}"]


def circle_lines(field: Field, names: dict[int, str]) -> list[str]:
    """Circles in words, the first few."""
    if not field.circles:
        return ["no line-ups beat each other in a circle (Holm, 5 %)"]
    told = [" beats ".join(names[n] for n in (*each, each[0])) for each in field.circles[:5]]
    more = f", and {len(field.circles) - 5} more" if len(field.circles) > 5 else ""
    return [f"circles: {'; '.join(told)}{more}: there is no one best"]


def partnership_tables(found: Sequence[Partnership], opponent: str) -> str:
    """Partnerships of a cross-play, with what partners are worth together."""
    rows = [
        (
            short(" + ".join(each.agents)),
            signed(each.margin),
            percent(each.share),
            "" if each.together is None else signed(each.together),
            chance(each.holm),
            f"{each.sets:,}",
        )
        for each in found
    ]
    headers = ("partners", "margin", "pairs won [95 %]", "together", "Holm", "pairs")
    note = (
        f"margin: over {short(opponent)}, points a match of pairs with the same cards\n"
        "together: the margin less the mean of what each has with itself as partner; both orders "
        "of\nthe seats are played; half-widths are of 95 % intervals over blocks of cards"
    )
    return f"{table(rows, headers)}\n{note}"


def unit_note(variant: Variant, field: Field) -> str:
    """What the figures are, in two lines, and what a bound is where there is one."""
    bounds = any(each.bounded for each in field.standings)
    said = (
        "\nbound: it won, or lost, every pair that ties it to the others: it is so far off at least"
    )
    sets = "pairs" if variant.rules.teams == 2 else f"sets of {variant.rules.teams} mirrors"
    return (
        f"margin: points a match of {sets} with the same cards, mean over the line-ups met\n"
        "Elo: Bradley-Terry on pairs, ties as halves; intervals over blocks of cards that all "
        f"pairings share{said * bounds}"
    )


def field_text(variant: Variant, field: Field) -> str:
    """All tables of the pairings played by the same rules."""
    parts = (
        f"rules {rules_text(variant.rules)}",
        f"{standings_table(field)}\n{unit_note(variant, field)}",
        "margin of the row over the column (in brackets: no difference shown by Holm, 5 %)\n"
        + matrix_table(field),
        comparisons_table(field),
        stops_text(field),
        verdict_text(field),
    )
    return "\n\n".join(part for part in parts if part)
