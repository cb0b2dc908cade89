"""The report of a run: one page that says what came out, its tables and its pictures."""

from __future__ import annotations

from handfoot_sim.report.build import Report, write_report

__all__ = ["Report", "write_report"]
