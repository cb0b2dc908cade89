"""What is left unseen, and how likely a discard is taken."""

from __future__ import annotations

from typing import Any

from handfoot_sim.game.cards import FIRST_RANK, N_KINDS, TWO, WILD
from handfoot_sim.jit import inline


@inline
def copies(view: Any, kind: int) -> Any:
    """Cards of a kind in all packs [1.1]."""
    return view.decks * (4 if kind == TWO or kind >= FIRST_RANK else 2)


@inline
def unseen(view: Any, rank: int) -> Any:
    """Cards of a natural rank that may lie in other hands, in a foot or in the stock.

    All copies less what is seen: own cards, the pile, melds, books, and cards others are known to
    hold. A dirty book counts as one with a single wild card, so that this is at most a card or
    two too low for each dirty book that has more.
    """
    seen = view.cards[rank] + view.pile_counts[rank]
    for team in range(view.teams):
        seen += view.naturals[team, rank] + view.clean_books[team, rank] * view.book_size
        seen += view.dirty_books[team, rank] * (view.book_size - 1)
    for seat in range(view.players):
        if seat != view.seat:
            seen += view.known[seat, rank]
    return max(0, copies(view, rank) - seen)


@inline
def unknown_cards(view: Any, seat: int) -> Any:
    """Cards in another player's hand of which it is not known what they are."""
    known = 0
    for kind in range(N_KINDS):
        known += view.known[seat, kind]
    return max(0, view.held[seat] - known)


@inline
def hidden_places(view: Any) -> Any:
    """How many places hold cards that the seat can't see: stock, feet, unknown cards of hands."""
    places = view.stock_left
    for seat in range(view.players):
        places += view.foot_left[seat]
        if seat != view.seat:
            places += unknown_cards(view, seat)
    return places


@inline
def chance_of(least: int, cards: int, places: int, hidden: int) -> Any:
    """Chance that at least ``least`` (1 or 2) of ``cards`` lie in ``places`` of ``hidden`` ones.

    Each card is taken to lie anywhere independently (binomial instead of hypergeometric).
    """
    if cards < least or places <= 0 or hidden <= 0:
        return 0.0
    inside = min(1.0, places / hidden)
    outside = 1.0
    for _ in range(cards - 1):
        outside *= 1.0 - inside
    chance = 1.0 - outside * (1.0 - inside)
    if least >= 2:
        chance -= cards * inside * outside
    return chance


@inline
def can_lay_three(view: Any, team: int, place: int) -> Any:
    """Whether a team's meld at ``place`` is not open, or has room for a taking's three [5.3]."""
    size = view.naturals[team, place] + view.twos[team, place] + view.jokers[team, place]
    return size <= view.book_size - 3


@inline
def chance_taken(view: Any, kind: int, hidden: int) -> Any:
    """Chance that the next player holds two more of a kind and so can take it off the pile [5.2].

    ``hidden`` is ``hidden_places(view)``. 0 for a black three, where the team's meld has no room,
    and where the next player is a partner.
    """
    after = (view.seat + 1) % view.players
    team = after % view.teams
    if team == view.team or (kind < FIRST_RANK and (kind > TWO or not view.wild_melds)):
        return 0.0
    if not can_lay_three(view, team, kind if kind >= FIRST_RANK else WILD):
        return 0.0
    known = view.known[after, kind]
    if known >= 2:
        return 1.0
    cards = unseen(view, kind) if kind >= FIRST_RANK else copies(view, kind) // 2
    return chance_of(2 - known, cards, unknown_cards(view, after), hidden)


@inline
def points_held(view: Any) -> Any:
    """Points of the own cards in play: what they cost when the deal ends [8.2]."""
    points = 0
    for kind in range(N_KINDS):
        points += view.cards[kind] * view.value[kind]
    return points


@inline
def cards_of_team(view: Any, team: int) -> Any:
    """Cards that a team's players hold in hands and feet."""
    cards = 0
    for seat in range(team, view.players, view.teams):
        cards += view.held[seat] + view.foot_left[seat]
    return cards


@inline
def cards_of_rivals(view: Any) -> Any:
    """Cards in hands and feet of the other teams, the mean of a team."""
    cards = 0
    for team in range(view.teams):
        if team != view.team:
            cards += cards_of_team(view, team)
    return cards // max(1, view.teams - 1)


@inline
def team_suffices(view: Any, team: int) -> Any:
    """Whether a team has the books needed to go out [6.4]."""
    return (
        view.clean[team] >= view.clean_to_go_out
        and view.dirty[team] >= view.dirty_to_go_out
        and view.wild[team] >= view.wild_to_go_out
    )


@inline
def dirty_pays(view: Any) -> Any:
    """Whether the rules give more for a dirty book than for a clean one [8.2]."""
    return view.bonus_dirty > view.bonus_clean
