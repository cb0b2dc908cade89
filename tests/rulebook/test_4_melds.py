"""Section 4 of the rule sheet: melds and plays."""

from __future__ import annotations

import numpy as np
import pytest

from handfoot_sim.game.cards import KIND_NUMBER, KINDS, WILD
from handfoot_sim.game.state import PLAY
from handfoot_sim.rules import Rules
from tests.tables import FREE, Table

LOOSE = Rules(meld_minimums=(0,), start_or_add=False)
NO_WILD_MELDS = Rules(meld_minimums=(0,), wild_melds=False, wild_to_go_out=0)


def drawn(own: str, rules: Rules = FREE, **more: object) -> Table:
    """A table whose first player has drawn and may meld."""
    table = Table(own, rules, **more)
    table.legal("draw")
    return table


def raw_play(meld: int, **counts: int) -> np.ndarray:
    """A play of these naturals, twos or jokers, as nobody could write it in cards."""
    play = np.zeros(1, PLAY)
    for name, count in counts.items():
        play[name][0, meld] = count
    return play


# [4.1] what a meld is


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7])
def test_4_1_a_meld_has_three_to_seven_cards_of_a_rank(count: int) -> None:
    table = drawn("9x7 3Bx2")
    table.legal("play", {"9": f"9x{count}"})
    naturals = 0 if count == 7 else count
    assert table.open_meld("9") == (naturals, 0, 0)
    assert bool(table["open_melds"][0] & 1 << KIND_NUMBER["9"]) == (count < 7)


@pytest.mark.parametrize("count", [1, 2])
def test_4_1_fewer_than_three_are_no_meld(count: int) -> None:
    table = drawn("9x2 2 JK 3B")
    table.refuses("4.1", "play", {"9": f"9x{count}"})
    table.refuses("4.1", "play", {"wild": "2 JK"})


def test_4_1_eight_cards_are_too_many() -> None:
    table = drawn("9x9 2x8 3B")
    table.refuses("4.1", "play", {"9": "9x8"})
    table.refuses("4.1", "play", {"9": "9x6 2x2"})
    table.refuses("4.1", "play", {"wild": "2x8"})
    table.put_meld("9", "9x5 2")
    table.refuses("4.1", "play", {"9": "9x2"})
    table.legal("play", {"9": "9"})


@pytest.mark.parametrize("size", [4, 5, 8, 10])
def test_4_1_book_size_is_a_field(size: int) -> None:
    table = drawn("9x11 3B", Rules(meld_minimums=(0,), book_size=size))
    table.refuses("4.1", "play", {"9": f"9x{size + 1}"})
    table.legal("play", {"9": f"9x{size}"})
    assert table.books() == (1, 0, 0)


def test_4_1_at_least_one_card_is_natural() -> None:
    table = drawn("2x4 JK 9 3B")
    table.refuses("4.1", "play", {"9": "2x3"})
    table.refuses("4.1", "play", {"9": "2x3 JK"})


def test_4_1_naturals_of_another_rank_do_not_fit() -> None:
    table = drawn("9x3 2x3 8 3B")
    with pytest.raises(ValueError, match="8 can't be laid on the meld 9"):
        table.play({"9": ["9", "9", "8"]})
    jokers = drawn("JKx2 2x3 8 3B")
    jokers.refuses("4.1", "answer", 1, raw_play(WILD, naturals=1, twos=2))


@pytest.mark.parametrize("lot", ["2x3", "JKx3", "2 JKx2", "2x4 JKx3"])
def test_4_1_twos_and_jokers_mix_in_a_wild_meld(lot: str) -> None:
    drawn("2x4 JKx3 3B").legal("play", {"wild": lot})


def test_4_1_wild_melds_is_a_field() -> None:
    drawn("2x4 JK 3B").legal("play", {"wild": "2x4"})
    table = drawn("2x4 JK 9x4 3B", NO_WILD_MELDS)
    table.refuses("4.1", "play", {"wild": "2x4"})
    table.legal("play", {"9": "9x4 2x2"})


