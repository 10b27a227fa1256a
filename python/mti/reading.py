"""Models from files and from dictionaries."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mti import _core
from mti.document import overrides, text_of
from mti.model import Model
from mti.source import Source


def read(
    path: str | os.PathLike[str], *, set: Mapping[str, float] | None = None, confine: bool = False
) -> Model:
    """Reads a model file: .json, .mat, Modelica (.mo, .bmo) or SBML (.xml, .sbml).

    `set` replaces parameters, constant inputs and start values by name; with `confine` only files below the folder of
    the model are read. Errors: `InvalidModel` with every fault, `InvalidOption` for `set`, `UnusableFile`.

    >>> import mti
    >>> model = mti.read("examples/thermostat/model.json", set={"high": 22})
    >>> [signal.name for signal in model.states]
    ['T']
    """
    source = Source(os.path.abspath(path), confine=confine)
    return Model._of(_core.read(os.fspath(path), overrides(set), confine), source, set)


def build(
    document: Mapping[str, Any],
    *,
    set: Mapping[str, float] | None = None,
    directory: str | os.PathLike[str] = "",
    confine: bool = False,
) -> Model:
    """Builds a model from what a model file says, as a dictionary. `format` and `version` may be left out; NumPy's numbers
    and arrays may stand in it, and SciPy's sparse matrices for triplets. csv inputs and components are looked for in
    `directory`.

    >>> import mti
    >>> mti.build({"states": [{"name": "x", "start": 1}], "equations": ["der(x) = -x"]}).states[0].start
    1.0
    """
    text = text_of({"format": "mti-model", "version": 1, **document})
    source = Source.of_text(text, directory, confine)
    return Model._of(_core.build_text(text, source.directory, overrides(set), confine), source, set)
