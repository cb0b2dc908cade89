"""Runs: matches of pairings cut into shards, played by any number of workers, kept in a folder."""
