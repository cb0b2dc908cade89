"""Tune an agent: search, test the answer, play it again, look around it, and keep everything."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from handfoot_sim.agent.interface import Value
from handfoot_sim.errors import RunError
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import LocalFolder, RunFolder, folder_at
from handfoot_sim.simulation import worker_count
from handfoot_sim.tuning.cma import SIGMA, CmaSearch
from handfoot_sim.tuning.curves import (
    CurvePoint,
    changes_at,
    points_on_curves,
    points_on_grid,
    that_matter_most,
)
from handfoot_sim.tuning.deciding import Decision, Gain, decide, reevaluate
from handfoot_sim.tuning.evaluations import Book, playing
from handfoot_sim.tuning.methods import Method
from handfoot_sim.tuning.plan import (
    BUDGET,
    SHARES,
    Sizes,
    TunePlan,
    check_decidable,
    derived_seed,
    sizes_of,
)
from handfoot_sim.tuning.preparing import Prepared, asked_of, prepare
from handfoot_sim.tuning.records import Record, joined_record, new_record, write_record
from handfoot_sim.tuning.searching import Generation, Pilot, Searched, pilot, search
from handfoot_sim.tuning.spsa import SpsaSearch
from handfoot_sim.tuning.trials import OptunaSearch, check_dimensions

JOURNAL: Final = "optuna.journal"
"""Storage of a search by Optuna, in its folder."""


@dataclass(frozen=True)
class Timing:
    """Where the time of the search went, of what was played now and not read.

    ``overhead``: part of it between batches; ``busy``: processor time over wall time and workers,
    of this process, in the search.
    """

    seconds: float
    overhead: float
    busy: float
    workers: int


@dataclass(frozen=True)
class Tuned:
    """All that came of tuning an agent.

    Attributes
    ----------
    prepared : what was asked for
    budget : matches it was planned with
    pilot, sizes : what was measured before, and how the budget was divided
    searched : the search
    decision : whether the answer was accepted
    gains : re-evaluation against every opponent, under all rules
    curves, grid : what other values of one parameter, or of the two that matter most, do
    matches : matches of all stages, whenever they were played
    timing : of what was played now; None if nothing was
    """

    prepared: Prepared
    budget: int
    pilot: Pilot
    sizes: Sizes
    searched: Searched
    decision: Decision
    gains: list[Gain]
    curves: list[CurvePoint]
    grid: list[CurvePoint]
    matches: dict[str, int]
    timing: Timing | None

    @property
    def start(self) -> dict[str, Value]:
        """All parameters that the search started from."""
        return dict(self.prepared.space.base)

    @property
    def answer(self) -> dict[str, Value]:
        """All parameters of the answer."""
        return self.searched.answer

    @property
    def gain(self) -> Gain:
        """The figure that counts: re-evaluated gain over the whole pool, under the rules asked."""
        return self.gains[0]


@dataclass(frozen=True)
class Watching:
    """Who is told while a search goes on; all may be left out.

    ``plan`` is called once with the sizes and the pilot, ``matches`` with the number of matches
    that came in, ``generation`` after each, ``stage`` with its name before each stage.
    """

    plan: Callable[[Sizes, Pilot, int], object] = lambda sizes, pilot, budget: None
    matches: Callable[[int], object] = lambda matches: None
    generation: Callable[[Generation], object] = lambda generation: None
    stage: Callable[[str], object] = lambda stage: None
    tell: Callable[[str], object] = lambda sentence: None


def tune(
    plan: TunePlan,
    *,
    out: str | Path | RunFolder | None = None,
    jobs: int = 1,
    backend: str = "auto",
    address: str = "",
    watching: Watching | None = None,
    keep: Callable[[Tuned, RunFolder], object] = lambda tuned, folder: None,
) -> Tuned:
    """Tune an agent as planned; with ``out`` into that folder, going on with what it holds.

    The same plan gives the same result on any number of workers, and whenever it was interrupted;
    with a time budget the result depends on what was measured in the beginning, which the folder
    keeps. ``jobs``, ``backend``, ``address`` are those of ``simulate``; ``keep`` is called with
    the result while the folder is still locked. Raises ``PlanError``,
    ``AgentError``, ``RulesError`` or ``RunError`` for what can't be done, ``AgentFailure`` where
    the agent fails at its starting parameters.
    """
    prepared = prepare(plan)
    engine = Engine(backend, worker_count(jobs), address)
    record = new_record("tune", asked_of(prepared.plan), prepared.agents)
    folder = folder_at(out) if out is not None else None
    with opened(folder, record) as joined, playing(engine, prepared.compiled) as play:
        watch = watching or Watching()
        book = Book(folder, play, on_matches=watch.matches, tell=watch.tell)
        tuned = _tuned(prepared, book, joined, engine.workers, watch)
        if folder is not None:
            keep(tuned, folder)
        return tuned


class opened(AbstractContextManager[Record]):
    """A run's folder, locked, begun or joined; without a folder only its record."""

    def __init__(self, folder: RunFolder | None, record: Record) -> None:
        self.folder, self.record = folder, record
        self._lock: AbstractContextManager[Any] = nullcontext()

    def __enter__(self) -> Record:
        if self.folder is None:
            return self.record
        if not self.folder.is_run() and not self.folder.is_unused():
            raise RunError(
                f"{self.folder} is not empty and holds no run; give another folder with --out"
            )
        self.folder.prepare()
        self._lock = self.folder.locked()
        self._lock.__enter__()
        try:
            self.folder.sweep()
            return joined_record(self.folder, self.record)
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise

    def __exit__(self, *error: Any) -> None:
        self._lock.__exit__(*error)


