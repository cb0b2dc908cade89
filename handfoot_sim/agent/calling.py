"""How compiled code calls an agent it knows only by address.

Each decision function of a compiled agent has one of two fixed native signatures, whatever its
class, and is called through its address: a typed function pointer. So a new agent never makes
the engine compile again, and the engine's code is cached on disk. An exception in an agent is
not thrown through the engine: the call says that it failed, and the engine stops in good order.
"""

from __future__ import annotations

from typing import Any, Final

import llvmlite.ir as ir
import numpy as np
from numba import from_dtype, types

from handfoot_sim.game.state import PlayRecord, ViewRecord
from handfoot_sim.jit import intrinsic

MAX_PARAMS: Final = 64
PARAMS: Final = np.dtype([("words", "f8", (MAX_PARAMS,))], align=True)
"""Room for any agent's parameters, 8 bytes each; the agent reads it by its own dtype."""

SEATED: Final = np.dtype([("address", "i8", (4,)), ("own", "i8"), ("params", PARAMS)], align=True)
"""An agent as the engine holds it: the addresses of its decisions, whether it comes with this
distribution (then it is shown the table's own view, others get a copy), and its parameters."""

ParamsRecord: Final = from_dtype(PARAMS)


def decision_signature(params: Any, with_play: bool) -> Any:
    """Native signature of a decision function whose parameters have the record type given."""
    if with_play:
        return types.int64(ViewRecord, params, PlayRecord)
    return types.int64(ViewRecord, params)


def address_of(dispatcher: Any, signature: Any) -> int:
    """Address of the native code of a compiled function (kept alive by the dispatcher)."""
    result = dispatcher.overloads[signature.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def _call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit the call of ``args[0]`` with the other arguments; the value is (answered, answer)."""
    argument_types = signature.args[1:]
    convention = context.call_conv
    native = convention.get_function_type(types.int64, argument_types)
    pointer = builder.inttoptr(args[0], ir.PointerType(native))
    status, answer = convention.call_function(
        builder, pointer, types.int64, argument_types, args[1:]
    )
    answered = builder.zext(status.is_ok, context.get_value_type(types.int64))
    return context.make_tuple(builder, signature.return_type, (answered, answer))


@intrinsic
def ask_with_play(typing_context: Any, address: Any, view: Any, params: Any, play: Any) -> Any:
    """Ask for a decision that may fill ``play``; returns (1 if answered else 0, answer)."""
    pair = types.UniTuple(types.int64, 2)
    return pair(types.int64, view, params, play), _call


@intrinsic
def ask(typing_context: Any, address: Any, view: Any, params: Any) -> Any:
    """Ask for a decision that is a plain choice; returns (1 if answered else 0, answer)."""
    pair = types.UniTuple(types.int64, 2)
    return pair(types.int64, view, params), _call
