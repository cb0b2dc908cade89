"""Section 8 of the rule sheet: the end of a deal and the score."""

from __future__ import annotations

from typing import Any

import pytest

from handfoot_sim.game.state import OUT, STOCK
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.check import winner_of
from tests.tables import ALONE, FREE, Table, cards


def to_go_out(rules: Rules = ALONE, **more: Any) -> Table:
    """A table whose first player has drawn two nines and may go out with five of them."""
    table = Table("9x3 4", rules, **({"stock": "9 9 8 8", "feet": ["", "Kx2"]} | more))
    table.put_in_foot(0)
    table.put_books(2, 2, 1)
    table.legal("draw")
    return table


def go_out(table: Table) -> None:
    table.legal("play", {"9": "9x5"})
    table.legal("discard", "4")


# [8.1] the end


def test_8_1_the_deal_ends_when_a_player_goes_out() -> None:
    table = to_go_out()
    go_out(table)
    assert table.over
    assert (table["ended"], table["out_team"]) == (OUT, 0)


def test_8_1_or_when_the_stock_is_empty_at_a_draw() -> None:
    table = Table("4 5", stock="8 8")
    table.pass_turns()
    assert not table.over
    assert table["stock_left"] == 0
    table.legal("draw")
    assert table.over
    assert (table["ended"], table["out_team"]) == (STOCK, -1)
    assert table["turn"] == 1


def test_8_1_also_where_the_pile_could_have_been_taken() -> None:
    table = Table("7x2 4 5", upcard="7", stock="")
    assert table["can_take"]
    table.legal("draw")
    assert table.over
    assert table["ended"] == STOCK


def test_8_1_taking_goes_on_with_an_empty_stock() -> None:
    table = Table(hands=["7x3 4 5", "4x2 5 6", "4 5", "4 5"], upcard="7", stock="")
    table.legal("take", {"7": "7x3"})
    table.legal("discard", "4")
    assert not table.over
    table.legal("take", {"4": "4x3"})
    table.legal("discard", "5")
    assert (table.seat, table.phase) == (2, "draw")
    table.legal("draw")
    assert table.over


@pytest.mark.parametrize("reds", [1, 2, 5])
def test_8_1_or_when_only_red_threes_were_left(reds: int) -> None:
    table = Table("4 5", ALONE, feet=["", ""], stock=f"3Rx{reds}")
    table.legal("draw")
    assert table.over
    assert table["ended"] == STOCK
    assert table["red_threes"][0] == reds
    assert table.points(0) == 100 * reds - 10
    assert table["held"][0] == 2


def test_8_1_a_draw_that_brings_one_card_goes_on() -> None:
    table = Table("4 5", stock="3R 9 3R")
    table.legal("draw")
    assert table.phase == "meld"


def test_8_1_a_stock_used_up_in_2_5_does_not_end_the_deal() -> None:
    table = Table("3R 7x3 4", stock="9", upcard="7")
    assert (table["stock_left"], table.phase) == (0, "draw")
    table.legal("take", {"7": "7x3"})
    table.legal("discard", "4")
    assert not table.over


def test_8_1_a_stock_used_up_by_a_foot_does_not_end_the_deal() -> None:
    table = Table("9x3", foot="3Rx2 K", stock="9 9 J")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert table["stock_left"] == 0
    assert table.hand(0) == cards("J K")
    table.legal("discard", "J")
    assert (table.seat, table.phase) == (1, "draw")


def test_8_1_drawing_the_last_card_does_not_end_the_deal() -> None:
    table = Table("4 5", stock="8 10")
    table.legal("draw")
    table.legal("discard", "4")
    assert not table.over


def test_8_1_the_discard_alone_does_not_go_out() -> None:
    table = Table(rules=FREE, hands=["", *["4 5 6"] * 3], stock="8 3R 3R")
    table.put_in_foot(0)
    table.put_in_foot(2)
    table.put_books(2, 2, 1)
    table.legal("draw")
    table.legal("discard", "8")
    assert not table.over


# [8.2] the score


def scored(rules: Rules = ALONE, **more: Any) -> Table:
    """A deal of two that ended at the first draw, nobody having anything left but 4 and 5."""
    cards_left = {"hands": ["4 5", "4 5"], "feet": ["", ""], "stock": ""}
    return Table(rules=rules, **(cards_left | more))


