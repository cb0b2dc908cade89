"""The fused driver: whole matches in one compiled call, for compiled agents."""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent.calling import ask, ask_with_play
from handfoot_sim.engine.log import log_cards, log_decision
from handfoot_sim.engine.rows import record_deal
from handfoot_sim.engine.step import apply
from handfoot_sim.game.deal import begin_match, deal_cards
from handfoot_sim.game.memory import copy_bytes, same_bytes, view_in
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.observation import deciding_seat, prepare_view
from handfoot_sim.game.randomness import match_key
from handfoot_sim.game.state import CRASH, DRAW, MELD, OVER, RAISED, VIEW_SIZE, WROTE
from handfoot_sim.game.turn import draw_stock
from handfoot_sim.jit import inline, jit

_VIEW_SIZE = VIEW_SIZE


@inline
def decide(t: Any, r: Any, view: Any, play: Any, seat: int, agent: Any, log: Any) -> None:
    """Ask one agent for the decision the table waits for, and carry it out."""
    phase = t.phase
    prepare_view(t, r, seat, phase)
    if agent.own:
        view = view_in(t)
    else:
        copy_bytes(view, t, 0, _VIEW_SIZE)
    if phase == DRAW or phase == MELD:
        clear_play(play)
        answered, answer = ask_with_play(agent.address[phase], view, agent.params, play)
    else:
        answered, answer = ask(agent.address[phase], view, agent.params)
    if not answered or not (agent.own or same_bytes(view, t, _VIEW_SIZE)):
        t.fault_a = phase
        t.fault_b = WROTE if answered else RAISED
        t.phase = CRASH
        return
    log_decision(log, t, seat, phase, answer, play)
    apply(t, r, phase, answer, play)


@inline
def play_deal(
    t: Any, r: Any, view: Any, play: Any, seat_agents: Any, agents: Any, log: Any
) -> None:
    """Play a deal that has begun until it is over or a decision fails."""
    while t.phase < OVER:
        if t.phase == DRAW and not t.can_take:
            draw_stock(t, r)
            continue
        seat = deciding_seat(t)
        decide(t, r, view, play, seat, agents[seat_agents[seat]], log)


@jit
def play_matches(
    rules: Any,
    deck: Any,
    minimums: Any,
    seed: Any,
    dealer: int,
    first_match: int,
    seat_agents: Any,
    agents: Any,
    table: Any,
    view: Any,
    play: Any,
    order: Any,
    log: Any,
    rows: Any,
    start: int,
) -> Any:
    """Play the matches from ``start`` to the end of ``rows`` and record every deal.

    Returns the number of the first match in which a decision failed, ``rows.shape[0]`` if none.

    Match i plays cards number ``first_match + i // mirrors`` as mirror ``i % mirrors``.

    Parameters
    ----------
    rules, table, view, play : record arrays of shape (1,)
        The rules, and the room in which matches are played. After a decision that failed the
        table stands as it was when the decision was asked.
    deck, order : uint8, shape (cards,)
        All cards by kind; room for the shuffled ones.
    minimums : int32, shape (deals,)
    seed : uint64
    dealer : int
        Dealer of the first deal.
    seat_agents : int64, shape (mirrors, players)
        Which of ``agents`` plays each seat.
    agents : SEATED, shape (agents,)
    log : LOG, shape (1,)
    rows : ROW, shape (matches, deals, teams)
    start : int
        The match to begin with, 0 for the first.
    """
    t, r, v, p, lg = table[0], rules[0], view[0], play[0], log[0]
    mirrors = seat_agents.shape[0]
    for i in range(start, rows.shape[0]):
        match = first_match + i // mirrors
        mirror = i % mirrors
        begin_match(t, match, mirror, match_key(seed, match))
        for deal in range(r.deals):
            t.deal = deal
            deal_cards(t, r, deck, order, (dealer + deal) % r.players, minimums[deal])
            play_deal(t, r, v, p, seat_agents[mirror], agents, lg)
            log_cards(lg, t, order)
            if t.phase != OVER:
                return i
            record_deal(t, r, rows[i, deal])
    return rows.shape[0]
