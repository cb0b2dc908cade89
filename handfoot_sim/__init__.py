"""handfoot-sim: a strategy lab for the card game Hand and Foot."""
