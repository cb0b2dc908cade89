"""Matches told in words."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from handfoot_agents.random_legal import RandomLegal
from handfoot_sim.cli.main import run as run_handfoot
from handfoot_sim.cli.replay import command as replay
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.errors import TranscriptError
from handfoot_sim.transcripts.format import convert_match
from handfoot_sim.transcripts.replay import tell_match
from tests.handmade import match, play, settled, turn
from tests.logged import played_transcript
from tests.test_check_ends import ALL_LAID, FIVES, RED_FOOT, SIXES, endgame

DATA = Path(__file__).parent / "data" / "matches.jsonl.gz"
GOOD, SMALL = gzip.decompress(DATA.read_bytes()).splitlines()

Transcript = dict[str, Any]


def told(transcript: Transcript, deal: int | None = None, **how: Any) -> list[str]:
    return list(tell_match(convert_match(transcript, unfinished=True), deal, **how))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(replay, [str(word) for word in arguments])


def flat(lines: list[str]) -> str:
    """The lines as one text with single spaces."""
    return re.sub(r"\s+", " ", " ".join(lines))


def test_a_hand_made_match() -> None:
    out = endgame(turn(1, discard="9"), SIXES)
    assert told(settled(out), agents=["ann", "bob", "cleo", "d"]) == [
        "4 players in 2 teams; rules standard, decks 1, hand_size 3, foot_size 4, deals 1, "
        "meld_minimums [0],",
        "book_size 5, clean_to_go_out 0, wild_to_go_out 0",
        "",
        "Deal 0: seat 2 cleo deals, 0 points are needed to open",
        "  seat 0 ann   hand  J Q Q",
        "               foot  2 2 2 10",
        "  seat 1 bob   hand  5 5 5",
        "               foot  6 6 6 9",
        "  seat 2 cleo  hand  10 10 10",
        "               foot  6 7 8 8",
        "  seat 3 d     hand  4 4 4",
        "               foot  7 7 7 8",
        "  K is turned up, 25 cards left in the stock",
        "turn   0  seat 3 d     draws 4 JK",
        "                       lays 4 4 4 4 JK on 4 (a dirty book)",
        "                       opens with 70 points",
        "                       picks up the foot: 7 7 7 8",
        "                       discards 8, foot of 3: 7 7 7",
        "turn   1  seat 0 ann   draws A A",
        "                       discards Q, hand of 4: J Q A A",
        "turn   2  seat 1 bob   draws 5 2",
        "                       lays 5 5 5 5 2 on 5 (a dirty book)",
        "                       picks up the foot: 6 6 6 9",
        "                       asks to go out; it is permitted",
        "                       lays 6 6 6 on 6 (new, 3 cards)",
        "                       discards 9 and goes out",
        "End of deal 0 after 3 turns: team 1 is out",
        "  team 0  nothing melded",
        "  team 1  dirty books: 4 5; open melds: 6 (3 cards)",
        "              melded       books  red threes   going out        left       score"
        "       match",
        "  team 0           0           0           0           0        -190        -190"
        "        -190",
        "  team 1         125         600           0         100         -15         810"
        "         810",
        "",
        "Team 1 wins the match.",
    ]


def test_red_threes_refusals_takings_and_the_end_of_the_stock() -> None:
    text = flat(told(endgame(turn(1, discard="9"), play(False, m6="6x3"))))
    assert "asks to go out by laying 6 6 6 on 6; it is refused discards 9" in text
    hands = ["9x2 3R Q", "3Rx1 7x2 Q", "", "Q J"]
    taking = [turn(0, play(m9="9x3"), discard="Q", draw="pile"), turn(1, discard="7")]
    rules = FIVES.changes() | {"hand_size": 4, "first_player": "dealer"}
    text = flat(told(match(FIVES.__class__(**rules), hands, [""] * 4, "8 6", taking, upcard="9")))
    assert "hand 3R 9 9 Q lays a red three, draws 8" in text
    assert "hand 3R 7 7 Q lays a red three, draws 6" in text
    assert "takes the card from the pile, top first: 9 lays 9 9 9 on 9 (new, 3 cards)" in text
    ends = [turn(1, play(**ALL_LAID, m9="9x4 2"))]
    foot = match(RED_FOOT, ["", "4x4 5x4 6x4 7x4 8x4 9x4"], ["", "3Rx2"], "2", ends)
    text = flat(told(settled(foot)))
    assert (
        "lays 9 9 9 9 2 on 9 (new, 5 cards, 1 wild) opens with 180 points picks up the foot: "
        "no card (2 red threes laid, no card drawn) ends the deal" in text
    )
    assert "End of deal 0 after 1 turn: the stock is used up" in text


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_tells_every_form_of_the_game(name: str) -> None:
    rules = CONFIGURATIONS[name]
    found = played_transcript(RandomLegal(meld_chance=0.95, permit_chance=0.5), rules, match=3)
    lines = told(found)
    assert all(len(line) <= 100 and line.isprintable() for line in lines)
    assert not any(line != line.rstrip() for line in lines)
    text = flat(lines)
    assert text.count("End of deal") == rules.deals
    turns = sum(len(deal["turns"]) for deal in found["deals"])
    assert sum(line.startswith("turn ") for line in lines) == turns
    for team, points in enumerate(found["totals"]):
        last = [line for line in lines if line.startswith(f"  team {team} ")][-1]
        assert last.split()[-1] == str(points)
    assert "breaks a rule" not in text


def test_one_deal_is_told_as_in_the_whole() -> None:
    found = json.loads(GOOD)
    whole = told(found)
    for deal in range(4):
        lines = told(found, deal)
        start = next(i for i, line in enumerate(whole) if line.startswith(f"Deal {deal}:"))
        assert lines[-10:] == whole[start : start + len(lines) - 2][-10:]
    with pytest.raises(TranscriptError, match="there is no deal 4: the match has 4"):
        told(found, 4)
    with pytest.raises(TranscriptError, match="there is no deal -1"):
        told(found, -1)


def test_a_fault_is_told_after_what_is_legal() -> None:
    found = json.loads(GOOD)
    found["deals"][1]["turns"][6]["discard"] = "3R"
    lines = told(found)
    assert "breaks a rule: [7.1] deal 1, turn 6, seat " in lines[-1]
    assert sum(line.startswith("turn ") for line in lines) == len(found["deals"][0]["turns"]) + 7
    after = told(found, 2)
    assert "End of deal 2" in flat(after)
    assert "breaks a rule: [7.1] deal 1" in flat(after)
    assert not any("score       match" in line for line in after)
    found = json.loads(GOOD)
    found["deals"][0]["turns"][0]["plays"] = [{"melds": [{"to": "wild", "cards": ["2"] * 8}]}]
    assert "tries to lay 2 2 2 2 2 2 2 2 on wild" in flat(told(found))
    found = json.loads(GOOD)
    found["winner"] = None
    lines = told(found)
    assert "wins the match" in lines[-3]
    assert lines[-1].startswith("The match breaks a rule: [8.3] the winner is")


@pytest.mark.parametrize(
    "change",
    [{"rules": {"players": 9}}, {"deals": []}, {"agents": ["a\x1b[2J"] * 9}, {"seed": 2**63}],
)
def test_odd_matches_are_told_without_a_traceback(change: Transcript) -> None:
    lines = told(json.loads(GOOD) | change)
    assert all(len(line) <= 100 and line.isprintable() for line in lines)


def test_names_of_agents_are_cut() -> None:
    lines = told(json.loads(GOOD) | {"agents": ["x" * 1000, "greedy"]}, 0)
    assert any("seat 1 greedy" in line for line in lines)
    assert all(len(line) <= 100 for line in lines)


# The command


def test_replay_tells_the_match_asked_for() -> None:
    first, second = run(DATA), run(DATA, "--match", 1)
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout.splitlines() == told(json.loads(GOOD))
    assert second.stdout.splitlines() == told(json.loads(SMALL))
    deal = run(DATA, "--match", 1, "--deal", 5)
    assert deal.stdout.splitlines() == told(json.loads(SMALL), 5)


def test_replay_of_a_fault_ends_with_1(tmp_path: Path) -> None:
    found = json.loads(GOOD)
    found["deals"][1]["turns"][6]["discard"] = "3R"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(found))
    result = run(path)
    assert result.exit_code == 1
    assert "breaks a rule: [7.1] deal 1, turn 6" in result.stdout.splitlines()[-1]


def test_replay_of_a_match_broken_off(tmp_path: Path) -> None:
    found = json.loads(GOOD)
    found["deals"] = found["deals"][:2]
    found["rules"] = {"deals": 2}
    del found["winner"], found["totals"], found["deals"][1]["end"], found["deals"][1]["scores"]
    del found["deals"][1]["turns"][9:], found["deals"][1]["turns"][8]["discard"]
    path = tmp_path / "part.json"
    path.write_text(json.dumps(found))
    result = run(path)
    assert result.exit_code == 1
    assert "[8.1] deal 1, turn 8" in result.stdout.splitlines()[-1]


def test_replay_errors_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, expected in (
        ([str(DATA), "--match", "7"], "has no match 7: it holds 2, and the first one is match 0"),
        ([str(DATA), "--match", "-1"], "has no match -1"),
        ([str(DATA), "--deal", "4"], "match 0: there is no deal 4: the match has 4"),
        ([str(DATA), "--deal", "x"], "'x' is not a valid integer"),
        ([str(tmp_path / "none.json")], "none.json can't be read: No such file or directory"),
        ([str(tmp_path)], "is no transcript"),
    ):
        assert run_handfoot(["replay", *arguments]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("handfoot: ")
        assert expected in said.err
        assert said.err.count("\n") == 1
