"""The report of a comparison on the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from tabulate import tabulate

from handfoot_sim.engine.forfeits import CRASHED, FORFEIT_POINTS, REASONS
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.runs.work import Work
from handfoot_sim.stopping import HalfWidth, StopRule
from handfoot_sim.tally import (
    FIGURES,
    Estimate,
    Tally,
    figure_estimate,
    figure_share,
    match_share,
    mean_estimate,
    median_opening,
    ratio_estimate,
    ratio_share,
    share_estimate,
)


def points(estimate: Estimate) -> str:
    """A mean with its interval: ``1,234 ± 56``."""
    if math.isnan(estimate.value):
        return "-"
    if math.isnan(estimate.low):
        return f"{estimate.value:,.0f}"
    return f"{estimate.value:,.0f} ± {estimate.half_width:,.0f}"


def books(estimate: Estimate) -> str:
    """A small mean with its interval: ``2.34 ± 0.05``."""
    if math.isnan(estimate.value):
        return "-"
    if math.isnan(estimate.low):
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} ± {estimate.half_width:.2f}"


def percent(estimate: Estimate) -> str:
    """A share with its interval: ``53.2 % [52.8, 53.6]``."""
    if math.isnan(estimate.value):
        return "-"
    if math.isnan(estimate.low):
        return f"{100 * estimate.value:.1f} %"
    return f"{100 * estimate.value:.1f} % [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def span(estimate: Estimate) -> str:
    """A whole number with its interval: ``4 [3, 4]``; a dash where there is none."""
    if math.isnan(estimate.value):
        return "-"
    low, high = ("-" if math.isnan(x) else f"{x:.0f}" for x in (estimate.low, estimate.high))
    return f"{estimate.value:.0f} [{low}, {high}]"


LONGEST_NAME: Final = 24
"""Characters of a label that still fits at the head of a column."""


def names_of(pairing: Pairing) -> tuple[str, str]:
    """How the two sides are called: by their labels, or A and B where these are long or equal."""
    a, b = pairing.labels[0], pairing.labels[-1]
    if len(a) > LONGEST_NAME or len(b) > LONGEST_NAME:
        return "A", "B"
    return (f"{a} (A)", f"{b} (B)") if a == b else (a, b)


def who_plays(pairing: Pairing) -> str:
    """Both sides by their labels, each after the letter that stands for it, if one does."""
    a, b = names_of(pairing)
    if (a, b) == ("A", "B"):
        return f"A = {pairing.labels[0]} against B = {pairing.labels[-1]}"
    return f"{a} against {b}"


def unit_of(pairing: Pairing) -> str:
    """What the intervals are computed over."""
    if pairing.mirrors == 1:
        return "matches"
    return "duplicate pairs" if pairing.mirrors == 2 else f"sets of {pairing.mirrors} mirrors"


def headline(work: Work, pairing: Pairing, tally: Tally) -> str:
    """The margin in words."""
    a, b = names_of(pairing)
    margin = mean_estimate(float(tally.margin[0]), float(tally.margin[1]), tally.sets)
    others = "" if work.rules.teams == 2 else " on average of the other teams"
    sure = not math.isnan(margin.low) and (margin.low > 0 or margin.high < 0)
    verbs = ("beats", "loses to") if sure else ("is ahead of", "is behind")
    verb = verbs[0] if margin.value > 0 else verbs[1]
    size = Estimate(abs(margin.value), margin.low, margin.high, margin.n)
    unit = unit_of(pairing)
    text = f"{a} {verb} {b} by {points(size)} points a match{others}"
    if margin.value == 0:
        text = f"{a} and {b} are level: {points(size)} points a match{others}"
    if math.isnan(margin.low):
        return f"{text} (n = 1 of {unit}: too few for an interval; no difference is shown)"
    doubt = "" if sure else "; no difference is shown"
    if margin.value < 0:
        low, high = -margin.high, -margin.low
    else:
        low, high = margin.low, margin.high
    return f"{text} (95 % interval {low:,.0f} to {high:,.0f}, n = {tally.sets:,} {unit}{doubt})"


def outcomes_table(pairing: Pairing, tally: Tally) -> str:
    """Sets of mirrors and matches won, tied and lost by A."""
    a, _ = names_of(pairing)
    rows = []
    counts = [("matches", tally.matches_won, match_share(tally))]
    if pairing.mirrors > 1:
        sets_won = share_estimate(float(tally.sets_won[0]), tally.sets)
        counts.insert(0, (unit_of(pairing), tally.sets_won, sets_won))
    for name, (won, tied, lost), share in counts:
        total = int(won + tied + lost)
        rows.append((name, f"{total:,}", f"{won:,}", f"{tied:,}", f"{lost:,}", percent(share)))
    headers = (f"for {a}", "n", "won", "tied", "lost", "share won [95 %]")
    align = ("left", "right", "right", "right", "right", "right")
    return str(tabulate(rows, headers, disable_numparse=True, colalign=align))


def play_table(pairing: Pairing, tally: Tally) -> str:
    """How the two sides play: means and shares over deals and teams."""
    lines: list[tuple[str, Callable[[int], str]]] = [
        ("points", lambda side: points(figure_estimate(tally, side, "score"))),
        ("went out", lambda side: percent(figure_share(tally, side, "went_out"))),
        ("opened", lambda side: percent(figure_share(tally, side, "opened"))),
        ("turn of opening, median", lambda side: span(median_opening(tally, side))),
        ("  opened from the pile", lambda side: ratio(tally, side, "opened from the pile")),
        ("clean books", lambda side: books(figure_estimate(tally, side, "clean"))),
        ("dirty books", lambda side: books(figure_estimate(tally, side, "dirty"))),
        ("wild books", lambda side: books(figure_estimate(tally, side, "wild"))),
        ("pile taken when it could be", lambda side: ratio(tally, side, "taken when it could be")),
        ("  cards a taking", lambda side: books(ratio_estimate(tally, side, "cards a taking"))),
        ("points left in hand and foot", lambda side: points(figure_estimate(tally, side, "left"))),
    ]
    rows = [(name, figure(0), figure(1)) for name, figure in lines]
    headers = ("per deal and team [95 %]", *names_of(pairing))
    table = tabulate(rows, headers, disable_numparse=True, colalign=("left", "right", "right"))
    n = " and ".join(f"{int(count):,}" for count in tally.team_deals)
    some = ", those of sets without a forfeit" if tally.forfeits.any() else ""
    said = f"n = {n} deals{some}; turns count from 0 over the deal, all seats together"
    return f"{table}\n{said}\n{counted(tally)}"


def counted(tally: Tally) -> str:
    """What the figures about the pile are counted of, for both sides."""
    names = {"opened": "openings", "chances": "chances at the pile", "takes": "takings"}
    counts = {word: tally.counts[:, FIGURES.index(name)] for name, word in names.items()}
    said = [f"{int(a):,} and {int(b):,} {word}" for word, (a, b) in counts.items()]
    return f"{said[0]}\n{said[1]}; {said[2]}"


def ratio(tally: Tally, side: int, name: str) -> str:
    """A share that is a ratio of two counts."""
    return percent(ratio_share(tally, side, name))


def forfeits_line(pairing: Pairing, tally: Tally) -> str:
    """How many matches each side forfeited, and why: ``A 0, B 12 (rule 4.2 in 10, 3.3 in 2)``."""
    sides = []
    for name, counts in zip(names_of(pairing), tally.forfeits, strict=True):
        by_rule = [(REASONS[n], int(counts[n])) for n in np.flatnonzero(counts)]
        by_rule.sort(key=lambda each: -each[1])
        said = [f"{_why(reason)} in {count:,}" for reason, count in by_rule]
        sides.append(f"{name} {counts.sum():,}" + (f" ({', '.join(said)})" if said else ""))
    return (
        f"forfeits: {', '.join(sides)} of {tally.matches:,} matches; a forfeit costs "
        f"{FORFEIT_POINTS:,} points a deal"
    )


def _why(reason: str) -> str:
    return reason if reason == CRASHED else f"rule {reason}"


def stop_text(pairing: Pairing, rule: StopRule | None, tally: Tally, decided: bool) -> str:
    """How a stop rule ended, from the side of A; empty without a rule."""
    if rule is None or not tally.sets:
        return ""
    a, b = names_of(pairing)
    at = f"after {tally.matches:,} matches"
    if isinstance(rule, HalfWidth):
        reached = "was reached" if decided else "was not reached"
        return f"a half-width below {rule.below:g} points {reached} {at}"
    verdict = rule.verdict(tally)
    said = {name: rule.claim(name).replace("A is", f"{a} is") for name in ("H0", "H1")}
    said = {name: claim.replace("than B", f"than {b}") for name, claim in said.items()}
    state = f"{verdict.accepted} accepted" if verdict.accepted else "undecided"
    lines = [
        f"sequential test: {state} {at} ({verdict.text})",
        f"H0: {said['H0']}",
        f"H1: {said['H1']}",
    ]
    if verdict.accepted:
        lines.append(
            f"errors: alpha {rule.alpha:g}, beta {rule.beta:g}; a margin at which a test stopped "
            "overstates the difference"
        )
    return "\n".join(lines)


def speed_line(tally: Tally, played: int, seconds: float) -> str:
    """How fast it went."""
    if not played or seconds <= 0:
        return "nothing was left to play"
    rate = f"{played:,} matches in {seconds:.1f} s: {played / seconds:,.0f} matches/s"
    return f"{rate}, {tally.turns / tally.deals:.1f} turns a deal" if tally.deals else rate


def comparison_text(
    work: Work,
    pairing: Pairing,
    tally: Tally,
    played: int,
    seconds: float,
    stopped: str = "",
) -> str:
    """The whole report: what was played, the margin, outcomes, and how the two sides play.

    ``stopped`` is what a stop rule says (see ``stop_text``).
    """
    if not tally.sets:
        return f"{who_plays(pairing)}: no match was finished"
    mapping = work.rules.as_mapping()
    rules = mapping.pop("preset") + "".join(f", {k} = {v}" for k, v in mapping.items())
    sets = f" in {tally.sets:,} {unit_of(pairing)}" if pairing.mirrors > 1 else ""
    title = (
        f"{who_plays(pairing)}: {tally.matches:,} matches{sets}, rules {rules}, seed {work.seed}"
    )
    parts = (
        title,
        headline(work, pairing, tally),
        *([stopped] if stopped else []),
        *([forfeits_line(pairing, tally)] if tally.forfeits.any() else []),
        outcomes_table(pairing, tally),
        play_table(pairing, tally),
        speed_line(tally, played, seconds),
    )
    return "\n\n".join(parts)
