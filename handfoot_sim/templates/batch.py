"""Say in the first line what the strategy does.

Idea: why it should win. This one lays what it can and takes piles that bring enough. With starve
it does not discard what the next player's team collects: compare the two to see what that is worth.

Source: where the idea comes from.

Known weakness: when it loses.
"""

import numpy as np

from handfoot_sim.agent import FIRST_RANK, BatchAgent, Param, batch_blocks

# Every method decides for n tables at once: views is an array of n records, and the answer an
# array of n numbers or booleans. views["cards"] has shape (n, 16): by table, then by kind. What a
# view holds, field by field: docs/writing-an-agent.md. Each row of the answer may depend only on
# the same row of the views, and nothing may be kept in self. A decision that you delete is
# answered by a default.


class MyBatchAgent(BatchAgent):
    """Lays what it can and takes piles that bring enough."""

    # Parameters: default, lowest, highest, meaning. Set one with my_agent.py:pile_min=5.
    pile_min = Param(3, 1, 20, "cards a taking must bring, the top card included")
    wild_start = Param(3, 3, 7, "wild cards held to start the wild meld")
    rush = Param(3, 0, 13, "cards left in the hand at which wild cards are spent to reach the foot")
    starve = Param(False, False, True, "whether ranks that the next team collects are kept back")

    def draw(self, views, plays):
        """0 for the stock, 1 for the pile with a first play; asked where the pile can be taken."""
        # batch_blocks.take fills plays and says where it found one; plays count only with a 1.
        wanted = views["take_size"] >= self.params["pile_min"]
        return wanted & batch_blocks.take(views, plays)

    def meld(self, views, plays):
        """1 with a play, 0 for nothing more; asked again after a 1."""
        # By hand: plays["naturals"][:, 9] = 3 lays three nines at every table.
        return batch_blocks.lay_all(views, plays, self.params["wild_start"], self.params["rush"], 0)

    def permit(self, views):
        """Whether the partner may go out now."""
        return np.ones(len(views), bool)

    def discard(self, views):
        """A kind that is held; never a red three."""
        rows = np.arange(len(views))
        kind = np.asarray(batch_blocks.cheapest_discard(views, 30))
        if not self.params["starve"]:
            return kind
        rivals = (views["team"] + 1) % views["teams"]
        ranks = np.arange(16)
        collected = views["open_melds"][rows, rivals][:, None] >> ranks & 1
        own = views["open_melds"][rows, views["team"]][:, None] >> ranks & 1
        # Where the cheapest card would feed the next player: one that costs no more points.
        value = views["value"]
        cheap = value <= value[rows, kind][:, None]
        other = (
            (views["cards"] == 1) & cheap & (collected == 0) & (own == 0) & (ranks >= FIRST_RANK)
        )
        feeds = (kind >= FIRST_RANK) & (collected[rows, kind] == 1)
        return np.where(feeds & other.any(1), other.argmax(1), kind)
