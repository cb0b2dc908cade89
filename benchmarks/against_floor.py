"""The fused driver against a plain C program, in nanoseconds a turn of one core.

`floor.c` plays a crude greedy policy without views, checks, statistics or pluggable agents: what
careful C costs at the least. Both are run in turn, several rounds over, with the same number of
matches; medians and their ratio are printed. Needs gcc.

    python benchmarks/against_floor.py [--rounds 7] [--matches 20000]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from handfoot_sim.engine.pairing import make_pairing
from handfoot_sim.playing import play, warm_up
from handfoot_sim.rules import PRESETS

HERE = Path(__file__).resolve().parent


def build(folder: str) -> str:
    """Compile the C program; the path of what was built."""
    target = str(Path(folder) / "floor")
    words = ["gcc", "-O3", "-march=native", "-w", "-o", target, str(HERE / "floor.c")]
    subprocess.run(words, check=True)
    return target


def floor_turn(program: str, matches: int, start_or_add: bool) -> float:
    """Nanoseconds a turn of the C program."""
    words = [program, str(matches), str(int(start_or_add))]
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found = re.search(r"ns/turn ([\d.]+)", text)
    if found is None:
        raise RuntimeError(f"the C program printed no time: {text}")
    return float(found.group(1))


def fused_turn(preset: str, matches: int) -> float:
    """Nanoseconds a turn of the fused driver, greedy against itself, recording included."""
    pairing = make_pairing(["greedy", "greedy"], PRESETS[preset])
    start = time.perf_counter()
    rows = play(pairing, seed=1, first_match=0, count=matches)
    return (time.perf_counter() - start) * 1e9 / int(rows["turns"][:, :, 0].sum())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--matches", type=int, default=20_000)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        for preset, rules in PRESETS.items():
            warm_up(make_pairing(["greedy", "greedy"], rules), "fused")
            times = np.array(
                [
                    (
                        floor_turn(program, words.matches, rules.start_or_add),
                        fused_turn(preset, words.matches),
                    )
                    for _ in range(words.rounds)
                ]
            )
            ratio = np.median(times[:, 1] / times[:, 0])
            floor, fused = np.median(times, axis=0)
            print(
                f"{preset}: floor {floor:.0f} ns a turn, fused greedy {fused:.0f} ns a turn, "
                f"ratio {ratio:.2f} (medians of {words.rounds} rounds)"
            )


if __name__ == "__main__":
    main()
