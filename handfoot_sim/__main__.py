"""``python -m handfoot_sim``: the command ``handfoot``."""

from __future__ import annotations

from handfoot_sim.cli.main import main

if __name__ == "__main__":
    main()
