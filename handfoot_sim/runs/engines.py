"""Who plays shards: this process, threads, processes, or a cluster, all through joblib.

Whoever plays them, the shards are the same bits. A worker writes its shard itself and gives back
only figures. Tasks are handed out lazily, so that a run of any length needs little memory, and a
task whose worker was killed is handed out again.
"""

from __future__ import annotations

import functools
import os
import platform
import threading
import warnings
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Final, Generic, Protocol, TypeVar

import joblib

from handfoot_sim import jit
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.errors import HandfootError, RunError
from handfoot_sim.runs.shards import ShardKey
from handfoot_sim.runs.work import Keeping, Shard, Work, finish_shard, play_rows, sources_of

BACKENDS: Final = ("auto", "loky", "threading", "dask", "ray")
MOST_THREADS: Final = 8
"""Workers up to which threads are chosen for compiled agents: some tenth of a shard's time (tables,
figures, writing) is Python, of which one thread runs at a time."""

WORTH_A_PROCESS: Final = 4_000
"""Matches in lockstep for which processes are started (starting two takes about 2 s)."""

MOST_DEATHS: Final = 3
"""How often in a row workers may be killed without a shard being finished in between."""

RAY_BATCH: Final = 8
"""Tasks a worker in each list that is given to Ray, whose backend takes no generators."""


@dataclass(frozen=True)
class Engine:
    """Which workers play, and how many.

    ``jobs`` are workers of this machine; Dask and Ray use all that their cluster at ``address``
    has ("" : the cluster this process is part of, or one of this machine).
    """

    backend: str = "auto"
    jobs: int = 1
    address: str = ""

    def __post_init__(self) -> None:
        """Check the words; raises ``RunError``."""
        if self.backend not in BACKENDS:
            raise RunError(f"backend = {self.backend!r} must be one of {', '.join(BACKENDS)}")

    @property
    def workers(self) -> int:
        """How many workers are known to play on this machine."""
        return max(1, self.jobs)

    def chosen(self, compiled: bool, matches: int) -> str:
        """The backend to use: "alone" where one worker is enough, never "auto"."""
        if self.backend in ("dask", "ray"):
            return self.backend
        if self.jobs == 1 or (not compiled and matches < WORTH_A_PROCESS):
            return "alone"
        if self.backend != "auto":
            return self.backend
        return "threading" if compiled and self.jobs <= MOST_THREADS else "loky"


Outcome = TypeVar("Outcome")
Done = TypeVar("Done", covariant=True)


class Job(Protocol[Done]):
    """What a worker can be given: it plays, and then puts together what came of it."""

    @property
    def key(self) -> Hashable:
        """What tells it from the other jobs."""

    def begin(self) -> Callable[[], Done]:
        """Play; what is left is to call what comes back, which another thread may do."""


@dataclass(frozen=True)
class Task:
    """A shard to play, with all that a worker needs for it.

    ``pairing`` is None where the worker is another process: it loads the agents itself and sees by
    ``sources`` that they are the same, and by ``engine`` that the version is.
    """

    work: Work
    key: ShardKey
    keeping: Keeping
    pairing: Pairing | None
    sources: tuple[str, ...]
    engine: str = field(default_factory=jit.source_hash)

    def begin(self) -> Callable[[], Shard]:
        """Play the shard; what comes back adds it up and writes it."""
        if jit.source_hash() != self.engine:
            raise RunError(
                f"the worker on {platform.node()} has another version of handfoot-sim; install the "
                "same one everywhere"
            )
        pairing = self.pairing or self.work.pairing()
        if self.pairing is None and sources_of(pairing) != self.sources:
            raise RunError(
                "the file of an agent was changed while the run went on; put it back and run the "
                "same command again to go on, or start a new run"
            )
        rows = play_rows(self.work, pairing, self.key)
        return functools.partial(finish_shard, self.work, pairing, self.key, rows, self.keeping)


def attempt(job: Job[Outcome]) -> tuple[Hashable, Outcome | HandfootError]:
    """Do a job in a worker; errors for the user come back as values, other jobs go on."""
    try:
        return job.key, job.begin()()
    except HandfootError as error:
        return job.key, error


class Handing(Generic[Outcome]):
    """Jobs as they are handed out, one at a time, and those that have not come back.

    joblib asks for further jobs from threads of its own.
    """

    def __init__(self, jobs: Iterable[Job[Outcome]]) -> None:
        self._jobs = iter(jobs)
        self._lock = threading.Lock()
        self.out: dict[Hashable, Job[Outcome]] = {}

    def __iter__(self) -> Iterator[Job[Outcome]]:
        return self

    def __next__(self) -> Job[Outcome]:
        with self._lock:
            job = next(self._jobs)
            self.out[job.key] = job
            return job

    def again(self) -> None:
        """Put what has not come back before what was not handed out."""
        with self._lock:
            self._jobs = chain(list(self.out.values()), self._jobs)


Play = Callable[[Iterable[Job[Outcome]]], Generator[Outcome, None, None]]
"""Does jobs; what comes of them in whatever order they finish."""


def play_tasks(tasks: Iterable[Task], backend: str, engine: Engine) -> Generator[Shard, None, None]:
    """Play tasks with a backend; shards in whatever order they finish.

    Raises the first error of a worker, and ``RunError`` where workers are killed again and again.
    """
    with players(backend, engine) as play:
        yield from play(tasks)


