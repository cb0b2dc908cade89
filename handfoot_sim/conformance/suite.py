"""All checks, in the order in which they are made."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from handfoot_sim.conformance.afresh import same_in_another_process, start
from handfoot_sim.conformance.answers import (
    leaves_views_alone,
    remembers_nothing,
    sees_nothing_hidden,
)
from handfoot_sim.conformance.bounds import settings_play_legally
from handfoot_sim.conformance.description import decisions_a_second, is_documented
from handfoot_sim.conformance.matches import drivers_agree, plays_legally, repeats
from handfoot_sim.conformance.outcome import Outcome
from handfoot_sim.conformance.subject import Subject


class Check(NamedTuple):
    """A check: its name in plain words, how it is made, and what to do where it fails."""

    name: str
    make: Callable[[Subject], Outcome]
    advice: str


CHECKS: Final = (
    Check(
        "plays legally and finishes",
        plays_legally,
        "Play it again by the command above: it writes the match up to there, and handfoot replay "
        "tells it. What is legal by one configuration may not be by another: ask the view "
        "(book_size, start_or_add, wild_melds, discard_to_go_out, ...), as the building blocks "
        "do, instead of assuming standard rules.",
    ),
    Check(
        "parameters at and within bounds",
        settings_play_legally,
        "Every value within its bounds must give legal play, since others set and tune it: make "
        "the bounds narrower, or guard the decision.",
    ),
    Check(
        "same seed, same bits",
        repeats,
        "Draw random choices from below(view.random, ...) or views['random'], never from "
        "np.random, random or the clock, and keep nothing from one decision to the next.",
    ),
    Check(
        "same bits in another process",
        same_in_another_process,
        "Nothing may depend on the clock, on the order of a set, on random numbers drawn when "
        "the file is loaded, or on files that change.",
    ),
    Check(
        "same bits by drivers and batch sizes",
        drivers_agree,
        "Answers may not depend on which tables are asked together, nor on how often: decide "
        "each view by itself, and keep nothing in self or in the module.",
    ),
    Check(
        "answers by the view alone",
        remembers_nothing,
        "The same view must get the same answer, whoever is asked before, beside or after it: "
        "keep nothing in self or in the module, draw from the view's random word, and let each "
        "row of the answer come from the same row of the views.",
    ),
    Check(
        "sees no hidden card",
        sees_nothing_hidden,
        "A decision may read its view and nothing else: no table, no other player's view, no "
        "memory of either.",
    ),
    Check(
        "leaves its view alone",
        leaves_views_alone,
        "Copy what you want to change: view.cards.copy(), or views['cards'].astype(int).",
    ),
    Check("documented", is_documented, "Others read this in handfoot agents."),
    Check("speed", decisions_a_second, ""),
)


def checked(subject: Subject) -> Iterator[tuple[Check, Outcome]]:
    """Make all checks; a failure does not stop those after it.

    The other process of one check works beside those before it, and is ended with the iterator.
    """
    subject.process = start(subject)
    try:
        for check in CHECKS:
            subject.doing = check.name
            yield check, subject.once(check.make)
    finally:
        if subject.process is not None:
            with contextlib.suppress(OSError):
                subject.process.kill()
            subject.process.communicate()
