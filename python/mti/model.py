"""Models: read from files, built from dictionaries or from lists of equations."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from mti import _core
from mti.checked import checked
from mti.document import document_of, named_numbers, numbers, overrides, text_of
from mti.faults import ModelWarning
from mti.signals import Signal, signals_of
from mti.source import Source

Declarations = Union[Mapping[str, Any], Iterable[Any]]
Relations = Union[Mapping[str, str], Sequence[Any]]


class Model:
    """A hybrid implicit multilinear model, const once it is built:

        f(ẋ, x, u, y, z) = 0,    g(ẋ, x, u, y, z) ≤ 0,    z ∈ {0, 1}^q

    Signals are lists of names, or dictionaries from a name to its start value or to a dictionary with `start`, `unit`,
    `nominal` (inputs: a number, or `value`, `table`, `sine`, `csv` as in a model file); `parameters` may be expressions
    of those before them. All else is as in a model file (docs/model-format.md): `sample` is a clock or several, files of
    `components` are looked for from the working directory (see also `Network`). Errors: `InvalidModel` with every fault.

    Two models are equal if they have the same matrices, names, start values, inputs and laws. They can be keys of
    dictionaries, be pickled, and be shared by threads.

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, parameters={"a": 2}, equations=["der(x) = -a*x"])
    >>> model
    <mti.Model: 1 state, 0 inputs, 0 algebraic signals, 0 binaries; 1 equation, 0 constraints>
    >>> model.f([-2.0, 1.0])          # at v = (der(x), x)
    array([0.])
    >>> halved = mti.Model(states=["t", {"name": "x", "start": 1}], sample={"name": "clock", "period": 0.5},
    ...                    equations=["der(t) = 1", "next(x) = x/2"])
    >>> float(mti.simulate(halved, stop=2.2)["x"][-1])
    0.0625
    >>> ball = mti.Model(states=[{"name": "h", "start": 1}, "v"], equations=["der(h) = v", "der(v) = -9.81"],
    ...                  when=[{"condition": "h <= 0 and v < 0", "set": {"v": "-0.8*v"}, "emit": "bounce"}])
    >>> [round(event.time, 4) for event in mti.simulate(ball, stop=2).events if event.emitted == ("bounce",)]
    [0.4515, 1.174, 1.7519]
    >>> tank = {"format": "mti-model", "version": 1, "states": [{"name": "T", "start": 1}],
    ...         "inputs": [{"name": "around", "value": 0}], "equations": ["der(T) = around - T"]}
    >>> tanks = mti.Model(components=[{"name": "a", "model": tank}, {"name": "b", "model": tank}],
    ...                   connections=[{"input": "b.around", "from": "a.T"}, {"input": "a.around", "from": "0"}])
    >>> [signal.name for signal in tanks.states]
    ['a.T', 'b.T']
    """

    __slots__ = ("_loaded", "_text", "_source", "_bound", "__weakref__")
    _loaded: _core.Model
    _text: str | None
    _source: Source | None  # what it was made of, where that may have parameters
    _bound: dict[str, float]  # values of parameters and others that were set over what stands there

    def __init__(
        self,
        *,
        equations: Relations = (),
        constraints: Relations = (),
        states: Declarations = (),
        inputs: Declarations = (),
        algebraic: Declarations = (),
        binaries: Declarations = (),
        parameters: Mapping[str, float | str] | None = None,
        invariants: Sequence[str] = (),
        transitions: Sequence[Mapping[str, Any]] = (),
        scenarios: Sequence[Mapping[str, Any]] = (),
        initial: Relations = (),
        experiment: Mapping[str, float | str] | None = None,
        matrices: Mapping[str, Any] | None = None,
        name: str = "",
        description: str = "",
        sample_time: float | str | None = None,
        sample: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        components: Sequence[Mapping[str, Any]] = (),
        connections: Sequence[Mapping[str, Any]] = (),
        when: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        document = document_of(
            equations=equations, constraints=constraints, states=states, inputs=inputs, algebraic=algebraic,
            binaries=binaries, parameters=parameters, invariants=invariants, transitions=transitions,
            scenarios=scenarios, initial=initial, experiment=experiment, matrices=matrices, name=name,
            description=description, sample_time=sample_time, sample=sample, components=components,
            connections=connections, when=when)  # fmt: skip
        text = text_of(document)
        source = Source.of_text(text)
        self._set(_core.build_text(text, source.directory, [], False), source)

    def _set(self, core: _core.Model, source: Source | None = None, bound: Mapping[str, float] | None = None) -> None:
        object.__setattr__(self, "_loaded", core)
        object.__setattr__(self, "_text", None)
        object.__setattr__(self, "_source", source)
        object.__setattr__(self, "_bound", dict(bound or {}))

    @classmethod
    def _of(cls, core: _core.Model, source: Source | None = None, bound: Mapping[str, float] | None = None) -> Model:
        model = cls.__new__(cls)
        model._set(core, source, bound)
        return model

    def bind(self, values: Mapping[str, float]) -> Model:
        """The model with other values of parameters, constant inputs and start values, by name; those that were set before
        stay set. What the parameters mean is taken from what the model was made of when that was read; one that was
        made otherwise, as by most changes of `convert`, has no parameters left. Errors: `InvalidModel`, `InvalidOption`.

        >>> import mti
        >>> decay = mti.Model(parameters={"tau": 2}, states={"x": 1}, equations=["der(x) = -x/tau"])
        >>> [f"{mti.simulate(decay.bind({'tau': tau}), stop=2)['x'][-1]:.4f}" for tau in (1, 2, 4)]
        ['0.1353', '0.3679', '0.6065']
        """
        bound = overrides(values)
        if self._loaded.may_be_bound:
            return Model._of(self._loaded.bound(bound), self._source, {**self._bound, **dict(bound)})
        return Model._of(_core.build_text(self._loaded.text(equations=True), "", bound, False))

    def _unchanged_source(self) -> Source | None:
        """What the model was made of, if that says the same still. Errors: ValueError where a file is another one by now."""
        source = self._source
        if source is not None and source.names_files and source.built(self._bound).text(equations=False) != self._written():
            raise ValueError(f"{source.place}: the files have changed since the model was read; read it again")
        return source

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a model cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a model cannot be changed: {name}")

    def _written(self) -> str:
        """What the model is, as text: with its numbers bit for bit."""
        if self._text is None:
            object.__setattr__(self, "_text", self._loaded.text(equations=False))
        assert self._text is not None
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and (self._loaded is other._loaded or self._written() == other._written())

    def __hash__(self) -> int:
        return hash(self._written())

    def __reduce__(self) -> tuple[Any, tuple[str, list[tuple[str, float]]]]:
        return _unpickled, self._loaded.made_of() or (self._written(), [])

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: object) -> Model:
        return self

    @property
    def name(self) -> str:
        """Name of the model, as in results."""
        return self._loaded.name

    @property
    def description(self) -> str:
        """What the model file says about the model."""
        return self._loaded.description

    @property
    def sample_time(self) -> float:
        """Ts > 0 of a model of discrete time, whose rows of ẋ are next(x); 0: continuous time."""
        return self._loaded.sample_time

    @property
    def experiment(self) -> dict[str, float | None]:
        """Defaults of a run: start, stop, rtol, atol, output_interval, fixed_start."""
        return self._loaded.experiment

    @property
    def states(self) -> tuple[Signal, ...]:
        """x."""
        return signals_of(self._loaded.states)

    @property
    def inputs(self) -> tuple[Signal, ...]:
        """u."""
        return signals_of(self._loaded.inputs)

    @property
    def algebraic(self) -> tuple[Signal, ...]:
        """y, the copies made for powers among them."""
        return signals_of(self._loaded.algebraic)

    @property
    def binaries(self) -> tuple[Signal, ...]:
        """z."""
        return signals_of(self._loaded.binaries)

    @property
    def row_names(self) -> tuple[str, ...]:
        """The entries of v = (ẋ, x, u, y, z, pre z), which are the rows of S.

        >>> import mti
        >>> mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = y", "y = 1 - x"]).row_names
        ('der(x)', 'x', 'y')
        """
        return tuple(self._loaded.row_names)

    @property
    def equation_names(self) -> tuple[str, ...]:
        """Names of the rows of f."""
        return tuple(self._loaded.equation_names)

    @property
    def constraint_names(self) -> tuple[str, ...]:
        """Names of the rows of g."""
        return tuple(self._loaded.constraint_names)

    @property
    def S(self) -> scipy.sparse.csc_array:
        """S, one row for each entry of v, one column for each product; on the model's memory, read-only.

            f_j(v) = Σ_k Φ_jk · Π_i (1 − |S_ik| + S_ik v_i)

        Columns in `functions` stand for φ(v_i) of their one signal instead.

        >>> import mti
        >>> model = mti.Model(states=["x"], equations=["der(x) = -2*x"])
        >>> model.S.toarray()
        array([[1., 0.],
               [0., 1.]])
        """
        return self._loaded.S

    @property
    def Phi_eq(self) -> scipy.sparse.csc_array:
        """Φ of the equations, on the model's memory, read-only."""
        return self._loaded.Phi_eq

    @property
    def Phi_ineq(self) -> scipy.sparse.csc_array:
        """Φ of the constraints, on the model's memory, read-only."""
        return self._loaded.Phi_ineq

    @property
    def functions(self) -> tuple[tuple[int, str], ...]:
        """Columns of S that stand for φ(v_i) of their one signal, with φ as a text of a.

        >>> import mti
        >>> mti.Model(states=["x"], equations=["der(x) = -sin(x)"]).functions
        ((2, 'sin(a)'),)
        """
        return tuple(self._loaded.functions)

    def v(self, values: Mapping[str, float] | None = None) -> NDArray[np.float64]:
        """The entries of v by name: start values, ẋ = 0, pre(z) = z, and `values` in their place. The auxiliary signals of powers and
        functions follow.

        >>> import mti
        >>> model = mti.Model(states={"x": 3}, equations=["der(x) = -x^2"])
        >>> model.f(model.v({"x": 2, "der(x)": -4}))
        array([0., 0.])
        """
        groups = (self._loaded.states, self._loaded.inputs, self._loaded.algebraic, self._loaded.binaries)
        starts = [signal[3] for group in groups for signal in group]
        remembered = self._loaded.pre
        v = np.array([0.0] * len(self._loaded.states) + starts + [0.0] * len(remembered), dtype=np.float64)
        rows = {name: row for row, name in enumerate(self._loaded.row_names)}
        given = {}
        for name, value in named_numbers(values, "v").items():
            if name not in rows:
                raise KeyError(f"{name!r} is no entry of v: {', '.join(rows)}")
            given[rows[name]] = value
        first_binary, first_memory = len(v) - len(remembered) - len(self._loaded.binaries), len(v) - len(remembered)
        v[list(given)] = list(given.values())
        v[first_memory:] = v[[first_binary + i for i in remembered]]
        v[list(given)] = list(given.values())
        return self._loaded.with_auxiliaries(v, set(given))

    def f(self, v: ArrayLike) -> NDArray[np.float64]:
        """f(v), one entry for each equation; v has one for each row of S."""
        return self._loaded.f(numbers(v, "v"))

    def g(self, v: ArrayLike) -> NDArray[np.float64]:
        """g(v), one entry for each constraint; admissible where g(v) ≤ 0."""
        return self._loaded.g(numbers(v, "v"))

    def jacobian(
        self, v: ArrayLike, wrt: str | Sequence[str | int] = ("der", "x", "u", "y", "z", "pre"), *, of: str = "f"
    ) -> scipy.sparse.csc_array:
        """∂f/∂v at v, exact; the columns of the groups `wrt`, of "der", "x", "u", "y", "z", "pre", or of single entries of v
        by name (of which none is called like a group) or number. `of="g"`: of the constraints.

        >>> import mti
        >>> model = mti.Model(states={"x": 3}, inputs=["u"], equations=["der(x) = u*x"])
        >>> model.jacobian(model.v({"u": 5}), wrt=("x", "u")).toarray()
        array([[-5., -3.]])
        """
        if of not in ("f", "g"):
            raise ValueError(f"of: expected 'f' or 'g', found {of!r}")
        rows = [row for word in ((wrt,) if isinstance(wrt, str) else wrt) for row in self._rows_of(word)]
        return self._loaded.jacobian(numbers(v, "v"), rows, of == "g")

    def _rows_of(self, word: str | int) -> Sequence[int]:
        core = self._loaded
        if not isinstance(word, str):
            return (range(len(core.row_names))[word],)
        n = len(core.states)
        sizes = {"der": n, "x": n, "u": len(core.inputs), "y": len(core.algebraic), "z": len(core.binaries)}
        begin = 0
        for group, size in (*sizes.items(), ("pre", len(core.pre))):
            if word == group:
                return range(begin, begin + size)
            begin += size
        if word in core.row_names:
            return (core.row_names.index(word),)
        raise KeyError(f"{word!r} is neither a group of signals (der, x, u, y, z, pre) nor an entry of v")

    @checked
    def to_text(self, *, digits: int = 12, width: int = 100) -> str:
        """The equations as one writes them, powers as powers.

        >>> import mti
        >>> print(mti.Model(states=["x"], equations={"decay": "der(x) = -2*x^2"}).to_text())  # doctest: +ELLIPSIS
        equations
          decay: der(x) + 2*x^2 = 0
        ...
        """
        return self._loaded.printed(latex=False, digits=digits, width=width)

    @checked
    def to_latex(self, *, digits: int = 12, width: int = 100) -> str:
        """The same as LaTeX, for a document with amsmath."""
        return self._loaded.printed(latex=True, digits=digits, width=width)

    def to_json(self, *, form: str = "equations") -> str:
        """The text of a model file, with "equations" or "matrices". Parameters have become numbers."""
        if form not in ("equations", "matrices"):
            raise ValueError(f"form: expected 'equations' or 'matrices', found {form!r}")
        return self._loaded.text(equations=form == "equations")

    def save(self, path: str | os.PathLike[str], *, form: str = "equations") -> None:
        """Writes a model file (.json), flat Modelica (.mo), or a file for MATLAB and Octave (.mat), with a `ModelWarning` where the MTI
        toolbox passes over functions of signals."""
        if form not in ("equations", "matrices"):
            raise ValueError(f"form: expected 'equations' or 'matrices', found {form!r}")
        for warning in _core.write(self._loaded, os.fspath(path), form == "equations"):
            warnings.warn(warning, ModelWarning, stacklevel=2)

    def to_fmu(
        self, path: str | os.PathLike[str], *, fmi: int = 3, outputs: Sequence[str] | None = None,
        free_inputs: bool = False, interfaces: Sequence[str] = ("cs",), dae: bool = False) -> None:  # fmt: skip
        """Writes an FMU (docs/fmi.md), of FMI 3.0 or 2.0.

        `outputs`: names, with * for any text and ? for one character; default: the algebraic signals, without any the
        states. `free_inputs`: inputs that are functions of time become inputs of the FMU. Parameters are those that the
        model was made with; of a model that was converted there are none. `interfaces`: "cs" for Co-Simulation, "me" for
        Model Exchange, which models with free states and an index of at most 1 in every mode have. `dae`: Model Exchange whose
        importer may solve the equations itself (experimental).

        >>> import mti, tempfile, zipfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mti.Model(states={"x": 1}, equations=["der(x) = -x"], name="decay").to_fmu(folder + "/decay.fmu")
        ...     sorted(zipfile.ZipFile(folder + "/decay.fmu").namelist())[-2:]
        ['modelDescription.xml', 'resources/model.json']
        """
        if fmi not in (2, 3):
            raise ValueError(f"fmi: expected 2 or 3, found {fmi!r}")
        kinds = [interfaces] if isinstance(interfaces, str) else list(interfaces)
        if not kinds or not set(kinds) <= {"cs", "me"}:
            raise ValueError(f"interfaces: expected 'cs', 'me' or both, found {interfaces!r}")
        names = None if outputs is None else [outputs] if isinstance(outputs, str) else list(outputs)
        library = os.path.join(os.path.dirname(_core.__file__), "libmti_fmu.so")
        _core.write_fmu(self._loaded, os.fspath(path), fmi, names, free_inputs, kinds, dae, library)

    def __repr__(self) -> str:
        from mti.representation import model_line

        return model_line(self)

    def _repr_html_(self) -> str:
        """For notebooks: equations and constraints in mathematical writing, a table of the signals."""
        from mti.representation import model_html

        return model_html(self)


def loaded(model: Model) -> _core.Model:
    """What C++ holds of a model. Errors: TypeError for what is none."""
    if not isinstance(model, Model):
        raise TypeError(f"expected a mti.Model, found {model!r}; mti.read reads a file, mti.build a dictionary")
    return model._loaded


def _unpickled(text: str, bound: list[tuple[str, float]]) -> Model:
    return Model._of(_core.build_text(text, "", bound, False), Source.of_text(text), dict(bound))
