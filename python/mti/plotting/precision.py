"""Work and precision: what a smaller error costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mti.model import Model
from mti.plotting.figures import figure_of
from mti.result import Result
from mti.simulation import simulate

if TYPE_CHECKING:
    import matplotlib.figure


class WorkPrecision(NamedTuple):
    """One run: its tolerance, seconds, steps, and the largest error of a state at an output time, relative to the nominal
    value.

    >>> from mti.plotting import WorkPrecision
    >>> WorkPrecision("auto", 1e-6, 2e-3, 50, 1e-7).error
    1e-07
    """

    integrator: str
    tolerance: float
    seconds: float
    steps: int
    error: float


def measured(
    model: Model,
    tolerances: Sequence[float] = (1e-4, 1e-6, 1e-8, 1e-10),
    *,
    integrators: Sequence[str] = ("auto",),
    stop: float | None = None,
    rounds: int = 3,
) -> list[WorkPrecision]:
    """Runs with rtol = atol = each tolerance beside one whose tolerance is a hundredth of the smallest. Of `rounds` runs the
    shortest time counts. A run that does not reach its stop time has the error infinity.

    >>> import mti
    >>> from mti.plotting import measured
    >>> decay = mti.Model(states={"x": 1}, equations=["der(x) = -x"])
    >>> [point.error < 100 * point.tolerance for point in measured(decay, [1e-4, 1e-8])]
    [True, True]
    """
    if model.sample_time > 0:
        raise ValueError("a model of discrete time has no tolerance")
    finest = max(min(tolerances) / 100, 1e-14)
    experiment = model.experiment
    times = np.linspace(experiment["start"] or 0.0, (experiment["stop"] or 0.0) if stop is None else stop, 201)
    exact = _states(simulate(model, rtol=finest, atol=finest, t_eval=times, stop=stop, dense=False))
    points: list[WorkPrecision] = []
    for integrator in integrators:
        for tolerance in tolerances:
            runs = [
                simulate(model, rtol=tolerance, atol=tolerance, t_eval=times, stop=stop, dense=False, integrator=integrator)
                for _ in range(rounds)]
            found = _states(runs[0])
            error = float(np.max(np.abs(found - exact), initial=0.0)) if found.shape == exact.shape else np.inf
            seconds = min(float(run.statistics["wall_seconds"]) for run in runs)
            points.append(WorkPrecision(integrator, tolerance, seconds, int(runs[0].statistics["steps"]), error))
    return points


def _states(run: Result) -> NDArray[np.float64]:
    """The states at output times, in units of their nominal values."""
    rows = run.side == 0
    return np.array([run[state.name][rows] / state.nominal for state in run.model.states], dtype=np.float64)


def work_precision(
    points: Sequence[WorkPrecision], *, figure: matplotlib.figure.Figure | None = None
) -> matplotlib.figure.Figure:
    """Seconds over error on logarithmic axes, a line for each integrator.

    >>> from mti.plotting import WorkPrecision, work_precision
    >>> figure = work_precision([WorkPrecision("auto", 1e-4, 1e-3, 9, 1e-5), WorkPrecision("auto", 1e-6, 2e-3, 12, 1e-7)])
    >>> figure.axes[0].get_lines()[0].get_xdata().tolist()
    [1e-05, 1e-07]
    """
    drawn = figure_of(figure, figsize=(6, 4))
    axes = drawn.add_subplot()
    for integrator in dict.fromkeys(point.integrator for point in points):
        own = [point for point in points if point.integrator == integrator]
        axes.plot([point.error for point in own], [point.seconds for point in own], "o-", label=integrator)
        for point in own:
            if np.isfinite(point.error):
                axes.annotate(f"{point.tolerance:.0e}", (point.error, point.seconds), fontsize="small")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.invert_xaxis()
    axes.set_xlabel("largest error, relative to the nominal value")
    axes.set_ylabel("seconds")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend(loc="best")
    return drawn
