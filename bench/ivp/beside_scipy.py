"""The problems of the IVP test set in this folder: time and error of mti, and of SciPy where a problem is an ODE.

    PYTHONPATH=build/bench/python /usr/bin/python3 bench/ivp/beside_scipy.py [--with-ring-modulator]

The error is the largest of |v - s|/(|s| + atol/rtol) over the published end values s, in units of rtol.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

import mti

FOLDER = Path(__file__).parent


def published(name: str) -> tuple[dict[str, float], float]:
    """The end values, and atol over rtol."""
    expected = json.loads((FOLDER / f"{name}.expect.json").read_text())
    return expected["samples"][-1]["values"], expected["run"]["atol"] / expected["run"]["rtol"]


def error(found: dict[str, float], values: dict[str, float], scale: float, rtol: float) -> float:
    return max(abs(found[name] - value) / (abs(value) + scale) for name, value in values.items()) / rtol


def with_mti(name: str, rtol: float) -> None:
    values, scale = published(name)
    model = mti.read(FOLDER / f"{name}.json")
    began = time.perf_counter()
    run = mti.simulate(model, rtol=rtol, atol=scale * rtol)
    seconds = time.perf_counter() - began
    found = {signal: run[signal][-1] for signal in values}
    print(f"{name:22} {rtol:7.0e}  mti     {seconds:8.3f} s  {error(found, values, scale, rtol):8.2g} rtol  "
          f"{run.statistics['steps']} steps {run.outcome}")  # fmt: skip


def ring_modulator(t: float, y: np.ndarray, p: dict[str, float]) -> np.ndarray:
    u1, u2 = 0.5 * math.sin(2e3 * math.pi * t), 2.0 * math.sin(2e4 * math.pi * t)
    q = [p["gamma"] * (math.exp(p["delta"] * u) - 1.0)
         for u in (y[2] - y[4] - y[6] - u2, -y[3] + y[5] - y[6] - u2, y[3] + y[4] + y[6] + u2, -y[2] - y[5] + y[6] + u2)]  # fmt: skip
    return np.array([
        (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / p["R"]) / p["C"],
        (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / p["R"]) / p["C"],
        (y[9] - q[0] + q[3]) / p["Cs"], (-y[10] + q[1] - q[2]) / p["Cs"],
        (y[11] + q[0] - q[2]) / p["Cs"], (-y[12] - q[1] + q[3]) / p["Cs"],
        (-y[6] / p["Rp"] + q[0] + q[1] - q[2] - q[3]) / p["Cp"], -y[0] / p["Lh"], -y[1] / p["Lh"],
        (0.5 * y[0] - y[2] - p["Rg2"] * y[9]) / p["Ls2"], (-0.5 * y[0] + y[3] - p["Rg3"] * y[10]) / p["Ls3"],
        (0.5 * y[1] - y[4] - p["Rg2"] * y[11]) / p["Ls2"], (-0.5 * y[1] + y[5] - p["Rg3"] * y[12]) / p["Ls3"],
        (-y[0] + u1 - (p["Ri"] + p["Rg1"]) * y[13]) / p["Ls1"], (-y[1] - (p["Rc"] + p["Rg1"]) * y[14]) / p["Ls1"],
    ])  # fmt: skip


def with_scipy(method: str, rtol: float) -> None:
    values, scale = published("ring_modulator")
    parameters = json.loads((FOLDER / "ring_modulator.json").read_text())["parameters"]
    began = time.perf_counter()
    run = solve_ivp(ring_modulator, (0.0, 1e-3), np.zeros(15), method=method, args=(parameters,), rtol=rtol,
                    atol=scale * rtol)  # fmt: skip
    seconds = time.perf_counter() - began
    found = {f"y{i + 1}": run.y[i, -1] for i in range(15)}
    print(f"{'ring_modulator':22} {rtol:7.0e}  {method:7} {seconds:8.3f} s  {error(found, values, scale, rtol):8.2g} rtol  "
          f"{run.t.size} steps {run.message}")  # fmt: skip


if __name__ == "__main__":
    for problem in sorted(path.name.split(".")[0] for path in FOLDER.glob("*.expect.json")):
        if problem == "ring_modulator":
            continue
        for tolerance in (1e-6, 1e-8, 1e-10):
            with_mti(problem, tolerance)
    if "--with-ring-modulator" in sys.argv:
        with_mti("ring_modulator", 1e-6)
        for scipy_method in ("Radau", "BDF", "LSODA"):
            with_scipy(scipy_method, 1e-6)
