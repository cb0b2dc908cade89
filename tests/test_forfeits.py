"""``--on-illegal forfeit``: matches in which an agent fails are lost, the run goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from handfoot_sim.agent import Agent, BatchAgent, batch_blocks, below, blocks
from handfoot_sim.cli.main import run
from handfoot_sim.comparison import comparison_text
from handfoot_sim.engine.forfeits import FORFEIT_POINTS, REASONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.engine.rows import NULLABLE
from handfoot_sim.errors import AgentFailure, IllegalDecision, RunError
from handfoot_sim.playing import play
from handfoot_sim.results import deals_table, rows_of
from handfoot_sim.rules import Rules
from handfoot_sim.runs.carrying import Run, carry_on
from handfoot_sim.runs.engines import Engine
from handfoot_sim.simulation import plan, simulate
from handfoot_sim.tally import tally_rows
from handfoot_sim.transcripts.files import read_matches

OFTEN = 400
"""One decision in so many fails."""


class Slips(Agent):
    """Now and then discards a red three, or raises."""

    @staticmethod
    def discard(view, params):
        luck = below(view.random, 9, OFTEN)
        if luck == 0:
            return 2
        if luck == 1:
            raise ValueError("lost")
        return blocks.cheapest_discard(view, 0)


class SlipsInBatches(BatchAgent):
    """Fails where ``Slips`` does, deciding over arrays."""

    def discard(self, views):
        luck = np.array([below(word, 9, OFTEN) for word in views["random"]])
        if (luck == 1).any():
            raise ValueError("lost")
        return np.where(luck == 0, 2, batch_blocks.cheapest_discard(views, 0))


class DislikesCompany(BatchAgent):
    """Answers for one table only."""

    def discard(self, views):
        if len(views) > 1:
            raise ValueError("too many")
        return batch_blocks.cheapest_discard(views, 0)


class RefusesWith(Agent):
    """Answers 5 when its partner wants to go out."""

    @staticmethod
    def permit(view, params):
        return 5


MATCHES = 40


def rows_by(lineups: list[object], **how: object) -> np.ndarray:
    pairing = make_pairing(lineups, Rules())
    return play(pairing, seed=3, first_match=2, count=MATCHES, on_illegal="forfeit", **how)


def test_some_matches_are_forfeited_and_the_others_played_as_ever() -> None:
    rows = rows_by([Slips, "greedy"])
    lost = (rows["forfeit"] >= 0).any((1, 2))
    assert 0 < lost.sum() < MATCHES
    assert np.array_equal(lost, (rows["end"] == 3).any((1, 2)))
    assert {REASONS[n] for n in rows["forfeit"][rows["forfeit"] >= 0]} == {"7.1", "crash"}
    pairing = make_pairing([Slips, "greedy"], Rules())
    for match in np.flatnonzero(~lost)[:4]:
        alone = play(pairing, seed=3, first_match=2 + match // 2, count=2, on_illegal="forfeit")
        assert np.array_equal(alone[match % 2], rows[match])


def test_a_forfeited_match_is_void_and_a_loss() -> None:
    rows = rows_by([Slips, "greedy"])
    for index, match in enumerate(rows):
        losers = (match["forfeit"] >= 0).all(0)
        if not losers.any():
            assert (match["forfeit"] == -1).all()
            continue
        team = index % 2  # where Slips sits
        assert losers.tolist() == [team == 0, team == 1]
        assert (match["score"][:, team] == -FORFEIT_POINTS).all()
        assert (match["score"][:, 1 - team] == 0).all()
        assert np.array_equal(match["before"].sum(1), -FORFEIT_POINTS * np.arange(4))
        for name in match.dtype.names:
            if name in NULLABLE and name != "forfeit":
                assert (match[name] == -1).all(), name
            elif name not in (
                "forfeit", "score", "before", "end", "dealer", "first", "minimum",
            ):  # fmt: skip
                assert not match[name].any(), name


def test_a_void_match_keeps_what_is_known_before_it_is_played() -> None:
    rows = rows_by([Slips, "greedy"])
    whole = rows_by(["greedy", "greedy"])
    for name in ("dealer", "first", "minimum"):
        assert np.array_equal(rows[name], whole[name])


@pytest.mark.parametrize("batch", [1, 5, 4096])
def test_drivers_and_batches_agree(batch: int) -> None:
    fused = rows_by([Slips, "greedy"], driver="fused")
    assert np.array_equal(fused, rows_by([Slips, "greedy"], driver="lockstep", batch=batch))
    batches = rows_by([SlipsInBatches, "greedy"], driver="lockstep", batch=batch)
    assert np.array_equal(fused, batches)


def test_any_number_of_workers_and_folders_give_the_same(tmp_path: Path) -> None:
    how = {"matches": 1200, "seed": 5, "on_illegal": "forfeit"}
    one = simulate([Slips, "greedy"], jobs=1, **how)
    two = simulate([Slips, "greedy"], jobs=2, **how)
    kept = simulate([Slips, "greedy"], jobs=2, out=tmp_path / "run", **how)
    assert len(one.tables) > 1
    assert one.deals["forfeit"].notna().any()
    assert one.deals.equals(two.deals)
    pd.testing.assert_frame_equal(one.deals, kept.deals)
    again = simulate([Slips, "greedy"], jobs=1, out=tmp_path / "run", **how)
    assert again.played == 0
    with pytest.raises(RunError, match="on_illegal"):
        simulate([Slips, "greedy"], 1200, 5, out=tmp_path / "run")


def test_a_run_that_stopped_can_go_on_with_forfeits(tmp_path: Path) -> None:
    with pytest.raises((IllegalDecision, AgentFailure)):
        simulate([Slips, "greedy"], 1200, 5, out=tmp_path / "run")
    gone_on = simulate([Slips, "greedy"], 1200, 5, out=tmp_path / "run", on_illegal="forfeit")
    assert gone_on.deals["forfeit"].notna().any()
    with pytest.raises(RunError, match="on_illegal"):
        simulate([Slips, "greedy"], 1200, 5, out=tmp_path / "run")


def test_rows_come_back_from_their_table() -> None:
    rows = rows_by([Slips, "greedy"])
    table = deals_table(make_pairing([Slips, "greedy"], Rules()), rows, 2)
    assert np.array_equal(rows_of(table, 4, 2), rows)
    whole = rows_by(["greedy", "greedy"])
    table = deals_table(make_pairing(["greedy", "greedy"], Rules()), whole, 2)
    assert np.array_equal(rows_of(table, 4, 2), whole)


def test_the_culprit_of_a_batch_is_named() -> None:
    with pytest.raises(AgentFailure) as caught:
        simulate([SlipsInBatches, "greedy"], 200, 3)
    place = r"SlipsInBatches: discard raised ValueError: lost \(match \d+, mirror \d, deal \d, "
    assert caught.match(place + r"turn \d+, seat \d\)$")


@pytest.mark.parametrize("on_illegal", ["stop", "forfeit"])
def test_an_agent_that_fails_for_several_tables_only_stops_the_run(on_illegal: str) -> None:
    words = r"asked for \d+ tables at once, .*asked for fewer tables at once it answers"
    with pytest.raises(AgentFailure, match=words):
        simulate([DislikesCompany, "greedy"], 20, 1, on_illegal=on_illegal)


@pytest.mark.parametrize("driver", ["fused", "lockstep"])
def test_nonsense_from_the_partner_who_is_asked_is_its_own(driver: str) -> None:
    pairing = make_pairing([["greedy", RefusesWith], ["greedy", "greedy"]], Rules())
    with pytest.raises(
        IllegalDecision, match=r"agent RefusesWith broke rule 3.1.*seat [23]\): 5 is not"
    ):
        play(pairing, seed=1, first_match=0, count=40, driver=driver)


def test_figures_of_play_leave_out_sets_with_a_forfeit() -> None:
    rows = rows_by([Slips, "greedy"])
    whole = np.repeat((rows["end"] != 3).all((1, 2)).reshape(-1, 2).all(1), 2)
    assert 0 < whole.sum() < MATCHES
    tally, played = tally_rows(rows, 2), tally_rows(rows[whole], 2)
    assert (tally.sets, tally.sets_played) == (MATCHES // 2, whole.sum() // 2)
    for name in ("deals", "turns", "figures", "counts", "team_deals", "opened_at", "ended_at"):
        assert np.array_equal(getattr(tally, name), getattr(played, name)), name
    scores = rows["score"].sum(1).reshape(-1, 2, 2)
    margins = (scores[:, 0, 0] - scores[:, 0, 1] + scores[:, 1, 1] - scores[:, 1, 0]) / 2
    assert tally.margin[0] == margins.sum()
    assert tally.forfeits[1].sum() == 0
    assert tally.forfeits[0].sum() == (rows["forfeit"][:, 0] >= 0).sum()


@pytest.mark.parametrize("matches", [60, 2])
def test_the_report_counts_forfeits(matches: int) -> None:
    work, pairing = plan([Slips, "greedy"], matches, 3, "standard", on_illegal="forfeit")
    tally = carry_on(Run((work,), (pairing,)), Engine()).ledgers[0].tally
    text = comparison_text(work, pairing, tally, matches, 1.0)
    lost = int(tally.forfeits[0].sum())
    assert f"forfeits: Slips {lost} (" in text
    assert f", greedy 0 of {matches} matches" in text
    assert "nan" not in text


def test_the_report_of_a_clean_run_is_silent() -> None:
    work, pairing = plan(["greedy", "greedy"], 4, 3, "standard", on_illegal="forfeit")
    tally = carry_on(Run((work,), (pairing,)), Engine()).ledgers[0].tally
    assert "forfeit" not in comparison_text(work, pairing, tally, 4, 1.0)


SLIPPING = '''
from handfoot_sim.agent import Agent, below, blocks


class Slipping(Agent):
    """Now and then discards a red three."""

    @staticmethod
    def discard(view, params):
        return 2 if below(view.random, 9, 400) == 0 else blocks.cheapest_discard(view, 0)
'''


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "slipping.py"
    path.write_text(SLIPPING)
    words = ["compare", str(path), "greedy", "--matches", "40", "--seed", "1", "--quiet"]
    out = ["--out", str(tmp_path / "run"), "--transcripts", "10"]
    assert run([*words, *out, "--on-illegal", "forfeit"]) == 0
    assert "rule 7.1 in " in capsys.readouterr().out
    told = list(read_matches(tmp_path / "run" / "transcripts.jsonl.gz"))
    assert 0 < len(told) < 10
    assert run([*words, "--out", str(tmp_path / "other")]) == 1
    assert "broke rule 7.1" in capsys.readouterr().err
    assert run([*words, "--on-illegal", "ignore"]) == 2


def test_what_is_allowed() -> None:
    with pytest.raises(RunError, match="on_illegal = 'ignore' must be one of stop, forfeit"):
        simulate(["greedy", "greedy"], 2, on_illegal="ignore")
