"""``handfoot tournament``: many pairings, and the standings that come of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from handfoot_sim.cli.compare import keep_transcript, stop_asked, tell_resume
from handfoot_sim.cli.live import Live
from handfoot_sim.cli.options import announce_compiling, engine_options, stop_options
from handfoot_sim.errors import IllegalDecision, PlanError
from handfoot_sim.playing import ON_ILLEGAL
from handfoot_sim.rules import rules_from_words
from handfoot_sim.runs.carrying import Run, carry_on
from handfoot_sim.runs.engines import Engine
from handfoot_sim.runs.folder import RunFolder, folder_at
from handfoot_sim.simulation import whole_number, worker_count
from handfoot_sim.tournament.plan import (
    FORMATS,
    Plan,
    agents_of,
    plan_from_mapping,
    plan_from_toml,
)
from handfoot_sim.tournament.playing import (
    estimated,
    live_text,
    plan_text,
    report,
    run_of_plan,
)


def rules_asked(rules: tuple[str, ...], changes: tuple[str, ...]) -> list[Any]:
    """Variants of the rules as a plan holds them."""
    bases = list(rules) or ["standard"]
    if not changes:
        return bases
    return [rules_from_words(base, changes).as_mapping() for base in bases]


def plan_of(path: Path | None, words: dict[str, Any]) -> Plan:
    """The plan of a file, of the options, or of both: options replace keys of the file."""
    fields = {
        name: words[name]
        for name in (
            "format",
            "opponent",
            "matches",
            "seed",
            "dealer",
            "on_illegal",
            "anchor",
            "decision_limit",
        )
        if words[name] is not None
    }
    fields |= stop_asked(words)
    agents = agents_of(words["agents"], words["agent"])
    if agents:
        fields["agents"] = agents
    if words["rules"] or words["rule"]:
        fields["rules"] = rules_asked(words["rules"], words["rule"])
    if path is not None:
        return plan_from_toml(path, fields)
    if not agents:
        raise PlanError(
            "a tournament needs agents: give --agents a,b,c, or the path of a plan (PLAN.toml)"
        )
    return plan_from_mapping(fields)


def play_tournament(
    run: Run, engine: Engine, folder: RunFolder | None, *, quiet: bool, force: bool
) -> None:
    """Play a tournament, or go on with one, and print its report."""
    try:
        with Live(live_text, quiet) as live:
            played = carry_on(
                run, engine, folder, force=force, on_shard=live,
                tell=lambda sentence: click.echo(sentence, err=True),
            )  # fmt: skip
    except IllegalDecision as error:
        keep_transcript(error, folder)
        raise
    except KeyboardInterrupt:
        tell_resume(folder)
        raise
    click.echo(report(played, folder))
    if played.played:
        rate = played.played / max(played.seconds, 1e-9)
        click.echo(f"\n{played.played:,} matches in {played.seconds:.1f} s: {rate:,.0f} matches/s")
    else:
        click.echo("\nnothing was left to play")
    if folder is not None:
        click.echo(f"run folder: {folder}")


@click.command()
@click.argument("plan", required=False, type=click.Path(path_type=Path), metavar="[PLAN.toml]")
@click.option(
    "--agents", multiple=True, metavar="A,B,...", help="Line-ups, parted by commas; or all."
)
@click.option(
    "--agent", multiple=True, metavar="A", help="One line-up; may be given several times."
)
@click.option("--format", type=click.Choice(FORMATS), help="Who meets whom.  [round-robin]")
@click.option("--opponent", metavar="A", help="Line-up that a cross-play's partnerships meet.")
@click.option("--matches", type=int, help="Matches of each pairing.  [default: 20000]")
@click.option("--seed", type=int, help="Seed of cards and random choices.  [default: 0]")
@click.option(
    "--rules", multiple=True, metavar="PRESET|FILE.toml",
    help="Rules to play by; several times to cross every pairing with each.  [standard]",
)  # fmt: skip
@click.option("--rule", multiple=True, metavar="FIELD=VALUE", help="Change one field of them.")
@stop_options
@engine_options
@click.option("--batch", default=4096, show_default=True, help="Tables at a time in lockstep.")
@click.option("--dealer", type=int, help="Seat that deals first.  [default: 0]")
@click.option("--on-illegal", type=click.Choice(ON_ILLEGAL), help="As in compare.  [stop]")
@click.option(
    "--decision-limit", type=float, metavar="SECONDS",
    help="Time an agent may take over a decision; 0: any.  [default: 60]",
)  # fmt: skip
@click.option("--anchor", metavar="A", help="Line-up whose rating is 0.  [the first]")
@click.option("--out", metavar="DIR", help="Run folder to write, go on with, or extend.")
@click.option("--force", is_flag=True, help="Go on in --out although agents or version changed.")
@click.option("--dry-run", is_flag=True, help="Print the plan only.")
@click.option("--quiet", is_flag=True, help="No plan, no progress, only the result.")
def command(
    plan: Path | None,
    jobs: int,
    backend: str,
    scheduler: str,
    batch: int,
    out: str | None,
    force: bool,
    dry_run: bool,
    quiet: bool,
    **words: Any,
) -> None:
    """Play a tournament and report standings, margins, ratings and who beats whom.

    Line-ups are agents (NAME, module:Class or path/to/file.py, with parameters as
    NAME:parameter=value) or mixed partnerships, joined by a plus sign. In --agents a part that
    begins with PARAMETER= goes on with the agent before it. Options replace keys of a plan's file.
    """
    asked = plan_of(plan, words)
    engine = Engine(backend, worker_count(jobs), scheduler)
    run = run_of_plan(asked, whole_number("batch", batch, 1, 1_000_000))
    for driver in dict.fromkeys(work.driver for work in run.works):
        announce_compiling(driver, quiet)
    far = backend in ("dask", "ray")
    ready = estimated(run, 1 if far else engine.workers)
    if not quiet or dry_run:
        workers = "one core" if far else f"{engine.workers} workers"
        click.echo(plan_text(asked, ready, workers) + "\n")
    if dry_run:
        return
    folder = folder_at(out) if out is not None else None
    play_tournament(ready.run, engine, folder, quiet=quiet, force=force)
