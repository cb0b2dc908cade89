"""Commands started by tests that are to hear Ctrl-C."""

from __future__ import annotations

import signal


def hear_ctrl_c() -> None:
    """Undo that a process started in the background ignores SIGINT, for ``preexec_fn``."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
