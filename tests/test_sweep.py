"""Sweeps: every point plays the same cards, and what is said of them is what was played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from handfoot_sim import simulate
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.cli.main import run
from handfoot_sim.errors import AgentFailure, HandfootError, RunError
from handfoot_sim.ratings.best import chance_of_best
from handfoot_sim.rules import Rules
from handfoot_sim.tuning import SweepPlan, Swept, sweep
from handfoot_sim.tuning.axes import parameter_axis, rule_axis, split_swept
from handfoot_sim.tuning.evaluations import Book
from handfoot_sim.tuning.plan import derived_seed
from handfoot_sim.tuning.sweep_text import sweep_text
from tests.fickle import Fickle

FICKLE = str(Path(__file__).with_name("fickle.py"))


def swept(agent: Any = "greedy:rush=1|3", **more: Any) -> Swept:
    given: dict[str, Any] = {"against": ["random_legal"], "matches": 80, "seed": 5} | more
    out = given.pop("out", None)
    jobs = given.pop("jobs", 1)
    return sweep(SweepPlan(agent=agent, **given), out=out, jobs=jobs)


def margin(agent: str, opponent: str, pairs: int, **more: Any) -> float:
    """Mean paired margin over the cards of a sweep with seed 5, by another way."""
    seed = derived_seed(5, "sweep")
    deals = simulate([agent, opponent], matches=2 * pairs, seed=seed, **more).deals
    scores = deals.groupby("agent", observed=True)["score"].sum()
    return float(scores[agent] - scores[opponent]) / (2 * pairs)


@pytest.mark.parametrize(
    ("text", "plain", "found"),
    [
        ("balanced:burst=0..10:6", "balanced", ["burst=0..10:6"]),
        ("balanced:rush=3,burst=0..10:6", "balanced:rush=3", ["burst=0..10:6"]),
        ("balanced:a=1..2:2,rush=3,b=1|2", "balanced:rush=3", ["a=1..2:2", "b=1|2"]),
        ("my.module:Miser:a=0..1:5,b=2", "my.module:Miser:b=2", ["a=0..1:5"]),
        ("some/my:odd.py:a=0..1:5", "some/my:odd.py", ["a=0..1:5"]),
        ("some/bots.py:Miser:a=0..1:5", "some/bots.py:Miser", ["a=0..1:5"]),
        ("tuned/best.toml:a=.1...5:5", "tuned/best.toml", ["a=.1...5:5"]),
        ("balanced:rush=3", "balanced:rush=3", []),
        ("balanced", "balanced", []),
    ],
)
def test_a_specification_is_split_into_what_is_swept_and_the_rest(
    text: str, plain: str, found: list[str]
) -> None:
    assert split_swept(text) == (plain, found)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("level=0..4:3", (0, 2, 4)),
        ("level=0..5", (0, 1, 2, 3, 4, 5)),
        ("level=4|1", (4, 1)),
        ("share=0.1..0.9:9", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)),
        ("share=.25..1:2", (0.25, 1.0)),
        ("bold=false..true:2", (False, True)),
        ("bold=true|false", (True, False)),
        ("size=0.1..1000:5", (0.1, 1.0, 10.0, 100.0, 1000.0)),
    ],
)
def test_values_of_a_parameter(text: str, values: tuple[Any, ...]) -> None:
    axis = parameter_axis(Fickle(), text)
    assert axis.values == values
    assert [type(v) for v in axis.values] == [type(axis.own)] * len(values)


@pytest.mark.parametrize(
    ("text", "values", "own"),
    [
        ("pile_take=3..11:5", (3, 5, 7, 9, 11), 7),
        ("wild_melds=false..true", (False, True), True),
        ("first_player=left|dealer", ("left", "dealer"), "left"),
        ("meld_minimums=0|50,90", ((0,), (50, 90)), (50, 90, 120, 150)),
    ],
)
def test_values_of_a_rule(text: str, values: tuple[Any, ...], own: Any) -> None:
    axis = rule_axis(Rules(), text)
    assert axis.values == values
    assert axis.own == own


def test_a_point_is_what_a_comparison_on_its_cards_says() -> None:
    found = swept("greedy:rush=0..6:3", matches=160).frame.set_index("params.rush")
    assert list(found.index) == [0, 3, 6]
    assert found.loc[3, "reference"]
    for rush in (0, 3, 6):
        agent = load_agent(f"greedy:rush={rush}").label
        expected = margin(agent, "random_legal", 80)
        assert found.loc[rush, "margin"] == pytest.approx(expected)
        assert found.loc[rush, "gain"] == pytest.approx(expected - found.loc[3, "margin"])
    assert (found["pairs"] == 80).all()
    assert (found["margin_low"] < found["margin"]).all()


def test_rules_are_swept_on_the_same_seeds() -> None:
    found = swept("greedy", over=["pile_take=3|5"], matches=160).frame
    assert found["rules.pile_take"].tolist() == [3, 5, 7]  # 7 is what the rules say
    assert found["asked"].tolist() == [True, True, False]
    assert found["reference"].tolist() == [False, False, True]
    expected = [
        margin("greedy", "random_legal", 80, rules={"pile_take": take}) for take in (3, 5, 7)
    ]
    assert found["margin"].tolist() == pytest.approx(expected)
    assert found["gain"].tolist() == pytest.approx([each - expected[2] for each in expected])


def test_a_parameter_under_several_rules_is_compared_under_each() -> None:
    found = swept("greedy:rush=1|5", over=["start_or_add=true|false"], matches=80)
    frame = found.frame
    assert frame["reference"].sum() == 2
    assert len(frame) == 6
    for _, own in frame.groupby("rules.start_or_add"):
        reference = own[own["reference"]]["margin"].iloc[0]
        assert own["gain"].to_numpy() == pytest.approx(own["margin"].to_numpy() - reference)
        assert own["maybe_best"].any()
    text = sweep_text(found)
    assert "under start_or_add = true: the largest margin is seen at rush = " in text
    assert "under start_or_add = false: " in text


def test_which_value_is_the_own_one_changes_gains_only() -> None:
    one = swept("greedy:rush=1|3").frame
    other = swept("greedy:rush=3,wild_start=3|4").frame
    assert one.loc[1, "margin"] == other.loc[0, "margin"]
    turned = swept("greedy:pile_min=2,rush=3|1").frame
    pd.testing.assert_frame_equal(one, turned)


def test_the_pool_counts_by_weight(tmp_path: Path) -> None:
    found = swept(against=["random_legal*3", "closer"], matches=400, out=tmp_path / "run").frame
    assert found["pairs"].tolist() == [200, 200]
    parts = [pd.read_parquet(path) for path in sorted((tmp_path / "run/evaluations").iterdir())]
    for point in range(2):
        margins = np.concatenate([np.stack(part["margins"][point], 0) for part in parts], axis=1)
        assert margins.shape == (2, 40)
        weak, strong = margins.mean(1)
        assert weak > strong
        assert found.loc[point, "margin"] == pytest.approx(0.75 * weak + 0.25 * strong)


def test_matches_are_rounded_up_whatever_the_weights() -> None:
    found = swept(against=["random_legal", "closer"], matches=400).frame
    assert (found["pairs"] >= 200).all()


def test_team_sizes_can_be_swept() -> None:
    found = swept("greedy", over=["teams=2|4"], matches=160).frame
    assert found["pairs"].tolist() == [80, 40]
    assert (found["margin"] > 0).all()


def test_any_number_of_workers_gives_the_same_frame() -> None:
    pd.testing.assert_frame_equal(swept().frame, swept(jobs=2).frame)


def test_values_at_which_the_agent_fails_are_shown_and_the_rest_goes_on(tmp_path: Path) -> None:
    found = swept(f"{FICKLE}:level=0..4:5", out=tmp_path / "run")
    frame = found.frame.set_index("params.level")
    assert (frame.loc[[3, 4], "failure"] != "").all()
    assert frame.loc[[3, 4], ["margin", "gain", "p_best"]].isna().all(axis=None)
    assert not frame.loc[[3, 4], "maybe_best"].any()
    assert (frame.loc[[0, 1, 2], "failure"] == "").all()
    assert frame.loc[[0, 1, 2], "margin"].notna().all()
    text = sweep_text(found)
    assert "the agent failed at 2 of 5 points:" in text
    assert "level = 3: " in text


def test_failing_everywhere_ends_in_a_sentence() -> None:
    with pytest.raises(AgentFailure, match="failed at all points"):
        swept(Fickle(level=4), params=["level=3|5"])


def test_a_reference_that_fails_leaves_margins() -> None:
    frame = swept(Fickle(level=4), params=["level=1|2"]).frame.set_index("params.level")
    assert frame.loc[[1, 2], "margin"].notna().all()
    assert frame["gain"].isna().all()
    assert frame.loc[2, "maybe_best"]
    assert not frame.loc[1, "maybe_best"]


class TestFolder:
    def test_holds_all_that_is_needed_to_read_it_again(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ["sweep", "greedy:rush=1|3", "--against", "random_legal", "--matches", "80"]
        out = ["--out", str(tmp_path / "run")]
        assert run([*words, *out]) == 0
        text = capsys.readouterr().out
        table = pd.read_csv(tmp_path / "run" / "tables" / "sweep.csv")
        assert len(table) == 2
        for name in ("sweep.png", "sweep.svg"):
            assert (tmp_path / "run" / "plots" / name).stat().st_size > 5000
        assert run([*words, *out]) == 0
        again = capsys.readouterr().out
        assert "all of them read from the folder" in again
        assert again.splitlines()[:8] == text.splitlines()[:8]

    def test_goes_on_after_an_interruption_to_the_same_frame(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "run"
        whole = swept(matches=80, out=tmp_path / "whole").frame
        evaluate, seen = Book.evaluate, []

        def interrupted(self: Book, batch: Any) -> Any:
            seen.append(batch.name)
            if len(seen) == 3:
                raise KeyboardInterrupt
            return evaluate(self, batch)

        words = ["sweep", "greedy:rush=1|3", "--against", "random_legal", "--matches", "80"]
        with monkeypatch.context() as patched:
            patched.setattr(Book, "evaluate", interrupted)
            assert run([*words, "--seed", "5", "--out", str(folder)]) == 130
        assert f"to go on: handfoot resume {folder}" in capsys.readouterr().err
        assert len(list((folder / "evaluations").iterdir())) == 2
        assert run(["resume", str(folder), "--jobs", "1", "--quiet"]) == 0
        assert "160 matches, 80 of them now" in capsys.readouterr().out
        read = pd.read_parquet(folder / "tables" / "sweep.parquet")
        pd.testing.assert_frame_equal(read, whole)
        assert run(["status", str(folder)]) == 0
        assert "finished" in capsys.readouterr().out

    def test_refuses_another_sweep(self, tmp_path: Path) -> None:
        swept(out=tmp_path / "run")
        with pytest.raises(RunError, match="another value of 'params'"):
            swept("greedy:rush=1|2", out=tmp_path / "run")


BAD = [
    (["greedy:rush=9..1:3"], "bounds crossed"),
    (["greedy:rush=1..5:1"], "too few steps"),
    (["greedy:rush=1..5:two"], "must be a whole number"),
    (["greedy:rush=1..3:9"], "3 values, fewer than 9"),
    (["greedy:rush=3..3:2"], "single value"),
    (["greedy:rush=1|1"], "named twice"),
    (["greedy:rush=1..99:3"], "must be a whole number from 0 to 13"),
    (["greedy:hurry=1..3:2"], "no parameter 'hurry'"),
    (["greedy:rush=1..2:2,rush=3..4:2"], "swept twice"),
    (["greedy"], "nothing is swept"),
    (["greedy:rush=1|2,pile_min=1|2,wild_start=3|4"], "sweep one or two at a time"),
    (["nobody:rush=1|2"], "there is no agent 'nobody'"),
    (["greedy", "--over", "pile_tke=1|2"], "did you mean pile_take"),
    (["greedy", "--over", "pile_take=3"], "is not swept"),
    (["greedy", "--over", "pile_take=many..11:2"], "only numbers have ranges"),
    (["greedy", "--over", "pile_take=3.5..11:2"], "is not allowed"),
    (["greedy", "--over", "first_player=left|right"], "allowed are left, dealer"),
    (["greedy", "--over", "players=2..4:3"], "(at players = 3 of the sweep)"),
    (["greedy:rush=1|2", "--matches", "5"], "too few for intervals"),
    (["greedy:rush=1|2", "--dealer", "4"], "dealer = 4"),
    (["greedy:share=1|2"], "no parameter 'share'"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_ends_in_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sweep", *words, "--against", "random_legal"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("handfoot: ")
    assert sentence in error
    assert len(error.splitlines()) == 1


def test_without_opponents_nothing_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "greedy:rush=1|2"]) == 2
    assert "name at least one opponent" in capsys.readouterr().err


def test_too_many_points_are_refused() -> None:
    with pytest.raises(HandfootError, match="points are too many"):
        swept(Fickle(), params=["share=0..1:100", "size=1..2:100"])


class TestBest:
    def test_holds_the_best_in_95_of_100_whichever_it_is(self) -> None:
        random = np.random.default_rng(3)
        missed = 0
        for _ in range(400):
            best = random.integers(6)
            blocks = random.normal(0.0, 1.0, (6, 20)) + random.normal(0.0, 2.0, 20)
            blocks[best] += 0.05
            missed += chance_of_best(blocks)[best] < 0.05
        assert missed <= 0.05 * 400

    def test_finds_what_is_clear_although_cards_differ_more(self) -> None:
        random = np.random.default_rng(4)
        blocks = random.normal(0.0, 1.0, (4, 30)) + random.normal(0.0, 50.0, 30)
        blocks += np.array([0.0, 5.0, 5.1, -3.0])[:, None]
        assert (chance_of_best(blocks) >= 0.05).tolist() == [False, True, True, False]

    def test_leaves_out_what_failed(self) -> None:
        blocks = np.array([[1.0, 2.0, 3.0], [np.nan, 1.0, 1.0], [0.5, 1.4, 2.6]])
        found = chance_of_best(blocks)
        assert np.isnan(found[1])
        assert found[0] > 0.5
        assert chance_of_best(blocks[:1]).tolist() == [1.0]

    def test_alike_in_every_block_is_no_difference(self) -> None:
        blocks = np.tile([3.0, 1.0, 2.0], (3, 1))
        assert chance_of_best(blocks).tolist() == [1.0, 1.0, 1.0]
        assert chance_of_best(np.vstack([blocks, blocks[:1] + 1.0])).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("words", [["--out", "page.html"], ["--no-plots"], ["--variant", "1"]])
def test_the_report_of_a_sweep_refuses_what_is_for_matches(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    asked = ["sweep", "greedy:rush=0|3", "--against", "closer", "--matches", "20", "--jobs", "1"]
    assert run([*asked, "--out", folder, "--quiet"]) == 0
    capsys.readouterr()
    assert run(["report", folder, *words]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith(f"handfoot: {words[0]} is for runs of matches")
    assert "holds a run of handfoot sweep" in written.err
    assert run(["report", folder, "--quiet"]) == 0
