"""A toy agent whose best parameters are known by construction, for tests of leagues."""

from __future__ import annotations

from handfoot_sim.agent import Agent, Param, blocks


class Blunderer(Agent):
    """Lays nothing and throws wild cards away until a turn; the sooner that ends the better."""

    blunder = Param(40, 0, 100, "turns until which it blunders: 0 is best")
    idle = Param(3, 0, 9, "does nothing")
    broken = Param(False, False, True, "throws a red three, which nobody holds")

    @staticmethod
    def meld(view, params, play):
        return view.turn >= params.blunder and blocks.lay_all(view, play, 3, 3, 0)

    @staticmethod
    def discard(view, params):
        if params.broken:
            return 2
        if view.turn < params.blunder:
            for kind in range(2):
                if view.cards[kind] > 0:
                    return kind
        return blocks.cheapest_discard(view, 30)
