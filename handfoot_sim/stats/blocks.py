"""The table ``deals`` as arrays by match, deal and team, one pairing at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from handfoot_sim.errors import RunError
from handfoot_sim.game.state import END_NAMES
from handfoot_sim.stats.reading import NEEDED

_NAMED: Final = ("agent", "end")


@dataclass(frozen=True)
class Block:
    """Whole matches of a pairing.

    Attributes
    ----------
    pairing : its number
    labels : of its line-ups; in mirror k line-up l plays team (l + k) % teams
    match : int64, shape (sets,): which cards; all mirrors of a set are together
    columns : int32, shape (sets, mirrors, deals, teams): the columns of the table, -1 for null;
        ``end`` is a place in ``END_NAMES``
    """

    pairing: int
    labels: tuple[str, ...]
    match: np.ndarray
    columns: dict[str, np.ndarray]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Sets, mirrors, deals, teams."""
        sets, mirrors, deals, teams = self.columns["team"].shape
        return sets, mirrors, deals, teams

    def chosen(self, sets: np.ndarray | slice) -> Block:
        """The block of some of its sets; ``sets``: bool, shape (sets,), or a slice."""
        columns = {name: values[sets] for name, values in self.columns.items()}
        return Block(self.pairing, self.labels, self.match[sets], columns)


def blocks_of(table: pa.Table) -> Iterator[Block]:
    """Cut a table into blocks.

    The rows may stand in any order, but must be all rows of their matches, and all mirrors of
    their cards. Raises ``RunError`` otherwise.
    """
    if not table.num_rows:
        return
    labels, columns = _arrays(table)
    pairings = np.unique(columns["pairing"])
    for pairing in pairings:
        own = columns
        if len(pairings) > 1:
            chosen = columns["pairing"] == pairing
            own = {name: values[chosen] for name, values in columns.items()}
        yield from _blocks_of_pairing(int(pairing), labels, own)


def _arrays(table: pa.Table) -> tuple[list[str], dict[str, np.ndarray]]:
    """Names of agents, and the columns as int32 (``match``: int64), -1 for null."""
    columns: dict[str, np.ndarray] = {}
    labels: list[str] = []
    for name in NEEDED:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks)
        if name in _NAMED:
            words, columns[name] = _names(name, column)
            labels = words if name == "agent" else labels
            continue
        try:
            wanted = pa.int64() if name == "match" else pa.int32()
            values = column.cast(wanted)
        except pa.ArrowException:
            raise RunError(f"column {name!r} of the table deals holds no whole numbers") from None
        columns[name] = values.fill_null(-1).to_numpy(zero_copy_only=False)
    return labels, columns


def _names(name: str, column: pa.Array) -> tuple[list[str], np.ndarray]:
    try:
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        words = [str(word) for word in column.dictionary.cast(pa.string()).to_pylist()]
    except pa.ArrowException:
        raise RunError(f"column {name!r} of the table deals holds no names") from None
    if column.null_count:
        raise RunError(f"column {name!r} of the table deals has empty cells")
    codes = pc.cast(column.indices, pa.int32()).to_numpy(zero_copy_only=False)
    if name == "agent":
        return words, codes
    try:
        places = np.array([END_NAMES.index(word) for word in words], np.int32)
    except ValueError:
        unknown = next(word for word in words if word not in END_NAMES)
        raise RunError(f"{unknown!r} in column 'end' is no end of a deal") from None
    return words, places[codes]


def _blocks_of_pairing(
    pairing: int, labels: list[str], columns: dict[str, np.ndarray]
) -> Iterator[Block]:
    sizes = tuple(int(columns[name].max()) + 1 for name in ("mirror", "deal", "team"))
    if not _is_whole(columns, sizes):
        keys = ("team", "deal", "mirror", "match")
        order = np.lexsort([columns[name] for name in keys])
        columns = {name: values[order] for name, values in columns.items()}
        if not _is_whole(columns, sizes):
            raise RunError(
                f"pairing {pairing} of the frame is not whole: statistics need every row of a "
                "match, and every mirror of its cards, once"
            )
    shaped = {name: values.reshape(-1, *sizes) for name, values in columns.items()}
    seated = _line_ups(shaped["agent"])
    kinds, which = np.unique(seated, axis=0, return_inverse=True)
    match = shaped["match"][:, 0, 0, 0]
    for number, codes in enumerate(kinds):
        block = Block(pairing, tuple(labels[code] for code in codes), match, shaped)
        yield block if len(kinds) == 1 else block.chosen(which.reshape(-1) == number)


def _is_whole(columns: dict[str, np.ndarray], sizes: tuple[int, ...]) -> bool:
    """Whether the rows are sets of so many mirrors, deals and teams, one after the other."""
    rows = len(columns["team"])
    if rows % int(np.prod(sizes)):
        return False
    for axis, name in enumerate(("mirror", "deal", "team")):
        shape = [1, 1, 1]
        shape[axis] = sizes[axis]
        wanted = np.broadcast_to(np.arange(sizes[axis]).reshape(shape), sizes)
        if not (columns[name].reshape(-1, *sizes) == wanted).all():
            return False
    match = columns["match"].reshape(-1, int(np.prod(sizes)))
    return bool((match == match[:, :1]).all())


def _line_ups(agent: np.ndarray) -> np.ndarray:
    """Codes of the labels of a set's line-ups, shape (sets, line-ups); they keep their places."""
    _, mirrors, _, teams = agent.shape
    places = (np.arange(teams) + np.arange(mirrors)[:, None]) % teams
    seated = np.take_along_axis(agent, places[None, :, None, :], 3)
    if not (seated == seated[:, :1, :1]).all():
        raise RunError("the line-ups of a match do not keep their places: is the frame altered?")
    return seated[:, 0, 0, :]
