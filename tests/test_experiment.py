"""Experiments: each answers, is the same bits again, goes on after a kill, can be reproduced."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from handfoot_sim import stats
from handfoot_sim.cli.main import run
from handfoot_sim.errors import RunError
from handfoot_sim.experiment import by_cards, changed, corrected, means, over_field, resampled
from handfoot_sim.experiment.catalogue import Entry, catalogue
from handfoot_sim.experiment.findings import BEGIN, END, findings
from handfoot_sim.experiment.study import read_experiment
from handfoot_sim.experiment.wording import amount, listed, share
from handfoot_sim.simulation import simulate
from handfoot_sim.tournament.plan import Plan
from handfoot_sim.tournament.playing import play_plan

ROOT = Path(__file__).resolve().parent.parent
NAMES = {
    "book_timing", "meld_minimums", "go_out_rates", "start_or_add", "pile_threshold", "wild_book",
    "seat_effects", "cross_play", "rule_changes", "players", "duplicate_variance", "round_robin",
}  # fmt: skip
TINY = ("--quick", "--scale", "0.03", "--quiet", "--seed", "3")
EASY = "start_or_add"
"""An experiment of a single run."""


def played(name: str, folder: Path, *words: str) -> Path:
    """The folder of an experiment that was played very small."""
    assert run(["experiment", name, "--out", str(folder), *TINY, *words]) == 0
    return folder


def tables(folder: Path) -> dict[str, bytes]:
    """All tables of an experiment as they lie there."""
    return {path.name: path.read_bytes() for path in sorted((folder / "tables").glob("*.csv"))}


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(EASY, tmp_path_factory.mktemp("easy") / EASY, "--jobs", "1")


def test_the_experiments_that_are_wanted_are_there() -> None:
    known = catalogue()
    assert set(known) == NAMES
    for entry in known.values():
        assert entry.question.endswith("?")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_experiment_answers(name: str, tmp_path: Path) -> None:
    folder = played(name, tmp_path / name)
    manifest = read_experiment(folder)
    assert manifest.finished
    assert (manifest.name, manifest.seed, manifest.size) == (name, 3, "quick")
    assert manifest.runs
    assert all(record.matches and record.rules for record in manifest.runs)
    assert all(len(agent.source) == 16 for agent in manifest.agents)
    assert len(manifest.agents) > 2
    for file in manifest.tables:
        frame = pd.read_csv(folder / file)
        assert len(frame)
        for column in {"value", "share", "margin"} & set(frame.columns):
            reached = frame[column].notna()
            assert np.isfinite(frame.loc[reached, column]).all(), (file, column)
            assert reached.mean() > 0.5, (file, column)
    assert manifest.figure in manifest.plots
    for file in manifest.plots:
        data = (folder / file).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert 10_000 < len(data) < 400_000, file
    text = (folder / "answer.md").read_text()
    assert text.startswith(f"# {manifest.question}\n\n")
    body = text.split("\n\n")[1]
    assert "n = " in body
    assert "95 %" in body
    assert not re.search(r"\b(nan|unknown|inf|NaN)\b", body), body


def test_workers_do_not_matter(easy: Path, tmp_path: Path) -> None:
    assert tables(played(EASY, tmp_path / EASY, "--jobs", "2")) == tables(easy)


def test_another_seed_gives_other_figures(easy: Path, tmp_path: Path) -> None:
    words = ["experiment", EASY, "--out", str(tmp_path / EASY), *TINY[:-1], "4"]
    assert run(words) == 0
    assert tables(tmp_path / EASY) != tables(easy)


def test_a_killed_experiment_goes_on_to_the_same_tables(tmp_path: Path) -> None:
    larger = ["--quick", "--quiet", "--jobs", "1"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    words = ["experiment", EASY, *larger, "--out"]
    command = [sys.executable, "-m", "handfoot_sim", *words, str(killed)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(killed.glob("runs/*/shards/*.parquet")):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    there = {path: path.stat().st_mtime_ns for path in killed.glob("runs/*/shards/*.parquet")}
    assert there
    assert not read_experiment(killed).finished
    assert run([*words, str(killed)]) == 0
    assert {path: path.stat().st_mtime_ns for path in there} == there
    assert run([*words, str(whole)]) == 0
    assert tables(killed) == tables(whole)
    assert read_experiment(killed).finished


def test_a_folder_of_something_else_is_refused(
    easy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in (
        ((EASY, "--quick"), "holds the experiment start_or_add with scale 0.03, not 1.0"),
        (("players", *TINY), "holds the experiment start_or_add with name start_or_add"),
    ):
        assert run(["experiment", *words, "--out", str(easy)]) == 2
        assert said in capsys.readouterr().err
    (tmp_path / "letter.txt").write_text("dear reader")
    assert run(["experiment", EASY, *TINY, "--out", str(tmp_path)]) == 2
    assert "is not empty and holds no experiment" in capsys.readouterr().err
    assert run(["experiment", "no_such_thing"]) == 2
    assert "there is no experiment 'no_such_thing'; there are book_timing" in (
        capsys.readouterr().err
    )


def test_experiments_are_listed_with_their_questions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment"]) == 0
    out = capsys.readouterr().out
    for entry in catalogue().values():
        assert re.search(rf"^{entry.name} +{re.escape(entry.question)}$", out, re.MULTILINE)


def test_a_checkout_plays_them_as_modules() -> None:
    words = [sys.executable, "-m", "experiments.players", "--help"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Play an experiment" in done.stdout


def test_without_a_checkout_it_says_where_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("handfoot_sim.experiment.catalogue.places", lambda: [tmp_path])
    assert run(["experiment"]) == 2
    assert "they lie in experiments/ of a checkout" in capsys.readouterr().err


def test_an_experiment_is_reproduced(easy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", str(easy), "--quiet"]) == 0
    said = capsys.readouterr()
    assert f"{EASY}: all 4 tables are the same, bit for bit" in said.out
    assert said.err == ""


def test_what_is_not_reproduced_is_named(
    easy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    altered = tmp_path / "altered"
    shutil.copytree(easy, altered)
    path = altered / "tables" / "changes_of_all.csv"
    lines = path.read_text().splitlines(keepends=True)
    lines[2] = "9" + lines[2]
    path.write_text("".join(lines))
    manifest = (altered / "manifest.json").read_text()
    known = read_experiment(altered)
    manifest = manifest.replace(known.agents[0].source, "0" * 16)
    manifest = manifest.replace(f'"numpy": "{known.versions["numpy"]}"', '"numpy": "0.1"')
    (altered / "manifest.json").write_text(manifest)
    assert run(["reproduce", str(altered), "--quiet", "--out", str(tmp_path / "again")]) == 1
    said = capsys.readouterr()
    assert re.search(r'changes_of_all.csv differs: row 2: was "9.*", is "', said.out)
    assert said.out.count("differs") == 1
    assert "agent balanced has changed since" in said.err
    assert "numpy was 0.1 and is" in said.err
    assert "1 of 4 tables of start_or_add came out differently" in said.err
    assert tables(tmp_path / "again") == tables(easy)


def test_only_experiments_are_reproduced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["reproduce", str(tmp_path)]) == 2
    assert "is no folder of an experiment" in capsys.readouterr().err


def test_findings_keep_what_was_written_by_hand(easy: Path, tmp_path: Path) -> None:
    shutil.copytree(easy, tmp_path / "reference" / EASY)
    page = tmp_path / "FINDINGS.md"
    page.write_text(f"old\n{BEGIN}\nMilker loses.\n{END}\nold")
    text = findings(tmp_path / "reference", page)
    assert "Milker loses." in text
    assert "old" not in text.split(END)[0].split(BEGIN)[1]
    answer = (easy / "answer.md").read_text().split("\n\n")[1]
    assert answer in text
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (tmp_path / target).exists(), target
    with pytest.raises(RunError, match="holds no finished experiment"):
        findings(tmp_path / "empty", page)


def test_margins_by_cards_are_those_of_the_statistics() -> None:
    results = simulate(["greedy", "closer"], matches=60, seed=5)
    cards = by_cards(results, ["points", "turns"])
    met = stats.head_to_head(results).set_index("agent")
    found = means(over_field(cards)).set_index("agent")
    for agent in ("greedy", "closer"):
        for name, own in (("margin", "value"), ("low", "low"), ("high", "high"), ("p", "p")):
            assert found.loc[agent, own] == pytest.approx(met.loc[agent, name])
    deals = results.deals
    own = deals[deals["agent"] == "closer"].groupby("match")[["score", "turns"]].mean()
    mine = cards[cards["agent"] == "closer"].set_index("match")
    assert mine["points"].to_numpy() == pytest.approx(own["score"].to_numpy(float))
    assert mine["turns"].to_numpy() == pytest.approx(own["turns"].to_numpy(float))


def test_a_strategy_with_several_teams_counts_by_its_mean() -> None:
    results = simulate(
        ["greedy", "closer"], matches=30, seed=5, rules={"players": 3, "teams": 3, "decks": 4}
    )
    cards = by_cards(results, ["points"]).set_index(["agent", "match"])
    deals = results.deals
    points = deals.groupby(["agent", "match"], observed=True)["score"].mean()
    for key, value in points.items():
        assert cards.loc[key, "points"] == pytest.approx(float(value))
    margin = 4 * (cards.loc["greedy", "points"] - cards.loc["closer", "points"])
    assert margin.to_numpy() == pytest.approx(cards.loc["greedy", "margin"].to_numpy())


def test_the_same_rules_change_nothing() -> None:
    plan = Plan(agents=["greedy", "closer", "milker"], matches=20, seed=2)
    tables = play_plan(plan, out=None)
    assert tables.played == 60
    results = simulate(["greedy", "closer"], matches=40, seed=2)
    wide = over_field(by_cards(results))
    frame = corrected(changed(wide, wide))
    assert (frame["value"] == 0).all()
    assert frame["holm"].isna().all()


def test_an_unknown_figure_is_refused() -> None:
    results = simulate(["greedy", "closer"], matches=4, seed=2)
    with pytest.raises(RunError, match="no figure 'luck'"):
        by_cards(results, ["luck"])


def test_resampled_means_are_about_the_mean_and_their_own_again() -> None:
    values = np.random.default_rng(1).normal([0.0, 5.0], 1.0, (400, 2))
    drawn = resampled(values, 500, 7)
    assert drawn.shape == (500, 2)
    assert drawn.mean(0) == pytest.approx(values.mean(0), abs=0.02)
    assert drawn.std(0) == pytest.approx(values.std(0) / 20, rel=0.15)
    assert (drawn == resampled(values, 500, 7)).all()


def test_figures_are_said_with_their_intervals() -> None:
    even = {"value": 1234.4, "low": 1178.4, "high": 1290.4}
    assert amount(even) == "1,234 ± 56 points"
    assert amount(even, "", signed=True) == "+1,234 ± 56"
    assert amount({"value": 0.5, "low": 0.1, "high": 2.0}, "times", 1) == "0.5 (0.1 to 2.0) times"
    assert amount({"value": 3.0, "low": np.nan, "high": np.nan}) == "3 points"
    assert share({"value": 0.532, "low": 0.5, "high": 0.56}) == "53.2 % (50.0 to 56.0)"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_a_file_without_play_is_none(tmp_path: Path) -> None:
    file = tmp_path / "empty.py"
    file.write_text('"""Is there anything?"""\n')
    with pytest.raises(RunError, match=r"empty\.py has no function play\(study\)"):
        Entry("empty", "Is there anything?", file).play()