def test_4_1_a_partner_adds_to_the_meld_of_the_team() -> None:
    table = Table(hands=["9x3 4 5", "9x1 4 5", "9x1 4 5", "4 5"])
    table.legal("draw")
    table.legal("play", {"9": "9x3"})
    table.legal("discard", "4")
    table.legal("draw")
    table.refuses("4.1", "play", {"9": "9"})  # seat 1 has no meld to add to
    table.legal("discard", "4")
    table.legal("draw")
    table.legal("play", {"9": "9"})
    assert table.open_meld("9") == (4, 0, 0)
    assert table.open_meld("9", team=1) == (0, 0, 0)


# [4.2] wild cards in natural melds


def wilds_fit(naturals: int, wilds: int, naturals_per_wild: int) -> bool:
    return naturals > 0 and 3 <= naturals + wilds <= 7 and wilds * naturals_per_wild <= naturals


@pytest.mark.parametrize("naturals_per_wild", [1, 2, 3, 7])
@pytest.mark.parametrize("naturals", range(1, 8))
@pytest.mark.parametrize("wilds", range(5))
def test_4_2_naturals_needed_for_each_wild_card(
    naturals: int, wilds: int, naturals_per_wild: int
) -> None:
    rules = Rules(meld_minimums=(0,), naturals_per_wild=naturals_per_wild)
    table = drawn("9x7 2x2 JKx2 3Bx2", rules)
    lot = f"9x{naturals} " + " ".join(["2", "JK", "2", "JK"][:wilds])
    if wilds_fit(naturals, wilds, naturals_per_wild):
        table.legal("play", {"9": lot})
    else:
        good_size = 3 <= naturals + wilds <= 7
        table.refuses("4.2" if good_size else "4.1", "play", {"9": lot})


def test_4_2_one_wild_to_five_cards_two_from_six() -> None:
    most = {n: max(w for w in range(7) if wilds_fit(n - w, w, 2)) for n in range(3, 8)}
    assert most == {3: 1, 4: 1, 5: 1, 6: 2, 7: 2}


def test_4_2_holds_after_every_play_not_only_at_the_end() -> None:
    table = drawn("9x5 2x2 4 5")
    table.legal("play", {"9": "9x2 2"})
    table.refuses("4.2", "play", {"9": "2"})
    table.refuses("4.2", "play", {"9": "9 2"})
    table.legal("play", {"9": "9x2 2"})
    assert table.open_meld("9") == (4, 2, 0)


def test_4_2_wilds_on_the_table_count() -> None:
    table = drawn("9 2 JK 4 5")
    table.put_meld("9", "9x4 JK")
    table.refuses("4.2", "play", {"9": "2 JK"})
    table.legal("play", {"9": "2"})
    table.refuses("4.2", "play", {"9": "JK"})


def test_4_2_with_three_naturals_a_wild() -> None:
    table = drawn("9x4 2x2 4 5", Rules(meld_minimums=(0,), naturals_per_wild=3))
    table.refuses("4.2", "play", {"9": "9x2 2"})
    table.legal("play", {"9": "9x3 2"})
    table.refuses("4.2", "play", {"9": "9 2"})


def test_4_2_does_not_bind_wild_melds() -> None:
    drawn("2x7 4 5").legal("play", {"wild": "2x7"})


# [4.3] books


@pytest.mark.parametrize(
    ("meld", "lot", "books"),
    [
        ("9", "9x7", (1, 0, 0)),
        ("9", "9x6 2", (0, 1, 0)),
        ("9", "9x5 2 JK", (0, 1, 0)),
        ("wild", "2x4 JKx3", (0, 0, 1)),
        ("wild", "2x7", (0, 0, 1)),
    ],
)
def test_4_3_seven_cards_are_a_book(meld: str, lot: str, books: tuple[int, int, int]) -> None:
    table = drawn(f"{lot} 4 5")
    table.legal("play", {meld: lot})
    assert table.books() == books
    assert table.open_meld(meld) == (0, 0, 0)
    assert table["open_melds"][0] == 0
    assert table.books(team=1) == (0, 0, 0)


