"""Linear models at points of a run or of a mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, overload

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from mti import _core
from mti.document import named_numbers, numbers
from mti.model import Model, loaded

if TYPE_CHECKING:
    import matplotlib.figure

Mode = Union[Mapping[str, float], str]


def mode_text(mode: Mode) -> str:
    """"z1=1,z2=0" of {"z1": 1, "z2": 0}."""
    if isinstance(mode, str):
        return mode
    values = named_numbers(mode, "mode")
    return ",".join(f"{name}={int(value) if value in (0, 1) else value}" for name, value in values.items())


class Eigenvalue(NamedTuple):
    """An eigenvalue with its residual, its condition, and the shares of the unknowns in it, the largest first.

    Residual and condition are not a number, and shares are empty, where participation was not asked for.

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, equations=["der(x) = -3*x"])
    >>> mti.linearize(model, participation=True).eigenvalue_details[0].participation
    {'x': 1.0}
    """

    value: complex
    residual: float
    condition: float
    participation: dict[str, float]


class StateSpace(NamedTuple):
    """δẋ = A δx + B δu, δy = C δx + D δu, with the names of x, u and y.

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, inputs=["u"], algebraic=["y"], equations=["der(x) = y + u", "y = -3*x"])
    >>> form = mti.linearize(model).state_space
    >>> form.A.toarray(), form.C.toarray()
    (array([[-3.]]), array([[-3.]]))
    """

    A: scipy.sparse.csc_array
    B: scipy.sparse.csc_array
    C: scipy.sparse.csc_array
    D: scipy.sparse.csc_array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Linearization:
    """The descriptor form of a model at a point, in its mode:

        E δẇ = A δw + B δu,    δy = C δw + D δu,    w = (x, y)

    The matrices are scipy.sparse.csc_array on the memory of the result; derivatives are exact. In discrete time
    E δw(t + Ts) takes the place of E δẇ.

    >>> import mti
    >>> model = mti.Model(states={"x": 2}, inputs=["u"], equations=["der(x) = -x^2 + u"])
    >>> mti.linearize(model).eigenvalues
    array([-4.+0.j])
    """

    _found: _core.Linearization
    _model: Model

    def __init__(self) -> None:
        raise TypeError("a Linearization is made by mti.linearize")

    @classmethod
    def _of(cls, core: _core.Linearization, model: Model) -> Linearization:
        linearization = cls.__new__(cls)
        linearization._found = core
        linearization._model = model
        return linearization

    @property
    def model(self) -> Model:
        """The model that was linearised."""
        return self._model

    @property
    def time(self) -> float:
        """Time of the point."""
        return self._found.time

    @property
    def side(self) -> int:
        """−1, 1: limit from the left or right at an event; 0 elsewhere."""
        return self._found.side

    @property
    def v(self) -> NDArray[np.float64]:
        """The point, in the order of `Model.row_names`."""
        return self._found.v

    @property
    def E(self) -> scipy.sparse.csc_array:
        """E = [∂f/∂ẋ  0]."""
        return self._found.E

    @property
    def A(self) -> scipy.sparse.csc_array:
        """A = −[∂f/∂x  ∂f/∂y]."""
        return self._found.A

    @property
    def B(self) -> scipy.sparse.csc_array:
        """B = −∂f/∂u."""
        return self._found.B

    @property
    def C(self) -> scipy.sparse.csc_array:
        """C: which unknowns the outputs are."""
        return self._found.C

    @property
    def D(self) -> scipy.sparse.csc_array:
        """D: 0 in descriptor form."""
        return self._found.D

    @property
    def equations(self) -> tuple[str, ...]:
        """Names of the rows of E, A and B."""
        return tuple(self._found.equations)

    @property
    def unknowns(self) -> tuple[str, ...]:
        """Names of the columns of E, A and C: x, then y, then the weights of sliding binaries."""
        return tuple(self._found.unknowns)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the columns of B and D."""
        return tuple(self._found.inputs)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the rows of C and D."""
        return tuple(self._found.outputs)

    @property
    def residual(self) -> float:
        """max |f(v)|: 0 to rounding at a consistent point."""
        return self._found.residual

    @property
    def on_boundary(self) -> tuple[str, ...]:
        """Constraints with g = 0 that no equation keeps there: the linearisation holds on one side."""
        return tuple(self._found.on_boundary)

    @property
    def violated(self) -> tuple[str, ...]:
        """Constraints with g > 0."""
        return tuple(self._found.violated)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The finite generalised eigenvalues of (E, A), ascending by real part; `eigenvalues_note` says why there are none."""
        return np.array(self._found.eigenvalues, dtype=np.complex128)

    @property
    def eigenvalues_note(self) -> str:
        """Why eigenvalues were not computed; empty if they were."""
        return self._found.eigenvalues_note

    @property
    def eigenvalue_details(self) -> tuple[Eigenvalue, ...]:
        """Residual, condition and participation of each eigenvalue."""
        return tuple(Eigenvalue(*detail) for detail in self._found.eigenvalue_details)

    @property
    def state_space(self) -> StateSpace:
        """The form without algebraic signals. Errors: `InvalidModel` where the mode has none."""
        A, B, C, D, states, inputs, outputs = self._found.state_space()
        return StateSpace(A, B, C, D, tuple(states), tuple(inputs), tuple(outputs))

    def to_control(self) -> Any:
        """The state-space form as control.StateSpace of python-control, with the sample time of the model; `outputs` follow
        the algebraic signals. Errors: ImportError without python-control.
        """
        try:
            import control
        except ImportError as missing:
            raise ImportError("to_control() needs the package python-control (pip install control)") from missing
        form = self.state_space
        dense = [matrix.toarray() for matrix in (form.A, form.B, form.C, form.D)]
        return control.ss(*dense, self._model.sample_time or 0, states=list(form.states), inputs=list(form.inputs),
                          outputs=list(form.outputs))  # fmt: skip

    def plot(self, *, figure: matplotlib.figure.Figure | None = None) -> matplotlib.figure.Figure:
        """The eigenvalues in the complex plane. See `mti.plotting.eigenvalues`."""
        from mti import plotting

        return plotting.eigenvalues(self, figure=figure)

    def to_text(self) -> str:
        """All of it, to be read by people."""
        return self._found.text(self._model._loaded)

    def _repr_html_(self) -> str:
        """For notebooks: the matrices and eigenvalues."""
        from mti.representation import linearization_html

        return linearization_html(self)

    def __repr__(self) -> str:
        return f"<mti.Linearization at t = {self.time:g}: {len(self.unknowns)} unknowns, {len(self.inputs)} inputs>"


