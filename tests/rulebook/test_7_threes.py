"""Section 7 of the rule sheet: threes."""

from __future__ import annotations

import pytest

from handfoot_sim.game.cards import KIND_NUMBER
from handfoot_sim.game.state import OUT, STOCK
from handfoot_sim.rules import Rules
from tests.tables import ALONE, FREE, Table, cards


def test_7_1_a_red_three_dealt_is_laid_and_replaced() -> None:
    table = Table("3R 4 5", stock="9 8 8 8")
    assert sorted(table.hand(0)) == cards("4 5 9")
    assert table["red_threes"][0] == 1


def test_7_1_a_red_three_drawn_is_laid_and_replaced() -> None:
    table = Table("4 5", stock="9 3R K 8")
    table.legal("draw")
    assert sorted(table.hand(0)) == cards("4 5 9 K")
    assert table["red_threes"][0] == 1


def test_7_1_a_red_three_of_the_foot_is_laid_and_replaced() -> None:
    table = Table("9x3", foot="3R K", stock="9 9 J 8")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert sorted(table.hand(0)) == cards("J K")
    assert table["red_threes"][0] == 1


def test_7_1_it_lies_with_the_team_of_its_player() -> None:
    table = Table(hands=["3R 4", "3Rx2 4", "3R 4", "4"])
    assert table["red_threes"].tolist()[:2] == [2, 2]


@pytest.mark.parametrize("stock", ["", "3R"])
def test_7_1_it_never_counts_as_a_card_in_hand(stock: str) -> None:
    table = Table("3Rx2 4", stock=stock)
    assert table["held"][0] == 1
    assert table.owns("3R") == 0
    assert table["red_threes"][0] == 2 + len(cards(stock))


def test_7_1_it_is_never_discarded() -> None:
    table = Table("3R 4 5", stock="3R 8 8 8")
    table.legal("draw")
    table.refuses("7.1", "discard", "3R")


@pytest.mark.parametrize("opened", [False, True])
def test_7_2_each_on_the_table_counts_for_the_team(opened: bool) -> None:
    table = Table(rules=ALONE, hands=["3Rx3 9x3", "3R 4"], feet=["", ""], stock="")
    if opened:
        table.put_meld("K", "Kx3")
    table.legal("draw")
    assert table.points(0) == 300 - 30
    assert table.points(1) == 100 - 5


def test_7_2_each_left_in_a_foot_counts_against_it() -> None:
    table = Table("3R 4", ALONE, feet=["3Rx2 K", "3R K"], stock="")
    table.legal("draw")
    assert table["ended"] == STOCK
    assert table["foot_red_threes"].tolist()[:2] == [2, 1]
    assert table.points(0) == 100 - 200 - 5 - 10
    assert table.points(1) == -100 - 15 - 10


def test_7_2_however_the_deal_ended() -> None:
    table = Table("9x3 4", ALONE, feet=["", "3Rx2 K"], stock="9 9 8 8")
    table.put_in_foot(0)
    table.put_books(2, 2, 1)
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    table.legal("discard", "4")
    assert table["ended"] == OUT
    assert table.points(1) == -200 - 15 - 10


def test_7_2_a_foot_picked_up_has_them_on_the_table() -> None:
    table = Table("9x3", ALONE, feet=["3Rx2", ""], stock="9 9")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert table.over
    assert table.points(0) == 50 + 200


@pytest.mark.parametrize("bonus", [0, 37])
def test_7_2_what_they_count_is_a_field(bonus: int) -> None:
    rules = Rules(players=2, teams=2, bonus_red_three=bonus)
    table = Table("3R 4", rules, feet=["", "3Rx3"], stock="")
    table.legal("draw")
    assert table.points(0) == bonus - 5
    assert table.points(1) == -3 * bonus - 15


def test_7_3_a_black_three_is_discarded() -> None:
    table = Table("3B 4", upcard="7")
    table.legal("draw")
    table.legal("discard", "3B")
    assert table.pile() == ["7", "3B"]
    assert table["black3_discarded"][0] == 1


@pytest.mark.parametrize("place", ["3B", "9", "wild"])
def test_7_3_but_never_melded(place: str) -> None:
    table = Table("3Bx4 9x3 2x3 4")
    table.legal("draw")
    if place == "3B":
        play = table.table["pending"].copy()
        play["naturals"][0, KIND_NUMBER["3B"]] = 3
        table.refuses("7.3", "answer", 1, play)
    else:
        with pytest.raises(ValueError, match=f"3B can't be laid on the meld {place}"):
            table.play({place: ["3B"]})


def test_7_3_on_top_of_the_pile_it_stops_the_next_player() -> None:
    hands = ["3B 4 5", "7x2 3Bx2 4", "7x2 4", "7x2 4"]
    table = Table(rules=FREE, hands=hands, upcard="7")
    assert table["can_take"] == 0
    table.legal("draw")
    table.legal("discard", "3B")
    assert table["can_take"] == 0
    table.refuses("5.2", "take", {"7": "7x3"})


def test_7_3_under_another_card_it_stops_nobody() -> None:
    hands = ["3B 4 5", "7x2 4", "7x2 4", "7x2 4"]
    table = Table(rules=FREE, hands=hands, upcard="7", stock="8 8 7 10 8 8")
    table.legal("draw")
    table.legal("discard", "3B")
    table.legal("draw")
    table.legal("discard", "7")
    assert table["can_take"] == 1
    table.legal("take", {"7": "7x3"})
    assert table.owns("3B", seat=2) == 1
    table.legal("discard", "3B")
    assert table["can_take"] == 0
