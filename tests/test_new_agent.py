"""What ``handfoot new-agent`` writes runs at once, passes the checks, and plays sensibly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from handfoot_sim.agent import Agent
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.cli.main import run
from handfoot_sim.cli.new_agent import class_name
from handfoot_sim.conformance.subject import QUICK, Subject
from handfoot_sim.conformance.suite import checked
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.playing import play
from handfoot_sim.rules import Rules

REDUCED = replace(QUICK, sets=2, batch_sets=1, rounds=400, points=1, seconds=0.05)


class Plain(Agent):
    """Leaves everything to the defaults."""


def written(tmp_path: Path, name: str, *options: str) -> Path:
    path = tmp_path / name
    assert run(["new-agent", str(path), *options]) == 0
    return path


@pytest.mark.parametrize("options", [[], ["--batch"]], ids=["compiled", "batch"])
def test_it_passes_the_checks(tmp_path: Path, options: list[str]) -> None:
    agent = load_agent(str(written(tmp_path, "my_bot.py", *options)))
    assert type(agent).__name__ == "MyBot"
    assert agent.batch == bool(options)
    verdicts = {check.name: outcome for check, outcome in checked(Subject(agent, REDUCED))}
    assert [name for name, outcome in verdicts.items() if outcome.verdict != "ok"] == []


def test_it_plays_better_than_the_defaults(tmp_path: Path) -> None:
    pairing = make_pairing([str(written(tmp_path, "my_bot.py")), Plain], Rules())
    scores = play(pairing, seed=1, first_match=0, count=400)["score"].sum(1)
    mirrors = np.arange(len(scores)) % 2
    rows = np.arange(len(scores))
    margins = (scores[rows, mirrors] - scores[rows, 1 - mirrors]).reshape(-1, 2).mean(1)
    error = margins.std(ddof=1) / np.sqrt(len(margins))
    assert margins.mean() > 4 * error


@pytest.mark.parametrize("starve", ["false", "true"])
def test_both_kinds_play_the_same_matches(tmp_path: Path, starve: str) -> None:
    one = written(tmp_path, "one.py")
    other = written(tmp_path, "other.py", "--batch")
    rows = []
    for path in (one, other):
        pairing = make_pairing([f"{path}:starve={starve}", "greedy"], Rules())
        driver = "fused" if path == one else "lockstep"
        rows.append(play(pairing, seed=2, first_match=0, count=16, driver=driver))
    assert np.array_equal(*rows)


def test_it_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "my_bot.py")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{path} holds the agent MyBot. Next:"
    assert lines[1] == f"  handfoot check-agent {path}"
    assert len(lines) == 4
    words = lines[3].split()[1:-1]
    assert run([*words, "4", "--quiet"]) == 0
    assert "my_bot.py:pile_min=5" in path.read_text(encoding="utf-8")


def test_it_overwrites_only_when_told_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text("mine\n")
    assert run(["new-agent", str(path)]) == 2
    assert "there is such a file; choose another name, or --force" in capsys.readouterr().err
    assert path.read_text() == "mine\n"
    written(tmp_path, "mine.py", "--force")
    assert "class Mine(Agent)" in path.read_text()


@pytest.mark.parametrize("name", ["my-bot.py", "my_bot.txt", "my_bot", "1st.py", "class.py", ".py"])
def test_names_that_python_cant_import(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new-agent", name]) == 2
    assert "must be a Python name ending in .py, such as my_bot.py" in capsys.readouterr().err


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new-agent", str(tmp_path / "nowhere" / "a.py")]) == 2
    assert "it can't be written: No such file" in capsys.readouterr().err


def test_names_of_classes() -> None:
    names = ("my_bot.py", "agent.py", "param.py", "batch_agent.py", "_1st.py", "a/b.py", "_.py")
    made = [class_name(Path(name)) for name in names]
    assert made == ["MyBot", "MyAgent", "MyParam", "MyBatchAgent", "My1st", "B", "My_"]
