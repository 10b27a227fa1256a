"""Periodic orbits, their branches, and points of rest."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mti import _core
from mti.checked import checked
from mti.faults import Fault, ModelWarning, NotReached
from mti.linearization import Mode, mode_text
from mti.model import Model, loaded

if TYPE_CHECKING:
    import matplotlib.figure


def _floats(values: dict[str, float | None]) -> dict[str, float]:
    """JSON writes whole numbers without a point, and has none for what is not finite."""
    return {name: np.nan if value is None else float(value) for name, value in values.items()}


def _complex(pairs: list[list[float]]) -> NDArray[np.complex128]:
    return np.array([complex(*pair) for pair in pairs], dtype=np.complex128)


class Orbit:
    """A periodic orbit x(T) = x(0), z(T) = z(0), with the monodromy matrix ∂x(T)/∂x(0) through all events. Where inputs vary, `time`
    is that at which x and z belong to it.

    >>> import mti
    >>> relay = mti.Model(states={"x": 0.3}, binaries=["z"], equations=["der(x) = 1 - 2*z"],
    ...                   constraints=["(x - 1)*(1 - z) <= 0", "-x*z <= 0"])
    >>> orbit = mti.orbit(relay, period_guess=2.2)
    >>> round(orbit.period, 9), len(orbit.events)
    (2.0, 2)
    """

    def __init__(self, details: dict[str, Any]) -> None:
        self.details = details
        self.period = float(details["period"])
        self.x = _floats(details["x"])
        self.time = float(details["time"])
        self.z: dict[str, int] = details["z"]
        self.events: list[dict[str, Any]] = details["events"]
        self.stable: bool = details["stable"]
        self.marginal: bool = details["marginal"]

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Floquet multipliers, the largest first; of an orbit whose period is not given by inputs one of them is 1."""
        return _complex(self.details["multipliers"])

    @property
    def monodromy(self) -> NDArray[np.float64]:
        """∂x(T)/∂x(0), n × n, in the order of the states."""
        return np.array(self.details["monodromy"], dtype=np.float64)

    def __repr__(self) -> str:
        how = "stable" if self.stable else "marginal" if self.marginal else "unstable"
        return f"<mti.Orbit: period {self.period:g}, {len(self.events)} events, {how}>"


@checked
def orbit(
    model: Model,
    *,
    period_guess: float,
    section: str | None = None,
    settle: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    max_seconds: float | None = None,
) -> Orbit:
    """A periodic orbit by Newton's method, from where the run has come after `settle` (default: five periods), or shortly after
    the constraint `section` has arrived.

    Where inputs vary, the period is theirs, and must be given. Tolerances are 1e-11 by default. Errors: `NotReached`, id
    `no-orbit`, where none is found; `InvalidOption`.

    >>> import mti, numpy as np
    >>> driven = mti.Model(states=["x"], inputs={"u": {"sine": {"amplitude": 1, "frequency": 0.5}}},
    ...                    equations=["der(x) = u - x"])
    >>> bool(np.isclose(mti.orbit(driven, period_guess=2).multipliers[0], np.exp(-2)))
    True
    """
    details = json.loads(_core.orbit(loaded(model), period_guess, section, settle, rtol, atol, max_seconds))
    if not details["found"]:
        raise NotReached([Fault("no-orbit", "", details["message"])])
    return Orbit(details)


class BranchPoint(NamedTuple):
    """An orbit of a branch. `kind` is "regular", "fold", "branching", "period doubling", "torus", "grazing", "corner" or
    "rest"; `constraints` are those whose events come, go or change places there.

    >>> import mti
    >>> mti.BranchPoint(24.5, 4e-4, "unstable", "period doubling", (), {}).kind
    'period doubling'
    """

    parameter: float
    period: float
    stability: str
    kind: str
    constraints: tuple[str, ...]
    x: dict[str, float]


