"""Imports point one way, and agents import only the agent interface."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import handfoot_sim

ROOT = Path(handfoot_sim.__file__).resolve().parent

# From the bottom up: a module may import those of its own layer and of the layers before it.
LAYERS = [
    ["errors", "jit", "watching"],
    ["game.cards"],
    ["rules"],
    ["game.breaches", "game.randomness"],
    ["game.state"],
    ["game.bits", "game.memory"],
    ["game.moves"],
    ["game.legality", "game.scoring"],
    ["game.taking"],
    ["game.turn"],
    ["game.deal"],
    ["game.observation"],
    ["agent.blocks.reading", "agent.batch_blocks.batch"],
    ["agent.blocks.counting", "agent.blocks.laying", "agent.blocks.openings"],
    ["agent.blocks.keeping", "agent.blocks.spending"],
    ["agent.batch_blocks.laying", "agent.batch_blocks.openings"],
    ["agent.blocks.deciding", "agent.blocks.planning", "agent.batch_blocks.deciding"],
    ["agent.calling", "agent.blocks", "agent.batch_blocks", "agent.defaults"],
    ["agent.interface"],
    ["agent"],
    ["agent.tuned"],
    ["agent.compiling", "agent.loading"],
    ["engine.log", "engine.rows", "engine.step", "engine.pairing"],
    ["engine.asking", "engine.forfeits", "engine.position"],
    ["engine.fused", "engine.lockstep"],
    ["transcripts", "transcripts.format"],
    ["transcripts.files", "transcripts.layout"],
    ["transcripts.walk"],
    ["transcripts.check", "transcripts.telling"],
    ["transcripts.write", "transcripts.replay"],
    ["playing"],
    ["tally"],
    ["ratings", "ratings.sprt", "ratings.bradley_terry", "ratings.payoff"],
    ["ratings.best"],
    ["stopping"],
    ["runs", "runs.folder"],
    ["results"],
    ["runs.shards"],
    ["runs.work"],
    ["runs.speed"],
    ["runs.ledger", "runs.engines", "runs.manifest"],
    ["runs.merging"],
    ["runs.carrying"],
    ["stats.reading"],
    ["stats.blocks"],
    ["stats.counting", "stats.intervals"],
    ["stats.meetings", "stats.survival"],
    ["stats.totals"],
    ["stats.measures"],
    ["stats.margins", "stats.play", "stats.timing"],
    ["stats.outcomes"],
    ["stats"],
    ["stats.text"],
    ["simulation"],
    ["comparison"],
    ["tournament", "tournament.plan"],
    ["tournament.pairings", "tournament.standings"],
    ["tournament.entrants"],
    ["tournament.partners"],
    ["tournament.report", "tournament.tables"],
    ["tournament.playing"],
    ["tuning.pool", "tuning.space"],
    ["tuning.axes"],
    ["tuning.batches", "tuning.methods"],
    ["tuning.evaluations", "tuning.plan", "tuning.cma", "tuning.spsa", "tuning.trials"],
    ["tuning.curves", "tuning.records", "tuning.searching"],
    ["tuning.deciding"],
    ["tuning.preparing"],
    ["tuning.tune"],
    ["tuning.best", "tuning.sweeping", "tuning.tables", "tuning.text"],
    ["tuning.sweep_text"],
    ["tuning.leagues", "tuning.leagues.plan", "tuning.leagues.members"],
    ["tuning.leagues.payoffs", "tuning.leagues.preparing"],
    ["tuning.leagues.forgetting"],
    ["tuning.leagues.outcome"],
    ["tuning.leagues.tables"],
    ["tuning.leagues.playing", "tuning.leagues.text"],
    ["tuning"],
    ["plots.style"],
    ["plots.panels"],
    [
        "plots.curves",
        "plots.effects",
        "plots.margins",
        "plots.play",
        "plots.stacks",
        "plots.standings",
    ],
    ["plots.leagues", "plots.sweeps"],
    ["plots.tuning"],
    ["plots"],
    ["report.figures", "report.glossary", "report.manifest", "report.writing"],
    ["report.headline", "report.pictures", "report.ratings", "report.samples"],
    ["report.tables"],
    ["report.sections"],
    ["report.page"],
    ["report.build", "report.sweeping", "report.tuning"],
    ["report"],
    ["experiment.paired", "experiment.wording"],
    ["experiment.study"],
    ["experiment", "experiment.catalogue"],
    ["experiment.conducting", "experiment.findings", "experiment.reproducing"],
    ["bench", "bench.layers", "bench.rates", "bench.starting"],
    ["conformance.configurations", "conformance.outcome"],
    ["conformance.hidden", "conformance.situations", "conformance.words"],
    ["conformance.subject"],
    ["conformance.answers", "conformance.matches"],
    ["conformance.afresh", "conformance.bounds", "conformance.description"],
    ["conformance", "conformance.suite"],
    ["templates", "templates.batch", "templates.compiled"],
    ["", "cli"],
    ["__main__"],
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(part for part in parts if part != "__init__")
    return "cli" if name.startswith("cli") else name


def imported(path: Path) -> set[str]:
    """Modules of the library that a file imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handfoot_sim"):
            base = (node.module or "").partition(".")[2]
            for alias in node.names:
                inner = f"{base}.{alias.name}".strip(".")
                found.add(inner if inner in RANK else base)
    return {"cli" if name.startswith("cli") else name for name in found}


FILES = sorted(path for path in ROOT.rglob("*.py") if module_name(path) not in ("game", "engine"))


@pytest.mark.parametrize("path", FILES, ids=[module_name(path) for path in FILES])
def test_imports_point_one_way(path: Path) -> None:
    own = module_name(path)
    assert own in RANK, f"{own} has no layer yet: add it to LAYERS"
    for name in imported(path):
        assert RANK[name] <= RANK[own], f"{own} imports {name}, which stands above it"


def test_agents_import_only_the_interface() -> None:
    agents = ROOT.parent / "agents" / "handfoot_agents"
    for path in agents.glob("*.py"):
        for name in imported(path):
            assert name == "agent" or name.startswith("agent."), (path.name, name)
