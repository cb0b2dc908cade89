"""The table ``deals``, one row per match, deal and team: its columns, and results of a run.

All statistics come from this table. A thing that did not happen is null.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handfoot_sim.engine.forfeits import REASONS
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.engine.rows import NULLABLE, ROW
from handfoot_sim.errors import RunError
from handfoot_sim.game.state import END_NAMES
from handfoot_sim.runs.folder import SHARDS, RunFolder

if TYPE_CHECKING:
    import pandas as pd

FLAGS: Final = ("first", "opened_from_pile", "went_out")
LABEL: Final = pa.dictionary(pa.int16(), pa.string())
NAMED: Final = {"end": END_NAMES, "forfeit": REASONS}
"""Columns that hold a name, of which a row has the number."""


def _column_type(name: str) -> pa.DataType:
    if name in FLAGS:
        return pa.bool_()
    if name in NAMED:
        return LABEL
    return pa.from_numpy_dtype(ROW[name])


SCHEMA: Final = pa.schema(
    [
        pa.field("pairing", pa.int32(), nullable=False),
        pa.field("match", pa.int64(), nullable=False),
        pa.field("mirror", pa.int8(), nullable=False),
        pa.field("deal", pa.int16(), nullable=False),
        pa.field("team", pa.int8(), nullable=False),
        pa.field("agent", LABEL, nullable=False),
        pa.field("opponent", LABEL),
        *(pa.field(name, _column_type(name), name in NULLABLE) for name in ROW.names or ()),
    ]
)
"""Arrow schema of the table ``deals``, which the shards of a run are written in."""


def opponents(labels: tuple[str, ...]) -> list[str | None]:
    """What each line-up's column ``opponent`` says: the other's label, null with several.

    With two different labels it is the other one, with one label that one.
    """
    different = sorted(set(labels))
    if len(different) > 2:
        return [None] * len(labels)
    if len(different) == 1:
        return [different[0]] * len(labels)
    return [different[1] if label == different[0] else different[0] for label in labels]


def deals_table(pairing: Pairing, rows: np.ndarray, first_match: int, number: int = 0) -> pa.Table:
    """The Arrow table of rows as the engine writes them, shape (matches, deals, teams)."""
    matches, deals, teams = rows.shape
    index = np.arange(matches)
    mirror = index % pairing.mirrors
    keys = {
        "pairing": np.full(rows.shape, number, np.int32),
        "match": _spread(first_match + index // pairing.mirrors, (1, 2), rows.shape, np.int64),
        "mirror": _spread(mirror, (1, 2), rows.shape, np.int8),
        "deal": _spread(np.arange(deals), (0, 2), rows.shape, np.int16),
        "team": _spread(np.arange(teams), (0, 1), rows.shape, np.int8),
    }
    arrays: list[Any] = [pa.array(keys[name].ravel()) for name in keys]
    lineup = (np.arange(teams)[None, :] - mirror[:, None]) % teams
    lineups = np.broadcast_to(lineup[:, None, :], rows.shape).ravel()
    arrays.append(_labels(list(pairing.labels), lineups))
    arrays.append(_labels(opponents(pairing.labels), lineups))
    flat = rows.reshape(-1)
    arrays.extend(_column(name, flat[name]) for name in ROW.names or ())
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _spread(values: Any, axes: tuple[int, ...], shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    return np.broadcast_to(np.expand_dims(values.astype(dtype), axes), shape)


def _labels(labels: list[str | None], index: np.ndarray) -> pa.DictionaryArray:
    """Dictionary array of ``labels[index]`` with each different label once, in order."""
    different = sorted({label for label in labels if label is not None})
    place = {label: number for number, label in enumerate(different)}
    codes = np.array([-1 if label is None else place[label] for label in labels], np.int16)[index]
    mask = codes < 0
    indices = pa.array(codes, mask=mask if mask.any() else None)
    return pa.DictionaryArray.from_arrays(indices, pa.array(different, pa.string()))


def _column(name: str, values: np.ndarray) -> Any:
    mask = values < 0 if name in NULLABLE else None
    if name in NAMED:
        return _names(NAMED[name], values, mask)
    if name in FLAGS:
        return pa.array(values > 0, mask=mask)
    return pa.array(np.ascontiguousarray(values), mask=mask)


def _names(names: tuple[str, ...], values: np.ndarray, mask: Any) -> pa.DictionaryArray:
    """Dictionary array of ``names[values]`` that holds only the names that occur."""
    used = np.unique(values[values >= 0])
    numbers = pa.array(np.searchsorted(used, values).astype(np.int16), mask=mask)
    return pa.DictionaryArray.from_arrays(numbers, pa.array([names[n] for n in used], pa.string()))


def rows_of(table: pa.Table, deals: int, teams: int) -> np.ndarray:
    """The engine's rows back from an Arrow table, shape (matches, deals, teams)."""
    rows = np.zeros(table.num_rows, ROW)
    for name in ROW.names or ():
        column = table.column(name).combine_chunks()
        if name in NAMED:
            words = column.dictionary.to_pylist()
            numbers = np.array([*(NAMED[name].index(word) for word in words), -1], np.int16)
            places = column.indices.fill_null(len(words))
            rows[name] = numbers[places.to_numpy(zero_copy_only=False)]
        elif name in NULLABLE:
            kind = pa.int8() if name in FLAGS else column.type
            rows[name] = column.cast(kind).fill_null(-1).to_numpy(zero_copy_only=False)
        else:
            rows[name] = column.to_numpy(zero_copy_only=False)
    return rows.reshape(-1, deals, teams)


