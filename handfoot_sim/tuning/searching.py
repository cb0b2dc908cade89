"""The search: generation after generation, each on fresh cards, until its share is spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from handfoot_sim.agent.interface import Value
from handfoot_sim.errors import AgentFailure, PlanError
from handfoot_sim.tally import Estimate, mean_estimate
from handfoot_sim.tuning.batches import Batch, Evaluated, Request, Setting
from handfoot_sim.tuning.evaluations import Book
from handfoot_sim.tuning.methods import Method
from handfoot_sim.tuning.plan import Sizes, derived_seed
from handfoot_sim.tuning.pool import Pool
from handfoot_sim.tuning.space import Space

START: Final = "start"
MEAN: Final = "mean"
CANDIDATE: Final = "candidate"

PILOT: Final = 8
"""Candidates by which noise and speed are measured before the search."""
PILOT_PAIRS: Final = 24
"""Pairs of each of them, at least."""
PILOT_SPREAD: Final = 0.1
"""How far they lie from the start, as a part of the bounds."""

FINALS: Final = 10
"""How many times the pairs of a trial each finalist plays."""

LAST: Final = 0.25
"""Part of the generations, the last ones, from which the search's own figure is taken."""


@dataclass(frozen=True)
class Generation:
    """A generation: what it came to, and what the method knew before it.

    ``start``, ``mean``, ``best``: values of the starting parameters, of the method's centre (NaN
    where it has none) and of the best candidate, on the same cards; ``matches``: played until its
    end; ``failed``: candidates at which the agent failed; ``centre`` and ``spread`` in places,
    shape (dimensions,), NaN where the method has none.
    """

    number: int
    matches: int
    start: float
    mean: float
    best: float
    failed: int
    centre: np.ndarray
    spread: np.ndarray


@dataclass(frozen=True)
class Searched:
    """What a search came to.

    Attributes
    ----------
    generations : in order
    answer : all parameters of the answer
    spread : standard deviation of the last distribution in places, NaN without one
    claimed : gain over the start by the search's own figures, from the last generations; chosen
        by these very figures, so to be believed only after re-evaluation
    best_seen : largest gain that any candidate showed, which is mostly luck
    failures : parameters at which the agent failed, and how, the first of each kind
    """

    generations: list[Generation]
    answer: dict[str, Value]
    spread: np.ndarray
    claimed: Estimate
    best_seen: float
    failures: list[tuple[dict[str, Value], str]]


@dataclass(frozen=True)
class Pilot:
    """What is measured before a search: the noise of a pair, and the speed.

    ``noise``: standard deviation of the gain of one pair, points a match; ``rate``: matches a
    second of all workers together.
    """

    noise: float
    rate: float


