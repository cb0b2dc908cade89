"""Tournaments from the command line to the tables: what they say, and that it holds."""

from __future__ import annotations

import csv
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from handfoot_sim.cli.live import Live
from handfoot_sim.cli.main import run
from handfoot_sim.engine.pairing import Pairing
from handfoot_sim.playing import play
from handfoot_sim.rules import Rules
from handfoot_sim.runs.carrying import carry_on, empty_ledgers
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.runs.speed import sized
from handfoot_sim.simulation import plan as plan_pairing
from handfoot_sim.tally import Estimate
from handfoot_sim.tournament.entrants import variants_of
from handfoot_sim.tournament.partners import partnerships
from handfoot_sim.tournament.plan import Plan
from handfoot_sim.tournament.playing import live_text, rates_of, report, run_of_plan, time_text
from handfoot_sim.tournament.report import chance, letter, matrix_table, rating_text, short, signed
from handfoot_sim.tournament.standings import (
    clustered_mean,
    clustered_proportion,
    field_of,
)
from tests.interrupting import hear_ctrl_c

AGENTS = "greedy,greedy:pile_min=3,random_legal"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of ``handfoot tournament``."""
    code = run(["tournament", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_round_robin_from_the_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    words = ["--agents", AGENTS, "--matches", "400", "--seed", "3", "--out", str(out)]
    code, text, _ = said(capsys, *words)
    assert code == 0
    assert text.startswith("round-robin of 3 line-ups: 3 pairings, 400 matches each, 1,200 in all")
    assert "estimated: " in text
    assert "random_legal" in text
    assert "Nash mix of the margins: " in text
    assert "1,200 matches in" in text
    assert f"run folder: {out}" in text
    with (out / "tables" / "ratings.csv").open() as file:
        standings = list(csv.DictReader(file))
    assert [row["place"] for row in standings] == ["1", "2", "3"]
    assert standings[2]["lineup"] == "random_legal"
    assert standings[2]["elo_is_bound"] == "True"
    with (out / "tables" / "pairings.csv").open() as file:
        pairings = list(csv.DictReader(file))
    assert [(row["a"], row["b"]) for row in pairings] == [
        ("greedy", "greedy:pile_min=3"),
        ("greedy", "random_legal"),
        ("greedy:pile_min=3", "random_legal"),
    ]
    counts = [int(pairings[1][name]) for name in ("pairs_won", "pairs_tied", "pairs_lost")]
    assert counts == [200, 0, 0]
    code, again, _ = said(capsys, *words)
    assert "nothing was left to play" in again
    tables = [part.split("\n\n\n")[0].partition("rules standard\n\n")[2] for part in (text, again)]
    assert tables[0].rpartition("\n\n")[0] == tables[1].rpartition("\n\n")[0]
    assert run(["resume", str(out), "--quiet"]) == 0
    assert "nothing was left to play" in capsys.readouterr().out


def test_a_dry_run_prints_the_plan_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('agents = ["greedy", "random_legal"]\nmatches = 100000\nrules = ["pagat"]\n')
    out = tmp_path / "run"
    code, text, _ = said(capsys, str(path), "--dry-run", "--out", str(out), "--seed", "9")
    assert code == 0
    assert "1 pairings, 100,000 matches each, 100,000 in all, seed 9" in text
    assert "rules: pagat" in text
    assert len(text.strip().splitlines()) == 3
    assert not out.exists()


def test_rules_are_crossed_with_the_pairings(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "greedy,random_legal", "--matches", "40", "--quiet"]
    _, text, _ = said(capsys, *words, "--rules", "standard", "--rules", "pagat")
    assert text.count("rules standard") == text.count("rules pagat") == 1
    _, text, _ = said(capsys, *words, "--rule", "players=3", "--rule", "teams=3")
    assert "margin: points a match of sets of 3 mirrors" in text


def test_a_cross_play_tells_who_plays_well_together(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--format", "cross-play", "--agents", "greedy,random_legal", "--matches", "200"]
    code, text, _ = said(capsys, *words, "--opponent", "greedy", "--out", str(tmp_path), "--quiet")
    assert code == 0
    assert re.search(r"greedy \+ greedy +0 ± 0 ", text)
    assert "greedy + random_legal" in text
    with (tmp_path / "tables" / "partnerships.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["agent"], row["partner"]) for row in rows] == [
        ("greedy", "greedy"),
        ("greedy", "random_legal"),
        ("random_legal", "random_legal"),
    ]
    assert {row["pairs"] for row in rows} == {"100"}


def test_each_pairing_has_a_test_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--agents", AGENTS, "--quiet", "--until", "sprt", "--elo1", "60", "--step", "100"]
    code, text, _ = said(capsys, *words, "--matches", "600", "--out", str(tmp_path))
    assert code == 0
    assert "H0: the first is 0 Elo better than the second\nH1: the first is 60 Elo" in text
    assert re.search(r"[AB] - C +100 +\+\d+\.\d\d +H1", text)
    with (tmp_path / "tables" / "pairings.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["matches"] for row in rows[1:]] == ["100", "100"]
    assert [row["accepted"] for row in rows[1:]] == ["H1", "H1"]
    assert float(rows[1]["llr"]) > 2.94
    words = ["--agents", AGENTS, "--quiet", "--until", "half-width", "--below", "400"]
    _, text, _ = said(capsys, *words, "--step", "300")
    assert re.search(r"[AB] - C +300 +yes", text)


BAD = [
    ([], "a tournament needs agents"),
    (["--agents", "greedy"], "agents: a round-robin takes at least 2 agents"),
    (["--agents", "greedy,gredy"], "did you mean greedy?"),
    (["--agents", "greedy,random_legal", "--format", "cup"], "'cup' is not one of"),
    (["--agents", "greedy,random_legal", "--matches", "0"], "matches: expected int >= 1"),
    (["--agents", "greedy,greedy:pile_min=2"], "are both called greedy in results"),
    (["--agents", "greedy,random_legal", "--anchor", "closer"], "anchor: closer is none of"),
    (["--agents", "greedy,random_legal", "--until", "half-width"], "needs below"),
    (["--agents", "greedy,random_legal", "--elo0", "3"], "not used with until = matches"),
    (["--agents", "greedy,random_legal", "--time", "soon"], "must be a time such as"),
    (["--agents", "greedy,random_legal", "--dealer", "4"], "dealer = 4 must be from 0 to 3"),
    (["--agents", "greedy,random_legal", "--step", "1"], "step: expected int >= 2"),
    (["nowhere.toml"], "the plan nowhere.toml can't be read"),
    (
        ["--agents", "greedy,random_legal", "--until", "sprt", "--rule", "teams=4"],
        "give margin0 and margin1 instead",
    ),
]


@pytest.mark.parametrize(("words", "sentence"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_ends_in_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.startswith("handfoot: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["resume", "status"])
def test_folders_that_are_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    assert run([command, str(tmp_path / "none")]) == 2
    assert "is no run folder: it has no manifest.json" in capsys.readouterr().err
    (tmp_path / "manifest.json").write_text('{"format": "handfoot-run-2"}')
    assert run([command, str(tmp_path)]) == 2
    assert "manifest.json is damaged: " in capsys.readouterr().err


def test_compare_stops_by_a_test(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["compare", "greedy", "random_legal", "--quiet", "--until", "sprt", "--step", "100"]
    assert run([*words, "--elo1", "20", "--out", str(tmp_path / "run")]) == 0
    text = capsys.readouterr().out
    assert "sequential test: H1 accepted after 200 matches (LLR " in text
    assert "\nH0: greedy is 0 Elo better than random_legal\nH1: greedy is 20 Elo better" in text
    assert run(["resume", str(tmp_path / "run"), "--quiet"]) == 0
    assert "H1 accepted after 200 matches" in capsys.readouterr().out
    assert run(["status", str(tmp_path / "run")]) == 0
    assert "200 of 200 matches" in capsys.readouterr().out
    assert run([*words[:1], "random_legal", "greedy", *words[3:], "--margin1", "900"]) == 0
    text = capsys.readouterr().out
    assert "H0 accepted after 200 matches" in text
    assert "\nH0: random_legal is 0 points a match better than greedy\n" in text
    words[5:7] = ["half-width", "--below"]
    assert run([*words[:7], "9000", "--step", "300"]) == 0
    assert "a half-width below 9000 points was reached after 300 matches" in capsys.readouterr().out
    assert run(["compare", "greedy", "greedy", "--until", "sprt", "--matches", "100"]) == 0
    assert "undecided after 100 matches" in capsys.readouterr().out


def test_ctrl_c_leaves_a_folder_to_go_on_with(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["tournament", "--agents", "greedy,random_legal", "--time", "10m", "--out", str(out)]
    command = [sys.executable, "-m", "handfoot_sim", *words]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, preexec_fn=hear_ctrl_c
    ) as running:
        until = time.monotonic() + 120
        while time.monotonic() < until and not list(out.glob("shards/deals-*")):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert f"to go on: handfoot resume {out}".encode() in err
    assert run(["status", str(out)]) == 0


def test_progress_is_told_in_plain_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handfoot_sim.cli.live.PLAIN_EVERY", 0.0)
    made = run_of_plan(Plan(agents=["greedy", "random_legal"], matches=80, seed=3))
    made = replace(made, works=tuple(replace(w, shard_matches=40) for w in made.works))
    with Live(live_text) as live:
        carry_on(made, Engine(), on_shard=live)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert re.match(
        r"40 of 80 matches, [\d,]+ matches/s, \d+ s left; greedy \+1\d,\d+ ± ", lines[0]
    )
    assert live_text(empty_ledgers(made)) == "no figures yet"


@pytest.fixture(scope="module")
def ten() -> str:
    """The report of a round robin of ten line-ups, some with long labels."""
    agents = [f"greedy:pile_min={n},wild_start=4,rush=4" for n in range(3, 11)]
    played = carry_on(run_of_plan(Plan(agents=[*agents, "greedy", "random_legal"], matches=40)),
                      Engine())  # fmt: skip
    return report(played, None)


def test_ten_line_ups_fit_a_hundred_columns(ten: str) -> None:
    assert max(len(line) for line in ten.splitlines()) <= 100
    assert "30 further pairings have p-values by Holm" in ten
    assert "(the matrix" not in ten


def test_the_matrix_is_antisymmetric_as_printed(ten: str) -> None:
    lines = ten.partition("(in brackets")[2].split("\n\n")[0].splitlines()[3:]
    assert len(lines) == 10
    cells = [[word.strip("()") for word in line[3:].split()] for line in lines]
    assert all(len(row) == 9 for row in cells)
    first = cells[0][8]
    assert int(cells[9][0].replace(",", "")) == -int(first.replace(",", ""))


def test_large_fields_are_shown_in_parts() -> None:
    labels = [(f"agent{n:02}", "fixed") for n in range(12)]
    given = {pair: np.random.default_rng(n).normal(n, 50, 90) for n, pair in enumerate(labels)}
    (variant,) = variants_of(ledgers_with(given, 90))
    field = field_of(variant.labels, variant.encounters)
    first, second = matrix_table(field).split("\n\n")
    assert first.split()[:10] == list("ABCDEFGHIJ")
    assert second.split()[:3] == list("KLM")
    assert len(first.splitlines()) == len(second.splitlines()) == 15
    names = [f"agent{n:02}" for n in range(21)]
    assert "in tables/pairings.csv" in matrix_table(field_of(names, []))


def ledgers_with(scores: dict[tuple[str, str], np.ndarray], sets: int) -> list[Ledger]:
    """Ledgers of pairings with given margins by set of mirrors, a block each."""
    work, _ = plan_pairing(["greedy", "greedy"], 2 * sets, 0, "standard")
    found = []
    for labels, margins in scores.items():
        ledger = Ledger(replace(work, block_sets=1), labels)
        won, tied, lost = (margins > 0, margins == 0, margins < 0)
        ledger._blocks = np.stack([won, tied, lost, margins, margins**2], axis=1).astype(float)
        ledger._used = len(margins)
        ledger.tally.sets, ledger.tally.matches = len(margins), 2 * len(margins)
        ledger.tally.margin[:] = margins.sum(), np.square(margins).sum()
        ledger.tally.sets_won[:] = won.sum(), tied.sum(), lost.sum()
        found.append(ledger)
    return found


def test_a_circle_is_seen_and_none_called_best() -> None:
    random = np.random.default_rng(1)
    labels = [("rock", "paper"), ("paper", "scissors"), ("scissors", "rock")]
    given = {pair: random.normal(-100, 300, 500) for pair in labels}
    (variant,) = variants_of(ledgers_with(given, 500))
    field = field_of(variant.labels, variant.encounters)
    assert field.circles == [(0, 2, 1)]
    assert field.nash == pytest.approx([1 / 3] * 3, abs=0.15)
    from handfoot_sim.tournament.report import verdict_text

    assert "there is no one best" in verdict_text(field)
    assert "is shown to beat 1 of 2 others" in verdict_text(field)


def test_margins_of_shared_cards_are_not_counted_as_independent() -> None:
    """Two pairings whose margins are the same by card tell no more than one of them."""
    margins = np.random.default_rng(2).normal(50, 400, 300)
    once = stats.sem(margins) * stats.t.ppf(0.975, 299)
    both = clustered_mean(np.stack([margins] * 2, 1), np.ones((300, 2)), np.array([0.5, 0.5]))
    assert both.half_width == pytest.approx(once)
    other = np.random.default_rng(3).normal(50, 400, 300)
    apart = clustered_mean(np.stack([margins, other], 1), np.ones((300, 2)), np.array([0.5, 0.5]))
    assert apart.half_width == pytest.approx(once / np.sqrt(2), rel=0.15)
    opposed = clustered_mean(np.stack([margins] * 2, 1), np.ones((300, 2)), np.array([0.5, -0.5]))
    assert opposed.value == pytest.approx(0)
    assert opposed.half_width == pytest.approx(0, abs=1e-9)


def test_intervals_over_blocks_hold_the_truth_about_95_times_in_100() -> None:
    held = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        shared = random.normal(0, 300, 400)
        sums = np.stack([shared + random.normal(m, 300, 400) for m in (10, 30, 80)], axis=1)
        found = clustered_mean(sums, np.ones((400, 3)), np.full(3, 1 / 3))
        held += found.low <= 40 <= found.high
    assert 180 <= held <= 199


def test_proportions_over_blocks() -> None:
    won = np.random.default_rng(4).binomial(1, 0.3, (1000, 2)).astype(float)
    free = clustered_proportion(won, np.ones((1000, 2)))
    assert free.value == won.mean()
    assert free.half_width == pytest.approx(1.96 * np.sqrt(0.21 / 2000), rel=0.1)
    tied = clustered_proportion(np.repeat(won[:, :1], 2, axis=1), np.ones((1000, 2)))
    assert tied.half_width == pytest.approx(np.sqrt(2) * free.half_width, rel=0.1)
    assert np.isnan(clustered_proportion(np.zeros((0, 1)), np.zeros((0, 1))).value)


def test_standings_agree_with_the_rows(tmp_path: Path) -> None:
    """Margins and shares counted again from the matches themselves."""
    made = run_of_plan(Plan(agents=["greedy", "greedy:pile_min=3", "random_legal"], matches=200))
    played = carry_on(made, Engine())
    (variant,) = variants_of(played.ledgers)
    field = field_of(variant.labels, variant.encounters)
    means, won = [], []
    for work, pairing in zip(made.works, made.pairings, strict=True):
        scores = play(pairing, seed=0, first_match=0, count=work.matches)["score"].sum(1)
        margins = (scores[::2, 0] - scores[::2, 1] + scores[1::2, 1] - scores[1::2, 0]) / 2
        means.append(margins.mean())
        won.append((margins > 0).mean() + (margins == 0).mean() / 2)
    greedy = next(each for each in field.standings if each.label == "greedy")
    assert greedy.margin.value == pytest.approx((means[0] + means[1]) / 2)
    assert greedy.share.value == pytest.approx((won[0] + won[1]) / 2)
    other = next(each for each in field.standings if each.label == "greedy:pile_min=3")
    assert other.margin.value == pytest.approx((means[2] - means[0]) / 2)
    assert (greedy.sets, greedy.matches) == (200, 400)


def test_pairings_without_results_are_left_out() -> None:
    made = run_of_plan(Plan(agents=["greedy", "greedy:pile_min=3", "random_legal"], matches=40))
    (variant,) = variants_of(empty_ledgers(made))
    field = field_of(variant.labels, variant.encounters)
    assert field.comparisons == []
    assert np.isnan(field.standings[-1].elo)
    played = carry_on(replace(made, seconds=0.0), Engine())
    assert "nothing to compare" in report(played, None)


def test_partners_are_compared_on_the_same_cards() -> None:
    labels = [("a", "x"), ("a+b", "x"), ("b+a", "x"), ("b", "x")]
    base = np.random.default_rng(5).normal(0, 500, 300)
    given = {pair: base + gain for pair, gain in zip(labels, (10, 40, 60, 20), strict=True)}
    (variant,) = variants_of(ledgers_with(given, 300))
    found = {each.agents: each for each in partnerships(variant)}
    mixed = found["a", "b"]
    assert mixed.together is not None
    assert mixed.together.value == pytest.approx(50 - 15)
    assert mixed.together.half_width == pytest.approx(0, abs=1e-6)
    assert mixed.margin.half_width > 40
    assert mixed.sets == 600
    assert found["a", "a"].together is None


def test_words_of_the_report() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]
    assert len(short("x" * 80)) == 30
    assert short("greedy") == "greedy"
    assert chance(0.0004) == "< 0.001"
    assert signed(Estimate(5.0, 1.0, 9.0, 3)) == "+5 ± 4"
    assert signed(Estimate(float("nan"), float("nan"), float("nan"), 0)) == "-"
    assert rating_text(-5.2, -9, -1, False) == "-5 [-9, -1]"
    assert rating_text(-5.2, -9, -1, True) == "-5 bound"
    assert rating_text(float("nan"), 0, 0, False) == "not tied"
    assert [time_text(s) for s in (5, 90, 7200, 9e5)] == ["5 s", "90 s", "2.0 h", "10.4 days"]


def test_shards_are_sized_by_speed() -> None:
    work, _ = plan_pairing(["greedy", "random_legal"], 10**6, 0, "standard")
    assert sized(work, 8234.0, 10**6, 2).shard_matches == 8200
    assert sized(work, 31.0, 10**6, 2).shard_matches == 32
    assert sized(work, 1e9, 10**6, 2).shard_matches == 31000  # what fits in little memory
    assert sized(work, 8234.0, 6000, 2).shard_matches == 750
    assert sized(work, 8234.0, 10**6, 2, seconds=2.0).shard_matches == 820
    assert sized(work, 8234.0, 10**6, 2, step=1001).shard_matches == 1002


def test_of_many_pairings_each_line_up_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = {"greedy": 8.0, "closer": 4.0, "hoarder": 2.0, "balanced": 1.0}
    asked = []

    def measured(work: object, pairing: Pairing) -> float:
        asked.append(pairing.labels)
        return 2 / sum(1 / speeds[label] for label in pairing.labels)

    monkeypatch.setattr("handfoot_sim.tournament.playing.measured_rate", measured)
    made = run_of_plan(Plan(agents=list(speeds), matches=40))
    exact = rates_of(made)
    assert len(asked) == 6
    monkeypatch.setattr("handfoot_sim.tournament.playing.MOST_MEASURED", 5)
    asked.clear()
    guessed = rates_of(made)
    assert asked == [("greedy", name) for name in ("closer", "hoarder", "balanced")]
    assert guessed[:3] == exact[:3]
    assert all(0.5 < one / two < 2 for one, two in zip(guessed, exact, strict=True))


def test_seats_are_balanced_for_all_numbers_of_players() -> None:
    """Each line-up sits, over the mirrors of a set, equally often at each place from the dealer."""
    for players, teams in ((2, 2), (3, 3), (4, 2), (5, 5), (6, 3), (6, 2)):
        rules = Rules(players=players, teams=teams, decks=6)
        _, pairing = plan_pairing(["greedy", "random_legal"], 12, 0, rules)
        greedy = pairing.seat_agents == 0
        assert (greedy.sum(0) == pairing.mirrors // teams).all()
