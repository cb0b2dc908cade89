"""Leagues: tune against the Nash mix of a pool, let what is accepted join it, and so on."""
