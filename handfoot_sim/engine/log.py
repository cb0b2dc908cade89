"""The engine's log of one match: every decision in order, and the cards as they lay.

Off (no room given) in ordinary play; transcripts are written from it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import carray, from_dtype
from numba.core import types

from handfoot_sim.game.moves import copy_play
from handfoot_sim.game.state import DRAW, MELD, PLAY
from handfoot_sim.jit import inline, intrinsic
from handfoot_sim.rules import Rules

EVENT: Final = np.dtype(
    [
        ("deal", "i2"),
        ("turn", "i2"),
        ("seat", "i1"),  # who decided
        ("phase", "i1"),  # state.DRAW, MELD, PERMIT or DISCARD
        ("answer", "i8"),
        ("play", PLAY),
    ],
    align=True,
)


LOG: Final = np.dtype([("events", "i8"), ("cards", "i8"), ("size", "i8"), ("on", "i8")])
"""How compiled code sees a log: the addresses of its arrays, and how many events it holds.

One record instead of arrays, whose reference counts would be kept at every decision (measured:
30 % of playing time).
"""

_EventRecord: Final = from_dtype(EVENT)
_EVENT_SIZE: Final = EVENT.itemsize


class Log(NamedTuple):
    """The log of a match.

    ``head``: dtype ``LOG``, shape (1,), what compiled code is given; ``events``: dtype
    ``EVENT``; ``cards``: shape (deals, cards), uint8: the cards of each deal as given out (see
    ``deal.lay_out``), the stock in the order in which it was drawn once the deal is over.
    """

    head: np.ndarray
    events: np.ndarray
    cards: np.ndarray


def no_log() -> Log:
    """A log without room: nothing is written."""
    return Log(np.zeros(1, LOG), np.zeros(0, EVENT), np.zeros((0, 0), np.uint8))


def room_for(rules: Rules) -> Log:
    """A log with room for any match by these rules.

    A turn either takes a card from the stock or melds three for good, so a deal has at most
    cards + cards / 3 turns; each has at most a draw, a discard and six answers to a request
    besides its plays, and every play melds a card for good.
    """
    per_deal = rules.cards + (rules.cards + rules.cards // 3 + 2) * (4 + rules.players)
    events = np.zeros(rules.deals * per_deal, EVENT)
    cards = np.zeros((rules.deals, rules.cards), np.uint8)
    head = np.zeros(1, LOG)
    head["events"], head["cards"], head["on"] = events.ctypes.data, cards.ctypes.data, 1
    return Log(head, events, cards)


@intrinsic
def event_at(typing_context: Any, address: Any) -> Any:
    """The event record at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(_EventRecord))

    return _EventRecord(types.int64), codegen


@intrinsic
def address_as_pointer(typing_context: Any, address: Any) -> Any:
    """An address as a pointer that ``carray`` takes."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), codegen


@inline
def log_decision(log: Any, t: Any, seat: int, phase: int, answer: int, play: Any) -> None:
    """Add one decision."""
    if log.on == 0:
        return
    event = event_at(log.events + log.size * _EVENT_SIZE)
    log.size += 1
    event.deal = t.deal
    event.turn = t.turn
    event.seat = seat
    event.phase = phase
    event.answer = answer
    if phase == DRAW or phase == MELD:
        copy_play(play, event.play)


@inline
def log_cards(log: Any, t: Any, order: Any) -> None:
    """Note the cards of a deal as given out, the stock as drawn so far and then as it lies."""
    if log.on == 0:
        return
    cards = order.shape[0]
    row = carray(address_as_pointer(log.cards + t.deal * cards), (cards,), np.uint8)
    start = order.shape[0] - t.stock_size
    for i in range(start):
        row[i] = order[i]
    position = start
    for i in range(t.stock_size - t.stock_left):
        row[position] = t.drawn[i]
        position += 1
    for stream in range(t.streams):
        for i in range(t.stock_next[stream], t.stock_size, t.streams):
            row[position] = t.stock[i]
            position += 1
