"""Studies: many runs of one model."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mti import _core
from mti.plans import Plan, text_and_place

if TYPE_CHECKING:
    import pandas


class Study(Mapping[str, NDArray[Any]]):
    """The runs of a study: a dictionary from the names of the columns of its table to arrays, one entry for each run.

    Numbers that a run has not come to are NaN; `outcome`, `message` and the files of tables are texts. `summary` is what
    study.json says: outcomes, and for each kept quantity number, mean, deviation, extremes, quantiles and the influence
    of the factors. Studies can be pickled.

    >>> import mti
    >>> decay = {"parameters": {"a": 1}, "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -a*x"]}
    >>> study = mti.study({"model": decay, "design": "list", "vary": {"a": {"values": [1, 2]}}, "keep": {"final": ["x"]}})
    >>> study
    <mti.Study: 2 of 2 runs; a, outcome, end_time, events, final(x)>
    >>> study["final(x)"].round(4)
    array([0.3679, 0.1353])
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]], summary: Mapping[str, Any]) -> None:
        self._columns = dict(columns)
        self.summary: dict[str, Any] = dict(summary)

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Study:
        """The results that `mti study` has written into a folder."""
        folder = pathlib.Path(directory)
        with open(folder / "study.json", encoding="utf-8") as file:
            summary = json.load(file)
        with open(folder / "runs.csv", encoding="utf-8", newline="") as file:
            lines = csv.reader(file)
            names = next(lines)
            cells = list(zip(*lines)) or [()] * len(names)
        tables = summary.get("tables", [])
        return cls({name: _array(name, column, name in tables) for name, column in zip(names, cells)}, summary)

    @property
    def complete(self) -> bool:
        """Whether all runs were made, however they ended."""
        return bool(self.summary["complete"])

    @property
    def outcomes(self) -> dict[str, int]:
        """How many runs ended so, by outcome."""
        return dict(self.summary["outcomes"])

    @property
    def quantities(self) -> dict[str, dict[str, Any]]:
        """What the summary says of each kept quantity, by name."""
        return {quantity["name"]: quantity for quantity in self.summary["quantities"]}

    def to_frame(self) -> pandas.DataFrame:
        """The table as a pandas.DataFrame, indexed by the number of the run."""
        import pandas

        return pandas.DataFrame(self._columns).set_index("run")

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        columns = [name for name in self._columns if name not in ("run", "message")]
        shown = ", ".join(columns[:6]) + (f" and {len(columns) - 6} more" if len(columns) > 6 else "")
        return f"<mti.Study: {self.summary['done']} of {self.summary['runs']} runs; {shown}>"


def study(
    plan: Plan,
    *,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    resume: bool = False,
    shard: tuple[int, int] | None = None,
    merge: Sequence[str | os.PathLike[str]] | None = None,
    max_seconds: float | None = None,
    report: bool = True,
    directory: str | os.PathLike[str] = "",
    confine: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Study:
    """Makes the runs of a plan in `jobs` threads, one for each processor if that is None (docs/studies.md).

        run i depends on the plan and i alone

    `plan` is a file, or what one says as a dictionary, without `format` and `version` if one likes; its `model` may be a
    `Model`, a dictionary, or a file, looked for in `directory`. Of a `Model` that was made of another one, by `convert` as an
    example, only start values and constant inputs can be varied: its parameters are numbers. The results are written into the folder `out`, with a page if there
    is to be a `report`, or nowhere. `resume` goes on with what is
    there, `shard=(k, n)` makes part k of n, `merge` puts together folders of parts and makes no run. After `max_seconds` the
    study ends with what it has. `progress(done, runs)` is called now and then, in another thread.

    Errors: `InvalidModel`, `InvalidOption`, `UnusableFile`. Ctrl-C ends the study; the KeyboardInterrupt has what was made as
    its attribute `study`. Other threads of Python go on meanwhile.

    >>> import mti
    >>> room = mti.read("examples/thermostat/model.json")
    >>> study = mti.study({"model": room, "design": "sobol", "runs": 16, "vary": {"T": {"uniform": [15, 22]}},
    ...                    "keep": {"average": ["heating"]}})
    >>> study.outcomes
    {'reached_stop': 16}
    """
    text, folder = text_and_place(plan, "mti-study", os.fspath(directory))
    if jobs == 0:
        raise ValueError("jobs: expected a number of threads, or None for one for each processor")
    if out is None:
        if resume or merge is not None or shard is not None:
            raise ValueError("resume, shard and merge go with a folder, out")
        with tempfile.TemporaryDirectory() as place:
            return _made(text, folder, place, jobs, resume, False, shard, max_seconds, confine, progress)
    if merge is not None:
        if resume or shard is not None or jobs is not None or max_seconds is not None:
            raise ValueError("merge makes no runs: it goes with none of resume, shard, jobs and max_seconds")
        parts = [] if isinstance(merge, (str, bytes)) else [os.fspath(part) for part in merge]
        if not parts:
            raise ValueError("merge: expected a list of folders")
        _core.merge_study(text, directory=folder, confine=confine, parts=parts, out=os.fspath(out))
        return Study.read(out)
    return _made(text, folder, os.fspath(out), jobs, resume, report, shard, max_seconds, confine, progress)


def _made(
    text: str | None,
    folder: str,
    out: str,
    jobs: int | None,
    resume: bool,
    report: bool,
    shard: tuple[int, int] | None,
    max_seconds: float | None,
    confine: bool,
    progress: Callable[[int, int], object] | None,
) -> Study:
    raised = _core.study(
        text, directory=folder, confine=confine, out=out, jobs=jobs or 0, resume=resume, report=report, shard=shard,
        max_seconds=max_seconds, progress=progress)  # fmt: skip
    made = Study.read(out)
    if raised is not None:
        setattr(raised, "study", made)
        raise raised
    return made


def _array(name: str, cells: Sequence[str], holds_files: bool) -> NDArray[Any]:
    if name == "run":
        return np.array(cells, dtype=np.int64)
    if name in ("outcome", "message") or holds_files:
        return np.array(cells, dtype=np.str_)
    return np.array([float(cell) if cell else np.nan for cell in cells])
