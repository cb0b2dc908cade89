"""After the search: is the answer better than the start? On cards that no search has seen.

The sequential test decides; re-evaluation then says by how much, on other cards again, because
where a test stops leans towards what it found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from handfoot_sim.agent.interface import Value
from handfoot_sim.ratings.sprt import MarginTest, Verdict, margin_llr, verdict_of
from handfoot_sim.rules import Rules
from handfoot_sim.tally import Estimate, mean_estimate
from handfoot_sim.tuning.batches import Batch, Evaluated, Request, Setting
from handfoot_sim.tuning.evaluations import Book
from handfoot_sim.tuning.plan import LEAST_LOOK, derived_seed
from handfoot_sim.tuning.pool import Pool
from handfoot_sim.tuning.searching import START

ANSWER: Final = "answer"
MOST_BLOCKS: Final = 400
"""Blocks that the matches of a test are cut into."""
LOOKS: Final = 20
"""Looks at a test from the first to the last, about."""
AGAIN_BLOCKS: Final = 50
"""Blocks of a re-evaluation, over which its intervals are computed."""

POOL: Final = "pool"
HELD_OUT: Final = "held out"
HEAD_TO_HEAD: Final = "start"
WHOLE: Final = "all, weighted"


@dataclass(frozen=True)
class Decision:
    """How the test of the answer against the start ended.

    ``accepted``: H1, a gain; otherwise none was shown, because H0 was accepted or the matches ran
    out (``verdict.accepted`` is "" then). ``pairs`` were played by each side.
    """

    accepted: bool
    verdict: Verdict
    test: MarginTest
    pairs: int
    matches: int
    reason: str

    @property
    def word(self) -> str:
        """The decision in a word or two."""
        return "accepted" if self.accepted else "not shown"


@dataclass(frozen=True)
class Gain:
    """Margins of start and answer against an opponent, and the gain, points a match.

    ``group`` says whom: members of the pool, held-out opponents, or the start itself. All three
    figures are over ``pairs`` pairs of the same cards, with intervals over blocks of them.
    """

    rules: str
    group: str
    opponent: str
    start: Estimate
    answer: Estimate
    gain: Estimate
    pairs: int


def decide(
    book: Book,
    setting: Setting,
    pool: Pool,
    start: dict[str, Value],
    answer: dict[str, Value],
    test: MarginTest,
    matches: int,
    seed: int,
) -> Decision:
    """Test the answer against the start until it is decided or the matches are spent."""
    nothing = verdict_of(0.0, test.alpha, test.beta)
    if start == answer:
        return Decision(False, nothing, test, 0, 0, "the answer is the start")
    mirrors = setting.rules.teams
    pairs = max(len(pool.members), matches // (2 * mirrors * MOST_BLOCKS))
    counts = pool.shares(pairs)
    most = max(2, matches // (2 * mirrors * sum(counts)))
    step = max(1, (most - LEAST_LOOK) // LOOKS)
    requests = (Request(START, start), Request(ANSWER, answer))
    cards, first, number, played = derived_seed(seed, "test"), 0, 0, 0
    gains = np.zeros(0)
    verdict = nothing
    while len(gains) < most:
        blocks = min(step if number else LEAST_LOOK, most - len(gains))
        batch = Batch(f"test-{number:03d}", setting, pool, requests, counts, blocks, cards, first)
        found = book.evaluate(batch)
        first, number, played = first + batch.cards, number + 1, played + found.matches
        if any(found.messages):
            message = next(message for message in found.messages if message)
            return Decision(False, verdict, test, first, played, f"the agent failed: {message}")
        gains = np.append(gains, found.blocks[1] - found.blocks[0])
        if not gains.any():
            return Decision(False, verdict, test, first, played, "both play alike on all cards")
        verdict = verdict_on(gains, test)
        if verdict.accepted:
            break
    reason = {
        "H1": f"the test accepted a gain of {test.margin1:g} against one of 0",
        "H0": f"the test accepted a gain of 0 against one of {test.margin1:g}",
        "": "the test did not decide within its matches",
    }[verdict.accepted]
    return Decision(verdict.accepted == "H1", verdict, test, first, played, reason)


def verdict_on(gains: np.ndarray, test: MarginTest) -> Verdict:
    """How the test stands after the gains of blocks, shape (blocks,).

    Without any spread nothing is tested: all blocks are the same because both sides play alike.
    """
    if len(gains) < 2 or np.ptp(gains) == 0.0:
        return verdict_of(0.0, test.alpha, test.beta)
    total, squares = float(gains.sum()), float(gains @ gains)
    llr = margin_llr(len(gains), total, squares, test.margin0, test.margin1)
    return verdict_of(llr, test.alpha, test.beta)


def reevaluate(
    book: Book,
    setting: Setting,
    groups: Sequence[tuple[str, Pool]],
    rules: Sequence[tuple[str, Rules]],
    start: dict[str, Value],
    answer: dict[str, Value],
    matches: int,
    seed: int,
) -> list[Gain]:
    """Start and answer against groups of opponents under several rules, on cards of their own.

    Half of the matches go to the first group under the first rules, which is the figure that
    counts; the others share the rest. A group under rules where the agent fails has NaN.
    """
    parts = [(name, each, group, pool) for name, each in rules for group, pool in groups]
    requests = (Request(START, start), Request(ANSWER, answer))
    found: list[Gain] = []
    for number, (name, each, group, pool) in enumerate(parts):
        share = 0.5 if not number else 0.5 / max(1, len(parts) - 1)
        there = replace(setting, rules=each)
        pairs = int(matches * share) // (2 * each.teams * AGAIN_BLOCKS)
        batch = Batch(
            f"again-{number:02d}", there, pool, requests, pool.shares(pairs), AGAIN_BLOCKS,
            derived_seed(seed, f"again {number}"),
        )  # fmt: skip
        found += gains_of(book.evaluate(batch), name, group)
    return found


def gains_of(found: Evaluated, rules: str, group: str) -> list[Gain]:
    """The gains in a batch of start and answer: over the whole group first, then by opponent."""
    batch = found.batch
    rows = []
    if len(batch.pool.members) > 1:
        rows.append((WHOLE, found.blocks, batch.cards))
    rows += [
        (label, found.margins[:, number], batch.blocks * batch.counts[number])
        for number, label in enumerate(batch.pool.labels)
    ]
    return [
        Gain(
            rules, group, label, _over(blocks[0]), _over(blocks[1]), _over(blocks[1] - blocks[0]),
            pairs,
        )
        for label, blocks, pairs in rows
    ]  # fmt: skip


def _over(blocks: np.ndarray) -> Estimate:
    """Mean of blocks with its interval (Student's, over blocks)."""
    return mean_estimate(float(blocks.sum()), float(blocks @ blocks), len(blocks))
