"""Carry a run on: play what its pairings still lack, and keep their ledgers."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from handfoot_sim.agent.loading import file_named, source_hash
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.errors import RunError
from handfoot_sim.results import SCHEMA
from handfoot_sim.runs.engines import Engine, Task, play_tasks
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.runs.manifest import (
    Kind,
    Manifest,
    new_manifest,
    read_manifest,
    write_manifest,
)
from handfoot_sim.runs.merging import as_recorded, merged, turned
from handfoot_sim.runs.shards import Damaged, ShardKey, missing, read_figures, shards_in
from handfoot_sim.runs.work import Keeping, Work, sources_of
from handfoot_sim.stopping import STEP, StopRule, rule_asked, seconds_of

OnShard = Callable[[int, Sequence[Ledger]], object]
"""Called with the number of matches that came in, and the ledgers of all pairings."""


@dataclass(frozen=True)
class Run:
    """What is to be played: the work of each pairing, in order, and when it is enough.

    ``asked`` goes into the manifest as it is; ``step`` are the matches between two looks at the
    ``rule``; ``seconds`` is a time budget.
    """

    works: tuple[Work, ...]
    pairings: tuple[Pairing, ...]
    kind: Kind = "compare"
    asked: dict[str, Any] = field(default_factory=dict)
    rule: StopRule | None = None
    step: int = 0
    seconds: float | None = None


@dataclass
class Played:
    """What came of a run.

    ``run`` holds all pairings of its folder, with the numbers they have there; ``tables`` the
    Arrow tables of shards, in order, where they were kept in memory; ``played`` the matches played
    now, in ``seconds``.
    """

    run: Run
    manifest: Manifest
    ledgers: list[Ledger]
    tables: tuple[pa.Table, ...] = ()
    played: int = 0
    seconds: float = 0.0


def carry_on(
    run: Run,
    engine: Engine,
    folder: RunFolder | None = None,
    *,
    force: bool = False,
    keep_tables: bool = False,
    on_shard: OnShard | None = None,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Played:
    """Play what a run lacks; with a ``folder`` into it, going on with what it holds.

    ``tell`` is given sentences about shards that are played anew. Raises ``RunError`` for a folder
    that holds another run or is played into already, and whatever playing raises.
    """
    if folder is None:
        manifest = new_manifest(run.works, run.pairings, run.kind, run.asked)
        run = replace(run, works=_numbered(run.works))
        return _play(run, manifest, engine, None, {}, keep_tables, on_shard, tell)
    if not folder.is_run() and not folder.is_unused():
        raise RunError(f"{folder} is not empty and holds no run; give another folder with --out")
    folder.prepare()
    with folder.locked():
        folder.sweep()
        run, manifest, found = opened(run, folder, force)
        return _play(run, manifest, engine, folder, found, False, on_shard, tell)


def run_of(manifest: Manifest) -> Run:
    """The run that a manifest tells of, its agents loaded as they are now."""
    works = tuple(manifest.works())
    asked = manifest.asked
    rule = rule_asked(asked)
    time_asked = asked.get("time")
    return Run(
        works,
        tuple(work.pairing() for work in works),
        manifest.kind,
        asked,
        rule,
        step=asked.get("step", STEP) if rule else 0,
        seconds=seconds_of(time_asked) if time_asked else None,
    )


def _numbered(works: Sequence[Work]) -> tuple[Work, ...]:
    return tuple(replace(work, number=number) for number, work in enumerate(works))


def opened(
    run: Run, folder: RunFolder, force: bool
) -> tuple[Run, Manifest, dict[int, list[ShardKey]]]:
    """Begin a run in a folder, or join it with the one it holds; what shards there are.

    The run that comes back has every pairing of the folder, by its number.
    """
    if not folder.is_run():
        wanted = new_manifest(run.works, run.pairings, run.kind, run.asked)
        keep_sources(run, folder)
        write_manifest(folder, wanted)
        return replace(run, works=_numbered(run.works)), wanted, shards_in(folder)
    earlier = read_manifest(folder)
    if run.kind == "tournament":
        works_now, pairings_now = turned(run.works, run.pairings, earlier)
        run = replace(run, works=tuple(works_now), pairings=tuple(pairings_now))
    wanted = new_manifest(run.works, run.pairings, run.kind, run.asked)
    keep_sources(run, folder)
    found = shards_in(folder)
    there = {
        number: max(
            (key.stop for key in found.get(number, []) if key.stop <= each.matches), default=0
        )
        for number, each in enumerate(earlier.pairings)
    }
    manifest = merged(earlier, wanted, folder, force, there)
    if len(manifest.segments) > len(earlier.segments):
        counts = {str(n): sum(key.matches for key in keys) for n, keys in found.items()}
        manifest.segments[-1].done = counts
    if manifest != earlier:
        write_manifest(folder, manifest)
    works = {work.number: work for work in as_recorded(run.works, wanted, manifest)}
    pairings = dict(zip(works, run.pairings, strict=True))
    for work in manifest.works() if len(works) < len(manifest.pairings) else ():
        if work.number not in works:
            works[work.number], pairings[work.number] = work, work.pairing()
    numbers = sorted(works)
    return (
        replace(
            run,
            works=tuple(works[number] for number in numbers),
            pairings=tuple(pairings[number] for number in numbers),
        ),
        manifest,
        found,
    )


def keep_sources(run: Run, folder: RunFolder) -> None:
    """Keep a copy of each agent's file in ``agents/``, named by the hash of its source.

    Such a copy is an agent's frozen version: what was played, whatever becomes of the file.
    """
    kept = set(folder.names("agents"))
    for pairing in run.pairings:
        for agent in pairing.agents:
            file = file_named(agent.specification or "")
            path = Path(file or "")
            name = f"{path.stem}-{source_hash(agent)}{path.suffix}" if file else ""
            if file and name not in kept:
                folder.write(f"agents/{name}", Path(file).read_bytes())
                kept.add(name)


def empty_ledgers(run: Run) -> list[Ledger]:
    """Ledgers of a run of which nothing has been played."""
    return [
        Ledger(work, pairing.labels, run.rule, run.step)
        for work, pairing in zip(run.works, run.pairings, strict=True)
    ]


def recorded_ledgers(manifest: Manifest) -> list[Ledger]:
    """Empty ledgers of the run that a manifest tells of; its agents need not be there any more."""
    rule = rule_asked(manifest.asked)
    step = manifest.asked.get("step", STEP) if rule else 0
    works = manifest.works(to_play=False)
    return [
        Ledger(work, tuple(pairing.labels), rule, step)
        for work, pairing in zip(works, manifest.pairings, strict=True)
    ]


def fill(
    ledgers: list[Ledger],
    folder: RunFolder,
    found: dict[int, list[ShardKey]],
    tell: Callable[[str], object] = lambda sentence: None,
) -> list[Ledger]:
    """Fill empty ledgers from the shards of their folder; ``found`` loses the damaged ones.

    ``tell`` is given a sentence for each of these. Raises ``RunError`` for a shard that is not of
    this run.
    """
    for number, keys in found.items():
        if number >= len(ledgers):
            raise RunError(
                f"shard {folder.place(keys[0].name)} is not one of this run's "
                f"{len(ledgers)} pairings; take it away"
            )
        work = ledgers[number].work
        for key in list(keys):
            if key.stop > work.matches or key.first % work.mirrors or key.stop % work.mirrors:
                raise RunError(
                    f"shard {folder.place(key.name)} is not one of this run's "
                    f"{work.matches:,} matches; take it away"
                )
            try:
                figures = read_figures(folder, key, work.rows_of(key), len(SCHEMA))
            except Damaged as error:
                tell(f"shard {folder.place(key.name)} is damaged ({error}) and is played anew")
                keys.remove(key)
                continue
            ledgers[number].add(figures)
    return ledgers


def pending(
    run: Run, ledgers: Sequence[Ledger], found: dict[int, list[ShardKey]], until: float | None
) -> Iterator[tuple[int, ShardKey]]:
    """What is to be played, pairing by number: the first cards of all pairings before the next.

    Ends when ``time.monotonic()`` is past ``until``; leaves out pairings as they are decided.
    """
    lacking = (
        missing(found.get(number, []), number, work.matches, work.shard_matches)
        for number, work in enumerate(run.works)
    )
    for key in heapq.merge(*lacking, key=lambda each: (each.first, each.pairing)):
        if until is not None and time.monotonic() >= until:
            return
        if not ledgers[key.pairing].decided:
            yield key.pairing, key


def _tasks(
    run: Run,
    ledgers: Sequence[Ledger],
    found: dict[int, list[ShardKey]],
    keeping: Keeping,
    near: bool,
    until: float | None,
) -> Iterator[Task]:
    """What is to be played, as tasks for workers of this process (``near``) or others."""
    for pairing in run.pairings if near else ():
        pairing.seated()  # compiled here, not in several threads at once
    sources = [sources_of(pairing) for pairing in run.pairings]
    for number, key in pending(run, ledgers, found, until):
        loaded = run.pairings[number] if near else None
        yield Task(run.works[number], key, keeping, loaded, sources[number])


def _play(
    run: Run,
    manifest: Manifest,
    engine: Engine,
    folder: RunFolder | None,
    found: dict[int, list[ShardKey]],
    keep_tables: bool,
    on_shard: OnShard | None,
    tell: Callable[[str], object],
) -> Played:
    """Play what is missing and keep the books; what a rule made superfluous is thrown away."""
    ledgers = empty_ledgers(run)
    if folder is not None:
        fill(ledgers, folder, found, tell)
    there = sum(key.matches for keys in found.values() for key in keys)
    if on_shard:
        on_shard(there, ledgers)
    start = time.monotonic()
    until = None if run.seconds is None else start + run.seconds
    left = sum(work.matches for work in run.works) - there
    backend = engine.chosen(all(pairing.compiled for pairing in run.pairings), left)
    keeping = Keeping(folder, keep_tables, len(manifest.segments))
    tasks = _tasks(run, ledgers, found, keeping, backend in ("alone", "threading"), until)
    tables: dict[ShardKey, pa.Table] = {}
    come: list[ShardKey] = []
    with closing(play_tasks(tasks, backend, engine)) if left else nullcontext(()) as shards:
        for shard in shards:
            ledgers[shard.key.pairing].add(shard.figures)
            come.append(shard.key)
            if shard.table is not None:
                tables[shard.key] = shard.table
            if on_shard:
                on_shard(shard.key.matches, ledgers)
    seconds = time.monotonic() - start
    for key in [*come, *(key for keys in found.values() for key in keys)]:
        if ledgers[key.pairing].is_surplus(key):
            tables.pop(key, None)
            if folder is not None:
                folder.delete(key.name)
    ordered = tuple(tables[key] for key in sorted(tables))
    return Played(run, manifest, ledgers, ordered, sum(key.matches for key in come), seconds)
