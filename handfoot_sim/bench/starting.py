"""What a user waits for before the first card: starting, loading, compiling; and the memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from tempfile import TemporaryDirectory
from typing import Final

START: Final = "from handfoot_sim.cli.main import run; run(['--help'])"
FIRST: Final = (
    "from handfoot_sim.cli.main import run; "
    "run(['compare', 'greedy', 'random_legal', '--matches', '100', '--quiet'])"
)


def seconds_to_run(code: str, cache: str | None = None) -> float:
    """Seconds a fresh Python takes for some code."""
    environment = dict(os.environ)
    if cache is not None:
        environment["HANDFOOT_CACHE_DIR"] = cache
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def start_times(with_compiling: bool) -> dict[str, float]:
    """Seconds of ``handfoot --help``, of a 100-match comparison, and of one that compiles first."""
    times = {
        "handfoot --help": seconds_to_run(START),
        "100 matches, code on disk": seconds_to_run(FIRST),
    }
    if with_compiling:
        with TemporaryDirectory() as folder:
            times["100 matches, first use (compiles)"] = seconds_to_run(FIRST, folder)
    return times


def peak_memory() -> float:
    """Most memory this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
