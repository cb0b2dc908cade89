"""``handfoot replay``: a match from a transcript file, told in words."""

from __future__ import annotations

import sys

import click

from handfoot_sim.cli.options import announce_compiling
from handfoot_sim.errors import TranscriptError
from handfoot_sim.transcripts.check import check_match
from handfoot_sim.transcripts.files import read_match
from handfoot_sim.transcripts.replay import tell_match


@click.command(name="replay")
@click.argument("file", metavar="FILE")
@click.option("--match", type=int, default=0, show_default=True, help="Match to tell, from 0.")
@click.option("--deal", type=int, help="Deal to tell, from 0; all of them if it is not given.")
def command(file: str, match: int, deal: int | None) -> None:
    """Tell a match of a transcript FILE in words: cards, turns, books, points by part.

    A match that breaks a rule is told as far as it keeps them; it ends with 1 then.
    """
    announce_compiling("transcripts")
    found = read_match(file, match, unfinished=True)
    try:
        lines = tell_match(found, deal)
    except TranscriptError as error:
        raise TranscriptError(f"{file} match {match}: {error}") from None
    for line in lines:
        click.echo(line)
    sys.exit(int(check_match(found) is not None))
