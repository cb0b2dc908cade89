"""Waiting times: curves, bands, medians and the log-rank comparison against other ways."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from handfoot_sim.stats.counting import GROUPS
from handfoot_sim.stats.survival import curve, log_rank, median
from handfoot_sim.tally import kaplan_meier_median


def raw(seed: int, n: int = 400) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Turns, whether it happened then, and how the deal ended otherwise (0, 1 or 2)."""
    random = np.random.default_rng(seed)
    wanted = random.geometric(0.05, n) - 1
    end = random.integers(5, 60, n)
    return np.minimum(wanted, end), wanted <= end, random.integers(0, 3, n)


def counted(turn: np.ndarray, happened: np.ndarray, end: np.ndarray) -> np.ndarray:
    counts = np.zeros((GROUPS, 4, 64), np.int64)
    kind = np.where(happened, 0, end + 1)
    np.add.at(counts, (np.arange(len(turn)) % GROUPS, kind, turn), 1)
    return counts


@pytest.mark.filterwarnings("ignore:The confidence interval is undefined")
@pytest.mark.parametrize("seed", range(4))
def test_kaplan_meier_is_that_of_scipy(seed: int) -> None:
    turn, happened, end = raw(seed)
    found = curve(counted(turn, happened, end))
    theirs = stats.ecdf(stats.CensoredData.right_censored(turn, ~happened)).sf
    assert np.allclose(
        1 - found.share[: turn.max() + 1], theirs.evaluate(np.arange(turn.max() + 1))
    )
    band = theirs.confidence_interval(method="log-log")
    inside = (theirs.probabilities < 0.95) & (theirs.probabilities > 0.1)
    at = theirs.quantiles[inside].astype(int)
    # Ours is the jackknife's over 61 groups, theirs Greenwood's: alike where deals are independent.
    ours = found.high[at] - found.low[at]
    other = (band.high.probabilities - band.low.probabilities)[inside]
    assert 0.75 < np.mean(ours / other) < 1.35
    assert found.at_risk[0] == len(turn)
    assert found.happened.sum() == happened.sum()


def test_a_curve_worked_out_by_hand() -> None:
    """Five deals: events in turns 1 and 3, ends of three kinds in turns 1, 2 and 3."""
    counts = np.zeros((GROUPS, 4, 5))
    counts[0, 0, 1] = counts[1, 0, 3] = 1
    counts[2, 1, 1] = counts[3, 2, 2] = counts[4, 3, 3] = 1
    found = curve(counts)
    assert found.at_risk.tolist() == [5, 5, 3, 2, 0]
    assert np.allclose(found.share, [0, 1 / 5, 1 / 5, 1 - 4 / 5 * 1 / 2, 1 - 4 / 5 * 1 / 2])
    assert np.allclose(found.incidence.value, [0, 1 / 5, 1 / 5, 2 / 5, 2 / 5])
    assert np.allclose(
        found.ended, np.array([[0, 1, 1, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]]) / 5
    )
    assert median(found)[0] == 3
    assert np.isnan(found.low[0])
    assert (found.low[1:] < found.share[1:]).all()
    assert (found.high[1:] > found.share[1:]).all()


def test_incidence_is_aalen_and_johansens() -> None:
    """Their product over all ends of a deal, step by step, is the counted share."""
    turn, happened, end = raw(9)
    kind = np.where(happened, 0, end + 1)
    alive, shares = 1.0, np.zeros(4)
    found = curve(counted(turn, happened, end))
    for t in range(64):
        at_risk = (turn >= t).sum()
        if at_risk:
            steps = np.array([((turn == t) & (kind == k)).sum() / at_risk for k in range(4)])
            shares += alive * steps
            alive *= 1 - steps.sum()
        assert np.allclose(shares[0], found.incidence.value[t])
        assert np.allclose(shares[1:], found.ended[:, t])
    assert alive == pytest.approx(0)


