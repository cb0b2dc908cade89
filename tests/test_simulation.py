"""``simulate`` and run folders."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from handfoot_sim import PRESETS, HandfootError, Rules, simulate
from handfoot_sim.errors import RulesError, RunError


def test_matches_are_rounded_up_to_whole_sets() -> None:
    assert len(simulate(["greedy", "greedy"], 3, 1).deals) == 4 * 4 * 2
    rules = Rules(players=3, teams=3)
    assert len(simulate(["greedy", "greedy"], 4, 1, rules).deals) == 6 * 4 * 3
    single = simulate(["greedy", "greedy"], 3, 1, duplicate=False).deals
    assert len(single) == 3 * 4 * 2
    assert set(single["mirror"]) == {0}


def test_results_name_what_was_played() -> None:
    results = simulate(["greedy", "random_legal"], 4, 1)
    assert repr(results) == "<results of 4 matches: greedy against random_legal>"


def test_rules_by_name_mapping_and_object() -> None:
    by_name = simulate(["greedy", "greedy"], 4, 1, "pagat").deals
    by_object = simulate(["greedy", "greedy"], 4, 1, PRESETS["pagat"]).deals
    mapping = {"preset": "pagat", "deals": 2}
    assert by_name.equals(by_object)
    assert simulate(["greedy", "greedy"], 4, 1, mapping).deals["deal"].max() == 1


def test_the_dealer_passes_to_the_left() -> None:
    deals = simulate(["greedy", "greedy"], 2, 1, dealer=2).deals
    assert deals.groupby("deal")["dealer"].unique().map(list).tolist() == [[2], [3], [0], [1]]
    first = deals[deals["first"]].groupby("deal")["team"].unique().map(list).tolist()
    assert first == [[1], [0], [1], [0]]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"matches": 0}, "matches = 0 must be from 1"),
        ({"matches": 2.5}, "matches = 2.5 must be a whole number"),
        ({"matches": True}, "matches = True must be"),
        ({"seed": -1}, "seed = -1 must be from 0"),
        ({"seed": 2**64}, "seed = "),
        ({"dealer": 4}, "dealer = 4 must be from 0 to 3"),
        ({"jobs": 0}, "jobs = 0 must be from 1"),
        ({"batch": 0}, "batch = 0 must be from 1"),
        ({"transcripts": 1}, "give one"),
        ({"driver": "quick"}, "there is no driver 'quick'"),
        ({"rules": "house"}, "there is no preset 'house'"),
        ({"rules": None}, "neither Rules, a preset's name, nor a mapping"),
        ({"duplicate": "no"}, "duplicate = 'no' must be True or False"),
        ({"out": 5}, "out = 5 must be the path of a folder"),
        ({"agents": None}, "is no list of line-ups"),
        ({"agents": {"greedy", "random_legal"}}, "is no list of line-ups"),
    ],
)
def test_bad_arguments_end_in_one_sentence(how: dict[str, object], words: str) -> None:
    with pytest.raises(HandfootError, match=words) as caught:
        simulate(**({"agents": ["greedy", "greedy"], "matches": 2} | how))
    assert caught.value.exit_code == 2


def test_seeds_over_the_whole_range() -> None:
    low, high = (simulate(["greedy", "greedy"], 2, seed).deals for seed in (0, 2**64 - 1))
    assert not low.equals(high)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    lineups = ["greedy", "random_legal"]
    whole = simulate(lineups, 2000, 3, out=tmp_path / "run").deals
    shards = sorted((tmp_path / "run" / "shards").iterdir())
    contents = [shard.read_bytes() for shard in shards]
    shards[1].unlink()
    played: list[int] = []
    again = simulate(lineups, 2000, 3, out=tmp_path / "run", on_shard=played.append)
    assert played == [1500, 500]
    assert again.deals.equals(whole)
    assert [shard.read_bytes() for shard in shards] == contents


def test_another_run_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run"
    simulate(["greedy", "greedy"], 4, 3, out=out)
    for lineups, seed, rules in (
        (["greedy", "random_legal"], 3, "standard"),
        (["greedy", "greedy"], 4, "standard"),
        (["greedy", "greedy"], 3, "pagat"),
        (["greedy:pile_min=3", "greedy"], 3, "standard"),
    ):
        with pytest.raises(RunError, match="holds a run with another value of"):
            simulate(lineups, 4, seed, rules, out=out)


def test_folders_that_hold_no_run(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear partner")
    with pytest.raises(RunError, match="holds no run"):
        simulate(["greedy", "greedy"], 4, 3, out=tmp_path)
    with pytest.raises(RunError, match="can't be written"):
        simulate(["greedy", "greedy"], 4, 3, out=tmp_path / "letter.txt" / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.json").write_text("{}")
    with pytest.raises(RunError, match="not the manifest of a run of this version"):
        simulate(["greedy", "greedy"], 4, 3, out=tmp_path / "other")


def test_the_manifest_says_what_was_played(tmp_path: Path) -> None:
    simulate(["greedy:pile_min=3", "greedy+random_legal"], 4, 3, "pagat", out=tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["pairings"][0]["labels"] == ["greedy:pile_min=3", "greedy+random_legal"]
    assert manifest["rules"][0]["start_or_add"] is False
    assert len(manifest["agents"]) == 3
    assert {"handfoot-sim", "numpy", "numba", "python"} <= set(manifest["versions"])


def test_rules_errors_come_through() -> None:
    with pytest.raises(RulesError, match="no form of the game"):
        simulate(["greedy", "greedy"], 2, 1, {"players": 3})


def test_an_agent_edited_during_a_run_is_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = """from handfoot_sim.agent import Agent, blocks


