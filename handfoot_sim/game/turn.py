"""The course of a deal: what happens on each decision, and which decision comes next.

A table waits in a phase. ``DRAW``: the player of the turn takes the pile (``take_pile``) or draws
(``draw_stock``). ``MELD``: it makes a play (``make_play``) or has done melding
(``end_melding``). ``PERMIT``: the partner ``asking`` answers (``answer_request``). ``DISCARD``:
it discards (``discard_card``). ``OVER``: the deal is scored. An illegal decision changes nothing
but sets the phase ``FAULT`` and the code in ``fault``.

No turn goes on for ever, whatever agents answer: cards come to a player once in it, with the draw
or a taking; every play lays at least one of them for good [4.7]; and a request to go out that was
refused is the last of the turn [6.5].
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.game import breaches as b
from handfoot_sim.game.cards import BLACK_THREE, N_KINDS, RED_THREE, TWO
from handfoot_sim.game.legality import ASKS, LEGAL, NO_TOP, broken, play_verdict
from handfoot_sim.game.moves import (
    cards_to_take,
    copy_play,
    draw_cards,
    lay_play,
    lift_from_pile,
    lift_top_card,
    note_ready,
    pick_up_foot,
    put_on_pile,
    top_of_pile,
)
from handfoot_sim.game.randomness import word
from handfoot_sim.game.scoring import score_deal
from handfoot_sim.game.state import (
    ADDING,
    DISCARD,
    DRAW,
    FAULT,
    MELD,
    NOTHING,
    OUT,
    OVER,
    PERMIT,
    STARTING,
    STOCK,
)
from handfoot_sim.game.taking import can_take
from handfoot_sim.jit import inline

_NOT_A_KIND, _RED, _NOT_HELD = (
    b.DISCARD_NOT_A_KIND,
    b.DISCARD_RED_THREE,
    b.DISCARD_NOT_HELD,
)


@inline
def set_fault(t: Any, code: int) -> None:
    """Stop the table: the decision broke a rule."""
    t.fault = code
    t.phase = FAULT


@inline
def begin_turn(t: Any, r: Any) -> None:
    """The player of the turn is about to draw."""
    t.mode = NOTHING
    t.started = 0
    t.plays = 0
    t.took = 0
    t.refused = 0
    t.going_out = 0
    t.turn_key = word(t.deal_key, t.turn)
    seat = t.turn_seat
    team = seat % r.teams
    t.can_take = can_take(t, r, seat, team)
    t.pile_chances[team] += t.can_take
    t.phase = DRAW


@inline
def end_deal(t: Any, r: Any, ended: int, team: int) -> None:
    """The deal is over; ``team`` went out, or -1."""
    t.ended = ended
    t.out_team = team
    t.phase = OVER
    score_deal(t, r)


@inline
def draw_stock(t: Any, r: Any) -> None:
    """Draw from the stock; a draw that brings no card ends the deal [3.1, 3.2, 8.1]."""
    seat = t.turn_seat
    if draw_cards(t, seat, seat % r.teams, r.draw_count) == 0:
        end_deal(t, r, STOCK, -1)
    else:
        t.phase = MELD


@inline
def execute(t: Any, r: Any, seat: int, team: int, play: Any, take: bool, goes_out: bool) -> None:
    """Make a play that was found legal, with the taking it belongs to."""
    others = 0
    if take:
        others = cards_to_take(t, r) - 1
        t.took = 1
        t.pile_takes[team] += 1
        t.pile_cards[team] += others + 1
        lift_top_card(t, seat)
    points = lay_play(t, r, seat, team, play)
    t.mode = STARTING if t.started else ADDING
    t.plays += 1
    if not t.opened[team]:
        t.opened[team] = 1
        t.opened_turn[team] = t.turn
        t.opened_points[team] = points
        t.opened_seat[team] = seat
        t.opened_from_pile[team] = take
    if take:
        lift_from_pile(t, seat, others)
    t.phase = MELD
    if goes_out:
        after_going_out(t, r, seat, team)
    elif t.held[seat] == 0:
        pick_up_foot(t, seat, team)
        if t.held[seat] < 2:
            end_deal(t, r, STOCK, -1)


@inline
def after_going_out(t: Any, r: Any, seat: int, team: int) -> None:
    """Only the discard is left, or, with every card melded, nothing [6.4, 6.6]."""
    if t.held[seat] == 0:
        end_deal(t, r, OUT, team)
    else:
        t.going_out = 1
        t.phase = DISCARD


@inline
def propose(t: Any, r: Any, play: Any, take: bool) -> None:
    """Make a play if it is legal, or ask the partners where that is needed [6.5]."""
    seat = t.turn_seat
    team = seat % r.teams
    top = NO_TOP
    if take and t.pile_size > 0:
        top = top_of_pile(t)
    verdict = play_verdict(t, r, seat, team, play, top)
    if verdict > LEGAL:
        set_fault(t, verdict)
    elif verdict == ASKS:
        copy_play(play, t.pending)
        t.pending_take = take
        t.asked[team] += 1
        t.asking = next_partner(r, seat)
        t.phase = PERMIT
    else:
        execute(t, r, seat, team, play, take, verdict != LEGAL)


@inline
def next_partner(r: Any, seat: int) -> Any:
    """The next seat to the left that plays for the same team."""
    partner = seat + r.teams
    return partner if partner < r.players else partner - r.players


@inline
def take_pile(t: Any, r: Any, play: Any) -> None:
    """Take from the pile with this first play [5]."""
    if t.pile_size == 0:
        set_fault(t, broken(t, b.TAKE_NO_PILE, 0, 0))
    else:
        propose(t, r, play, True)


@inline
def make_play(t: Any, r: Any, play: Any) -> None:
    """Make a play in the phase ``MELD`` [4.7]."""
    propose(t, r, play, False)


@inline
def end_melding(t: Any) -> None:
    """The player has done melding."""
    t.phase = DISCARD


@inline
def answer_request(t: Any, r: Any, allowed: bool) -> None:
    """The partner ``asking`` answers; the play is made when all have permitted it [6.5]."""
    seat = t.turn_seat
    team = seat % r.teams
    if not allowed:
        t.refused = 1
        t.refusals[team] += 1
        if t.pending_take:
            t.can_take = can_take(t, r, seat, team)
            t.phase = DRAW
        else:
            t.phase = MELD
        return
    following = next_partner(r, t.asking)
    if following != seat:
        t.asking = following
    else:
        execute(t, r, seat, team, t.pending, t.pending_take, True)


@inline
def discard_verdict(t: Any, seat: int, kind: int) -> Any:
    """Whether the seat may discard a card of this kind [3.3, 7.1]."""
    if kind < 0 or kind >= N_KINDS:
        return broken(t, _NOT_A_KIND, kind, 0)
    if kind == RED_THREE:
        return broken(t, _RED, 0, 0)
    if t.hand[seat, kind] < 1:
        return broken(t, _NOT_HELD, kind, 0)
    return LEGAL


@inline
def discard_card(t: Any, r: Any, kind: int) -> None:
    """Discard one card: the turn, or the deal, is over [3.3, 6.4]."""
    seat = t.turn_seat
    team = seat % r.teams
    verdict = discard_verdict(t, seat, kind)
    if verdict != LEGAL:
        set_fault(t, verdict)
        return
    put_on_pile(t, seat, kind)
    if kind <= TWO:
        t.wilds_discarded[team] += 1
    elif kind == BLACK_THREE:
        t.black3_discarded[team] += 1
    if t.going_out:
        t.foot_turns[seat] += 1
        end_deal(t, r, OUT, team)
        return
    if t.in_foot[seat]:
        t.foot_turns[seat] += 1
    elif t.held[seat] == 0:
        pick_up_foot(t, seat, team)
    t.turn += 1
    t.turn_seat = seat + 1 if seat + 1 < r.players else 0
    begin_turn(t, r)


@inline
def begin_play(t: Any, r: Any) -> None:
    """The cards lie: the first player's turn begins."""
    for team in range(r.teams):
        note_ready(t, r, team)
    t.turn_seat = t.first
    begin_turn(t, r)
