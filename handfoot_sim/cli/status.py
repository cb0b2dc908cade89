"""``handfoot status``: how far a run folder is."""

from __future__ import annotations

import shlex

import click
from tabulate import tabulate

from handfoot_sim.runs.carrying import fill, recorded_ledgers
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.runs.manifest import read_manifest
from handfoot_sim.runs.shards import shards_in
from handfoot_sim.tuning.best import BEST
from handfoot_sim.tuning.evaluations import EVALUATIONS
from handfoot_sim.tuning.leagues.payoffs import PAYOFFS
from handfoot_sim.tuning.leagues.playing import ENDED, GENERATIONS
from handfoot_sim.tuning.records import is_record, read_record

SWEPT = "sweep.csv"
"""Table of a sweep, which is written when it is finished."""

MOST_PAIRINGS = 30
"""Pairings that are all shown; of more only those that are not finished."""


def stages_text(place: RunFolder, book: str) -> str:
    """How many batches of each stage a book holds."""
    stages: dict[str, int] = {}
    for name in place.names(book):
        stage = name.partition("-")[0]
        stages[stage] = stages.get(stage, 0) + 1
    return ", ".join(f"{stage} {count:,}" for stage, count in stages.items()) or "none yet"


def league_status(place: RunFolder) -> str:
    """How far a league is: meetings, finished generations, and the one that is being tuned."""
    begun = place.names(GENERATIONS)
    tuned = [each for each in begun if BEST in place.names(f"{GENERATIONS}/{each}")]
    meetings = sum(name.startswith(f"{PAYOFFS}-") for name in place.names(PAYOFFS))
    text = f"{place}: league, {meetings:,} meetings, {len(tuned)} generations tuned"
    for each in begun:
        if each not in tuned:
            told = stages_text(place, f"{GENERATIONS}/{each}/{EVALUATIONS}")
            text += f"; generation {int(each)}, batches by stage: {told}"
    return f"{text}\n\n"


def tuning_status(place: RunFolder) -> str:
    """How far a search, a league or a sweep is: what its book holds, by stage."""
    record = read_record(place)
    if record.kind == "league":
        head = league_status(place)
    else:
        told = stages_text(place, EVALUATIONS)
        head = f"{place}: {record.kind}, batches of evaluations by stage: {told}\n\n"
    again = shlex.join(["handfoot", "resume", str(place)])
    end = "a process is playing into it now" if place.is_locked() else f"to go on: {again}"
    if BEST in place.names():
        end = f"finished; its answer is {place.place(BEST)}"
    if SWEPT in place.names("tables"):
        end = f"finished; its table is {place.place(f'tables/{SWEPT}')}"
    if ENDED in record.settled:
        end = f"finished: {record.settled[ENDED]}"
    return head + end


@click.command()
@click.argument("folder", metavar="DIR")
def command(folder: str) -> None:
    """Say how far the run in DIR is, and how to go on."""
    place = folder_at(folder)
    if is_record(place):
        click.echo(tuning_status(place))
        return
    manifest = read_manifest(place)
    found = shards_in(place)
    ledgers = recorded_ledgers(manifest)
    fill(ledgers, place, found, lambda sentence: click.echo(sentence, err=True))
    counts = [sum(key.matches for key in found.get(n, [])) for n in range(len(ledgers))]
    rows = []
    for ledger, count in zip(ledgers, counts, strict=True):
        state = "decided" if ledger.decided else "done" if ledger.finished else "to play"
        if len(ledgers) <= MOST_PAIRINGS or not ledger.finished:
            sides = f"{ledger.labels[0]} - {ledger.labels[-1]}"
            rows.append((sides[:60], f"{count:,}", f"{ledger.work.matches:,}", state))
    total = sum(each.done if each.decided else each.work.matches for each in ledgers)
    there = sum(
        each.done if each.decided else count for each, count in zip(ledgers, counts, strict=True)
    )
    shards = sum(len(keys) for keys in found.values())
    click.echo(
        f"{folder}: {manifest.kind}, {len(ledgers)} pairing{'s' * (len(ledgers) > 1)}, "
        f"{there:,} of {total:,} matches "
        f"({100 * there / max(total, 1):.1f} %) in {shards:,} shards, seed {manifest.seed}"
    )
    for number, segment in enumerate(manifest.segments, 1):
        click.echo(f"segment {number}, forced: {'; '.join(segment.changes)}")
    if rows:
        headers = ("pairing", "played", "planned", "state")
        align = ("left", "right", "right", "left")
        click.echo("\n" + tabulate(rows, headers, disable_numparse=True, colalign=align))
    if place.is_locked():
        click.echo("\na process is playing into it now")
    elif there < total:
        click.echo(f"\nto go on: {shlex.join(['handfoot', 'resume', folder])}")
