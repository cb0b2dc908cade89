"""Tuning: search for better parameters, and find out honestly whether they are better."""

from handfoot_sim.tuning.leagues.outcome import League
from handfoot_sim.tuning.leagues.plan import LeaguePlan
from handfoot_sim.tuning.leagues.playing import LeagueWatching, league
from handfoot_sim.tuning.plan import TunePlan
from handfoot_sim.tuning.sweeping import SweepPlan, Swept, sweep
from handfoot_sim.tuning.tune import Tuned, Watching, tune

__all__ = [
    "League",
    "LeaguePlan",
    "LeagueWatching",
    "SweepPlan",
    "Swept",
    "TunePlan",
    "Tuned",
    "Watching",
    "league",
    "sweep",
    "tune",
]
