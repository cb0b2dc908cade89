"""Play matches from Python: ``simulate(["greedy", "random_legal"], matches=10_000, seed=1)``."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from handfoot_sim.engine.pairing import AgentLike, Pairing, make_pairing
from handfoot_sim.errors import HandfootError, RulesError, RunError
from handfoot_sim.game.state import FORFEIT
from handfoot_sim.playing import BATCH, ON_ILLEGAL, OnIllegal, choose_driver, log_match
from handfoot_sim.results import Results
from handfoot_sim.rules import Rules, preset, rules_from_mapping
from handfoot_sim.runs.carrying import Run, carry_on
from handfoot_sim.runs.engines import Engine, core_count
from handfoot_sim.runs.folder import LocalFolder, RunFolder, folder_at, writing_failed
from handfoot_sim.runs.manifest import read_manifest
from handfoot_sim.runs.shards import shard_size
from handfoot_sim.runs.work import Work, block_size
from handfoot_sim.transcripts.write import transcript, write_transcripts

DECISION_LIMIT: Final = 60.0
"""Seconds that a decision may take unless another limit is given."""

RulesLike = Rules | str | Mapping[str, Any]


def as_rules(rules: RulesLike) -> Rules:
    """Rules from rules, the name of a preset, or a mapping of fields."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return preset(rules)
    if not isinstance(rules, Mapping):
        raise RulesError(f"rules: {rules!r} is neither Rules, a preset's name, nor a mapping")
    return rules_from_mapping(rules)


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """``value`` as an int within bounds (both allowed); ``RunError`` if it is not one."""
    try:
        number = operator.index(value)
    except TypeError:
        raise RunError(f"{name} = {value!r} must be a whole number") from None
    if isinstance(value, bool) or not low <= number <= high:
        raise RunError(f"{name} = {value!r} must be from {low} to {high}")
    return number


