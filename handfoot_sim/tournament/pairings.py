"""Which line-ups of a tournament meet.

Seats are balanced by the mirrors: each set of matches is played with the same cards once for
every place a line-up can take, so each side has each team's seats, and with them each place
relative to the dealer, equally often, whatever the number of players. What mirrors don't balance
is the order of *partners*: in ``a+b`` a has the seat that deals earlier. It counts as part of the
line-up, and a cross-play therefore plays both orders, half of the matches each.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from handfoot_sim.errors import PlanError
from handfoot_sim.tournament.plan import Plan


@dataclass(frozen=True)
class Meeting:
    """Two line-ups that meet: their specifications, and matches planned for them.

    ``entry`` is the partnership that a cross-play counts the meeting for, whichever its order;
    else empty.
    """

    a: str
    b: str
    matches: int
    entry: str = ""


def meetings(plan: Plan) -> list[Meeting]:
    """All meetings of a plan under one variant of the rules, in the order of its agents."""
    most = plan.most_matches
    if plan.format == "cross-play":
        return _partnerships(plan, most)
    if plan.format == "round-robin":
        pairs = list(itertools.combinations(plan.agents, 2))
    else:
        pairs = [(plan.agents[0], other) for other in plan.agents[1:]]
    if plan.format == "ladder":
        pairs += list(itertools.pairwise(plan.agents[1:]))
    return [Meeting(a, b, most) for a, b in pairs]


def _partnerships(plan: Plan, most: int) -> list[Meeting]:
    for agent in plan.agents:
        if "+" in agent:
            raise PlanError(
                f"agents: {agent} is a partnership already; a cross-play takes single agents"
            )
    found = []
    for a, b in itertools.combinations_with_replacement(plan.agents, 2):
        orders = [a] if a == b else [f"{a}+{b}", f"{b}+{a}"]
        share = -(-most // len(orders))
        found += [Meeting(order, plan.opponent, share, f"{a}+{b}") for order in orders]
    return found
