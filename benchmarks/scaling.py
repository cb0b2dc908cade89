"""What a tournament costs beyond the kernel, and how it scales with workers.

``python benchmarks/scaling.py [MATCHES] [ROUNDS]`` plays MATCHES (200,000 unless given) of greedy
against a variant of itself, in turn: the bare fused kernel on one core; the same as a run of one
worker with shards and figures; and with as many threads and as many processes as there are cores.
Prints medians of ratios within rounds. The overhead is told in processor time too, which other
work on the machine disturbs less.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from handfoot_sim.playing import play
from handfoot_sim.runs.carrying import Run, carry_on
from handfoot_sim.runs.engines import Engine, core_count
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.runs.speed import measured_rate, sized
from handfoot_sim.simulation import plan


def bare(run: Run) -> tuple[float, float]:
    """Seconds, and processor seconds, of the kernel alone."""
    work, pairing = run.works[0], run.pairings[0]
    start, used = time.perf_counter(), time.process_time()
    for first in range(0, work.matches, work.shard_matches):
        count = min(work.shard_matches, work.matches - first)
        play(pairing, seed=work.seed, first_match=first // pairing.mirrors, count=count)
    return time.perf_counter() - start, time.process_time() - used


def whole(run: Run, engine: Engine, cores: int) -> tuple[float, float]:
    """Seconds, and processor seconds of this process, of a run with its folder.

    Held to so many ``cores``: a run of one worker adds up and writes in a second thread.
    """
    all_cores = os.sched_getaffinity(0)
    with TemporaryDirectory() as place:
        os.sched_setaffinity(0, set(sorted(all_cores)[:cores]))
        start, used = time.perf_counter(), time.process_time()
        carry_on(run, engine, folder_at(Path(place) / "run"))
        spent = time.perf_counter() - start, time.process_time() - used
        os.sched_setaffinity(0, all_cores)
        return spent


def main(matches: int, rounds: int) -> None:
    """Measure and print."""
    cores = core_count()
    work, pairing = plan(["greedy", "greedy:pile_min=3"], matches, 0, "standard")
    rate = measured_rate(work, pairing)
    run = Run((sized(work, rate, matches, cores),), (pairing,))
    print(f"{matches:,} matches, shards of {run.works[0].shard_matches:,}, {cores} cores")
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        kernel, alone = bare(run), whole(run, Engine(), 1)
        found = {
            "a run on one core over the kernel, time": alone[0] / kernel[0],
            "a run on one core over the kernel, processor time": alone[1] / kernel[1],
        }
        for backend in ("threading", "loky"):
            many = whole(run, Engine(backend, cores), cores)
            found[f"one core over {cores} with {backend}"] = alone[0] / many[0]
        for name, ratio in found.items():
            ratios.setdefault(name, []).append(ratio)
    for name, values in ratios.items():
        shown = ", ".join(f"{value:.2f}" for value in values)
        print(f"{name}: {statistics.median(values):.2f} (of {shown})")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(given[0] if given else 200_000, given[1] if len(given) > 1 else 5)
