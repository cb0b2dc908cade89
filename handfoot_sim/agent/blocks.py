"""Building blocks for compiled agents: small decisions that most strategies share.

Every function reads a view and, where it makes a play, fills ``play`` (which it clears first).
``handfoot_sim.agent.batch_blocks`` has the same functions over arrays of views.
"""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.game.bits import RANKS, highest_bit, places_with
from handfoot_sim.game.cards import (
    BLACK_THREE,
    FIRST_RANK,
    JOKER,
    LAST_RANK,
    N_KINDS,
    PLACES,
    TWO,
    WILD,
)
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.state import NOTHING, STARTING
from handfoot_sim.jit import inline

NO_TOP: Final = -1
NEVER: Final = -1_000_000_000_000


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


@inline
def naturals_held(view: Any, rank: int, top: int) -> Any:
    """Natural cards of a rank among the own cards, the top card of the pile included."""
    return view.cards[rank] + (1 if rank == top else 0)


@inline
def open_with_naturals(view: Any, play: Any, top: int) -> Any:
    """Lay all ranks of which three or more are held; returns the points."""
    points = 0
    for rank in range(FIRST_RANK, N_KINDS):
        held = naturals_held(view, rank, top)
        if held >= 3:
            play.naturals[rank] = min(held, view.book_size)
            points += play.naturals[rank] * view.value[rank]
    return points


@inline
def open_with_wilds(view: Any, play: Any, top: int, twos: int, jokers: int, points: int) -> Any:
    """Add wild cards to an opening, to pairs first, then to longer melds; returns the points."""
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if points >= view.minimum or twos + jokers == 0 or view.naturals_per_wild > 2:
            break
        if naturals_held(view, rank, top) == 2:
            play.naturals[rank] = 2
            from_twos, from_jokers, more = lay_wilds(view, play, rank, twos, jokers, 1, True)
            twos -= from_twos
            jokers -= from_jokers
            points += more + 2 * view.value[rank]
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if points >= view.minimum or twos + jokers == 0:
            break
        naturals = play.naturals[rank]
        if view.naturals_per_wild <= naturals < view.book_size and naturals >= 3:
            from_twos, from_jokers, more = lay_wilds(view, play, rank, twos, jokers, 1, True)
            twos -= from_twos
            jokers -= from_jokers
            points += more
    return points


@inline
def open_with_wild_meld(view: Any, play: Any, twos: int, jokers: int, points: int) -> Any:
    """Start a wild meld, of as few cards as the minimum takes; returns the points."""
    count = 3
    while count < min(twos + jokers, view.book_size):
        dear = min(jokers, count)
        if points + dear * view.value[JOKER] + (count - dear) * view.value[TWO] >= view.minimum:
            break
        count += 1
    _, _, more = lay_wilds(view, play, WILD, twos, jokers, count, True)
    return points + more


@inline
def opening(view: Any, play: Any, top: int) -> Any:
    """Fill ``play`` with an opening that lays the minimum; returns its points, 0 if none is found.

    Lays every rank held three times or more; if that is too little, the fewest wild cards more,
    jokers first: on pairs, then on longer melds, else as a wild meld. With ``top`` (the kind on
    the pile, or ``NO_TOP``) it is the first play of a taking and melds that card with two of its
    kind [5.2].
    """
    clear_play(play)
    twos, jokers = view.cards[TWO] + 0, view.cards[JOKER] + 0
    points = open_with_naturals(view, play, top)
    if top == TWO or top == JOKER:
        if not view.wild_melds:
            return 0
        if top == TWO:
            play.twos[WILD] = 3
            twos -= 2
        else:
            play.jokers[WILD] = 3
            jokers -= 2
        points += 3 * view.value[top]
    plain = points
    if points < view.minimum:
        points = open_with_wilds(view, play, top, twos, jokers, points)
    if (points < view.minimum and top > TWO) or (top == NO_TOP and points < view.minimum):
        if view.wild_melds and twos + jokers >= 3:
            clear_play(play)
            open_with_naturals(view, play, top)
            points = open_with_wild_meld(view, play, twos, jokers, plain)
    if points < view.minimum or (view.in_foot[view.seat] and not keeps_two(view, play, top)):
        clear_play(play)
        return 0
    return points


@inline
def cards_in(play: Any) -> Any:
    """Cards that a play lays."""
    cards = 0
    for place in range(N_KINDS):
        cards += play.naturals[place] + play.twos[place] + play.jokers[place]
    return cards


@inline
def keeps_two(view: Any, play: Any, top: int) -> Any:
    """Whether a play leaves the player at least two cards, those taken included [6.3]."""
    joining = view.take_size if top != NO_TOP else 0
    return view.held[view.seat] - cards_in(play) + joining >= 2


@inline
def ranks_held(view: Any, least: int) -> Any:
    """Bits of the natural ranks of which at least ``least`` cards are held."""
    return places_with(view.cards, least) & RANKS


