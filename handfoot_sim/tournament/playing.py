"""Play a tournament: from its plan to a run, and from what was played to its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.errors import PlanError
from handfoot_sim.playing import BATCH
from handfoot_sim.rules import Rules
from handfoot_sim.runs.carrying import Played, Run, carry_on
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.runs.speed import measured_rate, sized
from handfoot_sim.runs.work import Work
from handfoot_sim.simulation import plan as plan_pairing
from handfoot_sim.simulation import worker_count
from handfoot_sim.stopping import check_rule
from handfoot_sim.tournament.entrants import (
    Variant,
    anchor_of,
    check_labels,
    is_cross_play,
    rules_text,
    variants_of,
)
from handfoot_sim.tournament.pairings import meetings
from handfoot_sim.tournament.partners import partnerships
from handfoot_sim.tournament.plan import Plan, checked
from handfoot_sim.tournament.report import field_text, partnership_tables
from handfoot_sim.tournament.standings import Field, field_of
from handfoot_sim.tournament.tables import (
    csv_bytes,
    opponent_of,
    pairings_rows,
    partnership_rows,
    standings_rows,
)

RATINGS = "tables/ratings.csv"
PAIRINGS = "tables/pairings.csv"
PARTNERS = "tables/partnerships.csv"


def asked_of(plan: Plan) -> dict[str, object]:
    """The keys of a plan that were set, as a manifest keeps them."""
    plain: dict[str, object] = msgspec.to_builtins(plan)
    nothing = (None, "")
    return {name: value for name, value in plain.items() if value not in nothing}


def run_of_plan(plan: Plan, batch: int = BATCH) -> Run:
    """The run of a plan: every pairing by every variant of the rules, agents loaded.

    Raises ``AgentError``, ``RulesError`` or ``PlanError`` for what can't be played.
    """
    plan = checked(plan)
    rule = plan.stop()
    works: list[Work] = []
    pairings: list[Pairing] = []
    for rules in plan.variants():
        for meeting in meetings(plan):
            work, pairing = plan_pairing(
                (meeting.a, meeting.b), meeting.matches, plan.seed, rules,
                dealer=plan.dealer, batch=batch, on_illegal=plan.on_illegal,
                decision_limit=plan.decision_limit,
            )  # fmt: skip
            check_rule(rule, rules.teams, work.mirrors)
            works.append(work)
            pairings.append(pairing)
    _check_entrants(plan, pairings)
    step = plan.step if rule else 0
    return Run(
        tuple(works), tuple(pairings), "tournament", asked_of(plan), rule, step, plan.budget()
    )


def _check_entrants(plan: Plan, pairings: Sequence[Pairing]) -> None:
    labels: dict[str, str] = {}
    if plan.format == "cross-play":
        return
    for meeting, pairing in zip(meetings(plan), pairings, strict=False):
        labels.setdefault(meeting.a, pairing.labels[0])
        labels.setdefault(meeting.b, pairing.labels[-1])
    check_labels(list(labels.values()), list(labels))
    if plan.anchor and plan.anchor not in labels.values():
        raise PlanError(
            f"anchor: {plan.anchor} is none of the line-ups {', '.join(labels.values())}"
        )


def play_plan(
    plan: Plan,
    *,
    out: str | Path | None = None,
    jobs: int = 1,
    backend: str = "auto",
    address: str = "",
    force: bool = False,
) -> Played:
    """Play a tournament from Python; ``fields_of`` gives its standings, ``report`` their text.

    Parameters are those of ``simulate``; with ``force`` a folder is gone on with although agents
    or version have changed. Raises what ``simulate`` raises.
    """
    engine = Engine(backend, worker_count(jobs), address)
    ready = estimated(run_of_plan(plan), engine.workers)
    folder = folder_at(out) if out is not None else None
    return carry_on(ready.run, engine, folder, force=force)


@dataclass(frozen=True)
class Estimated:
    """A run with its shards sized by measured speed.

    ``rates``: matches a second on one core, by pairing; ``seconds``: estimate for all matches
    with so many workers.
    """

    run: Run
    rates: tuple[float, ...]
    seconds: float


def estimated(run: Run, jobs: int) -> Estimated:
    """Measure how fast pairings are played, and size the shards by it."""
    rates = rates_of(run)
    total = sum(work.matches for work in run.works)
    works = [
        sized(work, rate, total, jobs, run.step, run.seconds)
        for work, rate in zip(run.works, rates, strict=True)
    ]
    # One size of block, so that block number k holds the same cards in every pairing.
    blocks = max(1, min(work.block_sets for work in works))
    works = [replace(work, block_sets=blocks) for work in works]
    seconds = sum(work.matches / rate for work, rate in zip(works, rates, strict=True)) / jobs
    return Estimated(replace(run, works=tuple(works)), rates, seconds)


MOST_MEASURED = 30
"""Pairings that are all measured."""

BYTES_A_ROW = 18
"""Bytes of a shard for each row of its table, figures included (measured: 144 to 153 a match of
eight rows)."""


def rates_of(run: Run) -> tuple[float, ...]:
    """Matches a second on one core, by pairing.

    Of many pairings only those are measured in which a line-up occurs for the first time by its
    rules; a match of the others is taken to last as long as the mean of what was measured of its
    two line-ups.
    """
    few = len(run.works) <= MOST_MEASURED
    times: dict[tuple[str, Rules], list[float]] = {}
    found: list[float | None] = []
    for work, pairing in zip(run.works, run.pairings, strict=True):
        sides = [(label, work.rules) for label in (pairing.labels[0], pairing.labels[-1])]
        rate = None
        if few or not all(side in times for side in sides):
            rate = measured_rate(work, pairing)
            for side in sides:
                times.setdefault(side, []).append(1.0 / rate)
        found.append(rate)
    costs = {side: sum(each) / len(each) for side, each in times.items()}
    return tuple(
        rate or 2.0 / sum(costs[label, work.rules] for label in (p.labels[0], p.labels[-1]))
        for rate, work, p in zip(found, run.works, run.pairings, strict=True)
    )


def plan_text(plan: Plan, ready: Estimated, workers: str) -> str:
    """What is going to be played, in a few lines; the time is that of the ``workers``."""
    works = ready.run.works
    total = sum(work.matches for work in works)
    variants = list(dict.fromkeys(rules_text(work.rules) for work in works))
    counts = {work.matches for work in works}
    each = f"{max(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"
    most = "at most " if ready.run.rule or ready.run.seconds else ""
    low, high = min(ready.rates), max(ready.rates)
    size = sum(work.matches * work.rules.deals * work.rules.teams for work in works) * BYTES_A_ROW
    lines = [
        f"{plan.format} of {len(plan.agents)} line-ups: {len(works):,} pairings, {most}{each} "
        f"matches each, {total:,} in all, seed {plan.seed}",
        f"rules: {'; '.join(variants)}",
        f"estimated: {most}{time_text(ready.seconds)} on {workers} ({low:,.0f} to {high:,.0f} "
        f"matches/s a core, measured now); a run folder of {most}{size / 1e6:,.1f} MB",
    ]
    if ready.run.seconds is not None:
        lines.append(f"time budget: {time_text(ready.run.seconds)}")
    return "\n".join(lines)


def time_text(seconds: float) -> str:
    """A time in a unit that suits it."""
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.0f} s"


def live_text(ledgers: Sequence[Ledger]) -> str:
    """Mean margins over the line-ups met so far, with half-widths, of the first variant.

    Pairings share cards, and only the report takes the time to reckon how much that matters; here
    the half-width of a mean is the mean of half-widths, which it can't exceed.
    """
    variant = variants_of(ledgers)[0]
    totals: dict[int, list[tuple[float, float]]] = {}
    for each in variant.encounters:
        if each.tally.sets > 1:
            margin = each.margin
            totals.setdefault(each.a, []).append((margin.value, margin.half_width))
            totals.setdefault(each.b, []).append((-margin.value, margin.half_width))
    places = []
    for entrant, margins in totals.items():
        mean, half = (sum(each) / len(margins) for each in zip(*margins, strict=True))
        places.append((mean, f"{variant.labels[entrant]} {mean:+,.0f} ± {half:,.0f}"))
    if not places:
        return "no figures yet"
    met = sum(each.tally.sets > 1 for each in variant.encounters)
    text = "; ".join(text for _, text in sorted(places, reverse=True))
    return f"{text} ({met} of {len(variant.encounters)} pairings)"


def fields_of(played: Played) -> list[tuple[Variant, Field]]:
    """Standings by variant of the rules."""
    return [
        (
            variant,
            field_of(
                variant.labels, variant.encounters, anchor_of(variant.labels, played),
                played.manifest.seed,
            ),
        )
        for variant in variants_of(played.ledgers)
    ]  # fmt: skip


def report(played: Played, folder: RunFolder | None) -> str:
    """The whole report; its tables are written into the ``folder`` too."""
    if is_cross_play(played.manifest):
        return _cross_play_report(played, folder)
    fields = fields_of(played)
    if folder is not None:
        standing = [row for pair in fields for row in standings_rows(*pair)]
        pairing = [row for pair in fields for row in pairings_rows(*pair)]
        folder.write(RATINGS, csv_bytes(standing))
        folder.write(PAIRINGS, csv_bytes(pairing))
    return "\n\n\n".join(field_text(*pair) for pair in fields)


def _cross_play_report(played: Played, folder: RunFolder | None) -> str:
    texts, rows, pairing = [], [], []
    for variant, field in fields_of(played):
        found = partnerships(variant)
        title = f"rules {rules_text(variant.rules)}"
        texts.append(f"{title}\n\n{partnership_tables(found, opponent_of(variant))}")
        rows += partnership_rows(variant, found)
        pairing += pairings_rows(variant, field)
    if folder is not None:
        folder.write(PARTNERS, csv_bytes(rows))
        folder.write(PAIRINGS, csv_bytes(pairing))
    return "\n\n\n".join(texts)