def plan(
    agents: Sequence[AgentLike | Sequence[AgentLike]],
    matches: int,
    seed: int,
    rules: RulesLike,
    *,
    duplicate: bool = True,
    dealer: int = 0,
    driver: str | None = None,
    batch: int = BATCH,
    on_illegal: str = "stop",
    decision_limit: float | None = DECISION_LIMIT,
) -> tuple[Work, Pairing]:
    """Check what is asked and make the work of it; ``matches`` is rounded up to whole sets."""
    settled = as_rules(rules)
    if not isinstance(duplicate, bool | np.bool_):
        raise RunError(f"duplicate = {duplicate!r} must be True or False")
    pairing = make_pairing(agents, settled, duplicate)
    wanted = whole_number("matches", matches, 1, 10**12)
    sets = -(-wanted // pairing.mirrors)
    work = Work(
        lineups=tuple(tuple(a.specification or a for a in line) for line in pairing.lineups),
        rules=settled,
        seed=whole_number("seed", seed, 0, 2**64 - 1),
        matches=sets * pairing.mirrors,
        dealer=whole_number("dealer", dealer, 0, settled.players - 1),
        duplicate=bool(duplicate),
        driver=choose_driver(pairing, driver),
        shard_matches=shard_size(sets * pairing.mirrors, pairing.mirrors, settled),
        batch=whole_number("batch", batch, 1, 1_000_000),
        on_illegal=_on_illegal(on_illegal),
        block_sets=block_size(sets * pairing.mirrors, pairing.mirrors),
        decision_limit=_seconds(decision_limit),
    )  # fmt: skip
    return work, pairing


def _on_illegal(wanted: str) -> OnIllegal:
    if wanted not in ON_ILLEGAL:
        raise RunError(f"on_illegal = {wanted!r} must be one of {', '.join(ON_ILLEGAL)}")
    return "forfeit" if wanted == "forfeit" else "stop"


def _seconds(limit: float | None) -> float | None:
    if limit is None:
        return None
    if not isinstance(limit, int | float) or isinstance(limit, bool) or not 0 <= limit < 1e9:
        raise RunError(f"decision_limit = {limit!r} must be a number of seconds, 0 for no limit")
    return float(limit)


def worker_count(jobs: int) -> int:
    """Workers for ``jobs``: as given, or one a core for -1."""
    if isinstance(jobs, int) and jobs == -1:
        return core_count()
    try:
        return whole_number("jobs", jobs, 1, 4096)
    except RunError as error:
        raise RunError(f"{error}, or -1 for one a core") from None


def simulate(
    agents: Sequence[AgentLike | Sequence[AgentLike]],
    matches: int = 1000,
    seed: int = 0,
    rules: RulesLike = "standard",
    *,
    duplicate: bool = True,
    dealer: int = 0,
    driver: str | None = None,
    jobs: int = 1,
    backend: str = "auto",
    address: str = "",
    batch: int = BATCH,
    on_illegal: str = "stop",
    decision_limit: float | None = DECISION_LIMIT,
    out: str | Path | None = None,
    transcripts: int = 0,
    on_shard: Callable[[int], object] | None = None,
) -> Results:
    """Play matches between line-ups and return their results.

    Parameters
    ----------
    agents
        Two line-ups A and B, or one a team. A line-up is the specification of an agent (a name,
        ``module:Class``, ``path/to/file.py``, parameters after a colon), an agent, ``a+b`` or a
        sequence for a mixed partnership. With two line-ups and more than two teams, B takes all
        teams but one.
    matches
        How many, rounded up to whole sets of mirrors.
    seed
        0 to 2**64 - 1. The same seed gives the same bits with any driver, jobs and batch.
    rules
        ``Rules``, the name of a preset, or a mapping of fields.
    duplicate
        Whether the same cards are played once for each arrangement of the line-ups (mirrors).
    dealer
        Seat that deals first in every match.
    driver
        "fused" (compiled agents only) or "lockstep"; by default the fastest that can play.
    jobs
        Workers, -1 for one a core.
    backend
        Who they are: "auto", "loky", "threading", "dask" or "ray" (see docs/scaling.md).
    address
        Where the Dask scheduler or the Ray cluster is.
    batch
        Tables side by side in the lockstep driver.
    on_illegal
        "stop" ends the run where an agent breaks a rule or crashes; "forfeit" counts that match
        as lost by its team, 2,500 points a deal, and goes on.
    decision_limit
        Seconds that an agent may take over a decision, 0 or None for any time; an agent over
        arrays has as long again for every 1,000 tables that it is asked for at once. Compiled
        code that is late can't be stopped: it runs on in its thread until the process ends.
    out
        Run folder to write, or a URL that fsspec knows; a folder with the same run, broken off,
        is gone on with, and with more matches it is extended.
    transcripts
        How many of the first matches to write as transcripts into ``out``.
    on_shard
        Called with the number of matches done, whenever a shard has been played.

    Raises
    ------
    HandfootError
        ``AgentError``, ``RulesError`` or ``RunError`` for what can't be played, ``IllegalDecision``
        or ``AgentFailure`` where an agent misbehaves.
    """
    work, pairing = plan(
        agents, matches, seed, rules,
        duplicate=duplicate, dealer=dealer, driver=driver, batch=batch, on_illegal=on_illegal,
        decision_limit=decision_limit,
    )  # fmt: skip
    if out is not None and not isinstance(out, str | os.PathLike):
        raise RunError(f"out = {out!r} must be the path of a folder")
    if transcripts and out is None:
        raise RunError("transcripts are written into a run folder: give one (--out DIR)")
    written = whole_number("transcripts", transcripts, 0, work.matches)
    folder = folder_at(out) if out is not None else None
    played = carry_on(
        Run((work,), (pairing,), asked={"matches": work.matches}),
        Engine(backend, worker_count(jobs), address),
        folder,
        keep_tables=True,
        on_shard=(lambda count, _: on_shard(count) if count else None) if on_shard else None,
    )
    if written and folder is not None:
        save_transcripts(work, pairing, folder, written)
    manifest = played.manifest.as_mapping()
    return Results(manifest, played.tables, folder, played.played, played.seconds)


def read_results(out: str | Path) -> Results:
    """The results that a run folder (or a URL that fsspec knows) holds, of whatever kind.

    Raises ``RunError`` where there is no run.

    Examples
    --------
    >>> deals = read_results("results/round-robin").deals  # doctest: +SKIP
    """
    folder = folder_at(out)
    return Results(read_manifest(folder).as_mapping(), folder=folder)


def save_transcripts(work: Work, pairing: Pairing, folder: RunFolder, count: int) -> None:
    """Write the first ``count`` matches of a run into ``transcripts.jsonl.gz``."""
    if not isinstance(folder, LocalFolder):
        raise RunError(f"transcripts can't be written to {folder}; give a folder of this machine")
    path = folder.root / "transcripts.jsonl.gz"
    try:
        write_transcripts(path, match_transcripts(work, pairing, count))
    except OSError as error:
        raise writing_failed(path, error) from error


def match_transcripts(work: Work, pairing: Pairing, count: int) -> Iterable[dict[str, Any]]:
    """Transcripts of the first ``count`` matches of a run, in the order of its table.

    Matches that were forfeited are left out: they have no end.
    """
    for index in range(count):
        match, mirror = divmod(index, pairing.mirrors)
        log, rows = log_match(
            pairing, seed=work.seed, match=match, mirror=mirror, dealer=work.dealer,
            driver=work.driver,
        )  # fmt: skip
        if (rows["end"] == FORFEIT).any():
            continue
        written = transcript(
            log, work.rules, seed=work.seed, match=match, dealer=work.dealer,
            agents=pairing.seat_labels(mirror),
        )  # fmt: skip
        if not np.array_equal(written["totals"], rows["score"][0].sum(0)):
            raise HandfootError(f"the transcript of match {match} does not give its scores")
        yield written