def to_frame(table: pa.Table) -> pd.DataFrame:
    """The pandas frame of an Arrow table ``deals``, with nullable integers and categories."""
    import pandas as pd  # takes a third of a second, which only those who want a frame wait for

    nullable = {
        pa.int8(): pd.Int8Dtype(),
        pa.int16(): pd.Int16Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
        pa.bool_(): pd.BooleanDtype(),
    }
    frame = table.unify_dictionaries().to_pandas(types_mapper=nullable.get)
    return frame if isinstance(frame, pd.DataFrame) else pd.DataFrame(frame)


@dataclass(frozen=True)
class Results:
    """Results of a run, in memory or in a run folder.

    Attributes
    ----------
    manifest : dict
        What was asked and with what it was played (see ``runs.manifest``).
    tables : tuple of pyarrow.Table
        Tables ``deals`` held in memory, in order; empty if they are in ``folder``.
    folder : RunFolder or None
        The run folder.
    played : int
        Matches played now, not counting shards that were there already.
    seconds : float
        Time it took to play them.
    """

    manifest: dict[str, Any]
    tables: tuple[pa.Table, ...] = ()
    folder: RunFolder | None = None
    played: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        pairings = self.manifest["pairings"]
        matches = sum(pairing["matches"] for pairing in pairings)
        sides = " against ".join(dict.fromkeys(pairings[0]["labels"]))
        if len(pairings) > 1:
            sides = f"{len(pairings)} pairings"
        return f"<results of {matches:,} matches: {sides}>"

    def shards(self) -> Iterator[pa.Table]:
        """The Arrow tables ``deals`` one after the other, so that all need not fit in memory."""
        if self.folder is None:
            yield from self.tables
            return
        for name in self.folder.names(SHARDS):
            if re.fullmatch(r"deals-[0-9-]+\.parquet", name):
                yield read_shard(self.folder, f"{SHARDS}/{name}")

    @functools.cached_property
    def deals(self) -> pd.DataFrame:
        """The table ``deals`` as one pandas frame, column for column as documented."""
        tables = list(self.shards())
        return to_frame(pa.concat_tables(tables) if tables else SCHEMA.empty_table())


def read_shard(folder: RunFolder, name: str) -> pa.Table:
    """The table in a shard of a run folder; ``RunError`` names the file if it can't be read."""
    remedy = "delete it and run the same command again to play it anew"
    try:
        with folder.open(name) as file:
            # Buffers read ahead may outlive the interpreter in Arrow's threads, and abort its end.
            table = pq.read_table(file, pre_buffer=False)
    except (OSError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise RunError(f"shard {folder.place(name)} can't be read ({reason}); {remedy}") from None
    if not table.schema.equals(SCHEMA):
        raise RunError(
            f"shard {folder.place(name)} has other columns than the table deals; {remedy}"
        )
    return table.replace_schema_metadata()
