"""Plots show what is in their frames, in colours that stay, and draw the same bytes again."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from handfoot_sim import plots
from handfoot_sim.errors import RunError
from handfoot_sim.plots.style import COLOURS, looks, short_names
from tests import framed

AGENTS = ["greedy", "random_legal"]
FOUR = [*AGENTS, "closer", "pile_hunter:pile_min=3,wild_start=4"]
TWENTY = [f"agent_{number:02d}" for number in range(20)]

Draw = Callable[[Sequence[str]], Figure]

DRAWN: dict[str, Draw] = {
    "book_timing": lambda who: plots.book_timing(framed.curves(framed.BOOKS, who)),
    "meld_minimums": lambda who: plots.meld_minimums(framed.opening_curves(who)),
    "foot": lambda who: plots.foot(framed.curves(["first foot", "second foot"], who)),
    "go_out_rates": lambda who: plots.go_out_rates(framed.long("go_out_rates", who)),
    "scores": lambda who: plots.scores(framed.long("scores", who)),
    "standings": lambda who: plots.standings(framed.standings(who)),
    "ratings": lambda who: plots.ratings(
        framed.standings(who).rename(columns={"margin": "rating"}), unit="Elo"
    ),
    "head_to_head": lambda who: plots.head_to_head(framed.head_to_head(who)),
    "head_to_head_share": lambda who: plots.head_to_head(framed.head_to_head(who), what="share"),
    "margins": lambda who: plots.margins(*framed.margins(who)),
    "running_margin": lambda who: plots.running_margin(framed.running_margin(who)),
    "seats": lambda who: plots.seats(framed.seats(who)),
    "piles": lambda who: plots.piles(framed.long("piles", who)),
    "fingerprint": lambda who: plots.fingerprint(framed.long("fingerprint", who)),
}
ALONE = [name for name in DRAWN if not name.startswith("head_to_head")]


def rendered(figure: Figure, kind: str = "svg") -> bytes:
    buffer = io.BytesIO()
    plots.save(figure, buffer, kind)
    return buffer.getvalue()


def texts(figure: Figure) -> list[str]:
    """All that is written in a figure but tick labels."""
    found = [text.get_text() for text in figure.texts]
    for axes in figure.axes:
        found += [text.get_text() for text in axes.texts]
        found.append(axes.get_title(loc="left"))
    for legend in figure.legends:
        found += [text.get_text() for text in legend.get_texts()]
    return [text for text in found if text]


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("who", [AGENTS, FOUR, TWENTY], ids=["2", "4", "20"])
def test_draws(name: str, who: list[str]) -> None:
    svg = rendered(DRAWN[name](who))
    root = ET.fromstring(svg)
    assert root.tag.endswith("svg")
    assert float(root.attrib["width"].removesuffix("pt")) < 72 * 16


@pytest.mark.parametrize("name", ALONE)
def test_draws_one_agent(name: str) -> None:
    rendered(DRAWN[name](["greedy"]))


@pytest.mark.parametrize("name", DRAWN)
def test_says_what_is_counted_and_how(name: str) -> None:
    said = " ".join(" ".join(texts(DRAWN[name](FOUR))).split())
    assert "95 %" in said or name in ("go_out_rates", "margins") or "Holm" in said
    assert "n = " in said or name in ("running_margin", "ratings")


@pytest.mark.parametrize("name", ["book_timing", "margins", "fingerprint", "head_to_head"])
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_same_data_give_the_same_bytes(name: str, kind: str) -> None:
    first, second = (rendered(DRAWN[name](FOUR), kind) for _ in range(2))
    assert first == second
    assert b"<dc:date>" not in first
    assert b"Software" not in first


def test_settings_of_the_caller_change_nothing_and_stay() -> None:
    usual = rendered(DRAWN["piles"](AGENTS))
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9}):
        assert rendered(DRAWN["piles"](AGENTS)) == usual
        assert mpl.rcParams["font.size"] == 30


def test_looks_depend_on_names_only() -> None:
    assert looks(FOUR) == looks(reversed(FOUR))
    many = looks(TWENTY)
    assert len({(look.colour, str(look.line)) for look in many.values()}) == 20
    assert len({(look.colour, look.marker) for look in many.values()}) == 20


def test_an_agent_keeps_its_colour_where_others_are_missing() -> None:
    frame = framed.curves(framed.BOOKS, ["greedy"])
    figure = plots.book_timing(frame, agents=FOUR)
    colour = to_hex(figure.axes[0].lines[0].get_color())
    assert colour == looks(FOUR)["greedy"].colour == COLOURS[1]


def test_long_names_are_cut_and_stay_different() -> None:
    names = [f"greedy:pile_min=3,wild_start={number},rush=4,more=5" for number in (1, 2)]
    short = short_names(names)
    assert len(set(short.values())) == 2
    assert all(len(name) <= 30 for name in short.values())


@pytest.mark.parametrize("name", ["$x_1$ \\frac", "猫", "a\nb", "_hidden"])
def test_odd_names_are_drawn_as_they_are(name: str) -> None:
    for draw in ("book_timing", "scores", "margins"):
        rendered(DRAWN[draw]([name, "greedy"]))


def test_curves_are_those_of_the_frame() -> None:
    frame = framed.curves(framed.BOOKS, AGENTS)
    figure = plots.book_timing(frame, deal="2")
    panel = figure.axes[3]
    assert panel.get_title(loc="left") == "second dirty book"
    rows = frame[(frame["deal"] == "2") & (frame["event"] == "second dirty")]
    for agent, line in zip(AGENTS, panel.lines, strict=True):
        own = rows[rows["agent"] == agent]
        assert np.array_equal(line.get_xdata(), own["turn"])
        assert np.array_equal(line.get_ydata(), own["incidence"])
    shares = plots.book_timing(frame, deal="2", measure="share").axes[3].lines[0]
    own = rows[rows["agent"] == AGENTS[0]]
    assert np.array_equal(shares.get_ydata(), own["share"])


def test_numbers_at_risk_stand_below_their_turns() -> None:
    frame = framed.curves(["first clean"], AGENTS)
    panel = plots.book_timing(frame).axes[0]
    rows = frame[(frame["deal"] == "all") & (frame["agent"] == "greedy")].set_index("turn")
    colour = looks(AGENTS)["greedy"].colour
    own = [text for text in panel.texts if to_hex(text.get_color()) == colour]
    ticks = [tick for tick in panel.get_xticks() if tick <= panel.get_xlim()[1]]
    assert len(own) == len(ticks) > 2
    for text, tick in zip(own, ticks, strict=True):
        assert text.get_text() == f"{rows.loc[int(tick), 'at_risk']:,}"


def test_what_never_happens_is_said() -> None:
    frame = framed.curves(framed.BOOKS, AGENTS)
    frame.loc[frame["event"] == "first wild", ["share", "incidence"]] = 0.0
    figure = plots.book_timing(frame)
    assert "it never happened" in [text.get_text() for text in figure.axes[4].texts]


def test_ends_of_deals_are_stacked_to_one() -> None:
    figure = plots.go_out_rates(framed.long("go_out_rates", FOUR))
    assert len([axes for axes in figure.axes if axes.get_visible()]) == 5
    for axes in figure.axes[:5]:
        ends = {}
        for bar in axes.patches:
            ends[bar.get_y()] = max(ends.get(bar.get_y(), 0.0), bar.get_x() + bar.get_width())
        assert list(ends.values()) == pytest.approx([1.0] * 4)


def test_parts_of_scores_add_up_on_either_side_of_nothing() -> None:
    frame = framed.long("scores", AGENTS)
    axes = plots.scores(frame).axes[0]
    rows = frame[(frame["deal"] == "all") & (frame["agent"] == "greedy")].set_index("figure")
    bars = [bar for bar in axes.patches if round(bar.get_y() + bar.get_height() / 2) == 0]
    reach = [bar.get_x() + bar.get_width() for bar in bars]
    gained = rows["value"][["melded", "books", "red_threes", "going_out"]].sum()
    assert max(reach) == pytest.approx(gained)
    assert min(reach) == pytest.approx(rows["value"]["left"])


def test_a_forest_has_the_best_on_top() -> None:
    axes = plots.standings(framed.standings(FOUR)).axes[0]
    assert axes.get_yticklabels()[0].get_text() == "greedy"
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_a_matrix_writes_the_row_over_the_column_and_brackets_what_is_not_shown() -> None:
    figure = plots.head_to_head(framed.head_to_head(FOUR))
    axes = figure.axes[0]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    columns = [label.get_text() for label in axes.get_xticklabels()]
    cells = {
        (rows[int(text.get_position()[1])], columns[int(text.get_position()[0])]): text.get_text()
        for text in axes.texts
    }
    assert rows == columns
    assert cells["greedy", "closer"] == "+600"
    assert cells["closer", "greedy"] == "-600"
    assert cells["greedy", "random_legal"] == "(+300)"
    assert len(cells) == 12


def test_no_two_line_ups_no_matrix() -> None:
    with pytest.raises(RunError, match="no two different line-ups"):
        plots.head_to_head(framed.head_to_head(["greedy"]))


def test_violins_have_the_quartiles_of_the_pairs() -> None:
    histogram, summary = framed.margins(AGENTS, n=20_000)
    axes = plots.margins(histogram, summary).axes[0]
    bar, dot = axes.lines[1], axes.lines[2]
    values = np.random.default_rng(0).normal(300, 1500, 20_000)
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    assert bar.get_xdata() == pytest.approx([low, high], abs=60)
    assert dot.get_xdata() == pytest.approx([median], abs=60)


def test_many_meetings_are_pooled_by_agent() -> None:
    axes = plots.margins(*framed.margins(TWENTY, n=200)).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == TWENTY  # the strongest comes first


def test_running_margins_of_many_meetings_are_the_closest() -> None:
    frame = framed.running_margin(TWENTY, n=400)
    figure = plots.running_margin(frame)
    shown = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert len(shown) == 12
    last = frame.groupby("pairing").tail(1)
    ratio = last["margin"].abs() / (last["high"] - last["low"])
    closest = last.loc[ratio.idxmin()]
    assert any(closest["agent"] in name and closest["opponent"] in name for name in shown)


def test_bounds_of_a_sequential_test_are_walds() -> None:
    """At a bound the log-likelihood ratio of the two normal means is Wald's."""
    test = plots.Sprt(0.0, 100.0, alpha=0.05, beta=0.1)
    pairs, variance = np.array([500.0, 5000.0]), np.array([1500.0**2, 1600.0**2])
    for margins, wanted in zip(
        test.bounds(pairs, variance), (np.log(0.1 / 0.95), np.log(0.9 / 0.05)), strict=True
    ):
        ratio = pairs * (margins**2 - (margins - 100.0) ** 2) / (2 * variance)
        assert ratio == pytest.approx([wanted, wanted])
    figure = plots.running_margin(framed.running_margin(AGENTS), sprt=test)
    assert len(figure.axes[0].lines) == 4


