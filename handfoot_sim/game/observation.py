"""What a seat may know: the view, a record of its own, filled before each decision.

A view begins with the public fields of the table (``state.PUBLIC_FIELDS``), byte for byte, goes
on with what only this seat knows and what is asked of it (``PRIVATE_FIELDS``), and ends with the
rules (``state.RULES_FIELDS``). It never holds another hand, a foot, or the order of the stock.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import from_dtype
from numba.core import cgutils, types

from handfoot_sim.game.cards import PLACES
from handfoot_sim.game.moves import cards_to_take
from handfoot_sim.game.randomness import word
from handfoot_sim.game.state import PERMIT, PUBLIC, RULES, K
from handfoot_sim.jit import inline, intrinsic

VIEW_PILE: Final = 64
"""How many cards of the pile a view shows in order; ``pile_counts`` has all of them."""

PRIVATE_FIELDS: Final = [
    ("cards", "i1", K),  # own cards in play, by kind
    ("pile", "u1", (VIEW_PILE,)),  # the pile from the top down, min(pile_size, 64) of it valid
    ("random", "u8"),  # a random word for this decision alone
    ("seat", "i2"),  # own seat
    ("team", "i2"),  # own team
    ("top", "i2"),  # kind of the top card of the pile, -1 if there is none
    ("take_size", "i2"),  # cards a taking would bring, the top card included [5.1]
    ("decision", "i1"),  # 0 draw, 1 meld, 2 permit, 3 discard
]
PRIVATE: Final = np.dtype(PRIVATE_FIELDS, align=True)


def _joined(*parts: np.dtype[Any]) -> np.dtype[Any]:
    """One dtype with the fields of all parts, each part laid out as it is by itself."""
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    start = 0
    for part in parts:
        for name in part.names or ():
            names.append(name)
            formats.append(part.fields[name][0])  # type: ignore[index]
            offsets.append(start + part.fields[name][1])  # type: ignore[index]
        start += -(-part.itemsize // 8) * 8
    layout: Any = {
        "names": names,
        "formats": formats,
        "offsets": offsets,
        "itemsize": start,
        "aligned": True,
    }
    joined: np.dtype[Any] = np.dtype(layout)
    return joined


VIEW: Final = _joined(PUBLIC, PRIVATE, RULES)
ViewRecord: Final = from_dtype(VIEW)
RULES_OFFSET: Final = int(VIEW.fields["players"][1])  # type: ignore[index]


@intrinsic
def copy_bytes(typing_context: Any, target: Any, source: Any, offset: Any, size: Any) -> Any:
    """Copy the first ``size`` bytes of one record to ``offset`` in another (both constants)."""
    if not isinstance(offset, types.IntegerLiteral) or not isinstance(size, types.IntegerLiteral):
        return None
    start, count = offset.literal_value, size.literal_value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        into = cgutils.pointer_add(builder, args[0], start)
        length = context.get_constant(types.intp, count)
        cgutils.raw_memcpy(builder, into, args[1], length, 1, align=8)
        return context.get_dummy_value()

    return types.void(target, source, offset, size), codegen


_PUBLIC_SIZE: Final = PUBLIC.itemsize
_RULES_SIZE: Final = RULES.itemsize
_RULES_OFFSET: Final = RULES_OFFSET


@inline
def observe(t: Any, r: Any, view: Any, seat: int, phase: int) -> None:
    """Fill a view with what ``seat`` may know as it decides in ``phase``.

    All of it is written every time, so that an agent that writes into its view misleads nobody.
    """
    copy_bytes(view, t, 0, _PUBLIC_SIZE)
    copy_bytes(view, r, _RULES_OFFSET, _RULES_SIZE)
    for kind in range(PLACES):
        view.cards[kind] = t.hand[seat, kind]
    size = t.pile_size
    for depth in range(min(size, VIEW_PILE)):
        view.pile[depth] = t.pile[size - 1 - depth]
    view.random = word(t.turn_key, (t.plays * 4 + phase) * 8 + seat)
    view.seat = seat
    view.team = seat % r.teams
    view.top = t.pile[size - 1] if size > 0 else -1
    view.take_size = cards_to_take(t, r)
    view.decision = phase


@inline
def deciding_seat(t: Any) -> Any:
    """The seat whose decision the table waits for."""
    return t.asking if t.phase == PERMIT else t.turn_seat
