"""``handfoot compare``: two line-ups against each other."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from handfoot_sim.cli.live import Live
from handfoot_sim.cli.options import (
    announce_compiling,
    engine_options,
    rules_options,
    stop_options,
)
from handfoot_sim.comparison import comparison_text, points, stop_text
from handfoot_sim.errors import IllegalDecision, RunError
from handfoot_sim.playing import DRIVERS, ON_ILLEGAL
from handfoot_sim.rules import rules_from_words
from handfoot_sim.runs.carrying import Run, carry_on
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import LocalFolder, RunFolder, folder_at
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.runs.speed import measured_rate, sized
from handfoot_sim.simulation import (
    DECISION_LIMIT,
    plan,
    save_transcripts,
    whole_number,
    worker_count,
)
from handfoot_sim.stopping import (
    MOST_MATCHES,
    NUMBERS,
    STEP,
    HalfWidth,
    StopRule,
    check_rule,
    rule_asked,
    seconds_of,
)
from handfoot_sim.tally import mean_estimate
from handfoot_sim.transcripts.write import write_transcripts

MATCHES = 10_000
"""Matches unless said, or unless something else ends the run."""


def keep_transcript(error: IllegalDecision, out: RunFolder | None) -> None:
    """Write the match in which an agent broke a rule, and add to the error where it is."""
    if error.transcript is None:
        return
    folder = out.root if isinstance(out, LocalFolder) and out.root.is_dir() else Path()
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


def stop_asked(words: dict[str, Any]) -> dict[str, Any]:
    """What of the stop options was given, as a manifest keeps it."""
    names = (*NUMBERS, "step")
    asked = {name: words[name] for name in names if words[name] is not None}
    if words["until"] != "matches":
        asked["until"] = words["until"]
    if words["time"]:
        asked["time"] = words["time"]
    return asked


def standing(rule: StopRule | None, ledgers: Sequence[Ledger]) -> str:
    """Margin, and how far the stop rule is, in one line."""
    tally = ledgers[0].tally
    if not tally.sets:
        return "no figures yet"
    margin = mean_estimate(float(tally.margin[0]), float(tally.margin[1]), tally.sets)
    text = f"margin of A {points(margin)} points a match"
    if rule is None or isinstance(rule, HalfWidth):
        return text
    return f"{text}; {rule.verdict(tally).text}"


def play_comparison(
    run: Run,
    engine: Engine,
    folder: RunFolder | None,
    *,
    quiet: bool,
    force: bool = False,
    transcripts: int = 0,
) -> None:
    """Play a comparison, or go on with one, and print its report."""
    try:
        with Live(lambda ledgers: standing(run.rule, ledgers), quiet) as live:
            played = carry_on(
                run, engine, folder, force=force, on_shard=live,
                tell=lambda sentence: click.echo(sentence, err=True),
            )  # fmt: skip
        if transcripts and folder is not None:
            save_transcripts(run.works[0], run.pairings[0], folder, transcripts)
    except IllegalDecision as error:
        keep_transcript(error, folder)
        raise
    except KeyboardInterrupt:
        tell_resume(folder)
        raise
    ledger, pairing = played.ledgers[0], played.run.pairings[0]
    stopped = stop_text(pairing, run.rule, ledger.tally, ledger.decided)
    click.echo(
        comparison_text(run.works[0], pairing, ledger.tally, played.played, played.seconds, stopped)
    )
    if folder:
        click.echo(f"\nrun folder: {folder}")


def tell_resume(folder: RunFolder | None) -> None:
    """Say after Ctrl-C how to go on."""
    if folder is not None and folder.is_run():
        again = shlex.join(["handfoot", "resume", str(folder)])
        click.echo(f"\nwhat was played is kept; to go on: {again}", err=True)


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--matches", type=int,
    help="Matches to play, rounded up; the most with --until or --time.  [default: 10000]",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of cards and random choices.")
@stop_options
@engine_options
@click.option("--driver", type=click.Choice(DRIVERS), help="How to play; by default the fastest.")
@click.option("--batch", default=4096, show_default=True, help="Tables at a time in lockstep.")
@click.option("--dealer", default=0, show_default=True, help="Seat that deals first.")
@click.option("--duplicate/--no-duplicate", default=True, help="Play the same cards both ways.")
@click.option("--out", metavar="DIR", help="Run folder to write, or go on with.")
@click.option("--force", is_flag=True, help="Go on in --out although agents or version changed.")
@click.option("--transcripts", default=0, metavar="K", help="Write the first K matches into --out.")
@click.option(
    "--on-illegal", type=click.Choice(ON_ILLEGAL), default="stop", show_default=True,
    help="Where an agent breaks a rule or crashes: end, or count the match as lost and go on.",
)  # fmt: skip
@click.option(
    "--decision-limit", default=DECISION_LIMIT, show_default=True, metavar="SECONDS",
    help="Time an agent may take over a decision; 0: any.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress bar, and no words but the result.")
@rules_options
def command(
    a: str,
    b: str,
    matches: int | None,
    seed: int,
    jobs: int,
    backend: str,
    scheduler: str,
    driver: str | None,
    batch: int,
    dealer: int,
    duplicate: bool,
    out: str | None,
    force: bool,
    transcripts: int,
    on_illegal: str,
    decision_limit: float,
    quiet: bool,
    rules: str,
    rule: tuple[str, ...],
    **stop: Any,
) -> None:
    """Play A against B and report the margin and how they play.

    A and B are agents (NAME, module:Class or path/to/file.py, with parameters as
    NAME:parameter=value) or mixed partnerships, joined by a plus sign.
    """
    asked = stop_asked(stop)
    ends = rule_asked(asked)
    seconds = seconds_of(asked["time"]) if "time" in asked else None
    step = whole_number("step", asked.get("step", STEP), 2, 10**9) if ends else 0
    if matches is None:
        matches = MATCHES if ends is None and seconds is None else MOST_MATCHES
    work, pairing = plan(
        (a, b), matches, seed, rules_from_words(rules, rule),
        duplicate=duplicate, driver=driver, dealer=dealer, batch=batch,
        on_illegal=on_illegal, decision_limit=decision_limit,
    )  # fmt: skip
    check_rule(ends, work.rules.teams, work.mirrors)
    written = whole_number("transcripts", min(transcripts, work.matches), 0, work.matches)
    if written and out is None:
        raise RunError("transcripts are written into a run folder: give one (--out DIR)")
    engine = Engine(backend, worker_count(jobs), scheduler)
    announce_compiling(work.driver, quiet)
    if written:
        announce_compiling("transcripts", quiet)
    rate = measured_rate(work, pairing)
    work = sized(work, rate, work.matches, engine.workers, step, seconds)
    run = Run((work,), (pairing,), "compare", asked, ends, step, seconds)
    folder = folder_at(out) if out is not None else None
    play_comparison(run, engine, folder, quiet=quiet, force=force, transcripts=written)
