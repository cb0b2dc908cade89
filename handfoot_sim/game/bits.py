"""Sets of kinds or melds as the bits of an integer, read from count arrays in a few instructions.

Bit k stands for place k of an array of 16 counts. Loops over such a set visit only what is there,
where a loop over all places would mostly find nothing.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba import types

from handfoot_sim.game.cards import FIRST_RANK, N_KINDS, PLACES
from handfoot_sim.jit import inline, intrinsic

RANKS = (1 << N_KINDS) - (1 << FIRST_RANK)
"""Bits of the natural ranks."""

_COUNTS = ir.VectorType(ir.IntType(8), PLACES)


def _compared(context: Any, builder: Any, kind: Any, counts: Any, sign: str, limit: Any) -> Any:
    """Emit: bits of the counts that compare so with ``limit`` (a byte)."""
    array = context.make_array(kind)(context, builder, counts)
    pointer = builder.bitcast(array.data, ir.PointerType(_COUNTS))
    loaded = builder.load(pointer)
    loaded.align = 1
    wide = ir.Constant(_COUNTS, ir.Undefined)
    for place in range(PLACES):
        wide = builder.insert_element(wide, limit, ir.IntType(32)(place))
    found = builder.icmp_signed(sign, loaded, wide)
    bits = builder.bitcast(found, ir.IntType(PLACES))
    return builder.zext(bits, ir.IntType(64))


@intrinsic
def places_with(typing_context: Any, counts: Any, least: Any) -> Any:
    """Bits of the places whose count is at least ``least``; ``counts``: int8, 16 contiguous."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        limit = builder.trunc(args[1], ir.IntType(8))
        return _compared(context, builder, signature.args[0], args[0], ">=", limit)

    return types.int64(counts, types.int64), codegen


@intrinsic
def places_used(typing_context: Any, counts: Any) -> Any:
    """Bits of the places whose count is not 0; ``counts``: int8, 16 contiguous."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = ir.IntType(8)(0)
        return _compared(context, builder, signature.args[0], args[0], "!=", zero)

    return types.int64(counts), codegen


@inline
def places_of(play: Any) -> Any:
    """Bits of the melds on which a play lays anything (or a negative number of cards)."""
    return places_used(play.naturals) | places_used(play.twos) | places_used(play.jokers)


@intrinsic
def highest_bit(typing_context: Any, bits: Any) -> Any:
    """Number of the highest bit of a set, which must not be empty."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.IntType(1)(1))
        return builder.sub(ir.IntType(64)(63), zeros)

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(typing_context: Any, bits: Any) -> Any:
    """Number of the lowest bit of a set, which must not be empty."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.IntType(1)(1))

    return types.int64(types.int64), codegen
