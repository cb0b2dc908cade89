"""Whether a match as it is written keeps the rules, its results included [8.1 to 8.3]."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from handfoot_sim.engine.position import Position
from handfoot_sim.errors import RulesError
from handfoot_sim.rules import Rules
from handfoot_sim.transcripts.format import Match, Parts, rules_of
from handfoot_sim.transcripts.walk import BrokenRuleError, DealWalk, Fault

PARTS: Final = Parts.__struct_fields__


def check_match(match: Match) -> Fault | None:
    """The first thing that is wrong with a match; None if it keeps the rules.

    The engine's own transitions judge it. Results that are missing are faults. A match with too
    few or too many deals is judged deal by deal first: if it was broken off by a decision that
    broke a rule, that rule is named.
    """
    try:
        rules = rules_of(match)
    except RulesError as error:
        return Fault(error.rule, str(error))
    position = Position(rules)
    points = []
    for number, deal in enumerate(match.deals[: rules.deals]):
        walk = DealWalk(position, deal, number, dealer_of(match, rules, number))
        try:
            points.append(check_deal(walk))
        except BrokenRuleError as error:
            return error.fault
    if len(match.deals) != rules.deals:
        return deals_fault(match, rules)
    return _outcome_fault(match, points)


def deals_fault(match: Match, rules: Rules) -> Fault:
    """What to say of a match with too few or too many deals [2.2]."""
    return Fault("2.2", f"the match has {len(match.deals)} deals instead of {rules.deals}")


def dealer_of(match: Match, rules: Rules, number: int) -> int:
    """The seat for which it is to deal deal ``number``, by who dealt the first one [2.2].

    A first dealer who is no seat is as wrong as any other: seat 0 should have dealt.
    """
    first = match.deals[0].dealer
    return ((first if 0 <= first < rules.players else 0) + number) % rules.players


def check_deal(walk: DealWalk) -> list[int]:
    """Walk through a deal and compare its results; the points of each team.

    Raises ``BrokenRuleError``.
    """
    parts = walk.go()
    deal = walk.deal
    points = [points_of(each) for each in parts]
    sentence = None
    rule = "8.2"
    if deal.end != walk.end:
        rule, sentence = "8.1", f"the deal ended by '{walk.end}', not {_said(deal.end)}"
    elif deal.scores != points:
        sentence = f"the scores are {points}, not {_said(deal.scores)}"
    elif deal.breakdown is not UNSET and deal.breakdown != parts:
        sentence = _breakdown_sentence(deal.breakdown, parts)
    if sentence:
        raise BrokenRuleError(Fault(rule, sentence, walk.number))
    return points


def points_of(parts: Parts) -> int:
    """What the parts of a team's score come to [8.2]."""
    return sum(getattr(parts, part) for part in PARTS)


def winner_of(totals: list[int]) -> int | None:
    """The team with the most points, None for a tie [8.3]."""
    best = max(totals)
    return totals.index(best) if totals.count(best) == 1 else None


def _breakdown_sentence(stated: list[Parts], right: list[Parts]) -> str:
    if len(stated) != len(right):
        return f"the breakdown is of {len(stated)} teams, not of {len(right)}"
    team, part = next(
        (team, part)
        for team in range(len(right))
        for part in PARTS
        if getattr(stated[team], part) != getattr(right[team], part)
    )
    values = getattr(right[team], part), getattr(stated[team], part)
    return f"'{part}' of team {team} is {values[0]}, not {values[1]}"


def _outcome_fault(match: Match, points: list[list[int]]) -> Fault | None:
    """Whether totals and winner are right [8.3]."""
    totals = [sum(column) for column in zip(*points, strict=True)]
    if match.totals != totals:
        return Fault("8.3", f"the totals are {totals}, not {_said(match.totals)}")
    winner = winner_of(totals)
    if match.winner != winner:
        return Fault("8.3", f"the winner is {_team(winner)}, not {_team(match.winner)}")
    return None


def _said(stated: object) -> str:
    """A stated result in a sentence, kept short."""
    if stated is UNSET:
        return "missing"
    text = repr(stated)
    return text if len(text) <= 100 else text[:97] + "..."


def _team(winner: object) -> str:
    return "nobody (a tie)" if winner is None else _said(winner)
