"""Any legal play may happen: a yardstick, and a way to exercise every rule.

Idea: in each decision choose at random among a wide set of legal answers. A play is built meld
by meld, in random order; for each meld one of all the ways to lay own cards on it is chosen, all
equally likely, or none. An opening is tried a few times over.

Source: the random player that every games library has.

Known weakness: has no plan at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from handfoot_sim.agent import (
    ADDING,
    FIRST_RANK,
    JOKER,
    N_KINDS,
    NOTHING,
    PILE,
    RED_THREE,
    STARTING,
    STOCK,
    TWO,
    WILD,
    Agent,
    Param,
    below,
    blocks,
    clear_play,
    inline,
)

TRIES = 4


@inline
def may_lay(view: Any, place: int, mode: int) -> Any:
    """Whether rule 4.5 lets a turn of this mode lay on the meld at ``place``."""
    if not view.start_or_add or view.started >> place & 1:
        return True
    return mode != STARTING if blocks.is_open(view, place) else mode != ADDING


@inline
def choose_cards(
    view: Any, play: Any, place: int, most: int, twos: int, jokers: int, counter: int
) -> Any:
    """Lay one of all sets of own cards that fit the meld at ``place``, or nothing; cards laid.

    Every way is equally likely: the n-th one found replaces the choice with chance 1 / n.
    """
    naturals = 0
    if place != WILD:
        naturals = view.cards[place] - play.naturals[place]
    size = blocks.meld_size(view, place)
    wilds = blocks.meld_wilds(view, place)
    ways = 1
    for natural in range(naturals + 1):
        for two in range(twos + 1):
            for joker in range(jokers + 1):
                count = natural + two + joker
                total = size + count
                if count == 0 or count > most or total < 3 or total > view.book_size:
                    continue
                wild_total = wilds + two + joker
                if place != WILD and (
                    wild_total * view.naturals_per_wild > total - wild_total or total == wild_total
                ):
                    continue
                ways += 1
                if below(view.random, counter * 4096 + ways, ways) == 0:
                    play.naturals[place] = natural
                    play.twos[place] = two
                    play.jokers[place] = joker
    return play.naturals[place] + play.twos[place] + play.jokers[place]


@inline
def points_of(view: Any, play: Any) -> Any:
    """Points a play lays."""
    points = 0
    for place in range(N_KINDS):
        points += play.naturals[place] * view.value[place]
        points += play.twos[place] * view.value[TWO] + play.jokers[place] * view.value[JOKER]
    return points


@inline
def build(view: Any, play: Any, mode: int, spare: int, attempt: int, start: int, skip: bool) -> Any:
    """Build a random play of at most ``spare`` cards, beginning at meld ``start``."""
    clear_play(play)
    twos, jokers = view.cards[TWO], view.cards[JOKER]
    cards = 0
    for step in range(12):
        place = (start + step * 5) % 12
        place = place + FIRST_RANK - 1 if place else WILD
        if (place == WILD and not view.wild_melds) or not may_lay(view, place, mode):
            continue
        counter = attempt * 16 + step
        if skip and below(view.random, 1_000_000 + counter, 2) == 0:
            continue
        cards += choose_cards(view, play, place, spare - cards, twos, jokers, counter)
        twos -= play.twos[place]
        jokers -= play.jokers[place]
    return cards


@inline
def goes_out(view: Any, play: Any, cards: int) -> Any:
    """Whether a play that leaves fewer than two cards is a legal way to go out."""
    if view.refused or not blocks.partners_ready(view):
        return False
    if cards == view.held[view.seat] and view.discard_to_go_out:
        return False
    clean = dirty = wild = 0
    for place in range(N_KINDS):
        wilds = play.twos[place] + play.jokers[place]
        if play.naturals[place] + wilds + blocks.meld_size(view, place) == view.book_size:
            if place == WILD:
                wild += 1
            elif wilds + blocks.meld_wilds(view, place):
                dirty += 1
            else:
                clean += 1
    return blocks.books_suffice(view, clean, dirty, wild)


class RandomLegal(Agent):
    """Chooses at random among legal plays."""

    take_chance = Param(0.5, 0.0, 1.0, "chance to take the pile where a plain taking is legal")
    meld_chance = Param(0.8, 0.0, 1.0, "chance to look for one more play")
    permit_chance = Param(0.7, 0.0, 1.0, "chance to permit a partner to go out")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile or not."""
        wanted = np.int64(params.take_chance * 1000)
        if below(view.random, 1, 1000) < wanted and blocks.take(view, play):
            return PILE
        return STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Make some legal play, or none."""
        if below(view.random, 1, 1000) >= np.int64(params.meld_chance * 1000):
            return 0
        held = view.held[view.seat]
        mode = view.mode
        opened = view.opened[view.team]
        if mode == NOTHING:
            mode = STARTING if not opened or below(view.random, 2, 2) == 0 else ADDING
        for attempt in range(TRIES):
            start = below(view.random, 8 + attempt, 12)
            cards = build(view, play, mode, held, attempt, start, opened or attempt % 2 == 0)
            if not opened and points_of(view, play) < view.minimum:
                continue
            if cards and (
                not view.in_foot[view.seat] or held - cards >= 2 or goes_out(view, play, cards)
            ):
                return 1
        return 0

    @staticmethod
    def permit(view: Any, params: Any) -> Any:
        """Allow a partner to go out or not."""
        return below(view.random, 1, 1000) < np.int64(params.permit_chance * 1000)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard any card, each one equally likely."""
        pick = below(view.random, 1, view.held[view.seat])
        for kind in range(N_KINDS):
            if kind == RED_THREE:
                continue
            pick -= view.cards[kind]
            if pick < 0:
                return kind
        return JOKER
