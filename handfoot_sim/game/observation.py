"""What a seat may know: its view, made ready before each decision.

A view (``state.VIEW``) has the public fields of the table, what only this seat knows and what is
asked of it, and the rules. It never holds another hand, a foot, or the order of the stock.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.game.cards import PLACES
from handfoot_sim.game.memory import copy_bytes
from handfoot_sim.game.moves import cards_to_take
from handfoot_sim.game.randomness import word
from handfoot_sim.game.state import PERMIT, VIEW_SIZE
from handfoot_sim.jit import inline

_VIEW_SIZE = VIEW_SIZE


@inline
def prepare_view(t: Any, r: Any, seat: int, phase: int) -> None:
    """Make the table's view that of ``seat`` as it decides in ``phase``."""
    for kind in range(PLACES):
        t.cards[kind] = t.hand[seat, kind]
    t.random = word(t.turn_key, (t.plays * 4 + phase) * 8 + seat)
    t.seat = seat
    t.team = seat % r.teams
    t.top = t.pile[t.pile_size - 1] if t.pile_size > 0 else -1
    t.take_size = cards_to_take(t, r)
    t.decision = phase


@inline
def observe(t: Any, r: Any, view: Any, seat: int, phase: int) -> None:
    """Fill a view with what ``seat`` may know as it decides in ``phase``.

    All of it is written every time, so that an agent that writes into its view misleads nobody.
    """
    prepare_view(t, r, seat, phase)
    copy_bytes(view, t, 0, _VIEW_SIZE)


@inline
def deciding_seat(t: Any) -> Any:
    """The seat whose decision the table waits for."""
    return t.asking if t.phase == PERMIT else t.turn_seat
