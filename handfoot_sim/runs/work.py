"""What is to be played of one pairing, and how a shard of it is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from handfoot_sim.agent.loading import source_hash
from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.playing import BATCH, Driver, OnIllegal, play
from handfoot_sim.results import deals_table
from handfoot_sim.rules import Rules
from handfoot_sim.runs.folder import RunFolder
from handfoot_sim.runs.shards import Figures, ShardKey, shard_bytes
from handfoot_sim.tally import block_sums, tally_rows

MOST_BLOCKS: Final = 500
"""Blocks of cards that the planned matches of a pairing are cut into, at most."""


def block_size(matches: int, mirrors: int) -> int:
    """Sets of mirrors in a block of cards."""
    return max(1, matches // mirrors // MOST_BLOCKS)


@dataclass(frozen=True)
class Work:
    """What is to be played of a pairing; small enough to be sent to every worker.

    ``lineups`` are specifications of agents (or agents), one line-up each as ``make_pairing``
    takes them; ``matches`` is a whole number of sets of mirrors; ``number`` is the pairing's in
    the run; ``block_sets`` are the sets of a block of cards (see ``tally.block_sums``).
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
    decision_limit: float | None = None
    number: int = 0
    block_sets: int = 1

    def pairing(self) -> Pairing:
        """The pairing, its agents loaded."""
        return make_pairing(self.lineups, self.rules, self.duplicate)

    @property
    def mirrors(self) -> int:
        """How many times the same cards are played."""
        return self.rules.teams if self.duplicate else 1

    def rows_of(self, key: ShardKey) -> int:
        """Rows of a shard's table."""
        return key.matches * self.rules.deals * self.rules.teams


@dataclass(frozen=True)
class Shard:
    """A shard that has been played: its figures, and its table where that was wanted."""

    figures: Figures
    table: pa.Table | None

    @property
    def key(self) -> ShardKey:
        """What it holds."""
        return self.figures.key


@dataclass(frozen=True)
class Keeping:
    """What becomes of the table of a shard: written into ``folder``, returned, or not made.

    ``segment`` is the segment of the manifest under which it is played.
    """

    folder: RunFolder | None = None
    tables: bool = False
    segment: int = 0


def sources_of(pairing: Pairing) -> tuple[str, ...]:
    """Hashes of the sources of a pairing's agents."""
    return tuple(source_hash(agent) for agent in pairing.agents)


def play_rows(work: Work, pairing: Pairing, key: ShardKey) -> np.ndarray:
    """Play a shard; its rows as the engine writes them."""
    return play(
        pairing, seed=work.seed, first_match=key.first // pairing.mirrors, count=key.matches,
        dealer=work.dealer, driver=work.driver, batch=work.batch, on_illegal=work.on_illegal,
        decision_limit=work.decision_limit,
    )  # fmt: skip


def finish_shard(
    work: Work, pairing: Pairing, key: ShardKey, rows: np.ndarray, keeping: Keeping
) -> Shard:
    """Add up a shard that was played; write its table, or keep it."""
    first_set = key.first // pairing.mirrors
    first, blocks = block_sums(rows, pairing.mirrors, first_set, work.block_sets)
    tally = tally_rows(rows, pairing.mirrors)
    figures = Figures(key, tally, first, blocks, keeping.segment)
    if keeping.folder is None and not keeping.tables:
        return Shard(figures, None)
    table = deals_table(pairing, rows, first_set, key.pairing)
    if keeping.folder is None:
        return Shard(figures, table)
    keeping.folder.write(key.name, shard_bytes(table, figures))
    return Shard(figures, None)