@inline
def ranks_to_lay(view: Any, may_start: bool, may_add: bool) -> Any:
    """Bits of the ranks on whose melds natural cards can be laid."""
    opened = view.open_melds[view.team] + 0
    ranks = 0
    if may_start:
        ranks |= ranks_held(view, 3) & ~opened
    open_now = opened if may_add else opened & view.started
    if open_now:
        ranks |= ranks_held(view, 1) & open_now
    return ranks


@inline
def lay_naturals(view: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay natural cards on melds, dear ranks first; returns (cards, clean books, dirty books)."""
    team, book = view.team, view.book_size
    cards = clean = dirty = 0
    ranks = ranks_to_lay(view, may_start, may_add)
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        wilds = meld_wilds(view, rank)
        size = view.naturals[team, rank] + wilds
        count = min(min(view.cards[rank], book - size), budget - cards)
        if count <= 0 or size + count < 3:
            continue
        play.naturals[rank] = count
        cards += count
        if size + count == book:
            if wilds:
                dirty += 1
            else:
                clean += 1
    return cards, clean, dirty


@inline
def lay_wild_meld(
    view: Any, play: Any, budget: int, may_start: bool, may_add: bool, least: int
) -> Any:
    """Lay wild cards on the wild meld, starting one with ``least`` or more.

    Returns (cards, wild books).
    """
    held = wilds_held(view)
    size = meld_size(view, WILD)
    opened = is_open(view, WILD)
    if opened and not may_add and not view.started & 1:
        return 0, 0
    if not opened and (not may_start or held < least):
        return 0, 0
    count = min(min(held, view.book_size - size), budget)
    if count <= 0 or size + count < 3:
        return 0, 0
    lay_wilds(view, play, WILD, view.cards[TWO], view.cards[JOKER], count, False)
    return count, 1 if size + count == view.book_size else 0


@inline
def lay_dirty(view: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay wild cards on natural melds: on those that may or should be dirty, and on pairs.

    A meld that is still clean gets a wild card only while dirty books are missing or the clean
    ones suffice. The naturals that ``play`` already lays count. Returns (cards, dirty books).
    """
    cards = dirty = 0
    twos, jokers = view.cards[TWO] + 0, view.cards[JOKER] + 0
    team = view.team
    free = view.dirty[team] < view.dirty_to_go_out or view.clean[team] >= view.clean_to_go_out
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if twos + jokers == 0 or budget - cards <= 0:
            break
        opened = is_open(view, rank)
        fresh = play.naturals[rank]
        naturals = view.naturals[team, rank] + fresh
        wilds = meld_wilds(view, rank)
        count = 0
        if opened or fresh:
            if opened and not may_add and not (view.started >> rank) & 1:
                continue
            if wilds == 0 and not free:
                continue
            room = view.book_size - naturals - wilds
            allowed = naturals // view.naturals_per_wild - wilds
            count = min(min(room, allowed), min(twos + jokers, budget - cards))
        elif (
            may_start
            and view.cards[rank] == 2
            and view.naturals_per_wild <= 2
            and budget - cards >= 3
        ):
            play.naturals[rank] = 2
            cards += 2
            count = 1
        if count <= 0:
            continue
        from_twos, from_jokers, _ = lay_wilds(view, play, rank, twos, jokers, count, False)
        twos -= from_twos
        jokers -= from_jokers
        cards += count
        if (opened or fresh) and naturals + wilds + count == view.book_size:
            dirty += 1
    return cards, dirty


@inline
def wants_wild_meld(view: Any) -> Any:
    """Whether wild cards go to the wild meld: one is open, or books of it are missing."""
    return view.wild_melds and (
        is_open(view, WILD) or view.wild[view.team] < max(1, view.wild_to_go_out)
    )


@inline
def fill(
    view: Any, play: Any, budget: int, may_start: bool, may_add: bool, wild_start: int, rush: int
) -> Any:
    """Lay all that can be laid within ``budget`` cards in one play.

    Wild cards go to the wild meld until the wild books needed (at least one) are there, and to
    dirty melds afterwards, or as soon as no more than ``rush`` cards would be left in the hand.
    Returns (cards, clean books, dirty books, wild books).
    """
    clear_play(play)
    cards, clean, dirty = lay_naturals(view, play, budget, may_start, may_add)
    wild = 0
    if wilds_held(view) == 0:
        return cards, clean, dirty, wild
    wanted = wants_wild_meld(view)
    more = 0
    if wanted:
        more, wild = lay_wild_meld(view, play, budget - cards, may_start, may_add, wild_start)
        cards += more
    hurry = not view.in_foot[view.seat] and view.held[view.seat] - cards <= rush
    if more == 0 and (not wanted or hurry):
        more, dirtied = lay_dirty(view, play, budget - cards, may_start, may_add)
        cards += more
        dirty += dirtied
    return cards, clean, dirty, wild


@inline
def worth_of_ways(view: Any, wild_start: int, book_weight: int) -> Any:
    """What the two ways of rule 4.5 lay: (cards by starting, cards by adding).

    Natural cards and the wild meld are counted, a closed book as ``book_weight`` cards more.
    """
    book = view.book_size
    starting = adding = 0
    opened = view.open_melds[view.team] + 0
    ranks = ranks_held(view, 1) & opened
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        room = book - meld_size(view, rank)
        adding += min(view.cards[rank], room) + (book_weight if view.cards[rank] >= room else 0)
    ranks = ranks_held(view, 3) & ~opened
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        starting += min(view.cards[rank], book) + (book_weight if view.cards[rank] >= book else 0)
    wilds = wilds_held(view)
    if wilds and wants_wild_meld(view):
        size = meld_size(view, WILD)
        count = min(wilds, book - size)
        worth = count + (book_weight if count == book - size else 0)
        if size > 0:
            adding += worth
        elif wilds >= wild_start:
            starting += worth
    return starting, adding


@inline
def fill_best(
    view: Any, play: Any, budget: int, wild_start: int, rush: int, book_weight: int
) -> Any:
    """``fill`` in the better of the two ways that rule 4.5 leaves, where it leaves a choice.

    Adding is chosen unless starting lays more by ``worth_of_ways``, and the other way is tried
    if the chosen one lays nothing.
    """
    if not view.start_or_add:
        return fill(view, play, budget, True, True, wild_start, rush)
    if view.mode == NOTHING:
        starting, adding = worth_of_ways(view, wild_start, book_weight)
        if starting + adding + wilds_held(view) == 0:
            return 0, 0, 0, 0
        start_first = starting > adding
    else:
        start_first = view.mode == STARTING
    cards, clean, dirty, wild = fill(
        view, play, budget, start_first, not start_first, wild_start, rush
    )
    if cards == 0 and view.mode == NOTHING:
        return fill(view, play, budget, not start_first, start_first, wild_start, rush)
    return cards, clean, dirty, wild


@inline
def lay_all(view: Any, play: Any, wild_start: int, rush: int, book_weight: int) -> Any:
    """Lay all that can be laid: open if the minimum is there, go out if that is allowed.

    Returns whether ``play`` lays anything. A player in the foot keeps two cards, or goes out
    with one [6.3, 6.4].
    """
    if not view.opened[view.team]:
        return opening(view, play, NO_TOP) > 0
    held = view.held[view.seat]
    if not view.in_foot[view.seat]:
        cards, _, _, _ = fill_best(view, play, held, wild_start, rush, book_weight)
        return cards > 0
    if not view.refused and partners_ready(view):
        cards, clean, dirty, wild = fill_best(view, play, held - 1, wild_start, rush, book_weight)
        if held - cards >= 2:
            return cards > 0
        if books_suffice(view, clean, dirty, wild):
            return True
    cards, _, _, _ = fill_best(view, play, held - 2, wild_start, rush, book_weight)
    return cards > 0


@inline
def take(view: Any, play: Any) -> Any:
    """Fill ``play`` with the first play of a taking; returns whether there is one.

    An opened team lays the top card with all it holds of its kind, or with just two where more
    would leave a player in the foot fewer than two cards.
    """
    top = view.top
    if not view.opened[view.team]:
        return opening(view, play, top) > 0
    clear_play(play)
    place = top if top >= FIRST_RANK else WILD
    room = view.book_size - meld_size(view, place)
    count = min(view.cards[top] + 1, room)
    left = view.held[view.seat] + view.take_size
    if view.in_foot[view.seat] and left - count < 2:
        count = 3
    if top == TWO:
        play.twos[WILD] = count
    elif top == JOKER:
        play.jokers[WILD] = count
    else:
        play.naturals[top] = count
    return not view.in_foot[view.seat] or left - count >= 2


@inline
def cheapest_discard(view: Any, open_weight: int) -> Any:
    """The kind that costs least to discard: a black three, then few of a low kind, wilds last.

    A card costs 10 for each one held of its kind and a fifth of its points, ``open_weight`` more
    if the own team's meld of its rank is open. Of equals the lowest kind goes.
    """
    best = NEVER
    for rank in range(FIRST_RANK, N_KINDS):
        held = view.cards[rank]
        worth = -10 * held - view.value[rank] // 5 - open_weight * is_open(view, rank)
        best = max(best, worth * PLACES + PLACES - rank if held else NEVER)
    if view.cards[BLACK_THREE]:
        return BLACK_THREE
    if best > NEVER:
        return PLACES - (best - 1) % PLACES - 1
    if view.cards[TWO] and (not view.cards[JOKER] or view.value[TWO] <= view.value[JOKER]):
        return TWO
    return JOKER
