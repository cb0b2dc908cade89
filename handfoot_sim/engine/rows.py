"""What the engine records of each deal and team, straight from the table when the deal is over."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from handfoot_sim.game.scoring import books_points, deal_points, out_points, red_three_points
from handfoot_sim.jit import inline

ROW: Final = np.dtype(
    [
        ("dealer", "i1"),
        ("first", "i1"),  # whether the team had the first turn
        ("turns", "i2"),
        ("end", "i1"),  # state.OUT, STOCK or FORFEIT
        ("minimum", "i4"),
        ("opened_turn", "i2"),
        ("opened_points", "i4"),
        ("opened_seat", "i1"),
        ("opened_from_pile", "i1"),
        ("foot1_turn", "i2"),
        ("foot2_turn", "i2"),
        ("clean", "i2"),
        ("dirty", "i2"),
        ("wild", "i2"),
        ("clean1_turn", "i2"),
        ("clean2_turn", "i2"),
        ("dirty1_turn", "i2"),
        ("dirty2_turn", "i2"),
        ("wild1_turn", "i2"),
        ("ready_turn", "i2"),
        ("pile_chances", "i2"),
        ("pile_takes", "i2"),
        ("pile_cards", "i2"),
        ("wilds_discarded", "i2"),
        ("black3_discarded", "i2"),
        ("asked", "i2"),
        ("refused", "i2"),
        ("went_out", "i1"),
        ("melded", "i4"),
        ("books", "i4"),
        ("red_threes", "i4"),
        ("going_out", "i4"),
        ("left", "i4"),
        ("score", "i4"),
        ("before", "i4"),
        ("forfeit", "i2"),  # why the team forfeited the match: place in forfeits.REASONS
    ],
    align=True,
)
"""One row a deal and team; -1 where a thing has not happened (null in tables for people)."""

NULLABLE: Final = (
    "opened_turn",
    "opened_points",
    "opened_seat",
    "opened_from_pile",
    "foot1_turn",
    "foot2_turn",
    "clean1_turn",
    "clean2_turn",
    "dirty1_turn",
    "dirty2_turn",
    "wild1_turn",
    "ready_turn",
    "forfeit",
)
"""Fields of a row that tell of something that need not have happened."""


@inline
def record_deal(t: Any, r: Any, rows: Any) -> None:
    """Write the deal that is over into ``rows``, one record a team."""
    for team in range(r.teams):
        row = rows[team]
        row.dealer = t.dealer
        row.first = t.first % r.teams == team
        row.turns = t.turn + 1
        row.end = t.ended
        row.minimum = t.minimum
        row.opened_turn = t.opened_turn[team]
        row.opened_points = t.opened_points[team]
        row.opened_seat = t.opened_seat[team]
        row.opened_from_pile = t.opened_from_pile[team]
        row.foot1_turn = t.foot1_turn[team]
        row.foot2_turn = t.foot2_turn[team]
        record_books(t, team, row)
        row.pile_chances = t.pile_chances[team]
        row.pile_takes = t.pile_takes[team]
        row.pile_cards = t.pile_cards[team]
        row.wilds_discarded = t.wilds_discarded[team]
        row.black3_discarded = t.black3_discarded[team]
        row.asked = t.asked[team]
        row.refused = t.refusals[team]
        row.went_out = t.out_team == team
        row.melded = t.melded[team]
        row.books = books_points(t, r, team)
        row.red_threes = red_three_points(t, r, team)
        row.going_out = out_points(t, r, team)
        row.left = -t.left[team]
        row.score = deal_points(t, r, team)
        row.before = t.scores[team]
        row.forfeit = -1


@inline
def record_books(t: Any, team: int, row: Any) -> None:
    """The part of a row that tells of books."""
    row.clean = t.clean[team]
    row.dirty = t.dirty[team]
    row.wild = t.wild[team]
    row.clean1_turn = t.clean1_turn[team]
    row.clean2_turn = t.clean2_turn[team]
    row.dirty1_turn = t.dirty1_turn[team]
    row.dirty2_turn = t.dirty2_turn[team]
    row.wild1_turn = t.wild1_turn[team]
    row.ready_turn = t.ready_turn[team]
