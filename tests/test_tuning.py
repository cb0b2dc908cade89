"""Tuning finds what was planted, accepts no noise, and goes on after any interruption."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from handfoot_sim import simulate
from handfoot_sim.errors import AgentFailure, HandfootError, PlanError, RunError
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.tuning import Tuned, TunePlan, Watching, tune
from handfoot_sim.tuning.best import best_text, write_best
from handfoot_sim.tuning.deciding import decide
from handfoot_sim.tuning.preparing import asked_of, plan_of
from handfoot_sim.tuning.trials import _storage
from tests.planted import BEST_AIM, BEST_COUNT, Bare, Fragile, Idle, Noise, Planted, Unmakeable

PLANTED = "tests.planted:Planted"
SMALL: dict[str, Any] = {"against": ["greedy"], "held_out": [], "transfer": []}


def plan(agent: Any = PLANTED, **changes: Any) -> TunePlan:
    return TunePlan(**({"agent": agent, "budget": 30_000, "worth": 400.0} | SMALL | changes))


def settled(tuned: Tuned) -> tuple[Any, ...]:
    """All that must be the same whenever a run was interrupted."""
    return tuned.answer, tuned.decision, tuned.gains, tuned.curves, tuned.grid, tuned.matches


@pytest.mark.parametrize("method", ["cma", "spsa", "optuna"])
def test_a_planted_optimum_is_found(method: str) -> None:
    tuned = tune(plan(method=method, seed=5, budget=60_000), jobs=2)
    assert tuned.decision.accepted
    assert tuned.gain.gain.low > 1000
    assert abs(tuned.answer["aim"] - BEST_AIM) < 0.15
    assert abs(tuned.answer["count"] - BEST_COUNT) <= 2
    assert tuned.answer["calm"] is True
    best = max(
        (point for point in tuned.curves if "calm" in point.changed), key=lambda each: each.pairs
    )
    assert best.changed == {"calm": False}
    assert best.gain.high < 0


def accepted_noise(runs: int) -> int:
    """How many of so many searches over noise end with an accepted answer."""
    small = {"population": 8, "pairs": 10, "budget": 8_000, "worth": 700.0}
    return sum(
        tune(plan(Noise, seed=seed, **small), jobs=2).decision.accepted for seed in range(runs)
    )


def test_noise_is_not_accepted() -> None:
    assert accepted_noise(6) <= 1


@pytest.mark.heavy
@pytest.mark.skipif(not os.environ.get("HANDFOOT_HEAVY"), reason="set HANDFOOT_HEAVY=400")
def test_noise_is_not_accepted_in_a_hundred_runs() -> None:
    assert accepted_noise(100) <= 5


def test_the_luckiest_candidate_of_noise_is_luck() -> None:
    tuned = tune(plan(Noise, seed=3, budget=30_000))
    assert tuned.searched.best_seen > 300
    assert abs(tuned.gain.gain.value) < 2 * tuned.gain.gain.half_width


def test_the_same_on_any_number_of_workers(tmp_path: Path) -> None:
    asked = plan(budget=8_000, worth=900.0, population=6, pairs=8)
    alone = tune(asked)
    assert settled(alone) == settled(tune(asked, jobs=2))
    processes = tune(asked, jobs=2, backend="loky", out=tmp_path / "run")
    assert settled(alone) == settled(processes)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("method", ["cma", "spsa", "optuna"])
def test_an_interrupted_search_goes_on_to_the_same_result(tmp_path: Path, method: str) -> None:
    asked = plan(
        method=method, budget=16_000, params=["aim", "count"], against=["greedy", "itself"]
    )
    whole = tune(asked, out=tmp_path / "whole")
    stops = (1, 4, 9, 14)
    for stop in stops:
        left = [stop]

        def stopping(matches: int, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Stopped

        with pytest.raises(Stopped):
            tune(asked, out=tmp_path / "parts", watching=Watching(matches=stopping))
    parts = tune(asked, out=tmp_path / "parts")
    assert settled(parts) == settled(whole)
    assert best_text(parts) == best_text(whole)
    files = [
        sorted(p.name for p in (tmp_path / n / "evaluations").iterdir()) for n in ("whole", "parts")
    ]
    assert files[0] == files[1]
    for name in files[0]:
        a, b = (pd.read_parquet(tmp_path / n / "evaluations" / name) for n in ("whole", "parts"))
        pd.testing.assert_frame_equal(a, b)


def test_a_lock_that_a_killed_search_left_holds_nobody_up(tmp_path: Path) -> None:
    """Optuna would wait for it for ever, so what removes it is looked at before a search is."""
    lock = tmp_path / "optuna.journal.lock"
    lock.symlink_to("optuna.journal")
    _storage(tmp_path / "optuna.journal")
    assert not lock.is_symlink()
    asked = plan(method="optuna", budget=16_000, params=["aim", "count"])
    whole = tune(asked, out=tmp_path / "run")
    lock = tmp_path / "run" / "optuna.journal.lock"
    lock.symlink_to("optuna.journal")
    assert settled(tune(asked, out=tmp_path / "run")) == settled(whole)
    assert not lock.is_symlink()


def test_a_finished_search_plays_nothing_again(tmp_path: Path) -> None:
    first = tune(plan(budget=16_000), out=tmp_path)
    again = tune(plan(budget=16_000), out=tmp_path)
    assert again.timing is None
    assert settled(first) == settled(again)


def test_damaged_evaluations_are_played_anew(tmp_path: Path) -> None:
    whole = tune(plan(budget=16_000), out=tmp_path)
    file = tmp_path / "evaluations" / "search-00003.parquet"
    kept = pd.read_parquet(file)
    file.write_bytes(file.read_bytes()[:200])
    told: list[str] = []
    again = tune(plan(budget=16_000), out=tmp_path, watching=Watching(tell=told.append))
    assert settled(again) == settled(whole)
    assert "search-00003.parquet is damaged" in told[0]
    pd.testing.assert_frame_equal(kept, pd.read_parquet(file))


def spoilt(file: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change what a file of evaluations says about itself."""
    table = pq.read_table(file)
    (key,) = table.schema.metadata
    about = json.loads(table.schema.metadata[key])
    change(about)
    pq.write_table(table.replace_schema_metadata({key: json.dumps(about).encode()}), file)


