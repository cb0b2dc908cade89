"""A time limit for decisions: play goes on in a thread of its own, and is watched from outside.

Compiled code can't be broken off, in whatever thread it runs. So the caller waits beside it, and
where an agent does not answer in time it goes its way with an error; the thread is left behind.
Python code, such as a batch agent's, is made to end; compiled code goes on until the process ends.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import numpy as np

Outcome = TypeVar("Outcome")

THREAD: Final = "handfoot plays"
"""Name of the threads that play."""
STEP: Final = 1.0
"""Seconds between two looks."""
PATIENCE: Final = 1.0
"""Seconds that Python code has to end when it is made to."""
TABLES_A_LIMIT: Final = 1000
"""An agent that is asked for so many tables at once has as long again."""


@dataclass(frozen=True)
class Asked:
    """What an agent is being asked.

    ``mark`` is another one for every decision; ``tables`` are the records of the tables that it
    is asked for at once, dtype ``TABLE``, shape (n,).
    """

    mark: Hashable
    tables: np.ndarray


def allowed(limit: float, tables: int) -> float:
    """Seconds that an answer for so many tables at once may take."""
    return limit * (1 + tables // TABLES_A_LIMIT)


def watched(
    play: Callable[[], Outcome],
    asked: Callable[[], Asked | None],
    limit: float,
    failure: Callable[[Asked], Exception],
) -> Outcome:
    """Call ``play`` in a thread of its own and return what it returns, or raise what it raises.

    ``asked`` says what is being asked just now, None between decisions. Where that stays the same
    for longer than ``allowed``, the error ``failure`` makes of it is raised.
    """
    outcome: Future[Outcome] = Future()
    thread = threading.Thread(target=_run, args=(play, outcome), name=THREAD, daemon=True)
    thread.start()
    last: Asked | None = None
    since = time.monotonic()
    try:
        while not wait([outcome], min(STEP, limit / 4)).done:
            now = asked()
            if now is None or last is None or now.mark != last.mark:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > allowed(limit, len(now.tables)):
                raise failure(now)
    except BaseException:
        _make_end(thread)
        raise
    return outcome.result()


def _run(play: Callable[[], Outcome], outcome: Future[Outcome]) -> None:
    try:
        outcome.set_result(play())
    except BaseException as error:
        outcome.set_exception(error)


def _make_end(thread: threading.Thread) -> None:
    """Raise SystemExit in a thread, which gets it when it next runs Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
    )
    thread.join(PATIENCE)


def left_behind() -> bool:
    """Whether some thread still plays although nobody waits for it.

    To be asked in the end: such a process is ended at once, for compiled code must not run on
    while Python takes itself apart.
    """
    return any(thread.name == THREAD for thread in threading.enumerate())
