"""The book of evaluations: each batch is played once, and kept in a Parquet file of its own.

A search, its tests and its curves are programs that ask for one batch after the other, and what
they ask for next depends on nothing but what came before. So a run that was killed is gone on with
by running the same program again: batches that are in the book are read, and the first one that
is not is played.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handfoot_sim.agent.interface import Agent
from handfoot_sim.agent.loading import load_agent, source_hash
from handfoot_sim.errors import RunError, first_line
from handfoot_sim.runs.engines import Engine, Play, players
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.tuning.batches import Batch, Evaluated, UnitResult, assembled, slices

EVALUATIONS: Final = "evaluations"
"""Folder of a run in which they lie."""
PARAMS: Final = "params."
"""Before the names of parameters in the columns of a file."""
_ABOUT: Final = b"handfoot-evaluations"
BATCHES: Final = 10**9
"""Matches that are certainly enough to be worth a second worker."""

OnBatch = Callable[[Evaluated, bool], object]
"""Called with what came of a batch, and whether it was read from the book."""


class Book:
    """The evaluations of a run, in the folder ``place`` of its own, or in memory.

    ``spent``: seconds of playing by stage (the name of a batch up to its first hyphen); ``idle``:
    seconds between batches, which went into the search itself.
    """

    def __init__(
        self,
        folder: RunFolder | None,
        play: Play[list[UnitResult]],
        on_batch: OnBatch = lambda evaluated, read: None,
        on_matches: Callable[[int], object] = lambda matches: None,
        tell: Callable[[str], object] = lambda sentence: None,
        place: str = EVALUATIONS,
    ) -> None:
        self.folder, self.tell, self.place = folder, tell, place
        self._play, self._on_batch, self._on_matches = play, on_batch, on_matches
        self._there = set(folder.names(place)) if folder is not None else set()
        self.spent: dict[str, float] = {}
        self.matches: dict[str, int] = {}
        self.played = 0
        self.busy = 0.0

    def evaluate(self, batch: Batch) -> Evaluated:
        """What came of a batch: read if it is in the book, else played and written into it."""
        found = self._read(batch)
        read = found is not None
        if found is None:
            found = self._played(batch)
            if self.folder is not None:
                self.folder.write(self._file(batch), evaluations_bytes(found))
        stage = batch.name.partition("-")[0]
        self.spent[stage] = self.spent.get(stage, 0.0) + found.seconds
        self.matches[stage] = self.matches.get(stage, 0) + found.matches
        if read:
            self._on_matches(found.matches)
        self._on_batch(found, read)
        return found

    def _played(self, batch: Batch) -> Evaluated:
        start = time.monotonic()
        agent = batch.setting.agent
        loaded = agent if isinstance(agent, Agent) else load_agent(agent)
        if not loaded.batch:
            _compile(batch, loaded)
        results: list[UnitResult] = []
        for each in self._play(slices(batch, source_hash(loaded))):
            results += each
            self._on_matches(sum(result.matches for result in each))
        seconds = time.monotonic() - start
        self.busy += seconds
        found = assembled(batch, results, seconds)
        self.played += found.matches
        return found

    def _read(self, batch: Batch) -> Evaluated | None:
        name = self._file(batch)
        if self.folder is None or name.rpartition("/")[2] not in self._there:
            return None
        try:
            # Without buffers read ahead: Arrow's threads may still hold those, which are Python's,
            # when the process ends, and would abort it.
            table = pq.read_table(io.BytesIO(self.folder.read(name)), pre_buffer=False)
            about = json.loads((table.schema.metadata or {})[_ABOUT])
            asked, found = about["asked"], _evaluated(batch, table, about)
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
            place = self.folder.place(name)
            self.tell(f"{place} is damaged ({first_line(error)}) and is played anew")
            return None
        if asked != _asked(batch):
            raise RunError(
                f"{self.folder.place(name)} holds another batch than this search asks for; give "
                "another folder with --out"
            )
        return found

    def _file(self, batch: Batch) -> str:
        return f"{self.place}/{batch.name}.parquet"


@contextmanager
def playing(engine: Engine, compiled: bool) -> Iterator[Play[list[UnitResult]]]:
    """The workers that play batches: those of an engine, kept from batch to batch."""
    with players(engine.chosen(compiled, BATCHES), engine) as play:
        yield play


def _compile(batch: Batch, agent: Agent) -> None:
    """Compile here, not in several threads at once."""
    from handfoot_sim.engine.pairing import make_pairing

    for member in batch.pool.members:
        make_pairing((agent, member.lineup), batch.setting.rules).seated()


def _asked(batch: Batch) -> dict[str, Any]:
    """What tells a batch from another one of the same name."""
    return {
        "seed": batch.seed,
        "first": batch.first,
        "blocks": batch.blocks,
        "counts": list(batch.counts),
        "pool": list(batch.pool.labels),
        "weights": batch.pool.weights.tolist(),
        "requests": [[request.role, request.params] for request in batch.requests],
    }


def evaluations_bytes(found: Evaluated) -> bytes:
    """The Parquet file of a batch: a row a request, and in its metadata how it was asked for."""
    batch = found.batch
    columns: dict[str, Any] = {
        "batch": [batch.name] * len(batch.requests),
        "role": [request.role for request in batch.requests],
        "value": found.values,
        "error": found.errors,
        "pairs": np.full(len(batch.requests), batch.cards),
        "failure": pa.array([message or None for message in found.messages], pa.string()),
        "margins": pa.array(found.margins.tolist(), pa.list_(pa.list_(pa.float64()))),
        "squares": pa.array(found.squares.tolist(), pa.list_(pa.float64())),
    }
    for name in batch.requests[0].params:
        columns[PARAMS + name] = [request.params[name] for request in batch.requests]
    about = {"asked": _asked(batch), "matches": found.matches, "seconds": found.seconds}
    table = pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(about).encode()})
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def _evaluated(batch: Batch, table: pa.Table, about: dict[str, Any]) -> Evaluated:
    shape = len(batch.requests), len(batch.counts), batch.blocks
    margins = np.array(table["margins"].to_pylist(), np.float64).reshape(shape)
    squares = np.array(table["squares"].to_pylist(), np.float64).reshape(shape[:2])
    messages = tuple(str(message or "") for message in table["failure"].to_pylist())
    return Evaluated(
        batch, margins, squares, messages, int(about["matches"]), float(about["seconds"])
    )
