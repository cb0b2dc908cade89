"""Give the next player nothing: safe discards, black threes for fat piles, a wild card if need be.

Idea: what the opponents take decides the deal, so the discard is chosen by what it gives them. A
rank that they have closed, or that the next player has just thrown, is safe; one that the next
player is known to hold is not. A rank that they have open with five cards or more can't be taken
at all [5.3], and of one with fewer they rarely keep a pair (``collect_...``). Black threes are
kept until the pile has ``fat`` cards and stop it then; with none of them, and nothing safe, a
wild card blocks a pile of ``wild_pile`` cards.

Source: guides ("discard what the opponents have closed, never what they collect; keep black
threes for fat piles") and the penalties of one published bot, 150, 300 and 500 points. Played
here, "never what they collect" (``collect_...`` above 0) is the worse advice: see the page of
the strategies.

Known weakness: keeps cards for safety that would complete books, and black threes slow the hand.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import BLACK_THREE, FIRST_RANK, PILE, STOCK, Agent, Param, blocks, inline


@inline
def books_of(view: Any, team: int, rank: int) -> Any:
    """Closed books of a rank that a team has."""
    return view.clean_books[team, rank] + view.dirty_books[team, rank]


@inline
def collected(view: Any, params: Any, team: int, rank: int) -> Any:
    """What it costs that a team collects a rank: by the size of its open meld."""
    size = view.naturals[team, rank] + view.twos[team, rank] + view.jokers[team, rank]
    if size == 0:
        return 0.0
    if size <= 4:
        return params.collect_short
    return params.collect_five if size == 5 else params.collect_long


@inline
def risk(view: Any, params: Any, kind: int) -> Any:
    """What a natural discard gives the opponents, without counting cards."""
    after = (view.seat + 1) % view.players
    team = after % view.teams
    if team == view.team:
        return 0.0
    costs = collected(view, params, team, kind)
    if not blocks.is_open(view, kind) and books_of(view, team, kind) and costs == 0.0:
        costs -= params.closed_bonus
    if view.discarded[after, kind] and view.known[after, kind] == 0:
        costs -= params.thrown_bonus
    if view.known[after, kind] >= 2:
        costs += params.known_cost
    if view.pile_counts[kind] >= 2:
        costs -= params.seen_bonus
    return costs


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """Risk times how fat the pile is, and what the card is worth at home."""
    fat = blocks.pile_brings(view)
    if kind == BLACK_THREE:
        return -1000.0 if view.pile_size >= params.fat else params.black_cost
    if kind < FIRST_RANK:
        blocking = view.pile_size >= params.wild_pile and view.in_foot[view.seat]
        return (params.wild_block if blocking else 5000.0) + view.value[kind]
    held = view.cards[kind]
    costs = 10 * held + 0.2 * view.value[kind] + risk(view, params, kind) * fat / 7
    if held >= 2:
        costs += params.pair_cost
    return costs + (params.open_cost if blocks.is_open(view, kind) else 0.0)


class Blocker(Agent):
    """Discards what gives the next player nothing, and blocks fat piles."""

    fat = Param(4, 0, 40, "cards in the pile for which black threes are kept")
    black_cost = Param(15.0, -100.0, 200.0, "cost of a black three on a thinner pile")
    wild_pile = Param(25, 5, 100, "cards in the pile at which a wild card may block")
    wild_block = Param(160.0, 0.0, 1000.0, "cost of blocking with a wild card, its points apart")
    collect_short = Param(-30.0, -100.0, 200.0, "cost of a rank they have open with 3 or 4 cards")
    collect_five = Param(-60.0, -100.0, 200.0, "cost of a rank they have open with 5 cards")
    collect_long = Param(-60.0, -100.0, 200.0, "cost of a rank they have open with 6 cards")
    closed_bonus = Param(15.0, 0.0, 100.0, "what makes a rank safe that they have closed")
    thrown_bonus = Param(11.0, 0.0, 100.0, "what makes a rank safe that the next player threw")
    seen_bonus = Param(10.0, 0.0, 100.0, "what makes a rank safe that lies in the pile twice")
    known_cost = Param(150.0, 0.0, 500.0, "cost of a rank of which the next player holds a pair")
    pair_cost = Param(45.0, 0.0, 100.0, "cost of breaking a pair or more")
    open_cost = Param(80.0, 0.0, 100.0, "cost of discarding a rank that the own team has open")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take every pile that brings something."""
        return PILE if view.take_size >= 2 and blocks.take(view, play) else STOCK

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what gives least away."""
        return blocks.discard_by(cost, view, params)
