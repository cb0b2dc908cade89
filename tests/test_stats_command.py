"""``handfoot stats``: tables for people, and formats for machines."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from handfoot_sim import stats
from handfoot_sim.cli.main import run
from handfoot_sim.simulation import simulate
from handfoot_sim.stats.text import SHORT, TITLES, cell, frame_text, short_labels
from tests.synthetic import blank_rows, table_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run"
    simulate(["greedy", "random_legal"], 600, 4, out=path)
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = run(["stats", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_tables_are_aligned_and_fit(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = said(capsys, folder)
    assert (code, err) == (0, "")
    assert out.startswith(f"{folder}: 600 matches of 2 agents, 2 mirrors, 4 deals each")
    assert all(TITLES[name] in out for name in SHORT)
    assert max(map(len, out.splitlines()[1:])) <= 100
    code, out, _ = said(capsys, folder, "scores", "--deals")
    rows = [line.split()[:2] for line in out.splitlines() if line.startswith("greedy")]
    assert rows[:4] == [["greedy", str(deal)] for deal in range(4)]


def test_every_frame_has_a_table(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert set(TITLES) == set(stats.FRAMES)
    code, out, _ = said(capsys, folder, *stats.FRAMES, "--quiet")
    assert code == 0
    assert all(title in out for title in TITLES.values())


def test_formats_for_machines(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    frame = stats.scores(folder)
    _, out, _ = said(capsys, folder, "scores", "--format", "csv")
    read = pd.read_csv(io.StringIO(out), dtype={"deal": "str"})
    assert read["value"].tolist() == pytest.approx(frame["value"].tolist())
    assert list(read) == list(frame)
    _, out, _ = said(capsys, folder, "--format", "json")
    whole = json.loads(out)
    assert list(whole) == list(stats.FRAMES)
    assert whole["scores"][0]["value"] == frame["value"][0]
    _, out, _ = said(capsys, folder, "piles", "--format", "markdown")
    assert out.startswith("## piles\n\n| agent ")
    code, out, err = said(capsys, folder, "foot", "--format", "csv", "--out", tmp_path / "foot.csv")
    assert (code, out, err) == (0, "", f"{tmp_path / 'foot.csv'} written\n")
    assert (tmp_path / "foot.csv").read_text().startswith("agent,deal,figure")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["moods"], "there is no frame 'moods'; there are standings, head_to_head"),
        (["--format", "csv"], "a CSV file holds one frame"),
        (["scores", "foot", "--format", "csv"], "a CSV file holds one frame"),
        (["--variant", "3"], "there are no rules number 3"),
    ],
)
def test_bad_words_end_in_a_sentence(
    capsys: pytest.CaptureFixture[str], folder: Path, words: list[str], sentence: str
) -> None:
    code, out, err = said(capsys, folder, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"handfoot: {sentence}")
    assert err.count("\n") == 1


def test_other_failures_end_in_a_sentence(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    code, _, err = said(capsys, tmp_path)
    assert code == 2
    assert "is no run folder" in err
    code, _, err = said(capsys, folder, "scores", "--out", tmp_path / "no" / "where")
    assert code == 1
    assert "can't be written: No such file" in err


def test_parts_of_a_run_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    simulate(["greedy", "random_legal"], 1200, 4, out=folder)
    first = min((folder / "shards").iterdir())
    first.write_bytes(b"")
    code, _, err = said(capsys, folder)
    assert code == 2
    assert f"shard {first} can't be read" in err
    code, out, _ = said(capsys, folder, "foot", "--skip-corrupt")
    assert code == 0
    assert "700 matches of 1,200 asked for" in out
    assert f"left out: shard {first} can't be read" in out


def test_cells() -> None:
    nan = float("nan")
    assert cell(0.532, 0.528, 0.535, "%") == "53.2 ± 0.4"
    assert cell(1234.4, 1200, 1268.8, "points") == "1,234 ± 34"
    assert cell(29, 28, nan, "turn") == "29 [28, -]"
    assert cell(3.5, nan, nan, "a deal", 2) == "3.50"
    assert cell(nan, nan, nan, "%") == "-"


def test_many_agents_with_long_names_fit() -> None:
    labels = [f"greedy:pile_min=3,wild_start=4,open_weight={n}" for n in range(12)]
    assert len(set(short_labels(labels).values())) == 12
    totals = stats.Totals()
    for number in range(11):
        totals.add(table_of(blank_rows(3, deals=4), (labels[number], labels[number + 1]),
                            number=number))  # fmt: skip
    for name in (*SHORT, "fingerprint"):
        text = frame_text(name, stats.FRAMES[name](totals))
        assert max(map(len, text.splitlines())) <= 112, name
