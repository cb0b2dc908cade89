"""What a search came to, as tables and as a page: the same figures, the decision first."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from handfoot_sim.report.page import rendered
from handfoot_sim.report.tuning import lead_of, tuning_page, write_tuning_report
from handfoot_sim.runs.folder import folder_at
from handfoot_sim.tally import Estimate
from handfoot_sim.tuning import Tuned, TunePlan, tune
from handfoot_sim.tuning import tables as made
from handfoot_sim.tuning.deciding import WHOLE
from handfoot_sim.tuning.records import read_record
from tests.browser import chromium, look_at
from tests.fickle import Fickle

PLAN: dict[str, object] = {
    "against": ["random_legal", "closer"],
    "budget": 7000,
    "worth": 5000.0,
    "population": 4,
    "pairs": 4,
    "held_out": ["greedy"],
    "transfer": ["pagat"],
    "seed": 3,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tuned") / "run"


@pytest.fixture(scope="module")
def tuned(folder: Path) -> Tuned:
    """Level 3 and more breaks the rules, and the search starts beside it, at the best."""
    return tune(TunePlan(agent=Fickle(level=2), **PLAN), out=folder)


@pytest.fixture(scope="module")
def page(tuned: Tuned, folder: Path) -> str:
    where = write_tuning_report(tuned, folder_at(folder))
    assert where == str(folder / "report.html")
    return Path(where).read_text(encoding="utf-8")


def test_history_is_that_of_the_generations(tuned: Tuned) -> None:
    frame = made.history(tuned)
    found = tuned.searched.generations
    assert frame["matches"].tolist() == [each.matches for each in found]
    assert frame["best"].tolist() == pytest.approx([each.best for each in found], nan_ok=True)
    known = frame.dropna()
    assert np.allclose(known["gain"], known["mean"] - known["start"])
    assert frame["failed"].sum() == sum(each.failed for each in found) > 0


def test_parameters_are_in_their_own_units_within_bounds(tuned: Tuned) -> None:
    frame, answer = made.parameters(tuned), made.answer(tuned).set_index("parameter")
    generations = len(tuned.searched.generations)
    assert len(frame) == 4 * (generations + 1)
    first = frame[frame["generation"] == 0].set_index("parameter")
    assert first["value"].to_dict() == pytest.approx(
        {"level": 2.0, "share": 0.5, "bold": 0.0, "size": 10.0}
    )
    last = frame[frame["generation"] == generations].set_index("parameter")
    assert last["value"].to_dict() == pytest.approx(answer["tuned"].to_dict())
    for name, own in frame.groupby("parameter"):
        low, high = answer.loc[name, ["low", "high"]]
        assert (own["low"] <= own["value"]).all()
        assert (own["value"] <= own["high"]).all()
        assert own["low"].min() >= low
        assert own["high"].max() <= high


def test_the_answer_is_told_in_numbers(tuned: Tuned) -> None:
    frame = made.answer(tuned).set_index("parameter")
    assert frame["type"].to_dict() == {
        "level": "int", "share": "float", "bold": "bool", "size": "float"
    }  # fmt: skip
    assert frame["log"].tolist() == [False, False, False, True]
    assert frame["tuned"].to_dict() == pytest.approx(
        {name: float(value) for name, value in tuned.answer.items()}
    )
    ratio = np.log(frame.loc["size", "tuned"] / 10.0) / np.log(10_000.0)
    assert frame.loc["size", "moved"] == pytest.approx(ratio)


def test_reevaluation_has_every_opponent_under_all_rules(tuned: Tuned) -> None:
    frame = made.reevaluation(tuned)
    assert len(frame) == len(tuned.gains) == 2 * (3 + 1 + 1)
    first = frame.iloc[0]
    assert (first["rules"], first["opponent"]) == ("standard", WHOLE)
    assert first["gain"] == tuned.gain.gain.value
    assert np.allclose(frame["gain"], frame["answer"] - frame["start"])


def test_failures_are_told_once_a_kind(tuned: Tuned, page: str) -> None:
    assert len(tuned.searched.failures) == 1
    assert page.count("the discard -1 is not a kind of card") <= 2  # perhaps in the decision too


def test_curves_hold_the_answer_among_other_values(tuned: Tuned) -> None:
    frame = made.curves(tuned)
    for name, own in frame.groupby("parameter"):
        here = own[own["answer"]]
        assert here["value"].tolist() == [float(tuned.answer[str(name)])]
        assert here["gain"].tolist() == [0.0]
        assert own["value"].is_monotonic_increasing
        assert (own["start"] == float(tuned.start[str(name)])).all()
    failed = frame[frame["failure"] != ""]
    assert set(failed["parameter"]) == {"level"}
    assert failed["value"].min() == 3.0


def test_the_grid_is_a_product_with_the_answer_in_it(tuned: Tuned) -> None:
    frame = made.grid(tuned)
    first, second = (name for name in frame if name.startswith("params."))
    assert len(frame) == frame[first].nunique() * frame[second].nunique()
    here = frame[frame["answer"]]
    assert len(here) == 1
    assert here[first].iloc[0] == tuned.answer[first.removeprefix("params.")]


def test_tables_and_plots_lie_beside_the_page(tuned: Tuned, folder: Path, page: str) -> None:
    for name, frame in made.tables_of(tuned).items():
        read = pd.read_parquet(folder / "tables" / f"{name}.parquet")
        pd.testing.assert_frame_equal(read, frame)
        assert len(pd.read_csv(folder / "tables" / f"{name}.csv")) == len(frame)
    names = {path.name for path in (folder / "plots").iterdir()}
    assert {"objective.svg", "parameters.png", "sensitivity.svg", "pair.svg"} <= names
    for link in re.findall(r'href="((?:tables|plots)/[^"]+)"', page):
        assert (folder / link).is_file()


class Shape(HTMLParser):
    """Whether every tag is closed, and which ids and links there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.ids += [str(known["id"])] if "id" in known else []
        self.links += [str(known["href"])] if tag == "a" else []
        assert (known.get("src") or "data:").startswith("data:")
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(page: str) -> None:
    shape = Shape(page)
    assert shape.open == []
    assert {f"#{name}" for name in shape.ids} == {link for link in shape.links if link[0] == "#"}
    assert page.count("<img ") == 4
    assert "<script" not in page


