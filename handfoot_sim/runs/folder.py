"""Where a run is kept: a folder of this machine, or any store that ``fsspec`` reaches by a URL.

Files are written whole or not at all: under a temporary name, brought to the disk, and renamed.
What a killed writer leaves is a file whose name begins with a dot; such leftovers are swept when a
run goes on. A folder of this machine is locked while a run is played into it. The lock belongs to
the open file, so it ends with the process however that ends; stores behind a URL have none.
"""

from __future__ import annotations

import errno
import os
import re
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import filelock

from handfoot_sim.errors import RunError

MANIFEST: Final = "manifest.json"
SHARDS: Final = "shards"
LOCK: Final = ".lock"
TUNING: Final = ("evaluations", "payoffs", "members", "plots")
"""Folders in which searches and leagues keep what they have."""
_LEFTOVER: Final = re.compile(r"\..+\.[0-9a-f]{12}")


class FolderInUse(RunError):
    """A run folder into which another process is playing."""


def writing_failed(where: object, error: Exception) -> RunError:
    """The error for something that can't be written."""
    if getattr(error, "errno", None) == errno.ENOSPC:
        what = "the disk is full; free some space and run the same command again to go on"
    else:
        what = getattr(error, "strerror", None) or str(error)
    failure = RunError(f"{where} can't be written: {what}")
    failure.exit_code = 1
    return failure


def _waiting_name(name: str) -> str:
    """The name under which a file waits for being whole."""
    folder, _, file = name.rpartition("/")
    return f"{folder}{'/' * bool(folder)}.{file}.{uuid.uuid4().hex[:12]}"


class RunFolder(ABC):
    """A run folder. Names of files are relative to it, with ``/`` between their parts."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __str__(self) -> str:
        return self.where

    def place(self, name: str) -> str:
        """Where a file is, for sentences."""
        return f"{self.where.rstrip('/')}/{name}"

    @abstractmethod
    def open(self, name: str) -> BinaryIO:
        """Open a file for reading; ``FileNotFoundError`` where there is none."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a file whole; ``RunError`` if that fails."""

    @abstractmethod
    def names(self, inside: str = "") -> list[str]:
        """Names of the files and folders in a folder, sorted; empty where it is not there."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the folder and its parts, if they are not there; ``RunError`` if that fails."""

    def read(self, name: str) -> bytes:
        """What a file holds; ``FileNotFoundError`` where there is none."""
        with self.open(name) as file:
            return file.read()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from playing into the folder; ``RunError`` if one does."""
        yield

    def is_locked(self) -> bool:
        """Whether some process plays into the folder now."""
        return False

    def is_run(self) -> bool:
        """Whether a run has been begun here."""
        return MANIFEST in self.names()

    def is_unused(self) -> bool:
        """Whether there is nothing but what a run leaves that could not write its manifest."""
        left = [name for name in self.names() if not name.startswith((f".{MANIFEST}.", LOCK))]
        return not left or (left == [SHARDS] and not self.names(SHARDS))

    def sweep(self) -> int:
        """Delete what killed writers left; how many files that were."""
        left = [
            f"{place}{'/' * bool(place)}{name}"
            for place in ("", SHARDS, "tables", "agents", *TUNING)
            for name in self.names(place)
            if _LEFTOVER.fullmatch(name)
        ]
        for name in left:
            self.delete(name)
        return len(left)


class LocalFolder(RunFolder):
    """A run folder on this machine, or on a disk it shares with others."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.root = Path(where)

    def __fspath__(self) -> str:
        return self.where

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        return (self.root / name).open("rb")

    def write(self, name: str, data: bytes) -> None:
        """Write a file under a temporary name, bring it to the disk, rename it."""
        path, waiting = self.root / name, self.root / _waiting_name(name)
        try:
            path.parent.mkdir(exist_ok=True)
            with waiting.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            waiting.replace(path)
        except BaseException as error:
            waiting.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise writing_failed(path, error) from error
            raise

    def names(self, inside: str = "") -> list[str]:
        """Names in a folder."""
        try:
            return sorted(path.name for path in (self.root / inside).iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise writing_failed(self.root, error) from error

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        try:
            (self.root / name).unlink(missing_ok=True)
        except OSError as error:
            raise writing_failed(self.root / name, error) from error

    def prepare(self) -> None:
        """Make the folder and its parts."""
        try:
            (self.root / SHARDS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise writing_failed(self.root, error) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the folder, which must be there."""
        lock = filelock.FileLock(self.root / LOCK, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            raise FolderInUse(
                f"another process is playing into {self}; wait until it ends, or give another "
                "folder with --out"
            ) from None
        except OSError as error:
            raise writing_failed(self.root / LOCK, error) from error
        except NotImplementedError:  # a disk without locks
            yield
            return
        try:
            yield
        finally:
            lock.release()

    def is_locked(self) -> bool:
        """Whether some process holds the lock; False where it may not be asked for."""
        if not (self.root / LOCK).exists():
            return False
        try:
            with self.locked():
                return False
        except FolderInUse:
            return True
        except RunError:  # the folder can't be written into
            return False


class RemoteFolder(RunFolder):
    """A run folder in a store that ``fsspec`` knows by its URL, such as ``s3://bucket/run``."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        try:
            import fsspec

            self.files, root = fsspec.core.url_to_fs(where)
        except (ImportError, ValueError) as error:
            raise RunError(
                f"{where} can't be opened ({error}); install handfoot-sim[remote] and what fsspec "
                "needs for such URLs"
            ) from None
        self.root = str(root).rstrip("/")

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        opened: BinaryIO = self.files.open(f"{self.root}/{name}", "rb")
        return opened

    def write(self, name: str, data: bytes) -> None:
        """Write a file under a temporary name and rename it."""
        waiting = f"{self.root}/{_waiting_name(name)}"
        try:
            self.files.pipe_file(waiting, data)
            self.files.mv(waiting, f"{self.root}/{name}")
        except OSError as error:
            raise writing_failed(self.place(name), error) from error

    def names(self, inside: str = "") -> list[str]:
        """Names in a folder."""
        self.files.invalidate_cache()
        try:
            listed: list[Any] = self.files.ls(f"{self.root}/{inside}".rstrip("/"), detail=False)
        except FileNotFoundError:
            return []
        return sorted(str(name).rstrip("/").rpartition("/")[2] for name in listed)

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        with suppress(FileNotFoundError):
            self.files.rm_file(f"{self.root}/{name}")

    def prepare(self) -> None:
        """Make the folder and its parts."""
        try:
            self.files.makedirs(f"{self.root}/{SHARDS}", exist_ok=True)
        except OSError as error:
            raise writing_failed(self.where, error) from error


def folder_at(where: str | os.PathLike[str] | RunFolder) -> RunFolder:
    """The run folder at a path or URL; nothing is made yet. ``RunError`` for an empty name."""
    if isinstance(where, RunFolder):
        return where
    text = os.fspath(where)
    if not text:
        raise RunError("the name of the run folder is empty; give its path")
    if text.startswith("file://"):
        return LocalFolder(text.removeprefix("file://"))
    return RemoteFolder(text) if "://" in text else LocalFolder(text)
