"""Section 6 of the rule sheet: hand, foot, going out."""

from __future__ import annotations

from typing import Any

import pytest

from handfoot_sim.game.state import OUT, STOCK
from handfoot_sim.rules import Rules
from tests.tables import ALONE, FREE, Table, cards

FINAL = "9x3 4"
"""What a player about to go out has; the stock brings two nines more."""

GO_OUT = {"9": "9x5"}
"""The play that leaves one of these cards, the four."""

STAY_IN = {"9": "9x4"}
"""The play that leaves two of them."""


def ready(
    own: str = FINAL, rules: Rules = FREE, books: tuple[int, int, int] = (2, 2, 1), **more: Any
) -> Table:
    """A table whose first player has drawn and may go out, its team having these books."""
    table = Table(own, rules, **({"stock": "9 9 " + "8 10 " * 9} | more))
    for seat in range(0, rules.players, rules.teams):
        table.put_in_foot(seat)
    table.put_books(*books)
    table.legal("draw")
    return table


def free(**fields: Any) -> Rules:
    """Rules without an opening minimum."""
    return Rules(meld_minimums=(0,), **fields)


def of_six(teams: int, **fields: Any) -> Rules:
    """Rules for six players without an opening minimum."""
    return free(players=6, teams=teams, decks=7, **fields)


def went_out(table: Table, team: int = 0) -> bool:
    return table.over and (table["ended"], table["out_team"]) == (OUT, team)


# [6.1] the foot


def test_6_1_a_hand_emptied_by_melding_picks_up_the_foot_and_plays_on() -> None:
    table = Table("9x3", foot="Kx3 Q J", stock="9 9 8 8")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert sorted(table.hand(0)) == sorted(cards("Kx3 Q J"))
    assert (table.seat, table.phase) == (0, "meld")
    assert table["in_foot"].tolist()[:4] == [1, 0, 0, 0]
    assert table["foot_left"].tolist()[:4] == [0, 3, 3, 3]
    table.legal("play", {"K": "Kx3"})
    table.legal("discard", "Q")
    assert table.hand(0) == ["J"]


def test_6_1_a_hand_emptied_by_the_discard_picks_it_up_at_the_end_of_the_turn() -> None:
    table = Table("9x3", foot="Kx3 Q", stock="9 6 8 8")
    table.legal("draw")
    table.legal("play", {"9": "9x4"})
    assert not table["in_foot"][0]
    table.legal("discard", "6")
    assert sorted(table.hand(0)) == cards("Kx3 Q")
    assert table["in_foot"][0]
    assert table["foot_turns"][0] == 0
    assert (table.seat, table.phase) == (1, "draw")


@pytest.mark.parametrize("stock", ["9 9 10 J 8", "9 6 10 J 8"])
def test_6_1_red_threes_in_the_foot_are_laid_and_replaced(stock: str) -> None:
    table = Table("9x3", foot="K 3Rx2", stock=stock)
    table.legal("draw")
    table.legal("play", {"9": "9x5" if "6" not in stock else "9x4"})
    if "6" in stock:
        table.legal("discard", "6")
    assert sorted(table.hand(0)) == cards("10 J K")
    assert table["red_threes"][0] == 2
    assert table["held"][0] == 3


def test_6_1_a_hand_that_is_not_empty_keeps_the_foot_where_it_is() -> None:
    table = Table("9x3 4", foot="K 3Rx2")
    table.pass_turns(4)
    assert table["in_foot"].sum() == 0
    assert table["foot_left"].tolist()[:4] == [3] * 4
    assert table["red_threes"][0] == 0


def test_6_1_from_then_on_the_player_is_in_the_foot() -> None:
    table = Table("9x3", foot="Kx3 2", stock="9 9 8 8")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    table.refuses("6.3", "play", {"K": "Kx3"})
    table.refuses("6.3", "play", {"K": "Kx3 2"})


# [6.2] down to one card or none in the hand


@pytest.mark.parametrize(("lot", "left"), [("9x5", 1), ("9x5 2", 0)])
def test_6_2_in_the_hand_one_card_or_none_may_be_left(lot: str, left: int) -> None:
    table = Table("9x3 2", foot="Kx3 Q", stock="9 9 8 8")
    table.legal("draw")
    table.legal("play", {"9": lot})
    assert table["in_foot"][0] == (left == 0)
    assert table["held"][0] == (4 if left == 0 else 1)


def test_6_2_nobody_is_asked() -> None:
    table = ready()
    table.table["in_foot"] = 0
    table.legal("play", GO_OUT)
    assert table.phase == "meld"
    assert table["asked"][0] == 0


