"""Words of the game and of the statistics, and notes on method, for a reader who knows neither."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "hand, foot": "Each player is dealt two sets of cards. The hand is played first; when it is "
    "used up the player picks up the foot and goes on with it.",
    "stock, pile": "Turns begin by drawing from the stock, or by taking from the pile of "
    "discards, which takes two cards like its top card and a meld of these three.",
    "meld": "Three cards or more of a rank, lying open before the team. Twos and jokers are wild "
    "and may stand in.",
    "book": "A meld of full size. It is clean without wild cards, dirty with some, wild if it is "
    "made of nothing else.",
    "opening, minimum": "A team's first melds of a deal. They must be worth the minimum of the "
    "deal.",
    "red three": "Laid on the table at once, it counts for its team, or against it if it is left "
    "in a foot.",
    "going out": "Using up the last cards of the foot with all needed books closed ends the deal "
    "and earns a bonus. Partners are asked for leave.",
    "left": "Cards that players hold when the deal ends; their values count against the team.",
    "deal, match": "A match is several deals, counted from 0; its points are the sum of theirs.",
    "turn": "Counted from 0 over the whole deal, all seats together.",
    "line-up": "What plays one team: an agent at all its seats, or a partnership a+b.",
    "pair, mirror": "The same cards played once for each way of seating the line-ups: with two "
    "teams a pair of matches.",
    "margin": "Points of a line-up less those of its opponent (the mean of the others with more "
    "teams), in a match, averaged over the mirrors of the same cards.",
    "forfeit": "A match lost because an agent broke a rule or crashed. It counts in margins only.",
}
"""Words and what they mean."""

METHOD: Final = (
    "Intervals are of 95 %. Whatever is played with the same cards hangs together, so match "
    "numbers are the independent units: they are put into groups, and intervals come from the "
    "variance between the groups (a delete-a-group jackknife; Wolter, Introduction to Variance "
    "Estimation, 2007).",
    "Shares have Wilson intervals, widened by the design effect of what is played with the same "
    "cards. Means and ratios have Student intervals.",
    "Turns of things that may not happen are censored by the end of the deal. Medians are Kaplan "
    "and Meier's; the curves are cumulative incidences by Aalen and Johansen: the share of all "
    "deals in which it has happened by a turn, with the end of the deal as the competing event.",
    "p-values of many comparisons are corrected by Holm's method within their table. A p-value "
    "that is not small shows no difference; it does not show that there is none.",
    "Needed to see it: how many pairs show a margin of that size with a chance of 80 % at a level "
    "of 5 %.",
    "Figures of play compare line-ups that met whom they met. Against other opponents they can "
    "be others.",
)
"""Notes on method, a paragraph each."""
