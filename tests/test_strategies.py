"""What the page of the strategies claims, at a size that takes seconds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from handfoot_sim.agent.loading import agent_class, agent_names, tuned_file
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.playing import play
from handfoot_sim.rules import PRESETS, Rules
from handfoot_sim.simulation import simulate
from handfoot_sim.stats import fingerprint
from handfoot_sim.tally import Estimate, mean_estimate, tally_rows

PAIRS = 150
STRATEGIES = sorted(
    name for name in agent_names() if not agent_class(name)[0].batch and not tuned_file(name)
)
PLANNING = [name for name in STRATEGIES if name != "random_legal"]
NOTHING_TO_WIN = ("tight stock",)
"""Rules under which a deal is over before anybody has had a turn or two."""


def margin(a: str, b: str, rules: Rules, sets: int, seed: int = 11) -> Estimate:
    """Mean paired margin of ``a`` over ``b``, in points a match."""
    pairing = make_pairing([a, b], rules)
    rows = play(pairing, seed=seed, first_match=0, count=sets * pairing.mirrors)
    tally = tally_rows(rows, pairing.mirrors)
    return mean_estimate(*tally.margin, tally.sets)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("other", [name for name in STRATEGIES if name != "balanced"])
def test_balanced_beats_every_other_one(other: str, preset: str) -> None:
    assert margin("balanced", other, PRESETS[preset], PAIRS).low > 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("strategy", PLANNING)
def test_every_plan_beats_having_none_by_far(strategy: str, preset: str) -> None:
    assert margin(strategy, "random_legal", PRESETS[preset], PAIRS).low > 10_000


@pytest.mark.parametrize("rules", CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_strategies_read_the_rules(rules: Rules) -> None:
    """Whatever is played, a plan is worth having: books, players and decks come from the view."""
    if rules in [CONFIGURATIONS[name] for name in NOTHING_TO_WIN]:
        pytest.skip("nobody has time for a plan")
    lost = {
        name: found.value
        for name in PLANNING
        if (found := margin(name, "random_legal", rules, 40)).value < 0
    }
    assert not lost


def test_no_two_play_alike() -> None:
    """Some share or mean of the fingerprint is far apart, in standard errors, for any two."""
    table = fingerprint([simulate([name, "greedy"], 2 * PAIRS, 5).deals for name in STRATEGIES])
    means = table[~table["figure"].str.endswith("median")]
    value = means.pivot_table(index="agent", columns="figure", values="value")
    error = means.assign(error=(means["high"] - means["low"]) / 4)
    error = error.pivot_table(index="agent", columns="figure", values="error")
    assert len(value) == len(STRATEGIES)
    for a, b in itertools.combinations(value.index, 2):
        apart = (value.loc[a] - value.loc[b]).abs() / np.hypot(error.loc[a], error.loc[b])
        assert apart.max() > 4, (a, b)
