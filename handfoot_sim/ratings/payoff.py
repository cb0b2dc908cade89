"""The payoff matrix of a field of agents: what is best against whom, and whether anything is.

Strategies can beat each other in a circle, and a single rating hides it. The payoff matrix holds
the mean paired margin of each agent against each other; its *Nash mix* says in which proportions
agents would be played so that none can gain against the mixture. Of several such mixes the one
with the largest entropy is unique and does not change when an agent is entered twice (Balduzzi et
al., Re-evaluating Evaluation, NeurIPS 2018).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import optimize, stats
from scipy.sparse import csgraph

from handfoot_sim.errors import PlanError

SLACK: Final = 1e-9
"""How far a mix may miss its conditions, as a part of the largest payoff."""

LEAST_SHARE: Final = 1e-7
"""Shares of a mix below this are 0."""


def payoff_matrix(pairs: np.ndarray, values: np.ndarray, agents: int) -> np.ndarray:
    """Antisymmetric matrix of margins, float64, shape (agents, agents).

    ``pairs``: int, shape (pairings, 2); ``values``: mean margin of the first agent of each. NaN
    where two agents have not met, 0 on the diagonal.
    """
    matrix = np.full((agents, agents), np.nan)
    np.fill_diagonal(matrix, 0.0)
    for (i, j), value in zip(pairs, values, strict=True):
        matrix[i, j], matrix[j, i] = value, -value
    return matrix


def nash_mix(payoffs: np.ndarray) -> np.ndarray | None:
    """The symmetric Nash mix of largest entropy, shape (agents,), or None with pairings missing.

    ``payoffs``: antisymmetric, shape (agents, agents). In such a game no mix can do better than 0
    against itself; the mixes wanted are those against which nothing scores above 0. Raises
    ``PlanError`` if the solver finds none.
    """
    if np.isnan(payoffs).any():
        return None
    agents = len(payoffs)
    scale = float(np.abs(payoffs).max())
    if scale == 0.0:
        return np.full(agents, 1.0 / agents)
    game = payoffs / scale
    inside = _inner_point(game)
    support = np.flatnonzero(inside > LEAST_SHARE)
    mix = np.zeros(agents)
    mix[support] = _most_even(game[:, support], inside[support] / inside[support].sum())
    return mix


def _inner_point(game: np.ndarray) -> np.ndarray:
    """A mix inside the set of all Nash mixes: the mean of those with the most of each agent."""
    agents = len(game)
    corners = []
    for most in range(agents):
        goal = np.zeros(agents)
        goal[most] = -1.0
        found = optimize.linprog(
            goal, A_ub=game, b_ub=np.full(agents, SLACK), A_eq=np.ones((1, agents)), b_eq=[1.0],
            bounds=(0.0, 1.0), method="highs",
        )  # fmt: skip
        if not found.success:
            raise PlanError(f"the Nash mix can't be computed: {found.message}")
        corners.append(found.x)
    return np.asarray(np.clip(np.mean(corners, axis=0), 0.0, None))


def _most_even(game: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The mix of largest entropy among those that let nothing score above the slack."""
    if len(start) == 1:
        return np.ones(1)
    found = optimize.minimize(
        lambda x: float(np.sum(x * np.log(x))),
        start,
        jac=lambda x: np.log(x) + 1.0,
        bounds=[(1e-12, 1.0)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda x: x.sum() - 1.0, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda x: 2 * SLACK - game @ x, "jac": lambda x: -game},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    holds = np.all(game @ found.x <= 1e-6) and abs(found.x.sum() - 1.0) < 1e-6
    best = found.x if holds and np.all(np.isfinite(found.x)) else start
    return np.asarray(best / best.sum())


def cycles(beats: np.ndarray) -> list[tuple[int, ...]]:
    """Circles in which each agent beats the next and the last one the first, shortest first.

    ``beats``: bool, shape (agents, agents). All circles of three; where a group of agents beat
    each other in a circle without one of three, one shortest circle. Each begins with its smallest
    number.
    """
    size = len(beats)
    found: list[tuple[int, ...]] = [
        (i, *rest)
        for i, j, k in itertools.combinations(range(size), 3)
        for rest in ((j, k), (k, j))
        if beats[i, rest[0]] and beats[rest[0], rest[1]] and beats[rest[1], i]
    ]
    _, group = csgraph.connected_components(beats, directed=True, connection="strong")
    for number in np.flatnonzero(np.bincount(group) > 1):
        members = np.flatnonzero(group == number)
        if not any(group[circle[0]] == number for circle in found):
            found.append(_shortest_circle(beats, members))
    return sorted(found, key=lambda circle: (len(circle), circle))


def _shortest_circle(beats: np.ndarray, members: np.ndarray) -> tuple[int, ...]:
    inner = beats[np.ix_(members, members)]
    lengths, before = csgraph.shortest_path(
        inner, directed=True, unweighted=True, return_predecessors=True
    )
    back = np.where(inner.T, lengths, np.inf)  # i to j by a path, then j beats i
    start, end = np.unravel_index(int(np.argmin(back)), back.shape)
    path = [int(end)]
    while path[-1] != start:
        path.append(int(before[start, path[-1]]))
    circle = [int(members[each]) for each in reversed(path)]
    first = circle.index(min(circle))
    return tuple(circle[first:] + circle[:first])


def mean_p_value(n: int, total: float, squares: float) -> float:
    """Two-sided p-value of Student's test that n units with these sums have mean 0.

    1 where there are fewer than two units, or all of them are 0; 0 where all are the same other
    number.
    """
    if n < 2:
        return 1.0
    mean = total / n
    variance = max(0.0, (squares - n * mean * mean) / (n - 1))
    if variance <= 1e-12 * squares / n:
        return 1.0 if mean == 0.0 else 0.0
    return float(2.0 * stats.t.sf(abs(mean) / np.sqrt(variance / n), n - 1))


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """p-values corrected so that any false claim among all has at most their probability.

    Holm's step-down method (Scandinavian Journal of Statistics 6, 1979); it holds whatever the
    dependence between the tests. Shape (tests,). NaN, no test, stays NaN and does not count.
    """
    given = np.asarray(p_values, np.float64)
    corrected = np.full(len(given), np.nan)
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    steps = given[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return corrected


def false_discovery(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """p-values corrected for the share of false claims among those made (Benjamini-Hochberg)."""
    given = np.asarray(p_values, np.float64)
    return np.asarray(stats.false_discovery_control(given)) if len(given) else given
