"""Run folders that are killed, extended, forced, locked: their shards stay what they should be."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from handfoot_sim import simulate
from handfoot_sim.cli.main import run
from handfoot_sim.errors import RunError
from handfoot_sim.runs.carrying import Run, carry_on, empty_ledgers, pending, run_of
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.runs.manifest import read_manifest
from handfoot_sim.runs.shards import Figures, ShardKey
from handfoot_sim.runs.work import Keeping, finish_shard, play_rows
from handfoot_sim.simulation import plan
from handfoot_sim.stopping import HalfWidth
from handfoot_sim.tournament.plan import Plan
from handfoot_sim.tournament.playing import run_of_plan

COMMAND = [sys.executable, "-m", "handfoot_sim"]
AGENTS = ["greedy", "greedy:pile_min=3", "random_legal"]


def small(agents: list[str] = AGENTS, matches: int = 240, shard: int = 40, **fields: object) -> Run:
    """A round robin cut into small shards."""
    made = run_of_plan(Plan(agents=agents, matches=matches, seed=4, **fields))
    works = tuple(replace(work, shard_matches=shard, block_sets=4) for work in made.works)
    return replace(made, works=works)


def contents(folder: Path) -> dict[str, bytes]:
    """Every shard by name."""
    return {path.name: path.read_bytes() for path in (folder / "shards").iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing broke."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    carry_on(small(), Engine(), folder_at(folder))
    return folder


def test_one_and_two_workers_write_the_same_files(whole: Path, tmp_path: Path) -> None:
    carry_on(small(), Engine("threading", 2), folder_at(tmp_path))
    assert contents(tmp_path) == contents(whole)
    assert (tmp_path / "manifest.json").read_bytes() == (whole / "manifest.json").read_bytes()


def test_processes_write_the_same_files(whole: Path, tmp_path: Path) -> None:
    carry_on(small(), Engine("loky", 2), folder_at(tmp_path))
    assert contents(tmp_path) == contents(whole)


def test_a_store_behind_a_url_holds_the_same(whole: Path) -> None:
    pytest.importorskip("fsspec")
    folder = folder_at("memory://store/run")
    carry_on(small(), Engine("threading", 2), folder)
    names = folder.names("shards")
    assert {name: folder.read(f"shards/{name}") for name in names} == contents(whole)


def test_missing_shards_are_played_and_no_others(whole: Path, tmp_path: Path) -> None:
    carry_on(small(), Engine(), folder_at(tmp_path))
    gone = [ShardKey(0, 0, 40), ShardKey(1, 80, 120), ShardKey(2, 200, 240)]
    for key in gone:
        (tmp_path / key.name).unlink()
    played = carry_on(small(), Engine(), folder_at(tmp_path))
    assert played.played == 120
    assert contents(tmp_path) == contents(whole)
    sums = [ledger.tally.margin.tolist() for ledger in played.ledgers]
    again = carry_on(small(), Engine(), folder_at(tmp_path))
    assert again.played == 0
    assert [ledger.tally.margin.tolist() for ledger in again.ledgers] == sums


def test_more_matches_and_more_agents_play_only_what_is_new(whole: Path, tmp_path: Path) -> None:
    folder = folder_at(tmp_path)
    carry_on(small(AGENTS[:2], 120), Engine(), folder)
    first = contents(tmp_path)
    more = carry_on(small(AGENTS, 240), Engine(), folder)
    assert more.played == 3 * 240 - 120
    assert contents(tmp_path).items() >= first.items()
    labels = [ledger.labels for ledger in more.ledgers]
    assert labels == [("greedy", "greedy:pile_min=3")] + [
        (name, "random_legal") for name in AGENTS[:2]
    ]
    assert contents(tmp_path) == contents(whole)
    rest = carry_on(small(["greedy", "random_legal"], 240), Engine(), folder)
    assert rest.played == 0
    assert len(rest.ledgers) == 3  # a part of the agents leaves the folder's pairings as they are
    with pytest.raises(RunError, match=r"holds 240 matches of greedy against .* already; ask for"):
        carry_on(small(AGENTS, 100), Engine(), folder)


def test_agents_named_the_other_way_round_are_the_same_meeting(whole: Path, tmp_path: Path) -> None:
    folder = folder_at(tmp_path)
    carry_on(small(AGENTS, 240), Engine(), folder)
    again = carry_on(small(AGENTS[::-1], 240), Engine(), folder)
    assert again.played == 0
    assert len(again.ledgers) == 3
    assert contents(tmp_path) == contents(whole)
    more = carry_on(small(AGENTS[1::-1], 280), Engine(), folder)
    assert more.played == 40


def test_a_stop_rule_throws_nothing_away_that_was_played_without_it(tmp_path: Path) -> None:
    folder = folder_at(tmp_path)
    carry_on(small(AGENTS[:2], 120), Engine(), folder)
    before = contents(tmp_path)
    until = small(AGENTS[:2], 400, until="half-width", below=9000, step=40)
    with pytest.raises(RunError, match="would throw away matches that are there; give another"):
        carry_on(until, Engine(), folder)
    assert contents(tmp_path) == before
    other = folder_at(tmp_path / "other")
    first = carry_on(until, Engine(), other)
    assert first.ledgers[0].tally.matches < 400
    assert carry_on(until, Engine(), other).played == 0  # the same rule goes on


def test_what_can_not_be_one_run_is_refused(tmp_path: Path) -> None:
    carry_on(small(matches=40), Engine(), folder_at(tmp_path))
    other = run_of_plan(Plan(agents=AGENTS, matches=40, seed=5))
    with pytest.raises(RunError, match="another value of 'seed'"):
        carry_on(other, Engine(), folder_at(tmp_path))
    with pytest.raises(RunError, match="holds a run of handfoot tournament"):
        simulate(AGENTS[:2], 40, 4, out=tmp_path)
    partners = run_of_plan(
        Plan(agents=AGENTS[:1], format="cross-play", opponent="random_legal", matches=40, seed=4)
    )
    with pytest.raises(RunError, match="another value of 'format' or 'opponent'"):
        carry_on(partners, Engine(), folder_at(tmp_path))
    carry_on(small(matches=40, rules="pagat"), Engine(), folder_at(tmp_path))
    assert len(read_manifest(folder_at(tmp_path)).rules) == 2


class Stopped(Exception):
    """Ends a run from within."""


def test_a_run_that_ends_anywhere_goes_on(whole: Path, tmp_path: Path) -> None:
    """After each number of shards that were written."""
    for number in range(0, 18, 5):
        folder = folder_at(tmp_path / str(number))
        left = [number]

        def stop(count: int, _: object, left: list[int] = left) -> None:
            if left[0] == 0:
                raise Stopped
            left[0] -= 1

        with pytest.raises(Stopped):
            carry_on(small(), Engine(), folder, on_shard=stop)
        carry_on(run_of(read_manifest(folder)), Engine(), folder)
        assert contents(tmp_path / str(number)) == contents(whole)


def test_a_full_disk_keeps_what_is_written(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [0]
    real = os.fsync

    def full(descriptor: int) -> None:
        written[0] += 1
        if written[0] > 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(RunError, match="the disk is full; free some space") as caught:
            carry_on(small(), Engine("threading", 2), folder_at(tmp_path))
    assert caught.value.exit_code == 1
    assert 0 < len(contents(tmp_path)) < 18
    assert contents(tmp_path).items() <= contents(whole).items()
    carry_on(small(), Engine(), folder_at(tmp_path))
    assert contents(tmp_path) == contents(whole)


def killed(words: list[str], folder: Path, shards: int) -> None:
    """Run a command and kill it as soon as so many shards are there, wherever it then is."""
    with subprocess.Popen(
        [*COMMAND, *words, "--out", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as running:
        until = time.monotonic() + 120
        while time.monotonic() < until and running.poll() is None:
            if len(list((folder / "shards").glob("deals-*"))) >= shards:
                break
            time.sleep(0.001)
        running.send_signal(signal.SIGKILL)
    assert running.returncode == -signal.SIGKILL, "it ended before it could be killed"


def test_sigkill_at_any_time_leaves_a_run_to_go_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", "greedy", "random_legal", "--matches", "30000", "--seed", "2"]
    words += ["--until", "half-width", "--below", "0.5", "--step", "500", "--jobs", "2"]
    for number, shards in enumerate((1, 9)):
        killed(words, tmp_path / str(number), shards)
        folder = folder_at(tmp_path / str(number))
        assert not folder.is_locked()
        assert run(["status", str(folder)]) == 0
        said = capsys.readouterr().out
        assert "of 30,000 matches" in said
        assert f"to go on: handfoot resume {folder}" in said
        assert run(["resume", str(folder), "--quiet"]) == 0
        assert "30,000 matches in 15,000 duplicate pairs" in capsys.readouterr().out
    assert contents(tmp_path / "0") == contents(tmp_path / "1")
    assert all(not name.startswith(".") for name in contents(tmp_path / "0"))


def test_a_second_process_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_at(tmp_path)
    carry_on(small(matches=40), Engine(), folder)
    with folder.locked():
        assert run(["resume", str(tmp_path), "--quiet"]) == 2
        assert "another process is playing into" in capsys.readouterr().err
        assert run(["status", str(tmp_path)]) == 0
        assert "a process is playing into it now" in capsys.readouterr().out


MINE = """from handfoot_sim.agent import Agent, blocks


