"""The cards of a deal as a transcript lays them out: sizes, packs, dealer, upcard."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from msgspec import UNSET

from handfoot_sim.engine.position import Position
from handfoot_sim.game.cards import KINDS, PER_PACK
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.format import Deal


def layout_fault(
    deal: Deal, position: Position, number: int, dealer: int
) -> tuple[str, str] | None:
    """Rule and sentence of what is wrong with the cards as they lie; None if nothing is.

    ``number`` and ``dealer`` are what deal and dealer have to be.
    """
    return (
        _number_fault(deal, number, dealer)
        or _size_fault(deal, position.rules)
        or _packs_fault(deal, position.rules)
        or _upcard_fault(deal, position)
    )


def _number_fault(deal: Deal, number: int, dealer: int) -> tuple[str, str] | None:
    """The deal's number and its dealer [2.2]."""
    if deal.deal is not UNSET and deal.deal != number:
        return "2.2", f"the deal is numbered {deal.deal}, but it is deal {number}"
    if deal.dealer != dealer:
        return "2.2", f"seat {deal.dealer} deals, but it is for seat {dealer} to deal"
    return None


def _size_fault(deal: Deal, rules: Rules) -> tuple[str, str] | None:
    """How many hands and feet there are and how many cards each has [2.3]."""
    for name, lots, size in (
        ("hand", deal.hands, rules.hand_size),
        ("foot", deal.feet, rules.foot_size),
    ):
        if len(lots) != rules.players:
            plural = "hands" if name == "hand" else "feet"
            return "2.3", f"there are {len(lots)} {plural} for {rules.players} players"
        for seat, cards in enumerate(lots):
            if len(cards) != size:
                return "2.3", f"the {name} of seat {seat} has {len(cards)} cards instead of {size}"
    return None


def _packs_fault(deal: Deal, rules: Rules) -> tuple[str, str] | None:
    """Whether all cards together are the packs, no more and no less [1.1]."""
    there: Counter[str] = Counter(chain(deal.stock, *deal.hands, *deal.feet))
    there[deal.upcard] += 1
    wrong = [
        f"{there[kind]} of {kind} instead of {count * rules.decks}"
        for kind, count in zip(KINDS, PER_PACK, strict=True)
        if there[kind] != count * rules.decks
    ]
    if wrong:
        return "1.1", f"the cards are not {rules.decks} packs: {', '.join(wrong)}"
    return None


def _upcard_fault(deal: Deal, position: Position) -> tuple[str, str] | None:
    """Whether the card turned up may stay [2.4]."""
    if position.is_buried(deal.upcard):
        return "2.4", f"a {deal.upcard} is turned up for the pile but should have been buried"
    return None
