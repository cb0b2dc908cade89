"""Deal anew all that a seat cannot see."""

from __future__ import annotations

import numpy as np

from handfoot_sim.game.cards import RED_THREE
from handfoot_sim.game.state import PERMIT
from handfoot_sim.rules import Rules


def redeal_hidden(tables: np.ndarray, rules: Rules, generator: np.random.Generator) -> None:
    """Deal the cards that the deciding seat of each table can't see anew, in place.

    These are the cards of the other hands that are not publicly known, all feet, and the stock.
    Every arrangement that the rules allow is equally likely; how many cards lie where stays.

    Parameters
    ----------
    tables : dtype ``state.TABLE``, shape (n,)
        Tables that wait for a decision.
    """
    for t in tables:
        seat = int(t["asking"] if t["phase"] == PERMIT else t["turn_seat"])
        undrawn = _undrawn(t)
        hands: list[int] = []
        feet: list[int] = []
        cards: list[int] = []
        for other in range(rules.players):
            unknown = t["foot"][other].copy()
            feet += [other] * int(unknown.sum())
            t["foot"][other] = 0
            if other != seat:
                hidden = t["hand"][other] - t["known"][other]
                hands += [other] * int(hidden.sum())
                unknown += hidden
                t["hand"][other] = t["known"][other]
            cards += list(np.repeat(np.arange(len(unknown)), unknown))
        order = generator.permutation([*cards, *t["stock"][undrawn]]).astype(int)
        # A red three can't lie in a hand: it would have been laid.
        plain = np.flatnonzero(order != RED_THREE)[: len(hands)]
        for owner, kind in zip(hands, order[plain], strict=True):
            t["hand"][owner, kind] += 1
        rest = np.delete(order, plain)
        for owner, kind in zip(feet, rest[: len(feet)], strict=True):
            t["foot"][owner, kind] += 1
        t["stock"][undrawn] = rest[len(feet) :]


def _undrawn(t: np.void) -> np.ndarray:
    """Positions in the stock of the cards that have not been drawn."""
    streams = range(int(t["streams"]))
    parts = [np.arange(t["stock_next"][s], t["stock_size"], t["streams"]) for s in streams]
    return np.concatenate(parts)
