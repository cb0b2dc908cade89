"""The agent interface: a strategy is a class that answers up to four questions.

``draw``
    take from the stock (``STOCK``) or from the pile (``PILE``, with a first play that melds the
    top card with two of its kind [5.2]). Asked only where the pile can be taken.
``meld``
    make a play (fill ``play``, answer true) or nothing more (answer false); asked again until
    nothing more.
``permit``
    whether a partner may go out.
``discard``
    the kind to discard, one that is held.

A play (``state.PLAY``) comes empty. It says how many cards are laid on each meld:
``play.naturals[rank]``, ``play.twos[meld]``, ``play.jokers[meld]``, where ``meld`` is a rank or
``WILD``. What a view (``state.VIEW``) holds is told in ``docs/writing-an-agent.md``.

What a strategy does not define is answered by the default: draw from the stock, lay all that can
be laid, yes, and discard what costs least (see ``defaults``). An answer may depend on nothing but
the view and the parameters; a random choice uses ``view.random``.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar, Final

import numpy as np

from handfoot_sim.agent import batch_blocks, defaults
from handfoot_sim.agent.calling import MAX_PARAMS, PARAMS
from handfoot_sim.errors import AgentError

STOCK: Final = 0
PILE: Final = 1
DECISIONS: Final = ("draw", "meld", "permit", "discard")
WITH_PLAY: Final = ("draw", "meld")

Value = float | int | bool
_FORMATS: Final[dict[type, str]] = {bool: "i8", int: "i8", float: "f8"}
"""Types of parameters, and how compiled code holds them."""


@dataclass(frozen=True)
class Param:
    """A parameter of a strategy: declared as a class attribute, read as ``params.NAME``.

    The type of ``default`` (bool, int or float) is the parameter's type; ``low`` and ``high``
    are its bounds, both allowed; ``meaning`` says what it does. With ``log`` a search goes over
    it in ratios, not in differences: for what may well be ten times larger or smaller.
    Raises ``AgentError`` if the default is out of bounds, or for ``log`` with bounds not above 0.
    """

    default: Value
    low: Value
    high: Value
    meaning: str
    log: bool = False

    def __post_init__(self) -> None:
        if self.kind not in _FORMATS:
            raise AgentError(
                f"a parameter's default {self.default!r} must be a bool, an int or a float "
                f"of Python, not {self.kind.__name__}"
            )
        for bound in (self.low, self.high):
            if not isinstance(bound, float | int):
                raise AgentError(f"a parameter's bound {bound!r} must be a number")
        if self.kind is int and not -(2**63) <= self.low <= self.high < 2**63:
            raise AgentError(
                f"a parameter's bounds {self.low!r} to {self.high!r} must fit in 64 bits"
            )
        if not self.low <= self.default <= self.high:
            raise AgentError(
                f"a parameter's default {self.default!r} is outside its bounds "
                f"{self.low!r} to {self.high!r}"
            )
        if self.log and (self.kind is bool or not self.low > 0):
            raise AgentError(
                f"a parameter with log=True must be a number above 0, but its bounds are "
                f"{self.low!r} to {self.high!r}"
            )

    @property
    def kind(self) -> type[Value]:
        """The parameter's type."""
        return type(self.default)

    def checked(self, name: str, value: Any) -> Value:
        """``value`` in the parameter's type; ``AgentError`` if it is not one or out of bounds."""
        number = _number(value, self.kind)
        if number is None or not self.low <= number <= self.high:
            word = {bool: "true or false", int: "a whole number", float: "a number"}[self.kind]
            span = "" if self.kind is bool else f" from {self.low} to {self.high}"
            raise AgentError(f"parameter {name} = {value!r} must be {word}{span}")
        return number


def _number(value: Any, kind: type[Value]) -> Value | None:
    """``value`` (a number, or its text) as a ``kind``, or None if it is not one."""
    if kind is bool:
        words = {"true": True, "false": False, "1": True, "0": False}
        return words.get(str(value).lower())
    if isinstance(value, bool | np.bool_):
        return None
    try:
        if kind is int and isinstance(value, int | np.integer | str):
            return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number) or (kind is int and number != int(number)):
        return None
    return int(number) if kind is int else number


