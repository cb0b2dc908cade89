"""Sweeps: what an agent is worth at each of several values of a parameter, or under several rules.

All points of a sweep play the same pool with the same cards. Each is compared, pair by pair of
those cards, with the *reference*: the agent as it is under the same rules where a parameter is
swept, and under the rules as they are where only rules are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import numpy as np
import pandas as pd
from msgspec import Meta

from handfoot_sim.agent.interface import Agent, Value
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.engine.pairing import load_lineup
from handfoot_sim.errors import AgentFailure, PlanError, RulesError
from handfoot_sim.ratings.best import chance_of_best
from handfoot_sim.rules import Rules, rules_from_mapping
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.simulation import DECISION_LIMIT, as_rules, worker_count
from handfoot_sim.tally import Estimate, mean_estimate
from handfoot_sim.tuning.axes import (
    MOST_VALUES,
    Axis,
    parameter_axis,
    rule_axis,
    split_swept,
)
from handfoot_sim.tuning.batches import Batch, Request, Setting
from handfoot_sim.tuning.evaluations import Book, playing
from handfoot_sim.tuning.plan import derived_seed
from handfoot_sim.tuning.pool import Pool, pool_of
from handfoot_sim.tuning.preparing import asked_of, checked
from handfoot_sim.tuning.records import new_record
from handfoot_sim.tuning.tune import opened

MATCHES: Final = 10_000
"""Matches at each point unless said."""
BLOCKS: Final = 40
"""Blocks of cards, over which intervals are computed."""
LEAST_BLOCKS: Final = 10
PARTS: Final = 4
"""Batches that the blocks are played in, so that what was killed loses little."""
SHOWN: Final = 0.05
"""p-values below this show that a value is not the best."""
STAGE: Final = "sweep"


class SweepPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sweep over one or two parameters of an agent, or fields of the rules.

    agent
        Whose parameters; a specification, swept ones in it (``balanced:burst=0..10:6,rush=3``), or
        an agent made in Python.
    against
        The pool, as for ``TunePlan``.
    params, over
        Swept parameters and fields of the rules: ``name=LOW..HIGH:STEPS`` or ``name=VALUE|VALUE``.
    matches
        Matches at each point, rounded up.
    rules
        The rules that ``over`` changes.
    """

    agent: Any
    against: list[Any]
    params: list[str] = msgspec.field(default_factory=list)
    over: list[str] = msgspec.field(default_factory=list)
    matches: Annotated[int, Meta(ge=1, le=10**12)] = MATCHES
    rules: Any = "standard"
    seed: Annotated[int, Meta(ge=0, le=2**62)] = 0
    dealer: Annotated[int, Meta(ge=0, le=5)] = 0
    decision_limit: Annotated[float, Meta(ge=0)] = DECISION_LIMIT


@dataclass(frozen=True)
class Point:
    """A point of a sweep.

    ``at``: its values by axis; ``variant``: number of its rules; ``reference``: number of the
    point that it is compared with; ``asked``: whether it is one of those asked for, else it is
    there as a reference only.
    """

    at: tuple[Any, ...]
    variant: int
    params: dict[str, Value]
    reference: int
    asked: bool


@dataclass(frozen=True)
class PreparedSweep:
    """A sweep's plan with all that it names; ``rules`` and ``pools`` are those of the variants.

    The pools differ in how their line-ups are seated only, where team sizes do.
    """

    plan: SweepPlan
    agent: Agent
    pools: tuple[Pool, ...]
    axes: tuple[Axis, ...]
    rules: tuple[Rules, ...]
    points: tuple[Point, ...]

    @property
    def pool(self) -> Pool:
        """The opponents."""
        return self.pools[0]

    @property
    def batches(self) -> list[tuple[list[int], list[Batch]]]:
        """The batches of each variant of the rules, with the points that they play."""
        return [_batches(self, number) for number in range(len(self.rules))]

    @property
    def matches(self) -> int:
        """Matches of all points."""
        return sum(batch.matches for _, batches in self.batches for batch in batches)


@dataclass(frozen=True)
class Swept:
    """What a sweep came to.

    Attributes
    ----------
    prepared : what was asked for
    frame : a row a point. A column for each axis (``params.burst``, ``rules.pile_take``);
        ``asked`` and ``reference`` (bool); ``margin`` against the pool in points a match and
        ``gain`` over the reference, each with ``_low`` and ``_high`` of the 95 % interval over
        blocks; ``p_best``, the p-value of the claim that it is not the best (see
        ``ratings.best``), and ``maybe_best`` (bool); ``pairs``, ``blocks``; ``failure``, why the
        agent failed there, else empty
    matches, played, seconds : matches in all, those played now, and how long that took
    """

    prepared: PreparedSweep
    frame: pd.DataFrame
    matches: int
    played: int
    seconds: float