# [6.3] two cards in the foot


def test_6_3_in_the_foot_two_cards_are_kept() -> None:
    table = ready("9x3 4 5 6", books=(0, 0, 0))
    table.legal("play", {"9": "9x5"})
    assert table["held"][0] == 3
    short = ready("9x3 4 5", books=(0, 0, 0))
    short.legal("play", {"9": "9x5"})
    assert short["held"][0] == 2


@pytest.mark.parametrize("own", [FINAL, "9x3"])
def test_6_3_not_one_nor_none_without_going_out(own: str) -> None:
    table = ready(own, books=(0, 0, 0))
    table.refuses("6.3", "play", {"9": "9x5"})
    table.legal("play", {"9": "9x3"})


def test_6_3_it_holds_after_every_play() -> None:
    table = ready("9x3 4", books=(0, 0, 0))
    table.legal("play", {"9": "9x3"})
    table.legal("play", {"9": "9"})
    assert table["held"][0] == 2
    table.refuses("6.3", "play", {"9": "9"})


@pytest.mark.parametrize("own", ["8", ""])
def test_6_3_a_discard_may_leave_one_or_none(own: str) -> None:
    table = Table(rules=free(draw_count=1), hands=[own, *["4 5 6"] * 3])
    table.put_in_foot(0)
    table.legal("draw")
    table.legal("discard", "8")
    assert table["held"][0] == len(cards(own))
    assert not table.over


# [6.4] going out


def test_6_4_a_player_goes_out_by_the_discard_of_the_last_card() -> None:
    table = ready()
    table.legal("play", GO_OUT)
    table.legal("permit", True)
    assert table.phase == "discard"
    assert not table.over
    table.legal("discard", "4")
    assert went_out(table)
    assert table["held"][0] == 0


@pytest.mark.parametrize("books", [(1, 2, 1), (2, 1, 1), (2, 2, 0), (5, 5, 0), (0, 0, 0)])
def test_6_4_the_books_needed(books: tuple[int, int, int]) -> None:
    ready(books=books).refuses("6.3", "play", GO_OUT)


@pytest.mark.parametrize("books", [(2, 2, 1), (3, 4, 2)])
def test_6_4_as_many_books_or_more_suffice(books: tuple[int, int, int]) -> None:
    table = ready(books=books)
    table.legal("play", GO_OUT)
    assert table.phase == "permit"


@pytest.mark.parametrize("need", [(0, 0, 0), (1, 0, 0), (0, 3, 0), (0, 0, 2), (3, 1, 1)])
def test_6_4_the_books_needed_are_fields(need: tuple[int, int, int]) -> None:
    fields = dict(zip(("clean_to_go_out", "dirty_to_go_out", "wild_to_go_out"), need, strict=True))
    rules = free(**fields)
    ready(rules=rules, books=need).legal("play", GO_OUT)
    for at in range(3):
        if need[at]:
            fewer = tuple(count - (place == at) for place, count in enumerate(need))
            ready(rules=rules, books=fewer).refuses("6.3", "play", GO_OUT)


@pytest.mark.parametrize(
    ("books", "open_nines", "legal"),
    [
        ((1, 2, 1), "9x4", True),
        ((1, 2, 1), "9x3", False),
        ((1, 2, 1), "9x3 2", False),
        ((2, 1, 1), "9x3 2", True),
        ((2, 1, 1), "9x4", False),
    ],
)
def test_6_4_books_closed_by_the_last_play_count(
    books: tuple[int, int, int], open_nines: str, legal: bool
) -> None:
    table = ready("9 4", books=books)
    table.put_meld("9", open_nines)
    if legal:
        table.legal("play", {"9": "9x3"})
        assert table.phase == "permit"
    else:
        table.refuses("6.3", "play", {"9": "9x3"})


def test_6_4_a_wild_book_closed_by_the_last_play_counts() -> None:
    table = ready("2x4 4", books=(2, 2, 0), stock="JK 2 8 8")
    table.put_meld("wild", "JK")
    table.legal("play", {"wild": "2x5 JK"})
    assert table.phase == "permit"


def test_6_4_a_partner_in_the_hand_forbids_it() -> None:
    table = ready()
    table.table["in_foot"][0, 2] = 0
    table.refuses("6.3", "play", GO_OUT)


def test_6_4_a_partner_who_ended_no_turn_in_the_foot_forbids_it() -> None:
    table = ready()
    table.table["foot_turns"][0, 2] = 0
    table.refuses("6.3", "play", GO_OUT)


