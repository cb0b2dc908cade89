"""Counter-based random numbers.

Every random word derives from a key and a counter, so it depends on nothing that was drawn
before: word i of key k is ``mix(k + i * GOLDEN)``, the i-th output of SplitMix64 seeded with k
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). Keys are
chained the same way: a key of a key and a number.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from handfoot_sim.jit import inline, jit

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_M1: Final = np.uint64(0xBF58476D1CE4E5B9)
_M2: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

# What a word is for; chained into its key.
SHUFFLE: Final = 1
DECISIONS: Final = 2


@inline
def mix(x: Any) -> Any:
    """SplitMix64's finaliser: a bijection of 64-bit words that spreads every bit over all."""
    x = (x ^ (x >> _30)) * _M1
    x = (x ^ (x >> _27)) * _M2
    return x ^ (x >> _31)


@inline
def word(key: np.uint64, counter: int) -> Any:
    """Random word number ``counter`` of ``key``; also the key derived from both."""
    return mix(key + np.uint64(counter + 1) * GOLDEN)


@inline
def below(key: np.uint64, counter: int, n: int) -> Any:
    """A number from 0 to ``n`` - 1, each equally likely; ``counter`` must be fresh.

    Multiply-and-shift on 32 bits with rejection (Lemire, "Fast random integer generation in an
    interval", ACM TOMACS 2019). A rejected word is replaced by words of a key of its own.
    """
    bound = np.uint64(n)
    product = (word(key, counter) >> _32) * bound
    if (product & _LOW) < bound:
        floor = (np.uint64(0x100000000) - bound) % bound
        retry = word(key, counter)
        while (product & _LOW) < floor:
            retry = mix(retry + GOLDEN)
            product = (retry >> _32) * bound
    return np.int64(product >> _32)


@jit
def match_key(seed: np.uint64, match: int) -> Any:
    """Key of a match: of the run's seed and of which cards are played, not of the mirror."""
    return word(mix(seed), match)
