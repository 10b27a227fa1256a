"""Siconos (time stepping of Moreau and Jean, theta = 1/2) on the diode bridge and the brake line of three cars.

Usage: siconos_runs.py REFERENCE_DIRECTORY; prints one line per problem and step:
    tool | problem | setting | seconds | error | events | missed
The models are those of Siconos examples/electronics/DiodeBridge and examples/control/train_brakes. Events are the
steps at which the set of conducting diodes changes.
"""
import json
import pathlib
import statistics
import sys
import time

import numpy as np
import siconos.kernel as sk


def stepping(x0, A, C, D, B, T, h, b=None, input_at=None):
    """Runs x' = A x + b(t) + B lambda, 0 <= C x + D lambda, complementary to lambda >= 0; returns x at each step and
    the complementarity's lambda > 0 pattern."""
    ds = sk.FirstOrderLinearDS(list(x0), A) if b is None else sk.FirstOrderLinearDS(list(x0), A, b)
    relation = sk.FirstOrderLinearTIR(C, B)
    relation.setDPtr(D)
    interaction = sk.Interaction(sk.ComplementarityConditionNSL(len(D)), relation)
    system = sk.NonSmoothDynamicalSystem(0.0, T)
    system.insertDynamicalSystem(ds)
    system.link(interaction, ds)
    simulation = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), sk.EulerMoreauOSI(0.5), sk.LCP())
    steps = int(round(T / h))
    xs, patterns = np.empty((steps + 1, len(x0))), np.empty((steps + 1, len(D)), dtype=bool)
    xs[0], patterns[0] = x0, False
    x, lam = ds.x(), interaction.lambda_(0)
    begun = time.process_time()
    for k in range(1, steps + 1):
        if input_at is not None:
            ds.setbPtr(input_at(k * h))
        simulation.computeOneStep()
        xs[k], patterns[k] = x, lam > 0.0
        simulation.nextStep()
    return time.process_time() - begun, xs, patterns


def changes(patterns):
    return [k for k in range(2, len(patterns)) if (patterns[k] != patterns[k - 1]).any()]


def line(problem, h, seconds, error, found, missed):
    print(f"Siconos EulerMoreauOSI | {problem} | h = {h:.0e} | {seconds:.4g} | {error:.1e} | {found} | {missed}",
          flush=True)


def bridge(h):
    L, c, R = 1e-2, 1e-6, 1e3
    A = np.array([[0.0, -1.0 / c], [1.0 / L, 0.0]])
    C = [[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]
    D = [[1 / R, 1 / R, -1.0, 0.0], [1 / R, 1 / R, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]
    B = [[0.0, 0.0, -1 / c, 1 / c], [0.0, 0.0, 0.0, 0.0]]
    return stepping([10.0, 0.0], A, C, D, B, 5e-3, h)


def brakes(h, n=3):
    """u_i' = (k_i + l_i)/C, v_i' = l_i/D with l_i = j_{i-1} - j_i - k_i and j_{i-1} = (w_{i-1} - w_i)/R;
    0 <= k_i, complementary to -h_i = S k_i - v_i >= 0."""
    R, S, C_, D_ = 100.0, 10.0, 1e-3, 1e-4
    flow, source = np.zeros((n, 2 * n)), np.zeros(n)
    for i in range(n):
        for j, sign in ((i, 1.0), (i + 1, -1.0)):  # j_{j-1} flows in, j_j out
            if j == n:
                continue
            for car, part in ((j - 1, 1.0), (j, -1.0)):
                if car < 0:
                    source[i] += sign * part / R
                else:
                    flow[i, [car, n + car]] += sign * part / R
    A = np.vstack([flow / C_, flow / D_])
    b = np.concatenate([source / C_, source / D_])
    B = np.vstack([np.zeros((n, n)), -np.eye(n) / D_])
    C = np.hstack([np.zeros((n, n)), -np.eye(n)])
    place = 0.6667 * np.arange(n) / n
    x0 = np.concatenate([7.5 * (1 - 0.6667 + place), -7.5 * (1 + place)])
    on, off = 10.0 * b, 0.0 * b
    return stepping(x0, A, C, S * np.eye(n), B, 10.0, h, on, lambda t: on if t <= 5.0 + 0.5 * h else off)


def main():
    references = pathlib.Path(sys.argv[1])
    read = lambda name: json.loads((references / (name + ".json")).read_text())
    for problem, name, run, signals, sizes, steps in (
            ("diode bridge", "siconos_diode_bridge", bridge, ("v", "i"), (10.0, 0.1), (1e-6, 1e-7)),
            ("brake line, 3 cars", "siconos_train_brakes_n", brakes, ("u1", "u2", "u3", "v1", "v2", "v3"), (10.0,) * 6,
             (1e-3, 1e-4))):
        reference = read(name)
        for h in steps:
            seconds, xs, patterns = run(h)
            error = max(abs(xs[int(round(s["time"] / h)), k] - s["values"][signal]) / size
                        for s in reference["samples"] for k, (signal, size) in enumerate(zip(signals, sizes)))
            found = [k * h for k in changes(patterns)]
            times = [s["time"] for s in reference["switches"]]
            # Every expected change has a step of its own within two steps, or it is missed.
            free = list(found)
            missed = 0
            for t in times:
                near = [f for f in free if abs(f - t) <= 2.0 * h]
                if near:
                    free.remove(near[0])
                else:
                    missed += 1
            line(problem, h, seconds, error, len(found), missed)


main()
