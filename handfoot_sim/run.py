"""A run: matches of a pairing cut into shards, played by any number of workers.

A shard is a range of matches; what is in it follows from the manifest alone, so shards can be
played in any order, by anybody, again and again, and a run that was broken off goes on with the
shards that are missing. In a run folder there are ``manifest.json``, ``shards/`` with one Parquet
file of the table ``deals`` a shard, and ``transcripts.jsonl.gz`` where asked for.
"""

from __future__ import annotations

import errno
import json
import os
import platform
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import joblib
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handfoot_sim import jit
from handfoot_sim.agent.loading import source_hash
from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.errors import HandfootError, RunError
from handfoot_sim.playing import BATCH, Driver, play
from handfoot_sim.results import deals_table, read_shard, rows_of
from handfoot_sim.rules import FIELD_NAMES, Rules
from handfoot_sim.tally import Tally, tally_rows

FORMAT: Final = "handfoot-run-1"
LEAST_SHARD: Final = 500
LARGEST_SHARD: Final = 10_000
WORTH_A_PROCESS: Final = 4_000
"""Matches in lockstep for which processes are started (starting two takes about 2 s)."""


@dataclass(frozen=True)
class Work:
    """What is to be played; small enough to be sent to every worker.

    ``lineups`` are specifications of agents (or agents), one line-up each as ``make_pairing``
    takes them; ``matches`` is a whole number of sets of mirrors.
    """

    lineups: tuple[Any, ...]
    rules: Rules
    seed: int
    matches: int
    dealer: int
    duplicate: bool
    driver: Driver
    shard_matches: int
    batch: int = BATCH

    def pairing(self) -> Pairing:
        """The pairing, its agents loaded."""
        return make_pairing(self.lineups, self.rules, self.duplicate)

    @property
    def shards(self) -> int:
        """How many shards the run has."""
        return -(-self.matches // self.shard_matches)

    def span(self, shard: int) -> tuple[int, int]:
        """First match and number of matches of a shard."""
        first = shard * self.shard_matches
        return first, min(self.shard_matches, self.matches - first)


@dataclass(frozen=True)
class Shard:
    """A shard that has been played: its figures, and its table where it was not written."""

    number: int
    tally: Tally
    table: pa.Table | None


def shard_size(matches: int, mirrors: int) -> int:
    """Matches of a shard: an eighth of the run within 500 and 10,000, whole sets of mirrors."""
    wanted = min(LARGEST_SHARD, max(LEAST_SHARD, -(-matches // 8)))
    return -(-wanted // mirrors) * mirrors


def play_rows(work: Work, number: int) -> np.ndarray:
    """Play a shard; its rows as the engine writes them."""
    pairing = work.pairing()
    first, count = work.span(number)
    return play(
        pairing, seed=work.seed, first_match=first // pairing.mirrors, count=count,
        dealer=work.dealer, driver=work.driver, batch=work.batch,
    )  # fmt: skip


def finish_shard(work: Work, number: int, rows: np.ndarray, folder: Path | None) -> Shard:
    """Add up a shard that was played; write it into ``folder``, or keep its table."""
    pairing = work.pairing()
    table = deals_table(pairing, rows, work.span(number)[0] // pairing.mirrors)
    tally = tally_rows(rows, pairing.mirrors)
    if folder is None:
        return Shard(number, tally, table)
    write_shard(table, shard_path(folder, number))
    return Shard(number, tally, None)


def shard_path(folder: Path, number: int) -> Path:
    """Where a shard of a run folder is."""
    return folder / "shards" / f"deals-{number:06d}.parquet"


def write_shard(table: pa.Table, path: Path) -> None:
    """Write a shard under a temporary name and rename it, so that it is there whole or not."""
    waiting = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        pq.write_table(table, waiting, compression="zstd")
        waiting.replace(path)
    except OSError as error:
        waiting.unlink(missing_ok=True)
        raise writing_failed(path, error) from error


def writing_failed(path: Path, error: OSError) -> RunError:
    """The error for something that can't be written."""
    if error.errno == errno.ENOSPC:
        what = "the disk is full; free some space and run the same command again to go on"
    else:
        what = error.strerror or str(error)
    failure = RunError(f"{path} can't be written: {what}")
    failure.exit_code = 1
    return failure


def tally_of_shard(work: Work, folder: Path, number: int) -> Tally:
    """Figures of a shard that was written earlier."""
    rules, mirrors = work.rules, work.rules.teams if work.duplicate else 1
    path = shard_path(folder, number)
    table = read_shard(path)
    if table.num_rows != work.span(number)[1] * rules.deals * rules.teams:
        raise RunError(f"shard {path} has {table.num_rows} rows, not those of its matches")
    return tally_rows(rows_of(table, rules.deals, rules.teams), mirrors)


def play_missing(work: Work, folder: Path | None, done: set[int], jobs: int) -> Iterator[Shard]:
    """Play the shards that are not ``done`` on ``jobs`` workers, in whatever order they finish.

    The fused driver's workers are threads, as its compiled code holds no lock; those of the
    lockstep driver are processes, which are not worth starting for a few matches.
    """
    missing = [number for number in range(work.shards) if number not in done]
    matches = sum(work.span(number)[1] for number in missing)
    few = work.driver == "lockstep" and matches < WORTH_A_PROCESS
    if jobs == 1 or len(missing) <= 1 or few:
        yield from _play_alone(work, missing, folder)
        return
    backend = "threading" if work.driver == "fused" else "loky"
    workers = joblib.Parallel(
        n_jobs=jobs, backend=backend, return_as="generator_unordered", batch_size=1
    )
    tasks = (joblib.delayed(_attempt)(work, number, folder) for number in missing)
    for outcome in workers(tasks):
        if isinstance(outcome, HandfootError):
            raise outcome
        yield outcome


def _play_alone(work: Work, missing: list[int], folder: Path | None) -> Iterator[Shard]:
    """Play shards one after the other; each is added up and written while the next is played."""
    with ThreadPoolExecutor(max_workers=1) as background:
        waiting: Future[Shard] | None = None
        for number in missing:
            rows = play_rows(work, number)
            if waiting is not None:
                yield waiting.result()
            waiting = background.submit(finish_shard, work, number, rows, folder)
        if waiting is not None:
            yield waiting.result()


def _attempt(work: Work, number: int, folder: Path | None) -> Shard | HandfootError:
    """Play a shard in a worker; errors for the user come back as values, other shards go on."""
    try:
        return finish_shard(work, number, play_rows(work, number), folder)
    except HandfootError as error:
        return error


def manifest_of(work: Work, pairing: Pairing, kind: str = "compare") -> dict[str, Any]:
    """What was asked and with what it is played; equal manifests make equal shards."""
    rules = {name: getattr(work.rules, name) for name in FIELD_NAMES}
    rules["meld_minimums"] = list(work.rules.meld_minimums)
    return {
        "format": FORMAT,
        "kind": kind,
        "lineups": [list(_line(lineup)) for lineup in pairing.lineups],
        "labels": list(pairing.labels),
        "agents": [
            {
                "label": agent.label,
                "class": f"{type(agent).__module__}:{type(agent).__qualname__}",
                "params": agent.params,
                "source": source_hash(agent),
            }
            for agent in pairing.agents
        ],
        "matches": work.matches,
        "mirrors": pairing.mirrors,
        "seed": work.seed,
        "dealer": work.dealer,
        "driver": work.driver,
        "shard_matches": work.shard_matches,
        "rules": rules,
        "engine": jit.source_hash(),
        "versions": {
            "handfoot-sim": version("handfoot-sim"),
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba", "pyarrow")},
        },
    }


def _line(lineup: tuple[Any, ...]) -> Iterator[str]:
    for agent in lineup:
        yield agent.label


def open_folder(folder: Path, manifest: dict[str, Any]) -> set[int]:
    """Make the run folder, or go on with one of the same manifest; numbers of shards it has.

    Raises ``RunError`` for a folder that holds another run or something else.
    """
    path = folder / "manifest.json"
    if path.exists():
        _check_same(path, manifest)
    elif folder.exists() and any(folder.iterdir()):
        raise RunError(f"{folder} is not empty and holds no run; give another folder with --out")
    try:
        (folder / "shards").mkdir(parents=True, exist_ok=True)
        if not path.exists():
            waiting = path.with_name(f".{path.name}.{os.getpid()}")
            waiting.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
            waiting.replace(path)
    except OSError as error:
        raise writing_failed(folder, error) from error
    found = (folder / "shards").glob("deals-*.parquet")
    return {int(each.stem.partition("-")[2]) for each in found}


def _check_same(path: Path, manifest: dict[str, Any]) -> None:
    earlier = read_manifest(path.parent)
    wanted = json.loads(json.dumps(manifest))
    for name in wanted:
        if name != "versions" and earlier.get(name) != wanted[name]:
            raise RunError(
                f"{path.parent} holds a run with another value of {name!r}; give another folder "
                "with --out, or the same command to go on with that run"
            )


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder; ``RunError`` if the folder is none."""
    path = Path(folder) / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunError(f"{folder} is no run folder: it has no manifest.json") from None
    except (OSError, ValueError) as error:
        raise RunError(f"{path} can't be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise RunError(f"{path} is not the manifest of a run of this version ({FORMAT})")
    return manifest
