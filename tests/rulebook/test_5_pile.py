"""Section 5 of the rule sheet: taking from the pile."""

from __future__ import annotations

import pytest

from handfoot_sim.game.cards import KIND_NUMBER, KINDS
from handfoot_sim.rules import Rules
from tests.tables import FREE, Table, cards

NO_WILD_MELDS = Rules(meld_minimums=(0,), wild_melds=False, wild_to_go_out=0)


def beside_pile(own: str, pile: str, rules: Rules = FREE, **more: object) -> Table:
    """A table whose pile has these cards, the last one on top."""
    bottom, *others = cards(pile)
    table = Table(own, rules, upcard=bottom, **more)
    table.put_on_pile(" ".join(others))
    return table


def first_three(kind: str) -> dict[str, str]:
    """The play that melds a top card with two of its kind."""
    return {"wild" if kind in ("2", "JK") else kind: f"{kind}x3"}


# [5.1] how many cards


@pytest.mark.parametrize(
    ("pile_take", "taken"),
    [
        (7, "4 5 6 8 9 10"),
        (0, "K A J 4 5 6 8 9 10"),
        (3, "9 10"),
        (1, ""),
        (20, "K A J 4 5 6 8 9 10"),
    ],
)
def test_5_1_the_top_seven_or_as_many_as_the_rules_say(pile_take: int, taken: str) -> None:
    rules = Rules(meld_minimums=(0,), pile_take=pile_take)
    table = beside_pile("7x2 Qx2", "K A J 4 5 6 8 9 10 7", rules)
    table.legal("take", {"7": "7x3"})
    assert sorted(table.hand(0)) == sorted(cards("Qx2 " + taken))
    left = cards("K A J 4 5 6 8 9 10")[: 9 - len(cards(taken))]
    assert table.pile() == left
    assert table["held"][0] == 2 + len(cards(taken))
    assert table["pile_cards"][0] == 1 + len(cards(taken))


@pytest.mark.parametrize("below", range(10))
def test_5_1_the_whole_pile_if_it_has_fewer(below: int) -> None:
    table = beside_pile("7x2 Qx2", "K " * below + "7")
    assert table.view(0)["take_size"][0] == min(7, below + 1)
    table.legal("take", {"7": "7x3"})
    assert table["pile_size"] == max(0, below + 1 - 7)
    assert table.owns("K") == min(6, below)


def test_5_1_an_empty_pile_is_not_taken() -> None:
    table = Table("7x3 4", upcard="7")
    table.table["pile_size"] = 0
    table.refuses("5.1", "take", {"7": "7x3"})


# [5.2] what is needed


@pytest.mark.parametrize("top", [kind for kind in KINDS if kind not in ("3R", "3B")])
def test_5_2_two_of_the_kind_of_the_top_card(top: str) -> None:
    other = "K" if top != "K" else "Q"
    table = beside_pile(f"{top}x2 {other} 4x2 5x2", f"6 {top}")
    table.legal("take", first_three(top))
    assert table["pile_takes"][0] == 1


@pytest.mark.parametrize("top", [kind for kind in KINDS if kind not in ("3R", "3B")])
def test_5_2_one_of_the_kind_is_too_few(top: str) -> None:
    wild = "JK" if top == "2" else "2"
    table = beside_pile(f"{top} {wild}x4 3Bx2", f"6 {top}")
    table.refuses("5.2", "take", {"wild" if top in ("2", "JK") else top: f"{top}x2 {wild}"})
    table.refuses("5.2", "take", first_three(top))


@pytest.mark.parametrize("three", ["3R", "3B"])
def test_5_2_not_with_a_three_on_top(three: str) -> None:
    table = beside_pile("3Bx3 7x3 4", f"6 7 {three}")
    table.refuses("5.2", "take", {"7": "7x3"})


def test_5_2_the_first_play_melds_the_top_card_with_two_of_its_kind() -> None:
    table = beside_pile("7x2 2 9x3 4 5", "6 7")
    table.refuses("5.2", "take", {"9": "9x3"})
    table.refuses("5.2", "take", {"7": "7x2 2"})
    table.refuses("5.2", "take", {})
    table.legal("take", {"7": "7x3 2"})


def test_5_2_wild_cards_do_not_stand_in_for_the_two() -> None:
    table = beside_pile("7 2x2 JK 4 5", "6 7")
    table.refuses("5.2", "take", {"7": "7x2 2"})
    table.put_meld("7", "7x3")
    table.refuses("5.2", "take", {"7": "7x2"})


def test_5_2_cards_under_the_top_are_not_held_before_taking() -> None:
    table = beside_pile("7 4 5 6", "6 7 7")
    table.refuses("5.2", "take", {"7": "7x3"})


