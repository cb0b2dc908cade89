"""Say in the first line what the strategy does.

Idea: why it should win. This one lays what it can and takes piles that bring enough. With starve
it does not discard what the next player's team collects: compare the two to see what that is worth.

Source: where the idea comes from.

Known weakness: when it loses.
"""

from handfoot_sim.agent import FIRST_RANK, N_KINDS, PILE, STOCK, Agent, Param, blocks, inline

# The decisions are compiled by Numba: numbers, loops and conditions, no dicts or classes. A
# function of your own needs @inline above it; constants up here are fine. What a view holds, field
# by field: docs/writing-an-agent.md. A decision that you delete is answered by a default.


@inline
def collected(view, rank):
    """Whether the next player's team has an open meld of this rank."""
    rivals = (view.team + 1) % view.teams
    return view.open_melds[rivals] >> rank & 1


class MyAgent(Agent):
    """Lays what it can and takes piles that bring enough."""

    # Parameters: default, lowest, highest, meaning. Set one with my_agent.py:pile_min=5.
    pile_min = Param(3, 1, 20, "cards a taking must bring, the top card included")
    wild_start = Param(3, 3, 7, "wild cards held to start the wild meld")
    rush = Param(3, 0, 13, "cards left in the hand at which wild cards are spent to reach the foot")
    starve = Param(False, False, True, "whether ranks that the next team collects are kept back")

    @staticmethod
    def draw(view, params, play):
        """Answer STOCK, or PILE with a first play; asked only if the pile can be taken."""
        # blocks.take fills the play and says whether it found one: call it last.
        if view.take_size >= params.pile_min and blocks.take(view, play):
            return PILE
        return STOCK

    @staticmethod
    def meld(view, params, play):
        """Fill the play and answer true, or answer false for nothing more; asked again after."""
        # By hand: play.naturals[9] = 3 lays three nines, play.twos[9] = 1 a two with them.
        return blocks.lay_all(view, play, params.wild_start, params.rush, 0)

    @staticmethod
    def permit(view, params):
        """Whether the partner may go out now."""
        return True

    @staticmethod
    def discard(view, params):
        """A kind that is held; never a red three."""
        kind = blocks.cheapest_discard(view, 30)
        if not params.starve or kind < FIRST_RANK or not collected(view, kind):
            return kind
        # The cheapest card would feed the next player: look for one that costs no more points.
        for rank in range(FIRST_RANK, N_KINDS):
            if (
                view.cards[rank] == 1
                and view.value[rank] <= view.value[kind]
                and not collected(view, rank)
                and not blocks.is_open(view, rank)
            ):
                return rank
        return kind
