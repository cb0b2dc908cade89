"""Errors a user can cause. Each carries one sentence that says what, where and what to do."""

from __future__ import annotations

from typing import Any


def first_line(error: BaseException) -> str:
    """Type and message of any exception, in one line that fits in a sentence."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:200].rstrip(": ")


class HandfootError(Exception):
    """Base of all errors whose message is meant for the user.

    ``exit_code`` is what the command line ends with: 2 for bad input, 1 for failure.
    """

    exit_code = 2


class RulesError(HandfootError):
    """Rules that cannot be played; ``rule`` is the number in the rule sheet."""

    def __init__(self, sentence: str, rule: str = "9") -> None:
        super().__init__(sentence)
        self.rule = rule


class AgentError(HandfootError):
    """An agent that cannot be found, loaded, compiled, or given the parameters asked for."""


class AgentFailure(HandfootError):
    """An agent that crashed or answered with something that is not an answer."""

    exit_code = 1


class IllegalDecision(HandfootError):
    """An agent decided something the rules forbid.

    Attributes
    ----------
    agent, rule : str
        The agent's label, and the rule's number in the rule sheet.
    match, mirror, deal, turn, seat : int
        Where it happened, all 0-based.
    transcript : dict or None
        The match up to there, in the transcript format.
    """

    exit_code = 1

    def __init__(
        self,
        sentence: str,
        *,
        agent: str,
        rule: str,
        match: int,
        mirror: int,
        deal: int,
        turn: int,
        seat: int,
    ) -> None:
        super().__init__(sentence)
        self.agent = agent
        self.rule = rule
        self.match = match
        self.mirror = mirror
        self.deal = deal
        self.turn = turn
        self.seat = seat
        self.transcript: dict[str, object] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it without its constructor, so that it can come from another process."""
        return _without_constructor, (type(self), self.args), vars(self).copy()


def _without_constructor(kind: type[HandfootError], words: tuple[Any, ...]) -> HandfootError:
    return kind.__new__(kind, *words)


class TranscriptError(HandfootError):
    """A file or a match that is not in the transcript format."""


class RunError(HandfootError):
    """A run folder that cannot be read, written or continued."""


class PlanError(HandfootError):
    """A tournament, stop rule or test that cannot be played or computed as asked."""
