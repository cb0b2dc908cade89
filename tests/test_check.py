"""The checker: legal matches hold, and each rule is named when it is broken."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handfoot_sim.errors import TranscriptError
from handfoot_sim.transcripts.check import check_match
from handfoot_sim.transcripts.files import read_matches
from handfoot_sim.transcripts.format import convert_match
from handfoot_sim.transcripts.walk import Fault

DATA = Path(__file__).parent / "data" / "matches.jsonl.gz"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "cases"
LINES = gzip.decompress(DATA.read_bytes()).splitlines()

Transcript = dict[str, Any]


def standard() -> Transcript:
    """A standard match, with requests refused and permitted, ends by out and by stock."""
    found: Transcript = json.loads(LINES[0])
    return found


def fault_of(transcript: Transcript) -> Fault | None:
    return check_match(convert_match(transcript))


def turns_of(transcript: Transcript) -> list[Transcript]:
    return [turn for deal in transcript["deals"] for turn in deal["turns"]]


def first_play(transcript: Transcript) -> Transcript:
    """The first play that was made, in a turn that drew from the stock."""
    turns = (turn for turn in turns_of(transcript) if turn["draw"] == "stock")
    return next(play for turn in turns for play in turn.get("plays", []))


def first_lot(transcript: Transcript) -> Transcript:
    lot: Transcript = first_play(transcript)["melds"][0]
    return lot


def ended(transcript: Transcript, end: str) -> Transcript:
    return next(deal for deal in transcript["deals"] if deal["end"] == end)


def turn_with(transcript: Transcript, permission: bool) -> Transcript:
    return next(
        turn
        for turn in turns_of(transcript)
        if any(play.get("permission") is permission for play in turn.get("plays", []))
    )


# Legal matches


@pytest.mark.parametrize("line", LINES, ids=["standard", "small"])
def test_legal_matches_hold(line: bytes) -> None:
    assert fault_of(json.loads(line)) is None


@pytest.mark.parametrize("path", sorted(SHARED.glob("legal*.gz")), ids=lambda path: path.name)
def test_legal_cases_hold(path: Path) -> None:
    for match in read_matches(path):
        assert not isinstance(match, TranscriptError), match
        assert check_match(match) is None


def illegal_cases() -> list[Any]:
    path = SHARED / "illegal.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines() if path.exists() else []
    cases = [json.loads(line) for line in lines]
    return [pytest.param(case, id=f"{i}-{case['breaks']}") for i, case in enumerate(cases)]


@pytest.mark.parametrize("case", illegal_cases())
def test_illegal_cases_name_the_rule(case: Transcript) -> None:
    fault = fault_of(case["match"])
    assert fault is not None
    assert fault.rule == case["breaks"]


def test_what_is_optional_may_be_absent() -> None:
    match = standard()
    for name in ("seed", "match", "agents"):
        del match[name]
    for deal in match["deals"]:
        del deal["breakdown"], deal["deal"]
        for turn in deal["turns"]:
            turn.setdefault("plays", [])
    match["and"] = {"more": ["keys", "are", 1, "ignored"]}
    assert fault_of(match) is None
    del match["rules"]
    assert fault_of(match) is None


# Illegal matches: a legal one with one thing changed

CASES: list[Any] = []


def breaks(rule: str) -> Callable[[Callable[[Transcript], object]], object]:
    """Note a change, made to a legal match in place, that must be called a breach of ``rule``."""

    def note(change: Callable[[Transcript], object]) -> Callable[[Transcript], object]:
        CASES.append(pytest.param(rule, change, id=f"{rule}-{change.__name__}"))
        return change

    return note


@breaks("9")
def unknown_field(match: Transcript) -> None:
    match["rules"]["hands"] = 13


@breaks("9")
def too_many_players(match: Transcript) -> None:
    match["rules"]["players"] = 9


@breaks("2.1")
def no_form_of_the_game(match: Transcript) -> None:
    match["rules"]["players"] = 5


@breaks("1.1")
def another_card(match: Transcript) -> None:
    stock = match["deals"][2]["stock"]
    stock[0] = "5" if stock[0] != "5" else "6"


@breaks("1.1")
def a_card_too_many(match: Transcript) -> None:
    match["deals"][0]["stock"].append("K")


@breaks("2.2")
def deal_missing(match: Transcript) -> None:
    match["deals"].pop()


@breaks("2.2")
def no_deals(match: Transcript) -> None:
    match["deals"] = []


@breaks("2.2")
def same_dealer_again(match: Transcript) -> None:
    match["deals"][1]["dealer"] = match["deals"][0]["dealer"]


@breaks("2.2")
def dealer_is_no_seat(match: Transcript) -> None:
    match["deals"][0]["dealer"] = 4


@breaks("2.2")
def wrong_number(match: Transcript) -> None:
    match["deals"][1]["deal"] = 2


@breaks("2.3")
def hand_too_small(match: Transcript) -> None:
    deal = match["deals"][0]
    deal["feet"][3].append(deal["hands"][3].pop())


@breaks("2.3")
def foot_too_small(match: Transcript) -> None:
    deal = match["deals"][0]
    deal["stock"].append(deal["feet"][3].pop())


@breaks("2.3")
def hand_missing(match: Transcript) -> None:
    deal = match["deals"][0]
    deal["stock"] += deal["hands"].pop()


@breaks("2.4")
def three_turned_up(match: Transcript) -> None:
    deal = match["deals"][0]
    at = deal["stock"].index("3B")
    deal["stock"][at], deal["upcard"] = deal["upcard"], "3B"


@breaks("2.6")
def out_of_turn(match: Transcript) -> None:
    match["deals"][0]["turns"][5]["seat"] = 0


@breaks("2.6")
def no_such_seat(match: Transcript) -> None:
    match["deals"][0]["turns"][5]["seat"] = -(2**40)


@breaks("2.6")
def turn_left_out(match: Transcript) -> None:
    del match["deals"][0]["turns"][5]


@breaks("3.3")
def no_discard(match: Transcript) -> None:
    del match["deals"][0]["turns"][5]["discard"]


@breaks("3.3")
def discard_not_held(match: Transcript) -> None:
    out = ended(match, "out")["turns"][-1]
    out["discard"] = "3B" if out["discard"] != "3B" else "4"


@breaks("7.1")
def red_three_discarded(match: Transcript) -> None:
    match["deals"][0]["turns"][5]["discard"] = "3R"


@breaks("7.1")
def red_three_melded(match: Transcript) -> None:
    first_lot(match)["cards"][0] = "3R"


@breaks("7.3")
def black_three_melded(match: Transcript) -> None:
    first_lot(match)["cards"][0] = "3B"


@breaks("7.3")
def meld_of_threes(match: Transcript) -> None:
    first_play(match)["melds"] = [{"to": "3B", "cards": ["3B"] * 3}]


@breaks("4.1")
def foreign_card(match: Transcript) -> None:
    lot = first_lot(match)
    lot["cards"][0] = "K" if lot["to"] != "K" else "Q"


@breaks("4.1")
def natural_on_the_wild_meld(match: Transcript) -> None:
    first_play(match)["melds"].append({"to": "wild", "cards": ["2", "2", "9"]})


@breaks("4.1")
def meld_of_twos(match: Transcript) -> None:
    first_play(match)["melds"] = [{"to": "2", "cards": ["2"] * 3}]


@breaks("4.1")
def meld_of_two(match: Transcript) -> None:
    lot = first_lot(match)
    lot["cards"] = [lot["to"]] * 2


@breaks("4.1")
def more_than_a_book(match: Transcript) -> None:
    lot = first_lot(match)
    lot["cards"] = [lot["to"]] * 1000


@breaks("4.1")
def only_wild_cards_on_a_rank(match: Transcript) -> None:
    first_lot(match)["cards"] = ["2", "2", "JK"]


@breaks("4.2")
def too_many_wild_cards(match: Transcript) -> None:
    lot = first_lot(match)
    lot["cards"] = [lot["to"]] * 3 + ["2", "2"]


@breaks("4.7")
def same_meld_twice(match: Transcript) -> None:
    play = first_play(match)
    play["melds"].append(copy.deepcopy(play["melds"][0]))


@breaks("4.7")
def meld_without_cards(match: Transcript) -> None:
    first_play(match)["melds"].append({"to": "wild", "cards": []})


@breaks("4.7")
def play_without_melds(match: Transcript) -> None:
    first_play(match)["melds"] = []


@breaks("4.7")
def cards_not_held(match: Transcript) -> None:
    play = first_play(match)
    lot = play["melds"][0]
    play["melds"] = [lot | {"cards": [lot["to"]] * 7}]


@breaks("5.2")
def pile_taken_without_a_play(match: Transcript) -> None:
    turn = next(turn for turn in turns_of(match) if not turn.get("plays"))
    turn["draw"] = "pile"


@breaks("5.2")
def pile_taken_with_other_cards(match: Transcript) -> None:
    turn = next(turn for turn in turns_of(match) if turn["draw"] == "pile")
    turn["plays"][0]["melds"] = [{"to": "wild", "cards": ["2", "2", "2"]}]


@breaks("6.3")
def books_missing(match: Transcript) -> None:
    match["rules"]["clean_to_go_out"] = 9


@breaks("6.4")
def play_after_the_one_that_goes_out(match: Transcript) -> None:
    turn = turn_with(match, True)
    turn["plays"].append({"melds": [{"to": "wild", "cards": ["2"]}]})


@breaks("6.5")
def permission_not_asked(match: Transcript) -> None:
    for play in turn_with(match, True)["plays"]:
        play.pop("permission", None)


@breaks("6.5")
def permission_where_none_is_needed(match: Transcript) -> None:
    first_play(match)["permission"] = True


@breaks("6.5")
def asked_again_after_a_refusal(match: Transcript) -> None:
    plays = turn_with(match, False)["plays"]
    refused = next(play for play in plays if play.get("permission") is False)
    plays.append(copy.deepcopy(refused))


@breaks("6.5")
def asked_again_and_permitted(match: Transcript) -> None:
    plays = turn_with(match, True)["plays"]
    plays.insert(0, copy.deepcopy(plays[-1]) | {"permission": False})


@breaks("6.5")
def went_out_though_refused(match: Transcript) -> None:
    plays = turn_with(match, True)["plays"]
    plays.insert(0, copy.deepcopy(plays[-1]) | {"permission": False})
    del plays[-1]["permission"]


@breaks("6.5")
def nobody_is_to_be_asked(match: Transcript) -> None:
    match["rules"]["partner_permission"] = False


@breaks("8.1")
def nothing_drawn(match: Transcript) -> None:
    match["deals"][0]["turns"][5]["draw"] = "none"


@breaks("8.1")
def drawn_from_an_empty_stock(match: Transcript) -> None:
    ended(match, "stock")["turns"][-1]["draw"] = "stock"


@breaks("8.1")
def discard_without_a_draw(match: Transcript) -> None:
    ended(match, "stock")["turns"][-1]["discard"] = "4"


@breaks("8.1")
def play_without_a_draw(match: Transcript) -> None:
    play = copy.deepcopy(first_play(match))
    ended(match, "stock")["turns"][-1]["plays"] = [play]


@breaks("8.1")
def turn_after_the_end(match: Transcript) -> None:
    turns = match["deals"][0]["turns"]
    turns.append(turns[-1])


@breaks("8.1")
def turns_stop_early(match: Transcript) -> None:
    match["deals"][0]["turns"].pop()


@breaks("8.1")
def no_turns(match: Transcript) -> None:
    match["deals"][0]["turns"] = []


@breaks("8.1")
def wrong_end(match: Transcript) -> None:
    ended(match, "stock")["end"] = "out"


@breaks("8.2")
def wrong_score(match: Transcript) -> None:
    match["deals"][3]["scores"][1] += 5


@breaks("8.2")
def score_of_a_third_team(match: Transcript) -> None:
    match["deals"][3]["scores"].append(0)


@breaks("8.2")
def wrong_part(match: Transcript) -> None:
    match["deals"][3]["breakdown"][1]["left"] += 5


@breaks("8.2")
def parts_of_one_team(match: Transcript) -> None:
    match["deals"][3]["breakdown"].pop()


@breaks("8.3")
def wrong_total(match: Transcript) -> None:
    match["totals"][0] -= 1


@breaks("8.3")
def wrong_winner(match: Transcript) -> None:
    match["winner"] = 1 - match["winner"]


@breaks("8.3")
def no_tie(match: Transcript) -> None:
    match["winner"] = None


@pytest.mark.parametrize(("rule", "change"), CASES)
def test_names_the_rule(rule: str, change: Callable[[Transcript], object]) -> None:
    match = standard()
    change(match)
    fault = fault_of(match)
    assert fault is not None
    assert fault.rule == rule, fault


def test_fault_says_where() -> None:
    match = standard()
    match["deals"][2]["turns"][7]["discard"] = "3R"
    fault = fault_of(match)
    assert fault is not None
    seat = match["deals"][2]["turns"][7]["seat"]
    assert (fault.deal, fault.turn, fault.seat) == (2, 7, seat)
    assert str(fault) == f"[7.1] deal 2, turn 7, seat {seat}: a red three is discarded"
    match = standard()
    match["winner"] = 1 - match["winner"]
    assert str(fault_of(match)).startswith("[8.3] the winner is")
    match["deals"][1]["scores"] = [0, 0]
    assert str(fault_of(match)).startswith("[8.2] deal 1: the scores are")
