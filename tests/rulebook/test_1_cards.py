"""Section 1 of the rule sheet: cards."""

from __future__ import annotations

import numpy as np
import pytest

from handfoot_sim.engine.position import Position, make_play
from handfoot_sim.game.cards import KIND_NUMBER, KINDS
from handfoot_sim.game.state import PLAY, full_deck, kind_values
from handfoot_sim.rules import Rules, rules_from_mapping
from tests.tables import ALONE, FREE, Table, shuffled

RANKS = KINDS[4:]
PACK = {"JK": 2, "2": 4, "3R": 2, "3B": 2} | dict.fromkeys(RANKS, 4)
VALUES = {"JK": 50, "2": 20, "A": 20, "3B": 5} | dict.fromkeys(("4", "5", "6", "7"), 5)
VALUES |= dict.fromkeys(("8", "9", "10", "J", "Q", "K"), 10)


def test_1_1_five_packs_of_54_cards_in_15_kinds() -> None:
    deck = full_deck(Rules())
    assert len(deck) == 270
    assert Rules().cards == 270
    kinds, counts = np.unique(deck, return_counts=True)
    assert {KINDS[kind]: count for kind, count in zip(kinds, counts, strict=True)} == {
        kind: 5 * count for kind, count in PACK.items()
    }


@pytest.mark.parametrize("packs", [1, 2, 7, 30])
def test_1_1_the_number_of_packs_is_a_field(packs: int) -> None:
    deck = full_deck(Rules(players=2, teams=2, decks=packs))
    assert np.bincount(deck).tolist() == [packs * PACK[kind] for kind in KINDS]


def test_1_1_all_cards_of_the_packs_are_dealt() -> None:
    position = shuffled(Rules(), key=3)
    dealt = position["hand"].sum(0) + position["foot"].sum(0) + position["pile_counts"]
    dealt = dealt.astype(int)
    dealt[KIND_NUMBER["3R"]] += position["red_threes"].sum()
    lying = [position["stock"][at] for seat in range(4) for at in stream(position, seat)]
    dealt += np.bincount(lying, minlength=16)
    assert dealt.tolist() == [5 * PACK[kind] for kind in KINDS] + [0]


def stream(position: Position, seat: int) -> range:
    """Places of the stock that a seat has yet to draw."""
    return range(position["stock_next"][seat], position["stock_size"], 4)


@pytest.mark.parametrize("wild", ["2", "JK"])
def test_1_2_jokers_and_twos_stand_in_for_naturals(wild: str) -> None:
    table = Table(f"9x2 {wild} 4 5")
    table.legal("draw")
    table.legal("play", {"9": f"9x2 {wild}"})


@pytest.mark.parametrize("rank", RANKS)
def test_1_2_every_natural_rank_is_melded(rank: str) -> None:
    table = Table(f"{rank}x3 8 3Bx2")
    table.legal("draw")
    table.legal("play", {rank: f"{rank}x3"})
    assert table.open_meld(rank) == (3, 0, 0)


@pytest.mark.parametrize("three", ["3R", "3B"])
def test_1_2_threes_are_no_natural_rank(three: str) -> None:
    table = Table("3Bx3 4 5")
    table.legal("draw")
    play = np.zeros(1, PLAY)
    play["naturals"][0, KIND_NUMBER[three]] = 3
    table.refuses("7.3", "answer", 1, play)
    with pytest.raises(KeyError):
        make_play({three: [three] * 3})


def test_1_2_threes_do_not_stand_in_for_naturals() -> None:
    with pytest.raises(ValueError, match="3B can't be laid on the meld 9"):
        make_play({"9": ["9", "9", "3B"]})
    with pytest.raises(ValueError, match="3B can't be laid on the meld wild"):
        make_play({"wild": ["2", "2", "3B"]})


def test_1_3_values_of_all_kinds() -> None:
    points = kind_values(Rules())
    assert {kind: points[KIND_NUMBER[kind]] for kind in KINDS} == VALUES | {"3R": 0}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("3R", "3B")])
def test_1_3_a_melded_card_counts_its_value(kind: str) -> None:
    table = Table(f"{kind}x3 8 3Bx2")
    table.legal("draw")
    table.legal("play", {"wild" if kind in ("2", "JK") else kind: f"{kind}x3"})
    assert table["melded"][0] == 3 * VALUES[kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "3R"])
def test_1_3_a_card_left_counts_its_value_against_the_team(kind: str) -> None:
    table = Table(f"{kind}x2", ALONE, foot=f"{kind} {kind}", stock="")
    table.legal("draw")
    assert table.over
    assert table["left"][0] == 4 * VALUES[kind]


def test_1_3_every_value_is_a_field() -> None:
    names = ("joker", "two", "ace", "high", "low", "black_three")
    fields = {f"value_{name}": 1 + 10 * at for at, name in enumerate(names)}
    points = kind_values(rules_from_mapping(fields))
    got = {kind: int(points[KIND_NUMBER[kind]]) for kind in KINDS}
    low, high = dict.fromkeys(RANKS[:4], 41), dict.fromkeys(RANKS[4:-1], 31)
    assert got == {"JK": 1, "2": 11, "A": 21, "3B": 51, "3R": 0} | low | high


def test_1_3_wild_cards_count_their_own_value_in_a_meld() -> None:
    table = Table("4x4 2 JK 8 3B", FREE)
    table.legal("draw")
    table.legal("play", {"4": "4x4 2 JK"})
    assert table["melded"][0] == 4 * 5 + 20 + 50
