"""One look for all plots: the style sheet, a colour an agent, and files that don't vary.

Colours can be told apart by the colour-blind: they are those of Okabe and Ito (Color Universal
Design, 2008) without black and yellow, which vanish on a dark or a light page, and two of Paul
Tol's (Colour Schemes, 2021). Agents after the eighth have the same colours again with another line
and another marker.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, ParamSpec

import matplotlib as mpl
import matplotlib.style
from matplotlib.figure import Figure

SHEET: Final = Path(__file__).with_name("handfoot.mplstyle")
"""The style sheet that all plots are drawn with."""

COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#aa4499", "#7a7a7a",
)  # fmt: skip
LINES: Final[tuple[Any, ...]] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
MARKERS: Final = ("o", "s", "^", "D")
HATCHES: Final = ("", "///", "...", "xxx")

INK: Final = "#23272e"
FAINT: Final = "#d5d9de"
MUTED: Final = "#6a717b"
"""Colours of text and axes, of the grid, and of what stands back. The report turns them round on
a dark page, so nothing else has these colours."""

NAME_WIDTH: Final = 26

P = ParamSpec("P")


@dataclass(frozen=True)
class Look:
    """How an agent is drawn: colour, line style, marker, hatching of areas, and its short name."""

    colour: str
    line: Any
    marker: str
    hatch: str
    name: str


def looks(agents: Iterable[str]) -> dict[str, Look]:
    """The look of each agent, which depends on nothing but the names: sorted, they take turns."""
    ordered = sorted(set(agents))
    names = short_names(ordered)
    found = {}
    for number, agent in enumerate(ordered):
        again = number // len(COLOURS) % len(LINES)
        found[agent] = Look(
            COLOURS[number % len(COLOURS)],
            LINES[again],
            MARKERS[again],
            HATCHES[again],
            names[agent],
        )
    return found


def short_names(agents: Sequence[str]) -> dict[str, str]:
    """Names short enough for a legend, all different: long ones lose their middle."""
    found: dict[str, str] = {}
    for agent in agents:
        shown = "".join(sign if sign.isprintable() else "?" for sign in agent)
        if len(shown) > NAME_WIDTH:
            head = NAME_WIDTH * 2 // 3
            shown = f"{shown[:head]}…{shown[head + 1 - NAME_WIDTH :]}"
        name, number = shown, 2
        while name in found.values():
            name, number = f"{shown} ({number})", number + 1
        found[agent] = name
    return found


def styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Draw with the style sheet, whatever settings the caller has."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with mpl.rc_context():
            mpl.rcdefaults()
            matplotlib.style.use(SHEET)
            return draw(*args, **kwargs)

    return drawn


def save(
    figure: Figure,
    target: Path | IO[bytes],
    kind: str = "svg",
    *,
    transparent: bool = False,
    dpi: int | None = None,
) -> None:
    """Write a figure as "svg" or "png"; the same figure gives the same bytes.

    ``dpi``: dots an inch of a PNG, by default those of the style sheet.
    Names may hold signs that the font lacks; they are drawn as boxes, without a warning. Raises
    ``OSError`` if the file can't be written.
    """
    about = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        matplotlib.style.use(SHEET)
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        size: Any = dpi or mpl.rcParams["savefig.dpi"]
        figure.savefig(target, format=kind, metadata=about, transparent=transparent, dpi=size)