@pytest.mark.parametrize(("needed", "ended", "legal"), [(0, 0, True), (2, 1, False), (2, 2, True)])
def test_6_4_partner_foot_turns_is_a_field(needed: int, ended: int, legal: bool) -> None:
    table = ready(rules=free(partner_foot_turns=needed))
    table.table["foot_turns"][0, 2] = ended
    if legal:
        table.legal("play", GO_OUT)
    else:
        table.refuses("6.3", "play", GO_OUT)


def test_6_4_even_without_turns_needed_the_partner_is_in_the_foot() -> None:
    table = ready(rules=free(partner_foot_turns=0))
    table.table["in_foot"][0, 2] = 0
    table.refuses("6.3", "play", GO_OUT)


def test_6_4_the_own_turns_in_the_foot_do_not_matter() -> None:
    table = ready()
    table.table["foot_turns"][0, 0] = 0
    table.legal("play", GO_OUT)
    assert table.phase == "permit"


def test_6_4_opponents_do_not_matter() -> None:
    table = ready()
    assert table["in_foot"].tolist()[:4] == [1, 0, 1, 0]
    table.legal("play", GO_OUT)


@pytest.mark.parametrize("late", [2, 4])
def test_6_4_every_partner_counts(late: int) -> None:
    table = ready(rules=of_six(2))
    table.table["foot_turns"][0, late] = 0
    table.refuses("6.3", "play", GO_OUT)


def partner_picks_up(stock: str, lot: str) -> Table:
    """A table where seat 2 picks up its foot, seat 3 passes, and seat 0 has drawn."""
    hands = [FINAL, "4 5 6", "Kx3", "4 5 6"]
    table = Table(rules=FREE, hands=hands, stock=stock + " 8 8 9 9 " + "8 10 " * 9, dealer=1)
    table.put_in_foot(0)
    table.put_books(2, 2, 1)
    table.legal("draw")
    table.legal("play", {"K": lot})
    table.legal("discard", table.hand(2)[-1])
    assert table["in_foot"][2]
    table.pass_turns()
    table.legal("draw")
    return table


def test_6_4_a_turn_in_which_the_foot_was_picked_up_in_mid_turn_counts() -> None:
    table = partner_picks_up("K K", "Kx5")
    table.legal("play", GO_OUT)
    assert table.phase == "permit"


def test_6_4_a_turn_in_which_it_was_picked_up_after_the_discard_does_not() -> None:
    table = partner_picks_up("K 5", "Kx4")
    table.refuses("6.3", "play", GO_OUT)
    table.legal("play", STAY_IN)
    table.legal("discard", "9")
    table.pass_turns(3)
    assert table["foot_turns"][2] == 1
    table.legal("draw")
    table.put_meld("8", "8x3")
    table.put_meld("10", "10x3")
    table.legal("play", {"8": "8", "10": "10"})
    assert table.phase == "permit"


def test_6_4_nothing_but_the_discard_follows_that_play() -> None:
    table = ready("9x3 2")
    table.legal("play", GO_OUT)
    table.legal("permit", True)
    with pytest.raises(RuntimeError, match="waits for discard"):
        table.play({"9": ["2"]})
    table.refuses("3.3", "discard", "9")
    table.legal("discard", "2")
    assert went_out(table)


def test_6_4_it_goes_out_with_a_taking_too() -> None:
    table = Table("7x2 4", FREE, upcard="7")
    for seat in (0, 2):
        table.put_in_foot(seat)
    table.put_books(2, 2, 1)
    table.legal("take", {"7": "7x3"})
    table.legal("permit", True)
    assert table.hand(0) == ["4"]
    table.legal("discard", "4")
    assert went_out(table)


def test_6_4_a_player_alone_goes_out_with_the_books() -> None:
    table = ready(rules=ALONE)
    table.legal("play", GO_OUT)
    table.legal("discard", "4")
    assert went_out(table)
    ready(rules=ALONE, books=(2, 2, 0)).refuses("6.3", "play", GO_OUT)


# [6.5] permission


def test_6_5_the_partner_is_asked_before_the_play_is_made() -> None:
    table = ready()
    hand = table.hand(0)
    table.legal("play", GO_OUT)
    assert (table.phase, int(table["asking"]), table["asked"][0]) == ("permit", 2, 1)
    assert table.hand(0) == hand
    assert table.open_meld("9") == (0, 0, 0)
    table.legal("permit", True)
    assert table.open_meld("9") == (5, 0, 0)


def test_6_5_no_play_that_breaks_a_rule_is_asked_about() -> None:
    table = ready("9 2x2 4")
    table.refuses("4.2", "play", {"9": "9x3 2x2"})
    table.refuses("4.7", "play", {"9": "9x4 2"})
    assert table["asked"][0] == 0


