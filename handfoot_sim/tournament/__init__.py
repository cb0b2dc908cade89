"""Tournaments: many pairings of agents, planned, played and told as standings."""
