"""Statistics of many comparisons: sequential tests, ratings, payoffs, corrected p-values."""
