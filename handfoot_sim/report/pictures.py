"""The plots of a report: which there are, their files, and how the page holds them.

In the page a plot is an SVG image of its own. Its ink turns light where the reader's page is dark.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pandas as pd
from matplotlib.figure import Figure

from handfoot_sim import plots
from handfoot_sim.errors import RunError
from handfoot_sim.plots.style import COLOURS, FAINT, INK, MUTED
from handfoot_sim.report.manifest import sequence_text
from handfoot_sim.report.writing import write_bytes

Frames = Mapping[str, pd.DataFrame]

DARK: Final = {
    INK: "#e4e7eb", MUTED: "#a3abb6", FAINT: "#3b424c",
    **dict(zip(COLOURS, (
        "#3f97de", "#e8762c", "#16b088", "#d98ab8", "#e6a520", "#a5dbf8", "#cb62bb", "#9aa1aa",
    ), strict=True)),
}  # fmt: skip
"""What colours become on a dark page; agents keep their hues."""

MOST_NAMED: Final = 6
LARGEST: Final = 600_000
"""Bytes of an SVG above which the page holds the PNG instead."""


@dataclass(frozen=True)
class Picture:
    """A plot in the page: its name, what it shows in words, its data URI and width in pixels."""

    name: str
    alt: str
    uri: str
    width: int


@dataclass(frozen=True)
class Kind:
    """A plot that a report has: how it is drawn, and what it shows."""

    draw: Callable[[Frames, Sequence[str], Any], Figure]
    alt: str


_RATED: Final = (
    "Bradley-Terry on pairs, ties as halves; 95 % intervals of the difference to the anchor, which "
    "stands at 0"
)
_UNRATED: Final = pd.DataFrame(columns=["agent", "rating", "low", "high"])

KINDS: Final = {
    "standings": Kind(
        lambda f, who, _: plots.standings(f["standings"], agents=who),
        "Mean margin against the field of {who}, a dot with its interval for each",
    ),
    "ratings": Kind(
        lambda f, who, _: plots.ratings(f.get("ratings", _UNRATED), agents=who, note=_RATED),
        "Elo ratings of {who}, a dot with its interval for each",
    ),
    "head_to_head": Kind(
        lambda f, who, _: plots.head_to_head(f["head_to_head"]),
        "Matrix of the margins of {who} against each other",
    ),
    "head_to_head_share": Kind(
        lambda f, who, _: plots.head_to_head(f["head_to_head"], what="share"),
        "Matrix of the share of pairs that {who} won against each other",
    ),
    "running_margin": Kind(
        lambda f, who, sprt: plots.running_margin(f["running_margin"], sprt=sprt, agents=who),
        "The mean margin of {who} while pairs came in, with an interval that narrows",
    ),
    "margins": Kind(
        lambda f, who, _: plots.margins(f["margin_histogram"], f["margins"], agents=who),
        "How the margins of single pairs spread, for {who}",
    ),
    "scores": Kind(
        lambda f, who, _: plots.scores(f["scores"], agents=who),
        "Stacked bars of what the points of {who} are made of",
    ),
    "go_out_rates": Kind(
        lambda f, who, _: plots.go_out_rates(f["go_out_rates"], agents=who),
        "Stacked bars of how the deals of {who} ended, for all deals and each one",
    ),
    "meld_minimums": Kind(
        lambda f, who, _: plots.meld_minimums(f["opening_curves"], agents=who),
        "Curves of when {who} opened, a panel for each deal and its minimum",
    ),
    "book_timing": Kind(
        lambda f, who, _: plots.book_timing(f["book_curves"], agents=who),
        "Curves of when {who} closed their books, a panel for each book",
    ),
    "foot": Kind(
        lambda f, who, _: plots.foot(f["foot_curves"], agents=who),
        "Curves of when {who} picked up their feet",
    ),
    "piles": Kind(
        lambda f, who, _: plots.piles(f["piles"], agents=who),
        "What {who} did at the pile, a dot with its interval for each figure",
    ),
    "seats": Kind(
        lambda f, who, _: plots.seats(f["seats"], agents=who),
        "What the first turn, the deal and the seat were worth to {who}",
    ),
    "fingerprint": Kind(
        lambda f, who, _: plots.fingerprint(f["fingerprint"], agents=who),
        "How {who} played: all figures on parallel scales",
    ),
}
"""Every plot of a report, in order."""

LEAST: Final = {
    "head_to_head": 3, "head_to_head_share": 3, "standings": 3, "ratings": 3,
    "running_margin": 2, "margins": 2,
}  # fmt: skip
"""Line-ups from which on a plot tells something."""


def draw_pictures(
    frames: Frames, agents: Sequence[str], folder: Path, sprt: plots.Sprt | None = None
) -> dict[str, Picture]:
    """Draw every plot there is something to draw for, and write it as SVG and PNG.

    ``RunError`` if a file can't be written.
    """
    found = {}
    for name, kind in KINDS.items():
        if len(agents) < LEAST.get(name, 1):
            continue
        try:
            figure = kind.draw(frames, agents, sprt)
        except RunError:  # an empty frame: its section says so
            continue
        svg, png = rendered(figure, "svg"), rendered(figure, "png")
        write_bytes(folder / f"{name}.svg", svg)
        write_bytes(folder / f"{name}.png", png)
        alt = kind.alt.format(who=_who(agents))
        width = round(96 * figure.get_figwidth())
        found[name] = Picture(name, alt, data_uri(svg, png), width)
    return found


def _who(agents: Sequence[str]) -> str:
    if len(agents) > MOST_NAMED:
        return f"{len(agents)} line-ups"
    return sequence_text(list(agents))


def rendered(figure: Figure, kind: str) -> bytes:
    """The bytes of a figure as "svg" or "png"."""
    buffer = io.BytesIO()
    plots.save(figure, buffer, kind)
    figure.set_layout_engine("none")  # laid out once, for all formats
    return buffer.getvalue()


def data_uri(svg: bytes, png: bytes) -> str:
    """A plot as the address of an image that holds it."""
    text = for_the_page(svg.decode())
    if len(text) > LARGEST:
        return f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return f"data:image/svg+xml,{quote(text, safe=_SAFE)}"


_SAFE: Final = " !$&()*+,-./:;=?@[]^_`{|}~'"
_COLOUR: Final = re.compile("|".join(DARK))
_LONG: Final = re.compile(r"(?<![\d.])([1-9]\d*\.\d\d)\d+")
"""A number from 1 on with more than two decimals; smaller ones may be scales."""


def for_the_page(svg: str) -> str:
    """An SVG fit for either page: no background, colours by the reader's scheme, short numbers."""
    body = svg[svg.index("<svg") :]
    names = {colour: f"--c{number}" for number, colour in enumerate(DARK)}
    style = (
        f"svg{{{_declared(names, {c: c for c in DARK})}}}"
        f"@media (prefers-color-scheme:dark){{svg{{{_declared(names, DARK)}}}}}"
        f"@media print{{svg{{{_declared(names, {c: c for c in DARK})}}}}}"
    )
    head, mark, rest = body.partition(">")
    start = rest.index('<g id="patch_1">')
    end = rest.index("</g>", start)
    rest = rest[:start] + rest[end + len("</g>") :]
    rest = re.sub(r"<metadata>.*?</metadata>", "", rest, flags=re.DOTALL)
    rest = _COLOUR.sub(lambda found: f"var({names[found[0]]})", rest)
    rest = re.sub(r"\s*\n\s*", " ", _LONG.sub(r"\1", rest))
    return f"{head}{mark}<style>{style}</style>{rest}".replace('"', "'")


def _declared(names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    return ";".join(f"{names[colour]}:{value}" for colour, value in colours.items())
