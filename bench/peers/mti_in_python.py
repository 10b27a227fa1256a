"""The Python package mti on problems of the other scripts here: a call in a process that is there already.

Usage: mti_in_python.py SOURCE_DIRECTORY, with the package on PYTHONPATH; prints one line per problem and tolerance:
    tool | problem | setting | seconds | error | events | missed
Seconds are processor time of mti.simulate, the model being read.
"""
import json
import pathlib
import statistics
import sys
import time

import mti


def timed(function, rounds=5):
    seconds = []
    for _ in range(rounds):
        begun = time.process_time()
        result = function()
        seconds.append(time.process_time() - begun)
    return statistics.median(seconds), result


def main():
    root = pathlib.Path(sys.argv[1])
    for problem, name in (("three tanks", "three_tank"), ("three roots in a step", "scipy_9228_multiple_roots_in_step"),
                          ("relay feedback", "piiroinen_kuznetsov_relay_feedback")):
        model = mti.read(root / ("examples/three_tank/model.json" if name == "three_tank" else f"tests/cases/{name}.json"))
        reference = json.loads((root / "tests/cases/reference" / (name + ".json")).read_text())
        expected = reference.get("events", reference.get("switches"))
        names = {name for event in expected for name in event.get("changed", {})}
        for tolerance in (1e-4, 1e-6, 1e-8):
            seconds, run = timed(lambda: mti.simulate(model, rtol=tolerance, atol=tolerance))
            found = [e.time for e in run.events if e.time > 0.0 or e.kind == "switch"
                     if e.kind.startswith("slide") or names & set(e.changed)]
            missed = max(0, len(expected) - len(found))
            error = f"{max(abs(a - b['time']) for a, b in zip(found, expected)):.1e} s" if not missed else ""
            print(f"mti in Python | {problem} | rtol = atol = {tolerance:.0e} | {seconds:.4g} | {error} | {len(found)} | "
                  f"{missed}", flush=True)


main()
