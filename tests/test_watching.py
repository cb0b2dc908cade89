"""The time limit for decisions: an agent that loops for ever ends in a sentence."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from handfoot_sim.agent import BatchAgent, batch_blocks
from handfoot_sim.cli.main import run
from handfoot_sim.errors import AgentFailure, RunError
from handfoot_sim.simulation import simulate
from handfoot_sim.watching import THREAD, allowed, left_behind, watched

LOOPS = '''
from handfoot_sim.agent import Agent, blocks


class Loops(Agent):
    """Loops for ever where the random word says so."""

    @staticmethod
    def discard(view, params):
        n = 0
        while view.random % ONE_IN == 7:
            n = n * 3 + 1
        return blocks.cheapest_discard(view, 30)
'''
SENTENCE = (
    r"discard has not answered for 0\.5 s \(match \d+, mirror \d, deal \d, turn \d+, seat \d\)"
)


class BatchLoops(BatchAgent):
    """Loops for ever from its twentieth turn on."""

    def discard(self, views):
        while views["turn"].max() >= 20:
            pass
        return batch_blocks.cheapest_discard(views, 30)


@pytest.fixture
def looping(tmp_path: Path) -> Path:
    """An agent that loops in about the 100th of its decisions, and always in the same."""
    path = tmp_path / "loops.py"
    path.write_text(LOOPS.replace("ONE_IN", "100"))
    return path


@pytest.mark.parametrize("on_illegal", ["stop", "forfeit"])
def test_a_batch_agent_that_loops_is_named_and_made_to_end(on_illegal: str) -> None:
    words = r"agent BatchLoops: discard has not answered for 0.5 s \(.*match 0, .*--decision-limit"
    with pytest.raises(AgentFailure, match=words) as caught:
        simulate([BatchLoops, "greedy"], 4, 1, on_illegal=on_illegal, decision_limit=0.5)
    assert caught.value.exit_code == 1
    assert not left_behind()


@pytest.mark.parametrize("driver", ["fused", "lockstep"])
def test_a_compiled_agent_that_loops_ends_the_command(looping: Path, driver: str) -> None:
    words = [sys.executable, "-m", "handfoot_sim", "compare", str(looping), "greedy"]
    words += ["--matches", "4", "--decision-limit", "0.5", "--driver", driver]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert re.match(f"handfoot: agent loops: {SENTENCE}", last)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("driver", ["fused", "lockstep"])
def test_finished_shards_are_kept(tmp_path: Path, driver: str) -> None:
    """With this seed the agent loops in the sixth and the eighth shard of eight."""
    path = tmp_path / "loops.py"
    path.write_text(LOOPS.replace("ONE_IN", "300_000"))
    words = [sys.executable, "-m", "handfoot_sim", "compare", str(path), "greedy", "--jobs", "2"]
    words += ["--matches", "4000", "--seed", "1", "--decision-limit", "0.5", "--driver", driver]
    words += ["--out", str(tmp_path / "run")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "has not answered for 0.5 s" in done.stderr
    assert list((tmp_path / "run" / "shards").glob("deals-*.parquet"))


def test_from_python_it_is_an_error_and_python_goes_on(looping: Path) -> None:
    script = f"""
from handfoot_sim import simulate
from handfoot_sim.errors import AgentFailure
try:
    simulate([{str(looping)!r}, "greedy"], 4, 1, decision_limit=0.5)
except AgentFailure as error:
    print(error)
print(len(simulate(["greedy", "greedy"], 4, 1).deals))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300
    )
    first, second = done.stdout.splitlines()
    assert first.startswith("agent loops: discard has not answered for 0.5 s (match ")
    assert second == "32"


def test_the_limit_changes_no_results() -> None:
    lineups = ["greedy_numpy", "greedy"]
    watched_deals = simulate(lineups, 20, 1, decision_limit=5).deals
    assert watched_deals.equals(simulate(lineups, 20, 1, decision_limit=None).deals)
    assert watched_deals.equals(simulate(lineups, 20, 1, decision_limit=0).deals)
    assert not left_behind()


@pytest.mark.parametrize("limit", [-1, float("nan"), float("inf"), "soon", True])
def test_limits_that_are_none(limit: object) -> None:
    with pytest.raises(RunError, match=r"decision_limit = .* must be a number of seconds"):
        simulate(["greedy", "greedy"], 2, decision_limit=limit)


def test_the_command_refuses_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "greedy", "greedy", "--decision-limit", "-1"]) == 2
    assert "must be a number of seconds" in capsys.readouterr().err


def test_more_tables_at_once_have_more_time() -> None:
    assert [allowed(60, n) for n in (1, 999, 1000, 4096)] == [60, 60, 120, 300]


def test_errors_and_results_come_through() -> None:
    def fails() -> int:
        assert threading.current_thread().name == THREAD
        raise KeyError("lost")

    def never(_: object) -> Exception:
        raise AssertionError

    assert watched(lambda: 5, lambda: None, 1.0, never) == 5
    with pytest.raises(KeyError, match="lost"):
        watched(fails, lambda: None, 1.0, never)