def prepare_sweep(plan: SweepPlan) -> PreparedSweep:
    """Load and check what a plan names; raises ``PlanError``, ``AgentError``, ``RulesError``."""
    plan = checked(plan)
    named, within = split_swept(plan.agent) if isinstance(plan.agent, str) else (plan.agent, [])
    agent = load_agent(named)
    rules = as_rules(plan.rules)
    ours = tuple(parameter_axis(agent, text) for text in (*within, *plan.params))
    theirs = tuple(rule_axis(rules, text) for text in plan.over)
    _check_axes(ours + theirs)
    pool = pool_of(plan.against, agent, rules)
    variants = _variants(theirs, rules, keep_own=not ours)
    pools = []
    for _, each in variants:
        if plan.dealer >= each.players:
            raise PlanError(f"dealer = {plan.dealer} must be below the {each.players} players")
        alike = each.seats_per_team == rules.seats_per_team
        pools.append(pool if alike else pool_of(plan.against, agent, each))
    named = agent.specification or plan.agent
    kept = msgspec.structs.replace(plan, agent=named, params=[*within, *plan.params])
    points = _points(agent, ours, theirs, variants)
    played = tuple(each for _, each in variants)
    return PreparedSweep(kept, agent, tuple(pools), ours + theirs, played, points)


def _check_axes(axes: Sequence[Axis]) -> None:
    if not axes:
        raise PlanError(
            "nothing is swept: name a parameter as AGENT:name=LOW..HIGH:STEPS, or a field of the "
            "rules with --over"
        )
    if len(axes) > 2:
        raise PlanError(f"{len(axes)} parameters and fields are swept; sweep one or two at a time")
    if len({axis.column for axis in axes}) < len(axes):
        raise PlanError(f"{axes[0].name} is swept twice; name it once")
    count = math.prod(len(axis.values) for axis in axes)
    if count > MOST_VALUES:
        raise PlanError(f"{count:,} points are too many; sweep {MOST_VALUES:,} at most")


def _variants(
    axes: Sequence[Axis], rules: Rules, *, keep_own: bool
) -> list[tuple[tuple[Any, ...], Rules]]:
    """Rules at each point of the rules' axes, the rules as they are among them if asked."""
    places = list(itertools.product(*(axis.values for axis in axes)))
    own = tuple(axis.own for axis in axes)
    if keep_own and own not in places:
        places.append(own)
    found = []
    for place in places:
        fields = {axis.name: value for axis, value in zip(axes, place, strict=True)}
        try:
            found.append((place, rules_from_mapping(fields, rules)))
        except RulesError as error:
            at = ", ".join(f"{name} = {value}" for name, value in fields.items())
            raise RulesError(f"{error} (at {at} of the sweep)", error.rule) from None
    return found


def _points(
    agent: Agent,
    ours: Sequence[Axis],
    theirs: Sequence[Axis],
    variants: Sequence[tuple[tuple[Any, ...], Rules]],
) -> tuple[Point, ...]:
    places = list(itertools.product(*(axis.values for axis in ours)))
    own = tuple(axis.own for axis in ours)
    wanted = len(places)
    if own not in places:
        places.append(own)
    names = [axis.name for axis in ours]
    asked_rules = math.prod(len(axis.values) for axis in theirs)
    rules_as_they_are = tuple(axis.own for axis in theirs)
    references = [number for number, (at, _) in enumerate(variants) if at == rules_as_they_are]
    points: list[Point] = []
    for variant, (rules_at, _) in enumerate(variants):
        first = len(points)
        for number, place in enumerate(places):
            params = dict(agent.params) | dict(zip(names, place, strict=True))
            reference = first + places.index(own) if ours else references[0]
            asked = number < wanted and variant < asked_rules
            points.append(Point((*place, *rules_at), variant, params, reference, asked))
    return tuple(points)


def _batches(prepared: PreparedSweep, variant: int) -> tuple[list[int], list[Batch]]:
    plan, pool, rules = prepared.plan, prepared.pools[variant], prepared.rules[variant]
    numbers = [n for n, point in enumerate(prepared.points) if point.variant == variant]
    requests = tuple(Request(STAGE, prepared.points[n].params) for n in numbers)
    blocks, counts = _sizes(plan, pool, rules)
    agent = prepared.agent.specification or prepared.agent
    setting = Setting(agent, rules, plan.dealer, plan.decision_limit or None)
    cards = derived_seed(plan.seed, STAGE)
    first, parts = 0, min(PARTS, blocks)
    found = []
    for part in range(parts):
        size = blocks * (part + 1) // parts - blocks * part // parts
        batch = Batch(
            f"{STAGE}-{variant:03d}-{part}", setting, pool, requests, counts, size, cards, first
        )
        first += batch.cards
        found.append(batch)
    return numbers, found


