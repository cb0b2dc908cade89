"""Stay in while the own team gains more than the opponents; consent by what is held.

Idea: a team that could go out has its books and feet behind it, and every further turn brings it
cards for more books. So it goes out only when staying is worth less: when the opponents could go
out themselves, when they still hold ``rivals_min`` cards more than the own partners (cards that
would count against them, and that they would otherwise lay), or when the stock is down to
``stock_min``, since a deal that ends by the stock brings no 100 points. Until then wild cards go
to further wild books, and two cards are kept in the foot. A partner gets consent only if the own
cards count no more than ``consent`` points, unless the opponents are about to go out.

Source: "go when opponents hold 180 points and more, stay when 140 and less, or while you control
the pile", and "refuse while your own held points exceed a threshold".

Known weakness: judges the opponents by the number of their cards; a fat foot surprises it.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import PILE, STOCK, Agent, Param, blocks, inline


@inline
def staying_pays(view: Any, params: Any) -> Any:
    """Whether the own team is expected to gain more than the opponents by playing on."""
    if view.stock_left <= params.stock_min or blocks.rivals_near_out(view, params.threat):
        return False
    partners = blocks.cards_of_team(view, view.team) - view.held[view.seat]
    return blocks.cards_of_rivals(view) - partners < params.rivals_min


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay all: wild cards on wild melds without end, or where they close a book."""
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    if blocks.wilds_held(view) == 0:
        return cards, clean, dirty, 0
    more, wild = blocks.lay_wild_book(
        view, play, budget - cards, may_start, may_add, 3, params.wild_books
    )
    cards += more
    hurry = not view.in_foot[view.seat] and view.held[view.seat] - cards <= params.rush
    hurry = hurry or blocks.dirty_pays(view)
    short = view.dirty[view.team] < view.dirty_to_go_out and view.wild[view.team] > 0
    if more == 0 and (hurry or short or view.wild[view.team] >= params.wild_books):
        more, closed = blocks.lay_wilds_on(
            view, play, budget - cards, may_start, may_add, -1, 0, not hurry
        )
        cards += more
        dirty += closed
    return cards, clean, dirty, wild


class Milker(Agent):
    """Stays in while its team gains more, and consents by what it holds."""

    rivals_min = Param(12, -60, 100, "cards rivals hold more than the partners to go out at once")
    stock_min = Param(12, 0, 180, "cards in the stock at which it goes out anyhow")
    threat = Param(6, 0, 26, "cards of a rival who may go out at which it goes out itself")
    consent = Param(80, 0, 500, "points held with which a partner gets consent")
    wild_books = Param(2, 1, 6, "wild books that wild cards are kept for")
    rush = Param(2, 0, 13, "cards left in the hand at which wild cards go anywhere")
    pile_min = Param(2, 1, 20, "cards a taking must bring, the top card included")
    open_weight = Param(30, 0, 100, "what keeps back a discard whose rank the own team has open")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile if it brings enough cards."""
        return PILE if view.take_size >= params.pile_min and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Lay all, but go out only when staying does not pay."""
        if not view.opened[view.team]:
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        go_out = not staying_pays(view, params)
        return blocks.lay_by(fill, view, params, play, 1.0, go_out)

    @staticmethod
    def permit(view: Any, params: Any) -> Any:
        """Consent if little is held, or if the opponents would go out next."""
        if blocks.rivals_near_out(view, params.threat):
            return True
        return blocks.points_held(view) <= params.consent

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what costs least."""
        return blocks.cheapest_discard(view, params.open_weight)
