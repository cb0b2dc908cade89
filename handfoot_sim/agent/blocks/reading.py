"""What blocks read of a view and of a play, and laying wild cards on a meld."""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.game.bits import RANKS, places_with
from handfoot_sim.game.cards import JOKER, N_KINDS, TWO, WILD
from handfoot_sim.jit import inline

NO_TOP: Final = -1
"""Given as the kind on top of the pile where the pile is not to be taken."""


@inline
def is_open(view: Any, place: int) -> Any:
    """Whether the own team's meld at ``place`` is open."""
    return (view.open_melds[view.team] >> place) & 1


@inline
def meld_size(view: Any, place: int) -> Any:
    """Cards in the own team's open meld at ``place``, 0 if there is none."""
    team = view.team
    return view.naturals[team, place] + view.twos[team, place] + view.jokers[team, place]


@inline
def meld_wilds(view: Any, place: int) -> Any:
    """Wild cards in the own team's open meld at ``place``."""
    return view.twos[view.team, place] + view.jokers[view.team, place]


@inline
def wilds_held(view: Any) -> Any:
    """Wild cards among the own cards."""
    return view.cards[TWO] + view.cards[JOKER]


@inline
def naturals_held(view: Any, rank: int, top: int) -> Any:
    """Natural cards of a rank among the own cards, the top card of the pile included."""
    return view.cards[rank] + (1 if rank == top else 0)


@inline
def ranks_held(view: Any, least: int) -> Any:
    """Bits of the natural ranks of which at least ``least`` cards are held."""
    return places_with(view.cards, least) & RANKS


@inline
def partners_ready(view: Any) -> Any:
    """Every partner is in the foot and has ended enough turns there [6.4]."""
    for seat in range(view.players):
        if seat != view.seat and seat % view.teams == view.team:
            if not view.in_foot[seat] or view.foot_turns[seat] < view.partner_foot_turns:
                return False
    return True


@inline
def books_suffice(view: Any, clean: int, dirty: int, wild: int) -> Any:
    """Whether the team's books and these more are enough to go out [6.4]."""
    team = view.team
    return (
        view.clean[team] + clean >= view.clean_to_go_out
        and view.dirty[team] + dirty >= view.dirty_to_go_out
        and view.wild[team] + wild >= view.wild_to_go_out
    )


@inline
def wants_wild_meld(view: Any) -> Any:
    """Whether wild cards go to the wild meld: one is open, or books of it are missing."""
    return view.wild_melds and (
        is_open(view, WILD) or view.wild[view.team] < max(1, view.wild_to_go_out)
    )


@inline
def cards_in(play: Any) -> Any:
    """Cards that a play lays."""
    cards = 0
    for place in range(N_KINDS):
        cards += play.naturals[place] + play.twos[place] + play.jokers[place]
    return cards


@inline
def wilds_in(play: Any) -> Any:
    """Wild cards that a play lays."""
    cards = 0
    for place in range(N_KINDS):
        cards += play.twos[place] + play.jokers[place]
    return cards


@inline
def keeps_two(view: Any, play: Any, top: int) -> Any:
    """Whether a play leaves the player at least two cards, those taken included [6.3]."""
    joining = view.take_size if top != NO_TOP else 0
    return view.held[view.seat] - cards_in(play) + joining >= 2


@inline
def lay_wilds(
    view: Any, play: Any, place: int, twos: int, jokers: int, count: int, jokers_first: bool
) -> Any:
    """Lay ``count`` wild cards out of these on a meld; returns (twos, jokers, points laid)."""
    if jokers_first:
        from_jokers = min(jokers, count)
        from_twos = count - from_jokers
    else:
        from_twos = min(twos, count)
        from_jokers = count - from_twos
    play.twos[place] += from_twos
    play.jokers[place] += from_jokers
    return from_twos, from_jokers, from_twos * view.value[TWO] + from_jokers * view.value[JOKER]
