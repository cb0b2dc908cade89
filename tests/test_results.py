"""The table ``deals``: columns, nulls, sums, and the way to disk and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.engine.rows import NULLABLE
from handfoot_sim.errors import RunError
from handfoot_sim.playing import play
from handfoot_sim.results import SCHEMA, deals_table, opponents, read_shard, rows_of
from handfoot_sim.rules import Rules
from handfoot_sim.simulation import simulate

DOCUMENTED = [
    "pairing",
    "match",
    "mirror",
    "deal",
    "team",
    "agent",
    "opponent",
    "dealer",
    "first",
    "turns",
    "end",
    "minimum",
    "opened_turn",
    "opened_points",
    "opened_seat",
    "opened_from_pile",
    "foot1_turn",
    "foot2_turn",
    "clean",
    "dirty",
    "wild",
    "clean1_turn",
    "clean2_turn",
    "dirty1_turn",
    "dirty2_turn",
    "wild1_turn",
    "ready_turn",
    "pile_chances",
    "pile_takes",
    "pile_cards",
    "wilds_discarded",
    "black3_discarded",
    "asked",
    "refused",
    "went_out",
    "melded",
    "books",
    "red_threes",
    "going_out",
    "left",
    "score",
    "before",
    "forfeit",
]


@pytest.fixture(scope="module")
def deals() -> pd.DataFrame:
    return simulate(["greedy", "random_legal"], 100, 6).deals


def test_columns_are_those_documented(deals: pd.DataFrame) -> None:
    assert list(deals.columns) == DOCUMENTED == SCHEMA.names
    page = Path(__file__).parent.parent / "docs" / "results.md"
    text = page.read_text()
    for name in DOCUMENTED:
        assert f"`{name}`" in text, name


def test_one_row_a_match_deal_and_team(deals: pd.DataFrame) -> None:
    keys = ["match", "mirror", "deal", "team"]
    assert len(deals) == 100 * 4 * 2
    assert not deals.duplicated(keys).any()
    assert set(deals["mirror"]) == {0, 1}
    assert deals["match"].max() == 49


def test_mirrors_swap_the_teams(deals: pd.DataFrame) -> None:
    team_of_a = deals[deals["agent"] == "greedy"].groupby("mirror")["team"].unique()
    assert {mirror: list(teams) for mirror, teams in team_of_a.items()} == {0: [0], 1: [1]}
    assert (deals["agent"].astype(str) != deals["opponent"].astype(str)).all()


def test_what_did_not_happen_is_null(deals: pd.DataFrame) -> None:
    for name in NULLABLE:
        numbers = deals[name].dropna()
        assert len(numbers) == 0 or (numbers.astype(int) >= 0).all(), name
    assert deals["wild1_turn"].isna().eq(deals["wild"].eq(0)).all()
    assert deals["clean2_turn"].isna().eq(deals["clean"].lt(2)).all()
    assert deals["opened_turn"].isna().eq(deals["melded"].eq(0)).all()
    for name in set(deals.columns) - set(NULLABLE):
        assert not deals[name].isna().any(), name


def test_points_add_up(deals: pd.DataFrame) -> None:
    parts = deals[["melded", "books", "red_threes", "going_out", "left"]].sum(axis=1)
    assert parts.eq(deals["score"]).all()
    books = 500 * deals["clean"] + 300 * deals["dirty"] + 1500 * deals["wild"]
    assert books.eq(deals["books"]).all()
    groups = deals.sort_values("deal").groupby(["match", "mirror", "team"])["score"]
    running = groups.cumsum() - deals.sort_values("deal")["score"]
    assert running.sort_index().eq(deals["before"]).all()


def test_ends_and_openings_are_consistent(deals: pd.DataFrame) -> None:
    out = deals.groupby(["match", "mirror", "deal"])["went_out"].sum()
    ends = deals.groupby(["match", "mirror", "deal"])["end"].first().astype(str)
    assert out.eq(ends.eq("out").astype(int)).all()
    opened = deals.dropna(subset=["opened_turn"])
    assert (opened["opened_points"] >= opened["minimum"]).all()
    assert (opened["opened_turn"] < opened["turns"]).all()
    assert (deals["pile_takes"] <= deals["pile_chances"]).all()
    assert (deals["refused"] <= deals["asked"]).all()
    assert set(deals.loc[deals["deal"] == 3, "minimum"]) == {150}


@pytest.mark.parametrize("name", ["standard", "3 players", "6 in 3", "small"])
def test_rows_come_back_from_the_table(name: str) -> None:
    rules = CONFIGURATIONS[name]
    pairing = make_pairing(["greedy", "random_legal"], rules)
    rows = play(pairing, seed=1, first_match=0, count=4 * pairing.mirrors)
    table = deals_table(pairing, rows, 0)
    assert np.array_equal(rows_of(table, rules.deals, rules.teams), rows)


def test_opponents() -> None:
    assert opponents(("a", "b")) == ["b", "a"]
    assert opponents(("a", "a")) == ["a", "a"]
    assert opponents(("a", "b", "b")) == ["b", "a", "a"]
    assert opponents(("a", "b", "c")) == [None, None, None]


def test_shards_in_a_folder_give_the_same_frame(tmp_path: Path) -> None:
    kept = simulate(["greedy", "random_legal"], 1500, 6)
    written = simulate(["greedy", "random_legal"], 1500, 6, out=tmp_path / "run")
    assert len(list((tmp_path / "run" / "shards").iterdir())) == len(kept.tables) == 3
    assert written.deals.equals(kept.deals)


def test_three_line_ups_have_no_opponent() -> None:
    rules = Rules(players=3, teams=3)
    deals = simulate(["greedy", "random_legal", "greedy:pile_min=5"], 6, 1, rules).deals
    assert deals["opponent"].isna().all()
    assert deals.groupby(["mirror", "agent"], observed=True)["team"].nunique().eq(1).all()
    assert set(deals["mirror"]) == {0, 1, 2}


def test_a_broken_shard_is_named(tmp_path: Path) -> None:
    path = tmp_path / "deals-000000.parquet"
    path.write_bytes(b"PAR1 nothing here")
    with pytest.raises(RunError, match=r"deals-000000.parquet can't be read"):
        read_shard(path)
