"""Go out as soon as it may: the books that are needed, no more, and the feet.

Idea: the deal ends when a player goes out, and whatever the others still hold counts against
them. So wild cards go first to the books that are missing (the wild book, then dirty ones, at any
size), single cards to melds that are nearly closed, and everything else is laid to be rid of it.
With the books there it keeps few cards, discards what it can't lay, leaves piles lying that bring
more than ``light`` cards, and takes no more than it needs. It always lets a partner go out.

Source: "go out when opponents hold much", taken to the extreme.

Known weakness: stops collecting when the books suffice, whatever more could be had.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import BLACK_THREE, FIRST_RANK, PILE, STOCK, Agent, Param, blocks, inline

ALL_RANKS = -1


@inline
def dirty_needed(view: Any) -> Any:
    """Dirty books that are missing to go out."""
    return view.dirty_to_go_out - view.dirty[view.team]


@inline
def all_in_foot(view: Any) -> Any:
    """Whether all players of the own team are in the foot."""
    in_hand = 0
    for seat in range(view.team, view.players, view.teams):
        in_hand += 1 - view.in_foot[seat]
    return in_hand == 0


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay all; wild cards to the missing wild book, to missing dirty ones, then anywhere."""
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    if blocks.wilds_held(view) == 0:
        return cards, clean, dirty, 0
    wild = 0
    if view.wild[view.team] < view.wild_to_go_out:
        more, wild = blocks.lay_wild_book(
            view, play, budget - cards, may_start, may_add, 3, view.wild_to_go_out
        )
        cards += more
        if dirty_needed(view) <= 0 or view.wild_to_go_out - view.wild[view.team] > 0:
            rush = not view.in_foot[view.seat] and view.held[view.seat] - cards <= params.rush
            if not rush:
                return cards, clean, dirty, wild
    ranks = ALL_RANKS
    if dirty_needed(view) <= 0 and view.clean[view.team] < view.clean_to_go_out:
        ranks = blocks.ranks_to_dirty(view, play, 99)  # what is clean stays so
    more, closed = blocks.lay_wilds_on(
        view, play, budget - cards, may_start, may_add, ranks, 0, False
    )
    cards += more
    cards += blocks.lay_pairs(view, play, budget - cards, may_start, ALL_RANKS, 0)
    return cards, clean, dirty + closed, wild


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """What can't be laid goes, dear cards first once the books are there."""
    if kind == BLACK_THREE:
        return -100.0
    if kind < FIRST_RANK:
        return 500.0 + view.value[kind]
    ready = blocks.team_suffices(view, view.team)
    costs = 10.0 * view.cards[kind] + (-0.5 if ready else 0.2) * view.value[kind]
    if blocks.is_open(view, kind):
        costs += params.open_cost
    return costs + params.danger * blocks.chance_taken(view, kind, hidden) * blocks.pile_brings(
        view
    )


class Closer(Agent):
    """Goes out as soon as it may, and makes the books for that only."""

    light = Param(3, 1, 20, "most cards of a pile that is taken once the books are there")
    pile_min = Param(2, 1, 20, "cards a taking must bring before")
    rush = Param(3, 0, 13, "cards left in the hand at which wild cards go anywhere")
    book_weight = Param(0.5, 0.0, 20.0, "cards a closed book counts for in starting or adding")
    open_cost = Param(30.0, 0.0, 200.0, "cost of discarding a rank that the own team has open")
    danger = Param(20.0, 0.0, 100.0, "cost for each card that the next player would take by it")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take piles for the books; afterwards only light ones."""
        if blocks.team_suffices(view, view.team) and all_in_foot(view):
            wanted = view.take_size <= params.light
        else:
            wanted = view.take_size >= params.pile_min
        return PILE if wanted and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Lay all that brings going out nearer."""
        if not view.opened[view.team]:
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        return blocks.lay_by(fill, view, params, play, params.book_weight, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what can't be laid."""
        return blocks.discard_by(cost, view, params)
