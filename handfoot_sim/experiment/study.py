"""A study: what an experiment plays with and writes into, and the record of it.

The folder of an experiment::

    manifest.json     what was asked, by what it was played, what was written
    answer.md         the question and its answer
    tables/*.csv      what the answer and the plots are made from
    plots/*.png
    runs/PART/        run folders of the matches, which make the experiment go on after a kill

Matches are cut into shards by their number alone, never by measured speed, so that tables are the
same bits with any number of workers and on every machine with the same versions.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import pandas as pd
from matplotlib.figure import Figure
from tqdm import tqdm

from handfoot_sim import jit, plots
from handfoot_sim.errors import RunError
from handfoot_sim.experiment.paired import by_cards
from handfoot_sim.report.writing import write_bytes
from handfoot_sim.rules import Rules
from handfoot_sim.runs.carrying import Played, Run, carry_on
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import MANIFEST, folder_at
from handfoot_sim.runs.manifest import AgentRecord, versions
from handfoot_sim.simulation import plan as plan_pairing
from handfoot_sim.stats import Totals, totals
from handfoot_sim.tournament.plan import Plan
from handfoot_sim.tournament.playing import run_of_plan

FIELD: Final = ("balanced", "closer", "greedy", "hoarder", "milker", "pile_hunter")
"""Strategies of different ideas, which experiments play where an answer may depend on the strategy:
a weighed one, one that goes out early, one that lays all, one that holds back, one that stays in,
one that lives on the pile."""

DRAWN: Final = (*FIELD, "book_planner", "counter")
"""All strategies that experiments draw, given to plots so that each keeps its colour."""

FORMAT: Final = "handfoot-experiment-1"
DPI: Final = 100
"""Dots an inch of plots: enough for a page, and small files."""
RUNS: Final = "runs"
"""Where the matches of an experiment lie in its folder."""
LEAST: Final = 8
"""Fewest matches of a pairing, however small the size."""

Size = Literal["real", "quick"]


class RunRecord(msgspec.Struct, kw_only=True):
    """A run of an experiment: its folder in ``runs/``, pairings, matches, and rules in short."""

    part: str
    pairings: int
    matches: int
    duplicate: bool
    rules: list[dict[str, Any]]


class ExperimentManifest(msgspec.Struct, kw_only=True):
    """What ``manifest.json`` of an experiment holds.

    ``scale`` multiplies the matches of the ``size``; ``source`` is the hash of the experiment's
    file; ``figure`` the plot that goes with the answer.
    """

    format: str
    name: str
    question: str
    size: Size
    scale: float
    seed: int
    source: str
    finished: bool = False
    runs: list[RunRecord] = []
    agents: list[AgentRecord] = []
    tables: list[str] = []
    plots: list[str] = []
    figure: str = ""
    engine: str = ""
    versions: dict[str, str] = {}


def read_experiment(folder: Path) -> ExperimentManifest:
    """The manifest of an experiment's folder; ``RunError`` if it has none that can be read."""
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
    except OSError:
        raise RunError(f"{folder} is no folder of an experiment: it has no {MANIFEST}") from None
    try:
        found = msgspec.json.decode(data, type=ExperimentManifest)
    except msgspec.MsgspecError as error:
        raise RunError(f"{path} is not the manifest of an experiment: {error}") from None
    if found.format != FORMAT:
        raise RunError(f"{path} is not the manifest of an experiment of this version ({FORMAT})")
    return found


def versions_now() -> dict[str, str]:
    """Versions of what plays, counts and writes."""
    return versions() | {name: version(name) for name in ("pandas", "scipy", "matplotlib")}


@dataclass(frozen=True)
class Part:
    """A run of an experiment: its folder, and what came of it."""

    folder: Path
    played: Played

    @property
    def rules(self) -> list[Rules]:
        """The variants of the rules, by the number that ``totals`` and ``cards`` take."""
        return list(dict.fromkeys(work.rules for work in self.played.run.works))

    def totals(self, variant: int = 0) -> Totals:
        """Sums from which the frames of ``handfoot_sim.stats`` are made."""
        return totals(self.folder, variant=variant)

    def cards(self, figures: Sequence[str] = (), variant: int = 0) -> pd.DataFrame:
        """Margins and figures by match number, see ``by_cards``."""
        return by_cards(self.folder, figures, variant=variant)


