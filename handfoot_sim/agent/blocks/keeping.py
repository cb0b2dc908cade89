"""What is worth keeping in the hand, and how long."""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent.blocks.counting import can_lay_three, team_suffices
from handfoot_sim.agent.blocks.reading import ranks_held
from handfoot_sim.game.bits import highest_bit
from handfoot_sim.jit import inline


@inline
def key_ranks(view: Any, most: int) -> Any:
    """Bits of up to ``most`` ranks of which a pair or more is held that could take the pile [5.2].

    A *key* fits if the team's meld of the rank is not open or has room for three cards more. Dear
    ranks come first.
    """
    keys = count = 0
    ranks = ranks_held(view, 2)
    while ranks and count < most:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        if can_lay_three(view, view.team, rank):
            keys |= 1 << rank
            count += 1
    return keys


@inline
def rivals_near_out(view: Any, cards: int) -> Any:
    """Whether another team may soon go out.

    It has the books, its players are all in the foot, and one of them holds no more than
    ``cards`` cards.
    """
    for team in range(view.teams):
        if team == view.team or not team_suffices(view, team):
            continue
        ready = True
        least = view.held[team] + 0
        for seat in range(team, view.players, view.teams):
            ready = ready and view.in_foot[seat] != 0
            least = min(least, view.held[seat])
        if ready and least <= cards:
            return True
    return False


@inline
def pile_brings(view: Any) -> Any:
    """Cards that the next player would take if the pile can be taken after the discard [5.1]."""
    cards = view.pile_size + 1
    return min(cards, view.pile_take) if view.pile_take > 0 else cards
