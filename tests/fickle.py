"""An agent whose parameters are of every type, and that breaks the rules at some of them."""

from __future__ import annotations

from handfoot_sim.agent import Agent, Param, blocks


class Fickle(Agent):
    """Discards what costs least, or what it does not hold: a rule is broken at level 3 and up."""

    level = Param(1, 0, 5, "3 and more breaks the rules")
    share = Param(0.5, 0.0, 1.0, "does nothing")
    bold = Param(False, False, True, "does nothing")
    size = Param(10.0, 0.1, 1000.0, "does nothing", log=True)

    @staticmethod
    def discard(view, params):
        if params.level >= 3:
            return -1
        return blocks.cheapest_discard(view, 30)
