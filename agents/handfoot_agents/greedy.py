"""Lay all you can as soon as you can, take the pile whenever it pays, go out when you may.

Idea: cards on the table score, cards in the hand cost; so keep nothing back. The pile is taken
whenever it brings ``pile_min`` cards, which feeds more melds. Wild cards are kept together for
the wild book (a wild meld is started with ``wild_start`` of them) and spent on dirty books once
it is there, or when no more than ``rush`` cards would be left in the hand. Under rule 4.5 a turn
does what lays more: adding or starting, a closed book counting ``book_weight`` cards.

Source: the plain policy of beginners' guides, and of the C program this lab measures itself by.

Known weakness: breaks up pairs that would take fat piles later, feeds the next player without
looking at what that team collects, and goes out even where staying would bring more.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import PILE, STOCK, Agent, Param, blocks


class Greedy(Agent):
    """Lays all it can as soon as it can, takes piles, and goes out when it may."""

    pile_min = Param(2, 1, 20, "cards a taking must bring, the top card included")
    wild_start = Param(3, 3, 7, "wild cards held to start the wild meld")
    rush = Param(3, 0, 13, "cards left in the hand at which wild cards are spent to reach the foot")
    book_weight = Param(0, 0, 20, "cards a closed book counts for when choosing to start or to add")
    open_weight = Param(30, 0, 100, "what keeps back a discard whose rank the own team has open")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile if it brings enough cards."""
        if view.take_size >= params.pile_min and blocks.take(view, play):
            return PILE
        return STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Lay all that can be laid."""
        return blocks.lay_all(view, play, params.wild_start, params.rush, params.book_weight)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what costs least."""
        return blocks.cheapest_discard(view, params.open_weight)
