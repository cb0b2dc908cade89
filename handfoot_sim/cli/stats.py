"""``handfoot stats``: the statistics of a run as tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from tqdm import tqdm

from handfoot_sim.errors import RunError

if TYPE_CHECKING:
    import pandas as pd

FORMATS: Final = ("table", "csv", "json", "markdown")


def chosen(names: tuple[str, ...], known: tuple[str, ...]) -> list[str]:
    """The frames that are named; ``RunError`` if one is unknown."""
    for name in names:
        if name not in known:
            raise RunError(f"there is no frame {name!r}; there are {', '.join(known)}")
    return list(dict.fromkeys(names))


def written(frames: dict[str, pd.DataFrame], form: str) -> str:
    """Frames in a format for machines, or as Markdown."""
    if form == "json":
        records = {name: json.loads(frame.to_json(orient="records", double_precision=15))
                   for name, frame in frames.items()}  # fmt: skip
        return json.dumps(records, indent=1)
    if form == "markdown":
        parts = [f"## {name}\n\n{frame.to_markdown(index=False)}" for name, frame in frames.items()]
        return "\n\n".join(parts)
    if len(frames) != 1:
        raise RunError("a CSV file holds one frame: name one, or take --format json")
    (frame,) = frames.values()
    return frame.to_csv(index=False).rstrip("\n")


def save(text: str, path: Path) -> None:
    """Write a text; ``RunError`` if that fails."""
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        failure = RunError(f"{path} can't be written: {error.strerror or error}")
        failure.exit_code = 1
        raise failure from error


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
    help="In short for the terminal, or every column.",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead.")
@click.option("--deals", "by_deal", is_flag=True, help="In tables: each deal by itself.")
@click.option("--variant", default=0, show_default=True, help="Which rules, of a run with several.")
@click.option("--skip-corrupt", is_flag=True, help="Leave out shards that can't be read.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    folder: Path,
    names: tuple[str, ...],
    form: str,
    out: Path | None,
    by_deal: bool,
    variant: int,
    skip_corrupt: bool,
    quiet: bool,
) -> None:
    """Print statistics of the run in DIR, finished or not.

    NAME is a frame: standings, head_to_head, margins, margin_histogram, running_margin, scores,
    book_timing, book_curves, book_logrank, meld_minimums, opening_curves, go_out_rates,
    go_out_curves, foot, foot_curves, piles, seats, fingerprint. Tables show some of them if none
    is named; every other format shows all.
    """
    from handfoot_sim.stats import FRAMES, totals  # pandas, which --help does not wait for
    from handfoot_sim.stats.text import SHORT, frame_text, heading

    wanted = chosen(names, tuple(FRAMES)) or list(SHORT if form == "table" else FRAMES)
    if form == "csv" and len(wanted) != 1:
        raise RunError("a CSV file holds one frame: name one, or take --format json")
    hidden = quiet or sys.stderr is None or not sys.stderr.isatty()
    with tqdm(unit=" matches", disable=hidden, delay=1, leave=False) as bar:
        found = totals(folder, variant=variant, skip_corrupt=skip_corrupt, on_shard=bar.update)
    frames = {name: FRAMES[name](found) for name in wanted}
    if form == "table":
        parts = [frame_text(name, frame, by_deal) for name, frame in frames.items()]
        text = "\n\n\n".join([heading(found, str(folder)), *parts])
    else:
        text = written(frames, form)
    if out is None:
        click.echo(text)
        return
    save(text, out)
    click.echo(f"{out} written", err=True)