class Agent:
    """A strategy with its parameters. Subclass it and define the decisions it makes itself.

    In a compiled agent each decision is a static method in the part of Python that Numba
    compiles: ``draw(view, params, play)``, ``meld(view, params, play)``,
    ``permit(view, params)``, ``discard(view, params)``. ``view`` is one record (``view.cards[9]``),
    ``params`` has the declared parameters (``params.pile_min``). Other methods are never asked.

    ``Greedy(pile_min=3)`` makes one with a parameter of its own; ``AgentError`` for a parameter
    that is not declared, or a value that is out of bounds or of another type.

    Attributes
    ----------
    params : dict
        The values of the parameters, by name.
    declared : dict
        The parameters that the class and its bases declare, by name.
    batch : bool
        Whether it decides over arrays of views (``BatchAgent``).
    name, label : str
        The name in results, alone and with the parameters that are not at their default.
    usual : dict
        The values that go without saying in its label: the defaults, or those of the file of
        tuned parameters that its name stands for.
    specification : str or None
        What it was loaded by, so that a worker in another process can load it too.
    """

    declared: ClassVar[dict[str, Param]] = {}
    batch: ClassVar[bool] = False
    name: str
    usual: Mapping[str, Value]
    specification: str | None = None

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__module__ != __name__:
            _check_own(cls)
        for name, value in vars(cls).items():
            near = difflib.get_close_matches(name, DECISIONS, 1, 0.75)
            if near and name not in DECISIONS and isinstance(value, FunctionType | staticmethod):
                raise AgentError(
                    f"agent {cls.__name__}: {name} is no decision, but looks like {near[0]}: "
                    "correct the name, or give the function another"
                )
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Param)}
        for name, value in vars(cls).items():
            if name in cls.declared and name not in own:
                raise AgentError(
                    f"agent {cls.__name__}: {name} = {value!r} hides the parameter {name}; "
                    f"give it another default with Param(...)"
                )
        cls.declared = {**cls.declared, **own}
        if len(cls.declared) > MAX_PARAMS:
            raise AgentError(f"agent {cls.__name__} declares more than {MAX_PARAMS} parameters")

    def __init__(self, **values: Any) -> None:
        self.name = type(self).__name__
        self.usual = {name: param.default for name, param in self.declared.items()}
        for name in values:
            if name not in self.declared:
                known = ", ".join(self.declared) or "none"
                raise AgentError(f"agent {self.name} has no parameter {name!r}; it has: {known}")
        try:
            self.params = {
                name: param.checked(name, values.get(name, param.default))
                for name, param in self.declared.items()
            }
        except AgentError as error:
            raise AgentError(f"agent {self.name}: {error}") from None

    @property
    def label(self) -> str:
        """Name in results, with the parameters that differ from the usual values."""
        changed = [
            f"{name}={_text(value)}"
            for name, value in self.params.items()
            if value != self.usual[name]
        ]
        return self.name + (":" + ",".join(changed) if changed else "")

    @classmethod
    def params_dtype(cls) -> np.dtype[Any]:
        """Record dtype by which the compiled decisions read the parameters."""
        return np.dtype([(name, _FORMATS[param.kind]) for name, param in cls.declared.items()])

    def params_record(self) -> np.ndarray:
        """The parameters as the engine passes them: one record of dtype ``PARAMS``, shape (1,)."""
        record = np.zeros(1, PARAMS)
        if self.declared:
            own = record.view(np.uint8)[: self.params_dtype().itemsize].view(self.params_dtype())
            for name, value in self.params.items():
                own[name] = value
        return record

    def __repr__(self) -> str:
        return f"<agent {self.label}>"


class BatchAgent(Agent):
    """A strategy in plain NumPy that decides for many tables at once.

    Each decision is a method over an array of views, dtype ``VIEW``, shape (n,):
    ``draw(views, plays)``, ``meld(views, plays)``, ``permit(views)``, ``discard(views)``. It
    returns n answers (integers or booleans); plays are written into ``plays``, dtype ``PLAY``,
    shape (n,), which come empty. Parameters are read as ``self.params["name"]``. Counts are
    int8: widen them before multiplying.
    """

    batch: ClassVar[bool] = True

    def draw(self, views: np.ndarray, plays: np.ndarray) -> np.ndarray:
        """Draw from the stock."""
        return np.full(len(views), STOCK)

    def meld(self, views: np.ndarray, plays: np.ndarray) -> np.ndarray:
        """Lay all that can be laid."""
        return batch_blocks.lay_all(
            views, plays, defaults.WILD_START, defaults.RUSH, defaults.BOOK_WEIGHT
        )

    def permit(self, views: np.ndarray) -> np.ndarray:
        """Let the partner go out."""
        return np.ones(len(views), bool)

    def discard(self, views: np.ndarray) -> np.ndarray:
        """Discard what costs least."""
        return batch_blocks.cheapest_discard(views, defaults.OPEN_WEIGHT)


def _check_own(agent: type[Agent]) -> None:
    """Refuse a class that hides what every agent has; raises ``AgentError``."""
    own = vars(agent)
    if "batch" in own:
        raise AgentError(
            f"agent {agent.__name__}: batch = {own['batch']!r} is not for a class to set; make one "
            "that decides over arrays of views from BatchAgent"
        )
    for name in ("params", "name", "label", "usual", "specification", "declared"):
        if isinstance(own.get(name), Param):
            raise AgentError(
                f"agent {agent.__name__}: a parameter can't be called {name}, which every agent "
                "has already; give it another name"
            )
    declared = own.get("declared", {})
    if not isinstance(declared, dict) or not all(isinstance(p, Param) for p in declared.values()):
        raise AgentError(
            f"agent {agent.__name__}: declared = {declared!r} must be the parameters that another "
            "agent declares; declare new ones as NAME = Param(...)"
        )


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
