"""What a study costs on many processes, by simulation of how runs are dealt (io/studies/run_sharing.hpp).

    python3 bench/study_cluster.py

One process deals blocks of runs to `ranks` processes of one thread each; a question and its answer take `latency`, and keep the
dealing process, which looks for questions every millisecond, busy for `service`. Seconds of runs are drawn around `mean` with
a coefficient of variation of 1. Efficiency is the time of all runs, divided by processes and by the time until the last has ended.
"""

from __future__ import annotations

import heapq
import math
import random

SERVICE, LATENCY, LOOK = 20e-6, 60e-6, 1e-3
SHORTEST, LONGEST, MOST = 0.05, 0.2, 256


def simulate(runs: int, ranks: int, mean: float, seed: int = 1) -> tuple[float, float, int]:
    """Efficiency, part of the time for which the dealing process is busy, and number of questions."""
    draw = random.Random(seed)
    spread = math.log(2.0)  # of a lognormal distribution with coefficient of variation 1
    block, given, free_at = [1] * ranks, [-1.0] * ranks, [0.0] * ranks
    left, busy_until, busy, questions, total = runs, 0.0, 0.0, 0, 0.0
    asking = [(0.0, rank) for rank in range(ranks)]
    heapq.heapify(asking)
    while asking:
        time, rank = heapq.heappop(asking)
        seen = math.ceil((time + LATENCY / 2) / LOOK) * LOOK
        busy_until = max(busy_until, seen) + SERVICE
        busy += SERVICE
        questions += 1
        if left == 0:
            continue
        if given[rank] >= 0.0:
            if busy_until - given[rank] < SHORTEST:
                block[rank] = min(2 * block[rank], MOST)
            elif busy_until - given[rank] > LONGEST:
                block[rank] = max(block[rank] // 2, 1)
        given[rank] = busy_until
        count = min(left, max(1, min(block[rank], left // (2 * ranks))))
        left -= count
        start = max(free_at[rank], busy_until + LATENCY / 2)
        last = 0.0
        for _ in range(count):
            last = mean * math.exp(draw.gauss(-spread / 2, math.sqrt(spread)))
            total += last
            start += last
        free_at[rank] = start
        # It asks when its last run begins: none waits behind it.
        heapq.heappush(asking, (max(start - last, busy_until + LATENCY / 2), rank))
    return total / ranks / max(free_at), busy / max(free_at), questions


if __name__ == "__main__":
    print("| runs | processes | seconds a run | efficiency | dealing process busy | questions |")
    print("|---|---|---|---|---|---|")
    for runs, ranks, mean in [
        (100_000, 64, 0.0012), (1_000_000, 64, 0.0012), (1_000_000, 1000, 0.0012), (1_000_000, 1000, 0.1),
        (1_000_000, 1000, 1.0), (100_000, 1000, 10.0)]:  # fmt: skip
        efficiency, busy, questions = simulate(runs, ranks, mean)
        print(f"| {runs:,} | {ranks} | {mean} | {efficiency:.3f} | {100 * busy:.1f} % | {questions:,} |")