def test_4_3_a_book_is_filled_over_several_plays() -> None:
    table = drawn("9x6 JK 4 5")
    table.legal("play", {"9": "9x3"})
    table.legal("play", {"9": "9x3"})
    assert table.books() == (0, 0, 0)
    table.legal("play", {"9": "JK"})
    assert table.books() == (0, 1, 0)


@pytest.mark.parametrize("more", ["9", "9x2", "2", "JK"])
def test_4_3_a_book_is_closed(more: str) -> None:
    table = drawn("9x9 2 JK 4 5")
    table.legal("play", {"9": "9x7"})
    table.refuses("4.1", "play", {"9": more})


# [4.4] how many melds of a rank


def test_4_4_a_rank_has_one_open_meld() -> None:
    table = drawn("9x3 4 5")
    table.put_meld("9", "9x6")
    table.refuses("4.1", "play", {"9": "9x3"})  # they can't start a second one beside the six
    wild = drawn("2x3 4 5")
    wild.put_meld("wild", "JKx6")
    wild.refuses("4.1", "play", {"wild": "2x3"})


def test_4_4_the_next_meld_of_a_rank_follows_a_book() -> None:
    table = drawn("9x13 4 5")
    table.legal("play", {"9": "9x7"})
    table.legal("play", {"9": "9x3"})
    assert table.books() == (1, 0, 0)
    assert table.open_meld("9") == (3, 0, 0)


def test_4_4_any_number_of_books_of_a_rank() -> None:
    table = drawn("9x16 2x2 JKx3 4 5", Rules(meld_minimums=(0,), book_size=5))
    for lot in ("9x5", "9x5", "9x4 2"):
        table.legal("play", {"9": lot})
    assert table.books() == (2, 1, 0)
    assert table["clean_books"][0, KIND_NUMBER["9"]] == 2
    assert table["dirty_books"][0, KIND_NUMBER["9"]] == 1


def test_4_4_the_next_wild_meld_follows_a_wild_book() -> None:
    table = drawn("2x12 JKx3 4 5")
    table.legal("play", {"wild": "2x7"})
    table.legal("play", {"wild": "2x4"})
    table.legal("play", {"wild": "JKx3"})
    assert table.books() == (0, 0, 2)


def test_4_4_both_teams_may_have_a_meld_of_a_rank() -> None:
    table = Table(hands=["9x3 4 5"] * 4)
    for _ in range(2):
        table.legal("draw")
        table.legal("play", {"9": "9x3"})
        table.legal("discard", "4")
    assert table.open_meld("9") == table.open_meld("9", team=1) == (3, 0, 0)


# [4.5] start or add, not both


def with_kings(own: str, rules: Rules = FREE) -> Table:
    """A table whose first player's team has three kings open."""
    table = drawn(own, rules)
    table.put_meld("K", "Kx3")
    return table


def test_4_5_a_starting_turn_starts_any_number_of_melds() -> None:
    table = with_kings("9x3 10x3 Jx3 K 4 5")
    table.legal("play", {"9": "9x3", "10": "10x3"})
    table.legal("play", {"J": "Jx3"})
    table.refuses("4.5", "play", {"K": "K"})


def test_4_5_an_adding_turn_adds_to_any_number_of_melds() -> None:
    table = with_kings("9x3 Kx2 A 4 5")
    table.put_meld("A", "Ax3")
    table.legal("play", {"K": "K", "A": "A"})
    table.legal("play", {"K": "K"})
    table.refuses("4.5", "play", {"9": "9x3"})


def test_4_5_one_play_does_not_do_both() -> None:
    table = with_kings("9x3 K 2x3 4 5")
    table.refuses("4.5", "play", {"9": "9x3", "K": "K"})
    table.refuses("4.5", "play", {"wild": "2x3", "K": "K"})


def test_4_5_wild_cards_on_an_old_meld_are_adding_too() -> None:
    table = with_kings("9x3 2 4 5")
    table.legal("play", {"K": "2"})
    table.refuses("4.5", "play", {"9": "9x3"})


