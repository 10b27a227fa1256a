"""Runs that are advanced from outside."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import NoReturn

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from mti import _core
from mti.checked import checked
from mti.document import run_options
from mti.faults import ModelWarning
from mti.linearization import Linearization
from mti.model import Model, loaded
from mti.result import _REACHED_STOP, Event, Result, _event


class Run:
    """A run that is advanced from outside, by a controller or another simulator.

    It stands at its consistent start; `advance(t)` goes on to t, to the next event before it, or to the end. With
    advances alone it is `mti.simulate` of the same options, bit for bit. Options are those of `mti.simulate` but for `sensitivities`,
    `remember` and `progress`; `saved` is
    what `save()` of a run has returned: this one goes on from there, in a model with the same signals, whose parameters
    may be others, with `max_events` and `max_seconds` of its own. Warnings are `ModelWarning`, as they come. Errors: `InvalidOption`; `UnusableFile` for `saved`.

    Ctrl-C raises KeyboardInterrupt out of `advance`; the run can be advanced again.

    >>> import mti
    >>> tank = mti.Model(states={"h": 0}, inputs={"q": 1}, equations=["der(h) = q - h"])
    >>> run = mti.Run(tank, stop=9)
    >>> while not run.ended:                        # a controller, every tenth of a second
    ...     run.set_input("q", 2 * (1 - run["h"]))
    ...     _ = run.advance(run.time + 0.1)
    >>> print(f"{run['h']:.4f}")
    0.6667
    """

    __slots__ = ("_run", "_model", "_rows")
    _run: _core.Run
    _model: Model
    _rows: dict[str, int]

    @checked
    def __init__(
        self,
        model: Model,
        *,
        saved: bytes | None = None,
        scenario: str | None = None,
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
        dense: bool = False,
        explain: bool = False,
    ) -> None:
        options = run_options(
            start=start, stop=stop, rtol=rtol, atol=atol, output_interval=output_interval, t_eval=t_eval,
            max_seconds=max_seconds, max_events=max_events, max_candidates=max_candidates, sliding=sliding,
            dense=dense, explain=explain, integrator=integrator, linear_solver=linear_solver)  # fmt: skip
        if scenario is not None and saved is not None:
            raise ValueError("scenario says how a run begins, and one that was saved has begun")
        core = loaded(model) if scenario is None else loaded(model).started(scenario)
        self._run = _core.Run(core, options, saved)
        self._model = model
        self._rows = {name: row for row, name in enumerate(model.row_names)}
        self._warn(4)

    def _warn(self, frames: int = 3) -> None:
        for warning in self._run.take_warnings():
            warnings.warn(warning, ModelWarning, stacklevel=frames)

    def __copy__(self) -> Run:
        raise TypeError("a run is not copied: Run(model, saved=run.save()) is another one that goes on from here")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a run is not pickled: pickle run.save() and run.model, for Run(model, saved=…)")

    @property
    def model(self) -> Model:
        """The model that is run, with the inputs of its own."""
        return self._model

    @checked
    def advance(self, t: float) -> str:
        """Goes on to t, to the first event before or at it, or to the end: "reached", "event", "ended".

        >>> import mti
        >>> relay = mti.Model(states={"x": 1}, binaries=["on"], equations=["der(x) = 2*on - 1"],
        ...                   constraints=["(x - 2)*on <= 0", "(1 - x)*(1 - on) <= 0"])
        >>> run = mti.Run(relay, stop=3)
        >>> run.advance(0.5), run.advance(2), round(run.time, 9), run["on"]
        ('reached', 'event', 1.0, 0.0)
        """
        end = self._run.advance(t)
        self._warn(4)
        return end

    def set_input(self, name: str, value: float, slope: float = 0.0) -> None:
        """u(t) = value + slope·(t − time) from here on, without an effect if the run has ended. What follows of a jump is decided when the run goes on: until then
        `run[name]` of this input is the value, and all else, and `v`, what it was.
        """
        row = self._rows.get(name, -1) - self._first_input
        if not 0 <= row < len(self._model.inputs):
            inputs = ", ".join(signal.name for signal in self._model.inputs) or "none"
            raise KeyError(f"no input {name!r}; there are {inputs}")
        self._run.set_input(row, value, slope)

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Parameters of the model have these values from here on, as by `Model.bind`; inputs that are functions of them, too.
        States are what they are; what no longer fits is decided as where an input jumps. Errors: `KeyError` for start
        values, which are past; `InvalidOption` for names that are none, and where other signals would follow;
        `InvalidModel`.

        >>> import mti
        >>> decay = mti.Model(parameters={"tau": 2}, states={"x": 1}, equations=["der(x) = -x/tau"])
        >>> run = mti.Run(decay, stop=3)
        >>> _ = run.advance(2)
        >>> run.set_parameters({"tau": 1})
        >>> _ = run.advance(3)
        >>> print(f"{run['x']:.6f}")              # exp(-2/2 - 1/1)
        0.135335
        """
        for group in (self._model.states, self._model.algebraic, self._model.binaries):
            for signal in group:
                if signal.name in values:
                    raise KeyError(f"{signal.name!r} has a start value only, and the run has begun")
        bound = self._model.bind(values)
        self._run.set_parameters(loaded(bound))
        self._model = bound
        self._warn()

    def set_parameter(self, name: str, value: float) -> None:
        """One of them."""
        self.set_parameters({name: value})

    def settle(self) -> str:
        """Decides now what follows from inputs and parameters that were set: "event" if the mode changes, else "reached"."""
        end = self._run.settle()
        self._warn()
        return end

    def derivative(self, t: float | None = None, x: ArrayLike | None = None) -> NDArray[np.float64]:
        """(ẋ, y) that follow from f = 0 in the mode the run is in, in the order of `Model.states` and `Model.algebraic` without
        those of the latter that are auxiliary: where the run stands, or at other t and x, with the inputs as they are then. Nothing of the run is changed; in a mode of
        higher index x is first put on what constrains it, from anywhere where that is linear, else from within the tolerances. Errors: `InvalidModel` where they do not follow; `InvalidOption`.

        >>> import mti
        >>> tank = mti.Model(states={"h": 1}, inputs={"q": 3}, algebraic=["out"], equations=["der(h) = q - out", "out = 2*h"])
        >>> run = mti.Run(tank, stop=9)
        >>> run.derivative(), run.derivative(x=[1.5])
        (array([1., 2.]), array([0., 3.]))
        """
        states = None if x is None else [float(value) for value in np.atleast_1d(np.asarray(x, dtype=np.float64))]
        return self._run.derivative(None if t is None else float(t), states)

    def derivative_jacobian(self) -> scipy.sparse.csc_array:
        """∂(ẋ, y)/∂(x, u) where the run stands, exact; rows as `derivative`, columns `Model.states` and then the inputs that are
        not binary. Errors: those of `derivative`, and `InvalidModel` in modes whose states are not free.

        >>> import mti
        >>> tank = mti.Model(states={"h": 1}, inputs={"q": 3}, algebraic=["out"], equations=["der(h) = q - out", "out = h^2"])
        >>> mti.Run(tank, stop=9).derivative_jacobian().toarray()
        array([[-2.,  1.],
               [ 2.,  0.]])
        """
        return self._run.derivative_jacobian()

    def linearize(self) -> Linearization:
        """The descriptor form where the run stands, in its mode, as of `mti.linearize`.

        >>> import mti
        >>> run = mti.Run(mti.Model(states={"x": 1}, equations=["der(x) = -x^2"]), stop=9)
        >>> _ = run.advance(1)
        >>> print(f"{run.linearize().eigenvalues[0].real:.5f}")
        -1.00000
        """
        return Linearization._of(self._run.linearize(), self._model)

    def save(self) -> bytes:
        """Where the run stands, for `Run(model, saved=…)`, which goes on bit for bit as this one does. Both begin anew here: a run
        that is not saved differs in the last digits.

        >>> import mti
        >>> decay = mti.Model(states={"x": 1}, equations=["der(x) = -x"])
        >>> run = mti.Run(decay, stop=2)
        >>> _ = run.advance(1)
        >>> other = mti.Run(decay, stop=2, saved=run.save())
        >>> _ = run.advance(2), other.advance(2)
        >>> run["x"] == other["x"]
        True
        """
        return self._run.save()

    def finish(self) -> Result:
        """The run is over, wherever it stands: all that it has found. It cannot be used any more."""
        return Result._of(self._run.finish(), self._model)

    @property
    def time(self) -> float:
        """Where the run stands."""
        return self._run.time

    @property
    def v(self) -> NDArray[np.float64]:
        """(ẋ, x, u, y, z) there, in the order of `Model.row_names`; right limits. A copy."""
        return self._run.v

    def __getitem__(self, name: str) -> float:
        """One of them by its name, such as "x" or "der(x)"."""
        if name not in self._rows:
            raise KeyError(f"no signal {name!r}; there are {', '.join(self._rows)}")
        return self._run.value(self._rows[name])

    @property
    def mode(self) -> Mapping[str, int]:
        """The binaries there, 0 or 1; of one that slides the side it came from: `run[name]` is its weight."""
        return dict(zip((signal.name for signal in self._model.binaries), self._run.mode))

    @property
    def event(self) -> Event | None:
        """What ended the last advance, if that was an event."""
        found = self._run.event_json()
        return None if found is None else _event(json.loads(found))

    @property
    def ended(self) -> bool:
        """The run has ended: see `outcome`."""
        return self._run.ended

    @property
    def outcome(self) -> str | None:
        """How the run has ended, as `Result.outcome`; None while it goes on."""
        return self._run.outcome if self.ended else None

    @property
    def message(self) -> str:
        """Why the run has ended, in the model's names, as `Result.message`; empty while it goes on."""
        return _REACHED_STOP if self.outcome == "reached_stop" else self._run.message

    @property
    def _first_input(self) -> int:
        return 2 * len(self._model.states)

    def __repr__(self) -> str:
        name = f" of {self._model.name}" if self._model.name else ""
        if self._run.finished:
            return f"<mti.Run{name}, finished>"
        return f"<mti.Run{name} at t = {self.time:g}{', ended: ' + self._run.outcome if self.ended else ''}>"