@contextmanager
def players(backend: str, engine: Engine) -> Iterator[Play[Any]]:
    """The workers of a backend, for one lot of jobs after the other.

    What is yielded raises the first error of a worker, and ``RunError`` where workers are killed
    again and again.
    """
    if backend == "alone":
        yield _alone
        return
    with _cluster(backend, engine) as workers:
        yield functools.partial(_played, workers)


def _played(workers: Workers, jobs: Iterable[Job[Outcome]]) -> Generator[Outcome, None, None]:
    """Hand jobs to workers, again where a worker was killed."""
    handing = Handing(jobs)
    deaths = 0
    while True:
        try:
            with _closed(workers(handing)) as outcomes:
                for key, outcome in outcomes:
                    handing.out.pop(key, None)
                    deaths = 0
                    if isinstance(outcome, HandfootError):
                        raise outcome
                    yield outcome
            return
        except Exception as error:
            deaths += 1
            if isinstance(error, HandfootError) or not _is_death(error):
                raise
            if deaths > MOST_DEATHS:
                raise _given_up(error) from error
            handing.again()


def _alone(jobs: Iterable[Job[Outcome]]) -> Generator[Outcome, None, None]:
    """Do jobs one after the other; each is put together while the next is played."""
    with ThreadPoolExecutor(max_workers=1) as background:
        waiting: Future[Outcome] | None = None
        for job in jobs:
            finish = job.begin()
            if waiting is not None:
                yield waiting.result()
            waiting = background.submit(finish)
        if waiting is not None:
            yield waiting.result()


Outcomes = Generator[tuple[Hashable, Any], None, None]
Workers = Callable[[Handing[Any]], Outcomes]


def _cluster(backend: str, engine: Engine) -> AbstractContextManager[Workers]:
    """The workers of a backend, ready to be given tasks."""
    if backend == "dask":
        return _Dask(engine.address)
    if backend == "ray":
        return _Ray(engine.address)
    jobs, kind = engine.workers, backend
    return nullcontext(lambda handing: _generated(handing, n_jobs=jobs, backend=kind))


def _generated(handing: Handing[Any], **how: Any) -> Outcomes:
    """Outcomes of tasks from a backend of joblib that takes generators."""
    parallel = joblib.Parallel(return_as="generator_unordered", batch_size=1, **how)
    outcomes: Outcomes = parallel(joblib.delayed(attempt)(task) for task in handing)
    return outcomes


@contextmanager
def _closed(outcomes: Outcomes) -> Iterator[Outcomes]:
    """Outcomes that are closed at the end, without a warning of what an error left unfinished."""
    try:
        yield outcomes
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcomes.close()


class _Dask:
    """Workers of a Dask cluster, through joblib's backend of Dask itself."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> Workers:
        try:
            import distributed
        except ImportError:
            raise RunError(
                "the backend dask needs Dask: pip install 'handfoot-sim[dask]'"
            ) from None
        try:
            self.client = distributed.Client(self.address, timeout="10s")
        except (OSError, ValueError) as error:
            raise RunError(
                f"there is no Dask scheduler at {self.address!r} ({error}); give its address with "
                "--scheduler, such as tcp://host:8786"
            ) from None
        self.config = joblib.parallel_config(backend="dask")
        self.config.__enter__()
        return lambda handing: _generated(handing, n_jobs=-1)

    def __exit__(self, *error: object) -> None:
        self.config.__exit__(None, None, None)
        self.client.close()


class _Ray:
    """Workers of a Ray cluster, through the joblib backend that comes with Ray."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> Workers:
        try:
            import ray
            from ray.util.joblib import register_ray
        except ImportError:
            raise RunError("the backend ray needs Ray: pip install 'handfoot-sim[ray]'") from None
        self.began = not ray.is_initialized()
        if self.began:
            try:
                ray.init(address=self.address or None, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise RunError(
                    f"there is no Ray cluster at {self.address!r} ({error}); give its address "
                    "with --address, or none for this machine"
                ) from None
        register_ray()
        self.workers = int(ray.cluster_resources().get("CPU", 1))
        return self._lists

    def _lists(self, handing: Handing[Any]) -> Outcomes:
        while tasks := list(islice(handing, RAY_BATCH * self.workers)):
            with joblib.parallel_config(backend="ray"):
                yield from joblib.Parallel(n_jobs=self.workers, batch_size=1)(
                    joblib.delayed(attempt)(task) for task in tasks
                )

    def __exit__(self, *error: object) -> None:
        import ray

        if self.began:
            ray.shutdown()


def _is_death(error: Exception) -> bool:
    """Whether an error says that a worker was killed: by joblib, Dask or Ray."""
    names = {each.__name__ for each in type(error).__mro__}
    deadly = {"TerminatedWorkerError", "BrokenProcessPool", "KilledWorker", "RayActorError"}
    return bool(names & (deadly | {"ActorDiedError", "WorkerCrashedError", "CancelledError"}))


def _given_up(error: Exception) -> RunError:
    failure = RunError(
        f"workers were killed {MOST_DEATHS + 1} times without finishing a shard, perhaps for want "
        f"of memory ({type(error).__name__}); run the same command with fewer --jobs to go on"
    )
    failure.exit_code = 1
    return failure


def core_count() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
