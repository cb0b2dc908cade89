"""How fast a pairing is played here, and so how many matches make a shard of about a second."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.playing import play, warm_up
from handfoot_sim.runs.shards import LEAST_SHARD, largest_shard
from handfoot_sim.runs.work import Work

SAMPLE_SECONDS: Final = 0.05
"""Seconds of playing after which a rate is trusted."""

SHARD_SECONDS: Final = 1.0
"""Seconds of one core that a shard is to take (0.5 to 2 as machines and pairings differ)."""

SHARDS_A_WORKER: Final = 4
"""Shards of a worker at least, where the run is large enough, so that all end about together."""


FEW_SHARDS: Final = 20
"""Shards of a worker below which it matters that all have as many."""


def measured_rate(work: Work, pairing: Pairing) -> float:
    """Matches a second on one core, from a short sample after a warm-up that compiles.

    Batch agents are slower on the few tables of a sample than in a long run.
    """
    warm_up(
        pairing, work.driver, seed=work.seed, dealer=work.dealer,
        decision_limit=work.decision_limit,
    )  # fmt: skip
    count = pairing.mirrors * (8 if work.driver == "fused" else 128)
    while True:
        start = time.perf_counter()
        play(
            pairing, seed=work.seed, first_match=0, count=count, dealer=work.dealer,
            driver=work.driver, batch=work.batch, on_illegal="forfeit",
            decision_limit=work.decision_limit,
        )  # fmt: skip
        taken = time.perf_counter() - start
        if taken >= SAMPLE_SECONDS or count >= work.matches:
            return count / max(taken, 1e-9)
        count = min(4 * count, work.matches)


def sized(
    work: Work, rate: float, total: int, jobs: int, step: int = 0, seconds: float | None = None
) -> Work:
    """The work with shards of about a second at ``rate`` matches a second.

    With a time budget of so many ``seconds`` they are shorter, as what has begun is finished.

    ``total``: matches of the whole run, which is to keep ``jobs`` workers busy to its end. With
    the ``step`` of a stop rule shards are that size, whatever the speed, as it is looked at after
    each, and the matches are rounded up to whole steps.
    """
    mirrors = work.mirrors
    if step:
        whole = -(-step // mirrors) * mirrors
        blocks = max(1, whole // mirrors // 50)
        return replace(work, shard_matches=whole, block_sets=blocks)
    target = SHARD_SECONDS if seconds is None else min(SHARD_SECONDS, seconds / 20)
    most = min(largest_shard(work.rules), total // (SHARDS_A_WORKER * jobs))
    wanted = max(mirrors, min(int(rate * target), max(most, LEAST_SHARD)))
    shards = -(-total // wanted)
    if total == work.matches and 1 < shards < FEW_SHARDS * jobs:
        wanted = -(-total // (-(-shards // jobs) * jobs))  # as many for each worker
    digits = 10 ** max(0, len(str(wanted)) - 2)  # two digits that say something
    rounded = wanted // digits * digits
    return replace(work, shard_matches=-(-rounded // mirrors) * mirrors)
