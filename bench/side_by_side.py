"""The same tasks in SciPy's solve_ivp with events and in mti: lines of code, processor time, error.

    three tanks      37 switches of three valves with hysteresis, the equations coupled by how many are open
    bouncing ball    impacts v⁺ = −e v⁻ that accumulate at a time that a formula gives, then rest
    relay            a relay feedback whose motion slides on the surface in between, 34 events

Usage: PYTHONPATH=build/bench/python OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/side_by_side.py [--check], from the root of the
sources; prints the table of docs/python.md. With --check each task is run once, and the errors of mti have to be within 10·rtol·T.

Lines are those of the functions below that are neither empty nor comments, without what takes results out of them. Errors are
those of event times, against closed forms (ball) and against tests/cases/reference (exact flow of each mode in 40 digits).
"""

from __future__ import annotations

import inspect
import json
import pathlib
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

import mti

ROOT = pathlib.Path(__file__).resolve().parents[1]
Events = list[tuple[float, object]]  # what happened when: comparable between both
E, G = 0.7, 9.81


def tanks_by_scipy(tolerance: float) -> Events:
    low, high = np.array([30.0, 25.0, 35.0]), np.array([40.0, 35.0, 45.0])
    z, x, t, switches = np.zeros(3), np.array([37.0, 30.0, 40.0]), 0.0, []
    while t < 1000.0:
        y = 1 + z[0] * z[1] + z[0] * z[2] + z[1] * z[2] - z[0] * z[1] * z[2]

        def rhs(_, x, z=z.copy(), y=y):
            return -(375 * x - 125 * (x.sum() - x) + 378 * (x - 80) * z / y) / 21000

        def limit(k, open_):
            def value(_, x):
                return x[k] - high[k] if open_ else low[k] - x[k]
            value.terminal, value.direction = True, 1
            return value

        solution = solve_ivp(rhs, (t, 1000.0), x, rtol=tolerance, atol=tolerance, events=[limit(k, z[k]) for k in range(3)])
        t, x = solution.t[-1], solution.y[:, -1]
        for k in range(3):
            if len(solution.t_events[k]):
                z[k] = 1 - z[k]
                switches.append((t, k))
    return switches


def tanks_by_mti(tolerance: float) -> Events:
    model = mti.Model(
        states={"x1": 37, "x2": 30, "x3": 40}, algebraic=["y"], binaries=["z1", "z2", "z3"],
        equations=["21000*der(x1) = 125*(x2 + x3) - 375*x1 + 378*(80 - x1)*z1/y",
                   "21000*der(x2) = 125*(x1 + x3) - 375*x2 + 378*(80 - x2)*z2/y",
                   "21000*der(x3) = 125*(x1 + x2) - 375*x3 + 378*(80 - x3)*z3/y",
                   "y = 1 + z1*z2 + z1*z3 + z2*z3 - z1*z2*z3"],
        constraints=["(30 - x1)*(1 - z1) <= 0", "(x1 - 40)*z1 <= 0", "(25 - x2)*(1 - z2) <= 0", "(x2 - 35)*z2 <= 0",
                     "(35 - x3)*(1 - z3) <= 0", "(x3 - 45)*z3 <= 0"])
    run = mti.simulate(model, stop=1000, rtol=tolerance, atol=tolerance)
    return [(event.time, int(name[1]) - 1) for event in run.events for name in event.changed]


def ball_by_scipy(tolerance: float) -> Events:
    t, x, impacts, slowest = 0.0, [1.0, 0.0], [], 1e-3  # at rest below this speed: a decision of the user

    def rhs(_, x):
        return [x[1], -G]

    def floor(_, x):
        return x[0]
    floor.terminal, floor.direction = True, -1

    while t < 3.0:
        solution = solve_ivp(rhs, (t, 3.0), x, rtol=tolerance, atol=tolerance, events=floor)
        t, x = solution.t[-1], [0.0, -E * solution.y[1, -1]]
        impacts.append((t, "impact"))
        if x[1] < slowest:
            impacts.append((t, "rest"))
            break
    return impacts


def ball_by_mti(tolerance: float) -> Events:
    model = mti.Model(
        parameters={"g": G, "e": E}, states={"h": 1, "v": 0}, algebraic=["F"], binaries=["contact"],
        equations={"position": "der(h) = v", "motion": "der(v) = F - g", "support": "contact*h + (1 - contact)*F = 0"},
        constraints={"floor": "h >= 0", "push": "F >= 0"},
        transitions=[{"when": "reach(floor)", "replaces": ["support"], "equations": ["v = -e*pre(v)"]}])
    run = mti.simulate(model, stop=3, rtol=tolerance, atol=tolerance)
    return [(event.time, {"law": "impact", "zeno": "rest"}[event.kind]) for event in run.events]


def relay_by_scipy(tolerance: float) -> Events:
    A = np.array([[-3.5, 1.0, 0.0], [-627.5, 0.0, 1.0], [-625.0, 0.0, 0.0]])
    B = np.array([1.0, -2.0, 1.0])
    x, t, side, changes = np.array([0.0, -0.001, -0.02]), 0.0, 0, []
    while t < 10.0 and len(changes) < 500:
        if side == 0:  # Filippov's rule: the control that keeps x[0] = 0, as long as it is within the relay's

            def rhs(_, x):
                return A @ x - B * (A[0] @ x)

            def upper(_, x):
                return A[0] @ x - 1.0

            def lower(_, x):
                return -A[0] @ x - 1.0
            events = [upper, lower]
        else:

            def rhs(_, x, side=side):
                return A @ x - B * side

            def surface(_, x, side=side):
                return -side * x[0]
            events = [surface]
        for event in events:
            event.terminal, event.direction = True, 1
        solution = solve_ivp(rhs, (t, 10.0), x, rtol=tolerance, atol=tolerance, events=events)
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