def test_4_5_wild_melds_count_like_the_others() -> None:
    table = drawn("9x3 2x4 4 5")
    table.put_meld("wild", "JKx3")
    table.legal("play", {"wild": "2"})
    table.refuses("4.5", "play", {"9": "9x3"})
    starting = with_kings("2x3 K 4 5")
    starting.legal("play", {"wild": "2x3"})
    starting.refuses("4.5", "play", {"K": "K"})


def test_4_5_later_plays_lay_more_on_melds_started_in_this_turn() -> None:
    table = with_kings("9x5 10x3 2 4 5")
    table.legal("play", {"9": "9x3"})
    table.legal("play", {"9": "9", "10": "10x3"})
    table.legal("play", {"9": "9 2"})
    assert table.open_meld("9") == (5, 1, 0)


def test_4_5_a_book_filled_in_a_starting_turn_leaves_it_one() -> None:
    table = with_kings("9x7 10x3 K 4 5")
    table.legal("play", {"9": "9x3"})
    table.legal("play", {"9": "9x4"})
    assert table.books() == (1, 0, 0)
    table.refuses("4.5", "play", {"K": "K"})
    table.legal("play", {"10": "10x3"})


def test_4_5_a_book_laid_at_once_starts_a_meld() -> None:
    table = with_kings("9x7 10x3 K 4 5")
    table.legal("play", {"9": "9x7"})
    table.refuses("4.5", "play", {"K": "K"})
    table.legal("play", {"10": "10x3"})


def test_4_5_a_starting_turn_fills_a_book_and_starts_the_next_of_its_rank() -> None:
    table = with_kings("9x11 K 4 5")
    table.legal("play", {"9": "9x6"})
    table.legal("play", {"9": "9"})
    table.legal("play", {"9": "9x3"})
    table.legal("play", {"9": "9"})
    assert table.books() == (1, 0, 0)
    assert table.open_meld("9") == (4, 0, 0)
    table.refuses("4.5", "play", {"K": "K"})


def test_4_5_an_adding_turn_fills_a_book_but_does_not_start_the_next() -> None:
    table = with_kings("9x4 K 4 5")
    table.put_meld("9", "9x6")
    table.legal("play", {"9": "9"})
    assert table.books() == (1, 0, 0)
    table.refuses("4.5", "play", {"9": "9x3"})
    table.legal("play", {"K": "K"})


def test_4_5_taking_a_pile_that_starts_a_meld_makes_a_starting_turn() -> None:
    table = Table("7x2 8x3 K 4 5", upcard="7")
    table.put_meld("K", "Kx3")
    table.refuses("4.5", "take", {"7": "7x3", "K": "K"})
    table.legal("take", {"7": "7x3"})
    table.refuses("4.5", "play", {"K": "K"})
    table.legal("play", {"8": "8x3"})


def test_4_5_taking_a_pile_onto_a_meld_makes_an_adding_turn() -> None:
    table = Table("7x2 8x3 K 4 5", upcard="7")
    table.put_meld("K", "Kx3")
    table.put_meld("7", "7x3")
    table.refuses("4.5", "take", {"7": "7x3", "8": "8x3"})
    table.legal("take", {"7": "7x3"})
    table.refuses("4.5", "play", {"8": "8x3"})
    table.legal("play", {"K": "K"})


def test_4_5_picking_up_the_foot_does_not_reset_a_starting_turn() -> None:
    table = Table("9x3", foot="10x3 K 4 5", stock="9 9 8 8 8")
    table.put_meld("K", "Kx3")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert table["in_foot"][0]
    table.refuses("4.5", "play", {"K": "K"})
    table.legal("play", {"10": "10x3"})


def test_4_5_picking_up_the_foot_does_not_reset_an_adding_turn() -> None:
    table = Table("K", foot="10x3 K 4 5", stock="K 2 8 8")
    table.put_meld("K", "Kx3")
    table.legal("draw")
    table.legal("play", {"K": "Kx2 2"})
    assert table["in_foot"][0]
    table.refuses("4.5", "play", {"10": "10x3"})
    table.legal("play", {"K": "K"})


