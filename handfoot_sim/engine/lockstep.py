"""The lockstep driver: many tables at once, for agents that decide over arrays of views.

Each round asks one agent one kind of question for all the tables that wait for it, taking the
question for which most tables wait; the others wait on. So the arrays stay long although tables
go their own ways, and which tables are asked together changes nothing in any match.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from handfoot_sim.agent.calling import ask, ask_with_play
from handfoot_sim.agent.interface import Agent
from handfoot_sim.engine.asking import BatchQuestion, batch_answers
from handfoot_sim.engine.forfeits import forfeit_match
from handfoot_sim.engine.log import log_cards, log_decision
from handfoot_sim.engine.rows import record_deal
from handfoot_sim.engine.step import apply
from handfoot_sim.game.deal import begin_match, deal_cards
from handfoot_sim.game.memory import same_bytes
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.observation import deciding_seat, observe
from handfoot_sim.game.randomness import match_key
from handfoot_sim.game.state import (
    CRASH,
    DRAW,
    FAULT,
    MELD,
    OVER,
    PLAY,
    RAISED,
    TABLE,
    VIEW,
    VIEW_SIZE,
    WROTE,
)
from handfoot_sim.game.turn import draw_stock
from handfoot_sim.jit import inline, jit
from handfoot_sim.watching import Asked

IDLE = -1
UNANSWERED = int(np.iinfo(np.int64).min)
"""What stands among the answers of a compiled agent before it has answered."""
FAULTS = 64
"""Added to the phase of a table on which a decision failed, where it says what it waits for."""

_IDLE, _FAULTS, _VIEW_SIZE = IDLE, FAULTS, VIEW_SIZE


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
def find_written(tables: Any, chosen: Any, views: Any, written: Any) -> Any:
    """Note which of the views are no longer what they were shown as; whether any is."""
    found = False
    for n in range(chosen.shape[0]):
        written[n] = not same_bytes(views[n], tables[chosen[n]], _VIEW_SIZE)
        found = found or written[n]
    return found


@jit
def carry_out(
    tables: Any, rules: Any, chosen: Any, phase: int, answers: Any, plays: Any, log: Any
) -> None:
    """Carry out the answers on the chosen tables."""
    for n in range(chosen.shape[0]):
        t = tables[chosen[n]]
        log_decision(log[0], t, deciding_seat(t), phase, answers[n], plays[n])
        apply(t, rules[0], phase, answers[n], plays[n])


class Tables:
    """A batch of tables with what is needed to play on them.

    ``tables``: dtype ``TABLE``, shape (batch,); ``slots``: int64, the row of each table's match
    or -1; ``waits``: int8, 4 x agent + phase of the decision a table waits for, -1 for none: one
    byte, so that looking for what most wait for does not touch the tables; ``views``, ``plays``:
    room for one a table; ``answers``: those to the last question; ``failed``, ``written``: which
    of them there are not, and whether for a view that was written into.
    """

    def __init__(self, batch: int, cards: int) -> None:
        self.tables = np.zeros(batch, TABLE)
        self.slots = np.full(batch, IDLE)
        self.waits = np.full(batch, IDLE, np.int8)
        self.views = np.zeros(batch, VIEW)
        self.plays = np.zeros(batch, PLAY)
        self.chosen = np.zeros(batch, np.int64)
        self.order = np.zeros(cards, np.uint8)
        self.questions = 0
        self.question: tuple[np.ndarray, bool] | None = None
        self.answers = np.zeros(batch, np.int64)
        self.failed = np.zeros(batch, bool)
        self.written = np.zeros(batch, bool)

    def begin_question(self, chosen: np.ndarray, together: bool) -> None:
        """Note that an agent is asked for the tables ``chosen``, together or one by one."""
        self.questions += 1
        self.question = chosen, together

    def asked(self) -> Asked | None:
        """What is being asked, for whoever watches from another thread; None if nothing is."""
        number, question = self.questions, self.question
        if question is None:
            return None
        chosen, together = question
        if together:
            return Asked(number, self.tables[chosen])
        waiting = np.flatnonzero(self.answers[: len(chosen)] == UNANSWERED)
        if len(waiting) == 0:
            return None
        return Asked((number, len(waiting)), self.tables[chosen[waiting[:1]]])


def ask_compiled(
    seated: np.ndarray, agent: int, phase: int, room: Tables, chosen: np.ndarray
) -> np.ndarray | None:
    """Ask a compiled agent for the chosen tables, n of them, whose views are shown.

    The answers come into ``room.answers``. Returns None, or bool, shape (n,): on which tables it
    raised, or wrote into its view (as ``room.written`` says).
    """
    count = len(chosen)
    views, plays, answers = room.views[:count], room.plays[:count], room.answers[:count]
    answers[:] = UNANSWERED
    room.begin_question(chosen, together=False)
    failed, written = room.failed[:count], room.written[:count]
    failed[:] = written[:] = False
    first = answer_all(seated, agent, phase, views, plays, answers)
    any_failed = first >= 0
    while first >= 0:
        failed[first], answers[first] = True, 0
        rest = slice(first + 1, count)
        following = answer_all(seated, agent, phase, views[rest], plays[rest], answers[rest])
        first = first + 1 + following if following >= 0 else -1
    if not seated["own"][agent] and find_written(room.tables, chosen, views, written):
        any_failed = True
        written &= ~failed
        failed |= written
    return failed if any_failed else None


def ask_batch(
    agent: Agent,
    phase: int,
    room: Tables,
    rules_row: np.ndarray,
    chosen: np.ndarray,
    forfeits: bool,
) -> np.ndarray | None:
    """Ask a batch agent for the chosen tables, n of them.

    The answers come into ``room.answers``. Returns None, or bool, shape (n,): on which tables it
    failed. Raises ``AgentFailure`` instead, unless that ``forfeits`` their matches.
    """
    count = len(chosen)
    views, plays, failed = room.views[:count], room.plays[:count], room.failed[:count]
    failed[:] = room.written[:count] = False

    def show_part(part: slice) -> None:
        show(room.tables, rules_row, chosen[part], phase, views[part], plays[part])

    def answer_part(part: slice) -> np.ndarray:
        room.begin_question(chosen[part], together=True)
        return batch_answers(agent, phase, views[part], plays[part])

    question = BatchQuestion(
        show_part, answer_part, lambda part: room.tables[chosen[part]], room.answers[:count], failed
    )
    question.ask(slice(0, count), forfeits)
    return failed if failed.any() else None


def carry_out_answered(
    room: Tables,
    rules_row: np.ndarray,
    chosen: np.ndarray,
    phase: int,
    failed: np.ndarray | None,
    log: np.ndarray,
) -> None:
    """Carry out the answers on the chosen tables; those that ``failed`` crash."""
    count = len(chosen)
    answers, plays = room.answers[:count], room.plays[:count]
    if failed is not None:
        crashed = chosen[failed]
        room.tables["fault_a"][crashed] = phase
        room.tables["fault_b"][crashed] = np.where(room.written[:count][failed], WROTE, RAISED)
        room.tables["phase"][crashed] = CRASH
        chosen, answers, plays = chosen[~failed], answers[~failed], plays[~failed]
    carry_out(room.tables, rules_row, chosen, phase, answers, plays, log)


def play_lockstep(
    agents: tuple[Agent, ...],
    rules_row: np.ndarray,
    deck: np.ndarray,
    minimums: np.ndarray,
    seed: np.uint64,
    dealer: int,
    first_match: int,
    seat_agents: np.ndarray,
    seated: np.ndarray,
    log: np.ndarray,
    rows: np.ndarray,
    room: Tables,
    forfeits: bool,
) -> np.ndarray | None:
    """Play ``rows.shape[0]`` matches in lockstep and record every deal in ``rows``.

    ``room`` is for the tables played side by side. The matches are those of
    ``fused.play_matches`` with the same arguments. Where a decision failed, the match is
    forfeited and the others go on, if ``forfeits``; else the record of its table, shape (1,), is
    returned (its phase is ``FAULT`` or ``CRASH``), or ``AgentFailure`` is raised where a batch
    agent gave no usable answer. Returns None when all have been played.
    """
    answer_all(seated, 0, 0, room.views[:0], room.plays[:0], room.answers[:0])  # compiles it
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
            if not forfeits:
                return room.tables[chosen]
            table = chosen[0]
            match = rows[room.slots[table]]
            forfeit_match(match, room.tables[table], rules_row, minimums, dealer)
            room.slots[table] = IDLE
            continue
        if agents[agent].batch:
            failed = ask_batch(agents[agent], phase, room, rules_row, chosen, forfeits)
        else:
            show(room.tables, rules_row, chosen, phase, room.views[:count], room.plays[:count])
            failed = ask_compiled(seated, agent, phase, room, chosen)
        room.question = None
        carry_out_answered(room, rules_row, chosen, phase, failed, log)