class Study:
    """What an experiment plays with: size, seed, workers, and the folder it writes into.

    Attributes
    ----------
    folder : the experiment's folder
    size : "real" or "quick"
    seed : of all its runs, so that their match numbers are the same cards
    manifest : the record, which grows as the experiment goes on
    """

    def __init__(
        self,
        folder: Path,
        manifest: ExperimentManifest,
        engine: Engine,
        *,
        quiet: bool = False,
        tell: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        self.folder, self.manifest, self.engine = folder, manifest, engine
        self.size, self.seed = manifest.size, manifest.seed
        self.quiet, self.tell = quiet, tell
        self._begin()

    def _begin(self) -> None:
        """Write the manifest, unless the folder holds another experiment."""
        if (self.folder / MANIFEST).exists():
            there = read_experiment(self.folder)
            for name in ("name", "size", "scale", "seed"):
                was, now = getattr(there, name), getattr(self.manifest, name)
                if was != now:
                    raise RunError(
                        f"{self.folder} holds the experiment {there.name} with {name} {was}, not "
                        f"{now}; give another folder with --out, or delete it"
                    )
            if there.source != self.manifest.source and (self.folder / RUNS).exists():
                raise RunError(
                    f"{self.folder} was begun when the file of {there.name} was another; give "
                    f"another folder with --out, or delete {self.folder / RUNS} to play anew"
                )
        elif any(not path.name.startswith(".") for path in self.folder.glob("*")):
            raise RunError(
                f"{self.folder} is not empty and holds no experiment; give another folder with "
                "--out"
            )
        self.write_manifest()

    def write_manifest(self) -> None:
        """Write the manifest as it is now."""
        text = msgspec.json.format(msgspec.json.encode(self.manifest), indent=2)
        write_bytes(self.folder / MANIFEST, text + b"\n")

    def sized(self, real: int, quick: int) -> int:
        """Matches for this size: ``real`` or ``quick`` times the scale, at least ``LEAST``."""
        wanted = real if self.size == "real" else quick
        return max(LEAST, round(wanted * self.manifest.scale))

    def tournament(
        self,
        part: str,
        agents: Sequence[str],
        *,
        matches: int,
        rules: Sequence[str | dict[str, Any]] = ("standard",),
        **keys: Any,
    ) -> Part:
        """Play many pairings on the same cards, by each of the ``rules``; see ``Plan``.

        ``keys`` are further keys of a plan, such as ``format`` and ``opponent``.
        """
        plan = Plan(agents=list(agents), matches=matches, seed=self.seed, rules=list(rules), **keys)
        return self._carry(part, run_of_plan(plan))

    def single(
        self,
        part: str,
        lineups: Sequence[str],
        *,
        matches: int,
        rules: str | dict[str, Any] = "standard",
        duplicate: bool = True,
    ) -> Part:
        """Play one pairing, with ``duplicate`` false every match on cards of its own."""
        work, pairing = plan_pairing(lineups, matches, self.seed, rules, duplicate=duplicate)
        return self._carry(part, Run((work,), (pairing,), asked={"matches": work.matches}))

    def _carry(self, part: str, run: Run) -> Part:
        # One size of block, so that block number k holds the same cards in every pairing.
        blocks = min(work.block_sets for work in run.works)
        run = replace(run, works=tuple(replace(work, block_sets=blocks) for work in run.works))
        folder = self.folder / RUNS / part
        folder.parent.mkdir(parents=True, exist_ok=True)
        hidden = self.quiet or sys.stderr is None or not sys.stderr.isatty()
        total = sum(work.matches for work in run.works)
        name = f"{self.manifest.name}, {part}"
        if hidden and not self.quiet:
            self.tell(f"{name}: {total:,} matches")
        with tqdm(total=total, desc=name, unit=" matches", leave=False, disable=hidden) as bar:
            try:
                played = carry_on(
                    run, self.engine, folder_at(folder), tell=self.tell,
                    on_shard=lambda count, _: bar.update(count),
                )  # fmt: skip
            except RunError as error:
                raise self._other_run(error) from None
        self._record(part, played)
        return Part(folder, played)

    def _other_run(self, error: RunError) -> RunError:
        """The error of a folder begun with something else, with the remedy that there is here."""
        what, mark, _ = str(error).partition("; put it back")
        if not mark:
            return error
        return RunError(
            f"{what}; put it back, give another folder with --out, or delete {self.folder} to play "
            "anew"
        )

    def _record(self, part: str, played: Played) -> None:
        """Note in the manifest what was played."""
        rules = list(dict.fromkeys(work.rules for work in played.run.works))
        self.manifest.runs.append(
            RunRecord(
                part=part,
                pairings=len(played.run.works),
                matches=sum(work.matches for work in played.run.works),
                duplicate=played.manifest.duplicate,
                rules=[each.as_mapping() for each in rules],
            )
        )
        known = self.manifest.agents
        known += [agent for agent in played.manifest.agents if agent not in known]

    def table(self, name: str, frame: pd.DataFrame) -> None:
        """Keep a frame as ``tables/NAME.csv``; floats are written so that they read back alike."""
        file = f"tables/{name}.csv"
        write_bytes(self.folder / file, frame.to_csv(index=False, lineterminator="\n").encode())
        self.manifest.tables.append(file)

    def plot(self, name: str, figure: Figure) -> None:
        """Keep a figure as ``plots/NAME.png``; the first one goes with the answer."""
        file = f"plots/{name}.png"
        buffer = io.BytesIO()
        plots.save(figure, buffer, "png", dpi=DPI)
        write_bytes(self.folder / file, buffer.getvalue())
        self.manifest.plots.append(file)
        self.manifest.figure = self.manifest.figure or file

    def finish(self, answer: str) -> None:
        """Write the answer, and the manifest of a finished experiment."""
        picture = f"\n![{self.manifest.question}]({self.manifest.figure})\n"
        text = f"# {self.manifest.question}\n\n{answer}\n{picture if self.manifest.figure else ''}"
        write_bytes(self.folder / "answer.md", text.encode())
        self.manifest.finished = True
        self.manifest.engine = jit.source_hash()
        self.manifest.versions = versions_now()
        self.write_manifest()
