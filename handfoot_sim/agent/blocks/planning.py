"""From a strategy's own way of filling a play, or of rating a discard, to a legal decision.

A strategy says what it would lay in one function of its own, declared with ``@inline``:
``fill(view, params, play, budget, may_start, may_add)``. It fills the cleared ``play`` with at
most ``budget`` cards on melds that may be started or added to, and returns what it laid and
closed: (cards, clean books, dirty books, wild books). The functions here see to rules 4.5 and 6.2
to 6.5: whether the turn starts or adds, how many cards must be kept, when going out is allowed.
"""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.agent.blocks.counting import hidden_places
from handfoot_sim.agent.blocks.reading import books_suffice, partners_ready
from handfoot_sim.game.bits import lowest_bit, places_used
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.state import ADDING, NOTHING, STARTING
from handfoot_sim.jit import inline

UNTHINKABLE: Final = 1e18


@inline
def fill_way(
    fill: Any, view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool
) -> Any:
    """Clear ``play`` and fill it in one way; returns what ``fill`` does."""
    clear_play(play)
    return fill(view, params, play, budget, may_start, may_add)


@inline
def best_way(fill: Any, view: Any, params: Any, play: Any, budget: int, book_weight: float) -> Any:
    """Fill ``play`` by starting or by adding, whichever lays more where rule 4.5 leaves a choice.

    A closed book counts as ``book_weight`` cards more; of equals adding is chosen. Returns
    (cards, clean books, dirty books, wild books).
    """
    if not view.start_or_add:
        return fill_way(fill, view, params, play, budget, True, True)
    if view.mode != NOTHING:
        may_start, may_add = view.mode == STARTING, view.mode == ADDING
        return fill_way(fill, view, params, play, budget, may_start, may_add)
    cards, clean, dirty, wild = fill_way(fill, view, params, play, budget, True, False)
    starting = cards + book_weight * (clean + dirty + wild)
    cards, clean, dirty, wild = fill_way(fill, view, params, play, budget, False, True)
    if cards + book_weight * (clean + dirty + wild) >= starting:
        return cards, clean, dirty, wild
    return fill_way(fill, view, params, play, budget, True, False)


@inline
def lay_by(fill: Any, view: Any, params: Any, play: Any, book_weight: float, go_out: bool) -> Any:
    """Fill ``play`` with what an opened team's player lays; returns whether it lays anything.

    In the foot two cards are kept [6.3]; with ``go_out`` one, where the team may go out with it.
    """
    held = view.held[view.seat]
    if not view.in_foot[view.seat]:
        cards, _, _, _ = best_way(fill, view, params, play, held, book_weight)
        return cards > 0
    if go_out and not view.refused and partners_ready(view):
        cards, clean, dirty, wild = best_way(fill, view, params, play, held - 1, book_weight)
        if held - cards >= 2:
            return cards > 0
        if books_suffice(view, clean, dirty, wild):
            return True
    cards, _, _, _ = best_way(fill, view, params, play, held - 2, book_weight)
    return cards > 0


@inline
def discard_by(cost: Any, view: Any, params: Any) -> Any:
    """The kind held for which ``cost(view, params, kind, hidden)`` is lowest; of equals the lowest.

    ``hidden`` is ``hidden_places(view)``, for ``chance_taken``.
    """
    hidden = hidden_places(view)
    kinds = places_used(view.cards)
    best, least = lowest_bit(kinds), UNTHINKABLE
    while kinds:
        kind = lowest_bit(kinds)
        kinds ^= 1 << kind
        costs = cost(view, params, kind, hidden)
        if costs < least:
            best, least = kind, costs
    return best
