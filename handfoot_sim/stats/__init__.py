"""Statistics of matches: tidy frames from the table ``deals``."""

from __future__ import annotations

from handfoot_sim.stats.fingerprint import Fingerprint, fingerprint

__all__ = ["Fingerprint", "fingerprint"]
