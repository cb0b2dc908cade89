"""A hook of MkDocs by which pages show files that stand elsewhere in the repository.

Where a page says ``<!-- shown here: agents/README.md -->`` (a path from the repository's root) the
site has the text of that file; nothing where there is none. Links of either text are written so
that they lead in the repository, and are turned here: to a page of the site where one has or shows
what they lead to, to a copy of any other file. A folder has no page, so its link becomes plain
text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, Files

MARK = re.compile(r"^<!-- shown here: (\S+) -->$", re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
COPIES = "files"
"""Folder of the site for copies of the repository's files."""

_shown: dict[str, str] = {}
"""Which page shows a file of the repository."""


def on_files(files: Files, *, config: Any) -> Files:
    """Note which page shows what."""
    _shown.clear()
    for file in files.documentation_pages():
        for mark in MARK.finditer(file.content_string):
            _shown[mark[1]] = file.src_uri
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Files) -> str:
    """Put in what a page shows, and turn its links."""
    root = Path(config.config_file_path).parent
    docs = Path(config.docs_dir).relative_to(root).as_posix()
    place = PurePosixPath(page.file.src_uri).parent

    def turned(text: str, folder: PurePosixPath) -> str:
        def turn(link: re.Match[str]) -> str:
            sign, words, target, anchor = link.groups()
            if "://" in target or target.startswith("mailto:"):
                return link[0]
            path = os.path.normpath(folder / target)
            found = _page_of(path, docs) or _copy_of(root, path, files, config)
            if found is None:
                return words if (root / path).exists() else link[0]
            return f"{sign}[{words}]({os.path.relpath(found, place)}{anchor or ''})"

        return LINK.sub(turn, text)

    def shown(mark: re.Match[str]) -> str:
        path = root / mark[1]
        if not path.is_file():
            return ""
        text = turned(path.read_text(encoding="utf-8"), PurePosixPath(mark[1]).parent)
        own_title = re.search(r"^# ", markdown[: mark.start()], re.MULTILINE)
        return re.sub(r"^#", "##", text, flags=re.MULTILINE) if own_title else text

    return MARK.sub(shown, turned(markdown, docs / place))


def _page_of(path: str, docs: str) -> str | None:
    """The page of the site for a path of the repository."""
    return _shown.get(path) or (path.removeprefix(f"{docs}/") if _inside(path, docs) else None)


def _inside(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")


def _copy_of(root: Path, path: str, files: Files, config: Any) -> str | None:
    """Where the site has a copy of a file, made now; None for pages, folders, and what is not."""
    source = root / path
    if not source.is_file() or source.suffix == ".md" or path.startswith(".."):
        return None
    copied = f"{COPIES}/{path}"
    if files.get_file_from_path(copied) is None:
        files.append(File.generated(config, copied, abs_src_path=str(source)))
    return copied