class Branch:
    """A branch of periodic orbits over a parameter, in the order in which it was followed.

    `complete` says whether it came to an end of the range, `message` otherwise why it ends before.

    >>> import mti
    >>> driven = mti.Model(states=["x"], parameters={"A": 1}, inputs={"u": {"sine": {"amplitude": 1, "frequency": 0.5}}},
    ...                    equations=["der(x) = A*u - x"])
    >>> branch = mti.follow_orbit(driven, "A", 1, 2, period_guess=2)
    >>> branch.complete, branch.special
    (True, [])
    """

    def __init__(self, details: dict[str, Any]) -> None:
        self.details = details
        self.name: str = details["parameter"]
        self.complete: bool = details["complete"]
        self.message: str = details["message"]
        self.points = [
            BranchPoint(float(point["parameter"]), float(point["period"]), point["stability"], point["kind"],
                        tuple(point["constraints"]), _floats(point["x"]))
            for point in details["points"]]  # fmt: skip

    @property
    def special(self) -> list[BranchPoint]:
        """The points at which something happens."""
        return [point for point in self.points if point.kind != "regular"]

    @property
    def parameter(self) -> NDArray[np.float64]:
        """Values of the parameter at all points."""
        return np.array([point.parameter for point in self.points])

    @property
    def period(self) -> NDArray[np.float64]:
        """Periods at all points."""
        return np.array([point.period for point in self.points])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether the orbits at all points are stable."""
        return np.array([point.stability == "stable" for point in self.points], dtype=np.bool_)

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Floquet multipliers, points × n."""
        return np.array([_complex(point["multipliers"]) for point in self.details["points"]], dtype=np.complex128)

    def extremes(self, state: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lowest and the highest value of a state over one period, at all points. Errors: KeyError."""
        points = self.details["points"]
        return (np.array([point["lowest"][state] for point in points]),
                np.array([point["highest"][state] for point in points]))  # fmt: skip

    def plot(self, *states: str, figure: matplotlib.figure.Figure | None = None) -> matplotlib.figure.Figure:
        """The bifurcation diagram. See `mti.plotting.bifurcations`."""
        from mti import plotting

        return plotting.bifurcations(self, *states, figure=figure)

    def __repr__(self) -> str:
        end = "" if self.complete else ", which ends before the range"
        return f"<mti.Branch: {len(self.points)} orbits over {self.name}, {len(self.special)} of them special{end}>"


@checked
def follow_orbit(
    model: Model,
    parameter: str,
    start: float,
    stop: float,
    *,
    period_guess: float,
    steps: int = 40,
    section: str | None = None,
    settle: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    max_seconds: float | None = None,
) -> Branch:
    """Follows a periodic orbit while a parameter varies from `start` to `stop`, through folds, and says where it loses its
    stability, grazes a boundary, or changes the order of its events.

    Of models from files, texts and equations. What is to be found at `start` is as of `orbit`. Errors: `NotReached`, id
    `no-orbit`, where there is none to begin with; `InvalidOption`. A branch that ends before `stop` is a `ModelWarning`.

    >>> import mti
    >>> map = mti.Model(states={"u": 0.5, "tau": 0}, algebraic=["q"], parameters={"c": 2},
    ...                 equations=["der(u) = 0", "der(tau) = 1", "q = u*(1 - u)"],
    ...                 constraints=[{"name": "tick", "text": "tau <= 1"}],
    ...                 transitions=[{"when": "reach(tick)", "equations": ["u = c*pre(q)", "tau = 0"]}])
    >>> branch = mti.follow_orbit(map, "c", 2, 3.5, period_guess=1)
    >>> [(point.kind, round(point.parameter, 6)) for point in branch.special]
    [('period doubling', 3.0)]
    """
    details = json.loads(_core.branch(loaded(model), parameter, start, stop, steps, period_guess, section, settle, rtol,
                                      atol, max_seconds))  # fmt: skip
    if not details["points"]:
        raise NotReached([Fault("no-orbit", "", details["message"])])
    branch = Branch(details)
    if not branch.complete:
        warnings.warn(f"the branch does not come to {parameter} = {stop:g}: {branch.message}", ModelWarning, stacklevel=3)
    return branch


class Equilibrium:
    """A consistent point with ẋ = 0, with its stability and its finite eigenvalues.

    >>> import mti
    >>> (point,) = mti.equilibria(mti.Model(states=["x"], equations=["der(x) = 2 - x"]))
    >>> point
    <mti.Equilibrium: stable, x = 2>
    """

    def __init__(self, details: dict[str, Any]) -> None:
        self.details = details
        self.stability: str = details["stability"]
        self.values = _floats(details["values"])
        self.slides = {surface: _floats(weights) for surface, weights in details["slides"].items()}
        self.rests: bool = details["rests"]

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The finite ones, where there are any and the model is not too large."""
        return np.array([complex(*entry) for entry in self.details["linearization"].get("eigenvalues", [])])

    def __repr__(self) -> str:
        values = ", ".join(f"{name} = {value:g}" for name, value in list(self.values.items())[:6])
        return f"<mti.Equilibrium: {self.stability}, {values}>"


@checked
def equilibria(
    model: Model, *, time: float | None = None, mode: Mode | None = None, all: bool = False
) -> list[Equilibrium]:
    """Points at which the model rests, with inputs as they are at `time`: one in a mode that a run would take, one in `mode`, or
    with `all` one in each mode that has one.

    Errors: `NotReached`, id `no_equilibrium`, where there is none; `InvalidOption`.

    >>> import mti
    >>> (point,) = mti.equilibria(mti.Model(states=["x"], equations=["der(x) = -2*x"]))
    >>> point.stability, point.eigenvalues.real.tolist()
    ('stable', [-2.0])
    """
    details = json.loads(_core.equilibria(loaded(model), time, None if mode is None else mode_text(mode), all))
    if not details["equilibria"]:
        raise NotReached([Fault("no_equilibrium", "", details["message"])])
    return [Equilibrium(found) for found in details["equilibria"]]
