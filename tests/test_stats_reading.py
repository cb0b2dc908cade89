"""What statistics are read from: run folders of both formats, whole or not; and bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from handfoot_sim import stats
from handfoot_sim.cli.main import run as command
from handfoot_sim.errors import RunError
from handfoot_sim.simulation import simulate
from tests.synthetic import blank_rows, set_by_line_up, table_of


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    simulate(["greedy", "random_legal"], 1200, 4, out=folder)
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def shards(folder: Path) -> list[Path]:
    return sorted((folder / "shards").glob("*.parquet"))


def refusal(source: Any, **how: Any) -> str:
    """The sentence with which something is refused."""
    with pytest.raises(RunError) as caught:
        stats.totals(source, **how)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert caught.value.exit_code == 2
    return sentence


def test_a_folder_a_path_results_and_frames_say_the_same(finished: Path) -> None:
    results = simulate(["greedy", "random_legal"], 1200, 4, out=finished)
    found = [stats.scores(each) for each in (finished, str(finished), results, results.deals)]
    for other in found[1:]:
        pd.testing.assert_frame_equal(found[0], other)
    totals = stats.totals(finished)
    assert stats.totals(totals) is totals
    assert (totals.matches, totals.planned, totals.complete) == (1200, 1200, True)
    assert totals.rules is not None
    assert totals.rules["players"] == 4


def test_matches_are_told_as_they_are_counted(finished: Path) -> None:
    steps: list[int] = []
    stats.totals(finished, on_shard=steps.append)
    assert steps == [500, 500, 200]


def test_a_run_that_is_not_finished(run: Path) -> None:
    shards(run)[1].unlink()
    (run / "shards" / ".deals-000001.parquet.77").write_bytes(b"half a sh")
    totals = stats.totals(run)
    assert (totals.matches, totals.planned, totals.complete) == (700, 1200, False)
    assert stats.head_to_head(totals)["pairs"].tolist() == [350, 350]
    for path in shards(run):
        path.unlink()
    assert "holds no matches yet" in refusal(run)
    shutil.rmtree(run / "shards")
    assert "holds no matches yet" in refusal(run)


def test_a_run_that_its_stop_rule_ended_is_finished(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["--until", "half-width", "--below", "9000", "--step", "100", "--out", str(out)]
    assert command(["compare", "greedy", "random_legal", *words, "--quiet"]) == 0
    totals = stats.totals(out)
    assert totals.complete
    assert totals.planned == totals.matches < 1000


def test_a_folder_that_is_no_run(run: Path, tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere").endswith("is no run folder: it has no manifest.json")
    assert refusal(shards(run)[0]).endswith("is no run folder: it has no manifest.json")
    assert "can't be opened" in refusal("nostore://bucket/run")
    manifest = run / "manifest.json"
    manifest.write_text("{")
    assert "manifest.json can't be read" in refusal(run)
    manifest.write_bytes(b"\xff\xfe\x00")
    assert "manifest.json can't be read" in refusal(run)
    manifest.write_text("[]")
    assert "is not the manifest of a run" in refusal(run)
    manifest.write_text('{"format": "handfoot-run-1", "matches": 3}')
    assert "is damaged" in refusal(run)
    manifest.write_text('{"format": "handfoot-run-9"}')
    assert "newer version of handfoot-sim (handfoot-run-9" in refusal(run)


def test_a_corrupt_shard_is_named_and_can_be_left_out(run: Path) -> None:
    bad = shards(run)[1]
    data = bytearray(bad.read_bytes())
    data[len(data) // 3 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 3)
    whole = bad.read_bytes()
    for broken in (b"", b"PAR1 nothing", whole[: len(whole) // 2], bytes(data)):
        bad.write_bytes(broken)
        sentence = refusal(run)
        assert str(bad) in sentence
        assert "skip-corrupt" in sentence
        totals = stats.totals(run, skip_corrupt=True)
        assert totals.skipped == [str(bad)]
        assert (totals.matches, totals.complete) == (700, False)
    for path in shards(run):
        path.write_bytes(b"")
    assert "3 shards could not be read" in refusal(run, skip_corrupt=True)


def test_shards_of_another_version(run: Path) -> None:
    path = shards(run)[0]
    table = pq.read_table(path)
    more = table.append_column("mood", pa.array(np.zeros(len(table), np.int8)))
    pq.write_table(more, path)
    assert stats.totals(run).matches == 1200
    pq.write_table(table.drop_columns(["ready_turn"]), path)
    sentence = refusal(run)
    assert f"shard {path} has no column 'ready_turn'" in sentence
    pq.write_table(table.set_column(9, "turns", table.column("agent")), path)
    assert f"shard {path}: column 'turns' of the table deals holds no whole numbers" in refusal(run)
    assert stats.totals(run, skip_corrupt=True).matches == 700


def test_frames_that_are_not_the_table_deals(finished: Path) -> None:
    deals = pq.read_table(shards(finished)[0], columns=list(stats.reading.NEEDED)).to_pandas()
    assert refusal(deals.iloc[:0]) == "there are no deals to make statistics of"
    assert refusal([]) == "there are no deals to make statistics of"
    assert "no column 'score'" in refusal(deals.drop(columns="score"))
    assert "(and 2 more)" in refusal(deals.drop(columns=["score", "left", "end"]))
    assert "is not whole" in refusal(deals[deals["agent"] == "greedy"].iloc[:-1])
    assert "is not whole" in refusal(deals[deals["mirror"] == 1])
    assert "is not whole" in refusal(deals.drop(index=3))
    assert "is not whole" in refusal(pd.concat([deals, deals.iloc[:3]]))
    assert "holds no whole numbers" in refusal(deals.assign(turns=deals["turns"] + 0.5))
    assert "'score' of the table deals holds no whole" in refusal(deals.assign(score="many"))
    assert "no end of a deal" in refusal(deals.assign(end="sunset"))
    assert "has empty cells" in refusal(deals.assign(agent=None))
    swapped = deals.assign(agent=deals["agent"].astype(str))
    swapped.loc[0, "agent"] = "somebody"
    assert "do not keep their places" in refusal(swapped)
    assert "no frame or table" in refusal([3])
    assert "is no run folder, results, table or frame" in refusal(3)


def write_tournament(folder: Path) -> None:
    """A run of the second format: three pairings, of which the last is played by other rules."""
    (folder / "shards").mkdir(parents=True)
    pairings = [("a", "b", 0, 30), ("a", "c", 0, 40), ("a", "b", 1, 10)]
    manifest = {
        "format": "handfoot-run-2",
        "rules": [{"players": 4, "teams": 2}, {"players": 2, "teams": 2}],
        "pairings": [
            {"labels": [a, b], "rules": rules, "matches": matches}
            for a, b, rules, matches in pairings
        ],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for number, (a, b, _, matches) in enumerate(pairings):
        for first in range(0, matches, 20):
            stop = min(first + 20, matches)
            rows = blank_rows((stop - first) // 2)
            scores = np.tile([100 * number + 50, 10], ((stop - first) // 2, 2, 1, 1))
            set_by_line_up(rows, "score", scores)
            name = f"deals-{number:04d}-{first:09d}-{stop:09d}.parquet"
            table = table_of(rows, (a, b), first // 2, number)
            pq.write_table(table, folder / "shards" / name)


def test_a_tournament_of_several_pairings_and_rules(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    write_tournament(folder)
    totals = stats.totals(folder)
    assert totals.agents == ["a", "b", "c"]
    assert (totals.matches, totals.planned, totals.variants) == (70, 70, 2)
    assert totals.players_a_team == 2
    met = stats.head_to_head(totals)
    assert met["pairing"].tolist() == [0, 0, 1, 1]
    assert met["margin"].tolist() == [40, -40, 140, -140]
    assert met["pairs"].tolist() == [15, 15, 20, 20]
    place = stats.standings(totals).iloc[0]
    assert (place["agent"], place["margin"], place["pairs"]) == ("a", 90, 35)
    other = stats.totals(folder, variant=1)
    assert (other.matches, other.players_a_team, other.agents) == (10, 1, ["a", "b"])
    assert stats.head_to_head(other)["margin"].tolist() == [240, -240]
    assert "there are no rules number 2: the run has 2" in refusal(folder, variant=2)
    twice = folder / "shards" / "deals-0000-000000010-000000020.parquet"
    shutil.copy(folder / "shards" / "deals-0000-000000000-000000020.parquet", twice)
    assert "holds matches that" in refusal(folder)


def test_frames_know_no_rules() -> None:
    assert "frames tell of no rules" in refusal(table_of(blank_rows(2)), variant=1)
