"""``handfoot check-agent``: whether an agent does what every agent must."""

from __future__ import annotations

import shutil
import sys
import textwrap
import time

import click
from tqdm import tqdm

from handfoot_sim.agent.interface import DECISIONS
from handfoot_sim.agent.loading import load_agent
from handfoot_sim.cli.options import announce_compiling
from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.conformance.outcome import Outcome
from handfoot_sim.conformance.subject import FULL, QUICK, Subject
from handfoot_sim.conformance.suite import CHECKS, Check, checked
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.rules import Rules

INDENT = " " * 12
BAR = "{bar:20} {n_fmt}/{total_fmt} checks  {desc}"
NAMES = max(len(check.name) for check in CHECKS)


def width() -> int:
    """Columns of the terminal, within reason."""
    return min(max(shutil.get_terminal_size((100, 24)).columns, 60), 110)


def paragraph(text: str, start: str = "") -> str:
    """Text below a line of the report, wrapped and indented."""
    indent = INDENT + " " * len(start)
    return textwrap.fill(
        start + text, width(), initial_indent=INDENT, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def outcome_text(check: Check, outcome: Outcome) -> str:
    """One check: verdict and what was looked at, then complaints and what to do."""
    verdict = outcome.verdict if check.advice else ""
    seen = outcome.unjudged or outcome.seen
    head = f"{verdict:<10}  {check.name:<{NAMES}}  {seen}".rstrip()
    lines = [head]
    lines += [paragraph(complaint, "- ") for complaint in outcome.complaints]
    lines += [paragraph(note, "note: ") for note in outcome.notes]
    lines += [paragraph(command, "see it: ") for command in outcome.commands]
    if outcome.complaints:
        lines.append(paragraph(check.advice, "what to do: "))
    return "\n".join(lines)


def asked_text(subject: Subject) -> str:
    """How often each decision was asked where answers were compared, and what was never asked."""
    if subject.asked is None:
        return ""
    counts = {name: int(n) for name, n in zip(DECISIONS, subject.asked, strict=True)}
    text = "decisions reached: " + ", ".join(f"{name} {n:,}" for name, n in counts.items())
    never = [name for name, n in counts.items() if not n]
    if never:
        text += f"; nothing is known of {' and '.join(never)}, which no match came to"
    return text


def last_line(label: str, verdicts: list[str], seconds: float) -> str:
    """The result in words."""
    failed, unjudged = verdicts.count("FAILED"), verdicts.count("not judged")
    if failed:
        text = f"{label} fails {failed} of {len(verdicts)} checks"
    else:
        text = f"{label} passes {len(verdicts) - unjudged} of {len(verdicts)} checks"
    if unjudged:
        text += f"; {unjudged} could not be judged"
    return f"{text} ({seconds:.0f} s)"


@click.command(name="check-agent")
@click.argument("agent")
@click.option("--quick", is_flag=True, help="Look at less of everything.")
@click.option("--quiet", is_flag=True, help="No progress bar, and only what fails.")
def command(agent: str, quick: bool, quiet: bool) -> None:
    """Check AGENT by what is asked of every agent, and say in words what fails and where.

    AGENT is NAME, module:Class or path/to/file.py, with parameters as NAME:parameter=value. It
    plays under a sample of rules with all numbers of players; matches, deals, turns and seats
    count from 0. Ends with 0 if all checks pass, 1 if one fails, 2 if the agent can't be loaded.
    """
    loaded = load_agent(agent)
    pairing = make_pairing([loaded, "random_legal"], Rules())
    announce_compiling("lockstep", quiet)
    pairing.seated()
    begun = time.perf_counter()
    kind = "batch" if loaded.batch else "compiled"
    if not quiet:
        click.echo(f"{loaded.label} ({kind}), {len(CONFIGURATIONS)} rule configurations\n")
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    verdicts = []
    with tqdm(total=len(CHECKS), disable=hidden, leave=False, bar_format=BAR) as bar:
        subject = Subject(loaded, QUICK if quick else FULL, bar.set_description_str)
        for check, outcome in checked(subject):
            bar.update()
            if check.advice:
                verdicts.append(outcome.verdict)
            if outcome.complaints or not quiet:
                with tqdm.external_write_mode():
                    click.echo(outcome_text(check, outcome))
    if not quiet and (text := asked_text(subject)):
        click.echo("\n" + text)
    click.echo(
        ("" if quiet else "\n") + last_line(loaded.label, verdicts, time.perf_counter() - begun)
    )
    sys.exit(int("FAILED" in verdicts))
