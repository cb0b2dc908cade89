"""Leagues: whom they tune against, what joins, that it lasts, and that nothing breaks them."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from handfoot_sim import plots, simulate
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.cli.main import run
from handfoot_sim.errors import AgentFailure, PlanError, RunError
from handfoot_sim.rules import PRESETS
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.tuning import League, LeaguePlan, LeagueWatching, league
from handfoot_sim.tuning.batches import Setting
from handfoot_sim.tuning.evaluations import Book, playing
from handfoot_sim.tuning.leagues import playing as league_playing
from handfoot_sim.tuning.leagues.forgetting import forgetting
from handfoot_sim.tuning.leagues.members import LeagueMember, member, members_of, strongest
from handfoot_sim.tuning.leagues.payoffs import Meeting, Payoffs, measured_rate
from handfoot_sim.tuning.leagues.plan import Purse, check_purse, purse_of
from handfoot_sim.tuning.leagues.tables import rating_rows
from handfoot_sim.tuning.leagues.text import forgetting_text, league_text
from handfoot_sim.tuning.plan import BudgetTooSmall, TunePlan, derived_seed
from handfoot_sim.tuning.tune import Tuned
from tests.interrupting import hear_ctrl_c

TOY = str(Path(__file__).with_name("blunderer.py"))
WEAK, BROKEN = f"{TOY}:blunder=70", f"{TOY}:broken=true"
SMALL: dict[str, Any] = {
    "agent": TOY, "pool": [WEAK, "greedy"], "params": ["blunder"], "budget": 15_000,
    "generations": 3, "payoff_matches": 120, "population": 4, "pairs": 3, "worth": 2000.0,
    "held_out": [], "transfer": [], "seed": 5,
}  # fmt: skip
WORDS = [
    "league", TOY, "--pool", f"{WEAK},greedy", "--params", "blunder", "--budget", "15000",
    "--generations", "3", "--payoff-matches", "120", "--population", "4", "--pairs", "3",
    "--worth", "2000", "--held-out", f"{TOY}:blunder=50", "--transfer", "standard", "--seed", "5",
]  # fmt: skip
TABLES = ("payoffs", "history", "generations", "forgetting")


def tables(folder: Path) -> dict[str, bytes]:
    """All tables, members and pictures of a league, by name; they name no path."""
    names = [f"tables/{name}.csv" for name in TABLES]
    names += [f"plots/{name}.svg" for name in ("history", "payoffs") if (folder / "plots").exists()]
    return {name: (folder / name).read_bytes() for name in names}


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / f"{name}.csv")


def played_files(folder: Path) -> dict[Path, int]:
    """When each file of evaluations was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[League, Path]:
    """A league that nothing broke, with its folder."""
    folder = tmp_path_factory.mktemp("league") / "whole"
    return league(LeaguePlan(**SMALL), out=folder), folder


def test_it_finds_what_is_best_and_keeps_it_as_an_agent(whole: tuple[League, Path]) -> None:
    found, folder = whole
    first = found.generations[0]
    assert first.start == "blunderer"
    assert first.accepted
    assert first.gain.low > 0
    made = load_agent(str(folder / "members" / "blunderer-g1.toml"))
    assert made.label == "blunderer-g1"
    assert made.params["blunder"] < 30
    assert made.params["idle"] == 3
    assert found.payoffs.labels[:3] == ("blunderer", "blunderer:blunder=70", "greedy")
    assert found.best in found.payoffs.labels[3:]


def test_each_generation_is_tuned_against_the_mix_before_it(whole: tuple[League, Path]) -> None:
    found, folder = whole
    seeds = set()
    for each in found.generations:
        asked = json.loads((folder / f"generations/{each.number:02d}/manifest.json").read_text())
        plan = asked["asked"]
        weights = dict(zip(each.before.labels, each.before.mix.tolist(), strict=True))
        named = {load_agent(t.rpartition("*")[0]).label: float(t.rpartition("*")[2])
                 for t in plan["against"]}  # fmt: skip
        assert named == {label: share for label, share in weights.items() if share >= 0.005}
        assert load_agent(plan["agent"]).label == each.start
        assert plan["budget"] == each.budget
        seeds.add(plan["seed"])
    assert len(seeds) == len(found.generations)


