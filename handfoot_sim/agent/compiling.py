"""Compile the decisions of an agent class to native functions the engine can call."""

from __future__ import annotations

import difflib
import inspect
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba import types

from handfoot_sim.agent import defaults
from handfoot_sim.agent.calling import ParamsRecord, address_of, decision_signature
from handfoot_sim.agent.interface import DECISIONS, WITH_PLAY, Agent
from handfoot_sim.errors import AgentError
from handfoot_sim.game.state import PLAY, VIEW
from handfoot_sim.jit import FOREIGN, declare, is_own


@dataclass(frozen=True)
class CompiledDecisions:
    """Native decisions of an agent class: ``addresses``, shape (4,), int64, by decision.

    ``functions`` are the dispatchers, to be called from Python and to keep the code alive; ``own``
    says whether all of them come with this distribution.
    """

    addresses: np.ndarray
    own: bool
    functions: tuple[Any, ...]


def decision_function(agent: type[Agent], decision: str) -> Any:
    """The plain Python function an agent class answers with, its own or the default."""
    found = getattr(agent, decision, None)
    function = getattr(found, "py_func", found) or getattr(defaults, decision)
    static = inspect.getattr_static(agent, decision, None)
    if found is not None and not callable(function):
        raise AgentError(
            f"agent {agent.__name__}: {decision} = {function!r} must be a static method"
        )
    if found is not None and (inspect.isfunction(static) or isinstance(static, classmethod)):
        raise AgentError(
            f"agent {agent.__name__}: {decision} must be a static method "
            f"(write @staticmethod above it)"
        )
    wanted = 3 if decision in WITH_PLAY else 2
    count = len(inspect.signature(function).parameters)
    if count != wanted:
        names = "(view, params, play)" if wanted == 3 else "(view, params)"
        raise AgentError(
            f"agent {agent.__name__}: {decision} takes {count} arguments but must take {names}"
        )
    return function


def compiling_failed(agent: type[Agent], decision: str, error: Exception) -> AgentError:
    """The error for a decision that is not in the part of Python that can be compiled."""
    if isinstance(error, KeyError):
        reason = _no_such_field(str(error.args[0]), agent)
    else:
        reason = first_lines(error)
    if "<class 'function'>" in reason:
        reason += " (a function of your own needs @inline above it, from handfoot_sim.agent)"
    if "<class 'type'>" in reason:
        reason += " (constants that it reads must be the module's, not a class's)"
    return AgentError(f"agent {agent.__name__}: {decision} can't be compiled: {reason}")


def _no_such_field(name: str, agent: type[Agent]) -> str:
    """What to say of ``view.name``, ``params.name`` or ``play.name`` that is not there.

    Numba raises a bare ``KeyError`` for a field that a record lacks.
    """
    known = [*(VIEW.names or ()), *agent.declared, *(PLAY.names or ())]
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"neither the view nor the parameters nor the play have a field {name!r}{hint}"


def first_lines(error: Exception) -> str:
    """What a compiler's error says, without its pages of context."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith(("Failed in", "During", "[1]", "^"))]
    return " ".join(kept[:3])[:300]


def compile_foreign(function: Any, signature: Any) -> Any:
    """Compile a decision function that is not part of this distribution.

    Its answer must be a whole number or a boolean by its type, as Numba infers it: a fraction
    would be cut off, and no answer be taken for one. Raises ``AgentError``, to be preceded by the
    names of agent and decision.
    """
    compiled = declare(function, signature.args, **FOREIGN)
    result = compiled.overloads[signature.args]
    caller = calls_itself(result, set())
    if caller is not None:
        raise AgentError(
            f"calls {caller}, which calls itself: a call that never ends would end the whole "
            "process, so write a loop instead"
        )
    answer = types.unliteral(result.signature.return_type)
    if not isinstance(answer, types.Integer | types.Boolean):
        raise AgentError(_no_answer(answer))
    if answer == signature.return_type:
        return compiled

    def decide(view: Any, params: Any) -> Any:
        return compiled(view, params)

    def decide_with_play(view: Any, params: Any, play: Any) -> Any:
        return compiled(view, params, play)

    widened = decide_with_play if len(signature.args) == 3 else decide
    return declare(widened, signature, **FOREIGN)


def _no_answer(answer: Any) -> str:
    """What to say of a type that is no answer."""
    if isinstance(answer, types.Float):
        return "returns a fraction; an answer must be a whole number: make it one by int(...)"
    if answer == types.none:
        return "returns nothing; it must return a whole number or a boolean"
    if isinstance(answer, types.Optional):
        return "returns nothing on some of its paths; add the return that is missing"
    return f"returns {str(answer)[:80]}; an answer must be a whole number or a boolean"


def calls_itself(result: Any, seen: set[Any]) -> str | None:
    """Name of a function that calls itself, straight or through others, or None.

    ``result`` is what Numba compiled (a ``CompileResult``), ``seen`` the functions looked at.
    """
    for kind in result.type_annotation.typemap.values():
        if isinstance(kind, types.RecursiveCall):
            return str(kind.dispatcher_type.dispatcher.py_func.__name__)
        if isinstance(kind, types.Dispatcher) and kind.dispatcher not in seen:
            seen.add(kind.dispatcher)
            for each in kind.dispatcher.overloads.values():
                found = calls_itself(each, seen)
                if found:
                    return found
    return None


_COMPILED: dict[type[Agent], CompiledDecisions] = {}


def compile_decisions(agent: type[Agent]) -> CompiledDecisions:
    """Compile (or load from the cache) the four decisions of an agent class.

    Raises ``AgentError`` in one sentence if the class is not in the part of Python that can be
    compiled.
    """
    if agent in _COMPILED:
        return _COMPILED[agent]
    params = numba.from_dtype(agent.params_dtype()) if agent.declared else ParamsRecord
    functions = []
    all_own = True
    addresses = np.zeros(len(DECISIONS), np.int64)
    for index, decision in enumerate(DECISIONS):
        function = decision_function(agent, decision)
        own = is_own(function)
        all_own = all_own and own
        signature = decision_signature(params, decision in WITH_PLAY)
        try:
            if own:
                compiled = declare(function, signature)
            else:
                compiled = compile_foreign(function, signature)
        except OSError:
            raise
        except AgentError as error:
            raise AgentError(f"agent {agent.__name__}: {decision} {error}") from None
        except Exception as error:  # a field that is not there comes as KeyError
            raise compiling_failed(agent, decision, error) from error
        functions.append(compiled)
        addresses[index] = address_of(compiled, signature)
    _COMPILED[agent] = CompiledDecisions(addresses, all_own, tuple(functions))
    return _COMPILED[agent]