def test_evaluations_that_do_not_say_what_was_asked_are_played_anew(tmp_path: Path) -> None:
    whole = tune(plan(budget=16_000), out=tmp_path)
    file = tmp_path / "evaluations" / "search-00003.parquet"
    spoilt(file, lambda about: about.pop("asked"))
    told: list[str] = []
    again = tune(plan(budget=16_000), out=tmp_path, watching=Watching(tell=told.append))
    assert settled(again) == settled(whole)
    assert "search-00003.parquet is damaged" in told[0]


def test_arrow_keeps_no_buffers_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its threads would let go of them when the interpreter is gone, which aborts the process."""
    tune(plan(budget=16_000), out=tmp_path)
    read, ahead = pq.read_table, set()

    def reading(*source: Any, **options: Any) -> Any:
        ahead.add(options.get("pre_buffer", True))
        return read(*source, **options)

    monkeypatch.setattr(pq, "read_table", reading)
    tune(plan(budget=16_000), out=tmp_path)
    assert ahead == {False}


def test_every_evaluation_is_kept(tmp_path: Path) -> None:
    tuned = tune(plan(budget=16_000), out=tmp_path)
    frame = pd.read_parquet(tmp_path / "evaluations")
    searched = frame[frame["batch"].str.startswith("search")]
    sizes = tuned.sizes
    assert len(searched) == sizes.generations * (sizes.population + sizes.extra)
    assert {"value", "error", "pairs", "params.aim", "params.count"} <= set(frame.columns)
    assert frame["params.aim"].between(0, 1).all()
    assert (searched["error"] > 0).all()


def test_another_search_is_refused_in_its_folder(tmp_path: Path) -> None:
    tune(plan(budget=16_000), out=tmp_path)
    with pytest.raises(RunError, match="another value of 'seed'"):
        tune(plan(budget=16_000, seed=9), out=tmp_path)
    with pytest.raises(RunError, match="holds a run of handfoot tune"):
        simulate(["greedy", "closer"], matches=4, out=tmp_path)


def test_the_answer_can_be_named_as_an_agent(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run")
    tuned = tune(plan("greedy", params=["pile_min", "rush"], budget=16_000), out=folder)
    best = write_best(tuned, folder, "sharpened")
    deals = simulate([best, "greedy"], matches=10).deals
    assert set(deals["agent"].unique()) == {"sharpened", "greedy"}


def test_a_candidate_that_fails_is_told_and_the_search_goes_on() -> None:
    tuned = tune(plan(Fragile, budget=16_000, sigma=0.3))
    assert tuned.answer["edge"] <= 0.5
    assert sum(each.failed for each in tuned.searched.generations) > 0
    assert "Fragile" in tuned.searched.failures[0][1]
    assert not tuned.decision.accepted
    assert any(point.failure for point in tuned.curves)
    with pytest.raises(AgentFailure, match=r"Fragile.*meld raised ZeroDivisionError"):
        tune(plan(Fragile(edge=0.9), budget=16_000))


def test_parameters_without_any_effect_are_not_tested_for_long() -> None:
    tuned = tune(plan(Idle, budget=8_000, worth=900.0))
    assert not tuned.decision.accepted
    assert tuned.decision.reason == "both play alike on all cards"
    assert tuned.decision.pairs == 30


def test_a_candidate_that_cannot_be_made_counts_as_failed() -> None:
    tuned = tune(plan(Unmakeable, budget=8_000, worth=900.0, sigma=0.4))
    assert tuned.answer["edge"] <= 0.5
    assert "making it failed: ValueError: too sharp" in tuned.searched.failures[0][1]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"params": ["speed"]}, "has no parameter 'speed'; it has: aim, count, calm"),
        ({"params": ["aim=0.9..0.1"]}, "bounds crossed"),
        ({"params": ["aim=0..3"]}, "from 0.0 to 1.0"),
        ({"params": ["aim=0.5"]}, "not of the form aim=LOW..HIGH"),
        ({"params": ["aim=0.5..0.9"]}, "starts at 0.3, which is outside its bounds"),
        ({"params": ["aim", "aim"]}, "named twice"),
        ({"params": ["count=2..2"]}, "nothing to tune"),
        ({"against": []}, "the pool is empty"),
        ({"against": ["greedy", "greedy*2"]}, "greedy is named twice"),
        ({"against": ["greedy*0"]}, "weight '0' must be a number above 0"),
        ({"against": ["greedy*nan"]}, "weight 'nan' must be a number above 0"),
        ({"against": "greedy"}, "against: expected a list"),
        ({"against": ["nash:/nowhere"]}, "is no run folder"),
        ({"held_out": ["greedy"]}, "greedy is in the pool"),
        ({"budget": 300}, "at least 10 are needed, so"),
        ({"worth": 2.0}, r"too few to decide.*give --budget \d+, or look for a gain of at least"),
        ({"worth": float("nan")}, "worth = nan must be a finite number"),
        ({"worth": -5.0}, "worth"),
        ({"worth": "much"}, "worth = 'much' must be a finite number"),
        ({"alpha": None}, "alpha = None must be a finite number"),
        ({"sigma": [0.1]}, r"sigma = \[0\.1\] must be a finite number"),
        ({"alpha": 0.7}, "alpha"),
        ({"budget": 10, "time": "1m"}, "give one of them"),
        ({"time": "soon", "budget": None}, "soon"),
        ({"budget": 0}, "budget"),
        ({"method": "luck"}, "method"),
        ({"method": "spsa", "sigma": 0.1}, "takes none"),
        ({"sigma": 0.0}, "sigma = 0.0 must be above 0"),
        ({"agent": Bare}, "Bare has no parameters to tune"),
        ({"agent": "balanced", "method": "optuna"}, "up to 10 parameters"),
        ({"dealer": 5}, "dealer = 5 must be below"),
        ({"agent": "greedy+closer"}, r"greedy\+closer is a partnership"),
    ],
)
def test_bad_input_ends_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(HandfootError, match=sentence):
        tune(plan(**changes))


def test_two_files_of_one_name_are_told_apart_in_the_refusal(tmp_path: Path) -> None:
    files = [tmp_path / name / "best.toml" for name in ("a", "b")]
    for number, file in enumerate(files):
        file.parent.mkdir()
        file.write_text(f'agent = "greedy"\n[parameters]\nrush = {number}\n')
    with pytest.raises(PlanError, match="are both called best in results; rename a file") as told:
        tune(plan(against=[str(file) for file in files]))
    assert all(str(file) in str(told.value) for file in files)


@pytest.mark.parametrize("where", ["agent", "against", "held_out"])
def test_an_agent_made_in_python_can_not_be_found_by_a_manifest(where: str) -> None:
    made = Planted(aim=0.4)
    given = made if where == "agent" else [made]
    asked = asked_of(plan(**{where: given}))
    with pytest.raises(PlanError, match=r"made in Python.*by the call that began the run"):
        plan_of(asked)


def test_a_time_budget_is_settled_once(tmp_path: Path) -> None:
    asked = plan(budget=None, time="2s", worth=2000.0, population=8, pairs=4)
    tuned = tune(asked, out=tmp_path)
    assert tune(asked, out=tmp_path).budget == tuned.budget


def test_against_itself_the_start_scores_nothing() -> None:
    tuned = tune(plan(against=["itself"], budget=16_000))
    assert all(each.start == 0.0 for each in tuned.searched.generations)
    assert [gain.group for gain in tuned.gains] == ["pool"]
    assert np.isclose(tuned.gain.start.value, 0.0)


def test_a_start_that_is_the_answer_is_not_tested() -> None:
    nothing: Any = None  # nothing is asked of book, setting and pool
    decision = decide(nothing, nothing, nothing, {"a": 1}, {"a": 1}, plan().test(), 1000, 0)
    assert not decision.accepted
    assert decision.pairs == 0


def test_a_plan_is_checked_when_it_is_made() -> None:
    with pytest.raises(PlanError, match="worth"):
        plan(worth=float("inf"))
    assert Planted().params["calm"] is False