def _tuned(prepared: Prepared, book: Book, record: Record, workers: int, watch: Watching) -> Tuned:
    plan, setting, pool, space = prepared.plan, prepared.setting, prepared.pool, prepared.space
    mirrors = setting.rules.teams
    if plan.method == "optuna":
        check_dimensions(space)
    watch.stage("pilot")
    first = pilot(book, setting, pool, space, plan.seed)
    budget = _budget(plan, record, first, book)
    sizes = sizes_of(plan, budget, mirrors, len(pool.members))
    check_decidable(plan, budget, first.noise, mirrors)
    watch.plan(sizes, first, budget)
    seconds = plan.seconds()
    watch.stage("search")
    began, busy = _Clock(), book.busy
    searched = search(
        book, setting, pool, space, method_of(prepared, sizes, first, book.folder), sizes,
        plan.seed, None if seconds is None else seconds * SHARES["search"], watch.generation,
    )  # fmt: skip
    timing = began.timing(book.busy - busy, workers)
    start, answer = dict(space.base), searched.answer
    watch.stage("test")
    decision = decide(book, setting, pool, start, answer, plan.test(), sizes.test, plan.seed)
    watch.stage("re-evaluation")
    gains = reevaluate(
        book, setting, prepared.groups, prepared.rules, start, answer, sizes.again, plan.seed
    )
    watch.stage("curves")
    curves = changes_at(
        book, setting, pool, answer, points_on_curves(space, answer), sizes.curves, "curves",
        plan.seed,
    )  # fmt: skip
    pair = that_matter_most(space, curves)
    grid = [] if pair is None else changes_at(
        book, setting, pool, answer, points_on_grid(space, answer, pair), sizes.grid, "grid",
        plan.seed,
    )  # fmt: skip
    return Tuned(
        prepared, budget, first, sizes, searched, decision, gains, curves, grid,
        dict(book.matches), timing,
    )  # fmt: skip


class _Clock:
    """Wall and processor time from now on."""

    def __init__(self) -> None:
        self.wall, self.processor = time.monotonic(), time.process_time()

    def timing(self, busy: float, workers: int) -> Timing | None:
        """The timing of a stage of which so many seconds were spent playing."""
        if not busy:
            return None
        wall = time.monotonic() - self.wall
        processor = time.process_time() - self.processor
        return Timing(wall, max(0.0, 1.0 - busy / wall), processor / wall / workers, workers)


def _budget(plan: TunePlan, record: Record, first: Pilot, book: Book) -> int:
    """Matches in all; those of a time budget are settled once and kept in the folder."""
    seconds = plan.seconds()
    if seconds is None:
        return plan.budget or BUDGET
    if "budget" not in record.settled:
        record.settled["budget"] = max(1, int(first.rate * seconds))
        if book.folder is not None:
            write_record(book.folder, record)
    return int(record.settled["budget"])


def method_of(prepared: Prepared, sizes: Sizes, first: Pilot, folder: RunFolder | None) -> Method:
    """The method that a plan asks for."""
    plan, space = prepared.plan, prepared.space
    seed = derived_seed(plan.seed, "method")
    if plan.method == "spsa":
        return SpsaSearch(
            space, seed, sizes.population, rounds=sizes.generations, pairs=sizes.pairs,
            noise=first.noise,
        )  # fmt: skip
    if plan.method == "optuna":
        journal = folder.root / JOURNAL if isinstance(folder, LocalFolder) else None
        return OptunaSearch(space, seed, sizes.population, journal)
    return CmaSearch(space, seed, sizes.population, plan.sigma or SIGMA)