def _sizes(plan: SweepPlan, pool: Pool, rules: Rules) -> tuple[int, tuple[int, ...]]:
    """Blocks, and pairs of each member in one; ``PlanError`` for too few matches."""
    pairs, members = -(-plan.matches // rules.teams), len(pool.members)
    blocks = min(BLOCKS, pairs // members)
    if blocks < LEAST_BLOCKS:
        least = LEAST_BLOCKS * members * rules.teams
        raise PlanError(
            f"matches = {plan.matches:,} are too few for intervals against {members} "
            f"opponent{'s' * (members > 1)}; give at least {least:,}"
        )
    whole = block = -(-pairs // blocks)
    while sum(pool.shares(block)) < whole:  # shares are rounded, also down
        block += 1
    return blocks, pool.shares(block)


def sweep(
    plan: SweepPlan,
    *,
    out: str | Path | RunFolder | None = None,
    jobs: int = 1,
    backend: str = "auto",
    address: str = "",
    on_matches: Callable[[int], object] = lambda matches: None,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Swept:
    """Play a sweep as planned; with ``out`` into that folder, going on with what it holds.

    ``on_matches`` is called with the number of matches as they come in; the other arguments are
    those of ``tune``. Raises ``PlanError``, ``AgentError``, ``RulesError`` or ``RunError`` for what
    can't be done, ``AgentFailure`` where the agent fails at all points.
    """
    return play_sweep(
        prepare_sweep(plan), folder_at(out) if out is not None else None,
        Engine(backend, worker_count(jobs), address), on_matches, tell,
    )  # fmt: skip


def play_sweep(
    prepared: PreparedSweep,
    folder: RunFolder | None,
    engine: Engine,
    on_matches: Callable[[int], object] = lambda matches: None,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Swept:
    """Play a prepared sweep; arguments and errors as for ``sweep``."""
    agents = [prepared.agent]
    for pool, rules in zip(prepared.pools, prepared.rules, strict=True):
        for member in pool.members:
            agents += load_lineup(member.lineup, rules)
    record = new_record(STAGE, asked_of(prepared.plan), agents)
    compiled = not any(agent.batch for agent in agents)
    blocks: list[np.ndarray] = [np.zeros(0)] * len(prepared.points)
    messages = [""] * len(prepared.points)
    with opened(folder, record), playing(engine, compiled) as play:
        book = Book(folder, play, on_matches=on_matches, tell=tell)
        for numbers, batches in prepared.batches:
            for batch in batches:
                found = book.evaluate(batch)
                for n, own, message in zip(numbers, found.blocks, found.messages, strict=True):
                    blocks[n] = np.append(blocks[n], own)
                    messages[n] = messages[n] or message
    if all(messages):
        raise AgentFailure(f"the agent failed at all points of the sweep: {messages[0]}")
    frame = _frame(prepared, np.array(blocks), messages)
    return Swept(prepared, frame, sum(book.matches.values()), book.played, book.busy)


def _frame(prepared: PreparedSweep, blocks: np.ndarray, messages: Sequence[str]) -> pd.DataFrame:
    points = prepared.points
    references = [point.reference for point in points]
    columns: dict[str, Any] = {
        axis.column: pd.Series([_plain(point.at[n]) for point in points])
        for n, axis in enumerate(prepared.axes)
    }
    columns["asked"] = [point.asked for point in points]
    columns["reference"] = [number == point.reference for number, point in enumerate(points)]
    columns |= _estimates("margin", [_over(own) for own in blocks])
    columns |= _estimates("gain", [_over(own) for own in blocks - blocks[references]])
    columns["p_best"] = _chances(points, blocks)
    columns["maybe_best"] = [p >= SHOWN for p in columns["p_best"]]
    sizes = [_sizes(prepared.plan, prepared.pool, prepared.rules[p.variant]) for p in points]
    columns["pairs"] = [count * sum(counts) for count, counts in sizes]
    columns["blocks"] = [count for count, _ in sizes]
    columns["failure"] = list(messages)
    frame = pd.DataFrame(columns)
    (column, *others) = (axis.column for axis in prepared.axes)
    if others or not pd.api.types.is_numeric_dtype(frame[column]):
        return frame
    return frame.sort_values(column, ignore_index=True)  # the reference at its place


def _plain(value: Any) -> Any:
    """A value as a table has it: the minimums of the rules as they are written."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else value


def _estimates(name: str, found: Sequence[Estimate]) -> dict[str, list[float]]:
    return {
        name: [each.value for each in found],
        f"{name}_low": [each.low for each in found],
        f"{name}_high": [each.high for each in found],
    }


def _over(blocks: np.ndarray) -> Estimate:
    return mean_estimate(float(blocks.sum()), float(blocks @ blocks), len(blocks))


def _chances(points: Sequence[Point], blocks: np.ndarray) -> np.ndarray:
    """p-values of not being the best of those that are compared: with the same reference."""
    found = np.full(len(points), np.nan)
    for reference in {point.reference for point in points}:
        own = [n for n, point in enumerate(points) if point.reference == reference]
        found[own] = chance_of_best(blocks[own])
    return found


def sweep_of(asked: dict[str, Any]) -> SweepPlan:
    """The plan that a manifest tells of; ``PlanError`` if an agent can't be found by a name."""
    try:
        plan = msgspec.convert(asked, SweepPlan)
    except msgspec.ValidationError as error:
        raise PlanError(f"the manifest is damaged: {error}") from None
    for each in (plan.agent, *plan.against):
        if str(each).endswith("(made in Python)"):
            raise PlanError(
                f"agent {each} can't be found by a name; go on by the call that began the run"
            )
    return plan