def test_6_5_if_refused_the_play_is_not_made() -> None:
    table = ready()
    hand = table.hand(0)
    table.legal("play", GO_OUT)
    table.legal("permit", False)
    assert table.phase == "meld"
    assert table.hand(0) == hand
    assert table["open_melds"][0] == 0
    assert (table["asked"][0], table["refusals"][0], table["plays"]) == (1, 1, 0)


def test_6_5_after_a_refusal_plays_keep_two_cards() -> None:
    table = ready()
    table.legal("play", GO_OUT)
    table.legal("permit", False)
    table.refuses("6.5", "play", GO_OUT)
    table.legal("play", STAY_IN)
    table.refuses("6.5", "play", {"9": "9"})
    assert table["asked"][0] == 1
    table.legal("discard", "4")
    assert not table.over


def test_6_5_or_no_play_is_made() -> None:
    table = ready()
    table.legal("play", GO_OUT)
    table.legal("permit", False)
    table.legal("discard", "4")
    assert (table.seat, table.phase) == (1, "draw")


def test_6_5_in_the_next_turn_it_may_ask_again() -> None:
    table = ready()
    table.legal("play", GO_OUT)
    table.legal("permit", False)
    table.legal("play", STAY_IN)
    table.legal("discard", "4")
    table.pass_turns(3)
    table.legal("draw")
    table.put_meld("8", "8x3")
    table.put_meld("10", "10x3")
    table.legal("play", {"8": "8", "10": "10"})
    assert table.phase == "permit"
    assert table["asked"][0] == 2


def about_to_take(own: str, stock: str = "8 10 8 10") -> Table:
    """A player in the foot, who may go out, beside a pile of one seven."""
    table = Table(own, FREE, upcard="7", stock=stock)
    for seat in (0, 2):
        table.put_in_foot(seat)
    table.put_books(2, 2, 1)
    return table


def test_6_5_a_refused_taking_has_not_happened() -> None:
    table = about_to_take("7x2 4")
    table.legal("take", {"7": "7x3"})
    assert table.phase == "permit"
    table.legal("permit", False)
    assert table.phase == "draw"
    assert table.pile() == ["7"]
    assert table.hand(0) == cards("4 7x2")
    assert (table["took"], table["pile_takes"][0]) == (0, 0)
    assert not table["can_take"]
    table.refuses("6.5", "take", {"7": "7x3"})
    table.legal("draw")
    assert table["held"][0] == 5


def test_6_5_a_refused_taking_may_be_made_with_another_play() -> None:
    table = about_to_take("7x3 4")
    table.legal("take", {"7": "7x4"})
    table.legal("permit", False)
    assert table["can_take"]
    table.refuses("6.5", "take", {"7": "7x4"})
    table.legal("take", {"7": "7x3"})
    assert table.hand(0) == cards("4 7")


def test_6_5_a_refused_taking_and_an_empty_stock_end_the_deal() -> None:
    table = about_to_take("7x2 4", stock="")
    table.legal("take", {"7": "7x3"})
    table.legal("permit", False)
    table.legal("draw")
    assert table.over
    assert table["ended"] == STOCK


def test_6_5_a_refusal_at_the_draw_stands_for_the_turn() -> None:
    table = about_to_take("7x2 4", stock="7 7 8 8")
    table.legal("take", {"7": "7x3"})
    table.legal("permit", False)
    table.legal("draw")
    table.refuses("6.5", "play", {"7": "7x4"})
    table.legal("play", {"7": "7x3"})


def test_6_5_every_partner_is_asked() -> None:
    table = ready(rules=of_six(2))
    table.legal("play", GO_OUT)
    assert int(table["asking"]) == 2
    table.legal("permit", True)
    assert (table.phase, int(table["asking"])) == ("permit", 4)
    table.legal("permit", True)
    assert table.phase == "discard"
    assert table["asked"][0] == 1


@pytest.mark.parametrize("answers", [[False], [True, False]])
def test_6_5_one_refusal_suffices(answers: list[bool]) -> None:
    table = ready(rules=of_six(2))
    table.legal("play", GO_OUT)
    for allowed in answers:
        table.legal("permit", allowed)
    assert table.phase == "meld"
    table.refuses("6.5", "play", GO_OUT)


def test_6_5_partners_of_the_last_seats_are_asked_round_the_table() -> None:
    rules = of_six(3)
    table = Table(rules=rules, hands=["4 5 6"] * 4 + [FINAL] * 2, stock="9 9 8 8", dealer=3)
    for seat in (1, 4):
        table.put_in_foot(seat)
    table.put_books(2, 2, 1, team=1)
    table.legal("draw")
    table.legal("play", GO_OUT)
    assert int(table["asking"]) == 1
    table.legal("permit", True)
    table.legal("discard", "4")
    assert went_out(table, team=1)


