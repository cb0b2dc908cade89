"""Asking a batch agent: its answers are checked, and where it fails the table is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY, Agent
from handfoot_sim.errors import AgentFailure, first_line
from handfoot_sim.game.state import PERMIT


def checked_answers(agent: Agent, decision: str, answers: Any, count: int) -> np.ndarray:
    """What a batch agent returned as int64, shape (count,); ``AgentFailure`` if it is not that."""
    wanted = f"it must return one answer a view, shape ({count},)"
    try:
        array = np.asarray(answers)
    except Exception as error:
        raise AgentFailure(
            f"agent {agent.label}: {decision} returned no array ({first_line(error)}); {wanted}"
        ) from error
    if array.shape != (count,):
        views = "1 view" if count == 1 else f"{count} views"
        raise AgentFailure(
            f"agent {agent.label}: {decision} returned shape {array.shape} for {views}; {wanted}"
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
    """Ask a batch agent one question for all views, which it can't write into."""
    decision = DECISIONS[phase]
    method: Callable[..., Any] = getattr(agent, decision)
    shown = views.view()
    shown.flags.writeable = False
    arguments = (shown, plays) if decision in WITH_PLAY else (shown,)
    try:
        answers = method(*arguments)
    except Exception as error:
        if isinstance(error, ValueError) and "read-only" in str(error):
            raise AgentFailure(
                f"agent {agent.label}: {decision} wrote into its views (or another array "
                "that is read-only): change a copy"
            ) from error
        raise AgentFailure(f"agent {agent.label}: {decision} raised {first_line(error)}") from error
    return checked_answers(agent, decision, answers, len(views))


def place_of(tables: np.ndarray) -> str:
    """Where a question asked for these tables stands, for the sentence of a failure."""
    t = tables[0]
    seat = t["asking"] if t["phase"] == PERMIT else t["turn_seat"]
    place = (
        f"match {t['match']}, mirror {t['mirror']}, deal {t['deal']}, turn {t['turn']}, seat {seat}"
    )
    if len(tables) == 1:
        return f"({place})"
    return f"(asked for {len(tables)} tables at once, the first of them {place})"


@dataclass(frozen=True)
class BatchQuestion:
    """One question asked of a batch agent for n tables.

    ``show``: fills the views of a part of the tables and clears their plays; ``asked``: asks for
    a part and gives the answers, or raises ``AgentFailure``; ``tables``: gives the records of a
    part, dtype ``TABLE``; ``answers``: int64, shape (n,), where the answers come; ``failed``:
    bool, shape (n,), set where there is none that can be used.
    """

    show: Callable[[slice], None]
    asked: Callable[[slice], np.ndarray]
    tables: Callable[[slice], np.ndarray]
    answers: np.ndarray
    failed: np.ndarray

    def ask(self, part: slice, forfeits: bool) -> None:
        """Ask for a part of the tables at once; if that fails, find the tables it fails on.

        They are found by asking for halves, and marked in ``failed`` where ``forfeits``. Raises
        ``AgentFailure`` for the first of them otherwise, and in any case where every half is
        answered, so that the failure is no table's own.
        """
        failure = self._failure(part)
        if failure is None:
            return
        if part.stop - part.start > 1:
            self._ask_halves(part, failure, forfeits)
        elif forfeits:
            self.failed[part] = True
        else:
            raise self._placed(failure, part) from failure

    def _failure(self, part: slice) -> AgentFailure | None:
        self.show(part)
        try:
            self.answers[part] = self.asked(part)
        except AgentFailure as failure:
            return failure
        return None

    def _ask_halves(self, part: slice, failure: AgentFailure, forfeits: bool) -> None:
        middle = (part.start + part.stop) // 2
        self.ask(slice(part.start, middle), forfeits)
        self.ask(slice(middle, part.stop), forfeits)
        if not self.failed[part].any():
            raise self._placed(failure, part, "; asked for fewer tables at once it answers")

    def _placed(self, failure: AgentFailure, part: slice, more: str = "") -> AgentFailure:
        return AgentFailure(f"{failure} {place_of(self.tables(part))}{more}")
