"""Multilinear models from measured data."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike

from mti import _core
from mti.document import names_of, numbers
from mti.model import Model
from mti.reading import build

Experiment = Union[str, os.PathLike[str], Mapping[str, ArrayLike]]


class Identified(NamedTuple):
    """A model that was found, and what was found of it: ranks with their errors, how well each output is told.

    >>> import mti, numpy as np
    >>> t = np.linspace(0, 2, 41)
    >>> mti.identify({"t": t, "x": np.exp(-t), "slope": -np.exp(-t)}, states=["x"], targets=["slope"], ranks=[1]).model
    <mti.Model identified: 1 state, 0 inputs, 0 algebraic signals, 0 binaries; 1 equation, 0 constraints>
    """

    model: Model
    details: dict[str, Any]


def identify(
    data: Experiment | Sequence[Experiment],
    *,
    states: str | Sequence[str],
    inputs: str | Sequence[str] = (),
    targets: str | Sequence[str] = (),
    modes: str | Sequence[str] = (),
    ranks: Sequence[int] = (1, 2, 3, 4, 5, 6),
    discrete: bool = False,
    nonnegative: bool = False,
    seed: int = 1,
    starts: int = 300,
    folds: int = 5,
    polynomial: tuple[int, int] | None = None,
    max_seconds: float | None = None,
) -> Identified:
    """A multilinear model of low CP rank, ẋ = F(x, u) or next(x) = F(x, u), from measured data (docs/identification.md).

    `data` are experiments: csv files, or dictionaries from names to columns, whose first column is the time, or frames of pandas,
    whose index is the time if it has a name, as that of `Result.to_frame`. `targets` are measured ẋ or next(x), one for each state; without them slopes of local polynomials of
    `polynomial=(degree, samples)` are taken. `modes` are columns whose values name the mode of a sample. Of several `ranks`
    cross-validation with so many `folds` chooses one.

    Errors: `InvalidOption`, `UnusableFile`.

    >>> import mti, numpy as np
    >>> u = np.random.default_rng(1).uniform(-1, 1, 60)
    >>> x = np.zeros(61)
    >>> for k in range(60):
    ...     x[k + 1] = 0.5*x[k] + u[k] - 0.3*x[k]*u[k]
    >>> found = mti.identify({"t": np.arange(60.0), "x": x[:60], "u": u}, states=["x"], inputs=["u"], discrete=True)
    >>> bool(np.isclose(found.model.f([0.5 + 2 - 0.3*2, 1, 2]), 0, atol=1e-8))
    True
    """
    experiments = [data] if isinstance(data, (str, os.PathLike, Mapping)) or hasattr(data, "columns") else list(data)
    with tempfile.TemporaryDirectory() as place:
        files = [_file(experiment, pathlib.Path(place) / f"experiment{k}.csv") for k, experiment in enumerate(experiments)]
        model, details = _core.identify(
            files, states=names_of(states), inputs=names_of(inputs), targets=names_of(targets), modes=names_of(modes), ranks=list(ranks),
            discrete=discrete, nonnegative=nonnegative, seed=seed, starts=starts, folds=folds, polynomial=polynomial,
            max_seconds=max_seconds)  # fmt: skip
    return Identified(build(json.loads(model)), json.loads(details))


def _time_of(frame: Any) -> str | None:
    """The name of the time where that is the index of a frame; None where it is the first column. Errors: ValueError where it may
    be either.
    """
    index = frame.index
    if index.nlevels > 1:
        raise ValueError("the frame has an index of several levels; reset_index() makes columns of them")
    if index.name is not None:
        return str(index.name)
    if index.dtype.kind not in "iu":  # which number the rows
        raise ValueError("the index of the frame has no name: with one it is taken for the time, after reset_index(drop=True) the "
                         "first column is")  # fmt: skip
    return None


def _file(experiment: Any, place: pathlib.Path) -> str:
    """The file of an experiment; columns are written to `place` with all their digits."""
    if isinstance(experiment, (str, os.PathLike)):
        return os.fspath(experiment)
    if not isinstance(experiment, Mapping) and not hasattr(experiment, "columns"):
        raise TypeError(f"an experiment is a file, a dictionary from names to columns or a frame, found {experiment!r}")
    columns = [numbers(experiment[name], str(name)).ravel() for name in experiment]
    names = [str(name) for name in experiment]
    if hasattr(experiment, "columns"):
        time = _time_of(experiment)
        if time is not None:
            names.insert(0, time)
            columns.insert(0, numbers(experiment.index.to_numpy(), time).ravel())
    lengths = {len(column) for column in columns}
    if len(lengths) != 1:
        raise ValueError(f"columns of one experiment have as many rows as each other, found {sorted(lengths)}")
    with open(place, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(names)
        rows.writerows(zip(*(column.tolist() for column in columns)))
    return os.fspath(place)
