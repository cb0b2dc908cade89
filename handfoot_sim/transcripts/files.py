"""Files of transcripts, read match by match in bounded memory.

``.json`` holds one match, ``.jsonl`` one match a line; both may be packed (``.gz``).
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import Final

from handfoot_sim.errors import TranscriptError
from handfoot_sim.transcripts.format import Match, decode_match, printable

SUFFIXES: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz")

MAX_LINE: Final = 32 * 1024 * 1024
"""Bytes of one match: about twice a standard match of 1,000 deals."""

MAX_SKIPPED: Final = 64
"""How many times ``MAX_LINE`` bytes are passed over to find the end of a line that is too long."""

MAX_BLANK: Final = 1_000_000
"""Blank lines in a row after which the rest of a file is left unread."""

Piece = tuple[int | None, bytes | TranscriptError]
"""A match's line number (None in a file of one match) and its text, or why there is none."""


def read_matches(
    path: str | Path, *, unfinished: bool = False
) -> Iterator[Match | TranscriptError]:
    """The matches of a file, in order, and in place of each that can't be read the error.

    A line that can't be read does not stop those after it; where the file itself can't be read
    on, the error is the last thing that comes. Blank lines are passed over. ``unfinished`` is
    explained at ``decode_match``.
    """
    for number, text in _pieces(Path(path)):
        yield _decoded(_shown(path), number, text, unfinished)


def read_match(path: str | Path, match: int = 0, *, unfinished: bool = False) -> Match:
    """Match number ``match`` of a file, counted from 0 as ``read_matches`` does.

    Only this one is decoded. Raises ``TranscriptError`` if there is none or it can't be read.
    """
    count = 0
    for number, text in _pieces(Path(path)):
        if count == match or (isinstance(text, TranscriptError) and number is None):
            found = _decoded(_shown(path), number, text, unfinished)
            if isinstance(found, TranscriptError):
                raise found
            return found
        count += 1
    raise TranscriptError(
        f"{_shown(path)} has no match {match}: it holds {count}, and the first one is match 0"
    )


def _shown(path: str | Path) -> str:
    """A file's name fit for a terminal, whatever its bytes."""
    return printable(os.fsencode(path).decode(errors="replace"), 1000)


def _decoded(
    name: str, number: int | None, text: bytes | TranscriptError, unfinished: bool
) -> Match | TranscriptError:
    if isinstance(text, TranscriptError):
        return text
    try:
        return decode_match(text, unfinished=unfinished)
    except TranscriptError as error:
        place = name if number is None else f"{name} line {number}"
        return TranscriptError(f"{place}: {error}")


def _pieces(path: Path) -> Iterator[Piece]:
    """The texts of the matches, and last of all why the file could not be read on, if so."""
    empty = True
    name = _shown(path)
    read = _lines if path.name.endswith((".jsonl", ".jsonl.gz")) else _whole
    try:
        with _opened(path, name) as stream:
            for piece in read(name, stream):
                empty = False
                yield piece
        if empty:
            yield None, TranscriptError(f"{name} holds no match: it is empty")
    except TranscriptError as error:
        yield None, error
    except EOFError:
        yield None, TranscriptError(f"{name} ends in the middle: its gzip data is cut off")
    except (gzip.BadGzipFile, zlib.error) as error:
        yield None, TranscriptError(f"{name} is damaged: {error}")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        yield None, TranscriptError(f"{name} can't be read: {reason}")


@contextmanager
def _opened(path: Path, name: str) -> Iterator[BufferedIOBase]:
    """The file, unpacked if its name says that it is packed."""
    if not path.name.endswith(SUFFIXES):
        raise TranscriptError(f"{name} is no transcript: names end in {', '.join(SUFFIXES)}")
    with path.open("rb") as raw:
        if path.suffix != ".gz":
            yield raw
            return
        if raw.peek(2)[:2] not in (b"\x1f\x8b", b""):
            raise TranscriptError(f"{name} is not a gzip file, though its name says so")
        with gzip.GzipFile(fileobj=raw) as unpacked:
            yield unpacked


def _whole(name: str, stream: BufferedIOBase) -> Iterator[Piece]:
    text = stream.read(MAX_LINE + 1)
    if len(text) > MAX_LINE:
        raise TranscriptError(f"{name} holds more than {MAX_LINE:,} bytes: no match is so long")
    if text.strip():
        yield None, text


def _lines(name: str, stream: BufferedIOBase) -> Iterator[Piece]:
    number = blank = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            del line
            _pass_over(name, stream, number)
            yield (
                number,
                TranscriptError(
                    f"{name} line {number}: longer than {MAX_LINE:,} bytes: no match is so long"
                ),
            )
        elif line.strip():
            blank = 0
            yield number, line
        else:
            blank += 1
            if blank > MAX_BLANK:
                raise TranscriptError(
                    f"{name} line {number}: {blank:,} blank lines in a row; the rest is left unread"
                )


def _pass_over(name: str, stream: BufferedIOBase, number: int) -> None:
    """Read to the end of a line that is too long, but not for ever."""
    for _ in range(MAX_SKIPPED):
        if stream.readline(MAX_LINE)[-1:] in (b"\n", b""):
            return
    raise TranscriptError(
        f"{name} line {number}: no end of the line in sight; the rest is left unread"
    )