def test_4_5_every_turn_begins_anew() -> None:
    table = with_kings("9x4 K 4 5")
    table.legal("play", {"9": "9x3"})
    table.legal("discard", "4")
    table.pass_turns(3)
    table.legal("draw")
    table.legal("play", {"9": "9", "K": "K"})


def test_4_5_start_or_add_false_allows_both() -> None:
    table = with_kings("9x3 Kx3 10x3 4 5", LOOSE)
    table.legal("play", {"9": "9x3", "K": "K"})
    table.legal("play", {"K": "K"})
    table.legal("play", {"10": "10x3"})
    table.legal("play", {"K": "K"})


# [4.6] the opening


OPENERS = "Ax6 8x5 4x6 JKx3 3B"


@pytest.mark.parametrize(
    ("deal", "minimum", "short", "enough"),
    [
        (0, 50, {"8": "8x3", "4": "4x3"}, {"8": "8x5"}),
        (1, 90, {"A": "Ax3", "4": "4x5"}, {"A": "Ax3", "8": "8x3"}),
        (2, 120, {"A": "Ax5", "4": "4x3"}, {"A": "Ax6"}),
        (3, 150, {"A": "Ax6", "4": "4x5"}, {"wild": "JKx3"}),
        (4, 150, {"A": "Ax6", "4": "4x5"}, {"wild": "JKx3"}),
        (9, 150, {"A": "Ax6", "4": "4x5"}, {"A": "Ax6", "8": "8x3"}),
    ],
)
def test_4_6_the_minimum_of_each_deal(
    deal: int, minimum: int, short: dict[str, str], enough: dict[str, str]
) -> None:
    table = drawn(OPENERS, Rules(), deal=deal)
    assert table["minimum"] == minimum
    table.refuses("4.6", "play", short)  # five points short
    table.legal("play", enough)
    assert table["opened_points"][0] == minimum


def test_4_6_the_last_minimum_repeats() -> None:
    rules = Rules(meld_minimums=(10, 30), deals=5)
    assert [rules.minimum(deal) for deal in range(5)] == [10, 30, 30, 30, 30]
    table = drawn("4x7 8", rules, deal=4)
    table.refuses("4.6", "play", {"4": "4x5"})
    table.legal("play", {"4": "4x6"})


def test_4_6_it_is_laid_in_one_play() -> None:
    table = drawn("8x4 9x3 4 5", Rules())
    table.refuses("4.6", "play", {"8": "8x4"})
    table.refuses("4.6", "play", {"9": "9x3"})
    table.legal("play", {"8": "8x4", "9": "9x3"})
    assert table["opened_points"][0] == 70


@pytest.mark.parametrize("lot", ["4x2 JK", "4x4 2 JK", "4x4 2x2"])
def test_4_6_wild_cards_count_their_own_value(lot: str) -> None:
    table = drawn("4x4 2x2 JK 5", Rules())
    table.legal("play", {"4": lot})


def test_4_6_a_wild_meld_opens() -> None:
    table = drawn("2x4 4 5", Rules(), deal=0)
    table.legal("play", {"wild": "2x3"})
    table = drawn("2x4 4 5", Rules(), deal=1)
    table.refuses("4.6", "play", {"wild": "2x4"})


def test_4_6_red_threes_and_book_bonuses_do_not_count() -> None:
    table = drawn("3Rx4 4x7 5", Rules())
    assert table["red_threes"][0] == 4
    table.refuses("4.6", "play", {"4": "4x7"})


def test_4_6_once_open_the_player_melds_freely() -> None:
    table = drawn("Ax3 4x3 5x3 6", Rules())
    table.refuses("4.6", "play", {"4": "4x3"})
    table.legal("play", {"A": "Ax3"})
    table.legal("play", {"4": "4x3"})


def test_4_6_the_minimum_is_for_the_team() -> None:
    table = Table(rules=Rules(), hands=["Ax3 4 5", "4x3 5 6", "4x3 5 6", "4x3 5 6"])
    table.legal("draw")
    table.legal("play", {"A": "Ax3"})
    table.legal("discard", "4")
    table.legal("draw")
    table.refuses("4.6", "play", {"4": "4x3"})
    table.legal("discard", "5")
    table.legal("draw")
    table.legal("play", {"4": "4x3"})


