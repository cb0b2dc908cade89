"""The report of a run: what it says, what it holds, what it refuses."""

from __future__ import annotations

import errno
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from handfoot_sim import simulate, stats
from handfoot_sim.cli.main import run
from handfoot_sim.errors import RunError
from handfoot_sim.report import Report, write_report, writing
from handfoot_sim.report.figures import chance, estimate, number
from handfoot_sim.report.headline import headline
from handfoot_sim.report.manifest import meetings_of, rule_rows
from handfoot_sim.report.pictures import for_the_page
from handfoot_sim.report.samples import matches_in, told
from handfoot_sim.stats.reading import source_of
from handfoot_sim.transcripts.files import read_match
from handfoot_sim.transcripts.replay import tell_match
from tests import framed
from tests.browser import chromium, look_at

NAN = float("nan")
HOSTILE = "<script>alert(1)&\"'"
"""A file's name that would do harm in a page."""


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.found if name == tag]


def played(folder: Path, agents: list[str], matches: int = 40, **more: object) -> Path:
    simulate(agents, matches=matches, seed=5, out=folder, **more)
    return folder


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    return played(folder, ["greedy", "random_legal"], transcripts=40)


@pytest.fixture(scope="module")
def report(run_folder: Path) -> Report:
    return write_report(run_folder)


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    return report.page.read_text(encoding="utf-8")


def test_says_who_beats_whom_in_words(report: Report, page: str) -> None:
    found = re.search(r"greedy beats random_legal by ([\d,]+) ± ([\d,]+) points a match", page)
    assert found
    assert report.lead[0].endswith("over 20 pairs.")
    frame = pd.read_parquet(report.tables / "head_to_head.parquet")
    own = frame[frame["agent"] == "greedy"].iloc[0]
    assert found[1] == f"{own['margin']:,.0f}"
    assert found[2] == f"{(own['high'] - own['low']) / 2:,.0f}"


