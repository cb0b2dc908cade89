"""Hold back, take fat piles, save wild cards, feed nobody: all that pays, weighed by parameters.

Idea: cards in the hand are keys to the pile, so the opening is held back (``open_...``) and pairs
are kept while the deal is young (``key_...``); a hand is played down at once when little of it is
left over (``burst``). The pile is taken when it is fat (``take_...``). Wild cards go to wild books
(``wild_...``), and to dirty ones late or where nothing else is left for them (``dirty_...``). A
discard costs what the card is worth to the own team and what the next player would gain by it
(``..._cost``). Going out and consent weigh what both sides still hold (``out_...``,
``permit_...``).

Source: this lab: each part is another strategy's, its weight was found by playing.

Known weakness: looks one play ahead, and remembers nothing of how its opponents play: it holds
back just as long against rivals who go out early.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import (
    BLACK_THREE,
    FIRST_RANK,
    NOTHING,
    PILE,
    STOCK,
    Agent,
    Param,
    blocks,
    inline,
)

ALL_RANKS = -1


@inline
def is_late(view: Any, params: Any) -> Any:
    """Whether nothing is kept for later any more."""
    return view.stock_left <= params.late_stock


@inline
def keys_kept(view: Any, params: Any) -> Any:
    """Bits of the ranks of which pairs are kept for the pile."""
    in_foot = view.in_foot[view.seat]
    most = params.keys_foot if in_foot else params.keys_hand
    stock = params.key_stock if in_foot else params.hand_stock
    if view.pile_size < params.key_pile or view.stock_left <= stock:
        return 0
    if blocks.rivals_near_out(view, params.key_threat):
        return 0
    return blocks.key_ranks(view, most)


@inline
def fill_with(
    view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool, keys: int
) -> Any:
    """Natural cards but for the keys, then wild cards where they are wanted."""
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, keys)
    if blocks.wilds_held(view) == 0:
        return cards, clean, dirty, 0
    more, wild = blocks.lay_wild_book(
        view, play, budget - cards, may_start, may_add, params.wild_start, params.wild_books
    )
    cards += more
    left = view.held[view.seat] - cards
    hurry = is_late(view, params) or (not view.in_foot[view.seat] and left <= params.rush)
    wanted = blocks.is_open(view, 0) or view.wild[view.team] < params.wild_books
    pays = blocks.dirty_pays(view)
    if more or (wanted and view.wild_melds and not hurry and not pays):
        return cards, clean, dirty, wild
    missing = view.dirty[view.team] < view.dirty_to_go_out
    least = 0 if hurry or pays else (params.dirty_missing if missing else params.dirty_least)
    ranks = blocks.ranks_to_dirty(view, play, least)
    more, dirtied = blocks.lay_wilds_on(
        view, play, budget - cards, may_start, may_add, ranks, 0, False
    )
    cards += more
    cards += blocks.lay_pairs(view, play, budget - cards, may_start, ALL_RANKS, 0)
    return cards, clean, dirty + dirtied, wild


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay what is not kept."""
    keys = keys_kept(view, params)
    return fill_with(view, params, play, budget, may_start, may_add, keys)