def test_4_6_in_every_deal_the_team_opens_anew() -> None:
    table = drawn("Ax3 4 5", Rules())
    table.legal("play", {"A": "Ax3"})
    table.deal(1, 3, [["A"] * 4 + ["4", "5"]] * 4, [["Q"] * 3] * 4, "7", ["8"] * 9)
    table.legal("draw")
    table.refuses("4.6", "play", {"A": "Ax4"})


def test_4_6_the_top_card_taken_counts() -> None:
    table = Table("Kx2 9x2 4x3 5 6", Rules(), upcard="K")
    table.refuses("4.6", "take", {"K": "Kx3", "4": "4x3"})
    more = Table("Kx2 9x3 4x3 5 6", Rules(), upcard="K")
    more.legal("take", {"K": "Kx3", "9": "9x3"})
    assert more["opened_points"][0] == 60
    assert more["opened_from_pile"][0] == 1


# [4.7] plays


def test_4_7_the_cards_are_the_players_own() -> None:
    table = drawn("9x2 2 8 3B", foot="9x3 JK")
    table.refuses("4.7", "play", {"9": "9x3"})
    table.refuses("4.7", "play", {"9": "9x2 JK"})
    table.refuses("4.7", "play", {"8": "8x3"})
    table.legal("play", {"9": "9x2 2"})


@pytest.mark.parametrize("wild", ["2", "JK"])
def test_4_7_wild_cards_are_laid_only_once(wild: str) -> None:
    table = drawn(f"9x2 10x2 {wild} 4 5")
    table.refuses("4.7", "play", {"9": f"9x2 {wild}", "10": f"10x2 {wild}"})
    table.legal("play", {"9": f"9x2 {wild}"})


def test_4_7_a_play_lays_at_least_one_card() -> None:
    table = drawn("9x3 4 5")
    table.refuses("4.7", "play", {})
    table.refuses("4.7", "play", {"9": ""})


@pytest.mark.parametrize("name", ["naturals", "twos", "jokers"])
def test_4_7_no_negative_numbers_of_cards(name: str) -> None:
    table = drawn("9x5 10x3 2x2 4 5")
    play = raw_play(KIND_NUMBER["9"], naturals=4, twos=1)
    play[name][0, KIND_NUMBER["10"]] = -1
    table.refuses("4.7", "answer", 1, play)


@pytest.mark.parametrize("place", [1, 2, 3, 15])
@pytest.mark.parametrize("name", ["naturals", "twos", "jokers"])
def test_4_7_a_play_lays_on_melds_only(place: int, name: str) -> None:
    table = drawn("9x5 2x3 JKx3 3Bx3 4 5")
    table.refuses("7.3", "answer", 1, raw_play(place, **{name: 3}))


def test_4_7_one_play_does_not_fill_a_book_and_start_the_next() -> None:
    table = drawn("9x10 4 5")
    table.refuses("4.1", "play", {"9": "9x10"})
    table.put_meld("9", "9x6")
    table.refuses("4.1", "play", {"9": "9x4"})


def test_4_7_a_play_lays_on_many_melds() -> None:
    ranks = KINDS[4:]
    table = drawn(" ".join(f"{rank}x3" for rank in ranks) + " 2x3 3B")
    table.legal("play", {rank: f"{rank}x3" for rank in ranks} | {"wild": "2x3"})
    assert bin(table["open_melds"][0]).count("1") == len(ranks) + 1


def test_4_7_several_plays_in_a_turn_each_legal_as_things_stand() -> None:
    table = drawn("9x4 10x3 4 5")
    table.refuses("4.1", "play", {"9": "9"})
    table.legal("play", {"9": "9x3"})
    table.legal("play", {"9": "9"})
    table.legal("play", {"10": "10x3"})
    assert table["plays"] == 3
    table.refuses("4.7", "play", {"9": "9"})


@pytest.mark.parametrize("answer", [-1, 2])
def test_4_7_melding_is_a_play_or_done(answer: int) -> None:
    drawn("9x3 4 5").refuses("3.1", "answer", answer)
