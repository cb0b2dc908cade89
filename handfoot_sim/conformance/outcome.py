"""What a check found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """What one check found.

    ``seen`` says how much was looked at; ``complaints`` are sentences, one for each different
    thing that is wrong; ``notes`` are worth knowing but no failure; ``unjudged`` says why the
    check could not be made, and is empty if it was; ``commands`` show what is wrong once more.
    """

    seen: str = ""
    complaints: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unjudged: str = ""
    commands: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """``FAILED``, ``not judged`` or ``ok``."""
        if self.complaints:
            return "FAILED"
        return "not judged" if self.unjudged else "ok"


class Findings:
    """Things found wrong, those of one kind told once, with how often and where else."""

    def __init__(self) -> None:
        self.found: dict[object, list[tuple[str, str]]] = {}

    def add(self, kind: object, sentence: str, place: str) -> None:
        """Note ``sentence``, which tells of ``kind``, found at ``place``."""
        self.found.setdefault(kind, []).append((sentence, place))

    def sentences(self) -> list[str]:
        """One sentence a kind: the first one found, and the other places."""
        told = []
        for cases in self.found.values():
            sentence, first = cases[0]
            others = list(dict.fromkeys(place for _, place in cases if place != first))
            told.append(f"{first}: {sentence}" + (f" (also: {listed(others)})" if others else ""))
        return told


def listed(words: Iterable[str], most: int = 4) -> str:
    """Words joined by semicolons, no more than ``most`` of them, and how many are left out."""
    every = list(words)
    left = len(every) - most
    return "; ".join(every[:most]) + (f"; and {left} more" if left > 0 else "")