def test_payoffs_are_the_margins_that_simulate_finds(whole: tuple[League, Path]) -> None:
    found, folder = whole
    rows = table(folder, "payoffs")
    assert len(rows) == len(found.payoffs.labels) * (len(found.payoffs.labels) - 1) / 2
    specification = {each.label: each.specification for each in found.payoffs.members}
    for row in rows.itertuples():
        sides = [specification[row.b], specification[row.a]]
        deals = simulate(sides, matches=120, seed=derived_seed(5, "payoffs")).deals
        totals = deals.groupby(["agent"], observed=True)["score"].sum() / 120
        assert row.margin == pytest.approx(totals[row.a] - totals[row.b], abs=1e-9)
        assert row.pairs == row.pairs_won + row.pairs_tied + row.pairs_lost == 60


def test_the_tables_tell_what_happened(whole: tuple[League, Path]) -> None:
    found, folder = whole
    history, rounds = table(folder, "history"), table(folder, "generations")
    assert rounds["generation"].tolist() == [each.number for each in found.generations]
    assert rounds["member"].fillna("").tolist() == [each.member for each in found.generations]
    for number, rows in history.groupby("generation"):
        standing = found.generations[int(number) - 1].after if number else found.beginning
        assert rows["member"].tolist() == list(standing.labels)
        assert rows["mix_after"].sum() == pytest.approx(1.0)
        assert rows["rating"].tolist() == pytest.approx(standing.ratings.elo.tolist())
    assert found.matches <= 1.1 * 15_000
    text = league_text(found)
    for each in found.payoffs.labels:
        assert each in text
    assert "60 pairs of the same cards" in text


def test_a_finished_league_is_read_and_not_played_again(whole: tuple[League, Path]) -> None:
    found, folder = whole
    before, files = played_files(folder), tables(folder)
    stages: list[tuple[int, str]] = []
    again = league(
        LeaguePlan(**SMALL), out=folder, jobs=2,
        watching=LeagueWatching(stage=lambda number, stage: stages.append((number, stage))),
    )  # fmt: skip
    assert played_files(folder) == before
    assert tables(folder) == files
    assert (again.matches, again.ended) == (found.matches, found.ended)
    assert (0, "payoffs") in stages
    assert (1, "search") in stages


def test_a_member_that_was_changed_is_refused(whole: tuple[League, Path]) -> None:
    _, folder = whole
    path = folder / "members" / "blunderer-g1.toml"
    kept = path.read_bytes()
    try:
        path.write_text(re.sub(r"idle = \d", "idle = 8", kept.decode()))
        with pytest.raises(RunError, match=r"blunderer-g1\.toml was changed, but members"):
            league(LeaguePlan(**SMALL), out=folder)
    finally:
        path.write_bytes(kept)


def test_another_plan_is_refused(whole: tuple[League, Path]) -> None:
    with pytest.raises(RunError, match="another value of 'seed'"):
        league(LeaguePlan(**SMALL | {"seed": 6}), out=whole[1])


