"""What a deal scores [7.2, 8.2]."""

from __future__ import annotations

from typing import Any

from handfoot_sim.game.cards import RED_THREE
from handfoot_sim.game.moves import value_of
from handfoot_sim.jit import inline


@inline
def books_points(t: Any, r: Any, team: int) -> Any:
    """Points of the team's books."""
    return (
        t.clean[team] * r.bonus_clean + t.dirty[team] * r.bonus_dirty + t.wild[team] * r.bonus_wild
    )


@inline
def red_three_points(t: Any, r: Any, team: int) -> Any:
    """Red threes on the table count for the team, those left in feet against it [7.2]."""
    return (t.red_threes[team] - t.foot_red_threes[team]) * r.bonus_red_three


@inline
def out_points(t: Any, r: Any, team: int) -> Any:
    """Points for going out."""
    return r.bonus_out if t.out_team == team else 0


@inline
def deal_points(t: Any, r: Any, team: int) -> Any:
    """Points of the team in a deal that is over."""
    return (
        t.melded[team]
        + books_points(t, r, team)
        + red_three_points(t, r, team)
        + out_points(t, r, team)
        - t.left[team]
    )


@inline
def score_deal(t: Any, r: Any) -> None:
    """Count what is left in hands and feet and add the deal to the match."""
    for team in range(r.teams):
        t.left[team] = 0
        t.foot_red_threes[team] = 0
    team = 0
    for seat in range(r.players):
        t.left[team] += value_of(t.hand, seat, r) + value_of(t.foot, seat, r)
        t.foot_red_threes[team] += t.foot[seat, RED_THREE]
        team += 1
        if team == r.teams:
            team = 0
    for team in range(r.teams):
        t.totals[team] = t.scores[team] + deal_points(t, r, team)
