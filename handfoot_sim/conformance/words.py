"""Places and answers in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from handfoot_sim.agent.interface import DECISIONS
from handfoot_sim.game.cards import KINDS, MELD_NAMES, N_KINDS
from handfoot_sim.game.state import DISCARD, DRAW, MELD, PERMIT


def play_words(play: Any) -> str:
    """A play as the cards it lays: ``9 9 9 2; JK JK JK``."""
    melds = []
    for place in range(N_KINDS):
        naturals, twos, jokers = (int(play[name][place]) for name in ("naturals", "twos", "jokers"))
        if naturals or twos or jokers:
            name = MELD_NAMES[place] or KINDS[place]
            melds.append(" ".join([name] * naturals + ["2"] * twos + ["JK"] * jokers))
    return "; ".join(melds) or "no card"


def answer_words(phase: int, answer: int, play: Any) -> str:
    """An answer to the question of ``phase`` in words."""
    if phase == DRAW and answer in (0, 1):
        return "the stock" if answer == 0 else f"the pile with {play_words(play)}"
    if phase == MELD and answer in (0, 1):
        return "nothing more" if answer == 0 else f"lay {play_words(play)}"
    if phase == PERMIT and answer in (0, 1):
        return "yes" if answer else "no"
    if phase == DISCARD and 0 <= answer < N_KINDS:
        return KINDS[answer]
    return str(answer)


def place_words(table: np.void, phase: int) -> str:
    """Where a table stands that waits for the decision of ``phase``."""
    match, mirror, deal, turn = (int(table[name]) for name in ("match", "mirror", "deal", "turn"))
    seat = int(table["asking"] if phase == PERMIT else table["turn_seat"])
    return (
        f"{DECISIONS[phase]} at match {match}, mirror {mirror}, deal {deal}, turn {turn}, "
        f"seat {seat}"
    )
