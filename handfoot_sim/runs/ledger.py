"""The figures of each pairing while its shards come in, and whether it has been played enough.

Shards come in whatever order, but they are added up in the order of their cards: sums are the same
bits for any number of workers, and a stop rule is looked at after the same matches.
"""

from __future__ import annotations

import numpy as np

from handfoot_sim.runs.shards import Figures, ShardKey
from handfoot_sim.runs.work import Work
from handfoot_sim.stopping import StopRule, is_enough
from handfoot_sim.tally import BLOCK_SUMS, Tally


class Ledger:
    """Figures of one pairing.

    Attributes
    ----------
    work, labels : what is played, and the labels of its line-ups
    tally : of all matches from the first on without a gap
    blocks : float64, shape (blocks, tally.BLOCK_SUMS): sums by block of cards of the same matches
    done : how many matches these are
    decided : whether the stop rule ended the pairing at ``done`` matches
    """

    def __init__(
        self,
        work: Work,
        labels: tuple[str, ...],
        rule: StopRule | None = None,
        step: int = 0,
    ) -> None:
        self.work, self.labels, self.rule, self.step = work, labels, rule, step
        self.tally = Tally()
        self.done = 0
        self.decided = False
        self._waiting: dict[int, Figures] = {}
        self._blocks = np.zeros((64, BLOCK_SUMS))
        self._used = 0

    @property
    def blocks(self) -> np.ndarray:
        """Sums by block of cards."""
        return self._blocks[: self._used]

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return self.decided or self.done >= self.work.matches

    def add(self, figures: Figures) -> None:
        """Take in a shard's figures."""
        self._waiting[figures.key.first] = figures
        while not self.decided and self.done in self._waiting:
            self._count(self._waiting.pop(self.done))

    def is_surplus(self, key: ShardKey) -> bool:
        """Whether a shard lies behind the match at which the rule ended the pairing."""
        return self.decided and key.first >= self.done

    def _count(self, figures: Figures) -> None:
        self.tally = self.tally + figures.tally
        self.done = figures.key.stop
        end = figures.first_block + len(figures.blocks)
        if end > len(self._blocks):
            larger = np.zeros((max(end, 2 * len(self._blocks)), BLOCK_SUMS))
            larger[: self._used] = self.blocks
            self._blocks = larger
        self._used = max(self._used, end)
        self._blocks[figures.first_block : end] += figures.blocks
        if self.rule is not None and self.done % self.step == 0:
            self.decided = is_enough(self.rule, self.tally)
