"""Who plays shards: threads, processes, Dask, Ray; killed workers; the same bits from all."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from handfoot_sim import simulate
from handfoot_sim.agent import Agent
from handfoot_sim.errors import HandfootError, IllegalDecision, RunError
from handfoot_sim.runs import engines
from handfoot_sim.runs.carrying import Run, carry_on
from handfoot_sim.runs.engines import Engine, Handing, Task, play_tasks
from handfoot_sim.runs.folder import LocalFolder, folder_at
from handfoot_sim.runs.shards import ShardKey
from handfoot_sim.runs.work import Keeping, sources_of
from handfoot_sim.simulation import plan

MATCHES = 600


class ThrowsThrees(Agent):
    """Discards red threes it does not have."""

    @staticmethod
    def discard(view, params):
        return 2


def comparison() -> Run:
    """A comparison cut into small shards."""
    work, pairing = plan(["greedy", "random_legal"], MATCHES, 7, "standard")
    return Run((replace(work, shard_matches=40, block_sets=2),), (pairing,))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "shards").iterdir()}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The shards as one worker writes them."""
    folder = tmp_path_factory.mktemp("alone")
    carry_on(comparison(), Engine(), folder_at(folder))
    return contents(folder)


def test_the_backend_is_chosen_by_what_is_played() -> None:
    many = 10**6
    assert Engine("auto", 1).chosen(True, many) == "alone"
    assert Engine("auto", 2).chosen(True, many) == "threading"
    assert Engine("auto", 64).chosen(True, many) == "loky"
    assert Engine("auto", 2).chosen(False, many) == "loky"
    assert Engine("auto", 2).chosen(False, 100) == "alone"
    assert Engine("loky", 2).chosen(True, many) == "loky"
    assert Engine("dask", 1).chosen(False, 100) == "dask"
    with pytest.raises(RunError, match="backend = 'mpi' must be one of auto, loky"):
        Engine("mpi")


def test_tasks_that_did_not_come_back_are_handed_out_again() -> None:
    work, pairing = plan(["greedy", "greedy"], 40, 1, "standard")
    tasks = [Task(work, ShardKey(0, n, n + 2), Keeping(), pairing, ()) for n in range(0, 10, 2)]
    handing = Handing(tasks)
    first, second, third = (next(handing) for _ in range(3))
    del handing.out[second.key]
    handing.again()
    assert [task.key for task in handing] == [first.key, third.key, tasks[3].key, tasks[4].key]


@pytest.mark.parametrize("backend", ["alone", "threading"])
def test_errors_of_agents_come_through(backend: str) -> None:
    engine = Engine("auto" if backend == "alone" else backend, 1 if backend == "alone" else 2)
    work, pairing = plan([ThrowsThrees, "greedy"], 80, 1, "standard")
    work = replace(work, shard_matches=20)
    with pytest.raises(IllegalDecision, match=r"ThrowsThrees broke rule 7\.1"):
        carry_on(Run((work,), (pairing,)), engine)


def deadly(place: Path) -> LocalFolder:
    """A run folder at which the first worker that writes its third shard is killed half-way.

    The class is made here so that it is sent to workers by value.
    """

    class Deadly(LocalFolder):
        def write(self, name: str, data: bytes) -> None:
            marker = self.root / "killed"
            if len(self.names("shards")) >= 2 and not marker.exists():
                marker.touch()
                (self.root / "shards" / ".deals-half.parquet.0123456789ab").write_bytes(data[:100])
                os.kill(os.getpid(), signal.SIGKILL)
            super().write(name, data)

    folder = Deadly(str(place))
    folder.prepare()
    return folder


def test_a_killed_process_is_survived(tmp_path: Path, alone: dict[str, bytes]) -> None:
    folder = deadly(tmp_path)
    played = carry_on(comparison(), Engine("loky", 2), folder)
    assert (tmp_path / "killed").exists()
    assert played.ledgers[0].done == MATCHES
    assert folder.sweep() >= 1  # joblib ends the other workers, too, wherever they are
    assert contents(tmp_path) == alone


def test_a_worker_of_another_version_is_refused() -> None:
    work, pairing = plan(["greedy", "greedy"], 40, 1, "standard")
    task = Task(work, ShardKey(0, 0, 2), Keeping(), None, sources_of(pairing))
    assert task.begin()().figures.tally.matches == 2
    with pytest.raises(RunError, match="has another version of handfoot-sim; install the same"):
        replace(task, engine="0" * 16).begin()
    with pytest.raises(RunError, match="the file of an agent was changed"):
        replace(task, sources=("0" * 16,)).begin()


class Killed(Exception):
    """Stands for what a library raises when a worker was killed."""


Killed.__name__ = "KilledWorker"


def test_workers_that_are_killed_again_and_again_end_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def dying(handing: Handing, **_: object) -> object:
        next(handing)
        raise Killed
        yield

    monkeypatch.setattr(engines, "_generated", dying)
    work, pairing = plan(["greedy", "greedy"], 40, 1, "standard")
    tasks = [Task(work, ShardKey(0, 0, 2), Keeping(), pairing, ())]
    with pytest.raises(RunError, match="were killed 4 times without finishing a shard") as caught:
        list(play_tasks(tasks, "loky", Engine("loky", 2)))
    assert caught.value.exit_code == 1


def test_clusters_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(HandfootError, match=r"needs Dask: pip install 'handfoot-sim\[dask\]'"):
        simulate(["greedy", "greedy"], 4, backend="dask")
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(HandfootError, match=r"needs Ray: pip install 'handfoot-sim\[ray\]'"):
        simulate(["greedy", "greedy"], 4, backend="ray")


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")
def test_dask_plays_the_same_bits_and_survives_a_kill(
    tmp_path: Path, alone: dict[str, bytes]
) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, scheduler_port=0
    ) as cluster:
        address = cluster.scheduler_address
        carry_on(comparison(), Engine("dask", 1, address), folder_at(tmp_path / "one"))
        assert contents(tmp_path / "one") == alone
        folder = deadly(tmp_path / "two")
        carry_on(comparison(), Engine("dask", 1, address), folder)
        assert (tmp_path / "two" / "killed").exists()
        folder.sweep()
        assert contents(tmp_path / "two") == alone


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")
def test_dask_says_where_it_looked() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(RunError, match="there is no Dask scheduler at"):
        simulate(["greedy", "greedy"], 4, backend="dask", address="tcp://127.0.0.1:1")


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")
def test_ray_plays_the_same_bits(tmp_path: Path, alone: dict[str, bytes]) -> None:
    ray = pytest.importorskip("ray")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        carry_on(comparison(), Engine("ray"), folder_at(tmp_path))
    finally:
        ray.shutdown()
    assert contents(tmp_path) == alone
    assert threading.active_count() < 50
