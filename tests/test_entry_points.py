"""An agent in an installed package of its own, found by the name of its entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "tiny-agents"
version = "1.0"

[project.entry-points."handfoot_sim.agents"]
tiny = "tiny_agents:Tiny"
broken = "tiny_agents:Missing"

[tool.hatch.build.targets.wheel]
packages = ["tiny_agents"]
"""
SOURCE = '''from handfoot_sim.agent import Agent, Param, blocks


class Tiny(Agent):
    """Discards its cheapest card, from a package of its own."""

    weight = Param(30, 0, 100, "what keeps back ranks that lie open")

    @staticmethod
    def discard(view, params):
        return blocks.cheapest_discard(view, params.weight)
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the wheel of a tiny package."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "tiny_agents").mkdir()
    (folder / "tiny_agents" / "__init__.py").write_text(SOURCE)
    wheel = next(WheelBuilder(str(folder)).build(directory=str(folder), versions=["standard"]))
    words = ["install", "--quiet", "--no-index", "--no-deps", "--target", str(folder / "site")]
    subprocess.run([sys.executable, "-m", "pip", *words, wheel], check=True)
    return folder / "site"


def handfoot(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the package is installed."""
    paths = os.pathsep.join([str(site), *(path for path in sys.path if path)])
    return subprocess.run(
        [sys.executable, "-m", "handfoot_sim", *words],
        env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True,
    )  # fmt: skip


def test_it_plays_by_its_name(site: Path) -> None:
    words = ["compare", "tiny:weight=20", "random_legal", "--matches", "20", "--quiet"]
    done = handfoot(site, *words)
    assert done.returncode == 0, done.stderr
    assert "tiny:weight=20 beats random_legal by" in done.stdout


def test_it_is_listed_beside_one_that_cant_be_loaded(site: Path) -> None:
    done = handfoot(site, "agents")
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "compiled  Discards its cheapest card, from a package" in lines["tiny"]
    assert "can't be loaded: " in lines["broken"]
    assert "greedy" in lines


def test_the_page_of_the_bench_holds_only_its_own(site: Path) -> None:
    done = handfoot(site, "agents", "--markdown")
    assert done.returncode == 0, done.stderr
    assert "### greedy\n" in done.stdout
    assert "tiny" not in done.stdout