def test_medians_are_those_of_the_tally() -> None:
    for seed in range(5):
        turn, happened, end = raw(seed, 2000)
        value, low, high = median(curve(counted(turn, happened, end)))
        theirs = kaplan_meier_median(
            np.bincount(turn[happened], minlength=64), np.bincount(turn[~happened], minlength=64)
        )
        assert value == theirs[0]
        assert abs(low - theirs[1]) <= 1
        assert abs(high - theirs[2]) <= 1


def test_medians_that_are_not_reached_or_certain() -> None:
    never, at_once, alone = (np.zeros((GROUPS, 4, 5)) for _ in range(3))
    never[:10, 1, 4] = 1
    at_once[:10, 0, 0] = 1
    alone[0, 0, 2] = 1
    assert all(np.isnan(value) for value in median(curve(never)))
    assert median(curve(at_once)) == (0, 0, 0)
    value, low, high = median(curve(alone))
    assert value == 2
    assert np.isnan([low, high]).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_log_rank_is_that_of_scipy(seed: int) -> None:
    samples = [raw(seed), raw(seed + 50, 300)]
    found = log_rank(*(counted(*sample) for sample in samples))
    data = [stats.CensoredData.right_censored(turn, ~there) for turn, there, _ in samples]
    theirs = stats.logrank(*data)
    assert abs(found.excess) / np.sqrt(found.variance) == pytest.approx(abs(theirs.statistic))
    # Independent deals: the jackknife's error is about that of the formula.
    assert found.statistic == pytest.approx(
        found.excess / np.sqrt(found.variance), rel=0.35, abs=0.1
    )
    assert found.error == pytest.approx(1 / np.sqrt(found.variance), rel=0.35)


def test_the_ratio_of_hazards_maximises_the_partial_likelihood() -> None:
    first, second = raw(1), raw(2)
    second = (second[0] * 2 // 3, *second[1:])

    def loss(beta: float) -> float:
        total = 0.0
        for t in np.unique(first[0]):
            own, other = (first[0] >= t).sum(), (second[0] >= t).sum()
            ours = ((first[0] == t) & first[1]).sum()
            events = ours + ((second[0] == t) & second[1]).sum()
            total += events * np.log(own * np.exp(beta) + other) - ours * beta
        return total

    found = log_rank(counted(*first), counted(*second))
    assert found.log_ratio == pytest.approx(optimize.minimize_scalar(loss).x, abs=1e-5)
    assert found.log_ratio < 0
    turned = log_rank(counted(*second), counted(*first))
    assert turned.log_ratio == pytest.approx(-found.log_ratio)
    assert turned.error == pytest.approx(found.error)


def test_agents_that_wait_for_the_same_cards_are_not_independent() -> None:
    """Each deal stands for both agents, one of them now and then a turn later."""
    random = np.random.default_rng(4)
    turn = random.integers(0, 50, 3000)
    later = np.minimum(turn + (random.random(3000) < 0.1), 63)
    sure = np.ones(3000, bool)
    end = np.zeros(3000, np.int64)
    found = log_rank(counted(turn, sure, end), counted(later, sure, end))
    assert found.excess > 0
    assert found.error < 0.2 / np.sqrt(found.variance)
    assert found.statistic > 5 * found.excess / np.sqrt(found.variance)


def test_what_only_one_agent_ever_does() -> None:
    turn, happened, end = raw(3)
    never = counted(turn, np.zeros_like(happened), end)
    found = log_rank(counted(turn, happened, end), never)
    assert found.log_ratio == np.inf
    assert np.isnan(found.error)
    assert found.statistic > 5
    assert log_rank(never, counted(turn, happened, end)).log_ratio == -np.inf


def test_a_waiting_time_of_nothing() -> None:
    found = curve(np.zeros((GROUPS, 4, 8)))
    assert found.n == 0
    assert np.isnan(found.incidence.value).all()
    compared = log_rank(np.zeros((GROUPS, 4, 8)), np.zeros((GROUPS, 4, 8)))
    assert np.isnan([compared.log_ratio, compared.error, compared.statistic]).all()
