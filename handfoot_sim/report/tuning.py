"""The report of a search for better parameters: a page, its tables, its plots.

The page says first whether the answer was accepted and what it gains on cards that no search has
seen; what the search itself saw comes after that, as what it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import pandas as pd
from matplotlib.figure import Figure

from handfoot_sim.errors import RunError
from handfoot_sim.plots import tuning as plots
from handfoot_sim.plots.sweeps import value_text
from handfoot_sim.report.figures import NONE, count, estimate, signed
from handfoot_sim.report.manifest import agent_rows
from handfoot_sim.report.page import rendered
from handfoot_sim.report.pictures import Picture, data_uri
from handfoot_sim.report.pictures import rendered as drawn
from handfoot_sim.report.sections import Section
from handfoot_sim.report.tables import Cell, Table
from handfoot_sim.report.writing import table_files
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.tally import Estimate
from handfoot_sim.tuning.deciding import Gain
from handfoot_sim.tuning.preparing import asked_of
from handfoot_sim.tuning.records import Record, is_record, new_record, read_record
from handfoot_sim.tuning.tables import tables_of
from handfoot_sim.tuning.tune import Tuned

PAGE: Final = "report.html"

MOST_FAILURES: Final = 20
"""Kinds of failure that the page tells of."""

Frames = dict[str, pd.DataFrame]

METHODS: Final = {
    "cma": "CMA-ES: a normal distribution moves and stretches towards the better half of its "
    "candidates. All candidates of a generation play the same fresh cards, few of them; the "
    "answer is the mean of the distribution, never the best candidate seen.",
    "spsa": "SPSA: all parameters are moved at once, one way and the other, on the same cards, "
    "and the difference says where to go. The answer is the point that it arrives at.",
    "optuna": "Optuna: its Parzen estimator proposes trials, and fresh cards choose among those "
    "that seemed best.",
}

METHOD: Final = (
    "The best value that a search has seen is the luckiest one, and even the figure of its last "
    "generations leans towards what it chose by. So neither is the result: the answer plays the "
    "start on cards that no search has seen.",
    "A sequential test on fresh cards accepts the answer or does not. Re-evaluation then says by "
    "how much it is better, on other cards again, because where a test stops leans towards what "
    "it found.",
    "Cards are played in pairs of duplicate matches, with the seats exchanged, and start and "
    "answer play the same cards; blocks of pairs are the units of intervals (Student's, 95 %). "
    "Against a pool the value of a block is the mean over its opponents by weight.",
    "Curves and heatmaps are paired with the answer too. There are many of them, so one interval "
    "in twenty that misses 0 is to be expected where nothing matters.",
)


@dataclass(frozen=True)
class TuningPage:
    """All that the page says; see the template."""

    title: str
    lead: tuple[str, ...]
    warnings: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    agents: tuple[tuple[str, str, str, str], ...]
    provenance: tuple[tuple[str, str], ...]
    method: tuple[str, ...]
    tables_at: str = "tables"
    pictures_at: str = "plots"


def write_tuning_report(tuned: Tuned, folder: RunFolder) -> str:
    """Write ``report.html``, ``tables/`` and ``plots/`` of a search into its folder.

    Where the page is comes back. The same search gives the same bytes. Raises ``RunError`` where
    something can't be written.
    """
    frames = tables_of(tuned)
    pictures = _pictures(tuned, frames, folder)
    for name, frame in frames.items():
        for file, data in table_files(frame, name).items():
            folder.write(f"tables/{file}", data)
    page = tuning_page(tuned, frames, pictures, _record_of(tuned, folder))
    folder.write(PAGE, rendered("tuning.html.j2", page=page).encode())
    return folder.place(PAGE)


def _record_of(tuned: Tuned, folder: RunFolder) -> Record:
    if is_record(folder):
        return read_record(folder)
    return new_record("tune", asked_of(tuned.prepared.plan), tuned.prepared.agents)


def _pictures(tuned: Tuned, frames: Frames, folder: RunFolder) -> dict[str, Picture]:
    """Draw and write the plots there is something to draw for."""
    accepted = tuned.decision.accepted
    empty = pd.DataFrame()
    kinds: dict[str, tuple[Callable[[], Figure], str]] = {
        "objective": (
            lambda: plots.objective(frames["history"], frames["reevaluation"], accepted=accepted),
            "Margins and gain seen by the search, generation by generation, and re-evaluated",
        ),
        "parameters": (
            lambda: plots.parameter_histories(frames["parameters"], frames["answer"]),
            "Where each parameter stood while the search went on, with its spread",
        ),
        "sensitivity": (
            lambda: plots.sensitivity(frames["curves"]),
            "Curves of what other values of each parameter gain over the answer",
        ),
        "pair": (
            lambda: plots.parameter_pair(frames.get("grid", empty), frames["answer"]),
            "Heatmap of the gain over the answer by the two parameters that matter most",
        ),
    }
    found = {}
    for name, (draw, alt) in kinds.items():
        try:
            figure = draw()
        except RunError:  # nothing to draw: its section says so
            continue
        svg, png = drawn(figure, "svg"), drawn(figure, "png")
        folder.write(f"plots/{name}.svg", svg)
        folder.write(f"plots/{name}.png", png)
        found[name] = Picture(name, alt, data_uri(svg, png), round(96 * figure.get_figwidth()))
    return found


def tuning_page(
    tuned: Tuned, frames: Frames, pictures: dict[str, Picture], record: Record
) -> TuningPage:
    """What the page of a search says."""
    prepared, plan = tuned.prepared, tuned.prepared.plan
    manifest = msgspec.to_builtins(record)
    told = METHODS[plan.method]
    facts = (
        ("matches", f"{sum(tuned.matches.values()):,}"),
        ("parameters tuned", str(len(prepared.space))),
        ("method", plan.method),
        ("generations", f"{len(tuned.searched.generations):,}"),
        ("rules", prepared.rules[0][0]),
        ("seed", str(plan.seed)),
    )
    return TuningPage(
        title=f"{prepared.agent.label} tuned against {prepared.pool.text()}",
        lead=tuple(lead_of(tuned)),
        warnings=tuple(_warnings(tuned)),
        facts=facts,
        sections=tuple(_sections(tuned, frames, pictures)),
        agents=tuple(agent_rows(manifest)),
        provenance=tuple(_provenance(tuned, record)),
        method=(told, *METHOD),
    )


def lead_of(tuned: Tuned) -> list[str]:
    """The decision and the figure that counts, in sentences."""
    decision, gain = tuned.decision, tuned.gain
    whom = tuned.prepared.pool.text()
    tested = f"after {decision.pairs:,} pairs of each side" if decision.pairs else "untested"
    said = {
        True: "Accepted: the answer is better than the start",
        False: "Not shown: the answer is not shown to be better than the start",
    }[decision.accepted]
    return [f"{said} ({decision.reason}, {tested}).", _gained(gain, whom)]


def _gained(gain: Gain, whom: str) -> str:
    """The re-evaluated gain in a sentence."""
    found = gain.gain
    if math.isnan(found.value):
        return "The agent fails at the answer, or at the start, so there is no gain to tell."
    verb, size = ("gains", found) if found.value >= 0 else ("loses", _turned(found))
    unclear = "; it holds 0, so no difference is shown" if found.low <= 0 <= found.high else ""
    points = estimate(size.value, size.low, size.high, "points")
    return (
        f"On cards that no search has seen the answer {verb} {points} points a match over the "
        f"start against {whom} (95 % interval over {gain.pairs:,} pairs{unclear})."
    )


def _turned(found: Estimate) -> Estimate:
    return Estimate(-found.value, -found.high, -found.low, found.n)


def _said(found: Estimate) -> str:
    return estimate(found.value, found.low, found.high, "points", sign=True)


def _warnings(tuned: Tuned) -> list[str]:
    said = []
    failed = sum(each.failed for each in tuned.searched.generations)
    if failed:
        said.append(
            f"The agent failed at {failed:,} of the candidates that were tried; those ranked last."
        )
    if not tuned.decision.accepted:
        said.append("The starting parameters stay the ones to use until a gain is shown.")
    return said


def _sections(tuned: Tuned, frames: Frames, pictures: dict[str, Picture]) -> list[Section]:
    def with_pictures(*names: str) -> tuple[Picture, ...]:
        return tuple(pictures[name] for name in names if name in pictures)

    return [
        Section(
            "gain", "What was gained",
            "The search's own figures are what it chose by, so they flatter its answer; how much "
            "of them is left on unseen cards is the shrinkage.",
            with_pictures("objective"), (_gain_table(tuned),), (), ("history",),
        ),
        Section(
            "transfer", "Against whom, and under which rules",
            "Start and answer on the same cards, against each opponent: those of the pool, those "
            "that the search did not meet (held out), and the start itself. An interval that "
            "holds 0 shows no difference; a gain under other rules was not looked for.",
            (), tuple(_transfer_tables(tuned)), (), ("reevaluation",),
        ),
        Section(
            "parameters", "Parameters, start and answer",
            "Spread is the standard deviation of the method's last distribution: where it is wide, "
            "the search did not find that the parameter matters.",
            with_pictures("parameters"), (_answer_table(frames["answer"]),), (),
            ("answer", "parameters"),
        ),
        Section(
            "sensitivity", "Around the answer",
            "Each parameter alone at other values, and the two that matter most together; all on "
            "the same cards as the answer.",
            with_pictures("sensitivity", "pair"), (), (),
            tuple(name for name in ("curves", "grid") if name in frames),
        ),
        *_failures(tuned),
    ]  # fmt: skip


def _failures(tuned: Tuned) -> list[Section]:
    """The section of failures, if there were any."""
    if not tuned.searched.failures:
        return []
    words = "The first parameters of each kind of failure."
    table = _failure_table(tuned)
    return [Section("failures", "Where the agent failed", words, (), (table,), (), ())]


def _gain_table(tuned: Tuned) -> Table:
    searched, gain = tuned.searched, tuned.gain
    claimed = searched.claimed
    lost = claimed.value - gain.gain.value
    part = f" ({lost / claimed.value:.0%} of the tuned gain)" if claimed.value > 0 else ""
    rows = [
        ("Re-evaluated gain", _said(gain.gain), "on unseen cards: the figure that counts"),
        ("Tuned gain", _said(claimed), "the search's own figure, which it chose by"),
        ("Shrinkage", NONE if math.isnan(lost) else f"{signed(lost)}{part}",
         "tuned less re-evaluated"),
        ("Best seen", signed(searched.best_seen),
         "of all candidates, each on few cards: mostly luck"),
    ]  # fmt: skip
    cells = tuple((Cell(name), Cell(value, note)) for name, value, note in rows)
    return Table("Gain over the start", ("", "points a match"), cells, "")


def _table(caption: str, headers: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    return Table(caption, headers, tuple(tuple(map(Cell, row)) for row in rows), "")


def _transfer_tables(tuned: Tuned) -> list[Table]:
    found = []
    for rules in dict.fromkeys(each.rules for each in tuned.gains):
        rows = [
            (each.opponent, each.group, count(each.pairs), _said(each.start), _said(each.answer),
             _said(each.gain))
            for each in tuned.gains
            if each.rules == rules
        ]  # fmt: skip
        first = " (those that were tuned for)" if rules == tuned.gains[0].rules else ""
        caption = f"Rules {rules}{first}: margins in points a match, 95 % intervals"
        headers = ("opponent", "which", "pairs", "start", "answer", "gain")
        found.append(_table(caption, headers, rows))
    return found


def _answer_table(frame: pd.DataFrame) -> Table:
    rows = []
    for _, row in frame.iterrows():
        kind = str(row["type"])
        start, found, low, high = (
            _value(float(row[name]), kind) for name in ("start", "tuned", "low", "high")
        )
        ends = [float(row[name]) for name in ("spread_low", "spread_high")]
        spread = NONE if math.isnan(ends[0]) else " to ".join(f"{end:.4g}" for end in ends)
        mark = "" if row["start"] == row["tuned"] else "moved"
        rows.append((str(row["parameter"]), start, found, mark, spread, f"{low} to {high}"))
    headers = ("parameter", "start", "answer", "", "spread", "bounds")
    return _table("All parameters that were tuned", headers, rows)


def _value(value: float, kind: str) -> str:
    return value_text(bool(value) if kind == "bool" else value)


def _failure_table(tuned: Tuned) -> Table:
    start = tuned.start
    rows = []
    for params, message in tuned.searched.failures[:MOST_FAILURES]:
        changed = [f"{k}={value_text(v)}" for k, v in params.items() if v != start[k]]
        rows.append((message, ", ".join(changed) or "those of the start"))
    return _table("Failures", ("what happened", "parameters other than the start's"), rows)


def _provenance(tuned: Tuned, record: Record) -> list[tuple[str, str]]:
    plan, sizes = tuned.prepared.plan, tuned.sizes
    test = tuned.decision.test
    return [
        ("format of the folder", record.format),
        ("seed", str(plan.seed)),
        ("budget, matches", f"{tuned.budget:,}" + (f" (from {plan.time})" if plan.time else "")),
        *((f"matches of stage {stage}", f"{n:,}") for stage, n in tuned.matches.items()),
        ("candidates of a generation", f"{sizes.population:,} with {sizes.pairs:,} pairs each"),
        ("noise of a pair, standard deviation", f"{tuned.pilot.noise:,.0f} points a match"),
        ("test", f"gain {test.margin0:g} against {test.margin1:g} points a match, alpha "
         f"{test.alpha:g}, beta {test.beta:g}; {tuned.decision.verdict.text}"),
        ("engine, hash of its sources", record.engine),
        *((f"version of {name}", str(value)) for name, value in record.versions.items()),
        *((f"asked: {name}", str(value)) for name, value in record.asked.items()),
    ]  # fmt: skip
