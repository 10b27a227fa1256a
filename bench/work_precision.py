"""The work-precision diagram of bench/README.md: error over processor time, each engine of mti and what else there is.

    PYTHONPATH=build/bench/python OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/work_precision.py [ENGINES.csv]

draws bench/work_precision.svg from the table that `engine_bench --csv` prints (run here if none is given) and from the same tasks
in SciPy, measured now: three tanks by bench/side_by_side.py, Pleiades written out below.
"""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
import subprocess
import sys
import time
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import side_by_side

FOLDER = Path(__file__).resolve().parent
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
PANELS = {"three_tanks": "Three tanks, 37 events", "relay": "Relay, 9967 events", "stiff_relay": "Stiff relay, 84 events",
          "elastic_ball": "Elastic ball, 1107 impacts", "buck_24": "Buck converter, 99 events", "pleiades": "Pleiades"}  # fmt: skip
COLOURS = {"auto": "#d62728", "series": "#ff9896", "flow": "#9467bd", "ida": "#1f77b4", "IDA by hand": "#17becf",
           "SciPy RK45": "#bcbd22", "SciPy DOP853": "#2ca02c", "SciPy LSODA": "#8c564b"}  # fmt: skip
Points = dict[str, dict[str, list[tuple[float, float]]]]  # task, program: milliseconds, error


def of_engines(text: str) -> Points:
    points: Points = {task: {} for task in PANELS}
    for row in csv.DictReader(io.StringIO(text)):
        if row["task"] not in points:
            continue
        error = float(row["time_error"])
        if math.isnan(error):
            error = float(row["end_error"])
        if math.isfinite(error):
            points[row["task"]].setdefault(row["engine"], []).append((float(row["ms"]), error))
    return points


def milliseconds(work) -> tuple[float, object]:  # noqa: ANN001
    times = []
    for _ in range(5):
        begun = time.process_time()
        result = work()
        times.append(1e3 * (time.process_time() - begun))
    return statistics.median(times), result


def stars(_: float, w: np.ndarray) -> np.ndarray:
    x, y, velocity = w[:7], w[7:14], w[14:]
    dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
    r3 = (dx**2 + dy**2) ** 1.5 + np.eye(7)
    mass = np.arange(1.0, 8.0)
    return np.concatenate([velocity, (mass * dx / r3).sum(axis=1), (mass * dy / r3).sum(axis=1)])


def pleiades_by_scipy(points: Points) -> None:
    end = json.loads((FOLDER / "tasks/pleiades.exact.json").read_text())["end"]
    exact = np.array([end[f"{symbol}{star}"] for symbol in ("x", "y", "vx", "vy") for star in range(1, 8)])
    begin = np.array([3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0])
    for method in ("DOP853", "LSODA"):
        for tolerance in TOLERANCES:
            spent, run = milliseconds(
                lambda m=method, r=tolerance: solve_ivp(stars, (0.0, 3.0), begin, method=m, rtol=r, atol=r))
            error = np.max(np.abs(run.y[:, -1] - exact) / np.maximum(1.0, np.abs(exact)))
            points["pleiades"].setdefault(f"SciPy {method}", []).append((spent, float(error)))


def tanks_by_scipy(points: Points) -> None:
    exact = json.loads((FOLDER.parent / "tests/cases/reference/three_tank.json").read_text())
    times = [event["time"] for event in exact["switches"]]
    for tolerance in TOLERANCES[:-1]:
        spent, switches = milliseconds(lambda r=tolerance: side_by_side.tanks_by_scipy(r))
        if len(switches) == len(times):
            error = max(abs(found - time) for (found, _), time in zip(switches, times, strict=True))
            points["three_tanks"].setdefault("SciPy RK45", []).append((spent, error))


def draw(points: Points) -> None:
    mpl.rcParams.update({"svg.hashsalt": "mti", "svg.fonttype": "none", "font.size": 9})
    figure, axes = plt.subplots(2, 3, figsize=(11, 6.6))
    for (task, title), panel in zip(PANELS.items(), axes.flat, strict=True):
        for program, found in points[task].items():
            spent, error = zip(*found, strict=True)
            panel.loglog(spent, np.maximum(error, 1e-16), "o-", markersize=3.5, linewidth=1, color=COLOURS[program], label=program)
        panel.set_title(title)
        panel.set_xlabel("processor time in ms")
        panel.set_ylabel("error at the end" if task == "pleiades" else "error of event times in s")
        panel.grid(visible=True, which="major", linewidth=0.3)
    handles = {label: handle for panel in axes.flat for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=len(handles), frameon=False)
    figure.tight_layout(rect=(0.0, 0.04, 1.0, 1.0))
    figure.savefig(FOLDER / "work_precision.svg", metadata={"Date": None})


def main() -> None:
    if len(sys.argv) > 1:
        text = Path(sys.argv[1]).read_text()
    else:
        program = FOLDER.parent / "build/bench/bench/engine_bench"
        text = subprocess.run([program, "--csv"], check=True, capture_output=True, text=True).stdout
    points = of_engines(text)
    tanks_by_scipy(points)
    pleiades_by_scipy(points)
    draw(points)


if __name__ == "__main__":
    main()
