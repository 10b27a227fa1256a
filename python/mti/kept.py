"""What is kept of a run that is pickled."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from mti import _core


@dataclass(frozen=True)
class KeptTrajectory:
    """Rows, events, derivatives and summary of a run, with the names of `_core.Trajectory`; the polynomials between the rows are not
    kept, nor what the files of a run are written from. Its arrays can only be read.
    """

    names: list[str]
    times: NDArray[np.float64]
    sides: NDArray[np.int8]
    values: NDArray[np.float64]
    inputs: NDArray[np.float64]
    end_point: NDArray[np.float64]
    sensitivity_parameters: list[str]
    sensitivity_signals: list[str]
    sensitivity_values: NDArray[np.float64]
    event_sensitivities: NDArray[np.float64]
    outcome: str
    message: str
    end_time: float
    warnings: list[str]
    event_times: NDArray[np.float64]
    event_texts: tuple[str, ...]
    summary_text: str

    def __post_init__(self) -> None:
        for field in fields(self):
            if isinstance(value := getattr(self, field.name), np.ndarray):
                value.flags.writeable = False

    def __reduce__(self) -> tuple[type[KeptTrajectory], tuple[object, ...]]:
        return KeptTrajectory, tuple(getattr(self, field.name) for field in fields(self))

    @property
    def event_count(self) -> int:
        return len(self.event_texts)

    @property
    def has_dense(self) -> bool:
        return False

    def event_json(self, index: int) -> str:
        return self.event_texts[index]

    def summary_json(self) -> str:
        return self.summary_text

    def dense_values(self, t: NDArray[np.float64], from_left: bool) -> NoReturn:
        raise ValueError("a Result that was pickled has its rows alone: ask for the times by t_eval, or for sol before it is pickled")

    def csv(self) -> NoReturn:
        self._refuse_file()

    def write(self, directory: str, report: bool) -> NoReturn:
        self._refuse_file()

    def write_mat(self, path: str) -> NoReturn:
        self._refuse_file()

    @staticmethod
    def _refuse_file() -> NoReturn:
        raise ValueError("a Result that was pickled is saved as .nc, or by to_frame(); save other files before it is pickled")


def kept(run: _core.Trajectory | KeptTrajectory) -> KeptTrajectory:
    """The same of a run that was pickled before."""
    if isinstance(run, KeptTrajectory):
        return run
    return KeptTrajectory(
        run.names, np.array(run.times), np.array(run.sides), np.array(run.values), np.array(run.inputs), np.array(run.end_point),
        run.sensitivity_parameters, run.sensitivity_signals, np.array(run.sensitivity_values), np.array(run.event_sensitivities),
        run.outcome, run.message, run.end_time, run.warnings, np.array(run.event_times),
        tuple(run.event_json(i) for i in range(run.event_count)), run.summary_json())  # fmt: skip
