"""Models made from models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple, Union

from mti import _core
from mti.checked import checked
from mti.document import names_of
from mti.model import Model
from mti.reading import read
from mti.source import Source


class InterpolatedFunction(NamedTuple):
    """A function of signals that lines have replaced: its text, the range of its argument, their number, its own largest error.

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, equations=["der(x) = -sin(x)"])
    >>> mti.convert(model, multilinear="approximate", tolerance=0.02, ranges={"x": (0, 1)}).functions[0].lines
    2
    """

    text: str
    low: float
    high: float
    lines: int
    error: float


class Conversion(NamedTuple):
    """A converted model, the eliminated signals as "name = expression", the relative error of a smaller rank, and what
    functions of signals were replaced by.

    >>> import mti
    >>> model = mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = y", "y = -x"])
    >>> mti.convert(model, reduce=True).eliminated
    ('y = -x',)
    """

    model: Model
    eliminated: tuple[str, ...] = ()
    relative_error: float = 0.0
    functions: tuple[InterpolatedFunction, ...] = ()


@checked
def convert(
    model: Union[Model, str, os.PathLike[str]],
    path: str | os.PathLike[str] | None = None,
    *,
    to: str = "equations",
    reduce: bool = False,
    keep: str | tuple[str, ...] | list[str] = (),
    growth: int = 0,
    rank: float | None = None,
    scale: bool = False,
    sample_time: float | None = None,
    continuous: bool = False,
    method: str | None = None,
    multilinear: str | None = None,
    tolerance: float | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    reduced_index: bool = False,
) -> Conversion:
    """Changes a model as `mti convert` does, in this order, and writes it to `path` if there is one.

    `multilinear` writes functions of signals as multilinear equations: "exact", with auxiliary states that begin where the
    run does, or "approximate", by lines that are off by at most `tolerance` (1e-3) while signals stay within `ranges`.
    `sample_time` makes a continuous model discrete, `continuous` the other way round, by `method`: "forward-euler",
    "trapezoidal" or "backward-euler". `reduce` eliminates signals but those of `keep`, with at most `growth` new columns
    each; `rank` writes f and g with fewer columns within that tolerance; `scale` gives signals in units of their nominal
    values. `to`: "equations" or "matrices", of the file that is written (.json; .mat always has matrices). `reduced_index`,
    by itself, gives all modes one structure of index 0, and keeps parameters (docs/reduced-index.md).

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, equations=["der(x) = -x"], experiment={"stop": 1})
    >>> sampled = mti.convert(model, sample_time=0.5, method="forward-euler").model
    >>> mti.simulate(sampled)["x"]
    array([1.  , 0.5 , 0.25])
    >>> pendulum = mti.Model(states={"phi": 1, "w": 0}, equations=["der(phi) = w", "der(w) = -sin(phi)"])
    >>> len(mti.convert(pendulum, multilinear="exact").model.states)
    4
    """
    if to not in ("equations", "matrices"):
        raise ValueError(f"to: expected 'equations' or 'matrices', found {to!r}")
    if multilinear not in (None, "exact", "approximate"):
        raise ValueError(f'multilinear: expected "exact" or "approximate", found {multilinear!r}')
    if multilinear != "approximate" and (tolerance is not None or ranges is not None):
        raise ValueError('tolerance and ranges go with multilinear="approximate"')
    if (method is None) == (sample_time is not None or continuous):
        raise ValueError("method goes with sample_time or continuous")
    if sample_time is not None and continuous:
        raise ValueError("a model is made either discrete (sample_time) or continuous")
    core = (model if isinstance(model, Model) else read(model))._loaded
    if reduced_index:
        if method is not None or multilinear is not None or reduce or rank is not None or scale or to != "equations":
            raise ValueError("reduced_index goes with no other change")
        text = _core.reduced_index(core)
        if path is not None:
            _core.write_reduced_index(core, os.fspath(path))
        return Conversion(Model._of(_core.build_text(text, "", [], False), Source.of_text(text)))
    eliminated: list[str] = []
    relative_error = 0.0
    functions: list[tuple[str, float, float, int, float]] = []
    if multilinear == "exact":
        core = _core.lift(core)
    elif multilinear == "approximate":
        core, functions = _core.interpolate(core, 1e-3 if tolerance is None else tolerance, dict(ranges or {}))
    if method is not None and sample_time is not None:
        core = _core.discretise(core, sample_time, method)
    elif method is not None:
        core = _core.make_continuous(core, method)
    if reduce:
        core, eliminated = _core.reduce(core, names_of(keep), growth)
    if rank is not None:
        core, relative_error = _core.reduce_rank(core, rank)
    if scale:
        core = _core.scale(core)
    converted = Model._of(core)
    if path is not None:
        converted.save(path, form=to)
    made = tuple(InterpolatedFunction(*of) for of in functions)
    return Conversion(converted, tuple(eliminated), relative_error, made)


@checked
def to_modelica(model: Union[Model, str, os.PathLike[str]], *, reduced_index: bool = False) -> str:
    """The model as flat Modelica (docs/modelica.md), with one structure of index 0 in all modes if `reduced_index`.

    >>> import mti
    >>> text = mti.to_modelica(mti.Model(states={"x": 1}, equations=["der(x) = -x"], name="decay"))
    >>> print(text.splitlines()[3])
      der(x) = -x;
    >>> switch = mti.Model(states={"x": 1}, inputs={"g": {"binary": True, "value": 0}},
    ...                    equations=["g*(x - 1) + (1 - g)*der(x) = 0"])
    >>> "der(s_x) = if not" in mti.to_modelica(switch, reduced_index=True)
    True
    """
    return _core.to_modelica((model if isinstance(model, Model) else read(model))._loaded, reduced_index)
