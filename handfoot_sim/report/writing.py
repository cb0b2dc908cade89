"""Files of a report, each written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
from contextlib import suppress
from pathlib import Path

import pandas as pd

from handfoot_sim.errors import RunError


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it; ``RunError`` if that fails."""
    waiting = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        waiting.write_bytes(data)
        waiting.replace(path)
    except OSError as error:
        raise _failed(path, error) from error
    finally:
        with suppress(OSError):
            waiting.unlink(missing_ok=True)


def _failed(path: Path, error: OSError) -> RunError:
    if error.errno == errno.ENOSPC:
        what = "the disk is full; free some space and run the same command again"
    else:
        reason = error.strerror or str(error)
        what = f"{reason}; give another place with --out FILE"
    failure = RunError(f"{path} can't be written: {what}")
    failure.exit_code = 1
    return failure


def write_table(frame: pd.DataFrame, folder: Path, name: str) -> None:
    """Write a frame as ``NAME.csv`` and ``NAME.parquet``; ``RunError`` if that fails."""
    for file, data in table_files(frame, name).items():
        write_bytes(folder / file, data)


def table_files(frame: pd.DataFrame, name: str) -> dict[str, bytes]:
    """The files ``NAME.csv`` and ``NAME.parquet`` of a frame."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    text = frame.to_csv(index=False, lineterminator="\n")
    return {f"{name}.csv": text.encode(), f"{name}.parquet": buffer.getvalue()}
