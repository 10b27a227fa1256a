"""Inputs that are functions of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.interpolate
from numpy.typing import ArrayLike

from mti import _core
from mti.checked import checked
from mti.document import numbers


@checked
def input_function(
    u: Callable[[float], float],
    start: float,
    stop: float,
    *,
    tolerance: float = 1e-10,
    kinks: ArrayLike = (),
    nominal: float | None = None,
    unit: str | None = None,
) -> dict[str, Any]:
    """A function of time as an input of a model: polynomials that agree with it,

        |u(t) − p(t)| ≤ tolerance · max(1, max |u|),    start ≤ t ≤ stop .

    u is looked at 2000 times at least: name a pulse narrower than that among the kinks. The first and last value hold outside. `kinks` are times at which u or its derivatives jump. u is asked once, here, and not by runs; a
    spline of SciPy (PPoly, CubicSpline, PchipInterpolator) is taken as the polynomials that it is, beyond its knots as it extrapolates. Errors: `InvalidOption`, id `not-smooth`; ValueError for a spline that ends
    between `start` and `stop`; what u raises.

    >>> import mti, math
    >>> u = mti.input_function(lambda t: math.exp(-t)*math.sin(5*t), 0, 3)
    >>> run = mti.simulate(mti.Model(states=["x"], inputs={"u": u}, equations=["der(x) = u"]), stop=3, rtol=1e-10, atol=1e-10)
    >>> bool(abs(run["x"][-1] - (5 - math.exp(-3)*(math.sin(15) + 5*math.cos(15)))/26) < 1e-9)
    True
    """
    if isinstance(u, scipy.interpolate.PPoly):
        polynomial = _pieces(u, start, stop)
    else:
        within = [float(kink) for kink in np.atleast_1d(numbers(kinks, "kinks"))]
        if not all(start <= kink <= stop for kink in within):
            raise ValueError(f"kinks: expected times from {start!r} to {stop!r}, found {within}")

        def number(t: float) -> float:
            value = u(t)
            if isinstance(value, (str, bytes)) or np.ndim(value) > 1 or np.size(value) != 1 or np.iscomplexobj(value):
                raise TypeError(f"u({t!r}): expected a number, found {value!r}")
            try:
                return float(np.asarray(value).reshape(())[()])
            except (TypeError, ValueError):
                raise TypeError(f"u({t!r}): expected a number, found {value!r}") from None

        times, coefficients = _core.input_function(number, start, stop, tolerance, within)
        polynomial = {"time": times, "coefficients": coefficients}
    form: dict[str, Any] = {"polynomial": polynomial}
    if nominal is not None:
        form["nominal"] = nominal
    if unit is not None:
        form["unit"] = unit
    return form


def _pieces(u: Any, start: float, stop: float) -> dict[str, Any]:
    """The polynomials of a spline from `start` to `stop`, each in powers of the time since it begins."""
    knots, c = np.asarray(u.x, dtype=np.float64), np.asarray(u.c, dtype=np.float64)
    if c.ndim == 2 and knots[0] > knots[-1]:  # each in powers of the time since its end
        c = np.array([_about(c[:, i], knots[i + 1] - knots[i])[::-1] for i in range(len(knots) - 1)])[::-1].T
        knots = knots[::-1]
    if c.ndim != 2:
        raise ValueError("a spline of one value is expected; one of several is split into its columns")
    if not start < stop:
        raise ValueError(f"expected start < stop, found {start!r} and {stop!r}")
    if not u.extrapolate and not knots[0] <= start < stop <= knots[-1]:
        raise ValueError(f"the spline is one from {knots[0]} to {knots[-1]}, and not from {start} to {stop}")
    period = knots[-1] - knots[0]
    shifts = [0.0]
    if u.extrapolate == "periodic":
        shifts = [period * k for k in range(int((start - knots[0]) // period), int((stop - knots[0]) // period) + 1)]
    time, coefficients = [start], []
    for shift in shifts:
        for i in range(len(knots) - 1):
            is_last = shift == shifts[-1] and i == len(knots) - 2
            end = stop if is_last else min(stop, knots[i + 1] + shift)
            if end > time[-1]:
                coefficients.append(_about(c[:, i], time[-1] - (knots[i] + shift)))
                time.append(end)
    return {"time": time, "coefficients": coefficients}


def _about(c: Any, h: float) -> list[float]:
    """p(t) = Σ c_k t^(n−k) in rising powers of t − h."""
    values = [float(value) for value in c]
    for n in range(len(values), 1, -1) if h != 0.0 else ():
        for k in range(1, n):
            values[k] += h * values[k - 1]
    return values[::-1]
