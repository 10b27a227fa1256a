"""Arrays lie in the memory of C++: no copy, read-only, and valid as long as one of them lives."""

from __future__ import annotations

import gc
import resource
import weakref

import numpy as np
import pytest

import mti
from models import decay, relay


def test_signals_are_views_of_the_rows() -> None:
    run = mti.simulate(relay(), stop=4.5)
    assert np.shares_memory(run["x"], run.y) and np.shares_memory(run.y, run.y)
    assert run.t.base is not None and np.shares_memory(run.t, run.t)
    assert np.array_equal(run.y[run.names.index("x")], run["x"])


@pytest.mark.parametrize("name", ["t", "side", "y", "v_end"])
def test_rows_cannot_be_written(name: str) -> None:
    array = getattr(mti.simulate(decay(), stop=1), name)
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.setflags(write=True)


def test_an_array_keeps_its_run_alive() -> None:
    run = mti.simulate(decay(), stop=1, rtol=1e-9)
    y, x, t = run.y, run["x"], run.t
    expected = y.copy()
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is None
    others = [mti.simulate(decay(3.0), stop=1) for _ in range(20)]  # what has been let go would be used again
    assert np.array_equal(y, expected) and np.array_equal(x, expected[0])
    assert np.allclose(x, np.exp(-t), rtol=1e-6)
    del others


def test_matrices_are_views_of_the_model() -> None:
    model = relay()
    for matrix in (model.S, model.Phi_eq, model.Phi_ineq):
        with pytest.raises(ValueError, match="read-only"):
            matrix.data[...] = 0
    assert np.shares_memory(model.S.data, model.S.data) and np.shares_memory(model.S.indices, model.S.indices)
    S, dense = model.S, model.S.toarray()
    del model
    gc.collect()
    others = [relay() for _ in range(20)]
    assert np.array_equal(S.toarray(), dense)
    del others


def test_no_rows_are_copied() -> None:
    rows = 2_000_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run = mti.simulate(decay(), stop=1, output_interval=1 / rows, dense=False)
    assert run.t.size == rows + 1
    made = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    views = [run.t, run.side, run.y, run["x"], run.y.T]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - made < 1000  # kB; a column has 16,000
    assert made > before and len(views) == 5


def test_runs_that_are_gone_take_no_memory() -> None:
    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    model = relay()
    for _ in range(1000):
        mti.simulate(model, stop=3)
    before = resident()
    for _ in range(10_000):
        run = mti.simulate(model, stop=3)
        run["x"], run.events[0], run.sol(1.0)
    # 10,000 leaks of only 100 bytes are a megabyte; pages of the allocator come and go.
    assert resident() - before < 1_000_000
