"""Shuffling and dealing: uniform, the same for every mirror, one stock stream a seat."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.game.cards import JOKER, N_KINDS, PER_PACK, RED_THREE, TWO
from handfoot_sim.playing import log_match
from handfoot_sim.rules import PRESETS, Rules

DEALS = 150


def dealt(rules: Rules, matches: int = DEALS, mirror: int = 0) -> np.ndarray:
    """Cards as given out, shape (matches x deals, cards); the stock in the order drawn."""
    pairing = make_pairing(["greedy", "random_legal"], rules)
    logs = [
        log_match(pairing, seed=4, match=m, mirror=mirror, dealer=0, driver="fused")[0]
        for m in range(matches)
    ]
    return np.concatenate([log.cards for log in logs])


@pytest.fixture(scope="module")
def cards() -> np.ndarray:
    return dealt(Rules())


def test_every_deal_holds_all_cards(cards: np.ndarray) -> None:
    for row in cards:
        assert tuple(np.bincount(row, minlength=N_KINDS)) == tuple(5 * n for n in PER_PACK)


@pytest.mark.parametrize("position", [0, 12, 13, 51, 52, 103, 106, 150])
def test_every_position_gets_every_kind_as_often_as_it_should(
    cards: np.ndarray, position: int
) -> None:
    """Chi-square against the kinds' shares of the pack; positions of the stock are drawn cards."""
    seen = np.bincount(cards[:, position], minlength=N_KINDS)
    expected = np.array(PER_PACK) / 54 * len(cards)
    assert stats.chisquare(seen, expected).pvalue > 1e-4


@pytest.mark.parametrize("name", ["standard", "pagat"])
def test_the_upcard_is_of_a_kind_that_may_lie_there(name: str) -> None:
    rules = PRESETS[name]
    upcards = np.bincount(dealt(rules)[:, 104], minlength=N_KINDS)
    may = np.array(PER_PACK, float)
    may[[JOKER, RED_THREE, RED_THREE + 1]] = 0
    may[TWO] *= not rules.bury_twos
    assert (upcards[may == 0] == 0).all()
    expected = may[may > 0] / may.sum() * upcards.sum()
    assert stats.chisquare(upcards[may > 0], expected).pvalue > 1e-4


def test_neighbouring_matches_and_deals_share_nothing(cards: np.ndarray) -> None:
    alike = (cards[1:, :104] == cards[:-1, :104]).mean()
    by_chance = (np.square(np.array(PER_PACK)) / 54**2).sum()
    assert alike == pytest.approx(by_chance, abs=0.005)


def test_mirrors_play_the_same_cards(cards: np.ndarray) -> None:
    other = dealt(Rules(), 20, mirror=1)
    assert np.array_equal(cards[:80, :105], other[:, :105])
    assert not np.array_equal(cards[:80], other)


def test_cards_are_dealt_anew_where_none_may_lie_on_the_pile() -> None:
    """One card is left after dealing: it must be one that may stay."""
    rules = Rules(players=2, teams=2, decks=1, hand_size=13, foot_size=13, deals=20)
    left = dealt(rules, 20)[:, 52]
    assert not np.isin(left, [JOKER, RED_THREE, RED_THREE + 1]).any()
