"""Agents for tests of tuning: one whose best parameters are known, one of noise, one that fails."""

from __future__ import annotations

from typing import Any

import numpy as np

from handfoot_sim.agent import Agent, Param, blocks, inline

WORD = np.uint64(2654435761)
SHIFT = np.uint64(40)
BEST_AIM, BEST_COUNT = 0.7, 6


@inline
def chance(word: Any, salt: int) -> Any:
    """A number from 0 to 1 from a random word."""
    mixed = (word ^ (np.uint64(salt + 1) * WORD)) * WORD
    return float((mixed >> SHIFT) % np.uint64(1000)) / 1000.0


class Planted(Agent):
    """Greedy, but misses turns the more often the farther its parameters are from the best ones."""

    aim = Param(0.3, 0.0, 1.0, "best at 0.7")
    count = Param(2, 0, 10, "best at 6")
    calm = Param(False, False, True, "best true")

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Miss the turn, or play."""
        missed = abs(params.aim - BEST_AIM) + 0.06 * abs(params.count - BEST_COUNT)
        if not params.calm:
            missed += 0.25
        if chance(view.random, 1) < missed:
            return False
        return blocks.lay_all(view, play, 3, 3, 0)


class Noise(Agent):
    """Misses turns by chance; its parameters say which ones, and so nothing about its strength."""

    salt = Param(10, 0, 1000, "which turns are missed")
    pepper = Param(10, 0, 1000, "which turns are missed, too")

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Miss a third of the turns, or play."""
        if chance(view.random, params.salt * 1001 + params.pepper) < 0.33:
            return False
        return blocks.lay_all(view, play, 3, 3, 0)


class Fragile(Agent):
    """Divides by zero where its parameter is above one half."""

    edge = Param(0.2, 0.0, 1.0, "fails above 0.5")

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Fail, or play."""
        if view.turn // int(params.edge <= 0.5) < 0:
            return False
        return blocks.lay_all(view, play, 3, 3, 0)


class Unmakeable(Agent):
    """Can't be made where its parameter is above one half."""

    edge = Param(0.2, 0.0, 1.0, "raises above 0.5")

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        if self.params["edge"] > 0.5:
            raise ValueError("too sharp")


class Idle(Agent):
    """Has a parameter that it does not use."""

    nothing = Param(1.0, 0.1, 10.0, "nothing", log=True)


class Bare(Agent):
    """Has no parameters."""
