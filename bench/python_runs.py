"""What Python costs beside C++: calls, memory, threads.

Usage: PYTHONPATH=build/bench/python OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/python_runs.py, from the root of the
sources, after cmake --preset bench -DMTI_BUILD_PYTHON=ON && cmake --build --preset bench.
"""

from __future__ import annotations

import resource
import threading
import time

import mti

MEGABYTE = 1e6


def resident() -> float:
    """Bytes of memory in use."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def least(function, rounds):  # type: ignore[no-untyped-def]
    """The shortest time of several calls: what is above it is other work on the machine."""
    seconds = []
    for _ in range(rounds):
        begun = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def calls() -> None:
    """A whole call beside what C++ says that the run took."""
    model = mti.read("examples/three_tank/model.json")
    for dense in (False, True):
        inside = min(mti.simulate(model, dense=dense).statistics["wall_seconds"] for _ in range(100))
        outside = least(lambda: mti.simulate(model, dense=dense), 100)
        print(f"three tanks, dense={dense}: call {outside * 1e3:.3f} ms, C++ alone {inside * 1e3:.3f} ms, "
              f"ratio {outside / inside:.3f}")
    small = mti.Model(states={"x": 1}, equations=["der(x) = -x"])
    print(f"the smallest run: {least(lambda: mti.simulate(small, t_eval=[0, 1]), 1000) * 1e6:.0f} microseconds")


def rows() -> None:
    """Memory of a run of 10^7 rows, and of all its arrays."""
    model = mti.Model(states={"x": 1, "w": 1}, equations=["der(x) = -x", "der(w) = x"])
    before = resident()
    run = mti.simulate(model, output_interval=1e-7, dense=False)
    made = resident()
    views = [run.t, run.side, run.y, run["x"], run["w"]]
    needed = run.t.size * (8 + 1 + 8 * len(run.names))
    print(f"{run.t.size} rows: {needed / MEGABYTE:.0f} MB of numbers, {(made - before) / MEGABYTE:.0f} MB for the run, "
          f"{(resident() - made) / MEGABYTE:.2f} MB for {len(views)} arrays")


def many() -> None:
    """Memory after 10^4 runs."""
    model = mti.read("examples/thermostat/model.json")
    for _ in range(500):
        mti.simulate(model)
    before = resident()
    for _ in range(10_000):
        mti.simulate(model)
    print(f"10000 runs of the thermostat: {(resident() - before) / MEGABYTE:+.2f} MB")


def threads() -> None:
    """One run beside two at once, in turn."""
    model = mti.read("examples/three_tank/model.json")

    def work() -> None:
        mti.simulate(model, stop=200_000, dense=False, output_interval=100)

    def both() -> None:
        pair = [threading.Thread(target=work) for _ in range(2)]
        for thread in pair:
            thread.start()
        for thread in pair:
            thread.join()

    one = two = float("inf")
    for _ in range(7):
        one, two = min(one, least(work, 1)), min(two, least(both, 1))
    print(f"two runs at once: {one * 1e3:.0f} ms one, {two * 1e3:.0f} ms both, speed-up {2 * one / two:.2f}")


if __name__ == "__main__":
    calls()
    rows()
    many()
    threads()