class Mine(Agent):
    @staticmethod
    def discard(view, params):
        return blocks.cheapest_discard(view, 30)
"""


def test_a_changed_agent_is_refused_or_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "mine.py", tmp_path / "run"
    path.write_text(MINE)
    words = ["tournament", "--agents", f"greedy,{path}", "--matches", "500", "--out", str(out)]
    assert run([*words, "--quiet"]) == 0
    (copy,) = (out / "agents").iterdir()
    assert copy.read_text() == MINE
    path.write_text(MINE.replace("30", "0"))
    capsys.readouterr()
    words[4] = "700"
    assert run([*words, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "the file of agent mine was changed" in said
    assert "--force, which records it" in said
    assert run([*words, "--quiet", "--force"]) == 0
    manifest = read_manifest(folder_at(out))
    assert len(manifest.segments) == 1
    assert manifest.segments[0].done == {"0": 500}
    assert "the file of agent mine was changed" in manifest.segments[0].changes[0]
    assert len(list((out / "agents").iterdir())) == 2
    capsys.readouterr()
    assert run(["status", str(out)]) == 0
    assert "segment 1, forced" in capsys.readouterr().out
    assert run([*words, "--quiet"]) == 0  # what was forced is what it goes on with


def test_another_version_is_refused(tmp_path: Path) -> None:
    folder = folder_at(tmp_path)
    carry_on(small(matches=40), Engine(), folder)
    manifest = folder.read("manifest.json")
    version = read_manifest(folder).versions["handfoot-sim"]
    engine = read_manifest(folder).engine
    folder.write("manifest.json", manifest.replace(engine.encode(), b"0" * 16))
    with pytest.raises(RunError, match="the engine is another version"):
        carry_on(small(matches=40), Engine(), folder)
    older = manifest.replace(f'"{version}"'.encode(), b'"0.0.1"')
    folder.write("manifest.json", older)
    with pytest.raises(RunError, match=r"handfoot-sim is version .*, was 0\.0\.1"):
        carry_on(small(matches=40), Engine(), folder)
    carry_on(small(matches=40), Engine(), folder, force=True)
    assert read_manifest(folder).versions["handfoot-sim"] == version


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"seed": 4', '"seed": -4', "Expected `int` >= 0"),
        ('"matches": 40', '"matches": 0', "Expected `int` >= 1"),
        ('"shard_matches": 40', '"shard_matches": 0', "Expected `int` >= 1"),
        ('"rules": 0', '"rules": 3', "pairing 0 is played with rules number 3, but it lists 1"),
        ("        [\n          0", "        [\n          -1", "Expected `int` >= 0"),
        ("        [\n          0", "        [\n          7", "agent number 7, but it lists 3"),
        ('"step": 2000', '"step": 0', "Expected `int` >= 2"),
        ('"step": 2000', '"below": "x"', "Expected `float | null`, got `str`"),
        ('"step": 2000', '"time": 3', "Expected `str`, got `int`"),
        ('"kind": "tournament"', '"kind": 3', "Expected `str`"),
        ('"kind": "tournament"', '"kind": "cup"', "Invalid enum value 'cup'"),
    ],
)
def test_a_manifest_that_can_not_be_is_damaged(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    folder = folder_at(tmp_path)
    carry_on(small(matches=40), Engine(), folder)
    text = folder.read("manifest.json").decode()
    assert old in text
    folder.write("manifest.json", text.replace(old, new, 1).encode())
    with pytest.raises(RunError, match=rf"manifest\.json is damaged: .*{words}"):
        read_manifest(folder)


def test_status_needs_no_agents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "mine.py", tmp_path / "run"
    path.write_text(MINE)
    words = ["compare", "greedy", str(path), "--matches", "40", "--out", str(out), "--quiet"]
    assert run(words) == 0
    path.unlink()
    (shard,) = (out / "shards").iterdir()
    shard.unlink()
    capsys.readouterr()
    assert run(["status", str(out)]) == 0
    told = capsys.readouterr().out
    assert "0 of 40 matches" in told
    assert "greedy - mine" in told
    assert run(["resume", str(out)]) == 2
    assert f"agent {path}: the file can't be read" in capsys.readouterr().err


def test_agents_made_in_python_can_not_be_resumed_by_name(tmp_path: Path) -> None:
    from handfoot_agents.greedy import Greedy

    simulate([Greedy(), "greedy"], 4, 1, out=tmp_path)
    with pytest.raises(RunError, match="made in Python"):
        run_of(read_manifest(folder_at(tmp_path)))
    assert run(["status", str(tmp_path)]) == 0
    assert simulate([Greedy(), "greedy"], 8, 1, out=tmp_path).played == 4


def looking(rule: HalfWidth, jobs: int, folder: Path | None) -> object:
    """A comparison that stops by a rule, looked at after every 40 matches."""
    work, pairing = plan(AGENTS[:2], 4000, 3, "standard")
    work = replace(work, shard_matches=40, block_sets=2)
    made = Run((work,), (pairing,), rule=rule, step=40)
    engine = Engine("threading" if jobs > 1 else "auto", jobs)
    return carry_on(made, engine, folder_at(folder) if folder else None, keep_tables=True)


def test_a_rule_stops_after_the_same_match_on_any_number_of_workers(tmp_path: Path) -> None:
    rule = HalfWidth(120)
    ends = []
    for number, jobs in enumerate((1, 2, 4)):
        played = looking(rule, jobs, tmp_path / str(number))
        ledger = played.ledgers[0]
        assert ledger.decided
        ends.append((ledger.done, ledger.tally.margin.tolist()))
        assert sum(1 for _ in contents(tmp_path / str(number))) * 40 == ledger.done
    assert len({repr(end) for end in ends}) == 1
    assert 200 <= ends[0][0] < 4000
    assert len(looking(rule, 2, None).tables) * 40 == ends[0][0]
    before = contents(tmp_path / "0")
    (tmp_path / "0" / ShardKey(0, 40, 80).name).unlink()
    again = looking(rule, 1, tmp_path / "0")
    assert again.ledgers[0].done == ends[0][0]
    assert 40 <= again.played <= 80  # the next one may have begun before the rule was looked at
    assert contents(tmp_path / "0") == before


def test_a_time_budget_that_is_over_plays_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    played = carry_on(replace(small(), seconds=0.0), Engine())
    assert played.played == 0
    assert all(ledger.done == 0 for ledger in played.ledgers)


def test_pairings_get_their_first_cards_before_any_its_next() -> None:
    made = small()
    order = [key for _, key in pending(made, empty_ledgers(made), {}, None)]
    assert [key.first for key in order] == sorted(key.first for key in order)
    assert [key.pairing for key in order[:4]] == [0, 1, 2, 0]


def test_ten_million_matches_are_planned_in_little_memory() -> None:
    made = small(matches=10**7, shard=10_000)
    tracemalloc.start()
    count = sum(key.matches for _, key in pending(made, empty_ledgers(made), {}, None))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 3 * 10**7
    assert peak < 50 * 2**20


def figures_of(made: Run) -> Iterator[Figures]:
    """Figures of all shards of a run's first pairing."""
    work, pairing = made.works[0], made.pairings[0]
    for first in range(0, work.matches, work.shard_matches):
        key = ShardKey(0, first, first + work.shard_matches)
        rows = play_rows(work, pairing, key)
        yield finish_shard(work, pairing, key, rows, Keeping()).figures


def test_a_ledger_adds_up_in_the_order_of_the_cards() -> None:
    made = small()
    shards = list(figures_of(made))
    in_order, turned = empty_ledgers(made)[0], empty_ledgers(made)[0]
    for figures in shards:
        in_order.add(figures)
    for figures in reversed(shards):
        assert turned.done == 0
        turned.add(figures)
    assert turned.done == in_order.done == 240
    assert turned.finished
    assert (turned.blocks == in_order.blocks).all()
    assert turned.blocks[:, :3].sum() == turned.tally.sets == 120
