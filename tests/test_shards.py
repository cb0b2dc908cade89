"""Shards: what is missing of a run, what a file's footer tells, and where a run is kept."""

from __future__ import annotations

import errno
import itertools
import os
from pathlib import Path

import filelock
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.errors import RunError
from handfoot_sim.playing import play
from handfoot_sim.results import SCHEMA, deals_table
from handfoot_sim.rules import Rules
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.runs.shards import (
    Damaged,
    Figures,
    ShardKey,
    missing,
    packed,
    read_figures,
    shard_bytes,
    shard_size,
    shards_in,
    unpacked,
)
from handfoot_sim.tally import BLOCK_SUMS, block_sums, tally_rows


@pytest.fixture(scope="module")
def figures() -> tuple[np.ndarray, Figures]:
    pairing = make_pairing(["greedy", "random_legal"], Rules())
    rows = play(pairing, seed=2, first_match=10, count=100)
    blocks = block_sums(rows, 2, 10, 8)
    return rows, Figures(ShardKey(3, 20, 120), tally_rows(rows, 2), *blocks, segment=1)


def test_names_say_what_a_shard_holds() -> None:
    key = ShardKey(3, 18_000, 20_000)
    assert key.name == "shards/deals-0003-000018000-000020000.parquet"
    assert key.matches == 2000


def test_missing_ranges_by_hand() -> None:
    there = [ShardKey(1, 20, 40), ShardKey(1, 50, 60)]
    found = [key[1:] for key in missing(there, 1, 95, 20)]
    assert found == [(0, 20), (40, 50), (60, 80), (80, 95)]
    assert [key[1:] for key in missing([], 0, 5, 20)] == [(0, 5)]
    assert list(missing([ShardKey(0, 0, 40)], 0, 40, 20)) == []