@overload
def linearize(model: Model, at: float | None = None, *, events: Literal[False] = False, mode: Mode | None = None,
              as_given: bool = False, state_space: bool = False, eigenvalues: int | None = None, near: complex = 0.0,
              participation: bool = False) -> Linearization: ...  # fmt: skip
@overload
def linearize(model: Model, at: Sequence[float] | NDArray[np.float64], *, events: bool = False, mode: Mode | None = None,
              as_given: bool = False, state_space: bool = False, eigenvalues: int | None = None, near: complex = 0.0,
              participation: bool = False) -> list[Linearization]: ...  # fmt: skip
@overload
def linearize(model: Model, at: float | None = None, *, events: Literal[True], mode: Mode | None = None,
              as_given: bool = False, state_space: bool = False, eigenvalues: int | None = None, near: complex = 0.0,
              participation: bool = False) -> list[Linearization]: ...  # fmt: skip
def linearize(
    model: Model,
    at: float | Sequence[float] | NDArray[np.float64] | None = None,
    *,
    events: bool = False,
    mode: Mode | None = None,
    as_given: bool = False,
    state_space: bool = False,
    eigenvalues: int | None = None,
    near: complex = 0.0,
    participation: bool = False,
) -> Linearization | list[Linearization]:
    """Linearises a model where a run from its start has come at the time `at`; without it, at the start.

    Several times, or `events=True` for both sides of every event up to the last time, give a list in the order of time, with one entry for equal times. `mode` puts a mode in
    place of that of the run, {"z1": 1}; with `as_given` nothing is solved for there. `eigenvalues`: only so many, those
    nearest to `near`; 0: none. `state_space=True` fails at once where there is no such form.
    Errors: `NotReached` where the run ends before, `InvalidModel`, `InvalidOption`.

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, equations=["der(x) = -x^2"])
    >>> [round(float(lin.eigenvalues[0].real), 6) for lin in mti.linearize(model, at=[0, 1])]
    [-2.0, -1.0]
    """
    core = loaded(model)
    if eigenvalues is not None and eigenvalues < 0:
        raise ValueError(f"eigenvalues: expected how many, found {eigenvalues!r}")
    if not np.isfinite(complex(near)):
        raise ValueError(f"near: expected a finite number, found {near!r}")
    several = events or (at is not None and np.ndim(at) > 0)
    times = [] if at is None else [float(t) for t in np.atleast_1d(numbers(at, "at"))]
    if several and not times and not events:
        return []
    if at is None and not events and mode is None:
        times = [float(model.experiment["start"] or 0.0)]
    found = _core.linearize(
        core, times=times, events=events, mode=None if mode is None else mode_text(mode),
        as_given=as_given, eigenvalues=eigenvalues, near=complex(near), participation=participation)  # fmt: skip
    results = [Linearization._of(result, model) for result in found]
    if state_space:
        for result in results:
            result.state_space  # noqa: B018: fails where there is none
    return results if several else results[-1]
