"""Tuning: search for better parameters, and find out honestly whether they are better."""

from handfoot_sim.tuning.plan import TunePlan
from handfoot_sim.tuning.tune import Tuned, Watching, tune

__all__ = ["TunePlan", "Tuned", "Watching", "tune"]
