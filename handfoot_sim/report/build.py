"""Make a report: tables, pictures and the page of a run folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from handfoot_sim import stats
from handfoot_sim.errors import RunError
from handfoot_sim.plots.margins import Sprt
from handfoot_sim.report.headline import headline, key_facts, sets_called
from handfoot_sim.report.manifest import (
    agent_rows,
    meetings_of,
    provenance_rows,
    rule_rows,
    sprt_of,
)
from handfoot_sim.report.page import Page, rendered_page
from handfoot_sim.report.pictures import draw_pictures
from handfoot_sim.report.ratings import ratings_in
from handfoot_sim.report.samples import Sample, samples
from handfoot_sim.report.sections import sections
from handfoot_sim.report.writing import write_bytes, write_table
from handfoot_sim.runs.folder import LocalFolder, RunFolder, folder_at
from handfoot_sim.stats.reading import source_of

MOST_IN_TITLE = 4


@dataclass(frozen=True)
class Report:
    """A report that was written: its page, and the folders of its tables and pictures.

    ``lead`` is the result in sentences, ``warnings`` what the page says first; ``pictures`` is
    None where none were wanted.
    """

    page: Path
    tables: Path
    pictures: Path | None
    lead: tuple[str, ...]
    warnings: tuple[str, ...]


def write_report(
    folder: str | os.PathLike[str] | RunFolder,
    out: str | Path | None = None,
    *,
    variant: int = 0,
    skip_corrupt: bool = False,
    pictures: bool = True,
    on_shard: Callable[[int], object] | None = None,
    tell: Callable[[str], object] = lambda step: None,
) -> Report:
    """Write the report of a run folder: a page, and beside it ``tables/`` and ``plots/``.

    Parameters
    ----------
    folder
        The run folder, or its URL; an unfinished run is reported as far as it went.
    out
        The page; by default ``report.html`` in the run folder. A run behind a URL needs one.
    variant
        Number of the rules to report of a run that was played by several.
    skip_corrupt
        Leave out shards that can't be read; the page names them.
    pictures
        Whether to draw plots.
    on_shard
        Called with the number of matches as shards are read.
    tell
        Called with what is done next, in a word or two.

    Raises
    ------
    RunError
        For what is no run folder, for shards that can't be read, and where something can't be
        written.
    """
    run = folder_at(folder)
    page = Path(out) if out is not None else _usual_page(run, variant)
    tables = page.parent / f"tables{_marked(variant)}"
    plots = page.parent / f"plots{_marked(variant)}" if pictures else None
    tell("counting")
    totals = stats.totals(run, variant=variant, skip_corrupt=skip_corrupt, on_shard=on_shard)
    frames = {name: make(totals) for name, make in stats.FRAMES.items()}
    tell("tables")
    for name, frame in frames.items():
        write_table(frame, tables, name)
    manifest = totals.manifest or {}
    rated = ratings_in(run, totals.rules or {})
    if rated is not None:
        frames["ratings"] = rated
    drawn = {}
    if plots is not None:
        tell("plots")
        asked = sprt_of(manifest)
        drawn = draw_pictures(
            frames, totals.agents, plots, None if asked is None else Sprt(**asked)
        )
    tell("sample matches")
    told = _samples(run, variant, manifest, frames)
    tell("page")
    order = [str(agent) for agent in frames["standings"]["agent"]]
    preset, rules = rule_rows(totals.rules or {})
    lead = headline(frames, totals.teams)
    warnings = _warnings(totals)
    whole = Page(
        title=_title(order),
        lead=lead,
        facts=_facts(totals, manifest, preset, sum(rule.differs for rule in rules)),
        warnings=warnings,
        key_facts=key_facts(frames),
        sections=sections(frames, drawn, order),
        samples=told,
        preset=preset,
        rules=rules,
        agents=agent_rows(manifest),
        provenance=provenance_rows(manifest),
        tables_at=tables.name,
        pictures_at=plots.name if plots is not None else "",
    )
    write_bytes(page, rendered_page(whole).encode())
    return Report(page, tables, plots, tuple(lead), tuple(warnings))


def _usual_page(run: RunFolder, variant: int) -> Path:
    if not isinstance(run, LocalFolder):
        raise RunError(f"{run} is not on this machine: give a place for the page with --out FILE")
    return run.root / f"report{_marked(variant)}.html"


def _marked(variant: int) -> str:
    """What the names of files of a further variant of the rules end with."""
    return f"-rules-{variant}" if variant else ""


def _title(order: list[str]) -> str:
    if len(order) == 1:
        return f"{order[0]} against itself"
    if len(order) == 2:
        return f"{order[0]} against {order[1]}"
    if len(order) <= MOST_IN_TITLE:
        return f"{', '.join(order[:-1])} and {order[-1]}"
    return f"{len(order)} line-ups of Hand and Foot"


def _facts(
    totals: stats.Totals, manifest: Mapping[str, Any], preset: str, changed: int
) -> list[tuple[str, str]]:
    """What was played, in short."""
    fields = totals.rules or {}
    players, teams = int(fields["players"]), int(fields["teams"])
    form = f"{players} players" + ("" if players == teams else f" in {teams} teams")
    fields_changed = f", {changed} field{'s' * (changed > 1)} changed" if changed else ""
    sets = totals.matches // max(1, totals.mirrors)
    facts = [
        ("matches", f"{totals.matches:,}"),
        ("line-ups", f"{len(totals.agents)}"),
        ("form", form),
        ("deals a match", str(totals.deals)),
        ("rules", f"{preset}{fields_changed}"),
        ("seed", str(manifest.get("seed", "unknown"))),
    ]
    if totals.mirrors > 1:
        facts.insert(1, (sets_called(totals.mirrors), f"{sets:,}"))
    return facts


def _warnings(totals: stats.Totals) -> list[str]:
    """What the reader has to know before anything else."""
    said = []
    if not totals.complete:
        said.append(
            f"The run is unfinished: {totals.matches:,} of {totals.planned:,} matches are "
            "counted here."
        )
    if totals.skipped:
        names = ", ".join(Path(path).name for path in totals.skipped)
        said.append(f"Shards that can't be read are left out: {names}.")
    lost = {agent: number for agent, number in totals.forfeits.items() if number}
    if lost:
        names = ", ".join(f"{agent} {number:,}" for agent, number in lost.items())
        said.append(
            f"Matches forfeited: {names}. They count in margins and standings and are left out of "
            "all figures of play."
        )
    if totals.variants > 1:
        said.append(
            f"The run was played by {totals.variants} variants of the rules; this page is of one."
        )
    return said


def _samples(
    run: RunFolder, variant: int, manifest: Mapping[str, Any], frames: Mapping[str, pd.DataFrame]
) -> list[Sample]:
    """Matches of the pairing of the two best line-ups that met."""
    meetings = frames["head_to_head"]
    if meetings.empty:
        return []
    place = {str(agent): number for number, agent in enumerate(frames["standings"]["agent"])}
    sums = meetings["agent"].map(place) + meetings["opponent"].map(place)
    pairing = int(meetings["pairing"].to_numpy()[int(np.argmin(sums.to_numpy(np.float64)))])
    if len(meetings_of(manifest)) <= pairing:
        return []
    return samples(manifest, source_of(run, variant).tables, pairing)
