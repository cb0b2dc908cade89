"""Every frame in every form of the game, with much, little or nothing in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from handfoot_sim import stats
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.game.state import FORFEIT
from handfoot_sim.rules import Rules
from handfoot_sim.simulation import simulate
from handfoot_sim.stats.text import frame_text, heading
from tests.synthetic import blank_rows, set_by_line_up, table_of


def looked_up(frame: pd.DataFrame, agent: str, deal: object, figure: str) -> pd.Series:
    """The row of a figure."""
    chosen = frame[(frame["agent"] == agent) & (frame["figure"] == figure)]
    return chosen[chosen["deal"] == str(deal)].iloc[0]


def check_frame(name: str, frame: pd.DataFrame) -> None:
    """What holds of every frame."""
    if "n" in frame:
        assert frame["n"].dtype == np.int64
        assert (frame["n"] >= 0).all()
    if "deal" in frame:
        assert frame["deal"].cat.categories[0] == "all"
    value = next((n for n in ("value", "share", "margin", "mean", "ratio") if n in frame), None)
    if value and {"low", "high"} <= set(frame):
        known = frame[["low", "high"]].notna().all(axis=1)
        slack = 1e-9 * (1 + frame["high"].abs())
        main = "margin" if "margin" in frame else value
        assert (frame["low"] <= frame[main] + slack)[known].all(), name
        assert (frame[main] <= frame["high"] + slack)[known].all(), name
    if {"unit", "value", "n"} <= set(frame) and name != "seats":
        shares = frame[frame["unit"] == "%"]
        assert shares["value"].dropna().between(0, 1).all()
        assert shares.loc[shares["n"] == 0, "value"].isna().all()
    assert frame_text(name, frame)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_form_of_the_game(name: str) -> None:
    results = simulate(["greedy", "random_legal"], 12, 2, CONFIGURATIONS[name])
    found = stats.totals(results)
    rules = CONFIGURATIONS[name]
    assert found.players_a_team == rules.players // rules.teams
    assert (found.deals, found.teams, found.mirrors) == (rules.deals, rules.teams, rules.teams)
    for frame_name, make in stats.FRAMES.items():
        check_frame(frame_name, make(found))
    figures = set(stats.foot(found)["figure"])
    assert ("second foot" in figures) == (rules.players > rules.teams)
    guessed = stats.totals(results.deals).players_a_team
    assert guessed == min(2, found.players_a_team)


@pytest.mark.parametrize(
    "lineups", [("greedy", "greedy"), ("greedy+random_legal", "greedy"), ("greedy", "closer")]
)
@pytest.mark.parametrize("matches", [1, 2, 5])
def test_few_matches(lineups: tuple[str, str], matches: int) -> None:
    found = stats.totals(simulate(lineups, matches, 1, duplicate=matches > 1))
    for name, make in stats.FRAMES.items():
        frame = make(found)
        check_frame(name, frame)
        if matches <= 2 and "low" in frame:
            assert frame["low"].isna().all(), name
    assert found.agents == sorted(set(lineups))
    assert stats.book_logrank(found).empty == (len(set(lineups)) == 1)
    assert "matches" in heading(found, "a run")


def test_an_agent_against_itself() -> None:
    found = stats.totals(simulate(["greedy", "greedy"], 40, 1))
    met = stats.head_to_head(found)
    assert len(met) == 1
    assert (met["margin"].item(), met["sd"].item(), met["tied"].item()) == (0, 0, 20)
    place = stats.standings(found).iloc[0]
    assert (place["margin"], place["share"], place["opponents"]) == (0, 0.5, 0)
    assert looked_up(stats.scores(found), "greedy", "all", "score")["n"] == 320


def test_three_line_ups_meet_two_by_two() -> None:
    rules = Rules(players=3, teams=3, clean_to_go_out=1, dirty_to_go_out=1, wild_to_go_out=0)
    results = simulate(["greedy", "random_legal", "closer"], 30, 1, rules)
    found = stats.totals(results)
    met = stats.head_to_head(found)
    assert len(met) == 6
    totals = results.deals.groupby(["match", "mirror", "agent"], observed=True)["score"].sum()
    table = totals.unstack("agent").astype(float)
    row = met[(met["agent"] == "greedy") & (met["opponent"] == "closer")].iloc[0]
    assert row["margin"] == pytest.approx((table["greedy"] - table["closer"]).mean())
    assert row["matches_won"] == (table["greedy"] > table["closer"]).sum()
    place = stats.standings(found).set_index("agent").loc["greedy"]
    over = met.loc[met["agent"] == "greedy", "margin"]
    assert place["margin"] == pytest.approx(over.mean())
    assert place["opponents"] == 2


def test_nothing_ever_happens() -> None:
    """No opening, no book, no foot, nobody goes out."""
    found = stats.totals(table_of(blank_rows(5, deals=2)))
    for name, make in stats.FRAMES.items():
        check_frame(name, make(found))
    books = stats.book_timing(found)
    assert (books["closed"] == 0).all()
    assert books["median"].isna().all()
    assert (books["stock"] == 1).all()
    surplus = looked_up(stats.meld_minimums(found), "a", 0, "surplus")
    assert surplus["n"] == 0
    assert np.isnan(surplus["value"])
    assert looked_up(stats.meld_minimums(found), "a", 1, "opened")["minimum"] == 90


def test_standings_of_pairings_that_share_their_cards() -> None:
    """Agent a beats b and c by the same luck of the cards: its mean is no better known."""
    random = np.random.default_rng(8)
    found, luck = stats.Totals(), random.normal(0, 1000, 200)
    for number, opponent in enumerate("bc"):
        rows = blank_rows(200)
        score = np.zeros((200, 2, 1, 2))
        score[..., 0] = np.round(500 + luck)[:, None, None]
        set_by_line_up(rows, "score", score.astype(np.int64))
        found.add(table_of(rows, ("a", opponent), number=number))
    place = stats.standings(found).set_index("agent").loc["a"]
    single = stats.head_to_head(found).iloc[0]
    assert place["margin"] == pytest.approx(single["margin"])
    width = single["high"] - single["low"]
    assert place["high"] - place["low"] == pytest.approx(width, rel=0.01)
    assert place["opponents"] == 2
    apart = stats.standings(found).set_index("agent").loc["b"]
    assert apart["margin"] == pytest.approx(-single["margin"])


def test_forfeited_matches_tell_of_margins_only() -> None:
    rows = blank_rows(10)
    set_by_line_up(rows, "score", np.tile([100, 50], (10, 2, 1, 1)))
    lost = rows[6:7]  # set 3, mirror 0: line-up 1 is team 1
    lost["end"], lost["score"] = FORFEIT, 0
    lost["score"][:, :, 1] = -2500
    lost["forfeit"][:, :, 1] = 0
    found = stats.totals(table_of(rows))
    assert found.forfeits == {"a": 0, "b": 1}
    met = stats.head_to_head(found).iloc[0]
    assert (met["pairs"], met["opponent_forfeits"], met["forfeits"]) == (10, 1, 0)
    assert met["margin"] == pytest.approx((9 * 50 + (2500 + 50) / 2) / 10)
    score = looked_up(stats.scores(found), "a", "all", "score")
    assert (score["n"], score["value"]) == (18, 100)
    assert "forfeited matches: b 1" in heading(found, "run")


def test_memory_does_not_grow_with_matches() -> None:
    rows = blank_rows(300)
    table = table_of(rows)
    sizes = []
    found = stats.Totals()
    for again in range(5):
        found.add(table_of(rows, first=300 * again))
        arrays = [*vars(found).values(), *found._levels.values()]
        arrays += [each for m in found.meetings.values() for each in vars(m).values()]
        sizes.append(sum(each.nbytes for each in arrays if isinstance(each, np.ndarray)))
    assert len(set(sizes)) == 1
    assert found.matches == 5 * len(table) // 2


def test_the_width_of_bins_doubles_whatever_the_order() -> None:
    rows = blank_rows(6)
    values = np.array([0, 10, 700_000, -20, -900_000, 5])
    score = np.zeros((6, 2, 1, 2), np.int64)
    score[..., 0] = values[:, None, None]
    set_by_line_up(rows, "score", score)
    whole = table_of(rows)
    found = stats.margins(whole)
    backwards = stats.margins([whole.slice(4 * n, 4) for n in (5, 4, 3, 2, 1, 0)])
    pd.testing.assert_frame_equal(found, backwards)
    assert (found["lowest"].item(), found["highest"].item()) == (-900_000, 700_000)
    assert abs(found["median"].item()) < 1_600_000 / 8192
