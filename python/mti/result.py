"""What a run has found."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mti import _core
from mti.document import numbers
from mti.kept import KeptTrajectory, kept
from mti.model import Model

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas
    import xarray

_REACHED_STOP = "The run reached its stop time."
_STOPPED_FROM_OUTSIDE = ("time_budget", "interrupted", "event_limit", "candidate_limit", "out_of_memory")


@dataclass(frozen=True)
class Impulse:
    """weight · δ^(order − 1) of a signal at an event; `lower`: the parts of lower order as (weight, order).

    >>> import mti
    >>> mti.Impulse(weight=-2.0, order=1)
    Impulse(weight=-2.0, order=1, lower=())
    """

    weight: float
    order: float
    lower: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Event:
    """One instant at which the mode changed, in the model's names (docs/events.md).

    `kind`: "initial", "switch", "law", "slide_begin", "slide_end", "zeno" or "input". `constraints` are those that
    arrived; `changed` and `jumps` have (before, after) of binaries and states; `emitted` are names of laws, as of a "when",
    that were applied. `sensitivity` is ∂time/∂p where it was asked
    for, `undefined` (parameters, reason) of derivatives that do not exist from here on.

    >>> import mti
    >>> relay = mti.Model(states={"x": 1}, binaries=["on"], equations=["der(x) = 2*on - 1"],
    ...                   constraints={"high": "(x - 2)*on <= 0", "low": "(1 - x)*(1 - on) <= 0"})
    >>> event = mti.simulate(relay, stop=1.5).events[1]
    >>> round(event.time, 9), event.kind, event.constraints, event.changed
    (1.0, 'switch', ('high',), {'on': (1.0, 0.0)})
    """

    time: float
    kind: str
    constraints: tuple[str, ...] = ()
    changed: dict[str, tuple[float, float]] = field(default_factory=dict)
    jumps: dict[str, tuple[float, float]] = field(default_factory=dict)
    impulses: dict[str, Impulse] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    candidates_tried: int = 0
    ties: tuple[dict[str, tuple[float, float]], ...] = ()
    steps: tuple[dict[str, tuple[float, float]], ...] = ()
    explanation: tuple[dict[str, Any], ...] = ()
    sensitivity: dict[str, float] = field(default_factory=dict)
    undefined: tuple[tuple[tuple[str, ...], str], ...] = ()
    emitted: tuple[str, ...] = ()


def _number(found: float | None) -> float:
    """JSON has no number for what is not finite."""
    return float("nan") if found is None else float(found)


def _changes(found: dict[str, list[float]]) -> dict[str, tuple[float, float]]:
    return {name: (_number(before), _number(after)) for name, (before, after) in found.items()}


def _impulse(found: dict[str, Any]) -> Impulse:
    lower = tuple((_number(part["weight"]), float(part["order"])) for part in found.get("lower", ()))
    return Impulse(_number(found["weight"]), float(found["order"]), lower)


def _event(found: dict[str, Any]) -> Event:
    return Event(
        time=float(found["time"]), kind=found["kind"], constraints=tuple(found["constraints"]),
        changed=_changes(found["changed"]), jumps=_changes(found["jumps"]), impulses={name: _impulse(part) for name, part in found["impulses"].items()},
        left=tuple(found.get("left", ())), returned=tuple(found.get("returned", ())),
        candidates_tried=found["candidates_tried"], ties=tuple(map(_changes, found["ties"])),
        steps=tuple(map(_changes, found.get("steps", ()))),
        explanation=tuple(found.get("explanation", ())),
        sensitivity={name: _number(value) for name, value in found.get("sensitivity", {}).items()},
        undefined=tuple((tuple(one["parameters"]), one["reason"]) for one in found.get("undefined", ())),
        emitted=tuple(found.get("emitted", ())))  # fmt: skip


class Events(Sequence[Event]):
    """The events of a run; each is put together when it is asked for."""

    def __init__(self, trajectory: _core.Trajectory | KeptTrajectory) -> None:
        self._trajectory = trajectory

    def __len__(self) -> int:
        return self._trajectory.event_count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = index + len(self) if index < 0 else index
        if not 0 <= i < len(self):
            raise IndexError(f"event {index} of {len(self)}")
        return _event(json.loads(self._trajectory.event_json(i)))

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> tuple[type[Events], tuple[KeptTrajectory]]:
        return Events, (kept(self._trajectory),)

    def __repr__(self) -> str:
        return f"<{len(self)} event{'' if len(self) == 1 else 's'}>"


class Result:
    """What a run has found, in the words of scipy.integrate.solve_ivp where it has them.

    Arrays look into the memory of the run: nothing is copied, they can only be read, and keep the run alive. To another
    process, by pickle, go rows, events and summary; `sol` and files but .nc are asked for before.

    >>> import mti
    >>> decay = mti.Model(states={"x": 1}, equations=["der(x) = -x"])
    >>> run = mti.simulate(decay, stop=1, t_eval=[0, 0.5, 1])
    >>> run.success, run.t, run["x"].shape, run.y.shape
    (True, array([0. , 0.5, 1. ]), (3,), (1, 3))
    >>> print(f"{run['x'][-1]:.4f} {run.sol(0.25)[0]:.4f}")
    0.3679 0.7788
    """

    _trajectory: _core.Trajectory | KeptTrajectory
    _model: Model

    def __init__(self) -> None:
        raise TypeError("a Result is made by mti.simulate")

    @classmethod
    def _of(cls, trajectory: _core.Trajectory | KeptTrajectory, model: Model) -> Result:
        run = cls.__new__(cls)
        run._trajectory = trajectory
        run._model = model
        return run

    def __reduce__(self) -> tuple[Any, tuple[KeptTrajectory, Model]]:
        return Result._of, (kept(self._trajectory), self._model)

    def __copy__(self) -> Result:
        return self

    def __deepcopy__(self, memo: object) -> Result:
        return self

    @property
    def model(self) -> Model:
        """The model that was run."""
        return self._model

    @property
    def success(self) -> bool:
        """The stop time was reached."""
        return self.outcome == "reached_stop"

    @property
    def outcome(self) -> str:
        """How the run ended: "reached_stop", "dead_end", "zeno", "time_budget", … (docs/events.md)."""
        return self._trajectory.outcome

    @property
    def status(self) -> int:
        """0: the stop time was reached; 1: ended by a limit or from outside; −1: the run could not go on."""
        return 0 if self.success else 1 if self.outcome in _STOPPED_FROM_OUTSIDE else -1

    @property
    def message(self) -> str:
        """Why the run ended, in the model's names.

        >>> import mti
        >>> mti.simulate(mti.Model(states={"x": 1}, equations=["der(x) = -x"])).message
        'The run reached its stop time.'
        """
        return _REACHED_STOP if self.success else self._trajectory.message

    @property
    def end_time(self) -> float:
        """Where the run ended."""
        return self._trajectory.end_time

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was told of the model before and during the run."""
        return tuple(self._trajectory.warnings)

    @property
    def names(self) -> tuple[str, ...]:
        """The signals of `y`: states, algebraic signals, binaries."""
        return tuple(self._trajectory.names)

    @property
    def t(self) -> NDArray[np.float64]:
        """Times of the rows, ascending; an event has two rows of the same time."""
        return self._trajectory.times

    @property
    def side(self) -> NDArray[np.int8]:
        """Of each row: 0 at output times; −1 and 1 where it is the limit from the left and from the right."""
        return self._trajectory.sides

    @property
    def y(self) -> NDArray[np.float64]:
        """y[i, k]: the signal names[i] at t[k]."""
        values: NDArray[np.float64] = self._trajectory.values.T
        return values

    @property
    def v_end(self) -> NDArray[np.float64]:
        """All of v where the run ended, in the order of `Model.row_names`."""
        return self._trajectory.end_point

    @property
    def t_events(self) -> NDArray[np.float64]:
        """Times of the events."""
        return self._trajectory.event_times

    @property
    def events(self) -> Sequence[Event]:
        """The events, in the model's names."""
        return Events(self._trajectory)

    @property
    def summary(self) -> dict[str, Any]:
        """Outcome, statistics, options, accumulations, absences as in summary.json."""
        found: dict[str, Any] = json.loads(self._trajectory.summary_json())
        return found

    @property
    def statistics(self) -> dict[str, Any]:
        """Steps, events, candidates, seconds."""
        found: dict[str, Any] = self.summary["statistics"]
        return found

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A signal or an input at all rows, a view; with what `Run.set_input` has set."""
        columns, inputs = self._columns
        if name in columns:
            column: NDArray[np.float64] = self._trajectory.values[:, columns[name]]
            return column
        if name in inputs:
            value: NDArray[np.float64] = self._trajectory.inputs[:, inputs[name]]
            return value
        raise KeyError(f"no signal {name!r}; there are {', '.join([*columns, *inputs])}")

    def __contains__(self, name: object) -> bool:
        return any(name in known for known in self._columns)

    @functools.cached_property
    def _columns(self) -> tuple[dict[str, int], dict[str, int]]:
        """Columns of `y` and of the inputs, by name."""
        inputs = (signal[0] for signal in self._model._loaded.inputs)
        return ({name: i for i, name in enumerate(self._trajectory.names)}, {name: i for i, name in enumerate(inputs)})

    @property
    def sensitivities(self) -> tuple[str, ...]:
        """What the run was differentiated by."""
        return tuple(self._trajectory.sensitivity_parameters)

    def sensitivity(self, signal: str, parameter: str) -> NDArray[np.float64]:
        """∂(signal)/∂(parameter) at all rows, at fixed t: of a state or an algebraic signal, or with signal="time" ∂t/∂p of
        all events. NaN where it does not exist; `Event.undefined` says why.

        >>> import mti
        >>> decay = mti.Model(states={"x": 1}, parameters={"k": 2}, equations=["der(x) = -k*x"])
        >>> run = mti.simulate(decay, stop=1, rtol=1e-9, sensitivities=["k", "start(x)"])
        >>> print(f"{run.sensitivity('x', 'k')[-1]:.6f} {run.sensitivity('x', 'start(x)')[-1]:.6f}")
        -0.135335 0.135335
        """
        parameters = self._trajectory.sensitivity_parameters
        if parameter not in parameters:
            raise KeyError(f"no derivatives by {parameter!r}; there are {', '.join(parameters) or 'none'}")
        p = parameters.index(parameter)
        if signal == "time":
            times: NDArray[np.float64] = self._trajectory.event_sensitivities[:, p]
            return times
        signals = self._trajectory.sensitivity_signals
        if signal not in signals:
            raise KeyError(f"no derivatives of {signal!r}; there are {', '.join(signals)}")
        values: NDArray[np.float64] = self._trajectory.sensitivity_values[:, signals.index(signal), p]
        return values

    def sol(self, t: ArrayLike, side: int = 1) -> NDArray[np.float64]:
        """All signals at any times of the run, in the order of `names`, from the polynomials of the integrator's steps.
        Where signals jump, the limit from the right, or with side=-1 from the left.

        >>> import mti
        >>> ramp = mti.Model(states=["x"], equations=["der(x) = 2"])
        >>> mti.simulate(ramp, stop=1).sol([0.25, 0.5]).tolist()
        [[0.5, 1.0]]
        """
        if side not in (-1, 1):
            raise ValueError(f"side: expected 1 or -1, found {side}")
        times = numbers(t, "t")
        values: NDArray[np.float64] = self._trajectory.dense_values(times.ravel(), side == -1)
        return values.reshape((len(self._trajectory.names), *times.shape))

    def to_frame(self, *, sides: bool = False) -> pandas.DataFrame:
        """The rows as a pandas.DataFrame with the time as index, and the sides beside it if asked for.

        >>> import mti
        >>> ramp = mti.Model(states=["x"], equations=["der(x) = 2"])
        >>> mti.simulate(ramp, stop=1, t_eval=[0, 1]).to_frame()["x"].tolist()
        [0.0, 2.0]
        """
        import pandas

        index: Any = pandas.Index(self.t, name="time")
        if sides:
            index = pandas.MultiIndex.from_arrays([self.t, self.side], names=["time", "side"])
        inputs = self._inputs_beside()
        values = np.column_stack([self._trajectory.values, *map(self.__getitem__, inputs)]) if inputs else self._trajectory.values
        return pandas.DataFrame(values, index=index, columns=[*self.names, *inputs], copy=False)

    def to_xarray(self) -> xarray.Dataset:
        """The rows as an xarray.Dataset of one dimension `row`, with time and side as coordinates, units as attributes.
        Where a signal is called row or side, these have an underscore behind them.

        >>> import mti
        >>> ramp = mti.Model(states={"x": {"unit": "m"}}, equations=["der(x) = 2"])
        >>> mti.simulate(ramp, stop=1, t_eval=[0, 1]).to_xarray()["x"].attrs["units"]
        'm'
        """
        import xarray

        model = self._model
        units = {s.name: s.unit for s in (*model.states, *model.inputs, *model.algebraic, *model.binaries)}
        names = [*self.names, *self._inputs_beside()]
        row, side = ("".join((word, "_" if word in names else "")) for word in ("row", "side"))
        return xarray.Dataset(
            {name: (row, self[name], {"units": units[name]} if units.get(name) else {}) for name in names},
            coords={"time": (row, self.t), side: (row, self.side)},
            attrs={"model": model.name, "outcome": self.outcome, "message": self._trajectory.message})  # fmt: skip

    def _inputs_beside(self) -> list[str]:
        """Inputs that are none of `names`."""
        columns, _ = self._columns
        return [signal.name for signal in self._model.inputs if not signal.auxiliary and signal.name not in columns]

    def plot(
        self, *patterns: str, modes: bool | None = None, figure: matplotlib.figure.Figure | None = None
    ) -> matplotlib.figure.Figure:
        """Signals over time, with lanes of the binaries below: `run.plot("x*", modes=True)`. See `mti.plotting.signals`."""
        from mti import plotting

        return plotting.signals(self, *patterns, modes=modes, figure=figure)

    def save(self, path: str | os.PathLike[str], *, report: bool = True) -> None:
        """Writes the run: a name that ends in .nc (NetCDF, by xarray), .mat or .csv; any other is a folder with
        trajectory.csv, events.json, summary.json and report.html, as the program writes it.
        """
        name = os.fspath(path)
        if name.endswith(".nc"):
            self.to_xarray().to_netcdf(name)
        elif name.endswith(".mat"):
            self._trajectory.write_mat(name)
        elif name.endswith(".csv"):
            text = self._trajectory.csv()
            with open(name, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        else:
            self._trajectory.write(name, report)

    def __repr__(self) -> str:
        name = f" of {self._model.name}" if self._model.name else ""
        return f"<mti.Result{name}: {self.outcome} at t = {self.end_time:g}, {len(self.events)} events, {self.t.size} rows>"

    def _repr_html_(self) -> str:
        """For notebooks: how the run ended, its first events, where signals ended."""
        from mti.representation import run_html

        return run_html(self)
