"""The result of tuning in words and tables, for a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tabulate import tabulate

from handfoot_sim.agent.interface import Value
from handfoot_sim.tally import Estimate
from handfoot_sim.tuning.curves import importance, that_matter_most
from handfoot_sim.tuning.deciding import Gain
from handfoot_sim.tuning.plan import Sizes
from handfoot_sim.tuning.preparing import Prepared
from handfoot_sim.tuning.searching import Pilot
from handfoot_sim.tuning.space import Dimension
from handfoot_sim.tuning.tune import Tuned

MOST_CHANGED: Final = 60
"""Parameters that are told one by one."""


def points(value: float) -> str:
    """Points a match with their sign, a dash for none."""
    return "-" if math.isnan(value) else f"{value:+,.0f}"


def interval(estimate: Estimate) -> str:
    """A 95 % interval."""
    if math.isnan(estimate.low):
        return "-"
    return f"[{points(estimate.low)}, {points(estimate.high)}]"


def value_text(value: Value) -> str:
    """A parameter's value, a fraction to four digits."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def plan_text(prepared: Prepared, sizes: Sizes, first: Pilot, budget: int) -> str:
    """What is going to be played, and for how long, as far as the pilot says."""
    plan, space = prepared.plan, prepared.space
    each = f"{sizes.population} candidates, {sizes.pairs} pairs each on the same fresh cards"
    long = budget / max(first.rate, 1e-9)
    return (
        f"{prepared.agent.label}: {len(space)} parameter{'s' * (len(space) > 1)}, {plan.method}, "
        f"rules {prepared.rules[0][0]}, seed {plan.seed}\n"
        f"against {prepared.pool.text()}\n"
        f"{sizes.generations} generations of {each}\n"
        f"some {budget:,} matches in all, about {duration(long)} here "
        f"({first.rate:,.0f} matches/s; SD {first.noise:,.0f} points a pair)"
    )


def duration(seconds: float) -> str:
    """Seconds in a unit that suits."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def tuned_text(tuned: Tuned) -> str:
    """The whole result: decision, gains, transfer, parameters, failures, where the time went."""
    parts = [
        decision_text(tuned), gains_table(tuned), transfer_table(tuned.gains), changes_table(tuned),
        sensitivity_text(tuned), failures_text(tuned), spent_text(tuned),
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part)


def decision_text(tuned: Tuned) -> str:
    """The decision, and what it rests on."""
    decision = tuned.decision
    text = f"{decision.word}: {decision.reason}"
    if decision.pairs:
        text += f", after {decision.pairs:,} pairs ({decision.verdict.text})"
    if not decision.accepted:
        text += "\nno gain over the starting parameters was shown: keep them"
    return text


def gains_table(tuned: Tuned) -> str:
    """What the search saw, and what is left of it on unseen cards."""
    claimed, again = tuned.searched.claimed, tuned.gain.gain
    unit = "generations" if tuned.prepared.plan.method != "optuna" else "blocks of cards"
    shrinkage = claimed.value - again.value
    rows = [
        ("luckiest candidate of the search", points(tuned.searched.best_seen), "-", "luck, mostly"),
        ("tuned: the search's own figure", points(claimed.value), interval(claimed),
         f"{claimed.n} {unit}"),
        ("re-evaluated on unseen cards", points(again.value), interval(again),
         f"{tuned.gain.pairs:,} pairs"),
        ("shrinkage: tuned less re-evaluated", points(shrinkage), "-", ""),
    ]  # fmt: skip
    headers = ("gain over the start, points a match", "gain", "95 % interval", "n")
    align = ("left", "right", "right", "left")
    return str(tabulate(rows, headers, disable_numparse=True, colalign=align))


def transfer_table(gains: Sequence[Gain]) -> str:
    """Re-evaluation by rules and opponent; intervals are of each figure alone."""
    rows = [
        (
            gain.rules[:24], gain.group, gain.opponent[:26], points(gain.start.value),
            points(gain.answer.value), points(gain.gain.value), interval(gain.gain),
            f"{gain.pairs:,}",
        )
        for gain in gains
    ]  # fmt: skip
    headers = ("rules", "group", "against", "start", "tuned", "gain", "95 % interval", "pairs")
    align = ("left", "left", "left", "right", "right", "right", "right", "right")
    return str(tabulate(rows, headers, disable_numparse=True, colalign=align))


def changes_table(tuned: Tuned) -> str:
    """The parameters that were tuned: start, answer, bounds; those that moved most first."""
    space = tuned.prepared.space

    def moved(each: Dimension) -> float:
        return abs(each.place(tuned.answer[each.name]) - each.place(space.base[each.name]))

    ordered = sorted(space.dimensions, key=moved, reverse=True)
    rows = [
        (
            each.name, value_text(space.base[each.name]), value_text(tuned.answer[each.name]),
            value_text(each.kind(each.low)), value_text(each.kind(each.high)),
        )
        for each in ordered[:MOST_CHANGED]
    ]  # fmt: skip
    headers = ("parameter", "start", "tuned", "low", "high")
    align = ("left", "right", "right", "right", "right")
    return str(tabulate(rows, headers, disable_numparse=True, colalign=align))


def sensitivity_text(tuned: Tuned) -> str:
    """Which parameters matter most around the answer."""
    known = importance(tuned.curves)
    most = that_matter_most(tuned.prepared.space, tuned.curves) or tuned.prepared.space.names
    shown = [name for name in sorted(known, key=lambda each: -known[each])[:5] if known[name] > 0]
    if not shown:
        return "no parameter alone was shown to matter around the answer"
    told = ", ".join(f"{name} ({known[name]:,.0f})" for name in shown)
    pair = f"; the grid is of {' and '.join(most[:2])}" if tuned.grid else ""
    return f"matter most (points a match surely lost by another value within bounds): {told}{pair}"


def failures_text(tuned: Tuned) -> str:
    """At which parameters the agent failed."""
    failed = sum(each.failed for each in tuned.searched.generations)
    if not failed:
        return ""
    params, message = tuned.searched.failures[0]
    space = tuned.prepared.space
    where = ", ".join(f"{name}={value_text(params[name])}" for name in space.names)
    return (
        f"the agent failed at {failed:,} candidates, which counted as the worst; first: "
        f"{message}\nat {where}"
    )


def spent_text(tuned: Tuned) -> str:
    """Matches by stage, and how much of the time went into playing."""
    stages = ", ".join(f"{name} {count:,}" for name, count in tuned.matches.items())
    text = f"{sum(tuned.matches.values()):,} matches ({stages})"
    timing = tuned.timing
    if timing is not None:
        text += (
            f"\nsearch: {timing.seconds:,.0f} s on {timing.workers} "
            f"worker{'s' * (timing.workers > 1)}, of which {100 * timing.overhead:.1f} % were not "
            f"playing; this process kept them busy for {100 * timing.busy:.0f} %"
        )
    return text
