"""Every agent that can be named passes the conformance suite, and stands in the bench's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from handfoot_sim.agent.loading import agent_names, load_agent
from handfoot_sim.cli.agents import BEGIN, END, markdown
from handfoot_sim.conformance.afresh import start
from handfoot_sim.conformance.subject import QUICK, Subject
from handfoot_sim.conformance.suite import CHECKS, Check

NAMES = [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in sorted(agent_names())]
"""The checks of an agent run in one process, where they share what it has played."""

PAGE = Path(__file__).resolve().parent.parent / "agents" / "README.md"


@pytest.fixture(scope="module")
def subject() -> Iterator[Callable[[str], Subject]]:
    """The subject of a name: one for all its checks, since they share what it has played."""
    known: dict[str, Subject] = {}

    def named(name: str) -> Subject:
        if name not in known:
            known[name] = Subject(load_agent(name), QUICK)
            known[name].process = start(known[name])
        return known[name]

    yield named
    for each in known.values():
        if each.process is not None:
            each.process.kill()
            each.process.communicate()


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
@pytest.mark.parametrize("name", NAMES)
def test_passes(subject: Callable[[str], Subject], name: str, check: Check) -> None:
    outcome = subject(name).once(check.make)
    assert outcome.complaints == []
    assert outcome.unjudged == ""
    assert outcome.seen


def test_the_page_of_the_bench_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    written = page.partition(BEGIN)[2].partition(END)[0].strip()
    assert written == markdown(), "run: make agents-table"
    files = [path.stem for path in (PAGE.parent / "handfoot_agents").glob("[!_]*.py")]
    assert [name for name in files if f"### {name}\n" not in written] == []
