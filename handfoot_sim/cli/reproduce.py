"""``handfoot reproduce``: play an experiment again, and compare its tables bit for bit."""

from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click

from handfoot_sim.cli.options import announce_compiling, engine_options


@click.command(name="reproduce")
@click.argument("reference", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Keep what is played here; by default it is thrown away.",
)  # fmt: skip
@engine_options
@click.option("--quiet", is_flag=True, help="No progress, only the result.")
def command(
    reference: Path, out: Path | None, jobs: int, backend: str, scheduler: str, quiet: bool
) -> None:
    """Play the experiment of the folder DIR again and compare its tables bit for bit.

    The exit code is 0 if all tables are the same bits, 1 if one differs; then its first row that
    does is shown. Other versions, agents or rules of the engine than those of the manifest are
    said beforehand.
    """
    from handfoot_sim.errors import RunError
    from handfoot_sim.experiment.catalogue import named
    from handfoot_sim.experiment.conducting import conduct
    from handfoot_sim.experiment.reproducing import differences, drift
    from handfoot_sim.experiment.study import read_experiment
    from handfoot_sim.runs.engines import Engine
    from handfoot_sim.simulation import worker_count

    manifest = read_experiment(reference)
    if not manifest.finished:
        raise RunError(f"the experiment in {reference} was not finished: there is nothing to match")
    if out is not None and out.resolve() == reference.resolve():
        raise RunError(f"--out {out} is the reference itself; give another folder")
    entry = named(manifest.name)
    for sentence in drift(manifest, entry):
        click.echo(f"note: {sentence}", err=True)
    announce_compiling("fused", quiet)
    engine = Engine(backend, worker_count(jobs), scheduler)
    place: AbstractContextManager[str] = (
        nullcontext(str(out)) if out else tempfile.TemporaryDirectory(prefix="handfoot-")
    )
    with place as folder:
        conduct(
            entry, Path(folder), engine, size=manifest.size, scale=manifest.scale,
            seed=manifest.seed, quiet=quiet, tell=lambda sentence: click.echo(sentence, err=True),
        )  # fmt: skip
        found = differences(reference, Path(folder))
    for each in found:
        click.echo(f"{each.table} differs: {each.where}")
    if found:
        failure = RunError(
            f"{len(found)} of {len(manifest.tables)} tables of {manifest.name} came out differently"
        )
        failure.exit_code = 1
        raise failure
    click.echo(f"{manifest.name}: all {len(manifest.tables)} tables are the same, bit for bit")