@given(
    st.lists(st.integers(0, 60), max_size=12, unique=True).map(sorted),
    st.integers(1, 60),
    st.integers(1, 25),
)
def test_missing_and_there_make_the_whole(cuts: list[int], matches: int, size: int) -> None:
    """Every second gap between the cuts is there; with what is missing nothing is twice."""
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    there = [ShardKey(0, first, stop) for first, stop in spans if stop <= matches]
    keys = sorted([*there, *missing(there, 0, matches, size)])
    assert keys[0].first == 0
    assert keys[-1].stop == matches
    assert all(one.stop == two.first for one, two in itertools.pairwise(keys))
    new = set(keys) - set(there)
    assert all(key.first // size == (key.stop - 1) // size for key in new)


def test_figures_come_back_from_a_footer(figures: tuple[np.ndarray, Figures]) -> None:
    _, given_figures = figures
    found = unpacked(packed(given_figures))
    assert found.key == given_figures.key
    assert (found.first_block, found.segment) == (1, 1)
    assert np.array_equal(found.blocks, given_figures.blocks)
    for name, value in vars(given_figures.tally).items():
        assert np.array_equal(value, getattr(found.tally, name)), name
    with pytest.raises(ValueError, match="no figures"):
        unpacked(b"eJwDAAAAAAE=")


def test_blocks_hold_the_sets_of_the_tally(figures: tuple[np.ndarray, Figures]) -> None:
    rows, found = figures
    tally = found.tally
    assert found.blocks.shape == (7, BLOCK_SUMS)  # cards 10 to 59 touch blocks 1 to 7 of eight
    assert np.array_equal(found.blocks[:, :3].sum(0), tally.sets_won)
    assert found.blocks[:, 3].sum() == tally.margin[0]
    assert found.blocks[:, 4].sum() == tally.margin[1]
    scores = rows["score"].sum(1).astype(float)
    margins = [
        (a[0] - a[1] + b[1] - b[0]) / 2 for a, b in zip(scores[::2], scores[1::2], strict=True)
    ]
    assert found.blocks[0, 3] == sum(margins[:6])  # cards 10 to 15


def test_outcomes_of_pairs_are_counted(figures: tuple[np.ndarray, Figures]) -> None:
    pairing = make_pairing(["greedy", "greedy:pile_min=4"], Rules())
    rows = play(pairing, seed=5, first_match=0, count=400)
    scores = rows["score"].sum(1)
    points = [
        1 + np.sign(int(one[0]) - int(one[1])) + 1 + np.sign(int(two[1]) - int(two[0]))
        for one, two in zip(scores[::2], scores[1::2], strict=True)
    ]
    tally = tally_rows(rows, 2)
    assert list(tally.outcomes) == [points.count(value) for value in range(5)]
    assert tally_rows(rows, 1).outcomes.sum() == 0  # single matches are no pairs


def test_a_file_is_what_it_says(tmp_path: Path, figures: tuple[np.ndarray, Figures]) -> None:
    rows, found = figures
    pairing = make_pairing(["greedy", "random_legal"], Rules())
    data = shard_bytes(deals_table(pairing, rows, 10, 3), found)
    folder = folder_at(tmp_path)
    folder.prepare()
    folder.write(found.key.name, data)
    assert shards_in(folder) == {3: [found.key]}
    again = read_figures(folder, found.key, 800, len(SCHEMA))
    assert again.tally.sets == 50
    other = ShardKey(3, 220, 320)
    folder.write(other.name, data)
    with pytest.raises(RunError, match="does not hold the matches it should; delete it"):
        read_figures(folder, other, 800, len(SCHEMA))
    folder.write(other.name, data[: len(data) // 2])
    with pytest.raises(Damaged):
        read_figures(folder, other, 800, len(SCHEMA))


def test_overlapping_shards_are_refused(tmp_path: Path) -> None:
    folder = folder_at(tmp_path)
    folder.prepare()
    for key in (ShardKey(0, 0, 20), ShardKey(0, 10, 30)):
        folder.write(key.name, b"")
    with pytest.raises(RunError, match=r"holds matches that .* holds too; delete one of them"):
        shards_in(folder)


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_at(tmp_path)
    folder.prepare()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match="the disk is full; free some space") as caught:
        folder.write("shards/deals.parquet", b"some")
    assert caught.value.exit_code == 1
    assert folder.names("shards") == []


def test_leftovers_are_swept(tmp_path: Path) -> None:
    folder = folder_at(tmp_path)
    folder.prepare()
    for name in (".manifest.json.0123456789ab", "shards/.deals-0.parquet.ba9876543210"):
        (tmp_path / name).touch()
    (tmp_path / "shards" / "note.txt").touch()
    assert folder.sweep() == 2
    assert folder.names("shards") == ["note.txt"]


def test_a_lock_ends_with_its_holder(tmp_path: Path) -> None:
    folder, other = folder_at(tmp_path), folder_at(tmp_path)
    folder.prepare()
    assert not folder.is_locked()
    with folder.locked():
        assert other.is_locked()
        with pytest.raises(RunError, match="another process is playing into"), other.locked():
            pass
    with other.locked():
        pass


def test_a_folder_that_can_not_be_written_is_not_taken_for_one_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_at(tmp_path)
    folder.prepare()
    with folder.locked():
        pass

    def refused(self: object, *words: object, **named: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(filelock.FileLock, "acquire", refused)
    assert (tmp_path / ".lock").exists()
    assert not folder.is_locked()
    with pytest.raises(RunError, match="Read-only file system"), folder.locked():
        pass


def test_a_folder_without_a_name_is_refused() -> None:
    with pytest.raises(RunError, match="the name of the run folder is empty"):
        folder_at("")


def test_urls_are_stores() -> None:
    pytest.importorskip("fsspec")
    folder = folder_at("memory://tournament/run")
    folder.prepare()
    assert not folder.is_run()
    assert folder.is_unused()
    folder.write("manifest.json", b"{}")
    folder.write("shards/.deals-1.parquet.0123456789ab", b"")
    assert folder.is_run()
    assert folder.read("manifest.json") == b"{}"
    assert folder.sweep() == 1
    assert folder.names("shards") == []
    folder.delete("shards/none")
    with pytest.raises(FileNotFoundError):
        folder.read("none")
    with pytest.raises(RunError, match="can't be opened"):
        folder_at("nosuch://store/run")
    assert str(folder_at("file:///tmp/run")) == "/tmp/run"


def test_shards_are_whole_sets_of_bounded_size() -> None:
    for matches in (2, 999, 5000, 10**6, 10**9):
        for mirrors in (1, 2, 3, 5, 6):
            size = shard_size(matches, mirrors, Rules())
            assert size % mirrors == 0
            assert 500 <= size < 10_000 + mirrors
    assert shard_size(10**6, 6, Rules(players=6, teams=6, decks=6, deals=1000)) == 42