def pilot(book: Book, setting: Setting, pool: Pool, space: Space, seed: int) -> Pilot:
    """Play some parameters around the start; raises ``AgentFailure`` if the start itself fails."""
    random = np.random.default_rng(derived_seed(seed, "pilot"))
    near = space.start + random.normal(0.0, PILOT_SPREAD, (PILOT, len(space)))
    requests = [Request(START, dict(space.base))]
    requests += [Request(CANDIDATE, space.params(point)) for point in near]
    cards = derived_seed(seed, "pilot")
    counts = tuple(1 for _ in pool.members)
    blocks = max(PILOT_PAIRS, 40 // len(counts))
    book.evaluate(Batch("pilot-0", setting, pool, tuple(requests), counts, 2, cards))  # compiles
    batch = Batch("pilot-1", setting, pool, tuple(requests), counts, blocks, cards, 2 * len(counts))
    found = book.evaluate(batch)
    if found.messages[0]:
        raise AgentFailure(found.messages[0])
    gains = found.blocks[1:] - found.blocks[0]
    spreads = gains.var(axis=1, ddof=1)
    known = spreads[np.isfinite(spreads)]
    # A block has one pair a member; the variance of a pair of the pool is that of a pair of a
    # member chosen by weight, here taken as that of a block brought to one pair.
    effective = float(1.0 / np.square(pool.weights).sum())
    noise = float(np.sqrt(known.mean() * effective)) if len(known) else 0.0
    return Pilot(noise, found.matches / max(found.seconds, 1e-9))


def search(
    book: Book,
    setting: Setting,
    pool: Pool,
    space: Space,
    method: Method,
    sizes: Sizes,
    seed: int,
    seconds: float | None,
    on_generation: Callable[[Generation], object] = lambda generation: None,
) -> Searched:
    """Search until all generations are played, or ``seconds`` of playing are spent.

    The seconds are those that the book has for the batches, so a resumed search ends where the
    unbroken one does.
    """
    counts = pool.shares(sizes.pairs)
    cards, first = derived_seed(seed, "search"), 0
    generations: list[Generation] = []
    failures: dict[str, tuple[dict[str, Value], str]] = {}
    best_seen = 0.0
    for number in range(sizes.generations):
        if seconds is not None and book.spent.get("search", 0.0) >= seconds:
            break
        centre, spread = method.centre, method.spread
        points = method.ask()
        requests = _requests(space, centre, points)
        batch = Batch(
            f"search-{number:05d}", setting, pool, tuple(requests), counts, 1, cards, first
        )
        found = book.evaluate(batch)
        first += batch.cards
        values = found.values[len(requests) - len(points) :]
        method.tell(values)
        _note_failures(found, failures)
        generation = _generation(number, book, found, centre, spread, values, len(space))
        generations.append(generation)
        best_seen = max(best_seen, np.nan_to_num(generation.best - generation.start))
        on_generation(generation)
    if not generations or all(each.failed == sizes.population for each in generations):
        raise PlanError(_nothing(generations, failures))
    answer, claimed = _answer(book, setting, pool, space, method, counts, seed, generations)
    last = method.spread
    return Searched(
        generations=generations,
        answer=answer,
        spread=np.full(len(space), np.nan) if last is None else last,
        claimed=claimed,
        best_seen=best_seen,
        failures=list(failures.values()),
    )


def _nothing(generations: list[Generation], failures: Iterable[str]) -> str:
    if not generations:
        return "time: it was spent before the first generation; give more with --time"
    return f"the agent failed at all parameters that were tried: {next(iter(failures), '')}"


def _requests(space: Space, centre: np.ndarray | None, points: list[np.ndarray]) -> list[Request]:
    requests = [Request(START, dict(space.base))]
    if centre is not None:
        requests.append(Request(MEAN, space.params(centre)))
    return requests + [Request(CANDIDATE, space.params(point)) for point in points]


def _note_failures(found: Evaluated, failures: dict[str, tuple[dict[str, Value], str]]) -> None:
    for request, message in zip(found.batch.requests, found.messages, strict=True):
        if message:
            kind = message.partition(" (")[0]
            failures.setdefault(kind, (request.params, message))


def _generation(
    number: int,
    book: Book,
    found: Evaluated,
    centre: np.ndarray | None,
    spread: np.ndarray | None,
    values: np.ndarray,
    dimensions: int,
) -> Generation:
    nothing = np.full(dimensions, np.nan)
    known = values[np.isfinite(values)]
    return Generation(
        number=number,
        matches=book.matches["search"],
        start=float(found.values[0]),
        mean=float("nan") if centre is None else float(found.values[1]),
        best=float(known.max()) if len(known) else float("nan"),
        failed=len(values) - len(known),
        centre=nothing if centre is None else centre,
        spread=nothing if spread is None else spread,
    )


def _answer(
    book: Book,
    setting: Setting,
    pool: Pool,
    space: Space,
    method: Method,
    counts: tuple[int, ...],
    seed: int,
    generations: list[Generation],
) -> tuple[dict[str, Value], Estimate]:
    """The answer's parameters, and the gain that the search itself would claim for it."""
    finalists = method.finalists()
    if not finalists:
        last = generations[-max(2, round(LAST * len(generations))) :]
        gains = np.array([each.mean - each.start for each in last])
        known = gains[np.isfinite(gains)]
        estimate = mean_estimate(float(known.sum()), float(known @ known), len(known))
        return space.params(method.answer()), estimate
    requests = [Request(START, dict(space.base))]
    requests += [Request(CANDIDATE, space.params(point)) for point in finalists]
    cards = derived_seed(seed, "finals")
    found = book.evaluate(Batch("finals-0", setting, pool, tuple(requests), counts, FINALS, cards))
    best = 1 + int(np.nanargmax(found.values[1:]))
    gains = found.blocks[best] - found.blocks[0]
    estimate = mean_estimate(float(gains.sum()), float(gains @ gains), len(gains))
    return requests[best].params, estimate