@pytest.mark.parametrize(("top", "other"), [("2", "JK"), ("JK", "2")])
def test_5_2_a_wild_top_card_goes_to_a_wild_meld_with_two_of_its_kind(top: str, other: str) -> None:
    table = beside_pile(f"{top} {other}x2 9x4 4 5", f"6 {top}")
    table.refuses("5.2", "take", {"wild": f"{top}x2 {other}"})
    table = beside_pile(f"{top}x2 {other}x2 9x6 4 5", f"6 {top}")
    table.refuses("5.2", "take", {"9": f"9x6 {top}"})
    table.refuses("5.2", "take", {"wild": f"{top}x2 {other}"})
    table.legal("take", {"wild": f"{top}x3 {other}"})
    naturals, twos, jokers = table.open_meld("wild")
    assert (naturals, twos + jokers) == (0, 4)


@pytest.mark.parametrize("top", ["2", "JK"])
def test_5_2_not_with_a_wild_card_on_top_without_wild_melds(top: str) -> None:
    table = beside_pile(f"{top}x3 9x6 4 5", f"6 {top}", NO_WILD_MELDS)
    table.refuses("5.2", "take", {"9": f"9x6 {top}"})
    table.refuses("5.2", "take", {"wild": f"{top}x3"})


@pytest.mark.parametrize(
    ("own", "upcard", "minimum", "may"),
    [
        ("7x2 4 5", "7", 0, True),
        ("7 2 4 5", "7", 0, False),
        ("2x2 4 5", "2", 0, True),
        ("7x2 4 5", "7", 15, True),
        ("7x2 4 5", "7", 20, False),
        ("7x2 JK 4", "7", 65, True),
        ("7x2 JK 4", "7", 70, False),
        ("7x2 JK Kx2", "7", 85, True),
        ("7x2 2x3 Kx2", "7", 75, True),
    ],
)
def test_5_2_a_player_is_asked_only_where_the_pile_can_be_taken(
    own: str, upcard: str, minimum: int, may: bool
) -> None:
    table = Table(own, Rules(meld_minimums=(minimum,)), upcard=upcard)
    assert bool(table["can_take"]) == may
    assert table["pile_chances"][0] == may


def test_5_2_the_way_to_lay_the_minimum_is_found_among_all_plays() -> None:
    by_wild_meld = [Table("7x2 2x3 4", Rules(meld_minimums=(m,)), upcard="7") for m in (75, 80)]
    assert [table["can_take"] for table in by_wild_meld] == [1, 0]
    by_wild_top = [Table("2x3 7x2 4", Rules(meld_minimums=(m,)), upcard="2") for m in (90, 95)]
    assert [table["can_take"] for table in by_wild_top] == [1, 0]
    short_books = [
        Table("7x2 JKx2 4", Rules(meld_minimums=(m,), book_size=4, naturals_per_wild=1), upcard="7")
        for m in (65, 70)
    ]
    assert [table["can_take"] for table in short_books] == [1, 0]


# [5.3] where the three go


@pytest.mark.parametrize("before", [3, 4])
def test_5_3_they_go_onto_the_open_meld(before: int) -> None:
    table = beside_pile("7x2 4x2 5x2", "6 7")
    table.put_meld("7", f"7x{before}")
    table.legal("take", {"7": "7x3"})
    if before == 4:
        assert table.books() == (1, 0, 0)
    else:
        assert table.open_meld("7") == (6, 0, 0)


@pytest.mark.parametrize("meld", ["7x5", "7x6", "7x4 2", "7x4 2x2"])
def test_5_3_which_must_have_room_for_three(meld: str) -> None:
    table = beside_pile("7x2 4x2 5x2", "6 7")
    table.put_meld("7", meld)
    table.refuses("5.3", "take", {"7": "7x3"})
    table.put_meld("7", "7x3 2")
    table.legal("take", {"7": "7x3"})
    assert table.books() == (0, 1, 0)


@pytest.mark.parametrize(("size", "before", "room"), [(4, 3, False), (6, 3, True), (6, 4, False)])
def test_5_3_the_room_depends_on_book_size(size: int, before: int, room: bool) -> None:
    table = beside_pile("7x2 4x2 5x2", "6 7", Rules(meld_minimums=(0,), book_size=size))
    table.put_meld("7", f"7x{before}")
    if room:
        table.legal("take", {"7": "7x3"})
    else:
        table.refuses("5.3", "take", {"7": "7x3"})


def test_5_3_a_wild_meld_must_have_room_too() -> None:
    table = beside_pile("2x2 4x2 5x2", "6 2")
    table.put_meld("wild", "JKx3 2x2")
    table.refuses("5.3", "take", {"wild": "2x3"})
    table.put_meld("wild", "JKx3 2")
    table.legal("take", {"wild": "2x3"})
    assert table.books() == (0, 0, 1)


def test_5_3_otherwise_they_start_one() -> None:
    table = beside_pile("7x2 4x2 5x2", "6 7")
    table.put_books(1, 0, 0)
    table.legal("take", {"7": "7x3"})
    assert table.open_meld("7") == (3, 0, 0)