def test_is_well_formed_with_every_part(page: str) -> None:
    tags = Tags(page)
    assert tags.open == []
    ids = [attrs["id"] for _, attrs in tags.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = {attrs["href"] for attrs in tags.named("a")}
    assert {f"#{name}" for name in ids} == {link for link in links if link[0] == "#"}


def test_needs_no_network_and_no_other_file(page: str) -> None:
    tags = Tags(page)
    for _, attrs in tags.found:
        for name in ("src", "data", "srcset", "action", "background", "poster"):
            assert (attrs.get(name) or "data:").startswith("data:")
    assert [attrs["href"] for attrs in tags.named("link")] == ["data:,"]
    assert not tags.named("script")
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


def test_every_picture_says_what_it_shows(page: str) -> None:
    pictures = Tags(page).named("img")
    assert len(pictures) == 10
    for picture in pictures:
        assert len(str(picture["alt"])) > 20
        assert "greedy and random_legal" in str(picture["alt"])


def test_tables_are_the_frames(report: Report, run_folder: Path) -> None:
    totals = stats.totals(run_folder)
    for name, make in stats.FRAMES.items():
        frame = make(totals)
        read = pd.read_parquet(report.tables / f"{name}.parquet")
        pd.testing.assert_frame_equal(read, frame)
        written = pd.read_csv(report.tables / f"{name}.csv")
        assert list(written.columns) == list(frame.columns)
        assert len(written) == len(frame)


def test_plots_lie_beside_the_page(report: Report) -> None:
    assert report.pictures is not None
    names = {path.name for path in report.pictures.iterdir()}
    assert {"book_timing.svg", "book_timing.png", "margins.svg", "fingerprint.png"} <= names
    assert not [name for name in names if name.startswith(".")]


def test_the_same_run_gives_the_same_bytes(report: Report, run_folder: Path, page: str) -> None:
    assert report.pictures is not None
    before = {path.name: path.read_bytes() for path in report.pictures.iterdir()}
    again = write_report(run_folder)
    assert again.page.read_text(encoding="utf-8") == page
    assert {path.name: path.read_bytes() for path in report.pictures.iterdir()} == before


def test_pictures_follow_the_readers_scheme() -> None:
    svg = (
        '<?xml version="1.0"?><svg width="9pt"><metadata>a\nb</metadata>'
        '<g id="patch_1"><path style="fill: #ffffff"/></g>'
        '<path d="M 12.345678 0.015625" style="stroke: #23272e"/></svg>'
    )
    shown = for_the_page(svg)
    assert shown.startswith("<svg width='9pt'><style>")
    assert "#ffffff" not in shown
    assert "metadata" not in shown
    assert "M 12.34 0.015625" in shown
    name = re.search(r"stroke: var\((--c\d+)\)", shown)
    assert name
    assert f"{name[1]}:#23272e" in shown
    assert f"{name[1]}:#e4e7eb" in shown


def told_by_replay(run_folder: Path, match: int, mirror: int) -> list[str]:
    """A match of the run as ``handfoot replay`` tells it from its transcript."""
    return list(tell_match(read_match(run_folder / "transcripts.jsonl.gz", 2 * match + mirror)))


def test_sample_matches_are_those_of_the_run(run_folder: Path, page: str) -> None:
    """The text is the one told from the transcript, the match chosen as the page says."""
    deals = stats_frame(run_folder)
    totals = deals.groupby(["match", "mirror", "agent"], observed=True)["score"].sum().unstack()
    margins = totals["greedy"] - totals["random_legal"]
    place = (margins - margins.median()).abs().idxmin()
    assert f"(match {place[0]}, mirror {place[1]})" in page
    closest = margins.abs().idxmin()
    assert f"(match {closest[0]}, mirror {closest[1]})" in page
    texts = [re.sub(r"<[^>]*>", "", each) for each in re.findall(r"<pre.*?</pre>", page, re.DOTALL)]
    assert len(texts) == 8
    for chosen, (match, mirror) in enumerate([place, closest]):
        lines = [line for line in told_by_replay(run_folder, match, mirror) if line]
        shown = "\n".join(texts[4 * chosen : 4 * chosen + 4]).splitlines()
        assert [line for line in lines if line in shown] == shown


def stats_frame(run_folder: Path) -> pd.DataFrame:
    paths = sorted((run_folder / "shards").glob("*.parquet"))
    return pd.concat([pd.read_parquet(path) for path in paths])


def test_a_match_that_would_be_another_is_not_told(run_folder: Path) -> None:
    manifest = json.loads((run_folder / "manifest.json").read_text())
    found = matches_in(source_of(run_folder).tables, 0)
    assert found is not None
    meeting = meetings_of(manifest)[0]
    match, mirror = int(found.match[0]), int(found.mirror[0])
    assert len(told(manifest, meeting, match, mirror, found.scores[0])) == 4
    with pytest.raises(RunError, match="other points than in the run"):
        told(manifest, meeting, match, mirror, found.scores[0] + 5)


def test_names_from_agents_and_files_are_escaped(tmp_path: Path) -> None:
    source = Path("agents/handfoot_agents/greedy.py")
    agent = tmp_path / f"{HOSTILE}.py"
    shutil.copy(Path(__file__).resolve().parent.parent / source, agent)
    folder = played(tmp_path / "run", [str(agent), "greedy"], 4)
    text = write_report(folder).page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&amp;" in text
    assert not Tags(text).named("script")
    assert "It can't be told" not in text
    agent.unlink()
    text = write_report(folder, pictures=False).page.read_text(encoding="utf-8")
    assert "It can't be told: an agent of this match can&#39;t be loaded here by its name" in text
    assert not Tags(text).named("script")


FORMS = {
    "one agent": (["greedy", "greedy"], {}),
    "no book": (["random_legal", "greedy"], {"rules": {"book_size": 60}}),
    "two players": (["greedy", "closer"], {"rules": {"players": 2, "teams": 2, "deals": 1}}),
    "three players": (["greedy", "closer"], {"rules": {"players": 3, "teams": 3}}),
    "five players": (["greedy", "closer"], {"rules": {"players": 5, "teams": 5}}),
    "two teams of three": (["greedy+closer+greedy", "closer"], {"rules": {"players": 6}}),
    "three teams": (["greedy", "closer", "random_legal"], {"rules": {"players": 6, "teams": 3}}),
    "one match": (["greedy", "closer"], {"duplicate": False}),
}


@pytest.mark.parametrize("name", FORMS)
def test_any_form_of_the_game_has_a_report(name: str, tmp_path: Path) -> None:
    agents, more = FORMS[name]
    matches = 1 if name == "one match" else 12
    folder = played(tmp_path / "run", agents, matches, **more)
    written = write_report(folder)
    text = written.page.read_text(encoding="utf-8")
    assert Tags(text).open == []
    shown = re.sub(r"<pre.*?</pre>|data:[^\"]*", "", text, flags=re.DOTALL)
    assert re.search(r"\b(nan|None|inf|NaT)\b", shown) is None
    if name == "no book":
        assert "book_size" in text
    if name == "one agent":
        assert "greedy plays against itself" in text
    if name == "one match":
        assert "too few to say" in text


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium to show a page in")
@pytest.mark.parametrize("width", [390, 1200])
def test_a_browser_shows_it_without_fault(report: Report, width: int, tmp_path: Path) -> None:
    opened = tmp_path / "page.html"
    text = report.page.read_text(encoding="utf-8")
    opened.write_text(text.replace("<details>", "<details open>"), encoding="utf-8")
    (tmp_path / "browser").mkdir()
    seen = look_at(opened, width, tmp_path / "browser")
    assert seen.width == width
    assert seen.console == ()
    assert (seen.images, seen.broken) == (10, 0)
    assert seen.needed <= width
    assert seen.beyond == ()


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium to show a page in")
def test_long_names_fit_a_phone(tmp_path: Path) -> None:
    long = "greedy:pile_min=3,wild_start=4,rush=4,book_weight=1,open_weight=29"
    folder = played(tmp_path / "run", [long, f"{long[:-1]}8"], 4)
    text = write_report(folder, pictures=False).page
    (tmp_path / "browser").mkdir()
    seen = look_at(text, 390, tmp_path / "browser")
    assert seen.needed <= 390
    assert seen.beyond == ()


def test_a_tournament_has_ratings_matrices_and_a_page_for_each_variant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cup"
    agents = ["greedy", "closer", "random_legal"]
    variants = ["--rules", "standard", "--rules", "pagat"]
    words = ["tournament", "--agents", ",".join(agents), *variants, "--matches", "20"]
    assert run([*words, "--out", str(folder)]) == 0
    capsys.readouterr()
    rated = pd.read_csv(folder / "tables" / "ratings.csv")
    written = write_report(folder)
    text = written.page.read_text(encoding="utf-8")
    leader = stats.standings(folder)["agent"].iloc[0]
    assert written.lead[0].startswith(f"{leader} leads: ")
    assert any("2 variants of the rules" in sentence for sentence in written.warnings)
    assert len(Tags(text).named("img")) == 14
    table = text.partition('aria-label="Ratings')[2].partition("</table>")[0]
    for _, row in rated[rated["rules"] == "standard"].iterrows():
        assert row["lineup"] in table
    pd.testing.assert_frame_equal(pd.read_csv(folder / "tables" / "ratings.csv"), rated)
    samples = text.partition('id="samples"')[2].partition("</section>")[0]
    assert "can't be told" not in samples
    assert "(random_legal)" not in samples
    other = write_report(folder, variant=1)
    assert other.page.name == "report-rules-1.html"
    assert other.tables.name == "tables-rules-1"
    second = other.page.read_text(encoding="utf-8")
    assert "Those of <code>pagat</code>, unchanged." in second
    assert "can't be told" not in second


def test_an_unfinished_run_says_so(run_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run_folder, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["pairings"][0]["matches"] = 100
    (folder / "manifest.json").write_text(json.dumps(manifest))
    written = write_report(folder, pictures=False)
    assert written.warnings == ("The run is unfinished: 40 of 100 matches are counted here.",)
    assert written.warnings[0] in written.page.read_text(encoding="utf-8")


def two_shards(tmp_path: Path) -> tuple[Path, Path]:
    """A run of two shards, and the second of them broken."""
    folder = played(tmp_path / "run", ["greedy", "random_legal"], 600)
    broken = sorted((folder / "shards").glob("*.parquet"))[1]
    broken.write_bytes(broken.read_bytes()[:100])
    return folder, broken


def test_corrupt_shards_are_left_out_only_if_wanted(tmp_path: Path) -> None:
    folder, broken = two_shards(tmp_path)
    with pytest.raises(RunError, match=f"{broken.name} can't be read.*--skip-corrupt"):
        write_report(folder)
    assert not (folder / "report.html").exists()
    written = write_report(folder, skip_corrupt=True, pictures=False)
    assert any(broken.name in sentence for sentence in written.warnings)
    assert broken.name in written.page.read_text(encoding="utf-8")


def test_forfeits_are_told_first(tmp_path: Path) -> None:
    agent = tmp_path / "crasher.py"
    agent.write_text(
        "from handfoot_sim.agent import Agent\n\n\nclass Crasher(Agent):\n"
        '    """Breaks a rule."""\n\n'
        "    @staticmethod\n    def discard(view, params):\n        return 2\n"
    )
    folder = played(tmp_path / "run", [str(agent), "greedy"], 8, on_illegal="forfeit")
    written = write_report(folder)
    assert any("Matches forfeited: crasher 8." in sentence for sentence in written.warnings)
    assert "No match was played to its end" in written.page.read_text(encoding="utf-8")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_writes_it_elsewhere(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "page.html"
    words = ["report", str(run_folder), "--out", str(out), "--no-plots", "--quiet"]
    code, printed, err = said(capsys, *words)
    assert (code, err) == (0, "")
    assert printed.startswith("greedy beats random_legal by")
    assert f"report: {out}; beside it tables/" in printed
    assert out.exists()
    assert (out.parent / "tables" / "scores.csv").exists()
    assert not (out.parent / "plots").exists()
    assert not Tags(out.read_text(encoding="utf-8")).named("img")


def test_what_is_no_run_ends_in_one_sentence(
    tmp_path: Path, run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = tmp_path / "newer"
    newer.mkdir()
    (newer / "manifest.json").write_text('{"format": "handfoot-run-9"}')
    for folder, sentence in [
        (tmp_path / "nothing", "is no run folder: it has no manifest.json"),
        (newer, "was written by a newer version of handfoot-sim"),
    ]:
        code, out, err = said(capsys, "report", str(folder), "--quiet")
        assert (code, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1
    code, _, err = said(capsys, "report", str(run_folder), "--variant", "3", "--quiet")
    assert code == 2
    assert "there are no rules number 3" in err


def test_what_can_not_be_written_ends_in_one_sentence(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "page.html"
    code, _, err = said(capsys, "report", str(run_folder), "--out", str(out), "--quiet")
    assert code == 1
    assert "can't be written: " in err
    assert "give another place with --out FILE" in err
    assert err.count("\n") == 1

    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.Path, "write_bytes", full)
    out = tmp_path / "full" / "page.html"
    code, _, err = said(capsys, "report", str(run_folder), "--out", str(out), "--quiet")
    assert code == 1
    assert "the disk is full; free some space" in err
    assert not out.exists()


def test_figures_as_they_are_written() -> None:
    assert estimate(0.532, 0.528, 0.536, "%") == "53.2 % [52.8, 53.6]"
    assert estimate(0.0004, 0.0001, 0.0007, "%") == "0.04 % [0.01, 0.07]"
    assert estimate(34.2, 33.0, NAN, "turn") == "34 [33, -]"
    assert estimate(1234.4, 1178.4, 1290.4, "points") == "1,234 ± 56"
    assert estimate(2.345, 2.295, 2.395, "a deal", sign=True) == "+2.35 ± 0.05"
    assert estimate(NAN, NAN, NAN, "points") == "-"
    assert estimate(5.0, NAN, NAN, "points") == "5.00"
    assert number(-0.001) == "0.00"
    assert (chance(0.0), chance(0.0312), chance(NAN)) == ("< 0.001", "0.031", "-")


def field_frames(agents: list[str]) -> dict[str, pd.DataFrame]:
    meetings = framed.head_to_head(agents)
    meetings["mirrors"] = 2
    return {"standings": framed.standings(agents), "head_to_head": meetings}


def test_headlines_claim_no_more_than_is_shown() -> None:
    lead = headline(field_frames(["a", "b", "c", "d"]), teams=2)
    assert lead[0].startswith("a leads: 600 ± 60 points a match over the mean of the 3 line-ups")
    assert lead[1] == "It is shown to beat 2 of 3 (Holm over all pairings, 5 %)."
    assert lead[2] == "No difference is shown to b."
    frames = field_frames(["a", "b"])
    frames["head_to_head"]["low"] = -500.0
    frames["head_to_head"]["high"] = 1100.0
    (only,) = headline(frames, teams=2)
    assert only.startswith("No difference is shown between a and b: a is ahead by 300 ± 800")
    frames["head_to_head"][["low", "high"]] = np.nan
    frames["head_to_head"]["pairs"] = 1
    assert "too few" in headline(frames, teams=2)[0]


def test_a_leader_that_loses_to_somebody_is_not_called_best() -> None:
    frames = field_frames(["a", "b", "c"])
    meetings = frames["head_to_head"]
    lost = (meetings["agent"] == "a") & (meetings["opponent"] == "c")
    meetings.loc[lost, "margin"] = -400.0
    lead = headline(frames, teams=2)
    assert lead[-1] == "It loses to c: there is no one best."


def test_rules_are_told_from_the_nearest_preset(run_folder: Path) -> None:
    fields = json.loads((run_folder / "manifest.json").read_text())["rules"][0]
    assert rule_rows(fields)[0] == "standard"
    assert not any(row.differs for row in rule_rows(fields)[1])
    preset, rows = rule_rows({"preset": "pagat", "pile_take": 5})
    assert preset == "pagat"
    assert [(row.name, row.value, row.usual) for row in rows if row.differs] == [
        ("pile_take", "5", "7")
    ]
