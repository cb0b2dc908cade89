"""Count the cards: from what was seen, thrown and left lying, how likely each thing is.

Idea: every copy of a rank that is not in sight lies somewhere; the share of hidden places that
are in the next player's hand gives the chance that a discard can be taken, lowered where that
player has thrown the rank (``thrown``) or has let the same card lie (``passed``). A discard costs
that chance times the pile, plus what the card may still become at home: the chance that the
cards its meld lacks turn up. A wild card goes to a natural meld only where the natural cards it
lacks are not to be expected any more. A pile is taken for what its cards are worth at home.

Source: the card-count beliefs of the strongest public approach, without its search.

Known weakness: takes hands to be random, though players keep pairs; slow for its strength.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import (
    BLACK_THREE,
    FIRST_RANK,
    N_KINDS,
    PILE,
    STOCK,
    Agent,
    Param,
    blocks,
    inline,
)

SHOWN = 64


@inline
def coming(view: Any, kind: int, hidden: int) -> Any:
    """Copies of a rank that the own team may still draw: its share of the hidden ones, about."""
    if hidden <= 0:
        return 0.0
    reachable = view.stock_left / view.teams
    for seat in range(view.team, view.players, view.teams):
        reachable += view.foot_left[seat]
        if seat != view.seat:
            reachable += view.held[seat]
    return blocks.unseen(view, kind) * min(1.0, reachable / hidden)


@inline
def worth_at_home(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """What one card of a kind may add for the own team, in points."""
    if kind < FIRST_RANK:
        return 0.0 if kind >= BLACK_THREE - 1 else 150.0 + view.value[kind]
    size = blocks.meld_size(view, kind)
    together = size + view.cards[kind]
    lacking = max(0.0, view.book_size - together - coming(view, kind, hidden))
    bonus = view.bonus_dirty if blocks.meld_wilds(view, kind) else view.bonus_clean
    near = min(1.0, together / view.book_size) / (1.0 + lacking)
    return view.value[kind] + params.book_share * bonus / view.book_size * near


@inline
def chance_given(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """Chance that the next player can take by this discard, after what it threw and passed."""
    chance = blocks.chance_taken(view, kind, hidden)
    after = (view.seat + 1) % view.players
    if chance >= 1.0:
        return chance
    if view.discarded[after, kind]:
        chance *= params.thrown
    if view.discarded[view.seat, kind] and view.pile_counts[kind]:
        chance *= params.passed
    return chance


@inline
def pile_points(view: Any, params: Any, count: int, hidden: int) -> Any:
    """What the uppermost cards of the pile are worth at home, in points."""
    points = 0.0
    for depth in range(min(count, SHOWN)):
        points += worth_at_home(view, params, view.pile_from_top[depth], hidden)
    return points


@inline
def hopeless(view: Any, params: Any, play: Any, hidden: int) -> Any:
    """Bits of the ranks whose melds lack more natural cards than may still come."""
    ranks = 0
    for rank in range(FIRST_RANK, N_KINDS):
        lacking = view.book_size - blocks.meld_size(view, rank) - play.naturals[rank]
        if blocks.meld_wilds(view, rank) or lacking > params.hope * coming(view, rank, hidden):
            ranks |= 1 << rank
    return ranks


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Natural cards; wild ones on the wild meld, then where no natural ones will come."""
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    if blocks.wilds_held(view) == 0:
        return cards, clean, dirty, 0
    more, wild = blocks.lay_wild_book(
        view, play, budget - cards, may_start, may_add, 3, params.wild_books
    )
    cards += more
    rush = not view.in_foot[view.seat] and view.held[view.seat] - cards <= 2
    rush = rush or blocks.dirty_pays(view)
    if more == 0 and (rush or not view.wild_melds or view.wild[view.team] >= params.wild_books):
        ranks = -1 if rush else hopeless(view, params, play, blocks.hidden_places(view))
        more, closed = blocks.lay_wilds_on(
            view, play, budget - cards, may_start, may_add, ranks, 0, False
        )
        cards += more
        dirty += closed
    return cards, clean, dirty, wild


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """Expected gift to the next player, and what the card would be worth at home."""
    if kind == BLACK_THREE:
        return -1.0
    gift = 0.0
    if kind < FIRST_RANK:
        gift = 500.0
    chance = chance_given(view, params, kind, hidden)
    gift += chance * blocks.pile_brings(view) * params.card_worth
    return gift + params.keep * worth_at_home(view, params, kind, hidden) * (
        1.0 + params.pair * (view.cards[kind] - 1)
    )


class Counter(Agent):
    """Counts cards: how likely a discard is taken, and which books can still be made."""

    thrown = Param(0.3, 0.0, 1.0, "factor of the chance where the next player threw the rank")
    passed = Param(0.5, 0.0, 1.0, "factor of the chance where the next player let it lie")
    card_worth = Param(100.0, 0.0, 200.0, "points that a card of the pile is worth to opponents")
    book_share = Param(1.6, 0.0, 2.0, "share of a book's bonus that its cards are credited")
    keep = Param(1.0, 0.0, 5.0, "weight of what a card is worth at home in the discard")
    pair = Param(0.3, 0.0, 3.0, "how much dearer each further card of a rank is")
    hope = Param(0.5, 0.0, 3.0, "share of the natural cards to be expected that is counted on")
    wild_books = Param(2, 0, 6, "wild books aimed at")
    take_points = Param(60.0, 0.0, 500.0, "points at home that a pile must bring")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile if its cards are worth more at home than two unknown ones."""
        points = pile_points(view, params, view.take_size, blocks.hidden_places(view))
        return PILE if points >= params.take_points and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Open at once; then lay all, wild cards by what can be expected."""
        if not view.opened[view.team]:
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        return blocks.lay_by(fill, view, params, play, 1.0, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what is expected to cost least."""
        return blocks.discard_by(cost, view, params)
