"""Evaluations: parameters of an agent play the pool, many at once on the same cards.

A *batch* is a set of requests, each a set of parameters, that all play the same opponents with the
same cards. Its cards are cut into *blocks*, and every opponent plays some pairs (sets of mirrors)
in each block; the value of a block is the weighted mean of the margins against the opponents, so
the blocks of one request are independent of each other, and those of two requests are paired.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from handfoot_sim.agent.compiling import compile_decisions
from handfoot_sim.agent.interface import Agent, Value
from handfoot_sim.agent.loading import load_agent, source_hash
from handfoot_sim.engine.pairing import Pairing, make_pairing
from handfoot_sim.errors import AgentFailure, IllegalDecision, RunError, first_line
from handfoot_sim.playing import choose_driver, play
from handfoot_sim.rules import Rules
from handfoot_sim.simulation import DECISION_LIMIT
from handfoot_sim.tuning.pool import Pool

JOB_MATCHES: Final = 800
"""Matches of a worker's job: some 0.1 s, so that workers end about together and handing over
costs little."""


@dataclass(frozen=True)
class Request:
    """Parameters to be evaluated (all of the agent's), and what for."""

    role: str
    params: dict[str, Value]


@dataclass(frozen=True)
class Setting:
    """What all evaluations of a search share.

    ``agent`` is named by its specification, or is an agent made in Python.
    """

    agent: Any
    rules: Rules
    dealer: int = 0
    decision_limit: float | None = DECISION_LIMIT


@dataclass(frozen=True)
class Batch:
    """Requests that play the same cards.

    ``name`` tells it from the other batches of a run; ``seed`` and ``first`` (the number of its
    first cards) say which cards; ``counts`` are the pairs of each member of the pool in a block.
    """

    name: str
    setting: Setting
    pool: Pool
    requests: tuple[Request, ...]
    counts: tuple[int, ...]
    blocks: int
    seed: int
    first: int = 0

    @property
    def cards(self) -> int:
        """How many cards it takes, so that the next batch begins after them."""
        return self.blocks * sum(self.counts)

    @property
    def matches(self) -> int:
        """Matches of all requests, if each has to be played."""
        return len(self.requests) * self.cards * self.setting.rules.teams


@dataclass(frozen=True)
class Evaluated:
    """What came of a batch.

    Attributes
    ----------
    margins : float64, shape (requests, members, blocks), mean paired margin in points a match of
        each block; NaN where the agent failed
    squares : float64, shape (requests, members), sums of squares of pairs' margins
    messages : why a request failed, empty where it did not
    matches : matches that were played
    seconds : how long the batch took
    """

    batch: Batch
    margins: np.ndarray
    squares: np.ndarray
    messages: tuple[str, ...]
    matches: int
    seconds: float

    @property
    def blocks(self) -> np.ndarray:
        """Value of each request in each block, float64, shape (requests, blocks)."""
        return np.asarray(np.einsum("m,rmb->rb", self.batch.pool.weights, self.margins))

    @property
    def values(self) -> np.ndarray:
        """Value of each request, float64, shape (requests,); NaN where the agent failed."""
        return np.asarray(self.blocks.mean(1))

    @property
    def errors(self) -> np.ndarray:
        """Standard error of each value, from the spread of pairs; NaN with one pair a member."""
        pairs = self.batch.blocks * np.array(self.batch.counts, np.float64)
        means = self.margins.mean(2)
        with np.errstate(invalid="ignore", divide="ignore"):
            variance = (self.squares - pairs * means**2) / (pairs - 1) / pairs
            errors = np.sqrt(np.maximum(variance, 0.0) @ self.batch.pool.weights**2)
        return np.asarray(errors)

    def of(self, role: str) -> int:
        """Number of the only request with a role."""
        return [request.role for request in self.batch.requests].index(role)


@dataclass(frozen=True)
class Unit:
    """Blocks ``begin`` to ``end`` - 1 of request number ``request``."""

    request: int
    begin: int
    end: int


@dataclass(frozen=True)
class Slice:
    """A worker's job: some units of a batch, and the request of each.

    ``batch`` comes without its requests, of which a worker needs few. ``source`` is the hash of
    the agent's source, so that a worker elsewhere sees whether it has the same.
    """

    number: int
    batch: Batch
    units: tuple[Unit, ...]
    requests: tuple[Request, ...]
    source: str

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from other jobs."""
        return self.batch.name, self.number

    def begin(self) -> Callable[[], list[UnitResult]]:
        """Play; what comes back only hands over."""
        setting = self.batch.setting
        agent = setting.agent if isinstance(setting.agent, Agent) else _loaded(setting.agent)
        if source_hash(agent) != self.source:
            raise RunError(
                "the file of an agent was changed while the run went on; put it back and run the "
                "same command again to go on, or start a new run"
            )
        results = [
            _play_unit(self.batch, agent, unit, request.params)
            for unit, request in zip(self.units, self.requests, strict=True)
        ]
        return lambda: results


@dataclass(frozen=True)
class UnitResult:
    """What came of a unit: ``margins`` of shape (members, blocks), ``squares`` of (members,)."""

    unit: Unit
    margins: np.ndarray
    squares: np.ndarray
    matches: int
    message: str = ""


@functools.lru_cache(maxsize=64)
def _loaded(specification: str) -> Agent:
    return load_agent(specification)


def slices(batch: Batch, source: str) -> Iterator[Slice]:
    """A batch cut into jobs of about ``JOB_MATCHES`` matches."""
    block = sum(batch.counts) * batch.setting.rules.teams
    whole = max(1, JOB_MATCHES // block)
    units = [
        Unit(number, begin, min(begin + whole, batch.blocks))
        for number in range(len(batch.requests))
        for begin in range(0, batch.blocks, whole)
    ]
    each = max(1, JOB_MATCHES // (min(whole, batch.blocks) * block))
    bare = replace(batch, requests=())
    for number, begin in enumerate(range(0, len(units), each)):
        own = tuple(units[begin : begin + each])
        yield Slice(number, bare, own, tuple(batch.requests[unit.request] for unit in own), source)


def _play_unit(batch: Batch, agent: Agent, unit: Unit, params: dict[str, Value]) -> UnitResult:
    """Play a unit; an agent that fails at these parameters is told of, not raised."""
    size, matches = unit.end - unit.begin, 0
    margins = np.full((len(batch.counts), size), np.nan)
    squares = np.full(len(batch.counts), np.nan)
    try:
        candidate = _at(agent, params)
        for number, count in enumerate(batch.counts):
            opponent = batch.pool.members[number].lineup
            pairing = make_pairing((candidate, opponent), batch.setting.rules)
            pairs = _pair_margins(batch, pairing, unit, number)
            if len(pairing.agents) > 1:
                matches += len(pairs) * pairing.mirrors
            margins[number] = pairs.reshape(size, count).mean(1)
            squares[number] = float(pairs @ pairs)
    except (AgentFailure, IllegalDecision) as error:
        return UnitResult(unit, margins * np.nan, squares * np.nan, matches, str(error))
    return UnitResult(unit, margins, squares, matches)


def _at(agent: Agent, params: dict[str, Value]) -> Agent:
    """The agent at these parameters; ``AgentFailure`` if it can't be made."""
    try:
        candidate = type(agent)(**params)
    except Exception as error:
        raise AgentFailure(f"agent {agent.name}: making it failed: {first_line(error)}") from error
    candidate.name, candidate.specification = agent.name, None
    return candidate


def _pair_margins(batch: Batch, pairing: Pairing, unit: Unit, member: int) -> np.ndarray:
    """Paired margins against a member in a unit's blocks, points a match, shape (pairs,).

    Against itself, with the same parameters, an agent scores 0 on every pair of duplicate matches.
    """
    count = batch.counts[member]
    pairs = (unit.end - unit.begin) * count
    if len(pairing.agents) == 1:
        return np.zeros(pairs)
    first = batch.first + batch.blocks * sum(batch.counts[:member]) + unit.begin * count
    setting = batch.setting
    rows = play(
        pairing, seed=batch.seed, first_match=first, count=pairs * pairing.mirrors,
        dealer=setting.dealer, driver=choose_driver(pairing),
        decision_limit=None if _trusted(pairing) else setting.decision_limit,
    )  # fmt: skip
    return pair_margins(rows, pairing.mirrors)


def _trusted(pairing: Pairing) -> bool:
    """Whether all agents come with this distribution: none of their decisions is endless.

    Watching them would cost a tenth of the time of the few matches of a unit.
    """
    return pairing.compiled and all(compile_decisions(type(agent)).own for agent in pairing.agents)


def pair_margins(rows: np.ndarray, mirrors: int) -> np.ndarray:
    """Margin of the first line-up over the mean of the others, by set of mirrors.

    ``rows`` as the engine writes them, shape (matches, deals, teams); float64, shape (sets,).
    """
    scores = rows["score"].sum(1, dtype=np.int64).astype(np.float64)
    matches, teams = scores.shape
    own = scores[np.arange(matches), np.arange(matches) % mirrors]
    others = (scores.sum(1) - own) / (teams - 1)
    return np.asarray((own - others).reshape(-1, mirrors).mean(1))


def assembled(batch: Batch, results: Sequence[UnitResult], seconds: float) -> Evaluated:
    """The results of all units of a batch, in whatever order, put together."""
    members = len(batch.counts)
    margins = np.full((len(batch.requests), members, batch.blocks), np.nan)
    squares = np.zeros((len(batch.requests), members))
    messages = [""] * len(batch.requests)
    for result in sorted(results, key=lambda each: (each.unit.request, each.unit.begin)):
        unit = result.unit
        margins[unit.request, :, unit.begin : unit.end] = result.margins
        squares[unit.request] += result.squares
        messages[unit.request] = messages[unit.request] or result.message
    margins[[bool(message) for message in messages]] = np.nan
    matches = sum(result.matches for result in results)
    return Evaluated(batch, margins, squares, tuple(messages), matches, seconds)