def test_levels_of_a_seat_each_have_a_dot() -> None:
    figure = plots.seats(framed.seats(AGENTS, teams=3))
    seat = figure.axes[2]
    dots = [line for line in seat.lines if line.get_marker() not in ("None", "", None)]
    assert len(dots) == 3 * 3  # three agents' rows, the pooled one included, of three seats


def test_noise_does_not_look_like_a_difference() -> None:
    """Values closer than their intervals stay close on the fingerprint's scale."""
    frame = framed.long("fingerprint", AGENTS)
    same = frame["figure"] == "points"
    frame.loc[same, "value"] = [2000.0, 2001.0]
    frame.loc[same, ["low", "high"]] = [[1900.0, 2100.0], [1901.0, 2101.0]]
    axes = plots.fingerprint(frame).axes[0]
    lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
    assert abs(lines[0].get_xdata()[0] - lines[1].get_xdata()[0]) < 0.01


def test_scales_of_shares_stay_within_all_and_nothing() -> None:
    frame = framed.long("fingerprint", AGENTS)
    share = frame["figure"] == "went out"
    frame.loc[share, "value"] = [0.02, 0.98]
    frame.loc[share, ["low", "high"]] = [[0.0, 0.5], [0.5, 1.0]]
    said = texts(plots.fingerprint(frame))
    assert "0.0 %" in said
    assert "100.0 %" in said


