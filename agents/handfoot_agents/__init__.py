"""Strategies that come with handfoot-sim, one a file, found by the name of their module."""
