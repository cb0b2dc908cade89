"""The checker where a deal comes to its end: going out, asking, the foot [6.3 to 6.7]."""

from __future__ import annotations

import pytest

from handfoot_sim.rules import Rules, rules_from_mapping
from handfoot_sim.transcripts.check import check_match
from handfoot_sim.transcripts.format import convert_match
from tests.handmade import Transcript, broken_rule, match, play, settled, turn
from tests.referee import referee

FIVES = Rules(
    decks=1, hand_size=3, foot_size=4, book_size=5, deals=1, meld_minimums=(0,),
    clean_to_go_out=0, dirty_to_go_out=2, wild_to_go_out=0,
)  # fmt: skip
"""Books of five and small hands, so that a team can go out in its second turn."""

FOURS = turn(3, play(m4="4x4 JK"), discard="8")
"""Seat 3 closes a dirty book with its whole hand, and discards from the foot."""
PASS = turn(0, discard="Q")


def endgame(
    *last: Transcript, rules: Rules = FIVES, foot: str = "6x3 9", more: tuple[Transcript, ...] = ()
) -> Transcript:
    """Seat 1 closes the second dirty book, picks up ``foot``, and ends the turn as given."""
    hands = ["Q Q J", "5x3", "", "4x3"]
    last_turn, *plays = last
    turns = [FOURS, PASS, last_turn | {"plays": [play(m5="5x4 2"), *plays]}, *more]
    return match(rules, hands, ["", foot, "", "7x3 8"], "4 JK A A 5 2", turns, dealer=2, upcard="K")


def holds(transcript: Transcript) -> bool:
    """Whether a match with its right results is legal, and the referee thinks so too."""
    whole = settled(transcript)
    results = referee(whole)
    assert results["totals"] == whole["totals"]
    return check_match(convert_match(whole)) is None


OUT = turn(1, discard="9")
SIXES = play(True, m6="6x3")


def test_6_4_goes_out_by_discarding_the_last_card() -> None:
    assert holds(endgame(OUT, SIXES))


def test_6_5_must_be_permitted() -> None:
    assert broken_rule(endgame(OUT, play(m6="6x3"))) == "6.5"


def test_6_5_a_refused_request_changes_nothing() -> None:
    stays = endgame(OUT, play(False, m6="6x3"))
    assert broken_rule(stays) == "8.1"  # the deal goes on, and the turns stop
    assert broken_rule(endgame(OUT, play(False, m6="6x3"), SIXES)) == "6.5"
    assert broken_rule(endgame(OUT, play(False, m6="6x3"), play(m6="6x3"))) == "6.5"
    assert broken_rule(endgame(OUT, play(False, m6="6x3"), play(False, m6="6x3"))) == "6.5"


def test_6_5_a_refused_request_need_not_be_a_legal_play() -> None:
    assert broken_rule(endgame(OUT, play(False, m10="10x7"))) == "8.1"
    assert broken_rule(endgame(OUT, play(False, wild="10x7"))) == "8.1"
    assert broken_rule(endgame(OUT, play(False, m10=""))) == "4.7"


def test_6_5_nobody_is_asked_where_rules_do_not_want_it() -> None:
    silent = changed(partner_permission=False)
    assert holds(endgame(OUT, play(m6="6x3"), rules=silent))
    assert broken_rule(endgame(OUT, SIXES, rules=silent)) == "6.5"
    assert broken_rule(endgame(OUT, play(False, m6="6x3"), rules=silent)) == "6.5"


def test_6_4_partner_must_have_played_in_the_foot() -> None:
    longer = changed(partner_foot_turns=2)
    assert broken_rule(endgame(OUT, SIXES, rules=longer)) == "6.3"


def test_6_3_books_are_needed() -> None:
    more = changed(dirty_to_go_out=3)
    assert broken_rule(endgame(OUT, SIXES, rules=more)) == "6.3"


def test_6_4_nothing_follows_the_play_that_goes_out() -> None:
    assert broken_rule(endgame(OUT, SIXES, play(m9="9"))) == "6.4"
    assert broken_rule(endgame(OUT, SIXES, play(False, m9="9"))) == "6.4"
    assert broken_rule(endgame(OUT, SIXES, more=(turn(2, discard="Q"),))) == "8.1"


