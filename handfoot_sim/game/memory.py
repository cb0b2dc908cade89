"""Moving bytes of records in compiled code."""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils

from handfoot_sim.game.state import VIEW_PILE, ViewRecord
from handfoot_sim.jit import intrinsic


@intrinsic
def copy_bytes(typing_context: Any, target: Any, source: Any, offset: Any, size: Any) -> Any:
    """Copy the first ``size`` bytes of one record to ``offset`` in another (both constants)."""
    if not isinstance(offset, types.IntegerLiteral) or not isinstance(size, types.IntegerLiteral):
        return None
    start, count = offset.literal_value, size.literal_value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        into = cgutils.pointer_add(builder, args[0], start)
        length = context.get_constant(types.intp, count)
        cgutils.raw_memcpy(builder, into, args[1], length, 1, align=8)
        return context.get_dummy_value()

    return types.void(target, source, offset, size), codegen


@intrinsic
def same_bytes(typing_context: Any, one: Any, other: Any, size: Any) -> Any:
    """Whether the first ``size`` bytes (a constant) of two records are the same."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte_pointer, number = ir.IntType(8).as_pointer(), context.get_value_type(types.intp)
        kind = ir.FunctionType(ir.IntType(32), [byte_pointer, byte_pointer, number])
        compare = cgutils.get_or_insert_function(builder.module, kind, "memcmp")
        pointers = [builder.bitcast(arg, byte_pointer) for arg in args[:2]]
        differs = builder.call(compare, [*pointers, number(count)])
        return builder.icmp_signed("==", differs, ir.IntType(32)(0))

    return types.boolean(one, other, size), codegen


@intrinsic
def view_in(typing_context: Any, table: Any) -> Any:
    """The view that a table record begins with, where it lies."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(ViewRecord))

    return ViewRecord(table), codegen


@intrinsic
def push_front(typing_context: Any, cards: Any, card: Any) -> Any:
    """Move 64 cards back by one place and put ``card`` before them; the last one drops out."""
    vector = ir.VectorType(ir.IntType(8), VIEW_PILE)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        pointer = builder.bitcast(array.data, ir.PointerType(vector))
        old = builder.load(pointer)
        old.align = 1
        empty = ir.Constant(vector, ir.Undefined)
        new = builder.insert_element(
            empty, builder.trunc(args[1], ir.IntType(8)), ir.IntType(32)(0)
        )
        order = [VIEW_PILE, *range(VIEW_PILE - 1)]
        mask = ir.Constant(ir.VectorType(ir.IntType(32), VIEW_PILE), order)
        store = builder.store(builder.shuffle_vector(old, new, mask), pointer)
        store.align = 1
        return context.get_dummy_value()

    return types.void(cards, types.int64), codegen
