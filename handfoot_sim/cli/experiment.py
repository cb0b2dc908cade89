"""``handfoot experiment``: play a question of ``experiments/`` into a folder."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import click
from tabulate import tabulate

from handfoot_sim.cli.options import announce_compiling, engine_options

ALL = "all"
HOME = Path("results/experiments")
QUICK = Path("results/quick")
"""Where experiments lie unless ``--out`` says."""


@click.command(name="experiment")
@click.argument("name", required=False, metavar="[NAME|all]")
@click.option("--quick", is_flag=True, help="Few matches: some seconds, wide intervals.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="The experiment's folder; with all, the folder that holds one for each.  "
    "[results/experiments/NAME, with --quick results/quick/NAME]",
)  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Seed of cards and random choices.")
@engine_options
@click.option("--quiet", is_flag=True, help="No progress, only the answer.")
@click.option("--scale", default=1.0, hidden=True, type=click.FloatRange(1e-6, 1e3))
def command(
    name: str | None,
    quick: bool,
    out: Path | None,
    seed: int,
    jobs: int,
    backend: str,
    scheduler: str,
    quiet: bool,
    scale: float,
) -> None:
    """Play an experiment and answer its question; without a NAME, list them.

    The folder gets answer.md, tables/, plots/ and manifest.json; its matches lie in runs/. Where
    playing was broken off, the same command goes on. The experiments are files of experiments/ in
    a checkout.
    """
    from handfoot_sim.experiment.catalogue import catalogue, named

    if name is None:
        rows = [(each.name, each.question) for each in catalogue().values()]
        click.echo(tabulate(rows, ("experiment", "question")))
        return
    entries = list(catalogue().values()) if name == ALL else [named(name)]
    from handfoot_sim.experiment.conducting import conduct  # starts the compiler
    from handfoot_sim.runs.engines import Engine
    from handfoot_sim.simulation import whole_number, worker_count

    seed = whole_number("seed", seed, 0, 2**64 - 1)
    announce_compiling("fused", quiet)
    engine = Engine(backend, worker_count(jobs), scheduler)
    for entry in entries:
        home = out or (QUICK if quick else HOME)
        folder = home if out and name != ALL else home / entry.name
        try:
            answer = conduct(
                entry, folder, engine, size="quick" if quick else "real", scale=scale, seed=seed,
                quiet=quiet, tell=lambda sentence: click.echo(sentence, err=True),
            )  # fmt: skip
        except KeyboardInterrupt:
            click.echo("what has been played is kept: the same command goes on", err=True)
            raise
        click.echo(f"{entry.question}\n\n{textwrap.fill(answer, 96)}\n\nresults: {folder}\n")


def start(file: str) -> None:
    """Play the experiment of a file: ``python -m experiments.NAME`` ends with the exit code."""
    from handfoot_sim.cli.main import run

    sys.exit(run(["experiment", Path(file).stem, *sys.argv[1:]]))
