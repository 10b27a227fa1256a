"""The structure of models, and what is wrong with them."""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from mti import _core
from mti.checked import checked
from mti.faults import MtiError
from mti.linearization import Mode, mode_text
from mti.model import Model, loaded
from mti.reading import read

if TYPE_CHECKING:
    import matplotlib.figure


class Analysis:
    """The structure of a model: of the successor problem, of one mode, of all modes at once. Parts are computed when they
    are first asked for; each is what `mti analyze --json` prints, as a dictionary.

    >>> import mti
    >>> model = mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = y", "0 = x - 1"])
    >>> mti.analyze(model).mode({})["degrees_of_freedom"]
    0
    """

    def __init__(self, model: Model) -> None:
        loaded(model)
        self._model = model

    @property
    def model(self) -> Model:
        """The model that is analysed."""
        return self._model

    @cached_property
    def structure(self) -> dict[str, Any]:
        """Sub-sets, sub-problems, numbers of combinations."""
        found: dict[str, Any] = json.loads(_core.structure(self._model._loaded)[0])
        return found

    @cached_property
    def all_modes(self) -> dict[str, Any]:
        """All modes at once, as formulas of the binaries (docs/all-modes.md). Errors: `ModesTooLarge`."""
        return self.mode_changes()

    @checked
    def mode_changes(self, before: str | None = None, after: str | None = None) -> dict[str, Any]:
        """The same with the mode changes from modes of the formula `before` to modes of the formula `after` only."""
        found: dict[str, Any] = json.loads(_core.all_modes(self._model._loaded, before, after)[0])
        return found

    def mode(self, mode: Mode) -> dict[str, Any]:
        """One mode, {"z1": 1, "z2": 0}: index, degrees of freedom, blocks, rank of the system Jacobian. Binaries that are
        not named have their start values.
        """
        found: dict[str, Any] = json.loads(_core.one_mode(self._model._loaded, mode_text(mode))[0])
        return found

    def to_text(self, mode: Mode | None = None) -> str:
        """The structure, or that of a mode, to be read by people."""
        core = self._model._loaded
        return _core.structure(core)[1] if mode is None else _core.one_mode(core, mode_text(mode))[1]

    def plot(self, *, figure: matplotlib.figure.Figure | None = None) -> matplotlib.figure.Figure:
        """The block triangular incidence. See `mti.plotting.structure`."""
        from mti import plotting

        return plotting.structure(self, figure=figure)

    def _repr_html_(self) -> str:
        """For notebooks: sub-problems and the block triangular incidence."""
        from mti.representation import analysis_html

        return analysis_html(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<mti.Analysis of {self._model!r}>"


def analyze(model: Model) -> Analysis:
    """The structure of a model; parts of it are computed when they are asked for.

    >>> import mti
    >>> model = mti.Model(states=["x"], binaries=["z"], equations=["der(x) = z"], constraints=["(x - 1)*z <= 0"])
    >>> mti.analyze(model).structure["combinations"]["all"]
    '2'
    """
    return Analysis(model)


class Remark(NamedTuple):
    """One thing that a diagnosis found; `pointer` where it stands in the file, `modes` in how many modes it is so.

    >>> import mti
    >>> mti.Remark("error", "syntax-error", "…").id
    'syntax-error'
    """

    severity: str
    id: str
    message: str
    pointer: str = ""
    file: str = ""


class Diagnosis:
    """What `mti check` says: whether a model can be run, and what looks like a slip. True if there are no errors.

    >>> import mti
    >>> model = mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = -x"])
    >>> diagnosis = mti.check(model)
    >>> bool(diagnosis), [remark.id for remark in diagnosis.remarks]
    (True, ['unused-signal'])
    """

    def __init__(self, details: dict[str, Any]) -> None:
        self.details = details
        self.remarks = tuple(
            Remark(severity, found["id"], found["message"], found.get("pointer", ""), found.get("file", ""))
            for severity, found in _remarks(details))

    @property
    def errors(self) -> tuple[Remark, ...]:
        """Remarks with which the model cannot be run."""
        return tuple(remark for remark in self.remarks if remark.severity == "error")

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """The other remarks."""
        return tuple(remark for remark in self.remarks if remark.severity != "error")

    def __bool__(self) -> bool:
        return not self.errors

    def _repr_html_(self) -> str:
        """For notebooks: errors and warnings with their places."""
        from mti.representation import diagnosis_html

        return diagnosis_html(self)

    def __repr__(self) -> str:
        return f"<mti.Diagnosis: {len(self.errors)} errors, {len(self.warnings)} warnings>"

    def __str__(self) -> str:
        lines = [f"{remark.severity}: {remark.id}: {remark.message}" for remark in self.remarks]
        return "\n".join(lines) or "nothing to be said"


def _remarks(details: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [("error", found) for found in details["errors"]] + [("warning", found) for found in details["warnings"]]


def check(model: Union[Model, str, os.PathLike[str]], *, confine: bool = False) -> Diagnosis:
    """Diagnoses a model or a model file; a file that holds no model is one with errors.

    >>> import mti
    >>> bool(mti.check("examples/thermostat/model.json"))
    True
    """
    if not isinstance(model, Model):
        try:
            model = read(model, confine=confine)
        except MtiError as refused:
            errors = [{"id": f.id, "message": f.message, "pointer": f.pointer, "file": f.file} for f in refused.faults]
            return Diagnosis({"errors": errors, "warnings": []})
    return Diagnosis(json.loads(_core.diagnosis(model._loaded)))
