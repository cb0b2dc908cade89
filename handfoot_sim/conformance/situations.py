"""Tables in the middle of play that wait for a decision of the agent looked at.

They are gathered by playing on in lockstep, and can be asked again: the same question, in another
order, of another agent, or with other cards where nobody may look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY, Agent
from handfoot_sim.engine import lockstep
from handfoot_sim.engine.log import no_log
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.engine.rows import ROW
from handfoot_sim.errors import AgentFailure
from handfoot_sim.game.state import FAULT, full_deck, meld_minimums, rules_record

TABLES: Final = 32
"""Tables played side by side where situations are gathered."""

SEED: Final = 3


class Asked(NamedTuple):
    """What was shown and answered, one a table.

    ``shown``: dtype ``VIEW``, the views as they were before the agent saw them; ``left``: as it
    left them; ``answers``: int64; ``plays``: dtype ``PLAY``, cleared where none was made.
    """

    shown: np.ndarray
    left: np.ndarray
    answers: np.ndarray
    plays: np.ndarray


def ask(
    agents: tuple[Agent, ...],
    seated: np.ndarray,
    agent: int,
    phase: int,
    room: lockstep.Tables,
    rules_row: np.ndarray,
    chosen: np.ndarray,
) -> bool:
    """Ask one agent for the chosen tables as the lockstep driver does; whether it crashed.

    The answers come into ``room.answers``. Writing into a view is no crash here. Raises
    ``AgentFailure`` where a batch agent gives no answers that can be used.
    """
    count = len(chosen)
    if agents[agent].batch:
        lockstep.ask_batch(agents[agent], phase, room, rules_row, chosen, forfeits=False)
        return False
    lockstep.show(room.tables, rules_row, chosen, phase, room.views[:count], room.plays[:count])
    failed = lockstep.ask_compiled(seated, agent, phase, room, chosen)
    return failed is not None and bool((failed & ~room.written[:count]).any())


@dataclass(frozen=True)
class Situation:
    """Tables (dtype ``TABLE``, shape (n,)) that wait for the same decision of the first agent.

    ``under`` names the configuration; ``phase`` is the decision, ``state.DRAW`` and so on.
    """

    under: str
    pairing: Pairing
    phase: int
    tables: np.ndarray

    def ask(self, tables: np.ndarray, agent: Agent | None = None) -> Asked:
        """Ask the agent (or another one in its place) as the lockstep driver does.

        Raises ``AgentFailure`` if it crashes.
        """
        seated, kept = self.pairing.seated()
        agents = self.pairing.agents if agent is None else (agent, *self.pairing.agents[1:])
        room = lockstep.Tables(len(tables), self.pairing.rules.cards)
        room.tables[:] = tables
        chosen = np.arange(len(tables))
        rules_row = rules_record(self.pairing.rules)
        lockstep.show(room.tables, rules_row, chosen, self.phase, room.views, room.plays)
        shown = room.views.copy()
        crashed = ask(agents, seated, 0, self.phase, room, rules_row, chosen)
        del kept
        answers = room.answers
        if crashed:
            raise AgentFailure(f"agent {agents[0].label}: {DECISIONS[self.phase]} raised an error")
        plays = room.plays.copy()
        # What a play holds does not count where none is made.
        made = (answers == 1) & (DECISIONS[self.phase] in WITH_PLAY)
        for name in plays.dtype.names or ():
            plays[name][~made] = 0
        return Asked(shown, room.views, answers.copy(), plays)


class Course:
    """A pairing played in lockstep, stopped before every decision of its first agent."""

    def __init__(self, pairing: Pairing) -> None:
        rules = pairing.rules
        self.pairing = pairing
        self.room = lockstep.Tables(TABLES, rules.cards)
        self.seated, self.kept = pairing.seated()
        self.rules_row = rules_record(rules)
        self.fixed: tuple[Any, ...] = (full_deck(rules), meld_minimums(rules), np.uint64(SEED))
        self.log = no_log().head
        self.rows = np.zeros((4 * TABLES, rules.deals, rules.teams), ROW)
        self.started = 0
        self.touched = np.arange(TABLES)
        self.phase = self.agent = -1

    def go_on(self) -> bool:
        """Move to the next decision, ``agent`` and ``phase``, of the tables ``touched``.

        Returns false where there is none: all matches are over, or a decision was illegal.
        """
        room = self.room
        self.started = lockstep.move_on(
            room.tables, room.slots, room.waits, self.touched, self.pairing.seat_agents,
            self.rules_row, *self.fixed, 0, 0, self.started, room.order, self.log, self.rows,
        )  # fmt: skip
        agent, phase, count = lockstep.most_wanted(
            room.waits, len(self.pairing.agents), room.chosen
        )
        self.agent, self.phase = int(agent), int(phase)
        self.touched = room.chosen[:count].copy()
        return bool(count) and self.phase < FAULT

    def decide(self) -> bool:
        """Let the agent decide; false if it crashed."""
        room, chosen, count = self.room, self.touched, len(self.touched)
        try:
            if ask(
                self.pairing.agents, self.seated, self.agent, self.phase, room, self.rules_row,
                chosen,
            ):  # fmt: skip
                return False
        except AgentFailure:
            return False
        answers = room.answers[:count]
        lockstep.carry_out(
            room.tables, self.rules_row, chosen, self.phase, answers, room.plays[:count], self.log
        )
        return True


def gather(under: str, pairing: Pairing, rounds: int) -> tuple[list[Situation], np.ndarray]:
    """Situations of a pairing's first agent within so many rounds, and how often it was asked.

    Of each kind of decision the first, second, fourth, eighth ... round is kept, so that early
    and late play are both there. The second value counts views by decision, int64, shape (4,).
    Ends early where a decision fails: other checks tell of that.
    """
    course = Course(pairing)
    kept: list[Situation] = []
    asked = np.zeros(len(DECISIONS), np.int64)
    times = np.zeros(len(DECISIONS), np.int64)
    for _ in range(rounds):
        if not course.go_on():
            break
        if course.agent == 0:
            phase = course.phase
            times[phase] += 1
            asked[phase] += len(course.touched)
            if times[phase] & (times[phase] - 1) == 0:
                tables = course.room.tables[course.touched]
                kept.append(Situation(under, pairing, phase, tables))
        if not course.decide():
            break
    return kept, asked