def relay_by_mti(tolerance: float) -> Events:
    model = mti.Model(
        states={"x1": 0, "x2": -0.001, "x3": -0.02}, algebraic=["u"], binaries=["positive"],
        equations=["u = 1 - 2*positive", "der(x1) = -3.5*x1 + x2 + u", "der(x2) = -627.5*x1 + x3 - 2*u",
                   "der(x3) = -625*x1 + u"],
        constraints=["x1*(1 - positive) <= 0", "-x1*positive <= 0"])
    run = mti.simulate(model, stop=10, rtol=tolerance, atol=tolerance)
    return [(event.time, 0 if event.kind == "slide_begin" else 2 * int(event.changed["positive"][1]) - 1)
            for event in run.events if event.time > 0]


def reference(name: str) -> list[dict[str, object]]:
    found = json.loads((ROOT / "tests/cases/reference" / f"{name}.json").read_text())
    return found.get("switches") or found["events"]


def exact_tanks() -> Events:
    valves = {"z1": 0, "z3": 1, "z5": 2}
    return [(s["time"], valves[name]) for s in reference("three_tank") for name in s["changed"] if name in valves]


def exact_ball(impacts: int) -> Events:
    """t_n = t_1 (1 + 2e (1 − eⁿ⁻¹)/(1 − e)), limit t_1 (1 + e)/(1 − e)."""
    t1 = np.sqrt(2 / G)
    times = t1 * (1 + 2 * E * (1 - E ** np.arange(impacts)) / (1 - E))
    return [*((float(t), "impact") for t in times), (float(t1 * (1 + E) / (1 - E)), "rest")]


def exact_relay() -> Events:
    return [(event["time"], 0 if event["kind"] == "slide_begin" else 2 * event["changed"]["positive"] - 1)
            for event in reference("piiroinen_kuznetsov_relay_feedback")]


def compare(found: Events, expected: Events) -> tuple[float, int]:
    """The largest error of the events found, and how many of the expected are not among them: an event is found by one of the
    same kind within a quarter of the distance to its neighbours."""
    if [kind for _, kind in found] == [kind for _, kind in expected]:
        return max(abs(a - b) for (a, _), (b, _) in zip(found, expected)), 0
    error, missed, left = 0.0, 0, list(found)
    for i, (when, kind) in enumerate(expected):
        gap = min(abs(when - other) for other, _ in expected[max(0, i - 1) : i] + expected[i + 1 : i + 2])
        near = [one for one in left if one[1] == kind and abs(one[0] - when) <= 0.25 * gap]
        if not near:
            missed += 1
            continue
        best = min(near, key=lambda one: abs(one[0] - when))
        left.remove(best)
        error = max(error, abs(best[0] - when))
    return error, missed


def lines_of(function: Callable[[float], Events]) -> int:
    """Lines of a function without its head, its result, comments and empty lines."""
    lines = [line.strip() for line in inspect.getsource(function).splitlines()[1:]]
    end = max(i for i, line in enumerate(lines) if line.startswith("return [" if "mti" in function.__name__ else "return"))
    return sum(1 for line in lines[:end] if line and not line.startswith("#"))


# Task, end of its run, both solutions, and what is exact, given what was found.
TASKS = [
    ("three tanks, 37 switches", 1000.0, tanks_by_scipy, tanks_by_mti, lambda found: exact_tanks()),
    ("bouncing ball, impacts and rest", 3.0, ball_by_scipy, ball_by_mti,
     lambda found: exact_ball(sum(kind == "impact" for _, kind in found))),
    ("relay feedback with sliding, 34 events", 10.0, relay_by_scipy, relay_by_mti, lambda found: exact_relay()),
]


def milliseconds(function: Callable[[float], Events], tolerance: float, rounds: int) -> tuple[float, Events]:
    seconds = []
    for _ in range(rounds):
        begun = time.process_time()
        found = function(tolerance)
        seconds.append(time.process_time() - begun)
    return 1e3 * statistics.median(seconds), found


def main() -> int:
    check, faults = "--check" in sys.argv, 0
    print("| task | | lines | rtol = atol | ms | error in s | events missed |\n|---|---|---|---|---|---|---|")
    for task, stop, by_scipy, by_mti, exact in TASKS:
        for word, function in (("`solve_ivp`, RK45", by_scipy), ("`mti.simulate`", by_mti)):
            for tolerance in (1e-6, 1e-8):
                spent, found = milliseconds(function, tolerance, 1 if check else 7)
                error, missed = compare(found, exact(found))
                print(f"| {task} | {word} | {lines_of(function)} | {tolerance:.0e} | {spent:.1f} | {error:.1e} | {missed} |")
                faults += word == "`mti.simulate`" and (missed > 0 or error > 10 * tolerance * stop)
    return int(faults > 0 and check)


if __name__ == "__main__":
    sys.exit(main())
