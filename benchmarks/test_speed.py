"""Cases for pytest-benchmark: `pytest benchmarks --benchmark-only` (extra `bench`)."""

from __future__ import annotations

import numpy as np
import pytest

from handfoot_sim.bench.rates import shuffles
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.playing import play
from handfoot_sim.results import deals_table
from handfoot_sim.rules import PRESETS
from handfoot_sim.tally import tally_rows

CASES = [
    ("greedy", "fused", 2000),
    ("random_legal", "fused", 500),
    ("greedy", "lockstep", 4096),
    ("greedy_numpy", "lockstep", 4096),
]


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(("agent", "driver", "matches"), CASES)
def test_playing(benchmark, agent, driver, matches, rules):
    pairing = make_pairing([agent, agent], PRESETS[rules])
    play(pairing, seed=0, first_match=0, count=2, driver=driver)
    rows = benchmark(play, pairing, seed=0, first_match=0, count=matches, driver=driver)
    benchmark.extra_info["turns"] = int(rows["turns"][:, :, 0].sum())


def test_calibration(benchmark):
    deck = np.zeros(270, np.uint8)
    benchmark(shuffles, deck, deck.copy(), 10_000)


def test_recording(benchmark):
    pairing = make_pairing(["greedy", "greedy"], PRESETS["standard"])
    rows = play(pairing, seed=0, first_match=0, count=4000)
    benchmark(lambda: (deals_table(pairing, rows, 0), tally_rows(rows, 2)))