@inline
def fill_all(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay all that can be laid."""
    return fill_with(view, params, play, budget, may_start, may_add, 0)


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """What discarding a card of a kind costs."""
    if kind == BLACK_THREE:
        return params.black_cost if view.pile_size < params.black_pile else -1000.0
    danger = params.danger_cost * blocks.chance_taken(view, kind, hidden) * blocks.pile_brings(view)
    if kind < FIRST_RANK:
        return params.wild_cost + view.value[kind] + danger
    after = (view.seat + 1) % view.players
    costs = params.count_cost * view.cards[kind] + params.value_cost * view.value[kind] + danger
    if blocks.is_open(view, kind):
        costs += params.open_cost
    if view.discarded[after, kind]:
        costs += params.thrown_cost
    if (view.open_melds[after % view.teams] >> kind) & 1:
        costs += params.theirs_cost
    return costs + params.unseen_cost * blocks.unseen(view, kind)


class Balanced(Agent):
    """Weighs holding back, piles, wild books, safe discards and going out; the tuner's object."""

    open_margin = Param(98, 0, 300, "points above the minimum for which the opening is held back")
    open_until = Param(40, 0, 120, "turn from which it opens as soon as it can")
    open_pure = Param(47, 0, 120, "turn until which the hand opens with natural cards only")
    take_hand = Param(6, 1, 20, "cards a taking must bring while in the hand")
    take_foot = Param(2, 1, 20, "cards a taking must bring in the foot")
    take_wilds = Param(1, 0, 8, "most wild cards spent on opening with the pile")
    keys_hand = Param(7, 0, 11, "ranks of which a pair is kept while in the hand")
    keys_foot = Param(6, 0, 11, "ranks of which a pair is kept in the foot")
    key_pile = Param(0, 0, 30, "cards in the pile from which pairs are kept")
    hand_stock = Param(60, 0, 180, "cards in the stock at which a hand keeps no more pairs")
    key_stock = Param(40, 0, 180, "cards in the stock at which a foot keeps no more pairs")
    key_threat = Param(4, 0, 26, "cards of a rival who may go out at which no pairs are kept")
    burst = Param(3, 0, 26, "cards left over at which a hand is played down at once")
    dump = Param(3, 0, 26, "fewest cards a hand lays where that closes no book")
    late_stock = Param(19, 0, 120, "cards in the stock at which wild cards go wherever they can")
    rush = Param(2, 0, 13, "cards left in the hand at which wild cards go wherever they can")
    book_weight = Param(1.0, 0.0, 10.0, "cards a closed book counts for in starting or adding")
    wild_start = Param(3, 3, 7, "wild cards held to start a wild meld")
    wild_books = Param(2, 0, 6, "wild books aimed at")
    dirty_missing = Param(7, 3, 7, "naturals for a wild card while dirty books are missing")
    dirty_least = Param(3, 3, 7, "naturals for a wild card when they are there")
    count_cost = Param(8.1, 0.0, 100.0, "cost of a discard for each card held of its rank")
    value_cost = Param(0.08, 0.0, 5.0, "cost for each of its points")
    open_cost = Param(20.0, 0.0, 200.0, "cost where the own team has its rank open")
    danger_cost = Param(
        53.0, 0.0, 200.0, "cost for each card that the next player would take by it"
    )
    unseen_cost = Param(0.42, -5.0, 5.0, "cost for each unseen card of its rank")
    thrown_cost = Param(-8.0, -100.0, 100.0, "cost where the next player has discarded it")
    theirs_cost = Param(-6.0, -100.0, 100.0, "cost where the next player's team has its rank open")
    black_cost = Param(-1000.0, -1000.0, 1000.0, "cost of a black three on a thin pile")
    black_pile = Param(0, 0, 60, "cards in the pile from which black threes are thrown first")
    wild_cost = Param(1800.0, 0.0, 5000.0, "cost of a wild card, its points apart")
    out_rivals = Param(-87, -100, 100, "cards that rivals hold more than the partners to go out")
    out_own = Param(0.0, 0.0, 4.0, "how much a partner's card counts against a rival's in that")
    out_stock = Param(0, 0, 180, "cards in the stock at which it goes out anyhow")
    permit_cards = Param(46, 0, 60, "most cards held with which it lets a partner go out")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take a pile that is fat enough, without wasting wild cards on it."""
        least = params.take_foot if view.in_foot[view.seat] else params.take_hand
        if view.take_size < least or not blocks.take(view, play):
            return STOCK
        spent = 0 if view.top < FIRST_RANK else blocks.wilds_in(play)
        return STOCK if spent > params.take_wilds else PILE

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Open late, keep pairs, play a hand down at once, go out when it pays."""
        if not view.opened[view.team]:
            if view.turn < params.open_pure:
                points = blocks.natural_opening(view, play)
            else:
                points = blocks.opening(view, play, blocks.NO_TOP)
            early = view.turn < params.open_until
            return points > 0 and not (early and points < view.minimum + params.open_margin)
        held = view.held[view.seat]
        if not view.in_foot[view.seat] and view.mode == NOTHING and not is_late(view, params):
            cards, clean, dirty, wild = blocks.best_way(
                fill_all, view, params, play, held, params.book_weight
            )
            if held - cards <= params.burst:
                return cards > 0
            if cards < params.dump and clean + dirty + wild == 0:
                return False
        rivals, own = blocks.cards_of_rivals(view), blocks.cards_of_team(view, view.team) - held
        go_out = (
            rivals - params.out_own * own >= params.out_rivals
            or view.stock_left <= params.out_stock
        )
        return blocks.lay_by(fill, view, params, play, params.book_weight, go_out)

    @staticmethod
    def permit(view: Any, params: Any) -> Any:
        """Let the partner go out unless too much is held."""
        return view.held[view.seat] <= params.permit_cards

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what costs least."""
        return blocks.discard_by(cost, view, params)
