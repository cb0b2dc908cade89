"""Shards: which matches one holds, which are missing, and the figures that go with each.

A shard is a range of matches of a pairing; what is in it follows from the manifest alone. A file's
name says what it holds: ``deals-0003-000018000-000020000.parquet`` are matches 18,000 to
19,999 of pairing 3, counted as ``--matches`` counts them, so all mirrors of the same cards one
after the other. What a run still lacks is what no file is named for.

Each file carries its figures in the footer, so that a run goes on without reading its tables.
"""

from __future__ import annotations

import base64
import io
import itertools
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handfoot_sim.errors import RunError
from handfoot_sim.rules import Rules
from handfoot_sim.runs.folder import SHARDS, RunFolder
from handfoot_sim.tally import BLOCK_SUMS, Tally

LEAST_SHARD: Final = 500
LARGEST_SHARD: Final = 10_000
LARGEST_TABLE: Final = 250_000
"""Rows of a shard (measured: 0.1 kB each, and as much again while it is written)."""
_NAME: Final = re.compile(r"deals-(\d{4,})-(\d{9,})-(\d{9,})\.parquet")
_FIGURES: Final = b"handfoot"


class ShardKey(NamedTuple):
    """What a shard holds: matches ``first`` to ``stop`` - 1 of a pairing."""

    pairing: int
    first: int
    stop: int

    @property
    def name(self) -> str:
        """Its file in a run folder."""
        return f"{SHARDS}/deals-{self.pairing:04d}-{self.first:09d}-{self.stop:09d}.parquet"

    @property
    def matches(self) -> int:
        """How many matches."""
        return self.stop - self.first


def largest_shard(rules: Rules) -> int:
    """Matches whose table still fits in little memory."""
    return max(1, LARGEST_TABLE // (rules.deals * rules.teams))


def shard_size(matches: int, mirrors: int, rules: Rules) -> int:
    """Matches of a shard: an eighth of the run within 500 and 10,000, whole sets of mirrors.

    Fewer where a match has so many deals that the table would not fit in little memory.
    """
    wanted = min(LARGEST_SHARD, largest_shard(rules), max(LEAST_SHARD, -(-matches // 8)))
    return -(-wanted // mirrors) * mirrors


def shards_in(folder: RunFolder) -> dict[int, list[ShardKey]]:
    """The shards that a run folder has, by pairing and in order; ``RunError`` if two overlap."""
    found: dict[int, list[ShardKey]] = {}
    for name in folder.names(SHARDS):
        parts = _NAME.fullmatch(name)
        if parts:
            key = ShardKey(*(int(part) for part in parts.groups()))
            found.setdefault(key.pairing, []).append(key)
    for keys in found.values():
        keys.sort()
        for before, after in itertools.pairwise(keys):
            if after.first < before.stop:
                raise RunError(
                    f"shard {folder.place(after.name)} holds matches that {before.name} holds "
                    "too; delete one of them"
                )
    return found


def missing(keys: Iterable[ShardKey], pairing: int, matches: int, size: int) -> Iterator[ShardKey]:
    """Shards that a pairing of so many matches lacks, in order, cut at multiples of ``size``."""
    end = 0
    for key in [*keys, ShardKey(pairing, matches, matches)]:
        while end < min(key.first, matches):
            stop = min((end // size + 1) * size, key.first, matches)
            yield ShardKey(pairing, end, stop)
            end = stop
        end = max(end, key.stop)


@dataclass(frozen=True)
class Figures:
    """What is kept in memory of a shard.

    ``blocks``: float64, shape (blocks, BLOCK_SUMS), sums over the sets of mirrors of each block
    of consecutive cards, from block number ``first_block`` on; ``segment``: under which segment of
    the manifest it was played.
    """

    key: ShardKey
    tally: Tally
    first_block: int
    blocks: np.ndarray
    segment: int = 0


def _packed_array(array: np.ndarray) -> tuple[str, tuple[int, ...], bytes]:
    """An array with the zeros at the end of its last axis cut off."""
    used = np.flatnonzero(array.reshape(-1, array.shape[-1]).any(0))
    cut = np.ascontiguousarray(array[..., : used[-1] + 1 if len(used) else 0])
    return cut.dtype.str, cut.shape, cut.tobytes()


def packed(figures: Figures) -> bytes:
    """Figures as the text that goes into a shard's footer."""
    tally = {
        name: _packed_array(value) if isinstance(value, np.ndarray) else int(value)
        for name, value in vars(figures.tally).items()
    }
    whole = {
        "key": tuple(figures.key),
        "tally": tally,
        "first_block": figures.first_block,
        "blocks": figures.blocks.astype("<f8").tobytes(),
        "segment": figures.segment,
    }
    return base64.b64encode(zlib.compress(msgspec.msgpack.encode(whole), 1))


def unpacked(text: bytes) -> Figures:
    """Figures back from a shard's footer; ``ValueError`` where it is none."""
    try:
        whole = msgspec.msgpack.decode(zlib.decompress(base64.b64decode(text)))
        tally = Tally()
        for name, empty in vars(tally).items():
            value = whole["tally"][name]
            if isinstance(empty, np.ndarray):
                kind, shape, data = value
                array = np.frombuffer(data, kind).reshape(shape)
                empty[tuple(slice(size) for size in shape)] = array
            else:
                setattr(tally, name, value)
        blocks = np.frombuffer(whole["blocks"], "<f8").reshape(-1, BLOCK_SUMS)
        key = ShardKey(*whole["key"])
        return Figures(key, tally, whole["first_block"], blocks, whole["segment"])
    except (KeyError, TypeError, IndexError, zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"no figures of a shard: {error}") from None


def shard_bytes(table: pa.Table, figures: Figures) -> bytes:
    """A shard's Parquet file."""
    buffer = io.BytesIO()
    with pq.ParquetWriter(buffer, table.schema, compression="zstd") as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_FIGURES: packed(figures)})
    return buffer.getvalue()


class Damaged(Exception):
    """A shard whose footer can't be read; it is played anew."""


def read_figures(folder: RunFolder, key: ShardKey, rows: int, columns: int) -> Figures:
    """Figures of a shard of a folder, which must have so many rows and columns.

    Raises ``Damaged`` where the file can't be read, and ``RunError`` where it is whole, but not
    the shard that its name says.
    """
    try:
        with folder.open(key.name) as file:
            footer: Any = pq.read_metadata(file)
    except (OSError, pa.ArrowException) as error:
        raise Damaged(str(error).splitlines()[0].rstrip(".")) from None
    remedy = "delete it and run the same command again to play it anew"
    if footer.num_columns != columns:
        raise RunError(
            f"shard {folder.place(key.name)} has other columns than the table deals; {remedy}"
        )
    try:
        figures = unpacked((footer.metadata or {})[_FIGURES])
    except (KeyError, ValueError):
        figures = None
    if figures is None or figures.key != key or footer.num_rows != rows:
        raise RunError(
            f"shard {folder.place(key.name)} does not hold the matches it should; {remedy}"
        )
    return figures
