"""What is installed: two import packages, neither called ``agents``, and the command."""

from __future__ import annotations

import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Names of the files in a wheel built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    path = next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))
    return zipfile.ZipFile(path).namelist()


def test_the_wheel_holds_two_packages_and_nothing_else(wheel: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    assert packages == {"handfoot_sim", "handfoot_agents"}


def test_the_wheel_holds_every_module(wheel: list[str]) -> None:
    for base, folder in ((ROOT, "handfoot_sim"), (ROOT / "agents", "handfoot_agents")):
        for path in (base / folder).rglob("*.py"):
            assert path.relative_to(base).as_posix() in wheel


def test_the_wheel_holds_what_plots_and_reports_are_made_with(wheel: list[str]) -> None:
    assert "handfoot_sim/plots/handfoot.mplstyle" in wheel
    for name in ("report.css", "report.html.j2"):
        assert f"handfoot_sim/report/templates/{name}" in wheel


def test_no_package_is_called_agents() -> None:
    assert not (ROOT / "agents" / "__init__.py").exists()


def test_the_command_is_registered() -> None:
    commands = {point.name: point.value for point in entry_points(group="console_scripts")}
    assert commands["handfoot"] == "handfoot_sim.cli.main:main"
