"""How agents play and what it brings: points by part, the pile, and the fingerprint of each."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd

from handfoot_sim.stats.counting import PARTS
from handfoot_sim.stats.measures import SHARE, Measure, Waiting, measures_frame
from handfoot_sim.stats.totals import totals

A_DEAL: Final = "a deal"

SCORES: Final = tuple(Measure(part, part, "deals", "points") for part in PARTS)

PILES: Final = (
    Measure("chances", "pile_chances", "deals", A_DEAL),
    Measure("takes", "pile_takes", "deals", A_DEAL),
    Measure("cards taken", "pile_cards", "deals", A_DEAL),
    Measure("turns with a chance", "pile_chances", "own_turns", SHARE),
    Measure("taken when it could be", "pile_takes", "pile_chances", SHARE),
    Measure("cards a taking", "pile_cards", "pile_takes", "cards"),
    Measure("black threes discarded", "black3_discarded", "deals", A_DEAL),
    Measure("wild cards discarded", "wilds_discarded", "deals", A_DEAL),
)

FINGERPRINT: Final = (
    Measure("points", "score", "deals", "points a deal"),
    Measure("went out", "went_out", "deals", SHARE),
    Measure("opened from the pile", "from_pile", "opened", SHARE),
    Measure("points opened over the minimum", "surplus", "opened", "points"),
    Measure("pile taken when it could be", "pile_takes", "pile_chances", SHARE),
    Measure("chances at the pile", "pile_chances", "deals", A_DEAL),
    Measure("cards a taking", "pile_cards", "pile_takes", "cards"),
    Measure("clean books", "clean", "deals", A_DEAL),
    Measure("dirty books", "dirty", "deals", A_DEAL),
    Measure("wild books", "wild", "deals", A_DEAL),
    Measure("all feet picked up", "foot2_turn", "deals", SHARE),
    Measure("points left", "left", "deals", "points a deal"),
    Measure("requests refused", "refused", "asked", SHARE),
    Measure("black threes discarded", "black3_discarded", "deals", A_DEAL),
    Measure("wild cards discarded", "wilds_discarded", "deals", A_DEAL),
    Waiting("turn of opening, median", "opened_turn"),
    Waiting("turn of the first foot, median", "foot1_turn"),
    Waiting("turn of the first clean book, median", "clean1_turn"),
    Waiting("turn of the first wild book, median", "wild1_turn"),
)


def scores(source: Any) -> pd.DataFrame:
    """Points by part, mean a deal and team.

    One row an agent, deal and part (``melded``, ``books``, ``red_threes``, ``going_out``,
    ``left``, which is negative, and ``score``, their sum); columns as ``measures.COLUMNS``.
    ``source`` is whatever ``totals`` takes; raises ``RunError`` as it does.
    """
    return measures_frame(totals(source), SCORES)


def piles(source: Any) -> pd.DataFrame:
    """How agents use the pile, and what they discard of threes and wild cards.

    One row an agent, deal and figure, columns as ``measures.COLUMNS``. A chance is a turn in which
    some legal first play could have taken the pile. ``source``: see ``totals``.
    """
    return measures_frame(totals(source), PILES)


def fingerprint(source: Any) -> pd.DataFrame:
    """Behavioural figures of every agent over all deals: what tells one strategy from another.

    One row an agent and figure: ``agent``, ``figure``, ``unit``, ``value``, ``low``, ``high``
    (95 %), ``n`` (what is counted: deals, openings, chances, takings or requests), ``clusters``
    (groups of match numbers). NaN where nothing is counted. ``source``: see ``totals``.
    """
    found = totals(source)
    last = "foot2_turn" if found.players_a_team > 1 else "foot1_turn"
    measures = [
        Measure(each.figure, last, each.below, each.unit)
        if isinstance(each, Measure) and each.above == "foot2_turn"
        else each
        for each in FINGERPRINT
    ]
    frame = measures_frame(found, measures)
    return frame[frame["deal"] == "all"].drop(columns="deal").reset_index(drop=True)