@pytest.mark.parametrize("rules", [ALONE, free(partner_permission=False)])
def test_6_5_nobody_is_asked_without_partners_or_permission(rules: Rules) -> None:
    table = ready(rules=rules)
    table.legal("play", GO_OUT)
    assert table.phase == "discard"
    assert table["asked"][0] == 0
    table.legal("discard", "4")
    assert went_out(table)


@pytest.mark.parametrize("answer", [-1, 2])
def test_6_5_permission_is_yes_or_no(answer: int) -> None:
    table = ready()
    table.legal("play", GO_OUT)
    table.refuses("3.1", "answer", answer)


# [6.6] the discard


def test_6_6_going_out_takes_a_discard() -> None:
    table = ready("9x3")
    table.refuses("6.4", "play", {"9": "9x5"})
    table.legal("play", {"9": "9x3"})


def test_6_6_every_card_may_be_melded_with_discard_to_go_out_false() -> None:
    table = ready("9x3", free(discard_to_go_out=False))
    table.legal("play", {"9": "9x5"})
    assert table.phase == "permit"
    table.legal("permit", True)
    assert went_out(table)
    assert table.pile() == ["7"]


def test_6_6_the_deal_ends_at_once_where_nobody_is_asked() -> None:
    table = ready("9x3", free(discard_to_go_out=False, partner_permission=False))
    table.legal("play", {"9": "9x5"})
    assert went_out(table)


def test_6_6_or_one_may_be_discarded_as_before() -> None:
    table = ready(rules=free(discard_to_go_out=False))
    table.legal("play", GO_OUT)
    table.legal("permit", True)
    assert table.phase == "discard"
    table.legal("discard", "4")
    assert went_out(table)


def test_6_6_only_a_player_who_may_go_out_melds_every_card() -> None:
    rules = free(discard_to_go_out=False)
    ready("9x3", rules, books=(2, 2, 0)).refuses("6.3", "play", {"9": "9x5"})
    table = ready("9x3", rules)
    table.legal("play", {"9": "9x5"})
    table.legal("permit", False)
    table.refuses("6.5", "play", {"9": "9x5"})


def test_6_6_a_taking_may_lay_every_card() -> None:
    table = Table("7x2", free(discard_to_go_out=False, partner_permission=False), upcard="7")
    for seat in (0, 2):
        table.put_in_foot(seat)
    table.put_books(2, 2, 1)
    table.legal("take", {"7": "7x3"})
    assert went_out(table)


# [6.7] a foot of too few cards


@pytest.mark.parametrize(("foot", "red_threes"), [("3Rx3", 3), ("3Rx2 K", 2)])
def test_6_7_a_foot_of_fewer_than_two_cards_in_mid_turn_ends_the_deal(
    foot: str, red_threes: int
) -> None:
    table = Table("9x3", foot=foot, stock="9 9")
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert table.over
    assert (table["ended"], table["out_team"]) == (STOCK, -1)
    assert table["red_threes"][0] == red_threes


@pytest.mark.parametrize(
    ("foot", "stock"), [("3R Kx2", "9 9"), ("3Rx2", "9 9 8 10"), ("Kx2", "9 9")]
)
def test_6_7_two_cards_suffice(foot: str, stock: str) -> None:
    table = Table("9x3", foot=foot, stock=stock)
    table.legal("draw")
    table.legal("play", {"9": "9x5"})
    assert table.phase == "meld"
    assert table["held"][0] == 2


def test_6_7_also_when_the_pile_was_taken() -> None:
    table = Table("7x2", foot="3Rx2 K", upcard="7", stock="")
    table.legal("take", {"7": "7x3"})
    assert table.over
    assert table["ended"] == STOCK


@pytest.mark.parametrize("foot", ["3Rx2", "3Rx2 K"])
def test_6_7_picked_up_after_the_discard_it_changes_nothing(foot: str) -> None:
    hands = ["9x3", "6x2 4 5", "4 5 6", "4 5 6"]
    table = Table(hands=hands, foot=foot, stock="9 6")
    table.legal("draw")
    table.legal("play", {"9": "9x4"})
    table.legal("discard", "6")
    assert table["held"][0] == foot.count("K")
    table.legal("take", {"6": "6x3"})
    assert table.seat == 1
    table.legal("discard", "4")
    table.legal("draw")  # seat 2 finds the stock empty
    assert table.over
