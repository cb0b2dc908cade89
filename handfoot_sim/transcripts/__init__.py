"""Matches written down: the transcript format, its files, the check, and the readable text."""
