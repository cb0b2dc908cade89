"""Every frame against a recount of the table by other means, and in every form of the game."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from handfoot_sim import stats
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.playing import log_match, play
from handfoot_sim.results import Results, deals_table, rows_of
from handfoot_sim.simulation import simulate
from handfoot_sim.tally import Tally, mean_estimate, tally_rows
from handfoot_sim.transcripts.write import transcript
from tests.referee import referee

A, B = "greedy", "closer"


@pytest.fixture(scope="module")
def played() -> tuple[Results, Tally]:
    results = simulate((A, B), 300, 5)
    rows = np.concatenate([rows_of(table, 4, 2) for table in results.tables])
    return results, tally_rows(rows, 2)


@pytest.fixture(scope="module")
def deals(played: tuple[Results, Tally]) -> pd.DataFrame:
    return played[0].deals


@pytest.fixture(scope="module")
def totals(played: tuple[Results, Tally]) -> stats.Totals:
    return stats.totals(played[0])


def looked_up(frame: pd.DataFrame, agent: str, deal: object, figure: str) -> pd.Series:
    chosen = frame[(frame["agent"] == agent) & (frame["figure"] == figure)]
    if "deal" in frame:
        chosen = chosen[chosen["deal"] == str(deal)]
    assert len(chosen) == 1, (agent, deal, figure)
    return chosen.iloc[0]


def own_rows(deals: pd.DataFrame, agent: str, deal: object) -> pd.DataFrame:
    own = deals[deals["agent"] == agent]
    return own if deal == "all" else own[own["deal"] == deal]


def own_turns(rows: pd.DataFrame, turns: pd.Series) -> int:
    """Turns of the team among the first so many, one by one."""
    return sum(
        (t % 2 == 0) == bool(first)
        for n, first in zip(turns, rows["first"], strict=True)
        for t in range(int(n))
    )


RECOUNTS: dict[str, dict[str, Callable[[pd.DataFrame], tuple[float, float]]]] = {
    "scores": {
        part: lambda rows, part=part: (rows[part].sum(), len(rows))
        for part in ("melded", "books", "red_threes", "going_out", "left", "score")
    },
    "piles": {
        "chances": lambda r: (r["pile_chances"].sum(), len(r)),
        "takes": lambda r: (r["pile_takes"].sum(), len(r)),
        "cards taken": lambda r: (r["pile_cards"].sum(), len(r)),
        "turns with a chance": lambda r: (r["pile_chances"].sum(), own_turns(r, r["turns"])),
        "taken when it could be": lambda r: (r["pile_takes"].sum(), r["pile_chances"].sum()),
        "cards a taking": lambda r: (r["pile_cards"].sum(), r["pile_takes"].sum()),
        "black threes discarded": lambda r: (r["black3_discarded"].sum(), len(r)),
        "wild cards discarded": lambda r: (r["wilds_discarded"].sum(), len(r)),
    },
    "meld_minimums": {
        "opened": lambda r: (r["opened_turn"].notna().sum(), len(r)),
        "opened in the first turn": lambda r: ((r["opened_turn"] < 2).sum(), len(r)),
        "chance a turn": lambda r: (
            r["opened_turn"].notna().sum(),
            own_turns(r, (r["opened_turn"] + 1).fillna(r["turns"])),
        ),
        "surplus": lambda r: (
            (r["opened_points"] - r["minimum"]).sum(), r["opened_turn"].notna().sum(),
        ),
        "from the pile": lambda r: (r["opened_from_pile"].sum(), r["opened_turn"].notna().sum()),
    },
    "go_out_rates": {
        "went out": lambda r: (r["went_out"].sum(), len(r)),
        "another went out": lambda r: (((r["end"] == "out") & ~r["went_out"]).sum(), len(r)),
        "stock ran out": lambda r: ((r["end"] == "stock").sum(), len(r)),
        "ready": lambda r: (r["ready_turn"].notna().sum(), len(r)),
        "went out when ready": lambda r: (r["went_out"].sum(), r["ready_turn"].notna().sum()),
        "turns from ready to out": lambda r: (
            (r["turns"] - 1 - r["ready_turn"])[r["went_out"]].sum(), r["went_out"].sum(),
        ),
        "asked": lambda r: (r["asked"].sum(), len(r)),
        "refused": lambda r: (r["refused"].sum(), r["asked"].sum()),
        "caught with a foot": lambda r: (
            ((r["end"] == "out") & ~r["went_out"] & r["foot2_turn"].isna()).sum(),
            ((r["end"] == "out") & ~r["went_out"]).sum(),
        ),
    },
    "foot": {
        "first foot": lambda r: (r["foot1_turn"].notna().sum(), len(r)),
        "second foot": lambda r: (r["foot2_turn"].notna().sum(), len(r)),
        "all feet": lambda r: (r["foot2_turn"].notna().sum(), len(r)),
    },
    "fingerprint": {
        "clean books": lambda r: (r["clean"].sum(), len(r)),
        "dirty books": lambda r: (r["dirty"].sum(), len(r)),
        "wild books": lambda r: (r["wild"].sum(), len(r)),
        "all feet picked up": lambda r: (r["foot2_turn"].notna().sum(), len(r)),
        "points opened over the minimum": lambda r: (
            (r["opened_points"] - r["minimum"]).sum(), r["opened_turn"].notna().sum(),
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "figure"), [(n, f) for n, each in RECOUNTS.items() for f in each])
def test_measures_are_recounted(
    name: str, figure: str, deals: pd.DataFrame, totals: stats.Totals
) -> None:
    frame = stats.FRAMES[name](totals)
    for agent in (A, B):
        for deal in ("all", 0, 3) if "deal" in frame else ("all",):
            above, below = RECOUNTS[name][figure](own_rows(deals, agent, deal))
            row = looked_up(frame, agent, deal, figure)
            assert row["n"] == below
            assert row["value"] == pytest.approx(above / below if below else np.nan, nan_ok=True)
            assert row["clusters"] == 150


def test_intervals_of_a_small_run_are_those_over_its_match_numbers(
    deals: pd.DataFrame, totals: stats.Totals
) -> None:
    """With fewer match numbers than buckets every match number is one."""
    row = looked_up(stats.scores(totals), A, "all", "score")
    own = own_rows(deals, A, "all").groupby("match")["score"].mean()
    wanted = mean_estimate(own.sum(), np.square(own).sum(), len(own))
    assert [row["value"], row["low"], row["high"]] == pytest.approx(
        [wanted.value, wanted.low, wanted.high]
    )


def margin_of(deals: pd.DataFrame) -> pd.Series:
    """Own score of a deal less the other team's."""
    both = deals.groupby(["match", "mirror", "deal"])["score"].transform("sum")
    return (2 * deals["score"] - both).astype(float)


