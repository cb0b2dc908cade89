"""What is shown while a run is played: how far it is, how fast, and how it stands."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

import click
from tqdm import tqdm

from handfoot_sim.runs.ledger import Ledger

EVERY: Final = 2.0
"""Seconds between two looks at the standing on a terminal."""

PLAIN_EVERY: Final = 30.0
"""Seconds between two lines where standard error is not a terminal."""


class Live:
    """Progress over all pairings of a run, for ``carry_on(on_shard=...)``.

    On a terminal a bar, and below it the standing that ``describe`` tells of the ledgers; else
    a plain line every 30 seconds; nothing if ``quiet``.
    """

    def __init__(self, describe: Callable[[Sequence[Ledger]], str], quiet: bool = False) -> None:
        self.describe, self.quiet = describe, quiet
        self.terminal = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self.bars: list[tqdm] = []
        self.start = self.told = time.monotonic()
        self.there: int | None = None
        self.done = 0

    def __enter__(self) -> Live:
        return self

    def __call__(self, count: int, ledgers: Sequence[Ledger]) -> None:
        """Take in that ``count`` matches came in; the first call tells what was there before."""
        total = sum(ledger.done if ledger.decided else ledger.work.matches for ledger in ledgers)
        self.done += count
        if self.there is None:
            self.there, self.start, self.told = count, time.monotonic(), time.monotonic()
            if self.terminal:
                self._open(total, count)
            return
        if self.terminal:
            self.bars[0].total = max(total, self.done)
            self.bars[0].update(count)
        now = time.monotonic()
        if self.quiet or now - self.told < (EVERY if self.terminal else PLAIN_EVERY):
            return
        self.told = now
        if self.terminal:
            self._stand(ledgers)
        else:
            click.echo(self.line(total, now - self.start, ledgers), err=True)

    def line(self, total: int, seconds: float, ledgers: Sequence[Ledger]) -> str:
        """Progress, speed, time left and standing in one line."""
        rate = (self.done - (self.there or 0)) / max(seconds, 1e-9)
        left = (total - self.done) / rate if rate else float("inf")
        return (
            f"{self.done:,} of {total:,} matches, {rate:,.0f} matches/s, {left:,.0f} s left; "
            f"{self.describe(ledgers)}"
        )

    def _open(self, total: int, there: int) -> None:
        self.bars = [
            tqdm(total=total, initial=there, unit="match", smoothing=0.1, dynamic_ncols=True),
            tqdm(total=0, bar_format="{desc}", position=1, dynamic_ncols=True, leave=False),
        ]

    def _stand(self, ledgers: Sequence[Ledger]) -> None:
        width = self.bars[0].ncols or 100
        self.bars[1].set_description_str(self.describe(ledgers)[: width - 1])

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for bar in reversed(self.bars):
            bar.close()


class MatchBar:
    """A bar over the matches of a search or a league, where standard error is a terminal.

    Matches that come in before it ``begin``s are counted in when it does.
    """

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.terminal = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self.bar: tqdm | None = None
        self.early = 0

    def begin(self, total: int | None) -> None:
        """Begin the bar; without a total it has no end."""
        if self.terminal:
            self.bar = tqdm(
                total=total, initial=self.early, unit="match", smoothing=0.05, dynamic_ncols=True
            )

    def matches(self, count: int) -> None:
        """Matches came in."""
        if self.bar is None:
            self.early += count
        else:
            self.bar.update(count)

    def describe(self, text: str) -> None:
        """Say before the bar what is being played."""
        if self.bar is not None:
            self.bar.set_description(text)

    def tell(self, sentence: str) -> None:
        """Say something on standard error, above the bar."""
        if self.bar is not None:
            self.bar.clear()
        click.echo(sentence, err=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.close()
