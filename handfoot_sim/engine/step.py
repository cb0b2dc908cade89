"""One decision: what it does to a table. Shared by both drivers and the transcript checker."""

from __future__ import annotations

from typing import Any

from handfoot_sim.game import breaches as b
from handfoot_sim.game.legality import broken
from handfoot_sim.game.state import DRAW, MELD, PERMIT
from handfoot_sim.game.turn import (
    answer_request,
    discard_card,
    draw_stock,
    end_melding,
    make_play,
    set_fault,
    take_pile,
)
from handfoot_sim.jit import inline

_NOT_AN_ANSWER = b.NOT_AN_ANSWER


@inline
def apply(t: Any, r: Any, phase: int, answer: int, play: Any) -> None:
    """Carry out an answer to the question of ``phase``; an illegal one sets the table's fault."""
    if phase == MELD:
        if answer == 0:
            end_melding(t)
        elif answer == 1:
            make_play(t, r, play)
        else:
            set_fault(t, broken(t, _NOT_AN_ANSWER, answer, phase))
    elif phase == DRAW:
        if answer == 0:
            draw_stock(t, r)
        elif answer == 1:
            take_pile(t, r, play)
        else:
            set_fault(t, broken(t, _NOT_AN_ANSWER, answer, phase))
    elif phase == PERMIT:
        if answer == 0 or answer == 1:
            answer_request(t, r, answer)
        else:
            set_fault(t, broken(t, _NOT_AN_ANSWER, answer, phase))
    else:
        discard_card(t, r, answer)