def test_5_3_more_own_cards_are_laid_in_the_same_play() -> None:
    table = beside_pile("7x4 2 9x3 Kx2 4 5", "6 7")
    table.legal("take", {"7": "7x5 2", "9": "9x3"})
    assert table.open_meld("7") == (5, 1, 0)
    assert table.open_meld("9") == (3, 0, 0)


def test_5_3_but_only_own_cards_and_within_the_other_rules() -> None:
    table = beside_pile("7x2 2x2 9x2 K 4 5", "6 7")
    table.put_meld("K", "Kx3")
    table.refuses("4.7", "take", {"7": "7x4"})
    table.refuses("4.2", "take", {"7": "7x3 2x2"})
    table.refuses("4.1", "take", {"7": "7x3", "9": "9x2"})
    table.refuses("4.5", "take", {"7": "7x3", "K": "K"})
    table.legal("take", {"7": "7x3", "9": "9x2 2"})


# [5.4] the other cards


def test_5_4_they_join_after_the_first_play() -> None:
    table = beside_pile("7x2 9x2 4 5", "8x3 9 7")
    table.refuses("5.4", "take", {"7": "7x3", "9": "9x3"})
    table.refuses("5.4", "take", {"7": "7x3", "8": "8x3"})
    table.legal("take", {"7": "7x3"})
    table.legal("play", {"9": "9x3", "8": "8x3"})


def test_5_4_not_even_cards_of_the_rank_of_the_top() -> None:
    table = beside_pile("7x2 4 5", "7 6 7")
    table.refuses("5.4", "take", {"7": "7x4"})
    table.legal("take", {"7": "7x3"})
    table.legal("play", {"7": "7"})


@pytest.mark.parametrize("wild", ["2", "JK"])
def test_5_4_nor_wild_cards(wild: str) -> None:
    table = beside_pile("7x2 4 5", f"{wild} 6 7")
    table.refuses("5.4", "take", {"7": f"7x3 {wild}"})
    table.legal("take", {"7": "7x3"})
    table.legal("play", {"7": wild})


def test_5_4_cards_that_stay_in_the_pile_are_not_there_at_all() -> None:
    table = beside_pile("7x2 9x2 4 5", "9 8x6 7")
    table.refuses("4.7", "take", {"7": "7x3", "9": "9x3"})


def test_5_4_they_do_not_count_towards_the_opening_while_the_three_do() -> None:
    table = beside_pile("Kx2 4x2 5x2", "Ax4 K", Rules())
    table.refuses("4.6", "take", {"K": "Kx3"})
    aces = beside_pile("Ax2 4x2 5x2", "Kx3 A", Rules())
    aces.legal("take", {"A": "Ax3"})
    assert aces["opened_points"][0] == 60


def test_5_4_they_are_known_to_be_held() -> None:
    table = beside_pile("7x2 9 4 5", "8x2 9 7")
    table.legal("take", {"7": "7x3"})
    known = {kind: int(table["known"][0, KIND_NUMBER[kind]]) for kind in ("7", "8", "9", "4")}
    assert known == {"7": 0, "8": 2, "9": 1, "4": 0}
    table.legal("discard", "8")
    assert table["known"][0, KIND_NUMBER["8"]] == 1


# [5.5] cards left


@pytest.mark.parametrize(("below", "legal"), [(0, False), (1, False), (2, True), (6, True)])
def test_5_5_in_the_foot_two_must_be_left_with_the_others_counted(below: int, legal: bool) -> None:
    table = beside_pile("7x2", "4 " * below + "7")
    table.put_in_foot(0)
    if legal:
        table.legal("take", {"7": "7x3"})
        assert table["held"][0] == below
    else:
        table.refuses("6.3", "take", {"7": "7x3"})


def test_5_5_in_the_hand_the_others_keep_it_from_being_empty() -> None:
    table = beside_pile("7x2", "4 7", foot="Qx2 J")
    table.legal("take", {"7": "7x3"})
    assert table.hand(0) == ["4"]
    assert not table["in_foot"][0]


def test_5_5_in_the_hand_nothing_left_picks_up_the_foot() -> None:
    table = beside_pile("7x2", "7", foot="Qx2 J")
    table.legal("take", {"7": "7x3"})
    assert sorted(table.hand(0)) == cards("J Qx2")
    assert table["in_foot"][0]
    assert table.phase == "meld"


@pytest.mark.parametrize("in_foot", [False, True])
def test_5_5_a_player_in_the_foot_is_not_asked_where_too_few_would_be_left(in_foot: bool) -> None:
    hands = ["7 4 5", "7x2", "4 5 6", "4 5 6"]
    table = Table(hands=hands, rules=Rules(meld_minimums=(0,), pile_take=1))
    if in_foot:
        table.put_in_foot(1)
    table.legal("draw")
    table.legal("discard", "7")
    assert bool(table["can_take"]) == (not in_foot)
