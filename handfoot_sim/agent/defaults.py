"""What an agent does where its strategy does not say: plain, legal play in every rule set."""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.agent.blocks import cheapest_discard, lay_all

WILD_START: Final = 3
RUSH: Final = 3
BOOK_WEIGHT: Final = 0
OPEN_WEIGHT: Final = 30


def draw(view: Any, params: Any, play: Any) -> Any:
    """Draw from the stock."""
    return 0


def meld(view: Any, params: Any, play: Any) -> Any:
    """Lay all that can be laid."""
    return lay_all(view, play, WILD_START, RUSH, BOOK_WEIGHT)


def permit(view: Any, params: Any) -> Any:
    """Let the partner go out."""
    return 1


def discard(view: Any, params: Any) -> Any:
    """Discard what costs least."""
    return cheapest_discard(view, OPEN_WEIGHT)
