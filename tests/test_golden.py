"""Results stay the same bits for the same seed; a change here is declared with its reason.

After an intended change: ``python -m tests.test_golden`` writes the digests anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from handfoot_sim.conformance.configurations import CONFIGURATIONS
from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.playing import play

PATH = Path(__file__).parent / "data" / "golden.json"


def digest(name: str) -> str:
    """Hash of all results of some matches by one configuration."""
    pairing = make_pairing(["greedy", "random_legal"], CONFIGURATIONS[name])
    rows = play(pairing, seed=2026, first_match=0, count=30 * pairing.mirrors)
    text = json.dumps([rows[field].tolist() for field in rows.dtype.names or ()])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_results_are_the_same_bits_as_ever(name: str) -> None:
    assert digest(name) == json.loads(PATH.read_text())[name]


if __name__ == "__main__":
    PATH.write_text(json.dumps({name: digest(name) for name in CONFIGURATIONS}, indent=2) + "\n")
