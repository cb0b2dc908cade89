"""Checks that ask decisions again: the same answer whatever else changes but the view."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from handfoot_sim.conformance.hidden import redeal_hidden
from handfoot_sim.conformance.outcome import Findings, Outcome
from handfoot_sim.conformance.situations import Asked, Situation
from handfoot_sim.conformance.subject import Subject
from handfoot_sim.conformance.words import answer_words, place_words
from handfoot_sim.errors import AgentFailure

Again = Callable[[Situation], Iterator[tuple[str, np.ndarray, Asked]]]
"""Ways to ask a situation again: in words, the rows of its tables asked, and what came."""


def note_difference(
    findings: Findings, situation: Situation, what: str, rows: np.ndarray, one: Asked, other: Asked
) -> None:
    """Note the first table for which two answers to the same question differ."""
    differs = one.answers[rows] != other.answers
    for name in one.plays.dtype.names or ():
        differs |= (one.plays[name][rows] != other.plays[name]).any(1)
    if not differs.any():
        return
    k = int(differs.argmax())
    row, phase = rows[k], situation.phase
    before = answer_words(phase, int(one.answers[row]), one.plays[row])
    after = answer_words(phase, int(other.answers[k]), other.plays[k])
    where = place_words(situation.tables[row], phase)
    sentence = f"{where}: answered {before}; {what}, {after}"
    findings.add((what, phase), sentence, situation.under)


def asked_again(subject: Subject, again: Again) -> Outcome:
    """Ask every situation again in the ways that ``again`` yields, and compare the answers."""
    findings = Findings()
    situations = subject.situations()
    views = 0
    for situation in situations:
        subject.tell(situation.under)
        try:
            first = situation.ask(situation.tables)
            views += len(first.answers)
            for what, rows, other in again(situation):
                note_difference(findings, situation, what, rows, first, other)
        except AgentFailure as error:
            findings.add((str(error).partition(" (")[0]), str(error), situation.under)
    seen = f"{views:,} views in {len(situations)} rounds of questions"
    unjudged = "" if situations else "no decision was reached"
    return Outcome(seen, findings.sentences(), unjudged=unjudged)


def remembers_nothing(subject: Subject) -> Outcome:
    """Asks the same views again: of the same agent, of a new instance, each alone, turned round."""

    def again(situation: Situation) -> Iterator[tuple[str, np.ndarray, Asked]]:
        tables = situation.tables
        rows = np.arange(len(tables))
        yield "asked again", rows, situation.ask(tables)
        if not subject.agent.batch:
            return
        yield "asked of a new instance", rows, situation.ask(tables, subject.anew())
        yield "asked in reverse order", rows[::-1], situation.ask(tables[::-1])
        for part in (rows[: len(rows) // 2], *np.split(rows[:8], min(8, len(rows)))):
            if len(part):
                yield "asked apart from the others", part, situation.ask(tables[part])

    return asked_again(subject, again)


def sees_nothing_hidden(subject: Subject) -> Outcome:
    """Deals all cards that the seat can't see anew and asks again."""
    if subject.once(remembers_nothing).complaints:
        return Outcome(unjudged="it does not even answer the same cards in the same way")
    generator = np.random.default_rng(1)

    def again(situation: Situation) -> Iterator[tuple[str, np.ndarray, Asked]]:
        tables = situation.tables.copy()
        redeal_hidden(tables, situation.pairing.rules, generator)
        rows = np.arange(len(tables))
        yield "with other hidden cards", rows, situation.ask(tables)

    return asked_again(subject, again)


def leaves_views_alone(subject: Subject) -> Outcome:
    """Compares views before and after they were shown, and the agent's parameters."""
    findings = Findings()
    situations = subject.situations()
    for situation in situations:
        try:
            asked = situation.ask(situation.tables)
        except AgentFailure as error:
            if "wrote into its view" in str(error):
                findings.add(situation.phase, str(error), situation.under)
            continue
        for name in asked.shown.dtype.names or ():
            changed = (asked.shown[name] != asked.left[name]).reshape(len(asked.shown), -1).any(1)
            if changed.any():
                where = place_words(situation.tables[int(changed.argmax())], situation.phase)
                sentence = f"{where}: it changed {name} of its view"
                findings.add((name, situation.phase), sentence, situation.under)
    if subject.agent.params != subject.params:
        sentence = f"{subject.params} became {subject.agent.params}"
        findings.add("parameters", sentence, "it changed its own parameters")
    unjudged = "" if situations else "no decision was reached"
    return Outcome(f"{len(situations)} rounds of questions", findings.sentences(), [], unjudged)
