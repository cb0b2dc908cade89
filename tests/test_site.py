"""The documentation site: it is built without a warning, is whole, and needs no network.

Skipped where MkDocs is not installed (it is the extra ``docs``).
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from handfoot_sim import agent, plots, stats
from handfoot_sim.agent import batch_blocks, blocks
from handfoot_sim.agent.loading import agent_names
from tests.browser import chromium, look_at

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md"))

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="MkDocs is not there"),
    pytest.mark.xdist_group("site"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``make docs`` does; a link that leads nowhere fails it."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def built(site: Path, page: Path) -> Path:
    return site / page.with_suffix(".html")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_asks_no_network(site: Path, page: Path) -> None:
    text = built(site, page).read_text(encoding="utf-8")
    assert re.findall(r'<(?:script|img|iframe)[^>]*src="?(?:https?:)?//[^>]*', text) == []
    assert re.findall(r'<link[^>]*href="?(?:https?:)?//[^>]*', text) == []
    assert "@import" not in text


def test_no_style_asks_a_network(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)]*", text) == [], sheet


def test_every_page_is_in_the_navigation(site: Path) -> None:
    """Found by its link on the first page, whose menu has all of them."""
    text = (site / "index.html").read_text(encoding="utf-8")
    links = set(re.findall(r'href="([^"#]+\.html)"', text))
    assert {page.with_suffix(".html").as_posix() for page in PAGES} - {"index.html"} <= links


@pytest.mark.parametrize(
    ("module", "pages"),
    [
        (agent, ["agent.html"]), (blocks, ["blocks.html"]),
        (batch_blocks, ["batch-blocks.html"]), (plots, ["plots.html"]), (stats, ["stats.html"]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)  # fmt: skip
def test_all_that_a_module_offers_is_documented(
    site: Path, module: object, pages: list[str]
) -> None:
    text = "".join((site / "api" / page).read_text(encoding="utf-8") for page in pages)
    headings = {name.rpartition(".")[2] for name in re.findall(r'id="(handfoot_sim[\w.]+)"', text)}
    offered = {name: getattr(module, name) for name in vars(module)["__all__"]}
    told = {name for name, each in offered.items() if callable(each) or inspect.isclass(each)}
    assert told - headings == set()


def test_the_page_of_agents_shows_the_file_that_stands_with_them(site: Path) -> None:
    text = (site / "agents.html").read_text(encoding="utf-8")
    for name in agent_names():
        if (ROOT / "agents" / "handfoot_agents" / f"{name}.py").exists():
            assert f'id="{name}"' in text, name
    (picture,) = re.findall(r'<img[^>]*src="([^"]+)"', text)
    assert (site / picture).is_file()
    assert 'href="writing-an-agent.html"' in text


def build_small(root: Path, findings: str | None) -> subprocess.CompletedProcess[str]:
    """A site of two pages, the first of which shows ``results/FINDINGS.md``, if it is there."""
    (root / "docs").mkdir()
    (root / "results" / "reference").mkdir(parents=True)
    (root / "results" / "plot.png").write_bytes(b"a picture")
    (root / "docs" / "index.md").write_text(
        "# Found\n\nSee [it](../results/FINDINGS.md#first).\n\n"
        "<!-- shown here: results/FINDINGS.md -->\n"
    )
    (root / "docs" / "other.md").write_text("# Other\n\n[Found](../results/FINDINGS.md)\n")
    if findings is not None:
        (root / "results" / "FINDINGS.md").write_text(findings)
    (root / "mkdocs.yml").write_text(
        f"site_name: small\nuse_directory_urls: false\nhooks: [{ROOT / 'docs' / 'borrowing.py'}]\n"
    )
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_file_from_elsewhere_is_shown_with_links_that_lead(tmp_path: Path) -> None:
    found = (
        "# Findings\n\n## First\n\n![A plot](plot.png)\n\n"
        "[Other](../docs/other.md), [tables](reference), [far](https://example.org/)\n"
    )
    done = build_small(tmp_path, found)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "index.html").read_text()
    assert re.search(r'<h2 id="findings">', page)
    assert re.search(r'<h3 id="first">', page)
    assert 'src="files/results/plot.png"' in page
    assert (tmp_path / "site" / "files" / "results" / "plot.png").read_bytes() == b"a picture"
    assert '<a href="other.html">Other</a>, tables, <a href="https://example.org/">far</a>' in page
    assert 'href="index.html"' in (tmp_path / "site" / "other.html").read_text()


def test_a_file_that_is_not_there_leaves_no_trace(tmp_path: Path) -> None:
    done = build_small(tmp_path, None)
    assert done.returncode == 0, done.stderr
    assert "shown here" not in (tmp_path / "site" / "index.html").read_text()


def test_a_link_that_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    done = build_small(tmp_path, "# Findings\n\n## First\n\n[Lost](../docs/lost.md)\n")
    assert done.returncode != 0
    assert "lost.md" in done.stderr


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium to show a page in")
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("page", ["index", "agents", "rules", "api/simulate"])
def test_a_browser_shows_it_from_the_disk(
    site: Path, page: str, width: int, tmp_path: Path
) -> None:
    seen = look_at(site / f"{page}.html", width, tmp_path)
    assert seen.width == width
    assert seen.console == ()
    assert seen.broken == 0
    assert seen.needed <= width
