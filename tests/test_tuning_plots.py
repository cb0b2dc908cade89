"""Plots of searches and sweeps show what is in their frames."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from handfoot_sim.errors import RunError
from handfoot_sim.plots import save, sweeps, tuning
from tests import searched

NUMBERS = {"params.burst": [0, 2, 4, 6]}
MIXED = {"params.share": [0.1, 0.25, 0.5], "rules.first_player": ["left", "dealer"]}

DRAWN: dict[str, Callable[[], Figure]] = {
    "histories": lambda: tuning.parameter_histories(searched.parameters(), searched.answer()),
    "many histories": lambda: tuning.parameter_histories(
        searched.parameters(35, 200), searched.answer(35)
    ),
    "objective": lambda: tuning.objective(
        searched.history(), searched.reevaluation(), accepted=True
    ),
    "objective without a centre": lambda: tuning.objective(
        searched.history(centre=False), searched.reevaluation()
    ),
    "sensitivity": lambda: tuning.sensitivity(searched.curves()),
    "much sensitivity": lambda: tuning.sensitivity(searched.curves(35)),
    "pair": lambda: tuning.parameter_pair(searched.grid(), searched.answer()),
    "sweep": lambda: sweeps.sweep(searched.sweep(NUMBERS, {"params.burst": 2})),
    "sweep of words": lambda: sweeps.sweep(
        searched.sweep({"rules.first_player": ["left", "dealer"]}, {"rules.first_player": "left"})
    ),
    "heatmap": lambda: sweeps.sweep(
        searched.sweep(MIXED, {"params.share": 0.25, "rules.first_player": "left"})
    ),
}


def rendered(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    save(figure, buffer, "svg")
    return buffer.getvalue()


def texts(figure: Figure) -> str:
    found = [text.get_text() for text in figure.texts]
    for axes in figure.axes:
        found += [text.get_text() for text in axes.texts]
        found.append(axes.get_title(loc="left"))
    for legend in figure.legends:
        found += [text.get_text() for text in legend.get_texts()]
    return " ".join(" ".join(found).split())


@pytest.mark.parametrize("name", DRAWN)
def test_draws_the_same_bytes_again_within_a_page(name: str) -> None:
    svg = rendered(DRAWN[name]())
    assert float(ET.fromstring(svg).attrib["width"].removesuffix("pt")) < 72 * 13
    assert rendered(DRAWN[name]()) == svg


@pytest.mark.parametrize("name", [name for name in DRAWN if "histories" not in name])
def test_says_what_is_counted_and_how(name: str) -> None:
    said = texts(DRAWN[name]())
    assert "n = " in said
    assert "95 %" in said
    assert "points a match" in said


def test_histories_stand_by_how_much_they_moved() -> None:
    figure = tuning.parameter_histories(searched.parameters(), searched.answer())
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert [title.partition("\n")[0] for title in titles[:4]] == ["p3", "p2", "p1", "p0"]
    panel = figure.axes[3]
    own = searched.parameters()
    own = own[own["parameter"] == "p0"]
    assert np.array_equal(panel.lines[0].get_ydata(), own["value"])
    assert np.array_equal(panel.lines[0].get_xdata(), own["matches"])
    assert panel.lines[1].get_ydata()[0] == 0.0  # start
    assert figure.axes[0].get_yscale() == "log"
    assert titles[1] == "p2\nno → no"


def test_narrow_histories_keep_their_ends() -> None:
    figure = tuning.parameter_histories(searched.parameters(35, 200), searched.answer(35))
    line = figure.axes[0].lines[0]
    assert len(line.get_xdata()) == tuning.MOST_STEPS
    assert line.get_xdata()[[0, -1]].tolist() == [0, 200_000]


def test_a_method_without_a_distribution_has_no_histories() -> None:
    last = searched.parameters().query("generation == 30")
    with pytest.raises(RunError, match="no distribution"):
        tuning.parameter_histories(last, searched.answer())


def test_objective_tells_the_re_evaluated_gain() -> None:
    history, again = searched.history(), searched.reevaluation()
    figure = tuning.objective(history, again, accepted=False)
    said = texts(figure)
    assert "Re-evaluated gain +130 ± 50 points a match, not shown" in said
    assert "best candidate (luck)" in said
    assert "n = 4,000 pairs" in said
    below = figure.axes[2]
    assert np.array_equal(below.lines[0].get_ydata(), history["gain"])
    running = history["gain"].rolling(3, min_periods=1).mean()
    assert np.allclose(below.lines[1].get_ydata(), running)
    right = figure.axes[3]
    assert right.lines[0].get_ydata().tolist() == [80.0, 180.0]
    assert right.lines[1].get_ydata().tolist() == [130.0]


def test_without_a_gain_none_is_told() -> None:
    again = searched.reevaluation()
    again.loc[0, ["answer", "gain", "gain_low", "gain_high"]] = np.nan
    figure = tuning.objective(searched.history(), again, accepted=False)
    assert "No gain can be told: the agent failed, not shown" in texts(figure)
    assert "nan" not in texts(figure)


def test_parameters_in_ratios_stand_in_ratios() -> None:
    shown = [axes for axes in tuning.sensitivity(searched.curves()).axes if axes.get_visible()]
    scales = {axes.get_title(loc="left"): axes.get_xscale() for axes in shown}
    assert scales == {"p0": "linear", "p1": "linear", "p2": "linear", "p3": "log"}
    frame = searched.sweep({"params.size": [0.1, 1.0, 10.0]}, {"params.size": 1.0})
    assert sweeps.sweep(frame, log=True).axes[0].get_xscale() == "log"


def test_sensitivity_stands_by_importance_with_answer_and_start() -> None:
    curves = searched.curves()
    figure = tuning.sensitivity(curves)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    names = [axes.get_title(loc="left") for axes in shown]
    own = curves[~curves["answer"]]
    weight = (-own["gain_high"]).groupby(own["parameter"]).max()
    assert names == sorted(names, key=lambda name: -weight[name])
    panel = shown[names.index("p1")]
    rows = curves[curves["parameter"] == "p1"].sort_values("value")
    assert np.array_equal(panel.lines[0].get_xdata(), rows["value"])
    assert np.array_equal(panel.lines[0].get_ydata(), rows["gain"])
    answers = [line for line in panel.lines if line.get_marker() == "D"]
    assert answers[0].get_xdata().tolist() == rows[rows["answer"]]["value"].tolist()
    starts = [line for line in panel.lines if to_hex(line.get_color()) == tuning.REFERENCE]
    assert -1.0 in [line.get_xdata()[0] for line in starts]


def test_pair_marks_answer_and_start_and_writes_gains() -> None:
    answer = searched.answer().set_index("parameter")
    answer.loc["p0", ["start", "tuned"]] = [10.0, 1.0]
    answer.loc["p1", ["start", "tuned"]] = [0.25, 0.0]
    figure = tuning.parameter_pair(searched.grid(), answer.reset_index())
    panel = figure.axes[0]
    frame, start = panel.lines
    assert frame.get_xdata().mean() == pytest.approx(1 + 0.46 * -0.2)
    assert (start.get_xdata()[0], start.get_ydata()[0]) == (3.0, 2.5)  # between two cells
    written = [text.get_text() for text in panel.texts]
    assert len(written) == 20
    assert "-700\n± 130" in written
    assert "gain over the answer" in texts(figure)


def test_a_sweep_fills_what_may_be_the_best() -> None:
    frame = searched.sweep(NUMBERS, {"params.burst": 2})
    frame.loc[0, ["margin", "margin_low", "margin_high", "gain"]] = np.nan
    frame.loc[0, "failure"] = "it broke a rule"
    figure = sweeps.sweep(frame, agent="balanced", against="closer")
    panel = figure.axes[0]
    assert "Margin of balanced against closer by burst" in texts(figure)
    assert "failed" in [text.get_text() for text in panel.texts]
    line, filled, open_ones, reference = panel.lines
    assert line.get_ydata().tolist() == [100.0, 200.0, 300.0]
    assert filled.get_xdata().tolist() == [2.0, 4.0, 6.0]
    assert open_ones.get_xdata().tolist() == [0.0, 2.0]
    assert reference.get_xdata()[0] == 2.0


def test_a_heatmap_tells_gains_of_parameters_and_margins_of_rules() -> None:
    own = {"params.share": 0.25, "rules.first_player": "left"}
    figure = sweeps.sweep(searched.sweep(MIXED, own))
    panel = figure.axes[0]
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["0.1", "0.25", "0.5"]
    assert [tick.get_text() for tick in panel.get_yticklabels()] == ["left", "dealer"]
    written = {text.get_position(): text.get_text() for text in panel.texts}
    assert written[(1, 0)].startswith("0\n")
    assert written[(2, 1)] == "+300\n± 30"
    rules = {"rules.pile_take": [3, 5], "rules.wild_melds": [True, False]}
    frame = searched.sweep(rules, {"rules.pile_take": 3, "rules.wild_melds": True})
    margins = sweeps.sweep(frame)
    assert "Margin by pile_take and wild_melds" in texts(margins)
    assert [t.get_text() for t in margins.axes[0].get_yticklabels()] == ["yes", "no"]


def test_other_frames_are_refused_in_a_sentence() -> None:
    with pytest.raises(
        RunError, match=r"no column 'gain'; draw a frame of handfoot_sim\.tuning\.cu"
    ):
        tuning.sensitivity(searched.curves().drop(columns="gain"))
    with pytest.raises(RunError, match="nothing to draw: the frame of grid is empty"):
        tuning.parameter_pair(searched.grid().head(0), searched.answer())
    with pytest.raises(RunError, match="one or two swept parameters"):
        sweeps.sweep(searched.sweep(NUMBERS, {"params.burst": 2}).drop(columns="params.burst"))
    with pytest.raises(RunError, match="nothing to draw"):
        tuning.objective(pd.DataFrame(columns=searched.history().columns), searched.reevaluation())
