"""Runs in several threads of one model, and Python beside them."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np

import mti
from models import ball, decay, endless


def final_value(model: mti.Model) -> float:
    return float(mti.simulate(model, stop=1, rtol=1e-9, atol=1e-12)["x"][-1])


def test_threads_share_a_model() -> None:
    model = ball()
    alone = mti.simulate(model, stop=1.5)
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: mti.simulate(model, stop=1.5), range(24)))
    for run in runs:
        assert np.array_equal(run.y, alone.y) and np.array_equal(run.t_events, alone.t_events)


def test_functions_of_a_model_are_shared() -> None:
    model = ball()
    points = np.random.default_rng(3).uniform(-1, 1, (200, len(model.row_names)))
    alone = [model.f(v) for v in points]
    fresh = ball()
    with ThreadPoolExecutor(4) as pool:
        assert np.array_equal(list(pool.map(fresh.f, points)), alone)


def test_python_goes_on_beside_a_run() -> None:
    counted = 0
    running = threading.Thread(
        target=lambda: mti.simulate(endless(), stop=1e6, max_events=10**9, max_seconds=1.0, dense=False, output_interval=1e4))
    running.start()
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        counted += 1
        time.sleep(0.001)
    assert running.is_alive()
    running.join()
    assert counted > 25  # of some 500; with the lock held it would be none


def test_other_processes_take_models() -> None:
    models = [decay(rate) for rate in (0.5, 1.0, 2.0)]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(final_value, models))
    assert np.allclose(found, np.exp([-0.5, -1, -2]), rtol=1e-7)
