"""An agent for tests: plays like greedy, but permits its partners to go out only now and then."""

from __future__ import annotations

from typing import Any

from handfoot_agents.greedy import Greedy


class RefusingGreedy(Greedy):
    """Refuses in the first three of every six turns."""

    @staticmethod
    def permit(view: Any, params: Any) -> Any:
        """Look at the turn only."""
        return view.turn // 3 % 2