def test_3_3_going_out_takes_a_discard() -> None:
    without = turn(1)
    assert broken_rule(settled_ends(endgame(without, SIXES))) == "3.3"


def test_6_6_every_card_melded() -> None:
    last = turn(1)
    assert broken_rule(endgame(last, play(True, m6="6x4"), foot="6x4")) == "6.4"
    loose = changed(discard_to_go_out=False)
    assert holds(endgame(last, play(True, m6="6x4"), foot="6x4", rules=loose))
    assert holds(endgame(OUT, SIXES, rules=loose))
    asked = endgame(last, play(m6="6x4"), foot="6x4", rules=loose)
    assert broken_rule(asked) == "6.5"
    again = endgame(last, play(True, m6="6x4"), play(m9="9"), foot="6x4", rules=loose)
    assert broken_rule(again) == "6.4"
    superfluous = endgame(OUT, play(True, m6="6x4"), foot="6x4", rules=loose)
    assert broken_rule(superfluous) == "8.1"


RED_FOOT = Rules(
    players=2, teams=2, decks=1, hand_size=24, foot_size=2, deals=1, meld_minimums=(0,)
)
"""One card is left in the stock, and a foot can be two red threes."""
ALL_LAID = {f"m{rank}": f"{rank}x4" for rank in (4, 5, 6, 7, 8)}


def red_foot(*plays: Transcript, **last: str) -> Transcript:
    hands = ["", "4x4 5x4 6x4 7x4 8x4 9x4"]
    turns = [turn(1, play(**ALL_LAID, m9="9x4 2"), *plays, **last)]
    return match(RED_FOOT, hands, ["", "3Rx2"], "2", turns)


def test_6_7_a_foot_of_red_threes_ends_the_deal() -> None:
    assert holds(red_foot())
    assert settled(red_foot())["deals"][0]["end"] == "stock"
    assert broken_rule(red_foot(play(m4="4"))) == "6.7"
    assert broken_rule(red_foot(discard="4")) == "8.1"


def test_7_3_a_pile_topped_by_a_black_three_is_not_taken() -> None:
    hands = ["", "3B Q J", "", "3B Q"]
    rules = changed(hand_size=5)
    turns = [turn(3, discard="3B"), turn(0, play(m4="4x3"), discard="Q", draw="pile")]
    assert broken_rule(match(rules, hands, [""] * 4, "", turns, dealer=2)) == "5.2"


@pytest.mark.parametrize(
    ("melds", "rule"),
    [({"m9": "9x3"}, "8.1"), ({"m9": "9x3 2"}, "8.1"), ({"m9": "9x2 2"}, "5.2"),
     ({"m9": "9x3", "m6": "6x3"}, "5.4"), ({"m9": "9x3", "m7": "7x3"}, "4.7")],
)  # fmt: skip
def test_5_the_first_play_of_a_taking(melds: dict[str, str], rule: str) -> None:
    rules = changed(hand_size=7)
    hands = ["9x2 6x2 2 7 Q", "", "", "6 9 Q J"]
    turns = [
        turn(3, discard="9"),
        turn(0, play(**melds), discard="Q", draw="pile"),
    ]
    taking = match(rules, hands, [""] * 4, "", turns, dealer=2, upcard="6")
    assert broken_rule(taking) == rule  # 8.1: legal, and the turns stop there


def test_a_match_broken_off_is_not_called_a_missing_discard() -> None:
    fault = check_match(convert_match(endgame(turn(1)), unfinished=True))
    assert fault is not None
    assert str(fault) == "[8.1] deal 0, turn 2, seat 1: the turns stop before the deal is over"


def changed(**fields: object) -> Rules:
    """``FIVES`` with other fields."""
    return rules_from_mapping(fields, FIVES)


def settled_ends(transcript: Transcript) -> Transcript:
    """The match with some end, so that it counts as finished."""
    for deal in transcript["deals"]:
        deal["end"] = "out"
    return transcript
