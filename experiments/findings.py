"""Write what was learnt: one page from the answers of all experiments in a folder.

What stands on the page between its marks about surprises is kept, as it was written by hand.

    python -m experiments.findings [--reference results/reference] [--out results/FINDINGS.md]
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from handfoot_sim.errors import HandfootError
from handfoot_sim.experiment.findings import findings


@click.command()
@click.option("--reference", type=click.Path(path_type=Path), default=Path("results/reference"))
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/FINDINGS.md"))
def main(reference: Path, out: Path) -> None:
    """Write the page of findings from the experiments in a folder."""
    try:
        text = findings(reference, out)
    except HandfootError as error:
        sys.exit(f"findings: {error}")
    out.write_text(text, encoding="utf-8")
    click.echo(f"{out} written")


if __name__ == "__main__":
    main()
