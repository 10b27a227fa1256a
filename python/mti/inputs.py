"""Inputs that are functions of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mti import _core


def input_function(
    u: Callable[[float], float],
    start: float,
    stop: float,
    *,
    tolerance: float = 1e-10,
    kinks: Sequence[float] = (),
    nominal: float | None = None,
    unit: str | None = None,
) -> dict[str, Any]:
    """A function of time as an input of a model: polynomials that agree with it,

        |u(t) − p(t)| ≤ tolerance · max(1, max |u|),    start ≤ t ≤ stop .

    u is looked at 2000 times at least: name a pulse narrower than that among the kinks. The first and last value hold outside. `kinks` are times at which u or its derivatives jump. u is asked once, here, and not by runs; a
    spline of SciPy (PPoly, CubicSpline, PchipInterpolator) is taken as the polynomials that it is. Errors: `InvalidOption`, id `not-smooth`; what u raises.

    >>> import mti, math
    >>> u = mti.input_function(lambda t: math.exp(-t)*math.sin(5*t), 0, 3)
    >>> run = mti.simulate(mti.Model(states=["x"], inputs={"u": u}, equations=["der(x) = u"]), stop=3, rtol=1e-10, atol=1e-10)
    >>> bool(abs(run["x"][-1] - (5 - math.exp(-3)*(math.sin(15) + 5*math.cos(15)))/26) < 1e-9)
    True
    """
    if hasattr(u, "c") and hasattr(u, "x"):
        time, pieces = np.asarray(u.x, dtype=np.float64), np.asarray(u.c, dtype=np.float64)
        if pieces.ndim != 2:
            raise ValueError("a spline of one value is expected; one of several is split into its columns")
        inside = (time[:-1] < stop) & (time[1:] > start)
        first, last = int(np.argmax(inside)), len(inside) - int(np.argmax(inside[::-1]))
        polynomial = {"time": time[first : last + 1].tolist(), "coefficients": pieces[::-1, first:last].T.tolist()}
    else:
        times, coefficients = _core.input_function(u, start, stop, tolerance, list(kinks))
        polynomial = {"time": times, "coefficients": coefficients}
    form: dict[str, Any] = {"polynomial": polynomial}
    if nominal is not None:
        form["nominal"] = nominal
    if unit is not None:
        form["unit"] = unit
    return form
