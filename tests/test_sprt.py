"""Sequential tests: the formulas against other ways to the same number, and their error rates."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize

from handfoot_sim.errors import PlanError
from handfoot_sim.ratings.sprt import (
    PAIR_VALUES,
    EloTest,
    MarginTest,
    elo_of,
    likeliest,
    margin_llr,
    outcome_llr,
    score_of,
    wald_bounds,
)


def test_elo_and_score_are_inverse() -> None:
    assert score_of(400.0) == pytest.approx(10 / 11)
    assert score_of(0.0) == 0.5
    for elo in (-300.0, -5.0, 0.0, 12.5, 700.0):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_bounds_are_walds() -> None:
    low, high = wald_bounds(0.05, 0.05)
    assert (low, high) == pytest.approx((-math.log(19), math.log(19)))
    assert round(high, 2) == 2.94  # as fishtest prints it
    low, high = wald_bounds(0.01, 0.1)
    assert (low, high) == pytest.approx((math.log(10 / 99), math.log(90)))


def test_two_outcomes_give_the_ratio_of_two_binomials() -> None:
    """With wins and losses only, nothing is left open: the LLR can be written down."""
    s0, s1 = score_of(0), score_of(50)
    by_hand = 60 * math.log(s1 / s0) + 40 * math.log((1 - s1) / (1 - s0))
    assert outcome_llr([40, 60], 0, 50) == pytest.approx(by_hand)


def test_three_outcomes_by_hand() -> None:
    """Of 10 lost, 60 tied and 30 won, mean 1/2: p_i / (1 + x (a_i - 1/2)) sums by a quadratic.

    With u = x / 2 the condition is -10 / (1 - u) + 30 / (1 + u) = 0, so u = 1/2: 20, 60, 20.
    """
    found = likeliest(np.array([0, 0.5, 1]), np.array([0.1, 0.6, 0.3]), 0.5)
    assert found == pytest.approx([0.2, 0.6, 0.2])
    # Against the seen mean, 0.6, for which the likeliest are the shares seen themselves.
    by_hand = 10 * math.log(0.1 / 0.2) + 30 * math.log(0.3 / 0.2)
    assert outcome_llr([10, 60, 30], 0, elo_of(0.6)) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "published"),
    [
        ([17, 253, 1042, 337, 39], -0.5, 1.5, 2.96),  # Stockfish pull request 2971
        ([133, 1751, 5094, 1849, 165], -0.5, 1.5, 2.94),  # 2950
        ([59, 754, 2467, 865, 75], -0.5, 1.5, 2.95),  # 2951
        ([149, 4748, 32785, 5063, 159], 0.25, 1.75, 2.95),  # 2950, long time control
        ([14, 1030, 14318, 1163, 19], 0.25, 1.25, 2.93),  # 3331
        ([424, 2948, 5832, 3045, 460], -1.0, 3.0, 2.94),  # 2493
    ],
)
def test_published_tests_of_chess_engines(
    counts: list[int], elo0: float, elo1: float, published: float
) -> None:
    """Outcomes of pairs and the LLR that fishtest printed of them, to two places."""
    assert outcome_llr(counts, elo0, elo1) == pytest.approx(published, abs=0.0051)


def likelihood_under(counts: np.ndarray, mean: float) -> float:
    """Largest log-likelihood of counts with a given mean, by a general optimiser."""
    values = np.array(PAIR_VALUES)
    found = optimize.minimize(
        lambda p: -np.sum(counts * np.log(p)) / counts.sum(),
        np.full(5, 0.2),
        jac=lambda p: -counts / p / counts.sum(),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ values - mean},
        ],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return -float(found.fun) * counts.sum()


@pytest.mark.parametrize("counts", [[20, 30, 90, 40, 25], [3, 1, 300, 2, 8], [400, 9, 5, 7, 90]])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 5), (-30, 40)])
def test_five_outcomes_agree_with_an_optimiser(counts: list[int], elo0: int, elo1: int) -> None:
    seen = np.array(counts, float)
    wanted = likelihood_under(seen, score_of(elo1)) - likelihood_under(seen, score_of(elo0))
    assert outcome_llr(seen, elo0, elo1) == pytest.approx(wanted, abs=1e-4, rel=1e-4)


def test_margin_llr_agrees_with_the_likelihoods() -> None:
    margins = np.random.default_rng(1).normal(40, 900, 500)

    def likelihood(mean: float) -> float:
        variance = np.mean((margins - mean) ** 2)
        terms = -0.5 * np.log(2 * np.pi * variance) - (margins - mean) ** 2 / (2 * variance)
        return float(terms.sum())

    found = margin_llr(500, margins.sum(), np.square(margins).sum(), 0, 100)
    assert found == pytest.approx(likelihood(100) - likelihood(0))


def test_degenerate_results_have_a_verdict() -> None:
    test = EloTest(0, 5)
    assert outcome_llr([0, 0, 0, 0, 0], 0, 5) == 0.0
    assert test.verdict(SimpleNamespace(outcomes=[0, 0, 0, 0, 4000])).accepted == "H1"
    assert test.verdict(SimpleNamespace(outcomes=[4000, 0, 0, 0, 0])).accepted == "H0"
    points = MarginTest(0, 100)
    none = SimpleNamespace(sets=0, margin=np.zeros(2))
    assert points.verdict(none).accepted == ""
    same = SimpleNamespace(sets=50, margin=np.zeros(2))
    assert points.verdict(same).accepted == "H0"
    assert points.verdict(same).llr == -math.inf
    hundred = SimpleNamespace(sets=50, margin=np.array([5000.0, 500_000.0]))
    assert points.verdict(hundred).accepted == "H1"


def test_claims_are_from_the_side_of_a() -> None:
    assert EloTest(0, 5).claim("H1") == "A is 5 Elo better than B"
    assert MarginTest(-20, 20).claim("H0") == "A is -20 points a match better than B"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: EloTest(5, 0), "elo0 = 5 must be less than elo1 = 0"),
        (lambda: EloTest(0, math.nan), "elo1 = nan must be a finite number"),
        (lambda: EloTest(0, 5, alpha=0), "alpha = 0 must be above 0"),
        (lambda: EloTest(0, 5, beta=0.5), "beta = 0.5 must be above 0 and below 0.5"),
        (lambda: EloTest(0, 5000), "from -4000 to 4000"),
        (lambda: MarginTest(10, 10), "margin0 = 10 must be less than margin1 = 10"),
    ],
)
def test_bad_tests_are_refused(make: object, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        make()


def share_of_h1(truth: np.ndarray, test: EloTest, runs: int, look: int, seed: int) -> float:
    """How often H1 is accepted where the outcomes of pairs have the probabilities ``truth``."""
    random = np.random.default_rng(seed)
    accepted = 0
    for _ in range(runs):
        counts = np.zeros(5)
        while True:
            counts += random.multinomial(look, truth)
            found = test.verdict(SimpleNamespace(outcomes=counts)).accepted
            if found:
                accepted += found == "H1"
                break
    return accepted / runs


@pytest.mark.parametrize(
    "runs", [pytest.param(150, id="some"), pytest.param(3000, id="many", marks=pytest.mark.heavy)]
)
def test_error_rates_on_outcomes(runs: int) -> None:
    """Wrong at most about alpha and beta of the time; 4 standard errors are allowed."""
    test = EloTest(0, 40, alpha=0.05, beta=0.1)
    shares = np.array([0.15, 0.05, 0.55, 0.07, 0.18])
    values = np.array(PAIR_VALUES)
    for elo, wrong, error in ((0, "H1", 0.05), (40, "H0", 0.1)):
        truth = likeliest(values, shares, score_of(elo))
        rate = share_of_h1(truth / truth.sum(), test, runs, 20, seed=7)
        rate = rate if wrong == "H1" else 1 - rate
        assert rate <= error + 4 * math.sqrt(error * (1 - error) / runs)
    assert rate > 0  # a test that is never wrong would have to be far too slow


@pytest.mark.parametrize(
    "runs", [pytest.param(300, id="some"), pytest.param(5000, id="many", marks=pytest.mark.heavy)]
)
def test_error_rates_on_margins(runs: int) -> None:
    test = MarginTest(0, 100, alpha=0.05, beta=0.05)
    random = np.random.default_rng(3)
    for truth, wrong in ((0.0, "H1"), (100.0, "H0")):
        errors = 0
        for _ in range(runs):
            sums, sets, accepted = np.zeros(2), 0, ""
            while not accepted:
                margins = random.normal(truth, 600, 50)
                sums += margins.sum(), np.square(margins).sum()
                sets += 50
                accepted = test.verdict(SimpleNamespace(sets=sets, margin=sums)).accepted
            errors += accepted == wrong
        assert errors / runs <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / runs)
