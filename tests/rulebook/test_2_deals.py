"""Section 2 of the rule sheet: seats, teams, deals."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.errors import RulesError
from handfoot_sim.game.cards import KIND_NUMBER, KINDS
from handfoot_sim.game.deal import turn_upcard
from handfoot_sim.game.state import rules_record
from handfoot_sim.jit import jit
from handfoot_sim.playing import play
from handfoot_sim.rules import Rules
from tests.tables import FREE, Table, cards, shuffled

FORMS = [(2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 3), (6, 6)]
OTHERS = [(p, t) for p in range(8) for t in range(8) if (p, t) not in FORMS]
KEYS = range(300)


@jit
def upcard(order, start, rules, key):
    """Turn the upcard of cards that lie in order."""
    return turn_upcard(order, start, rules[0], key)


def turned(text: str, rules: Rules, key: int) -> list[str]:
    """The cards, upcard first, after the upcard was turned from them."""
    order = np.array([KIND_NUMBER[card] for card in cards(text)], np.uint8)
    assert upcard(order, 0, rules_record(rules), np.uint64(key))
    return [KINDS[kind] for kind in order]


def form(players: int, teams: int) -> Rules:
    return Rules(players=players, teams=teams, decks=7, meld_minimums=(0,))


def test_2_1_standard_is_four_players_in_two_teams() -> None:
    assert (Rules().players, Rules().teams, Rules().seats_per_team) == (4, 2, 2)


@pytest.mark.parametrize(("players", "teams"), FORMS)
def test_2_1_the_team_of_a_seat_is_seat_mod_teams(players: int, teams: int) -> None:
    rules = form(players, teams)
    table = Table(rules=rules, hands=["9x3 8 8"] * players)
    for seat in range(players):
        assert table.seat == seat
        table.legal("draw")
        team = seat % teams
        if seat < teams:
            table.legal("play", {"9": "9x3"})
        else:
            table.legal("play", {"9": "9"})
        table.legal("discard", "8")
        assert table["naturals"][team, KIND_NUMBER["9"]] == 3 + seat // teams
    assert not table["opened"][teams:].any()


@pytest.mark.parametrize(("players", "teams"), OTHERS)
def test_2_1_there_are_no_other_forms(players: int, teams: int) -> None:
    with pytest.raises(RulesError):
        form(players, teams)


@pytest.mark.parametrize("dealer", [0, 2, 3])
def test_2_2_the_deal_passes_to_the_left_over_four_deals(dealer: int) -> None:
    pairing = make_pairing(["greedy", "greedy"], Rules(), duplicate=False)
    rows = play(pairing, seed=1, first_match=0, count=1, dealer=dealer)
    assert rows.shape == (1, 4, 2)
    assert rows["dealer"][0, :, 0].tolist() == [(dealer + deal) % 4 for deal in range(4)]
    leads = (rows["dealer"][0, :, 0] + 1) % 2
    assert rows["first"][0].tolist() == [[lead == 0, lead == 1] for lead in leads]


def test_2_2_seat_0_deals_first_unless_given() -> None:
    pairing = make_pairing(["greedy", "greedy"], Rules(deals=6), duplicate=False)
    rows = play(pairing, seed=1, first_match=0, count=1)
    assert rows["dealer"][0, :, 0].tolist() == [0, 1, 2, 3, 0, 1]


@pytest.mark.parametrize(("hand", "foot"), [(13, 13), (11, 9), (1, 2)])
@pytest.mark.parametrize(("players", "teams"), FORMS)
def test_2_3_hand_foot_and_the_rest_is_the_stock(
    players: int, teams: int, hand: int, foot: int
) -> None:
    rules = Rules(players=players, teams=teams, decks=7, hand_size=hand, foot_size=foot)
    position = shuffled(rules, key=5)
    assert position["held"].tolist() == [hand] * players + [0] * (6 - players)
    assert position["hand"].sum(1).tolist() == position["held"].tolist()
    assert position["foot"].sum(1).tolist() == [foot] * players + [0] * (6 - players)
    assert position["stock_size"] == 378 - players * (hand + foot) - 1
    assert position["stock_left"] == position["stock_size"] - position["red_threes"].sum()


def test_2_3_nobody_may_look_at_a_foot() -> None:
    tables = [Table("4 5 6", feet=[foot] * 4) for foot in ("9x2 K", "JKx2 2")]
    for seat in range(4):
        one, other = (table.view(seat) for table in tables)
        assert one.tobytes() == other.tobytes()


def test_2_3_the_foot_is_not_in_play_before_it_is_picked_up() -> None:
    table = Table("9x2 4 5", foot="9x3 Q")
    table.legal("draw")
    table.refuses("4.7", "play", {"9": "9x3"})
    table.refuses("3.3", "discard", "Q")


def test_2_4_the_top_card_of_the_stock_starts_the_pile() -> None:
    assert turned("9 K 4 5", Rules(), key=1) == cards("9 K 4 5")
    position = shuffled(Rules(), key=1)
    assert position["pile_size"] == 1
    assert position["pile_counts"].sum() == position["pile_counts"][position["pile"][0]] == 1


@pytest.mark.parametrize("buried", ["JK", "3R", "3B"])
def test_2_4_a_three_or_joker_is_buried(buried: str) -> None:
    for key in range(50):
        after = turned(f"{buried} 9 K 4 5", Rules(), key)
        assert after[0] == "9"
        assert Counter(after) == Counter(cards(f"{buried} 9 K 4 5"))
        assert [card for card in after if card != buried] == cards("9 K 4 5")


def test_2_4_the_next_card_is_turned_until_one_may_stay() -> None:
    for key in range(50):
        after = turned("3R JK 3B JK 3R 9 3B K", Rules(), key)
        assert after[0] == "9"
        assert Counter(after) == Counter(cards("3R JK 3B JK 3R 9 3B K"))


def test_2_4_it_is_buried_at_any_place_alike() -> None:
    text = "3R 4 5 6 7 8 9 10 J Q"
    places = Counter(turned(text, Rules(), key).index("3R") for key in range(9000))
    assert sorted(places) == list(range(1, 10))
    assert max(abs(count - 1000) for count in places.values()) < 5 * np.sqrt(1000)


def test_2_4_a_two_stays_unless_bury_twos() -> None:
    assert turned("2 9 K", Rules(), key=1)[0] == "2"
    assert {turned("2 9 K", Rules(bury_twos=True), key)[0] for key in KEYS} == {"9"}


def test_2_4_upcards_of_whole_deals() -> None:
    tops = Counter(KINDS[shuffled(Rules(), key)["pile"][0]] for key in KEYS)
    assert set(tops) == set(KINDS[4:]) | {"2"}
    buried = Counter(KINDS[shuffled(Rules(bury_twos=True), key)["pile"][0]] for key in KEYS)
    assert set(buried) == set(KINDS[4:])


def test_2_4_where_no_card_left_may_stay_the_cards_are_dealt_anew() -> None:
    tight = Rules(players=2, teams=2, decks=1, hand_size=24, foot_size=2, bury_twos=True)
    assert {KINDS[shuffled(tight, key)["pile"][0]] for key in KEYS} == set(KINDS[4:])


def test_2_5_red_threes_of_the_hands_are_laid_and_replaced() -> None:
    table = Table("3Rx2 9 4", stock="10 J 8 8 8 8")
    assert sorted(table.hand(0)) == sorted(cards("9 4 10 J"))
    assert table["red_threes"].tolist()[:2] == [2, 0]
    assert table["stock_left"] == 4


def test_2_5_a_red_three_among_the_replacements_is_laid_too() -> None:
    table = Table("3R 9 4", stock="3R 3R J 8 8")
    assert sorted(table.hand(0)) == sorted(cards("9 4 J"))
    assert table["red_threes"][0] == 3


@pytest.mark.parametrize(
    ("first", "dealer", "order"),
    [("left", 0, [1, 2, 3, 0]), ("left", 2, [3, 0, 1, 2]), ("dealer", 2, [2, 3, 0, 1])],
)
def test_2_5_players_replace_in_turn(first: str, dealer: int, order: list[int]) -> None:
    rules = Rules(first_player=first)
    table = Table(rules=rules, hands=["3R 4"] * 4, stock="8 9 10 J Q Q", dealer=dealer)
    assert [table.hand(seat)[-1] for seat in order] == ["8", "9", "10", "J"]


def test_2_5_there_is_no_replacement_from_an_empty_stock() -> None:
    table = Table("3Rx2 9 4", stock="J")
    assert table["held"][0] == 3
    assert not table.over


@pytest.mark.parametrize("dealer", range(4))
def test_2_6_the_player_to_the_dealers_left_begins(dealer: int) -> None:
    assert Table("4 5", dealer=dealer).seat == (dealer + 1) % 4


@pytest.mark.parametrize("dealer", range(4))
def test_2_6_or_the_dealer(dealer: int) -> None:
    assert Table("4 5", Rules(first_player="dealer"), dealer=dealer).seat == dealer


@pytest.mark.parametrize(("players", "teams"), FORMS)
def test_2_6_turns_pass_to_the_left(players: int, teams: int) -> None:
    table = Table("4 5 6", form(players, teams))
    seats = []
    for _ in range(2 * players):
        seats.append(table.seat)
        table.pass_turns()
    assert seats == [*range(players), *range(players)]
    assert FREE.first_player == "left"
