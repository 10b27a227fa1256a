"""SciPy's solve_ivp with events on three problems, written as a user would: one call per segment.

Usage: scipy_runs.py REFERENCE_DIRECTORY; prints one line per problem, method and tolerance:
    tool | problem | setting | seconds | error | events | missed
"""
import json
import pathlib
import statistics
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp


def timed(function, rounds=3):
    seconds = []
    for _ in range(rounds):
        begun = time.process_time()
        result = function()
        seconds.append(time.process_time() - begun)
    return statistics.median(seconds), result


def line(problem, method, tolerance, seconds, error, found, missed):
    print(f"SciPy solve_ivp {method} | {problem} | rtol = atol = {tolerance:.0e} | {seconds:.4g} | {error} | "
          f"{found} | {missed}", flush=True)


def compare(found, expected):
    """Largest time error of the events found, and how many of the expected are not among them.

    Both lists hold (time, name). The same sequence of names has missed nothing. Else an expected event counts as
    found when one of the same name lies within a quarter of the distance to its neighbours.
    """
    if [name for _, name in found] == [name for _, name in expected]:
        return max(abs(a[0] - b[0]) for a, b in zip(found, expected)), 0
    error, missed, used = 0.0, 0, set()
    for i, (when, name) in enumerate(expected):
        gaps = [abs(when - other[0]) for other in expected[max(0, i - 1):i] + expected[i + 1:i + 2]]
        near = 0.25 * min(gaps) if gaps else np.inf
        best = min((j for j, (_, other) in enumerate(found) if other == name and j not in used),
                   key=lambda j: abs(found[j][0] - when), default=None)
        if best is None or abs(found[best][0] - when) > near:
            missed += 1
            continue
        used.add(best)
        error = max(error, abs(found[best][0] - when))
    return error, missed


# Three tanks: explicit in the derivatives, the number of open valves put in by hand.
LOW, HIGH = np.array([30.0, 25.0, 35.0]), np.array([40.0, 35.0, 45.0])


def tank_run(method, tolerance):
    z, x, t, switches = np.zeros(3), np.array([37.0, 30.0, 40.0]), 0.0, []
    while t < 1000.0:
        y = 1 + z[0] * z[1] + z[0] * z[2] + z[1] * z[2] - z[0] * z[1] * z[2]

        def rhs(_, x):
            return -(375 * x - 125 * (x.sum() - x) + 378 * (x - 80) * z / y) / 21000

        def limit(k):
            def value(_, x):
                return x[k] - HIGH[k] if z[k] else LOW[k] - x[k]
            value.terminal, value.direction = True, 1
            return value

        solution = solve_ivp(rhs, (t, 1000.0), x, method=method, rtol=tolerance, atol=tolerance,
                             events=[limit(k) for k in range(3)])
        t, x = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        for k in range(3):
            if len(solution.t_events[k]):
                z[k] = 1 - z[k]
                switches.append((t, k))
    return switches


# A function of time with three roots, 4 apart, that a long step can pass over (SciPy issue 9228).
def cubic_run(method, tolerance):
    def root(_, y):
        return y[0]
    solution = solve_ivp(lambda t, _: [3 * t * t + 12 * t - 4], (-8.0, 4.0), [-120.0], method=method,
                         rtol=tolerance, atol=tolerance, events=root)
    return [(t, 0) for t in solution.t_events[0]]


# Relay feedback with sliding (Piiroinen and Kuznetsov, equation (32)); Filippov's rule by hand.
A = np.array([[-3.5, 1.0, 0.0], [-627.5, 0.0, 1.0], [-625.0, 0.0, 0.0]])
B = np.array([1.0, -2.0, 1.0])


def relay_run(method, tolerance):
    x, t, side, changes = np.array([0.0, -0.001, -0.02]), 0.0, 0, []
    while t < 10.0 and len(changes) < 500:
        if side == 0:
            def rhs(_, x):
                return A @ x - B * (A[0] @ x)
            def upper(_, x):
                return A[0] @ x - 1.0
            def lower(_, x):
                return -A[0] @ x - 1.0
            events = [upper, lower]
        else:
            def rhs(_, x):
                return A @ x - B * side
            def surface(_, x):
                return -side * x[0]
            events = [surface]
        for event in events:
            event.terminal, event.direction = True, 1
        solution = solve_ivp(rhs, (t, 10.0), x, method=method, rtol=tolerance, atol=tolerance, events=events)
        t, x = solution.t[-1], solution.y[:, -1].copy()
        if solution.status != 1:
            break
        if side == 0:
            side = 1 if len(solution.t_events[0]) else -1
        else:
            x[0] = 0.0
            side = 0 if abs(A[0] @ x) <= 1.0 else -side
        changes.append((t, side))
    return changes


def main():
    references = pathlib.Path(sys.argv[1])
    read = lambda name: json.loads((references / (name + ".json")).read_text())
    valves = {"z1": 0, "z3": 1, "z5": 2}
    tanks = [(s["time"], valves[n]) for s in read("three_tank")["switches"] for n in s["changed"] if n in valves]
    cubic = [(s["time"], 0) for s in read("scipy_9228_multiple_roots_in_step")["switches"]]
    relay = [(e["time"], 0 if e["kind"] == "slide_begin" else 2 * e["changed"]["positive"] - 1)
             for e in read("piiroinen_kuznetsov_relay_feedback")["events"]]
    for problem, run, expected, methods in (("three tanks", tank_run, tanks, ("RK45", "BDF")),
                                            ("three roots in a step", cubic_run, cubic, ("RK45", "DOP853")),
                                            ("relay feedback", relay_run, relay, ("RK45", "DOP853"))):
        for method in methods:
            for tolerance in (1e-4, 1e-6, 1e-8):
                seconds, found = timed(lambda: run(method, tolerance))
                error, missed = compare(found, expected)
                line(problem, method, tolerance, seconds, f"{error:.1e} s", len(found), missed)


main()