def killed(folder: Path, pattern: str, count: int) -> None:
    """Begin the league, or go on with it, and kill it as soon as so many files are there."""
    words = [sys.executable, "-m", "handfoot_sim", *WORDS, "--jobs", "2", "--out", str(folder)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        until = time.monotonic() + 240
        while time.monotonic() < until and running.poll() is None:
            if len(list(folder.glob(pattern))) >= count:
                break
            time.sleep(0.001)
        running.send_signal(signal.SIGKILL)
    assert running.returncode == -signal.SIGKILL, "it ended before it could be killed"


def test_killed_at_any_time_it_goes_on_to_the_same_league(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run([*WORDS, "--jobs", "1", "--quiet", "--out", str(whole)]) == 0
    told = capsys.readouterr().out
    for pattern, count in (
        ("payoffs/*.parquet", 1),
        ("generations/01/evaluations/search-*.parquet", 3),
        ("members/*.toml", 1),
    ):
        killed(broken, pattern, count)
    assert run(["status", str(broken)]) == 0
    assert f"to go on: handfoot resume {broken}" in capsys.readouterr().out
    before = played_files(broken)
    assert run(["resume", str(broken), "--jobs", "2", "--quiet"]) == 0
    assert capsys.readouterr().out.replace(str(broken), str(whole)) == told
    assert tables(broken) == tables(whole)
    after = played_files(broken)
    assert {path: after[path] for path in before} == before  # nothing was played twice
    assert run(["status", str(broken)]) == 0
    said = capsys.readouterr().out
    assert "finished: " in said
    assert "generations tuned" in said


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    words = [sys.executable, "-m", "handfoot_sim", *WORDS, "--budget", "100000000"]
    with subprocess.Popen(
        [*words, "--jobs", "1", "--out", str(folder)], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c,
    ) as running:  # fmt: skip
        until = time.monotonic() + 240
        while time.monotonic() < until and not list(folder.glob("generations/01/evaluations/s*")):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert f"to go on: handfoot resume {folder}" in err


def test_without_gains_it_ends(tmp_path: Path) -> None:
    asked = SMALL | {"params": ["idle"], "pool": ["greedy"], "generations": 9, "budget": 60_000}
    found = league(LeaguePlan(**asked), out=tmp_path)
    assert [each.accepted for each in found.generations] == [False, False]
    assert found.ended == "2 generations in a row were without a gain"
    assert found.best == ""
    assert found.payoffs.labels == ("blunderer", "greedy")
    assert not (tmp_path / "members").exists()
    assert "nothing to compare" in league_text(found)


def test_alone_it_plays_itself(tmp_path: Path) -> None:
    """The pool may name the agent only; then the first generation meets nobody else."""
    asked = SMALL | {"pool": [TOY], "generations": 1, "budget": None, "tune_budget": 4000}
    found = league(LeaguePlan(**asked), out=tmp_path)
    assert found.beginning.mix.tolist() == [1.0]
    assert found.beginning.ratings.elo.tolist() == [0.0]
    assert found.generations[0].accepted
    assert found.payoffs.labels == ("blunderer", "blunderer-g1")


def test_a_time_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = SMALL | {"budget": None, "time": "3s", "generations": 1}
    monkeypatch.setattr(league_playing, "measured_rate", lambda *_: 3000)
    found = league(LeaguePlan(**asked), out=tmp_path)
    assert found.budget == 9000
    monkeypatch.setattr(league_playing, "measured_rate", lambda *_: 1 / 0)
    assert league(LeaguePlan(**asked), out=tmp_path).budget == 9000


def test_the_rate_is_kept_in_the_book(tmp_path: Path) -> None:
    members = members_of(TOY, [WEAK])
    rates = []
    for _ in range(2):
        with playing(Engine(), True) as play:
            book = Book(folder_at(tmp_path), play, place="payoffs")
            rates.append(measured_rate(book, Setting(TOY, PRESETS["standard"]), members, 1))
    assert rates[0] == rates[1] > 0
    with playing(Engine(), True) as play, pytest.raises(PlanError, match="time: the speed can't"):
        measured_rate(Book(None, play), Setting(TOY, PRESETS["standard"]), members[:1], 1)


def test_who_fails_can_not_join(tmp_path: Path) -> None:
    with pytest.raises(AgentFailure, match=r"blunderer:broken=true can't join: .*broke rule"):
        league(LeaguePlan(**SMALL | {"pool": [BROKEN]}), out=tmp_path)
    payoffs = Payoffs(Setting(TOY, PRESETS["standard"]), 4, 1)
    with playing(Engine(), True) as play:
        book = Book(None, play)
        assert payoffs.join(book, member(TOY)) == ""
        assert "against blunderer: " in payoffs.join(book, member(BROKEN))
        assert payoffs.join(book, replace(member(WEAK), generation=2)) == ""
    assert payoffs.labels == ("blunderer", "blunderer:blunder=70")


def by_hand(margins: dict[tuple[int, int], np.ndarray], generations: list[int]) -> Payoffs:
    """Payoffs whose margins are given."""
    pairs = len(next(iter(margins.values())))
    payoffs = Payoffs(Setting(TOY, PRESETS["standard"]), pairs, 1)
    for number, generation in enumerate(generations):
        agent = load_agent(f"{TOY}:blunder={number}")
        payoffs.members.append(LeagueMember(f"{TOY}:blunder={number}", agent, generation))
    payoffs.meetings = [Meeting(a, b, values) for (a, b), values in margins.items()]
    return payoffs


def test_forgetting_is_seen_where_it_is(whole: tuple[League, Path]) -> None:
    random = np.random.default_rng(3)
    cards = random.normal(0, 3000, 400)  # what both generations share with the same cards
    noise = [random.normal(0, 300, 400) for _ in range(6)]
    payoffs = by_hand(
        {
            (0, 1): noise[0], (0, 2): noise[1], (0, 3): noise[2],
            (1, 2): -(500 + cards + noise[3]),  # the older generation, 2, beats the outsider, 1,
            (1, 3): -(100 + cards + noise[4]),  # by 400 points more than the newest, 3, does
            (2, 3): noise[5],
        },
        [0, 0, 1, 2],
    )  # fmt: skip
    compared = forgetting(payoffs)
    assert {(each.opponent[-1], each.older[-1]) for each in compared} == {
        ("1", "0"), ("1", "2"), ("2", "0"), ("0", "2"),
    }  # fmt: skip
    (lost,) = (each for each in compared if each.forgotten)
    assert (lost.opponent[-1], lost.older[-1], lost.newest[-1]) == ("1", "2", "3")
    assert lost.loss.low < 400 < lost.loss.high
    assert lost.loss.half_width < lost.margin_older.half_width / 4
    assert lost.holm == pytest.approx(min(1.0, 4 * lost.p))
    text = forgetting_text(replace(whole[0], payoffs=payoffs))
    assert "shown in 1 of 4 comparisons (400 pairs" in text


def test_forgetting_is_hardly_seen_in_noise() -> None:
    seen = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        pairs = [(a, b) for b in range(5) for a in range(b)]
        margins = {pair: random.normal(0, 2000, 100) for pair in pairs}
        seen += any(each.forgotten for each in forgetting(by_hand(margins, [0, 0, 0, 1, 2])))
    assert seen <= 7  # 3 are expected at 5 %; 8 or more have a probability of 1 %


def test_the_strongest_of_its_class_is_where_it_starts() -> None:
    members = members_of(TOY, [WEAK, "greedy", f"{TOY}:blunder=9"])
    assert strongest(members, [0, 1, 9, 1], ["all"]) is members[3]  # of equal ones the newest
    assert strongest(members, [0, 5, 9, 1], ["all"]) is members[1]
    assert strongest(members, [0, 5, 9, 1], ["blunder=0..60"]) is members[3]


def test_the_purse_is_divided_and_not_overdrawn() -> None:
    purse = Purse(100_000, 4, None, 100)
    spent, members = 300, 3
    for number in range(1, 5):
        share = purse.share(spent, number, members)
        assert share > 20_000
        spent += share // 2 if number == 1 else share  # what the first leaves goes to the others
        spent += members * 100
        members += 1
    assert 99_990 <= spent <= 100_000
    given = Purse(10_000, 9, 4000, 100)
    assert [given.share(spent, 2, 3) for spent in (0, 5700, 5701)] == [4000, 4000, 0]
    assert purse_of(LeaguePlan(**SMALL | {"payoff_matches": 7}), None, 2).meeting == 8


def test_a_budget_that_is_too_small_says_what_is_needed(tmp_path: Path) -> None:
    asked = SMALL | {"population": None, "pairs": None, "budget": 5000}
    with pytest.raises(BudgetTooSmall, match=r"matches leave .* give --budget") as raised:
        league(LeaguePlan(**asked), out=tmp_path / "a")
    assert not (tmp_path / "a").exists()
    enough = LeaguePlan(**asked | {"budget": raised.value.needed})
    check_purse(enough, purse_of(enough, None, 2), 3, 2)
    with pytest.raises(BudgetTooSmall, match=r"a generation needs about .* give --tune-budget"):
        league(LeaguePlan(**asked | {"budget": None, "tune_budget": 1000}), out=tmp_path / "b")
    with pytest.raises(BudgetTooSmall, match="enough for the payoffs of the pool and one") as again:
        league(LeaguePlan(**asked | {"budget": 9000, "tune_budget": 9000}), out=tmp_path / "c")
    assert again.value.needed > 9000
    with pytest.raises(BudgetTooSmall, match=r"matches leave .* give --budget"):  # to decide
        league(LeaguePlan(**SMALL | {"worth": 1.0}), out=tmp_path / "d")


def test_it_ends_where_a_later_generation_can_not_be_decided(
    whole: tuple[League, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found, folder = whole
    shutil.copytree(folder / "payoffs", tmp_path / "payoffs")  # not to be played again
    tune = league_playing.tune

    def too_noisy(plan: TunePlan, *, out: RunFolder, **more: Any) -> Tuned:
        if out.where.endswith("02"):
            raise BudgetTooSmall("budget: too few", 10**9)
        return tune(plan, out=out, **more)

    monkeypatch.setattr(league_playing, "tune", too_noisy)
    shutil.copy(folder / "manifest.json", tmp_path)
    short = league(LeaguePlan(**SMALL), out=tmp_path)
    assert short.ended == "the matches left are too few for generation 2"
    assert [each.member for each in short.generations] == [found.generations[0].member]
    assert table(tmp_path, "generations")["generation"].tolist() == [1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--pool", ""], "pool: it is empty; name at least one opponent"),
        (["--pool", "greedy,greedy"], "pool: greedy is named twice; name it once"),
        (["--pool", "gredy"], "there is no agent 'gredy'; did you mean greedy?"),
        (["--pool", "greedy+closer"], "members of a league are single agents, not mixed"),
        (["--pool", "greedy", "--params", "speed"], "agent blunderer has no parameter 'speed'"),
        (["--pool", "greedy", "--params", "idle=9..1"], "has its bounds crossed"),
        (["--pool", "greedy", "--generations", "0"], "generations: expected int >= 1"),
        (["--pool", "greedy", "--failures", "0"], "failures: expected int >= 1"),
        (["--pool", "greedy", "--payoff-matches", "1"], "payoff_matches: expected int >= 4"),
        (["--pool", "greedy", "--budget", "9", "--time", "9s"], "budget and time: give one"),
        (["--pool", "greedy", "--time", "soon"], "time = 'soon' must be a time"),
        (["--pool", "greedy", "--worth", "nan"], "worth = nan must be a finite number"),
        (["--pool", "greedy", "--held-out", "greedy"], "held_out: greedy is in the pool"),
        (["--pool", "greedy", "--budget", "100"], "matches leave 0 for a generation, which needs"),
        (["--pool", "greedy", "--out", "memory://league"], "its folder must be on a disk"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["league", TOY, "--out", str(tmp_path / "new"), *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("handfoot: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_a_name_that_the_league_gives_is_refused(tmp_path: Path) -> None:
    taken = tmp_path / "blunderer-g1.toml"
    taken.write_text(f'agent = "{TOY}"\n')
    with pytest.raises(PlanError, match="a name that this league gives"):
        members_of(TOY, [str(taken)])
    with pytest.raises(PlanError, match="can't be found by a name"):
        members_of(TOY, [load_agent("greedy")])


def test_the_history_is_drawn(whole: tuple[League, Path]) -> None:
    frame = pd.DataFrame(rating_rows(whole[0]))
    figure = plots.league_history(frame)
    rated, mixed = figure.axes
    assert rated.get_ylabel() == "Elo"
    assert mixed.get_xlabel() == "after generation"
    assert len({line.get_color() for line in mixed.lines}) == frame["agent"].nunique()
    with pytest.raises(RunError, match="is empty"):
        plots.league_history(frame.iloc[:0])
