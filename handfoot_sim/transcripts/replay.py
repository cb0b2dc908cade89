"""A match told in words, for somebody who plays cards.

Deals, turns and seats are numbered from 0, as everywhere in the library, so that the place of a
fault can be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from handfoot_sim.engine.position import Position
from handfoot_sim.errors import RulesError, TranscriptError
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.check import check_match, dealer_of, winner_of
from handfoot_sim.transcripts.format import Match, agents_of, printable, rules_of
from handfoot_sim.transcripts.telling import DealTeller, wrapped
from handfoot_sim.transcripts.walk import DealWalk

NAME_WIDTH: Final = 24


def tell_match(
    match: Match, deal: int | None = None, agents: Sequence[str] | None = None
) -> Iterator[str]:
    """The match, or one deal of it, line by line.

    A match that breaks a rule is told as far as it keeps them; the last line says what is wrong,
    be it in another deal than the one told.

    Parameters
    ----------
    match
        It may have been broken off, with its results missing.
    deal
        Number of the deal to tell; all of them if it is not given. ``TranscriptError`` if there
        is no such deal.
    agents
        Names by seat, instead of those in the transcript.
    """
    count = len(match.deals)
    if deal is not None and not 0 <= deal < count:
        raise TranscriptError(f"there is no deal {deal}: the match has {count}, from deal 0 on")
    return _lines(match, deal, agents_of(match) if agents is None else agents)


def seat_names(rules: Rules, agents: Sequence[str]) -> list[str]:
    """How each seat is called: its number and, if known, its agent; all equally long."""
    called = [printable(name, NAME_WIDTH) for name in agents[: rules.players]]
    called += [""] * (rules.players - len(called))
    names = [f"seat {seat} {name}".rstrip() for seat, name in enumerate(called)]
    width = max(len(name) for name in names)
    return [f"{name:<{width}}" for name in names]


def _lines(match: Match, wanted: int | None, agents: Sequence[str]) -> Iterator[str]:
    try:
        rules = rules_of(match)
    except RulesError:
        pass
    else:
        yield from _opening_lines(match, rules)
        yield from _deal_lines(match, rules, wanted, seat_names(rules, agents))
    fault = check_match(match)
    if fault:
        yield ""
        yield from wrapped("The match breaks a rule: ", str(fault))


def _opening_lines(match: Match, rules: Rules) -> list[str]:
    """The rules and the form of the match."""
    fields = rules.as_mapping()
    form = f"{rules.players} players"
    if rules.players != rules.teams:
        form += f" in {rules.teams} teams"
    said = [f"rules {fields.pop('preset')}", *(f"{name} {at}" for name, at in fields.items())]
    known = (("match", match.match), ("seed", match.seed))
    said += [f"{name} {printable(str(at), NAME_WIDTH)}" for name, at in known if at is not None]
    return wrapped("", f"{form}; {', '.join(said)}")


def _deal_lines(
    match: Match, rules: Rules, wanted: int | None, seats: Sequence[str]
) -> Iterator[str]:
    """The deals to be told, up to the first that breaks a rule, and the outcome."""
    position = Position(rules)
    totals: list[int] | None = [0] * rules.teams
    last = len(match.deals) - 1 if wanted is None else wanted
    for number, deal in enumerate(match.deals[: last + 1]):
        walk = DealWalk(position, deal, number, dealer_of(match, rules, number))
        teller = DealTeller(walk, seats, totals)
        told = teller.tell()
        if wanted in (None, number):
            yield ""
            yield from told
        else:
            list(told)
        if teller.fault and wanted is None:
            return
        points = teller.points
        totals = [a + b for a, b in zip(totals, points, strict=True)] if totals and points else None
    if wanted is None and totals and len(match.deals) == rules.deals:
        winner = winner_of(totals)
        yield ""
        yield "The match is a tie." if winner is None else f"Team {winner} wins the match."
