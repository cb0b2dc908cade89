"""``handfoot verify``: whether the matches in transcript files keep the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
from tqdm import tqdm

from handfoot_sim.cli.options import announce_compiling
from handfoot_sim.errors import TranscriptError
from handfoot_sim.transcripts.check import check_match
from handfoot_sim.transcripts.files import read_matches
from handfoot_sim.transcripts.format import Match

MAX_SENTENCES = 100
"""Lines of one file that can't be read and are told one by one."""


@click.command(name="verify")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def command(files: tuple[str, ...]) -> None:
    """Check the matches in transcript FILEs against the rules they name.

    Reads .json (one match) and .jsonl (one match a line), packed (.gz) or not. Prints one line
    for each match that breaks a rule, counting matches and seats from 0, then how many there
    were. Ends with 0 if all keep the rules, 1 if not, 2 if something could not be read.
    """
    announce_compiling("transcripts")
    matches = faults = unreadable = 0
    with tqdm(unit=" matches", delay=1, leave=False, disable=not sys.stderr.isatty()) as bar:
        for name in files:
            for number, match in enumerate(_readable(name)):
                if match is None:
                    unreadable += 1
                    continue
                matches += 1
                faults += _is_at_fault(name, number, match)
                bar.update()
    click.echo(f"{matches} matches, {faults} at fault")
    sys.exit(2 if unreadable else int(faults > 0))


def _readable(name: str) -> Iterator[Match | None]:
    """The matches of a file, None for each that can't be read, which is told on stderr."""
    failed = 0
    for match in read_matches(name):
        if not isinstance(match, TranscriptError):
            yield match
            continue
        failed += 1
        if failed <= MAX_SENTENCES:
            _say(f"handfoot: {match}", to_stderr=True)
        yield None
    if failed > MAX_SENTENCES:
        more = failed - MAX_SENTENCES
        _say(f"handfoot: {name}: {more} more lines can't be read", to_stderr=True)


def _is_at_fault(name: str, number: int, match: Match) -> bool:
    fault = check_match(match)
    if fault is None:
        return False
    _say(f"{click.format_filename(name)} match {number}: {fault}")
    return True


def _say(line: str, *, to_stderr: bool = False) -> None:
    """Print a line without tearing the progress bar."""
    with tqdm.external_write_mode():
        click.echo(line, err=to_stderr)