class Mine(Agent):
    @staticmethod
    def discard(view, params):
        return blocks.cheapest_discard(view, 30)
"""
    path.write_text(text)
    agents = [str(path), "greedy"]
    before = simulate(agents, 1500, 1).deals
    other = text.replace("30", "0")
    edited = simulate(agents, 1500, 1, on_shard=lambda _: path.write_text(other)).deals
    assert edited.equals(before)
    assert not simulate(agents, 1500, 1).deals.equals(before)


def test_a_folder_whose_manifest_could_not_be_written_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "run" / "shards").mkdir(parents=True)
    (tmp_path / "run" / ".manifest.json.77").touch()
    assert simulate(["greedy", "random_legal"], 4, 1, out=tmp_path / "run").played == 4


def test_shards_that_are_not_those_of_the_run_are_refused(tmp_path: Path) -> None:
    def run() -> int:
        return simulate(["greedy", "random_legal"], 1000, 1, out=tmp_path).played

    run()
    first, second = sorted((tmp_path / "shards").iterdir())
    kept = first.read_bytes()
    first.write_bytes(second.read_bytes())
    with pytest.raises(RunError, match="does not hold the matches it should; delete it"):
        run()
    pq.write_table(pq.read_table(second).drop_columns(["score"]), first)
    with pytest.raises(RunError, match="has other columns"):
        run()
    first.unlink()
    (tmp_path / "shards" / "deals-abc.parquet").touch()
    assert run() == 500
    assert first.read_bytes() == kept
    second.rename(second.with_name("deals-0000-000077500-000078000.parquet"))
    with pytest.raises(RunError, match="is not one of this run's 1,000 matches"):
        run()
    second.with_name("deals-0000-000077500-000078000.parquet").rename(
        second.with_name("deals-0007-000000500-000001000.parquet")
    )
    with pytest.raises(RunError, match="is not one of this run's 1 pairings"):
        run()


def test_a_damaged_shard_is_played_anew(tmp_path: Path) -> None:
    deals = simulate(["greedy", "random_legal"], 1000, 1, out=tmp_path).deals
    first, _ = sorted((tmp_path / "shards").iterdir())
    kept = first.read_bytes()
    first.write_bytes(kept[:-100])
    again = simulate(["greedy", "random_legal"], 1000, 1, out=tmp_path)
    assert again.played == 500
    assert first.read_bytes() == kept
    assert again.deals.equals(deals)


def test_more_matches_extend_a_run(tmp_path: Path) -> None:
    simulate(["greedy", "random_legal"], 700, 1, out=tmp_path)
    more = simulate(["greedy", "random_legal"], 1600, 1, out=tmp_path)
    assert more.played == 900
    assert more.deals.equals(simulate(["greedy", "random_legal"], 1600, 1).deals)
    with pytest.raises(RunError, match="ask for as many or more"):
        simulate(["greedy", "random_legal"], 700, 1, out=tmp_path)


def test_a_file_is_no_run_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="can't be written: Not a directory"):
        simulate(["greedy", "random_legal"], 4, 1, out=tmp_path / "file")
