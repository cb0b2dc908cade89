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
import re
import warnings
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
from handfoot_sim.playing import BATCH, Driver, OnIllegal, play
from handfoot_sim.results import deals_table, read_shard, rows_of
from handfoot_sim.rules import FIELD_NAMES, Rules
from handfoot_sim.tally import Tally, tally_rows

FORMAT: Final = "handfoot-run-1"
_SHARD: Final = re.compile(r"deals-(\d{6,})\.parquet")
LEAST_SHARD: Final = 500
LARGEST_SHARD: Final = 10_000
LARGEST_TABLE: Final = 250_000
"""Rows of a shard (measured: 0.1 kB each, and as much again while it is written)."""
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
    on_illegal: OnIllegal = "stop"

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


def shard_size(matches: int, mirrors: int, rules: Rules) -> int:
    """Matches of a shard: an eighth of the run within 500 and 10,000, whole sets of mirrors.

    Fewer where a match has so many deals that the table would not fit in little memory.
    """
    fitting = max(1, LARGEST_TABLE // (rules.deals * rules.teams))
    wanted = min(LARGEST_SHARD, fitting, max(LEAST_SHARD, -(-matches // 8)))
    return -(-wanted // mirrors) * mirrors


def play_rows(work: Work, pairing: Pairing, number: int) -> np.ndarray:
    """Play a shard; its rows as the engine writes them."""
    first, count = work.span(number)
    return play(
        pairing, seed=work.seed, first_match=first // pairing.mirrors, count=count,
        dealer=work.dealer, driver=work.driver, batch=work.batch, on_illegal=work.on_illegal,
    )  # fmt: skip


def finish_shard(
    work: Work, pairing: Pairing, number: int, rows: np.ndarray, folder: Path | None
) -> Shard:
    """Add up a shard that was played; write it into ``folder``, or keep its table."""
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
    if number >= work.shards:
        raise RunError(f"shard {path} is not one of this run's {work.shards}; take it away")
    table = read_shard(path)
    first, count = (matches // mirrors for matches in work.span(number))
    wanted = np.repeat(np.arange(first, first + count), mirrors * rules.deals * rules.teams)
    if not np.array_equal(table.column("match").to_numpy(), wanted):
        raise RunError(
            f"shard {path} does not hold the matches it should; delete it and run the same "
            "command again to play it anew"
        )
    return tally_rows(rows_of(table, rules.deals, rules.teams), mirrors)


def play_missing(
    work: Work, folder: Path | None, done: set[int], jobs: int, pairing: Pairing
) -> Iterator[Shard]:
    """Play the shards that are not ``done`` on ``jobs`` workers, in whatever order they finish.

    The fused driver's workers are threads, as its compiled code holds no lock; those of the
    lockstep driver are processes, which are not worth starting for a few matches. Threads play
    the ``pairing`` as it was loaded; processes load it anew and see that it is the same.
    """
    missing = [number for number in range(work.shards) if number not in done]
    matches = sum(work.span(number)[1] for number in missing)
    few = work.driver == "lockstep" and matches < WORTH_A_PROCESS
    if jobs == 1 or len(missing) <= 1 or few:
        yield from _play_alone(work, pairing, missing, folder)
        return
    backend = "threading" if work.driver == "fused" else "loky"
    workers = joblib.Parallel(
        n_jobs=jobs, backend=backend, return_as="generator_unordered", batch_size=1
    )
    loaded = pairing if backend == "threading" else None
    sources = sources_of(pairing)
    tasks = (joblib.delayed(_attempt)(work, number, folder, loaded, sources) for number in missing)
    outcomes = workers(tasks)
    try:
        for outcome in outcomes:
            if isinstance(outcome, HandfootError):
                raise outcome
            yield outcome
    finally:
        with warnings.catch_warnings():  # joblib warns of what an error leaves unfinished
            warnings.simplefilter("ignore")
            outcomes.close()


def _play_alone(
    work: Work, pairing: Pairing, missing: list[int], folder: Path | None
) -> Iterator[Shard]:
    """Play shards one after the other; each is added up and written while the next is played."""
    with ThreadPoolExecutor(max_workers=1) as background:
        waiting: Future[Shard] | None = None
        for number in missing:
            rows = play_rows(work, pairing, number)
            if waiting is not None:
                yield waiting.result()
            waiting = background.submit(finish_shard, work, pairing, number, rows, folder)
        if waiting is not None:
            yield waiting.result()


def sources_of(pairing: Pairing) -> tuple[str, ...]:
    """Hashes of the sources of a pairing's agents."""
    return tuple(source_hash(agent) for agent in pairing.agents)


def _attempt(
    work: Work, number: int, folder: Path | None, pairing: Pairing | None, sources: tuple[str, ...]
) -> Shard | HandfootError:
    """Play a shard in a worker; errors for the user come back as values, other shards go on."""
    try:
        playing = pairing or work.pairing()
        if pairing is None and sources_of(playing) != sources:
            raise RunError(
                "the file of an agent was changed while the run went on; put it back and run the "
                "same command again to go on, or start a new run"
            )
        return finish_shard(work, playing, number, play_rows(work, playing, number), folder)
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
        "on_illegal": work.on_illegal,
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
    try:
        if path.exists():
            _check_same(path, manifest)
        elif folder.exists() and not _is_unused(folder):
            raise RunError(
                f"{folder} is not empty and holds no run; give another folder with --out"
            )
        (folder / "shards").mkdir(parents=True, exist_ok=True)
        if not path.exists() or read_manifest(folder).get("on_illegal") != manifest["on_illegal"]:
            _write_manifest(path, manifest)
    except OSError as error:
        raise writing_failed(folder, error) from error
    found = (_SHARD.fullmatch(each.name) for each in (folder / "shards").iterdir())
    return {int(each[1]) for each in found if each}


def _is_unused(folder: Path) -> bool:
    """Whether a folder holds nothing but what a run leaves that could not write its manifest."""
    left = [each for each in folder.iterdir() if not each.name.startswith(".manifest.json.")]
    return not left or (left == [folder / "shards"] and not any(left[0].iterdir()))


def _write_manifest(path: Path, manifest: dict[str, Any]) -> None:
    waiting = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        waiting.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
        waiting.replace(path)
    finally:
        waiting.unlink(missing_ok=True)


def _check_same(path: Path, manifest: dict[str, Any]) -> None:
    earlier = read_manifest(path.parent)
    wanted = json.loads(json.dumps(manifest))
    for name in wanted:
        # Versions are told, and both drivers play the same bits.
        if name in ("versions", "driver") or earlier.get(name) == wanted[name]:
            continue
        # What was finished before the run stopped holds no forfeit, so it is what it would be.
        if name == "on_illegal" and (earlier.get(name), wanted[name]) == ("stop", "forfeit"):
            continue
        if name == "engine":
            raise RunError(
                f"{path.parent} holds a run of another version of the engine, which may play "
                "otherwise; give another folder with --out"
            )
        changed = " (the file of an agent was changed?)" if name == "agents" else ""
        raise RunError(
            f"{path.parent} holds a run with another value of {name!r}{changed}; give another "
            "folder with --out, or the same command to go on with that run"
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