def test_worth_is_a_difference_within_deals(deals: pd.DataFrame, totals: stats.Totals) -> None:
    own = deals.assign(margin=margin_of(deals))[deals["agent"] == A]
    frame = stats.go_out_rates(totals)
    for deal in ("all", 2):
        rows = own if deal == "all" else own[own["deal"] == deal]
        design = np.column_stack([rows["went_out"], *(rows["deal"] == d for d in range(4))])
        beta, *_ = np.linalg.lstsq(design.astype(float), rows["margin"].to_numpy(), rcond=None)
        found = looked_up(frame, A, deal, "gained by going out")
        assert found["value"] == pytest.approx(beta[0])
        assert found["low"] < found["value"] < found["high"]
        out = rows.loc[rows["went_out"], "margin"]
        assert looked_up(frame, A, deal, "margin when out")["value"] == pytest.approx(out.mean())


def test_seats_are_compared_over_the_same_cards(deals: pd.DataFrame, totals: stats.Totals) -> None:
    own = deals.assign(margin=margin_of(deals))[deals["agent"] == A]
    frame = stats.seats(totals)
    first = own["first"].astype(bool)
    wanted = own.loc[first, "margin"].mean() - own.loc[~first, "margin"].mean()
    found = frame[(frame["agent"] == A) & (frame["level"] == "first") & (frame["deal"] == "all")]
    assert found["value"].item() == pytest.approx(own.loc[first, "margin"].mean())
    assert found["effect"].item() == pytest.approx(wanted)
    assert found["n"].item() == first.sum() == len(own) // 2
    seat = frame[(frame["factor"] == "seat") & (frame["agent"] == A) & (frame["deal"] == "all")]
    means = own.groupby("team")["margin"].mean()
    assert seat["value"].tolist() == pytest.approx(means.tolist())
    assert list(frame["agent"].unique()) == [B, A, "(all)"]


def test_margins_are_those_of_the_comparison(
    played: tuple[Results, Tally], deals: pd.DataFrame, totals: stats.Totals
) -> None:
    tally = played[1]
    wanted = mean_estimate(*tally.margin, tally.sets)
    first, second = stats.head_to_head(totals).to_dict("records")
    assert (first["agent"], first["opponent"]) == (A, B) == (second["opponent"], second["agent"])
    assert [first[n] for n in ("margin", "low", "high")] == pytest.approx(
        [wanted.value, wanted.low, wanted.high]
    )
    assert [first[n] for n in ("won", "tied", "lost")] == tally.sets_won.tolist()
    assert [second[n] for n in ("lost", "tied", "won")] == tally.sets_won.tolist()
    names = ("matches_won", "matches_tied", "matches_lost")
    assert [first[n] for n in names] == tally.matches_won.tolist()
    assert second["margin"] == -first["margin"]
    assert first["share"] + second["share"] == 1
    assert first["share_low"] == pytest.approx(1 - second["share_high"])
    by_match = deals.assign(margin=margin_of(deals))[deals["agent"] == A]
    pairs = by_match.groupby(["match", "mirror"])["margin"].sum().groupby("match").mean()
    spread = stats.margins(totals).iloc[0]
    for name, share in (("q05", 0.05), ("q25", 0.25), ("median", 0.5), ("q95", 0.95)):
        assert spread[name] == np.quantile(pairs, share, method="inverted_cdf")
    assert (spread["lowest"], spread["highest"]) == (pairs.min(), pairs.max())
    assert spread["sd"] == pytest.approx(pairs.std())
    running = stats.running_margin(totals)
    assert running["pairs"].tolist() == list(range(1, 151))
    assert running["margin"].tolist() == pytest.approx(
        (pairs.cumsum() / np.arange(1, 151)).tolist()
    )
    assert running["low"].iloc[-1] == pytest.approx(first["low"])
    bins = stats.margin_histogram(totals)
    assert bins["n"].sum() == 150
    assert (bins["density"] * (bins["right"] - bins["left"])).sum() == pytest.approx(1)
    for row in bins.to_dict("records"):
        assert row["n"] == ((pairs >= row["left"]) & (pairs < row["right"])).sum()
    z = 1.959964 + 0.841621
    assert first["pairs_needed"] == pytest.approx((z * first["sd"] / first["margin"]) ** 2, abs=1)


