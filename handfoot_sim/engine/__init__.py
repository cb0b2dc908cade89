"""The drivers that play matches, and a table to be moved from Python."""
