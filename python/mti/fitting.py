"""Parameters from measured data."""

from __future__ import annotations

import csv
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mti import _core
from mti.faults import Fault, NotReached
from mti.plans import Plan, text_and_place

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas


class Estimate(NamedTuple):
    """An estimate with its standard deviation and its confidence interval, NaN where the data do not determine it or a bound
    holds it: "lower" or "upper".

    >>> import mti
    >>> mti.Estimate("tau", 9.8, 0.2, (9.4, 10.2)).value
    9.8
    """

    name: str
    value: float
    deviation: float
    interval: tuple[float, float]
    at_bound: str = ""


class Fit:
    """What `fit` has found: `estimates` by name, `end` ("converged", or how the search ended otherwise), and `details`, which is
    all of fit.json.

    >>> import mti
    >>> decay = {"parameters": {"a": 1}, "states": [{"name": "x", "start": 2}], "equations": ["der(x) = -a*x"]}
    >>> found = mti.fit({"model": decay, "parameters": {"a": {"start": 1, "lower": 0, "upper": 5}}, "experiments": [
    ...     {"name": "one", "signals": {"x": {"time": [0.5, 1, 2], "value": [1.2131, 0.7358, 0.2707]}}}]})
    >>> found.end, round(found.values["a"], 3)
    ('converged', 1.0)
    """

    def __init__(self, details: dict[str, Any], residuals: dict[str, NDArray[Any]]) -> None:
        self.details = details
        self.end: str = details["end"]
        self.residuals = residuals
        self.estimates = {one["name"]: _estimate(one) for one in details["parameters"]}

    @property
    def converged(self) -> bool:
        """Whether the search has come to a minimum."""
        return self.end == "converged"

    @property
    def values(self) -> dict[str, float]:
        """The estimates alone: `mti.read(file, set=fit.values)` is the model with them."""
        return {name: estimate.value for name, estimate in self.estimates.items()}

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Of the estimates, in their order; NaN for those that have no deviation."""
        return np.array(self.details["covariance"], dtype=np.float64)

    def to_frame(self) -> pandas.DataFrame:
        """A line for each datum: experiment, quantity, time, measured, fitted, and the residual in units of its deviation."""
        import pandas

        return pandas.DataFrame(self.residuals)

    def plot(self, *, figure: matplotlib.figure.Figure | None = None) -> matplotlib.figure.Figure:
        """Data with what was fitted, and residuals below. See `mti.plotting.residuals`."""
        from mti import plotting

        return plotting.residuals(self, figure=figure)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        return f"<mti.Fit: {self.end}, {values}>"


def _estimate(one: dict[str, Any]) -> Estimate:
    def number(value: float | None) -> float:
        return np.nan if value is None else float(value)

    low, high = one["interval"]
    return Estimate(one["name"], float(one["value"]), number(one["deviation"]), (number(low), number(high)),
                    one.get("at_bound", ""))  # fmt: skip


def fit(
    plan: Plan,
    *,
    starts: int | None = None,
    iterations: int | None = None,
    seed: int | None = None,
    max_seconds: float | None = None,
    directory: str | os.PathLike[str] = "",
    confine: bool = False,
) -> Fit:
    """Estimates parameters from measured signals and times of events, over several experiments (docs/fitting.md).

        min_p ½ Σ ρ(r²),    r = (y(t; p) − y_measured)/σ

    `plan` is a file, or what one says as a dictionary, without `format` and `version` if one likes; its `model` may be a `Model`
    that was read or built. What is None comes from the plan. Look at `converged` before the numbers.

    Errors: `InvalidModel`, `InvalidOption`; `NotReached`, id `no-fit`, where the data cannot be computed at any start. Ctrl-C ends
    the search; the KeyboardInterrupt has the best point, if there is one, as its attribute `fit`.

    >>> import mti
    >>> ball = mti.Model(states={"h": 1, "v": 0}, parameters={"g": 9}, equations=["der(h) = v", "der(v) = -g"],
    ...                  constraints=[{"name": "floor", "text": "-h <= 0"}],
    ...                  transitions=[{"when": "reach(floor)", "equations": ["v = -0.8*pre(v)"]}])
    >>> found = mti.fit({"model": ball, "parameters": {"g": {"start": 9, "lower": 5, "upper": 15}},
    ...                  "experiments": [{"name": "drop", "stop": 1, "events": {"reach(floor)": {"time": [0.4515236]}}}]})
    >>> round(found.values["g"], 4)
    9.81
    """
    text, folder = text_and_place(plan, "mti-fit", os.fspath(directory))
    details, residuals, end, message, raised = _core.fit(
        text, directory=folder, confine=confine, starts=starts, iterations=iterations, seed=seed,
        max_seconds=max_seconds)  # fmt: skip
    found = Fit(json.loads(details), _columns(residuals)) if details else None
    if raised is not None:
        setattr(raised, "fit", found)
        raise raised
    if found is None:
        raise NotReached([Fault("no-fit" if end == "no_start" else end, "", message or "the search has not come to its first point")])
    return found


def _columns(table: str) -> dict[str, NDArray[Any]]:
    lines = csv.reader(table.splitlines())
    names = next(lines)
    cells = list(zip(*lines)) or [()] * len(names)
    return {name: np.array(column if name in ("experiment", "quantity") else [float(cell) if cell else np.nan for cell in column])
            for name, column in zip(names, cells)}  # fmt: skip