def test_books_are_recounted(deals: pd.DataFrame, totals: stats.Totals) -> None:
    frame = stats.book_timing(totals)
    for book, column in (("first clean", "clean1_turn"), ("first wild", "wild1_turn")):
        rows = own_rows(deals, A, 1)
        found = frame[(frame["agent"] == A) & (frame["deal"] == "1") & (frame["book"] == book)]
        without = rows[rows[column].isna()]
        assert found["n"].item() == len(rows)
        assert found["closed"].item() == rows[column].notna().sum()
        assert found["stock"].item() == pytest.approx((without["end"] == "stock").sum() / len(rows))
        assert found["own_out"].item() == pytest.approx(without["went_out"].sum() / len(rows))
        parts = found[["share", "own_out", "other_out", "stock"]].sum(axis=1)
        assert parts.item() == pytest.approx(1)
        curves = stats.book_curves(totals)
        line = curves[(curves["agent"] == A) & (curves["deal"] == "1") & (curves["event"] == book)]
        at = line[line["turn"] == 40].iloc[0]
        assert at["incidence"] == pytest.approx((rows[column] <= 40).sum() / len(rows))
        going_on = (rows["turns"] > 40) & ~(rows[column] < 40).fillna(False)
        assert at["at_risk"] == going_on.sum()


def test_frames_against_the_referee() -> None:
    """Transcripts recounted by the tests' referee, which knows nothing of the engine."""
    rules = CONFIGURATIONS["easy out"]
    pairing = make_pairing(["greedy", "random_legal"], rules)
    rows = play(pairing, seed=3, first_match=0, count=8)
    found = stats.totals(deals_table(pairing, rows, 0))
    counted: dict[str, dict[str, int]] = {"greedy": {}, "random_legal": {}}
    for index in range(8):
        match, mirror = divmod(index, 2)
        log, _ = log_match(pairing, seed=3, match=match, mirror=mirror, dealer=0, driver="fused")
        agents = pairing.seat_labels(mirror)
        verdict = referee(transcript(log, rules, seed=3, match=match, dealer=0, agents=agents))
        for deal in verdict["deals"]:
            for team, own in enumerate(deal["stats"]):
                sums = counted[agents[team]]
                for name in ("clean", "dirty", "asked", "pile_takes", "pile_chances", "went_out"):
                    sums[name] = sums.get(name, 0) + int(own[name])
                sums["score"] = sums.get("score", 0) + deal["scores"][team]
    places = {
        "clean": ("fingerprint", "clean books"), "dirty": ("fingerprint", "dirty books"),
        "asked": ("go_out_rates", "asked"), "went_out": ("go_out_rates", "went out"),
        "pile_takes": ("piles", "takes"), "pile_chances": ("piles", "chances"),
        "score": ("scores", "score"),
    }  # fmt: skip
    for agent, sums in counted.items():
        for name, total in sums.items():
            frame, figure = places[name]
            row = looked_up(stats.FRAMES[frame](found), agent, "all", figure)
            assert row["value"] * 32 == pytest.approx(total), (agent, name)


def test_counts_do_not_depend_on_how_deals_come(
    played: tuple[Results, Tally], deals: pd.DataFrame, totals: stats.Totals
) -> None:
    half = deals["match"] < 70
    ways = (
        deals, deals.sample(frac=1, random_state=1), [deals[~half], deals[half]],
        iter(played[0].tables), deals.astype({"agent": "str", "opened_turn": "Float64"}),
    )  # fmt: skip
    for way in ways:
        found = stats.totals(way)
        for name, make in stats.FRAMES.items():
            pd.testing.assert_frame_equal(make(found), make(totals), obj=name)


def test_large_frames_are_counted_in_pieces(
    deals: pd.DataFrame, totals: stats.Totals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handfoot_sim.stats.reading.LARGEST_PIECE", 100)
    shuffled = deals.sample(frac=1, random_state=2)
    for way in (deals, shuffled, pa.Table.from_pandas(shuffled)):
        pd.testing.assert_frame_equal(stats.scores(way), stats.scores(totals))
