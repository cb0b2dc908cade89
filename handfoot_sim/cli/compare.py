"""``handfoot compare``: two line-ups against each other."""

from __future__ import annotations

import itertools
import re
import shlex
import sys
from pathlib import Path

import click
from tqdm import tqdm

from handfoot_sim.cli.options import announce_compiling, rules_options
from handfoot_sim.comparison import comparison_text
from handfoot_sim.errors import IllegalDecision
from handfoot_sim.playing import DRIVERS, ON_ILLEGAL, warm_up
from handfoot_sim.rules import rules_from_words
from handfoot_sim.simulation import carry_on, plan, whole_number, worker_count
from handfoot_sim.transcripts.write import write_transcripts


def keep_transcript(error: IllegalDecision, out: Path | None) -> None:
    """Write the match in which an agent broke a rule, and add to the error where it is."""
    if error.transcript is None:
        return
    folder = out if out is not None and out.is_dir() else Path()
    agent = re.sub(r"[^\w.=-]+", "_", error.agent)[:80]
    name = f"illegal-{agent}-match-{error.match}-mirror-{error.mirror}"
    path = next(
        candidate
        for number in itertools.count()
        if not (candidate := folder / f"{name}{f'-{number}' * (number > 0)}.jsonl.gz").exists()
    )
    try:
        write_transcripts(path, [error.transcript])
    except OSError:
        return
    error.args = (f"{error}; the match up to there is in {path}",)


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--matches", default=10_000, show_default=True, help="Matches to play, rounded up.")
@click.option("--seed", default=0, show_default=True, help="Seed of cards and random choices.")
@click.option("--jobs", default=-1, show_default=True, help="Workers; -1: one a core.")
@click.option("--driver", type=click.Choice(DRIVERS), help="How to play; by default the fastest.")
@click.option("--batch", default=4096, show_default=True, help="Tables at a time in lockstep.")
@click.option("--dealer", default=0, show_default=True, help="Seat that deals first.")
@click.option("--duplicate/--no-duplicate", default=True, help="Play the same cards both ways.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder to write, or go on with.")
@click.option("--transcripts", default=0, metavar="K", help="Write the first K matches into --out.")
@click.option(
    "--on-illegal", type=click.Choice(ON_ILLEGAL), default="stop", show_default=True,
    help="Where an agent breaks a rule or crashes: end, or count the match as lost and go on.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress bar, and no words but the result.")
@rules_options
def command(
    a: str,
    b: str,
    matches: int,
    seed: int,
    jobs: int,
    driver: str | None,
    batch: int,
    dealer: int,
    duplicate: bool,
    out: Path | None,
    transcripts: int,
    on_illegal: str,
    quiet: bool,
    rules: str,
    rule: tuple[str, ...],
) -> None:
    """Play A against B and report the margin and how they play.

    A and B are agents (NAME, module:Class or path/to/file.py, with parameters as
    NAME:parameter=value) or mixed partnerships, joined by a plus sign.
    """
    work, pairing = plan(
        (a, b), matches, seed, rules_from_words(rules, rule),
        duplicate=duplicate, driver=driver, dealer=dealer, batch=batch,
        on_illegal=on_illegal,
    )  # fmt: skip
    written = whole_number("transcripts", min(transcripts, work.matches), 0, work.matches)
    announce_compiling(work.driver, quiet)
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    try:
        warm_up(pairing, work.driver)
        with tqdm(total=work.matches, unit="match", disable=hidden, smoothing=0.1) as bar:
            results, tally = carry_on(
                work, pairing, jobs=worker_count(jobs), out=out,
                transcripts=written,
                on_shard=bar.update, keep_tables=False,
            )  # fmt: skip
    except IllegalDecision as error:
        keep_transcript(error, out)
        raise
    except KeyboardInterrupt:
        if out:
            again = shlex.join(["handfoot", *sys.argv[1:]])
            click.echo(f"\nwhat was played is kept; to go on: {again}", err=True)
        raise
    click.echo(comparison_text(work, pairing, tally, results.played, results.seconds))
    if out:
        click.echo(f"\nrun folder: {out}")
