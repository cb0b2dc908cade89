"""The lockstep driver: many tables at once, for agents that decide over arrays of views.

Each round asks one agent one kind of question for all the tables that wait for it, taking the
question for which most tables wait; the others wait on. So the arrays stay long although tables
go their own ways, and which tables are asked together changes nothing in any match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from handfoot_sim.agent.calling import ask, ask_with_play
from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY, Agent
from handfoot_sim.engine.log import log_cards, log_decision
from handfoot_sim.engine.rows import record_deal
from handfoot_sim.engine.step import apply
from handfoot_sim.errors import AgentFailure, first_line
from handfoot_sim.game.deal import begin_match, deal_cards
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.observation import deciding_seat, observe
from handfoot_sim.game.randomness import match_key
from handfoot_sim.game.state import CRASH, DRAW, FAULT, MELD, OVER, PLAY, TABLE, VIEW
from handfoot_sim.game.turn import draw_stock
from handfoot_sim.jit import inline, jit

IDLE = -1
FAULTS = 64
"""Added to the phase of a table on which a decision failed, where it says what it waits for."""

_IDLE, _FAULTS = IDLE, FAULTS


@inline
def next_deal(t: Any, r: Any, deck: Any, minimums: Any, order: Any, dealer: int) -> None:
    """Deal the table's deal number ``t.deal``."""
    deal_cards(t, r, deck, order, (dealer + t.deal) % r.players, minimums[t.deal])


@jit
def move_on(
    tables: Any,
    slots: Any,
    waits: Any,
    touched: Any,
    seat_agents: Any,
    rules: Any,
    deck: Any,
    minimums: Any,
    seed: np.uint64,
    dealer: int,
    first_match: int,
    started: int,
    order: Any,
    log: Any,
    rows: Any,
) -> Any:
    """Bring the ``touched`` tables to their next decision; how many matches have been started.

    Deals that are over are recorded in ``rows`` and the next one dealt; a table whose match is
    over takes the next match. ``slots[i]`` is the row of table i's match, or -1 without one;
    ``waits[i]`` says in one byte what the table waits for (see ``Tables``).
    """
    r, lg, mirrors = rules[0], log[0], seat_agents.shape[0]
    for n in range(touched.shape[0]):
        i = touched[n]
        t = tables[i]
        while True:
            if slots[i] == _IDLE:
                if started == rows.shape[0]:
                    break
                slots[i] = started
                match = first_match + started // mirrors
                begin_match(t, match, started % mirrors, match_key(seed, match))
                next_deal(t, r, deck, minimums, order, dealer)
                log_cards(lg, t, order)
                started += 1
            elif t.phase == OVER:
                record_deal(t, r, rows[slots[i], t.deal])
                log_cards(lg, t, order)
                t.deal += 1
                if t.deal == r.deals:
                    slots[i] = _IDLE
                    continue
                next_deal(t, r, deck, minimums, order, dealer)
            elif t.phase == DRAW and not t.can_take:
                draw_stock(t, r)
            else:
                break
        if slots[i] == _IDLE:
            waits[i] = _IDLE
        elif t.phase >= FAULT:
            waits[i] = _FAULTS + t.phase
        else:
            waits[i] = 4 * seat_agents[t.mirror, deciding_seat(t)] + t.phase
    return started


@jit
def most_wanted(waits: Any, n_agents: int, chosen: Any) -> Any:
    """Find the agent and question for which most tables wait.

    Returns (agent, phase, count) and writes the tables' numbers into ``chosen``; a count of 0
    means that every table is idle. A table with a fault comes back alone, with its phase.
    """
    waiting = np.zeros(4 * n_agents, np.int64)
    for i in range(waits.shape[0]):
        if waits[i] >= _FAULTS:
            chosen[0] = i
            return 0, waits[i] - _FAULTS, 1
        if waits[i] != _IDLE:
            waiting[waits[i]] += 1
    best = waiting.argmax()
    count = 0
    for i in range(waits.shape[0]):
        if waits[i] == best:
            chosen[count] = i
            count += 1
    return best // 4, best % 4, count


@jit
def show(tables: Any, rules: Any, chosen: Any, phase: int, views: Any, plays: Any) -> None:
    """Fill one view for each chosen table, and clear its play."""
    for n in range(chosen.shape[0]):
        t = tables[chosen[n]]
        observe(t, rules[0], views[n], deciding_seat(t), phase)
        clear_play(plays[n])


@jit
def answer_all(agents: Any, agent: int, phase: int, views: Any, plays: Any, answers: Any) -> Any:
    """Ask a compiled agent for every view; number of the first it failed on, or -1."""
    seated = agents[agent]
    for n in range(views.shape[0]):
        if phase == DRAW or phase == MELD:
            answered, answer = ask_with_play(
                seated.address[phase], views[n], seated.params, plays[n]
            )
        else:
            answered, answer = ask(seated.address[phase], views[n], seated.params)
        if not answered:
            return n
        answers[n] = answer
    return -1


@jit
def carry_out(
    tables: Any, rules: Any, chosen: Any, phase: int, answers: Any, plays: Any, log: Any
) -> None:
    """Carry out the answers on the chosen tables."""
    for n in range(chosen.shape[0]):
        t = tables[chosen[n]]
        log_decision(log[0], t, deciding_seat(t), phase, answers[n], plays[n])
        apply(t, rules[0], phase, answers[n], plays[n])


