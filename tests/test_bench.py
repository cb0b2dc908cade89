"""The benchmark measures what it says; no speed is asserted."""

from __future__ import annotations

import json

import pytest

from handfoot_sim.bench.layers import layer_times
from handfoot_sim.bench.rates import Case, decisions_per_turn, measure
from handfoot_sim.bench.starting import peak_memory
from handfoot_sim.cli.main import run
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.rules import Rules


def test_rates_are_consistent() -> None:
    cases = [Case("greedy", "fused", 1, Rules()), Case("random_legal", "fused", 2, Rules())]
    rates, loop = measure(cases, rounds=1, seconds=0.01)
    assert loop > 0
    for rate in rates:
        assert rate.ns_per_turn == pytest.approx(1e9 / rate.turns_per_s)
        assert rate.decisions_per_s > rate.turns_per_s > rate.matches_per_s > 0
        assert rate.ratio == pytest.approx(rate.ns_per_turn / loop)


def test_both_drivers_ask_for_the_same_decisions() -> None:
    fused, lockstep = (decisions_per_turn("greedy", how, Rules()) for how in ("fused", "lockstep"))
    assert fused == lockstep
    assert 2 < fused < 5


def test_layers_add_up_to_the_whole() -> None:
    layers = layer_times(make_pairing(["greedy", "greedy"], Rules()), matches=20, rounds=1)
    parts = ("deals", "transitions", "views", "recording", "agents")
    assert sum(layers[part] for part in parts) == pytest.approx(layers["fused"])
    assert layers["tables"] > 0
    assert layers["writing"] > 0


def test_memory_is_measured() -> None:
    assert peak_memory() > 50


def test_json_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "greedy", "--rounds", "1", "--seconds", "0.02", "--quick", "--json"]
    assert run(words) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {rate["driver"] for rate in figures["rates"]} == {"fused", "lockstep"}
    assert set(figures["layers_ns_per_turn"]) >= {"deals", "views", "agents", "writing"}
