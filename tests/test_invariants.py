"""What holds in every deal by any rules, whatever the players do."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handfoot_sim.engine.position import Position
from handfoot_sim.game.cards import KINDS, PER_PACK
from handfoot_sim.rules import Rules
from tests.random_play import random_rules
from tests.tables import shuffled
from tests.witness import play_deal

SEEDS = st.integers(0, 2**32 - 1)
SLOW = [HealthCheck.too_slow]
MANY = settings(deadline=None, max_examples=150, suppress_health_check=SLOW)
SOME = settings(deadline=None, max_examples=40, suppress_health_check=SLOW)

SMALL = Rules(
    players=2, teams=2, decks=3, hand_size=5, foot_size=5, book_size=5, meld_minimums=(20,),
    clean_to_go_out=1, dirty_to_go_out=0, wild_to_go_out=0,
)  # fmt: skip
SIX = Rules(
    players=6, teams=2, decks=7, hand_size=4, foot_size=4, meld_minimums=(0,),
    discard_to_go_out=False, clean_to_go_out=0, dirty_to_go_out=1, wild_to_go_out=0,
)  # fmt: skip


@MANY
@given(rules=random_rules(), key=SEEDS, deal=st.integers(0, 3))
def test_every_step_of_a_deal_keeps_everything_in_order(rules: Rules, key: int, deal: int) -> None:
    position = shuffled(rules, key, deal, dealer=key % rules.players)
    assert position["streams"] == rules.players
    play_deal(position, Random(key))


@SOME
@given(rules=random_rules(), key=SEEDS)
def test_so_it_does_with_one_common_stock(rules: Rules, key: int) -> None:
    play_deal(dealt_by_hand(rules, Random(key)), Random(key))


def dealt_by_hand(rules: Rules, random: Random) -> Position:
    """A deal with one stock for all, from which the cards come in order."""
    deck = [kind for kind, count in zip(KINDS, PER_PACK, strict=True) for _ in range(count)]
    deck *= rules.decks
    random.shuffle(deck)
    deck.sort(key=lambda kind: kind == "K")  # a king is last and turned up
    upcard = deck.pop()
    sizes = [rules.hand_size] * rules.players + [rules.foot_size] * rules.players
    lots = [[deck.pop() for _ in range(size)] for size in sizes]
    random.shuffle(deck)
    position = Position(rules)
    seats = rules.players
    position.deal(1, random.randrange(seats), lots[:seats], lots[seats:], upcard, deck)
    assert position["streams"] == 1
    return position


@SOME
@given(rules=random_rules(), key=SEEDS)
def test_the_streams_give_every_card_of_the_stock_once(rules: Rules, key: int) -> None:
    position = shuffled(rules, key)
    size = int(position["stock_size"])
    stock = position["stock"][:size].copy()
    while not position.over:
        position.draw()
        if not position.over:
            position.discard(position.hand(position.seat)[0])
    assert position["stock_left"] == 0
    assert (position["stock_next"][: rules.players] >= size).all()
    assert np.array_equal(np.sort(position["drawn"][:size]), np.sort(stock))


EVENTS = ("pile_takes", "asked", "refusals", "red_threes", "clean", "dirty", "wild")
ENDS = ("ended: out", "ended: stock", "foot after meld", "foot after discard")
FAULTS = ("3.1", "3.3", "4.1", "4.2", "4.5", "4.7", "5.2", "6.3", "6.5", "7.1", "7.3")


def test_the_random_players_do_all_there_is_to_do() -> None:
    events: Counter[str] = Counter()
    for rules in (SMALL, SIX):
        for key in range(40):
            events += play_deal(shuffled(rules, key), Random(key)).events
    assert not [name for name in (*EVENTS, *ENDS) if not events[name]]
    assert not [rule for rule in FAULTS if not events[f"broke {rule}"]]


@pytest.mark.parametrize("field", ["held", "clean", "melded", "stock_left", "red_threes", "known"])
def test_the_witness_sees_what_is_wrong(field: str) -> None:
    position = shuffled(SMALL, key=1)
    position.table[field].flat[0] += 20
    with pytest.raises(AssertionError):
        play_deal(position, Random(1))


def test_the_witness_sees_cards_that_come_from_nowhere() -> None:
    position = shuffled(SMALL, key=1)
    position.table["stock"][0, position["stock_next"][position.seat]] += 1
    with pytest.raises(AssertionError):
        play_deal(position, Random(1))