def test_the_page_says_the_decision_first_and_luck_as_luck(tuned: Tuned, page: str) -> None:
    decision, gain, claimed = tuned.decision, tuned.gain.gain, tuned.searched.claimed
    word = "Accepted:" if decision.accepted else "Not shown:"
    lead = re.findall(r'<p class="lead[^"]*">(.*?)</p>', page)
    assert lead[0].startswith(word)
    assert f"{decision.pairs:,} pairs" in lead[0]
    assert f"{tuned.gain.pairs:,} pairs" in lead[1]
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for words in ("Re-evaluated gain", "Tuned gain", "Shrinkage", "mostly luck"):
        assert words in text
    lost = claimed.value - gain.value
    assert f"{abs(lost):,.0f}"[:3] in text
    assert "The agent failed at" in text
    assert "Where the agent failed" in text
    assert f"{tuned.budget:,}" in text
    assert tuned.prepared.plan.method in text


def test_the_same_search_gives_the_same_page(tuned: Tuned, folder: Path, page: str) -> None:
    write_tuning_report(tuned, folder_at(folder))
    assert (folder / "report.html").read_text(encoding="utf-8") == page


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Estimate(120.0, 80.0, 160.0, 50), "the answer gains 120 ± 40 points a match"),
        (Estimate(-120.0, -160.0, -80.0, 50), "the answer loses 120 ± 40 points a match"),
        (Estimate(20.0, -20.0, 60.0, 50), "it holds 0, so no difference is shown"),
        (Estimate(float("nan"), float("nan"), float("nan"), 50), "there is no gain to tell"),
    ],
)
def test_a_gain_is_told_as_what_it_is(tuned: Tuned, found: Estimate, words: str) -> None:
    first = dataclasses.replace(tuned.gains[0], gain=found)
    said = lead_of(dataclasses.replace(tuned, gains=[first, *tuned.gains[1:]]))
    assert words in said[1]


def test_names_from_outside_are_escaped(tuned: Tuned, folder: Path) -> None:
    first = dataclasses.replace(tuned.gains[0], opponent="<script>alert(1)")
    other = dataclasses.replace(tuned, gains=[first, *tuned.gains[1:]])
    page = tuning_page(other, made.tables_of(other), {}, read_record(folder_at(folder)))
    text = rendered("tuning.html.j2", page=page)
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium here")
@pytest.mark.parametrize("width", [1200, 390])
def test_a_browser_shows_all_of_it(page: str, folder: Path, width: int, tmp_path: Path) -> None:
    seen = look_at(folder / "report.html", width, tmp_path)
    assert seen.images == 4
    assert seen.broken == 0
    assert seen.needed <= seen.width
    assert seen.beyond == ()
    assert seen.console == ()


def test_a_search_without_a_distribution_has_a_page_too(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    plan = TunePlan(agent=Fickle(), params=["share", "bold"], method="optuna", **PLAN)
    tuned = tune(plan)
    assert made.parameters(tuned)["generation"].nunique() == 1
    text = Path(write_tuning_report(tuned, folder_at(tmp_path))).read_text(encoding="utf-8")
    assert text.count("<img ") == 3
