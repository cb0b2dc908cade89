"""The game itself: cards, the table, and the compiled transitions that know the rules."""
