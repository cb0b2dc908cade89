"""An agent whose parameters are of every type, and that breaks the rules at some of them."""

from __future__ import annotations

from handfoot_sim.agent import Agent, Param, blocks


class Fickle(Agent):
    """Best at level 2: below it nothing is melded, above it a rule is broken."""

    level = Param(2, 0, 5, "below 2 nothing is melded; 3 and more breaks the rules")
    share = Param(0.5, 0.0, 1.0, "does nothing")
    bold = Param(False, False, True, "does nothing")
    size = Param(10.0, 0.1, 1000.0, "does nothing", log=True)

    @staticmethod
    def meld(view, params, play):
        if params.level < 2:
            return False
        return blocks.lay_all(view, play, 3, 3, 0)

    @staticmethod
    def discard(view, params):
        if params.level >= 3:
            return -1
        return blocks.cheapest_discard(view, 30)
