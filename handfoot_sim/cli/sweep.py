"""``handfoot sweep``: a curve over values of a parameter or of a rule, a heatmap over two."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from tqdm import tqdm

from handfoot_sim.cli.compare import tell_resume
from handfoot_sim.cli.options import announce_compiling, engine_options, rules_options
from handfoot_sim.errors import PlanError
from handfoot_sim.rules import rules_from_words
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.simulation import DECISION_LIMIT, worker_count
from handfoot_sim.tournament.plan import split_agents
from handfoot_sim.tuning.records import read_record
from handfoot_sim.tuning.sweep_text import sweep_text
from handfoot_sim.tuning.sweeping import (
    MATCHES,
    SweepPlan,
    Swept,
    play_sweep,
    prepare_sweep,
    sweep_of,
)


@click.command()
@click.argument("agent", metavar="AGENT:PARAM=LOW..HIGH:STEPS")
@click.option(
    "--against", multiple=True, metavar="A,B*2,...",
    help="The pool: line-ups, with *WEIGHT; itself (as it is); nash:DIR (a tournament's mix).",
)  # fmt: skip
@click.option(
    "--over", multiple=True, metavar="FIELD=LOW..HIGH:STEPS",
    help="Sweep a field of the rules; may be given twice.",
)  # fmt: skip
@click.option(
    "--matches", default=MATCHES, show_default=True, help="Matches at each value, rounded up."
)
@click.option("--seed", default=0, show_default=True, help="Seed of cards and random choices.")
@engine_options
@click.option("--dealer", default=0, show_default=True, help="Seat that deals first.")
@click.option("--out", metavar="DIR", help="Run folder to write, or go on with.")
@click.option(
    "--decision-limit", default=DECISION_LIMIT, show_default=True, metavar="SECONDS",
    help="Time an agent may take over a decision; 0: any.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress bar, and no words but the result.")
@rules_options
def command(
    agent: str,
    against: tuple[str, ...],
    over: tuple[str, ...],
    matches: int,
    seed: int,
    jobs: int,
    backend: str,
    scheduler: str,
    dealer: int,
    out: str | None,
    decision_limit: float,
    quiet: bool,
    rules: str,
    rule: tuple[str, ...],
) -> None:
    """Play AGENT at several values of a parameter, all with the same cards, and draw the curve.

    Two parameters (AGENT:a=0..10:6,b=1..5:5), two rules or one of each make a heatmap. Values can
    be listed instead: --over "first_player=left|dealer". Other parameters are given plainly:
    AGENT:rush=3,burst=0..10:6. With --out the table and the plot are written into DIR.
    """
    plan = SweepPlan(
        agent=agent, against=opponents(against), over=list(over), matches=matches, seed=seed,
        rules=rules_from_words(rules, rule), dealer=dealer, decision_limit=decision_limit,
    )  # fmt: skip
    folder = folder_at(out) if out is not None else None
    report_sweep(plan, folder, Engine(backend, worker_count(jobs), scheduler), quiet)


def opponents(against: Sequence[str]) -> list[str]:
    """The line-ups of ``--against``, which commas divide."""
    found = [each for text in against for each in split_agents(text)]
    if not found:
        raise PlanError("--against: name at least one opponent, as --against closer,pile_hunter")
    return found


def resume_tuning(folder: RunFolder, *, jobs: int, backend: str, address: str, quiet: bool) -> None:
    """Go on with the sweep in a folder, and report it."""
    plan = sweep_of(read_record(folder).asked)
    report_sweep(plan, folder, Engine(backend, worker_count(jobs), address), quiet)


def report_sweep(plan: SweepPlan, folder: RunFolder | None, engine: Engine, quiet: bool) -> None:
    """Play a sweep, or go on with one, print its report and write its files."""
    prepared = prepare_sweep(plan)
    announce_compiling("fused", quiet)
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    try:
        with tqdm(
            total=prepared.matches, unit="match", smoothing=0.1, dynamic_ncols=True, disable=hidden
        ) as bar:
            swept = play_sweep(
                prepared, folder, engine, bar.update, lambda words: click.echo(words, err=True)
            )
    except KeyboardInterrupt:
        tell_resume(folder)
        raise
    click.echo(sweep_text(swept))
    if folder is not None:
        _write(swept, folder)


def _write(swept: Swept, folder: RunFolder) -> None:
    from handfoot_sim.report.sweeping import write_sweep  # matplotlib takes a second

    write_sweep(swept, folder)
    click.echo(f"\nrun folder: {folder}; in it tables/sweep.csv and plots/sweep.png")
