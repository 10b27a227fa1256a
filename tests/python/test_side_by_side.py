"""bench/side_by_side.py: what its table says of errors and missed events holds, and what is missing would be seen."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
from types import ModuleType

import pytest


@pytest.fixture
def tasks(root: pathlib.Path) -> ModuleType:
    found = importlib.util.spec_from_file_location("side_by_side", root / "bench/side_by_side.py")
    assert found and found.loader
    loaded = importlib.util.module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


def test_both_solve_the_tasks(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["side_by_side.py", "--check"])
    assert tasks.main() == 0  # errors of mti within 10·rtol·T, nothing missed
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert len(rows) == 3 * 2 * 2
    # SciPy's solutions are of their tasks too: to a few thousandths of a second, all or nearly all events.
    assert all(float(row[5]) < 5e-3 and int(row[6]) <= 4 for row in rows)
    lines = {(row[0], row[1]): int(row[2]) for row in rows}
    assert all(5 <= count <= 35 for count in lines.values())


def test_what_is_wrong_is_seen(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [(1.0, "a"), (2.0, "b"), (4.0, "a")]
    assert tasks.compare([(1.0, "a"), (2.5, "b"), (4.0, "a")], expected) == (0.5, 0)
    assert tasks.compare([(1.0, "a"), (4.1, "a")], expected) == (pytest.approx(0.1), 1)
    assert tasks.compare([(1.0, "b"), (2.0, "b"), (4.0, "a")], expected) == (0.0, 1)  # of another kind
    monkeypatch.setattr(sys, "argv", ["side_by_side.py", "--check"])
    late = tasks.tanks_by_mti
    monkeypatch.setattr(tasks, "TASKS", [
        ("late", 1000.0, tasks.tanks_by_scipy, lambda tolerance: [(t + 0.1, k) for t, k in late(tolerance)],
         lambda found: tasks.exact_tanks())])
    monkeypatch.setattr(tasks, "lines_of", lambda function: 0)
    assert tasks.main() == 1
