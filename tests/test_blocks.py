"""The building blocks of strategies, on positions whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from handfoot_sim.agent import BLACK_THREE, FIRST_RANK, TWO, WILD, Agent, Param, blocks, inline
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.game.cards import KIND_NUMBER
from handfoot_sim.game.state import PLAY
from handfoot_sim.playing import play as play_matches
from handfoot_sim.rules import Rules
from tests.tables import FREE, Table

FOUR, NINE, KING, ACE = (KIND_NUMBER[kind] for kind in ("4", "9", "K", "A"))
ALL_RANKS = -1


def view_of(table: Table, seat: int = 0):
    return table.view(seat)[0]


def empty_play():
    return np.zeros(1, PLAY)[0]


def bits(*kinds: str) -> int:
    return sum(1 << KIND_NUMBER[kind] for kind in kinds)


def test_unseen_counts_what_nobody_shows() -> None:
    table = Table("9x5 K", upcard="9")
    view = view_of(table)
    assert blocks.unseen(view, NINE) == 20 - 5 - 1
    assert blocks.unseen(view, KING) == 19
    table.draw()
    table.play({"9": ["9"] * 5})
    assert blocks.unseen(view_of(table), NINE) == 14


def test_closed_books_are_seen() -> None:
    table = Table("9x7 K 2")
    table.draw()
    table.play({"9": ["9"] * 7})
    assert blocks.unseen(view_of(table), NINE) == 20 - 7
    dirty = Table("9x6 2 K 2")
    dirty.draw()
    dirty.play({"9": ["9"] * 6 + ["2"]})
    assert blocks.unseen(view_of(dirty), NINE) == 20 - 6


def test_hidden_places_are_all_cards_that_are_not_seen() -> None:
    table = Table("9x5 K", foot="Qx4")
    view = view_of(table)
    cards = int(view["stock_left"]) + int(view["held"][1:4].sum()) + int(view["foot_left"].sum())
    assert blocks.hidden_places(view) == cards


@pytest.mark.parametrize(("least", "cards", "places", "hidden"), [(1, 5, 11, 150), (2, 9, 13, 170)])
def test_chances_are_near_the_hypergeometric_ones(
    least: int, cards: int, places: int, hidden: int
) -> None:
    exact = stats.hypergeom(hidden, cards, places).sf(least - 1)
    binomial = stats.binom(cards, places / hidden).sf(least - 1)
    chance = blocks.chance_of(least, cards, places, hidden)
    assert chance == pytest.approx(binomial)
    assert chance == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("arguments", [(2, 1, 5, 50), (1, 0, 5, 50), (1, 3, 0, 50), (2, 3, 5, 0)])
def test_what_can_not_be_has_no_chance(arguments: tuple[int, int, int, int]) -> None:
    assert blocks.chance_of(*arguments) == 0.0


def test_a_discard_is_in_danger_where_it_can_be_taken() -> None:
    view = view_of(Table("9x2 K"))
    hidden = blocks.hidden_places(view)
    assert 0 < blocks.chance_taken(view, NINE, hidden) < 1
    assert blocks.chance_taken(view, BLACK_THREE, hidden) == 0.0
    tame = view_of(Table("9x2 K", Rules(wild_melds=False, wild_to_go_out=0, meld_minimums=(0,))))
    assert blocks.chance_taken(view, TWO, hidden) > 0.0
    assert blocks.chance_taken(tame, TWO, hidden) == 0.0


def test_a_pair_that_is_known_is_sure_to_take() -> None:
    table = Table("9x2 K")
    view = view_of(table)
    view["known"][1, NINE] = 2
    assert blocks.chance_taken(view, NINE, blocks.hidden_places(view)) == 1.0
    view["naturals"][1, NINE] = 5
    assert blocks.chance_taken(view, NINE, blocks.hidden_places(view)) == 0.0


def test_keys_are_pairs_that_fit_on_the_table() -> None:
    view = view_of(Table("9x2 Kx3 A 4x2"))
    assert blocks.key_ranks(view, 11) == bits("9", "K", "4")
    assert blocks.key_ranks(view, 1) == bits("K")
    view["naturals"][0, KING] = 5
    assert blocks.key_ranks(view, 11) == bits("9", "4")


def test_rivals_are_near_out_with_books_feet_and_few_cards() -> None:
    view = view_of(Table("9x2 K"))
    view["clean"][1] = view["dirty"][1] = 2
    view["wild"][1] = 1
    view["in_foot"][1] = view["in_foot"][3] = 1
    view["held"][1], view["held"][3] = 9, 3
    assert blocks.rivals_near_out(view, 3)
    assert not blocks.rivals_near_out(view, 2)
    view["in_foot"][3] = 0
    assert not blocks.rivals_near_out(view, 3)


def test_lay_ranks_keeps_a_pair_of_each_key() -> None:
    view = view_of(Table("9x5 Kx3 A"))
    play = empty_play()
    laid = blocks.lay_ranks(view, play, 9, bits("9", "K"), bits("9", "K"))
    assert laid == (3, 0, 0)
    assert play["naturals"][NINE] == 3
    assert play["naturals"][KING] == 0


def test_lay_ranks_closes_a_book_all_the_same() -> None:
    view = view_of(Table("9x7 K"))
    play = empty_play()
    assert blocks.lay_ranks(view, play, 8, bits("9"), bits("9")) == (7, 1, 0)
    short = empty_play()
    assert blocks.lay_ranks(view, short, 4, bits("9"), 0) == (4, 0, 0)


def test_the_wild_book_is_started_with_enough_cards_and_up_to_a_number() -> None:
    view = view_of(Table("2x4 9"))
    play = empty_play()
    assert blocks.lay_wild_book(view, play, 9, True, False, 5, 2) == (0, 0)
    assert blocks.lay_wild_book(view, play, 9, False, True, 3, 2) == (0, 0)
    assert blocks.lay_wild_book(view, play, 9, True, False, 3, 2) == (4, 0)
    assert play["twos"][WILD] == 4
    view["wild"][0] = 2
    assert blocks.lay_wild_book(view, empty_play(), 9, True, False, 3, 2) == (0, 0)


def test_wild_cards_close_books_and_none_are_laid_twice() -> None:
    view = view_of(Table("9x6 Kx3 2x2"))
    play = empty_play()
    blocks.lay_ranks(view, play, 11, bits("9", "K"), 0)
    assert blocks.lay_wilds_on(view, play, 2, True, True, ALL_RANKS, 0, True) == (1, 1)
    assert play["twos"][NINE] == 1
    assert blocks.lay_wilds_on(view, play, 2, True, True, ALL_RANKS, 0, False) == (1, 0)
    assert play["twos"][KING] == 1
    assert blocks.lay_wilds_on(view, play, 2, True, True, ALL_RANKS, 0, False) == (0, 0)


def test_pairs_are_started_with_wild_cards_but_for_the_spare_ones() -> None:
    view = view_of(Table("9x2 Kx2 4 2x2"))
    play = empty_play()
    assert blocks.lay_pairs(view, play, 9, True, ALL_RANKS, 1) == 3
    assert (play["naturals"][KING], play["twos"][KING]) == (2, 1)
    assert blocks.lay_pairs(view, empty_play(), 9, False, ALL_RANKS, 0) == 0


def test_a_natural_opening_needs_the_minimum_without_wild_cards() -> None:
    rules = Rules()
    view = view_of(Table("Kx3 9x2 2x3", rules))
    assert blocks.natural_opening(view, empty_play()) == 0
    view = view_of(Table("Kx3 9x3 2x3", rules))
    play = empty_play()
    assert blocks.natural_opening(view, play) == 60
    assert blocks.wilds_in(play) == 0


def test_dirty_books_pay_where_the_rules_say_so() -> None:
    assert not blocks.dirty_pays(view_of(Table("9")))
    assert blocks.dirty_pays(view_of(Table("9", Rules(meld_minimums=(0,), bonus_dirty=700))))


@inline
def lay_naturals_only(view, params, play, budget, may_start, may_add):
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    return cards, clean, dirty, 0


@inline
def dearness(view, params, kind, hidden):
    return float(view.value[kind]) if kind >= FIRST_RANK else 1000.0


def test_decisions_are_made_from_a_strategys_own_functions() -> None:
    """Two agents that differ only in whether they say it by blocks play the same game."""

    class ByHand(Agent):
        """Lays natural cards, by hand."""

        unused = Param(1, 0, 2, "nothing")

        @staticmethod
        def meld(view, params, play):
            if not view.opened[view.team]:
                return blocks.opening(view, play, blocks.NO_TOP) > 0
            budget = view.held[view.seat] - (2 if view.in_foot[view.seat] else 0)
            ranks = blocks.ranks_to_lay(view, True, True)
            cards, _, _ = blocks.lay_ranks(view, play, budget, ranks, 0)
            return cards > 0

        @staticmethod
        def permit(view, params):
            return 0

        @staticmethod
        def discard(view, params):
            best = -1
            for kind in range(16):
                if view.cards[kind] and (best < 0 or cost_of(view, kind) < cost_of(view, best)):
                    best = kind
            return best

    class ByBlocks(ByHand):
        """Lays natural cards, by blocks."""

        @staticmethod
        def meld(view, params, play):
            if not view.opened[view.team]:
                return blocks.opening(view, play, blocks.NO_TOP) > 0
            return blocks.lay_by(lay_naturals_only, view, params, play, 0.0, False)

        @staticmethod
        def discard(view, params):
            return blocks.discard_by(dearness, view, params)

    rules = Rules(start_or_add=False)
    rows = [
        play_matches(make_pairing([agent, "greedy"], rules), seed=2, first_match=0, count=20)
        for agent in (ByHand, ByBlocks)
    ]
    assert np.array_equal(rows[0], rows[1])


@inline
def cost_of(view, kind):
    return float(view.value[kind]) if kind >= FIRST_RANK else 1000.0


@inline
def fill_most(view, params, play, budget, may_start, may_add):
    return blocks.fill(view, play, budget, may_start, may_add, 3, 0)


@pytest.mark.parametrize(
    ("own", "starting"),
    [("9x3 Kx3 A", True), ("9x3 4x2", True), ("4x3 K", False)],
)
def test_the_better_way_is_chosen(own: str, starting: bool) -> None:
    """The table has fours open: adding lays as many as are held, starting the triples."""
    table = Table(own, FREE)
    table.draw()
    view = view_of(table)
    view["open_melds"][0] = bits("4")
    view["naturals"][0, FOUR] = 3
    view["opened"][0] = 1
    play = empty_play()
    cards, *_ = blocks.best_way(fill_most, view, None, play, 20, 0.0)
    assert cards > 0
    laid = {rank for rank in range(FIRST_RANK, ACE + 1) if play["naturals"][rank]}
    assert (laid == {FOUR}) is not starting


def test_blocks_are_documented() -> None:
    functions = [value for name in blocks.__all__ if callable(value := getattr(blocks, name))]
    assert len(functions) > 30
    for function in functions:
        assert function.py_func.__doc__, function
