"""Runs of models."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from numpy.typing import ArrayLike

from mti import _core
from mti.checked import checked
from mti.document import names_of, run_options
from mti.faults import ModelWarning
from mti.model import Model, loaded
from mti.result import Result


@checked
def simulate(
    model: Model,
    *,
    stop: float | None = None,
    start: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    t_eval: ArrayLike | None = None,
    output_interval: float | None = None,
    max_seconds: float | None = None,
    max_events: int = 1_000_000,
    max_candidates: int = 100_000,
    integrator: str = "auto",
    linear_solver: str = "auto",
    sliding: bool = True,
    scenario: str | None = None,
    remember: bool = True,
    dense: bool | None = None,
    sensitivities: str | Sequence[str] = (),
    explain: bool = False,
    progress: Callable[[float], object] | None = None,
) -> Result:
    """Runs a model from a consistent start to the stop time, through every mode change.

        local error per step ≤ rtol·|v| + atol·nominal

    What is None comes from the model's experiment. `t_eval` are output times, one at least, ascending from start to stop, in
    place of an `output_interval`; events add two rows each. `max_seconds` is wall clock time. `integrator`: "auto" (power series;
    IDA where the model is stiff), "series", "flow" or "ida". `dense` keeps the steps' polynomials for `Result.sol`; by
    default it is on in continuous time. `sensitivities` are parameters, "start(x)", "input(u)" or "table(u,3)" by which the
    run is differentiated, for `Result.sensitivity`; of models from files, texts and equations. With `scenario` the run begins
    as this one of the model's scenarios says: start values are guesses then.
    `explain` keeps of every event why candidates were turned down. `progress` is
    called with the time now and then, in another thread; what it raises ends the run, and comes out with what was computed as its
    attribute `run`.

    A run that cannot go on is returned with what it has: look at `success` or `outcome`. Warnings are `ModelWarning`.
    Errors: `InvalidOption`. Ctrl-C ends the run; the KeyboardInterrupt has what was computed as its attribute `run`.
    Other threads of Python go on meanwhile.

    >>> import mti
    >>> relay = mti.Model(states={"x": 1}, binaries=["on"], equations=["der(x) = 2*on - 1"],
    ...                   constraints=["(x - 2)*on <= 0", "(1 - x)*(1 - on) <= 0"])
    >>> run = mti.simulate(relay, stop=3)
    >>> run.t_events
    array([0., 1., 2., 3.])
    """
    core = loaded(model) if scenario is None else loaded(model).started(scenario)
    options = run_options(
        start=start, stop=stop, rtol=rtol, atol=atol, output_interval=output_interval, t_eval=t_eval,
        max_seconds=max_seconds, max_events=max_events, max_candidates=max_candidates, sliding=sliding,
        remember=remember, dense=model.sample_time == 0 if dense is None else dense, explain=explain,
        integrator=integrator, linear_solver=linear_solver, sensitivities=names_of(sensitivities))  # fmt: skip
    found, raised = _core.simulate(core, options, progress)
    run = Result._of(found, model)
    if raised is not None:
        setattr(raised, "run", run)
        raise raised
    for warning in found.warnings:
        warnings.warn(warning, ModelWarning, stacklevel=3)  # the caller of what `checked` has made
    return run