def test_8_2_melded_cards_in_books_and_open_melds() -> None:
    hands = ["9x7 Kx3 JK 2x3 4", "4"]
    table = Table(rules=ALONE, hands=hands, feet=["", ""], stock="8 8")
    table.legal("draw")
    table.legal("play", {"9": "9x7", "K": "Kx3 JK", "wild": "2x3"})
    table.legal("discard", "4")
    table.legal("draw")
    assert table["melded"][0] == 70 + 30 + 50 + 60
    assert table.points(0) == 210 + 500 - 20
    assert table.points(1) == -5


@pytest.mark.parametrize(
    ("books", "points"),
    [((1, 0, 0), 500), ((0, 1, 0), 300), ((0, 0, 1), 1500), ((2, 3, 1), 3400), ((0, 0, 0), 0)],
)
def test_8_2_books(books: tuple[int, int, int], points: int) -> None:
    table = scored()
    table.put_books(*books)
    table.legal("draw")
    assert table.points(0) == points - 10
    assert table.points(1) == -10


def test_8_2_what_books_count_are_fields() -> None:
    rules = Rules(players=2, teams=2, bonus_clean=7, bonus_dirty=11, bonus_wild=13)
    table = scored(rules)
    table.put_books(1, 2, 3)
    table.legal("draw")
    assert table.points(0) == 7 + 22 + 39 - 10


@pytest.mark.parametrize("bonus", [100, 250])
def test_8_2_going_out(bonus: int) -> None:
    rules = Rules(players=2, teams=2, meld_minimums=(0,), bonus_out=bonus)
    table = to_go_out(rules)
    go_out(table)
    books = 2 * 500 + 2 * 300 + 1500
    assert table.points(0) == 50 + books + bonus
    assert table.points(1) == -(5 + 5 + 5) - 20


def test_8_2_nobody_has_the_bonus_where_nobody_went_out() -> None:
    table = scored()
    table.legal("draw")
    assert [table.points(team) for team in (0, 1)] == [-10, -10]


def test_8_2_red_threes_count_by_7_2() -> None:
    table = scored(hands=["3Rx2 4", "5"], feet=["3R", "3Rx2"])
    table.legal("draw")
    assert table.points(0) == 200 - 100 - 5
    assert table.points(1) == -200 - 5


def test_8_2_less_all_cards_left_in_hands_and_feet() -> None:
    hands = ["JK 2 A 3B", "8 4", "K", "5"]
    feet = ["JKx2", "9", "2 3B", "A 3R"]
    table = Table(rules=FREE, hands=hands, feet=feet, stock="")
    table.legal("draw")
    assert table["left"].tolist()[:2] == [95 + 100 + 10 + 25, 15 + 10 + 5 + 20]
    assert table.points(0) == -230
    assert table.points(1) == -50 - 100


def test_8_2_cards_left_in_a_foot_picked_up_count_too() -> None:
    table = Table("9x3", ALONE, feet=["Kx3", ""], stock="9 9")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    table.legal("discard", "K")
    table.legal("draw")
    assert table.points(0) == 50 - 20


@pytest.mark.parametrize("teams", [2, 3, 6])
def test_8_2_every_player_of_a_team_counts(teams: int) -> None:
    rules = Rules(players=6, teams=teams, decks=7)
    table = Table(rules=rules, hands=["K"] * 6, feet=["A"] * 6, stock="")
    table.legal("draw")
    assert [table.points(team) for team in range(teams)] == [-30 * 6 // teams] * teams


# [8.3] the match


def test_8_3_the_points_of_all_deals_add_up() -> None:
    table = scored(hands=["4 5", "K"])
    table.legal("draw")
    table.deal(1, 0, [["A"], ["5"]], [[], []], "7", [])
    assert table["scores"].tolist()[:2] == [-10, -10]
    table.legal("draw")
    assert table["totals"].tolist()[:2] == [-30, -15]


@pytest.mark.parametrize(
    ("totals", "winner"),
    [
        ([10, 5], 0),
        ([-20, -10], 1),
        ([0, 0], None),
        ([5, 7, 7], None),
        ([7, 5, 7], None),
        ([7, 5, 5], 0),
        ([1, 2, 3, 4, 5, 6], 5),
    ],
)
def test_8_3_the_most_points_win_and_shared_ones_tie(totals: list[int], winner: int | None) -> None:
    assert winner_of(totals) == winner