def checked_answers(agent: Agent, decision: str, answers: Any, count: int) -> np.ndarray:
    """What a batch agent returned as int64, shape (count,); ``AgentFailure`` if it is not that."""
    try:
        array = np.asarray(answers)
    except Exception as error:
        raise AgentFailure(
            f"agent {agent.label}: {decision} returned no array ({first_line(error)}); it must "
            f"return one answer a view, shape ({count},)"
        ) from error
    if array.shape != (count,):
        raise AgentFailure(
            f"agent {agent.label}: {decision} returned shape {array.shape} for {count} views; "
            f"it must return one answer a view, shape ({count},)"
        )
    if array.dtype.kind in "biu":
        return array.astype(np.int64)
    if array.dtype.kind == "f" and np.all(np.abs(array) < 2**62) and np.all(array % 1 == 0):
        return array.astype(np.int64)
    raise AgentFailure(
        f"agent {agent.label}: {decision} returned {array.dtype.name} values; answers must be "
        "whole numbers or booleans"
    )


def batch_answers(agent: Agent, phase: int, views: np.ndarray, plays: np.ndarray) -> np.ndarray:
    """Ask a batch agent one question for all views."""
    decision = DECISIONS[phase]
    method: Callable[..., Any] = getattr(agent, decision)
    arguments = (views, plays) if decision in WITH_PLAY else (views,)
    try:
        answers = method(*arguments)
    except Exception as error:
        raise AgentFailure(f"agent {agent.label}: {decision} raised {first_line(error)}") from error
    return checked_answers(agent, decision, answers, len(views))


def place_of(tables: np.ndarray) -> str:
    """Where a question asked for these tables stands, for the sentence of a failure."""
    t = tables[0]
    return (
        f"(asked for {len(tables)} tables at once, the first of them match {t['match']}, mirror "
        f"{t['mirror']}, deal {t['deal']}, turn {t['turn']}, seat {t['turn_seat']})"
    )


class Tables:
    """A batch of tables with what is needed to play on them.

    ``tables``: dtype ``TABLE``, shape (batch,); ``slots``: int64, the row of each table's match
    or -1; ``waits``: int8, 4 x agent + phase of the decision a table waits for, -1 for none: one
    byte, so that looking for what most wait for does not touch the tables; ``views``, ``plays``:
    room for one a table.
    """

    def __init__(self, batch: int, cards: int) -> None:
        self.tables = np.zeros(batch, TABLE)
        self.slots = np.full(batch, IDLE)
        self.waits = np.full(batch, IDLE, np.int8)
        self.views = np.zeros(batch, VIEW)
        self.plays = np.zeros(batch, PLAY)
        self.chosen = np.zeros(batch, np.int64)
        self.order = np.zeros(cards, np.uint8)
        self.answers = np.zeros(batch, np.int64)


def answers_of(
    agents: tuple[Agent, ...],
    seated: np.ndarray,
    agent: int,
    phase: int,
    room: Tables,
    chosen: np.ndarray,
) -> tuple[np.ndarray, int]:
    """Answers of one agent for the chosen tables, and the first it crashed on (-1: none)."""
    count = len(chosen)
    views, plays = room.views[:count], room.plays[:count]
    if not agents[agent].batch:
        answers = room.answers[:count]
        return answers, int(answer_all(seated, agent, phase, views, plays, answers))
    try:
        return batch_answers(agents[agent], phase, views, plays), -1
    except AgentFailure as failure:
        raise AgentFailure(f"{failure} {place_of(room.tables[chosen])}") from failure


def play_lockstep(
    agents: tuple[Agent, ...],
    seated: np.ndarray,
    seat_agents: np.ndarray,
    rules_row: np.ndarray,
    deck: np.ndarray,
    minimums: np.ndarray,
    seed: np.uint64,
    dealer: int,
    first_match: int,
    log: np.ndarray,
    rows: np.ndarray,
    batch: int,
) -> np.ndarray | None:
    """Play ``rows.shape[0]`` matches in lockstep and record every deal in ``rows``.

    The matches are those of ``fused.play_matches`` with the same arguments. Returns None, or the
    record, shape (1,), of a table on which a decision failed (its phase is ``FAULT`` or
    ``CRASH``). Raises ``AgentFailure`` where a batch agent crashed or gave no usable answer.
    """
    room = Tables(min(batch, max(1, len(rows))), len(deck))
    started = 0
    chosen = np.arange(len(room.tables))
    while True:
        started = move_on(
            room.tables, room.slots, room.waits, chosen, seat_agents, rules_row, deck, minimums,
            seed, dealer, first_match, started, room.order, log, rows,
        )  # fmt: skip
        agent, phase, count = most_wanted(room.waits, len(agents), room.chosen)
        if count == 0:
            return None
        chosen = room.chosen[:count]
        if phase >= FAULT:
            return room.tables[chosen]
        views, plays = room.views[:count], room.plays[:count]
        show(room.tables, rules_row, chosen, phase, views, plays)
        answers, failed = answers_of(agents, seated, agent, phase, room, chosen)
        if failed >= 0:
            stopped = room.tables[chosen[failed : failed + 1]]
            stopped["fault_a"], stopped["phase"] = phase, CRASH
            return stopped
        carry_out(room.tables, rules_row, chosen, phase, answers, plays, log)
