"""Section 3 of the rule sheet: the turn."""

from __future__ import annotations

import pytest

from handfoot_sim.game.cards import KINDS
from handfoot_sim.rules import Rules
from tests.tables import ALONE, Table, cards


def test_3_1_two_cards_are_drawn() -> None:
    table = Table("4 5", stock="9 K 8")
    table.legal("draw")
    assert sorted(table.hand(0)) == sorted(cards("4 5 9 K"))
    assert table["stock_left"] == 1
    assert table.phase == "meld"


@pytest.mark.parametrize("count", [1, 3, 5])
def test_3_1_draw_count_is_a_field(count: int) -> None:
    table = Table("4 5", Rules(draw_count=count), stock="9 K 8 J Q 10")
    table.legal("draw")
    assert table["held"][0] == 2 + count


def test_3_1_or_the_pile_is_taken_instead() -> None:
    table = Table("7x2 4 5", upcard="7", stock="9 K 8")
    table.legal("take", {"7": "7x3"})
    assert table["stock_left"] == 3
    assert table["pile_size"] == 0
    assert table.phase == "meld"


def test_3_1_one_draw_a_turn_and_before_anything_else() -> None:
    table = Table("9x3 4 5")
    for early in (table.stop, lambda: table.play({"9": cards("9x3")}), lambda: table.discard("4")):
        with pytest.raises(RuntimeError, match="waits for draw"):
            early()
    table.legal("draw")
    for late in (table.draw, lambda: table.take({"9": cards("9x3")})):
        with pytest.raises(RuntimeError, match="waits for meld"):
            late()


@pytest.mark.parametrize("answer", [-1, 2, 77])
def test_3_1_there_is_no_third_way_to_draw(answer: int) -> None:
    Table("4 5").refuses("3.1", "answer", answer)


def test_3_2_one_card_in_the_stock_gives_that_one() -> None:
    table = Table("4 5", stock="9")
    table.legal("draw")
    assert table["held"][0] == 3
    assert table["stock_left"] == 0
    assert table.phase == "meld"


def test_3_2_a_red_three_drawn_is_laid_and_replaced() -> None:
    table = Table("4 5", stock="3R 9 3R 3R K 8")
    table.legal("draw")
    assert sorted(table.hand(0)) == sorted(cards("4 5 9 K"))
    assert table["red_threes"][0] == 3
    assert table["stock_left"] == 1


@pytest.mark.parametrize("stock", ["9 3R", "3R 9", "3R 9 3R"])
def test_3_2_with_the_stock_empty_there_is_no_replacement(stock: str) -> None:
    table = Table("4 5", stock=stock)
    table.legal("draw")
    assert table["held"][0] == 3
    assert table["red_threes"][0] == stock.count("3R")
    assert table.phase == "meld"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "3R"])
def test_3_3_any_kind_but_a_red_three_is_discarded_on_top(kind: str) -> None:
    table = Table(f"{kind} 4 5", upcard="7")
    table.legal("draw")
    table.legal("discard", kind)
    assert table.pile() == ["7", kind]
    assert table["discarded"][0].sum() == 1
    assert table.seat == 1


def test_3_3_a_red_three_is_not_discarded() -> None:
    table = Table("4 5", stock="3R 8 8 8")
    table.legal("draw")
    table.refuses("7.1", "discard", "3R")


def test_3_3_only_own_cards_are_discarded() -> None:
    table = Table("4 5", foot="K Q", hands=["4 5", "9 9", "9 9", "9 9"], upcard="7", stock="8 8 8")
    table.legal("draw")
    for kind in ("9", "K", "7", "JK"):
        table.refuses("3.3", "discard", kind)


@pytest.mark.parametrize("answer", [-1, 15, 16, 1000])
def test_3_3_a_discard_is_a_kind_of_card(answer: int) -> None:
    table = Table("4 5")
    table.legal("draw")
    table.legal("stop")
    table.refuses("3.3", "answer", answer)


def test_3_3_every_turn_ends_with_one_discard() -> None:
    table = Table("9x3 4 5")
    table.legal("draw")
    table.legal("play", {"9": "9x3"})
    table.legal("stop")
    assert (table.seat, table.phase) == (0, "discard")
    table.legal("discard", "4")
    assert (table.seat, table.phase) == (1, "draw")
    assert table["held"][0] == 3


@pytest.mark.parametrize("wild", ["2", "JK"])
def test_3_3_a_wild_card_is_discarded_without_penalty(wild: str) -> None:
    table = Table(f"{wild} 4", ALONE, stock="8 8")
    table.legal("draw")
    table.legal("discard", wild)
    table.legal("draw")
    assert table.over
    assert table.points(0) == -(5 + 10 + 10) - 30


def test_3_3_no_discard_where_the_deal_ends_before() -> None:
    table = Table("9x3", foot="3Rx2", stock="9 9")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert table.over
    with pytest.raises(RuntimeError, match="the table waits for over"):
        table.discard("9")
