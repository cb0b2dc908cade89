"""The command line: what it prints, where it ends, what it says of bad input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from handfoot_sim.cli.main import COMMANDS, run
from tests.interrupting import hear_ctrl_c

QUIET = ["--matches", "40", "--quiet"]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    code = run(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_compare_prints_the_margin(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "compare", "greedy", "random_legal", *QUIET)
    assert code == 0
    assert "greedy beats random_legal by" in out
    assert "95 % interval" in out
    assert "n = 20 duplicate pairs" in out
    for line in ("went out", "opened", "clean books", "wild books", "pile taken", "matches/s"):
        assert line in out


def test_compare_tells_losers_and_equals(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "compare", "random_legal", "greedy", *QUIET)
    assert "random_legal loses to greedy by" in out
    _, out, _ = said(capsys, "compare", "greedy", "greedy", *QUIET)
    assert "greedy (A) and greedy (B) are level: 0 ± 0 points" in out
    assert "no difference is shown" in out


def test_compare_calls_long_labels_by_letters(capsys: pytest.CaptureFixture[str]) -> None:
    long = "greedy:pile_min=3,wild_start=4,rush=4"
    _, out, _ = said(capsys, "compare", long, "random_legal", *QUIET)
    assert out.startswith(f"A = {long} against B = random_legal: 40 matches")
    assert "\nA beats B by" in out
    tables = out.split("\n\n")[2:4]
    assert all(len(line) < 80 for table in tables for line in table.splitlines())


def test_compare_claims_no_more_than_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "greedy", "greedy:open_weight=29", "--matches", "6", "--quiet"]
    _, out, _ = said(capsys, *words)
    assert "no difference is shown" in out
    assert " beats " not in out
    assert " loses to " not in out
    _, out, _ = said(capsys, "compare", "greedy", "random_legal", "--matches", "2", "--quiet")
    assert "greedy is ahead of random_legal by" in out
    assert "n = 1 of duplicate pairs: too few for an interval" in out


def test_compare_by_other_rules(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--rules", "pagat", "--rule", "pile_take=5", "--rule", "meld_minimums=30,40"]
    _, out, _ = said(capsys, "compare", "greedy", "greedy_numpy", *QUIET, *words)
    assert "rules pagat, meld_minimums = [30, 40], pile_take = 5" in out
    words = ["--rule", "players=3", "--rule", "teams=3"]
    _, out, _ = said(capsys, "compare", "greedy", "random_legal", *QUIET, *words)
    assert "on average of the other teams" in out
    assert "sets of 3 mirrors" in out
    _, out, _ = said(capsys, "compare", "greedy", "random_legal", *QUIET, "--no-duplicate")
    assert "n = 40 matches" in out


def test_compare_writes_a_run_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["compare", "greedy", "greedy+random_legal", *QUIET, "--out", str(out)]
    code, first, _ = said(capsys, *words, "--transcripts", "4")
    assert code == 0
    assert f"run folder: {out}" in first
    assert (out / "manifest.json").exists()
    assert list((out / "shards").glob("*.parquet"))
    code, text, _ = said(capsys, "verify", str(out / "transcripts.jsonl.gz"))
    assert (code, text) == (0, "4 matches, 0 at fault\n")
    code, second, _ = said(capsys, *words)
    assert code == 0
    assert "nothing was left to play" in second
    assert second.split("\n\n")[1:4] == first.split("\n\n")[1:4]


BAD = [
    (["compare", "gredy", "greedy"], "did you mean greedy?"),
    (["compare", "greedy"], "Missing argument 'B'"),
    (["compare", "greedy", "greedy", "--matches", "0"], "matches = 0 must be from 1"),
    (["compare", "greedy", "greedy", "--matches", "ten"], "'ten' is not a valid integer"),
    (["compare", "greedy", "greedy", "--rules", "house"], "there is no preset 'house'"),
    (["compare", "greedy", "greedy", "--rule", "pile_take"], "not of the form field=value"),
    (["compare", "greedy", "greedy", "--rules", "no.toml"], "no.toml can't be read"),
    (["compare", "greedy", "greedy", "--transcripts", "3"], "--out DIR"),
    (["compare", "greedy", "greedy", "--driver", "quick"], "'quick' is not one of"),
    (["compare", "greedy_numpy", "greedy", "--driver", "fused"], "use the lockstep driver"),
    (["compare", "greedy:pile_min=99", "greedy"], "must be a whole number from 1 to 20"),
    (["rules", "house"], "there is no preset 'house'"),
    (["check-agent", "nobody"], "there is no agent 'nobody'"),
    (["check-agent", "none.py"], "none.py: the file can't be read"),
    (["check-agent", "greedy:pile_min=99"], "must be a whole number from 1 to 20"),
    (["agents", "greedy", "--markdown"], "--markdown shows all agents"),
    (["agents", "--write", "page.md"], "--write goes with --markdown"),
    (["agents", "nobody"], "there is no agent 'nobody'"),
    (["fly"], "No such command 'fly' (see handfoot --help)"),
    (["compare", "greedy", "greedy", "--transcripts", "-1"], "transcripts = -1 must be"),
    (["compare", "greedy", "greedy", "--jobs", "-2"], "or -1 for one a core"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_ends_in_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    code, out, err = said(capsys, *words)
    assert code == 2
    assert out == ""
    assert sentence in err
    assert err.startswith("handfoot: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "--debug", "compare", "gredy", "greedy")
    assert code == 2
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("handfoot: there is no agent 'gredy'")


def test_ctrl_c_ends_what_compiled_code_holds(tmp_path: Path) -> None:
    path = tmp_path / "endless.py"
    path.write_text(
        "from handfoot_sim.agent import Agent\n\n\nclass Endless(Agent):\n"
        "    @staticmethod\n    def discard(view, params):\n        n = 0\n"
        "        while view.turn >= 0:\n            n += 1\n        return n\n"
    )
    words = ["-m", "handfoot_sim", "compare", str(path), "greedy", "--jobs", "1", "--quiet"]
    command = [sys.executable, *words]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c
    ) as running:
        time.sleep(10)
        running.send_signal(signal.SIGINT)
        try:
            _, err = running.communicate(timeout=30)
        finally:
            running.kill()
    assert running.returncode == 130
    assert "interrupted" in err


def test_commands_need_numbas_compiler() -> None:
    words = [sys.executable, "-m", "handfoot_sim", "compare", "greedy", "greedy"]
    done = subprocess.run(
        words, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == (
        "handfoot: NUMBA_DISABLE_JIT is set, but the engine runs only compiled; unset it\n"
    )


def test_an_illegal_agent_leaves_a_transcript(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "thrower.py"
    path.write_text(
        "from handfoot_sim.agent import Agent\n\n\nclass Thrower(Agent):\n"
        '    """Throws red threes."""\n\n    @staticmethod\n'
        "    def discard(view, params):\n        return 2\n"
    )
    code, _, err = said(capsys, "compare", str(path), "greedy", *QUIET)
    assert code == 1
    assert "agent thrower broke rule 7.1 (match 0, mirror 0, deal 0, turn" in err
    written = list(tmp_path.glob("illegal-thrower-match-*.jsonl.gz"))
    assert len(written) == 1
    assert written[0].name in err


def test_rules_are_printed_with_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "rules", "pagat")
    assert code == 0
    assert "[4.5]" in out
    assert "pagat differs from standard in: start_or_add = false" in out
    code, out, _ = said(capsys, "rules")
    assert "these are the standard rules" in out


def test_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "agents")
    for name in ("greedy", "greedy_numpy", "random_legal"):
        assert name in out
    _, out, _ = said(capsys, "agents", "greedy")
    assert "Known weakness:" in out
    assert "pile_min" in out


def test_agents_fit_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    for words in (["agents"], ["agents", "greedy"], ["agents", "random_legal"]):
        _, out, _ = said(capsys, *words)
        assert [line for line in out.splitlines() if len(line) > 72] == []
    assert "file: " in out
    assert "random_legal: compiled agent RandomLegal" in out


def test_an_agent_of_a_file_is_shown_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        '"""Mine.\n\nIdea: none.\n"""\n\nfrom handfoot_sim.agent import BatchAgent\n\n'
        '__author__ = "Ann"\n\n\nclass Mine(BatchAgent):\n    pass\n'
    )
    code, out, _ = said(capsys, "agents", "mine.py")
    assert code == 0
    assert out == (
        "mine: batch agent Mine\nauthor: Ann\nfile: mine.py\n\nMine.\n\nIdea: none.\n\n"
        "It has no parameters.\n"
    )


def test_agents_are_written_into_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- agents: begin -->\nwhat was here\n<!-- agents: end -->\nafter\n")
    for _ in range(2):
        code, out, _ = said(capsys, "agents", "--markdown", "--write", str(page))
        assert (code, out) == (0, f"the agents are written into {page}\n")
    text = page.read_text()
    assert text.startswith("before\n<!-- agents: begin -->\n\n### ")
    assert "\n\n### greedy\n" in text
    assert text.endswith("\n<!-- agents: end -->\nafter\n")
    assert "what was here" not in text
    assert "| pile_min " in text
    page.write_text("no marks\n")
    code, _, err = said(capsys, "agents", "--markdown", "--write", str(page))
    assert code == 2
    assert "has no lines <!-- agents: begin -->" in err
    assert page.read_text() == "no marks\n"


def test_check_agent_says_what_passes(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "check-agent", "greedy", "--quick")
    assert code == 0
    assert err == ""
    assert out.startswith("greedy (compiled), ")
    assert out.count("\nok ") == 9
    assert "decisions/s" in out
    assert "\ndecisions reached: draw " in out
    assert out.splitlines()[-1].startswith("greedy passes 9 of 9 checks (")


def test_check_agent_says_what_fails_and_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "late.py"
    path.write_text(
        "from handfoot_sim.agent import Agent, blocks\n\n\nclass Late(Agent):\n"
        '    """Discards an ace that it lacks."""\n\n    @staticmethod\n'
        "    def discard(view, params):\n        if view.players == 2 and view.turn == 9:\n"
        "            return 15\n        return blocks.cheapest_discard(view, 30)\n"
    )
    code, out, _ = said(capsys, "check-agent", str(path), "--quick", "--quiet")
    assert code == 1
    flat = " ".join(out.split())
    assert flat.startswith("FAILED plays legally and finishes 172 matches in 18 games - 2 players:")
    assert "2 players: discard answered 15: agent late broke rule 3.3 (match 0, mirror 0" in flat
    assert "(also: small)" in flat
    assert "what to do: Play it again by the command above" in flat
    assert out.splitlines()[-1].startswith("late fails 1 of 9 checks (")
    command = flat.partition("see it: handfoot ")[2].partition(" what to do:")[0]
    code, _, err = said(capsys, *command.split(), "--quiet")
    assert code == 1
    place = flat.partition("broke rule 3.3 (")[2].partition(")")[0]
    assert place in err
    assert len(list(tmp_path.glob("illegal-late-*.jsonl.gz"))) == 1


def test_help_names_every_command_without_the_compiler() -> None:
    code = (
        "import sys; from handfoot_sim.cli.main import run; run(['--help']); "
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"
    for name in COMMANDS:
        assert name in done.stdout


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        code, out, _ = said(capsys, name, "--help")
        assert code == 0
        assert out.startswith(f"Usage: handfoot {name}")
