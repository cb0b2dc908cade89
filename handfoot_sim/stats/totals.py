"""``Totals``: everything that statistics are made from, added up in one pass over a run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from handfoot_sim.errors import RunError
from handfoot_sim.stats.blocks import Block, blocks_of
from handfoot_sim.stats.counting import (
    BUCKETS,
    COUNTED,
    ENDS,
    EVENTS,
    GROUPS,
    PLACE,
    Counts,
    count,
    levels_of,
    without_forfeits,
)
from handfoot_sim.stats.meetings import Meeting, encounters
from handfoot_sim.stats.reading import Shard, Source, pieces, source_of, table_of

READERS: Final = 2
"""Threads that read and count shards."""


class Totals:
    """Sums over the deals of a run, from which every frame is made.

    Attributes
    ----------
    deals, teams : int
        Of a match; the most, where pairings differ.
    mirrors : int
        Times the same cards are played.
    matches : int
        How many were read.
    planned : int or None
        How many the run was asked for.
    skipped : list of str
        Paths of shards that could not be read and were left out.
    rules, manifest
        Of the run, if it is one.
    variants : int
        How many variants of the rules the run has, of which these are one.
    meetings : dict
        Margins of line-ups that met, by pairing and labels.
    """

    def __init__(self, source: Source | None = None) -> None:
        known = source if source is not None else Source(())
        self.manifest, self.rules = known.manifest, known.rules
        self.variants, self.planned = known.variants, known.planned
        self.deals = self.teams = self.mirrors = self.matches = 0
        self.skipped: list[str] = []
        self.meetings: dict[tuple[int, tuple[str, ...], str, str], Meeting] = {}
        self._several_a_team = False
        self._seen: dict[str, int] = {}  # agents, by place in the arrays
        self._sums = np.zeros((0, 0, BUCKETS, len(COUNTED)))
        self._waits = np.zeros((0, 0, len(EVENTS), GROUPS, 1 + len(ENDS), 0), np.int32)
        self._levels: dict[tuple[int, tuple[str, ...], str], np.ndarray] = {}

    @property
    def agents(self) -> list[str]:
        """Labels of all line-ups, sorted."""
        return sorted(self._seen)

    @property
    def complete(self) -> bool:
        """Whether all matches asked for are there (True if it isn't known how many were)."""
        return self.planned is None or self.matches >= self.planned

    @property
    def clusters(self) -> int:
        """How many groups of match numbers there are; what is counted in them is independent."""
        return int((self._sums[..., PLACE["deals"]].sum((0, 1)) > 0).sum())

    @property
    def players_a_team(self) -> int:
        """Players of a team."""
        if self.rules is not None and "players" in self.rules:
            return int(self.rules["players"]) // int(self.rules["teams"])
        return 2 if self._several_a_team else 1

    @property
    def forfeits(self) -> dict[str, int]:
        """Matches that each agent forfeited."""
        lost = dict.fromkeys(self.agents, 0)
        seen: set[tuple[int, tuple[str, ...], str]] = set()
        for (pairing, labels, *_), meeting in self.meetings.items():
            for agent, number in zip((meeting.agent, meeting.opponent), meeting.forfeits,
                                     strict=True):  # fmt: skip
                itself = meeting.agent == meeting.opponent
                if itself or (pairing, labels, agent) not in seen:
                    lost[agent] += int(number)
                seen.add((pairing, labels, agent))
        return lost

    def sums(self, agent: str) -> np.ndarray:
        """Sums of an agent, float64, shape (deals, BUCKETS, COUNTED)."""
        return np.asarray(self._sums[self._seen[agent]])

    def waits(self, agent: str, event: str) -> np.ndarray:
        """Waiting times for an event of ``EVENTS``, shape (deals, GROUPS, 1 + ENDS, turns).

        Place 0 of the third axis counts how often it happened in a turn, the others how often the
        deal ended with a turn before it did, by ``ENDS``.
        """
        return np.asarray(self._waits[self._seen[agent], :, EVENTS.index(event)])

    def levels(self, agent: str | None = None) -> np.ndarray:
        """Deals and margins by level, shape (pairings, deals, BUCKETS, levels, 2).

        Of the pairings in which an agent played, or for None of all agents in all pairings. See
        ``counting.levels_of`` for the levels.
        """
        chosen = [v for key, v in self._levels.items() if agent is None or key[2] == agent]
        whole = np.zeros((len(chosen), self.deals, BUCKETS, len(levels_of(self.teams)), 2))
        for place, own in enumerate(chosen):
            whole[place, : own.shape[0], :, : own.shape[2]] = own
        return whole

    def add(self, deals: Any) -> None:
        """Add a frame or Arrow table ``deals``: whole matches, all mirrors of their cards."""
        for table in pieces(deals):
            for block in blocks_of(table):
                self._add(block, _counts(block))

    def _add(self, block: Block, counts: Counts | None) -> None:
        sets, mirrors, deals, teams = block.shape
        self.matches += sets * mirrors
        self.mirrors = max(self.mirrors, mirrors)
        dealing, second = block.columns["dealer"], block.columns["foot2_turn"]
        self._several_a_team |= bool((dealing >= teams).any() or (second >= 0).any())
        self._grow(block.labels, deals, teams)
        for a, b, margins, won, lost in encounters(block):
            key = (block.pairing, block.labels, a, b)
            if key not in self.meetings:
                self.meetings[key] = Meeting(block.pairing, a, b, mirrors)
            self.meetings[key].add(block.match, margins, won)
            self.meetings[key].forfeits += lost
        if counts is not None:
            self._add_counts(block, counts)

    def _add_counts(self, block: Block, counts: Counts) -> None:
        width = counts.waits.shape[-1]
        if width > self._waits.shape[-1]:
            self._waits = _padded(self._waits, (*self._waits.shape[:-1], -(-width // 32) * 32))
        for place, agent in enumerate(counts.agents):
            number, deals = self._seen[agent], counts.sums.shape[1]
            self._sums[number, :deals] += counts.sums[place]
            self._waits[number, :deals, ..., :width] += counts.waits[place].astype(np.int32)
            key = (block.pairing, block.labels, agent)
            levels = counts.levels[place]
            if key not in self._levels:
                self._levels[key] = np.zeros_like(levels)
            self._levels[key] += levels

    def _grow(self, labels: tuple[str, ...], deals: int, teams: int) -> None:
        for label in labels:
            self._seen.setdefault(label, len(self._seen))
        self.deals, self.teams = max(self.deals, deals), max(self.teams, teams)
        size = (len(self._seen), self.deals)
        if size != self._sums.shape[:2]:
            self._sums = _padded(self._sums, (*size, *self._sums.shape[2:]))
            self._waits = _padded(self._waits, (*size, *self._waits.shape[2:]))


def _padded(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    larger = np.zeros(shape, array.dtype)
    larger[tuple(slice(length) for length in array.shape)] = array
    return larger


def _counts(block: Block) -> Counts | None:
    played = without_forfeits(block)
    return count(played) if played.shape[0] else None


Counted = list[tuple[Block, Counts | None]]


def _count_all(item: Any) -> Counted:
    """Read a shard if it is one, and count it; runs in a thread."""
    tables = [table_of(item)] if isinstance(item, Shard) else pieces(item)
    try:
        return [(block, _counts(block)) for table in tables for block in blocks_of(table)]
    except RunError as error:
        raise RunError(
            f"shard {item}: {error}" if isinstance(item, Shard) else str(error)
        ) from None


def _in_order(items: Iterator[Any]) -> Iterator[tuple[Any, Future[Counted]]]:
    """Items with what becomes of them, in order, a few being worked on at a time."""
    with ThreadPoolExecutor(READERS, "statistics") as readers:
        working: deque[tuple[Any, Future[Counted]]] = deque()
        try:
            for item in items:
                working.append((item, readers.submit(_count_all, item)))
                if len(working) > READERS:
                    yield working.popleft()
            while working:
                yield working.popleft()
        finally:
            readers.shutdown(wait=True, cancel_futures=True)


def totals(
    source: Any,
    *,
    variant: int = 0,
    skip_corrupt: bool = False,
    on_shard: Callable[[int], object] | None = None,
) -> Totals:
    """Add up a run once, for all frames.

    Parameters
    ----------
    source
        A run folder, ``Results``, a frame or Arrow table ``deals``, an iterable of such, or
        ``Totals``, which come back as they are. Every match must be there with all its rows, and
        with all mirrors of its cards.
    variant
        Which rules of a run that was played by several, as its manifest numbers them.
    skip_corrupt
        Leave out shards that can't be read (``Totals.skipped`` names them) instead of ending.
    on_shard
        Called with the number of matches counted, after each shard.

    Raises
    ------
    RunError
        No run, one of a newer version, a corrupt shard (named), missing columns, no deals at all.
    """
    if isinstance(source, Totals):
        return source
    known = source_of(source, variant)
    found = Totals(known)
    for item, counted in _in_order(iter(known.tables)):
        before = found.matches
        try:
            for block, counts in counted.result():
                found._add(block, counts)
        except RunError:
            if not (skip_corrupt and isinstance(item, Shard)):
                raise
            found.skipped.append(str(item))
        if on_shard:
            on_shard(found.matches - before)
    if not found.matches:
        bad = f"; {len(found.skipped)} shards could not be read" if found.skipped else ""
        raise RunError(f"there are no deals to make statistics of{bad}")
    return found
