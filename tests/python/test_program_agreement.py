"""A run in Python has the numbers of the program, bit for bit, of every case model and example."""

from __future__ import annotations

import csv
import json
import pathlib
import pickle
import subprocess
import warnings

import numpy as np
import pytest

import mti
from conftest import ROOT

CASES = [
    path
    for pattern in ("tests/cases/*.json", "tests/cases/second/*.json", "examples/*/model.json", "docs/idioms/*.json")
    for path in sorted(ROOT.glob(pattern))
    if not path.name.endswith(".expect.json")]
SECONDS = 20.0  # a run that takes longer is compared as far as both have come


def rows_of(path: pathlib.Path) -> tuple[list[str], np.ndarray]:
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        names = next(lines)
        rows = [[float(cell) if cell else np.nan for cell in line] for line in lines]
    return names, np.array(rows, dtype=np.float64).reshape(len(rows), len(names))


def quiet_run(model: mti.Model, **options: object) -> mti.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mti.ModelWarning)
        return mti.simulate(model, **options)


CASE_NAMES = [path.parent.name + "." + path.stem for path in CASES]


@pytest.mark.parametrize("case", CASES, ids=CASE_NAMES)
def test_a_pickled_model_runs_as_before(case: pathlib.Path) -> None:
    model = mti.read(case)
    again = pickle.loads(pickle.dumps(model))
    one, other = quiet_run(model, max_seconds=SECONDS), quiet_run(again, max_seconds=SECONDS)
    assert one.outcome == other.outcome
    assert np.array_equal(one.t, other.t) and np.array_equal(one.y, other.y, equal_nan=True)


@pytest.mark.parametrize("case", CASES, ids=CASE_NAMES)
def test_rows_are_those_of_the_program(case: pathlib.Path, program: str, tmp_path: pathlib.Path) -> None:
    command = [program, "simulate", str(case), "--no-report", "--quiet", "--max-seconds", str(SECONDS)]
    subprocess.run([*command, "--out", str(tmp_path)], capture_output=True, check=False, timeout=120)
    names, rows = rows_of(tmp_path / "trajectory.csv")
    outcome = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["outcome"]

    run = quiet_run(mti.read(case), max_seconds=SECONDS)
    assert set(run.names) <= set(names[2:])
    found = np.column_stack([run.t, run.side, *(run[name] for name in names[2:])])
    found = np.where(np.isfinite(found), found, np.nan)
    if "time_budget" in (run.outcome, outcome):
        length = min(len(found), len(rows)) - 1  # where one was cut short there is a row that the other has not
        found, rows = found[:length], rows[:length]
    else:
        assert run.outcome == outcome
    assert np.array_equal(found, rows, equal_nan=True)
    events = json.loads((tmp_path / "events.json").read_text(encoding="utf-8"))
    known = min(len(events), len(run.events))
    assert [event["time"] for event in events[:known]] == run.t_events[:known].tolist()
    assert [event["kind"] for event in events[:known]] == [event.kind for event in run.events[:known]]
