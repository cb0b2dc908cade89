"""The figures of a comparison, each against an independent way."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.engine.rows import ROW
from handfoot_sim.playing import play
from handfoot_sim.rules import Rules
from handfoot_sim.tally import (
    FIGURES,
    RATIOS,
    Tally,
    clustered_share,
    figure_estimate,
    mean_estimate,
    median_opening,
    ratio_estimate,
    ratio_share,
    share_estimate,
    tally_rows,
)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    pairing = make_pairing(["greedy", "random_legal"], Rules())
    return play(pairing, seed=2, first_match=0, count=400)


def own(rows: np.ndarray) -> np.ndarray:
    """Rows of line-up A, shape (matches, deals): it has team 0, then team 1."""
    return rows[np.arange(len(rows)), :, np.arange(len(rows)) % 2]


def test_margin_is_the_mean_over_pairs(rows: np.ndarray) -> None:
    scores = rows["score"].sum(1).astype(float)
    margins = [
        ((one[0] - one[1]) + (two[1] - two[0])) / 2
        for one, two in zip(scores[::2], scores[1::2], strict=True)
    ]
    tally = tally_rows(rows, 2)
    estimate = mean_estimate(*tally.margin, tally.sets)
    interval = stats.bootstrap((margins,), np.mean, rng=1, method="basic").confidence_interval
    low, high = stats.t.interval(0.95, len(margins) - 1, np.mean(margins), stats.sem(margins))
    assert estimate.n == len(margins) == 200
    assert estimate.value == pytest.approx(np.mean(margins))
    assert (estimate.low, estimate.high) == pytest.approx((low, high))
    assert estimate.half_width == pytest.approx((interval.high - interval.low) / 2, rel=0.15)
    assert tuple(tally.sets_won) == (
        sum(m > 0 for m in margins),
        sum(m == 0 for m in margins),
        sum(m < 0 for m in margins),
    )


def test_parts_add_up_to_the_whole(rows: np.ndarray) -> None:
    whole = tally_rows(rows, 2)
    parts = tally_rows(rows[:100], 2) + tally_rows(rows[100:], 2) + Tally()
    for name, value in vars(whole).items():
        assert np.allclose(value, getattr(parts, name)), name


def test_figures_are_means_over_all_deals_of_a_side(rows: np.ndarray) -> None:
    tally = tally_rows(rows, 2)
    mine = own(rows)
    assert figure_estimate(tally, 0, "score").value == pytest.approx(mine["score"].mean())
    assert figure_estimate(tally, 0, "clean").value == pytest.approx(mine["clean"].mean())
    assert tally.counts[0, FIGURES.index("takes")] == mine["pile_takes"].sum()


def test_ratio_interval_agrees_with_the_bootstrap(rows: np.ndarray) -> None:
    estimate = ratio_estimate(tally_rows(rows, 2), 1, "taken when it could be")
    other = rows[np.arange(len(rows)), :, 1 - np.arange(len(rows)) % 2]
    takes = other["pile_takes"].reshape(200, -1).sum(1)
    chances = other["pile_chances"].reshape(200, -1).sum(1)
    assert RATIOS["taken when it could be"] == ("takes", "chances")
    assert estimate.value == pytest.approx(takes.sum() / chances.sum())
    assert estimate.n == chances.sum()
    interval = stats.bootstrap(
        (takes, chances),
        lambda x, y, axis: x.sum(axis) / y.sum(axis),
        paired=True,
        rng=1,
        method="percentile",
    ).confidence_interval
    assert estimate.low == pytest.approx(interval.low, abs=0.005)
    assert estimate.high == pytest.approx(interval.high, abs=0.005)


def test_ratio_shares_stay_between_none_and_all(rows: np.ndarray) -> None:
    tally = tally_rows(rows, 2)
    wide = ratio_share(tally, 1, "taken when it could be")
    ratio = ratio_estimate(tally, 1, "taken when it could be")
    assert (wide.value, wide.n) == (ratio.value, ratio.n)
    assert wide.half_width == pytest.approx(ratio.half_width, rel=0.1)
    few = rows[:8].copy()
    few["pile_takes"] = few["pile_chances"]
    all_taken = ratio_share(tally_rows(few, 2), 0, "taken when it could be")
    assert all_taken.value == all_taken.high == 1
    assert all_taken.low == pytest.approx(share_estimate(all_taken.n, all_taken.n).low)
    few["pile_takes"][1::2] -= 1
    assert ratio_share(tally_rows(few, 2), 1, "taken when it could be").high <= 1


@pytest.mark.parametrize(("won", "n"), [(0, 10), (5, 10), (10, 10), (1, 1), (531, 1000)])
def test_shares_have_wilson_intervals(won: int, n: int) -> None:
    reference = stats.binomtest(won, n).proportion_ci(method="wilson")
    estimate = share_estimate(won, n)
    assert (estimate.low, estimate.high) == pytest.approx((reference.low, reference.high))
    assert np.isnan(share_estimate(0, 0).value)


def test_shares_of_clustered_trials_are_wider() -> None:
    generator = np.random.default_rng(3)
    alike = np.repeat(generator.integers(0, 2, 200), 8).reshape(200, 8).mean(1)
    alone = generator.integers(0, 2, (200, 8)).mean(1)
    wide = clustered_share(alike.sum(), np.square(alike).sum(), 200, 1600)
    narrow = clustered_share(alone.sum(), np.square(alone).sum(), 200, 1600)
    assert wide.half_width == pytest.approx(
        share_estimate(alike.mean() * 200, 200).half_width, rel=0.02
    )
    assert narrow.half_width == pytest.approx(
        share_estimate(alone.mean() * 1600, 1600).half_width, rel=0.15
    )


@pytest.mark.heavy
def test_the_margin_interval_covers_its_mean_as_often_as_it_says() -> None:
    generator = np.random.default_rng(8)
    covered = 0
    for _ in range(1000):
        margins = generator.standard_exponential(40) - 1
        estimate = mean_estimate(margins.sum(), np.square(margins).sum(), 40)
        covered += estimate.low <= 0 <= estimate.high
    assert 900 <= covered <= 970


def test_median_opening_agrees_with_scipy() -> None:
    generator = np.random.default_rng(5)
    for share in (0.3, 0.8, 1.0):
        rows = np.zeros((300, 1, 2), ROW)
        rows["turns"] = generator.integers(20, 60, rows.shape)
        opened = generator.integers(0, 40, rows.shape)
        happens = (generator.random(rows.shape) < share) & (opened < rows["turns"])
        rows["opened_turn"] = np.where(happens, opened, -1)
        tally = tally_rows(rows, 2)
        mine = own(rows).ravel()
        censored = mine["opened_turn"] < 0
        waited = np.where(censored, mine["turns"], mine["opened_turn"])
        curve = stats.ecdf(stats.CensoredData.right_censored(waited, censored)).sf
        with warnings.catch_warnings():
            # The band is undefined where the curve has come down to 0; no median is there.
            warnings.simplefilter("ignore", RuntimeWarning)
            band = curve.confidence_interval(method="log-log")
        estimate = median_opening(tally, 0)
        expected = [
            min(curve.quantiles[part.probabilities <= 0.5], default=np.nan)
            for part in (curve, band.low, band.high)
        ]
        assert np.allclose([estimate.value, estimate.low, estimate.high], expected, equal_nan=True)


def test_single_pairs_have_no_interval(rows: np.ndarray) -> None:
    tally = tally_rows(rows[:2], 2)
    assert np.isnan(mean_estimate(*tally.margin, tally.sets).low)
    assert np.isnan(ratio_estimate(tally, 0, "cards a taking").low)
