"""Matches lost by forfeit: what is recorded of a match in which a decision failed.

Such a match is void as a whole, whatever stood before, so that it is a loss for the team whose
agent failed: in every deal that team scores -``FORFEIT_POINTS`` and the others nothing, and of
the play nothing is kept.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from handfoot_sim.engine.rows import NULLABLE
from handfoot_sim.game.breaches import SENTENCES, rule_of
from handfoot_sim.game.state import CRASH, FORFEIT

FORFEIT_POINTS: Final = 2500
"""Points that a forfeit costs a deal: 10,000 in a match of four deals."""

CRASHED: Final = "crash"
REASONS: Final = (*sorted({rule for rule, _ in SENTENCES.values()}), CRASHED)
"""Why a match can be forfeited: the rule that was broken, or an agent that gave no answer. A row
holds the place in this tuple."""


def reason_of(table: Any) -> int:
    """Place in ``REASONS`` for a table, a record of dtype ``TABLE``, whose decision failed."""
    if int(table["phase"]) == CRASH:
        return REASONS.index(CRASHED)
    return REASONS.index(rule_of(int(table["fault"])))


def forfeit_match(
    rows: np.ndarray, table: Any, rules_row: np.ndarray, minimums: np.ndarray, dealer: int
) -> None:
    """Record a match as forfeited by the team whose turn it was.

    ``rows``: dtype ``ROW``, shape (deals, teams), of which everything is written anew; ``table``:
    record of dtype ``TABLE`` on which a decision failed (a partner who was asked is of the same
    team); ``rules_row``: dtype ``RULES``, shape (1,); ``minimums``: int32, shape (deals,);
    ``dealer``: dealer of the first deal.
    """
    rules = rules_row[0]
    deals, teams = rows.shape
    players = int(rules["players"])
    rows[...] = np.zeros((), rows.dtype)
    for name in NULLABLE:
        rows[name] = -1
    dealers = (dealer + np.arange(deals)) % players
    first = (dealers + (not rules["dealer_first"])) % players
    rows["dealer"] = dealers[:, None]
    rows["first"] = first[:, None] % teams == np.arange(teams)
    rows["minimum"] = minimums[:, None]
    rows["end"] = FORFEIT
    loser = int(table["turn_seat"]) % teams
    rows["forfeit"][:, loser] = reason_of(table)
    rows["score"][:, loser] = -FORFEIT_POINTS
    rows["before"][:, loser] = -FORFEIT_POINTS * np.arange(deals)
