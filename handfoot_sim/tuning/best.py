"""The file of an answer: ``best.toml``, an agent that can be named wherever one can be.

It tells the parameters and what speaks for them: the decision of the test and the re-evaluated
gains with their intervals. Whoever names the file plays these parameters, accepted or not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from handfoot_sim.agent.loading import file_named, source_hash, split_specification
from handfoot_sim.agent.tuned import ENDING, read_tuned, toml_value
from handfoot_sim.errors import PlanError
from handfoot_sim.runs.folder import LocalFolder, RunFolder
from handfoot_sim.runs.manifest import versions
from handfoot_sim.tally import Estimate
from handfoot_sim.tuning.deciding import Gain
from handfoot_sim.tuning.tune import Tuned

BEST: Final = "best.toml"
"""Its name in a run folder."""


def best_text(tuned: Tuned, name: str = "") -> str:
    """The text of ``best.toml``; ``name`` is that in results, by default the file's."""
    agent = tuned.prepared.agent
    lines = [
        f"# {agent.label}, tuned against {tuned.prepared.pool.text()}: {tuned.decision.word}.",
        "# An agent's name is the path of this file, wherever one can be given.",
        f"agent = {toml_value(_target(tuned))}",
    ]
    if name:
        lines.append(f"name = {toml_value(name)}")
    lines += ["", "[parameters]"]
    lines += [f"{key} = {toml_value(value)}" for key, value in tuned.answer.items()]
    lines += ["", "[rules]"]
    rules = tuned.prepared.setting.rules.as_mapping()
    lines += [f"{key} = {toml_value(value)}" for key, value in rules.items()]
    lines += ["", "[evidence]"]
    lines += [f"{key} = {toml_value(value)}" for key, value in evidence(tuned).items()]
    lines += _gains_lines(tuned.gains)
    lines += ["", "[evidence.versions]"]
    lines += [f"{key} = {toml_value(value)}" for key, value in versions().items()]
    return "\n".join(lines) + "\n"


def evidence(tuned: Tuned) -> dict[str, Any]:
    """What speaks for the answer, in plain values; points are points a match."""
    plan, decision, searched = tuned.prepared.plan, tuned.decision, tuned.searched
    return {
        "decision": decision.word,
        "test": (
            f"sequential test of a gain of {decision.test.margin1:g} points a match against 0, "
            f"alpha {decision.test.alpha:g}, beta {decision.test.beta:g}: {decision.reason} after "
            f"{decision.pairs:,} pairs ({decision.verdict.text})"
        ),
        "gain": _rounded(tuned.gain.gain),
        "gain_pairs": tuned.gain.pairs,
        "gain_of_search": _rounded(searched.claimed),
        "luckiest_candidate": round(searched.best_seen, 1),
        "against": tuned.prepared.pool.text(),
        "method": plan.method,
        "matches": sum(tuned.matches.values()),
        "seed": plan.seed,
        "source": source_hash(tuned.prepared.agent),
    }


def _gains_lines(gains: list[Gain]) -> list[str]:
    """The re-evaluated gains, a line each."""
    rows = [
        {
            "rules": gain.rules,
            "group": gain.group,
            "opponent": gain.opponent,
            "pairs": gain.pairs,
            "start": _rounded(gain.start),
            "answer": _rounded(gain.answer),
            "gain": _rounded(gain.gain),
        }
        for gain in gains
    ]
    note = "# Points a match: value, low and high end of the 95 % interval, on unseen cards."
    return [note, "gains = [", *(f"    {toml_value(row)}," for row in rows), "]"]


def _rounded(estimate: Estimate) -> list[float]:
    """Value, low and high end of an estimate, in tenths of a point."""
    return [round(x, 1) for x in (estimate.value, estimate.low, estimate.high)]


def _target(tuned: Tuned) -> str:
    """The specification of the agent without parameters, a path made whole."""
    agent = tuned.prepared.agent
    if agent.specification is None:
        raise PlanError(
            f"agent {agent.label} was made in Python and has no name that {BEST} could give; "
            "put it into a file"
        )
    target, wanted, _ = split_specification(agent.specification)
    file = file_named(target)
    if file is not None and file.endswith(ENDING):
        return read_tuned(file).agent
    if file is not None:
        target = str(Path(file).resolve())
    return f"{target}:{wanted}" if wanted else target


def write_best(tuned: Tuned, folder: RunFolder, name: str = "") -> str:
    """Write ``best.toml`` into a run folder; where it lies."""
    folder.write(BEST, best_text(tuned, name).encode())
    return str(folder.root / BEST) if isinstance(folder, LocalFolder) else folder.place(BEST)