def test_a_fingerprint_of_chosen_figures_counts_no_deals_where_it_has_no_points() -> None:
    frame = framed.long("fingerprint", AGENTS)
    some = frame[frame["figure"] == "went out"]
    assert "deals an agent" in " ".join(texts(plots.fingerprint(frame)))
    assert "deals an agent" not in " ".join(texts(plots.fingerprint(some)))


EMPTY = [
    (lambda f: plots.book_timing(f), "book_curves", framed.curves(framed.BOOKS, AGENTS)),
    (lambda f: plots.scores(f), "scores", framed.long("scores", AGENTS)),
    (lambda f: plots.standings(f), "standings", framed.standings(AGENTS)),
    (lambda f: plots.seats(f), "seats", framed.seats(AGENTS)),
    (lambda f: plots.running_margin(f), "running_margin", framed.running_margin(AGENTS)),
]


@pytest.mark.parametrize(("draw", "name", "frame"), EMPTY, ids=[name for _, name, _ in EMPTY])
def test_frames_that_can_not_be_drawn_end_in_a_sentence(
    draw: Callable[[pd.DataFrame], Figure], name: str, frame: pd.DataFrame
) -> None:
    with pytest.raises(RunError, match=f"nothing to draw: the frame of {name} is empty"):
        draw(frame.iloc[:0])
    with pytest.raises(RunError, match=rf"no column 'agent'; .*stats\.{name}"):
        draw(frame.drop(columns="agent"))


def test_words_that_are_none() -> None:
    with pytest.raises(RunError, match="measure = 'median' must be one of incidence, share"):
        plots.book_timing(framed.curves(framed.BOOKS, AGENTS), measure="median")
    with pytest.raises(RunError, match="what = 'wins' must be margin or share"):
        plots.head_to_head(framed.head_to_head(AGENTS), what="wins")
