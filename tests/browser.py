"""A headless Chromium for tests of pages, where there is one (Debian: apt-get install chromium)."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")

PROBE = """
<script>
addEventListener("load", () => {
  const frame = document.querySelector("iframe"), page = frame.contentDocument;
  const scrolls = (each) => each.closest(".scroll, pre, nav");
  const told = {
    width: frame.contentWindow.innerWidth,
    needed: page.documentElement.scrollWidth,
    images: page.images.length,
    broken: [...page.images].filter((each) => !each.naturalWidth).length,
    beyond: [...page.body.querySelectorAll("*")].filter((each) => !scrolls(each) &&
      each.getBoundingClientRect().right > frame.contentWindow.innerWidth + 1)
      .map((each) => each.outerHTML.slice(0, 80)),
  };
  document.body.setAttribute("data-told", JSON.stringify(told));
});
</script>
"""


@dataclass(frozen=True)
class Seen:
    """A page as Chromium shows it.

    ``width`` of the window and the width that the page ``needed``, in pixels; how many ``images``
    there are and how many could not be shown; elements ``beyond`` the right edge; what the
    ``console`` said.
    """

    width: int
    needed: int
    images: int
    broken: int
    beyond: tuple[str, ...]
    console: tuple[str, ...]


def chromium() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def look_at(page: Path, width: int, folder: Path) -> Seen:
    """Show a page in a window of so many pixels; ``folder`` is empty and takes the profile.

    The window is a frame, as Chromium makes none of its own narrower than 500 pixels.
    """
    address = html.escape(page.resolve().as_uri())
    outer = folder / "outer.html"
    frame = f'<iframe style="width:{width}px;height:800px;border:0" src="{address}"></iframe>'
    outer.write_text(f"<!DOCTYPE html><body>{frame}{PROBE}</body>", encoding="utf-8")
    words = [
        str(chromium()), "--headless", "--no-sandbox", "--disable-gpu",
        "--allow-file-access-from-files", "--disable-background-networking",
        "--disable-component-update", "--disable-sync",
        "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}",
        f"--window-size={max(800, width + 50)},900", "--dump-dom", outer.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    told = re.search(r'data-told="([^"]*)"', done.stdout)
    assert told, done.stderr[-2000:]
    found = json.loads(html.unescape(told[1]))
    console = tuple(line for line in done.stderr.splitlines() if "CONSOLE" in line)
    return Seen(
        found["width"], found["needed"], found["images"], found["broken"],
        tuple(found["beyond"]), console,
    )  # fmt: skip
