"""Where statistics come from: run folders, results, tables and frames, as Arrow tables.

All that is known of how a run folder is laid out stands here: two formats, ``handfoot-run-1`` (one
pairing, shards by number) and ``handfoot-run-2`` (several pairings, each shard named by pairing
and range of matches). What is there is read, whether or not the run was finished.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from handfoot_sim.errors import RunError
from handfoot_sim.results import SCHEMA, Results
from handfoot_sim.runs.carrying import fill, recorded_ledgers
from handfoot_sim.runs.folder import MANIFEST, SHARDS, RunFolder, folder_at
from handfoot_sim.runs.manifest import read_manifest
from handfoot_sim.runs.shards import shards_in

NEEDED: Final = tuple(
    name for name in SCHEMA.names if name not in ("opponent", "opened_seat", "before", "forfeit")
)
"""Columns of the table ``deals`` that statistics are made from."""

FORMATS: Final = ("handfoot-run-1", "handfoot-run-2")
_FIRST: Final = re.compile(r"deals-(\d{6,8})\.parquet")
_SECOND: Final = re.compile(r"deals-(\d{4,})-(\d{9,})-(\d{9,})\.parquet")


@dataclass(frozen=True)
class Shard:
    """A shard of a run folder, by its name in it."""

    folder: RunFolder
    name: str

    def __str__(self) -> str:
        return self.folder.place(self.name)


@dataclass(frozen=True)
class Source:
    """Tables to be counted, and what is known about them.

    Attributes
    ----------
    tables : what there is: shards, Arrow tables or frames, in order
    manifest : of the run, if it is one
    rules : fields of the rules of what is read, if known
    variants : how many variants of the rules the run was played by
    planned : matches asked for, if known
    """

    tables: Iterable[Any]
    manifest: dict[str, Any] | None = None
    rules: dict[str, Any] | None = None
    variants: int = 1
    planned: int | None = None


@dataclass(frozen=True)
class _Plan:
    """What a manifest says of its pairings: those of the wanted rules, and their matches."""

    rules: dict[str, Any]
    variants: int
    planned: int
    pairings: frozenset[int] | None = field(default=None)  # None: all


def source_of(source: Any, variant: int = 0) -> Source:
    """What is to be counted: a run folder, ``Results``, frames or Arrow tables, or many of them.

    ``variant`` chooses the rules of a run with several. Raises ``RunError`` for what is none of
    these, and for a folder that holds no run that can be read.
    """
    if isinstance(source, str | os.PathLike | RunFolder):
        return _folder(folder_at(source), variant)
    if isinstance(source, Results):
        if source.folder is not None:
            return _folder(source.folder, variant)
        plan = _plan_of(source.manifest, "the results' manifest", variant)
        return Source(source.tables, source.manifest, plan.rules, plan.variants, plan.planned)
    if variant:
        raise RunError(f"there are no rules number {variant}: frames tell of no rules")
    if isinstance(source, pd.DataFrame | pa.Table):
        return Source([source])
    if isinstance(source, Iterable):
        return Source(source)
    raise RunError(
        f"{source!r} is no run folder, results, table or frame that statistics could be made from"
    )


def _folder(folder: RunFolder, variant: int) -> Source:
    manifest = _manifest(folder)
    plan = _plan_of(manifest, folder.place(MANIFEST), variant)
    shards = _shards(folder, plan.pairings)
    if not shards:
        raise RunError(
            f"{folder} holds no matches yet: the command that began the run goes on with it"
        )
    planned = plan.planned
    if manifest.get("asked", {}).get("until", "matches") != "matches":
        planned = _until_decided(folder, plan)
    return Source(shards, manifest, plan.rules, plan.variants, planned)


def _until_decided(folder: RunFolder, plan: _Plan) -> int:
    """Matches that a run with a stop rule takes: to where it ended a pairing, or all asked for."""
    ledgers = fill(recorded_ledgers(read_manifest(folder)), folder, shards_in(folder))
    return sum(
        each.done if each.decided else each.work.matches
        for number, each in enumerate(ledgers)
        if plan.pairings is None or number in plan.pairings
    )


def _manifest(folder: RunFolder) -> dict[str, Any]:
    path = folder.place(MANIFEST)
    try:
        manifest = json.loads(folder.read(MANIFEST).decode("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{folder} is no run folder: it has no manifest.json") from None
    except (OSError, ValueError) as error:
        raise RunError(f"{path} can't be read: {error}") from None
    written = manifest.get("format") if isinstance(manifest, dict) else None
    if written in FORMATS:
        return dict(manifest)
    if isinstance(written, str) and re.fullmatch(r"handfoot-run-\d+", written):
        raise RunError(
            f"{folder} was written by a newer version of handfoot-sim ({written}; this one reads "
            f"up to {FORMATS[-1]}): use that version"
        )
    raise RunError(f"{path} is not the manifest of a run")


def _plan_of(manifest: dict[str, Any], place: Any, variant: int) -> _Plan:
    try:
        if "pairings" not in manifest:
            plan = _Plan(dict(manifest["rules"]), 1, int(manifest["matches"]))
        else:
            own = {n: p for n, p in enumerate(manifest["pairings"]) if p["rules"] == variant}
            rules = manifest["rules"][variant] if 0 <= variant < len(manifest["rules"]) else {}
            planned = sum(int(pairing["matches"]) for pairing in own.values())
            plan = _Plan(dict(rules), len(manifest["rules"]), planned, frozenset(own))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise RunError(f"{place} is damaged ({what}); it can't be told what was played") from None
    if not 0 <= variant < plan.variants:
        raise RunError(
            f"there are no rules number {variant}: the run has {plan.variants}, counted from 0"
        )
    return plan


def _shards(folder: RunFolder, pairings: frozenset[int] | None) -> list[Shard]:
    """The shards of some pairings, by pairing and match."""
    try:
        names = folder.names(SHARDS)
    except OSError as error:
        raise RunError(f"{folder.place(SHARDS)} can't be read: {error.strerror}") from None
    keyed: list[tuple[int, int, int, str]] = []
    for name in names:
        if _FIRST.fullmatch(name) and pairings is None:
            keyed.append((0, 0, 0, name))
        elif (parts := _SECOND.fullmatch(name)) and pairings is not None:
            pairing, first, stop = (int(part) for part in parts.groups())
            if pairing in pairings:
                keyed.append((pairing, first, stop, name))
    keyed.sort()
    for before, after in itertools.pairwise(keyed):
        if before[0] == after[0] and after[1] < before[2]:
            raise RunError(
                f"shard {folder.place(f'{SHARDS}/{after[3]}')} holds matches that {before[3]} "
                "holds too; delete one of them"
            )
    return [Shard(folder, f"{SHARDS}/{name}") for *_, name in keyed]


def table_of(shard: Shard) -> pa.Table:
    """The needed columns of a shard; ``RunError`` names the file if it can't be read."""
    try:
        with shard.folder.open(shard.name) as opened, pq.ParquetFile(opened) as file:
            lacking = [name for name in NEEDED if name not in file.schema_arrow.names]
            table = None if lacking else file.read(columns=list(NEEDED), use_threads=False)
    except (OSError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise RunError(
            f"shard {shard} can't be read ({reason}); delete it and run the same command again to "
            "play it anew, or leave it out with --skip-corrupt"
        ) from None
    if lacking:
        raise RunError(
            f"shard {shard} has no column {lacking[0]!r}: it was written by another version of "
            "handfoot-sim; use that version, or leave it out with --skip-corrupt"
        )
    return table


def pieces(item: Any) -> Iterator[pa.Table]:
    """Arrow tables with the needed columns, from a table or frame; large ones cut up.

    Cut only where the match number changes. Raises ``RunError`` for anything else, and for
    missing columns.
    """
    if not isinstance(item, pd.DataFrame | pa.Table):
        raise RunError(f"a {type(item).__name__} is no frame or table of deals")
    names = item.column_names if isinstance(item, pa.Table) else list(item.columns)
    lacking = [name for name in NEEDED if name not in names]
    if lacking:
        more = f" (and {len(lacking) - 1} more)" if len(lacking) > 1 else ""
        raise RunError(
            f"the frame has no column {lacking[0]!r}{more}: statistics need the table deals whole"
        )
    whole = item.select(list(NEEDED)) if isinstance(item, pa.Table) else item[list(NEEDED)]
    if len(whole) > 2 * LARGEST_PIECE:
        whole = _sorted(whole)
    match = whole["match"].to_numpy()
    for start, stop in _cuts(match):
        if isinstance(whole, pa.Table):
            yield whole.slice(start, stop - start)
            continue
        try:
            yield pa.Table.from_pandas(whole.iloc[start:stop], preserve_index=False)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise RunError(f"the frame can't be read: {str(error).splitlines()[0]}") from None


LARGEST_PIECE: Final = 200_000
"""Rows that are counted at a time, about."""


def _sorted(whole: Any) -> Any:
    """A table or frame with the rows of a match together, so that it can be cut."""
    match, pairing = (whole[name].to_numpy() for name in ("match", "pairing"))
    order = np.lexsort((match, pairing))
    if (order[1:] > order[:-1]).all():
        return whole
    return whole.take(order)


def _cuts(match: Any) -> Iterator[tuple[int, int]]:
    start = 0
    while len(match) - start > 2 * LARGEST_PIECE:
        stop = start + LARGEST_PIECE
        while stop < len(match) and match[stop] == match[stop - 1]:
            stop += 1
        yield start, stop
        start = stop
    yield start, len(match)
