"""Every rule of sections 1 to 8 has a test that bears its number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

RULES_IN_SECTION = {1: 3, 2: 6, 3: 3, 4: 7, 5: 5, 6: 7, 7: 3, 8: 3}
NUMBERS = {
    (section, rule) for section, last in RULES_IN_SECTION.items() for rule in range(1, last + 1)
}


def numbers_tested() -> set[tuple[int, int]]:
    """Numbers in the names of the tests of this folder."""
    found = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            name = re.match(r"test_(\d)_(\d)_", getattr(node, "name", ""))
            if name:
                found.add((int(name[1]), int(name[2])))
    return found


def test_every_rule_has_a_test() -> None:
    missing = sorted(NUMBERS - numbers_tested())
    assert not missing, f"no test for {', '.join(f'{a}.{b}' for a, b in missing)}"


def test_no_test_bears_the_number_of_no_rule() -> None:
    assert numbers_tested() <= NUMBERS
