"""The notebooks of examples/notebooks run from their first cell to their last, and what they find is what closed forms, or
solutions by other methods, say."""

from __future__ import annotations

import ast
import json
import pathlib
from collections.abc import Callable
from typing import Any

import nbclient
import nbformat
import numpy as np
import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NAMES = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """Kernels neither read nor write settings of whoever runs the tests."""
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")


def executed(name: str, questions: dict[str, str]) -> tuple[nbformat.NotebookNode, dict[str, Any]]:
    """A notebook after its execution, and the values of expressions at its end."""
    book = nbformat.read(NOTEBOOKS / name, as_version=4)
    asked = ", ".join(f"{key!r}: {question}" for key, question in questions.items())
    book.cells.append(nbformat.v4.new_code_cell(
        "import json as _json, numpy as _np\n"
        f"print(_json.dumps({{{asked}}}, default=lambda value: _np.asarray(value).tolist()))"))
    nbclient.NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    answers: dict[str, Any] = json.loads(book.cells.pop().outputs[0].text)
    return book, answers


def kinds(book: nbformat.NotebookNode) -> list[str]:
    """What notebooks show beside text: pages and pictures."""
    return [kind for cell in book.cells if cell.cell_type == "code" for output in cell.outputs
            for kind in output.get("data", {}) if kind != "text/plain"]


def three_tanks(book: nbformat.NotebookNode, found: dict[str, Any]) -> None:
    """Switching times by the exact flow of every mode (matrix exponentials, 40 digits)."""
    reference = json.loads((NOTEBOOKS.parents[1] / "tests/cases/reference/three_tank.json").read_text())
    exact = [switch["time"] for switch in reference["switches"]]
    assert np.allclose(found["switches"], exact, rtol=0, atol=10 * 1e-8 * 1000)
    names = [name for switch in reference["switches"] for name, value in switch["changed"].items() if value == 1]
    assert found["opened"] == {name: names.count(name) for name in ("z1", "z3", "z5")}
    assert 0 < found["hot"] < found["cold"] < 1  # what is hotter has to be open for less of the time


def bouncing_ball(book: nbformat.NotebookNode, found: dict[str, Any]) -> None:
    """t_n = t_1 (1 + 2e (1 − eⁿ⁻¹)/(1 − e)), limit t_1 (1 + e)/(1 − e); the impulse is the jump of the velocity."""
    e, t1 = 0.7, np.sqrt(2 / 9.81)
    times = np.array(found["impacts"])
    exact = t1 * (1 + 2 * e * (1 - e ** np.arange(times.size)) / (1 - e))
    tolerance = 10 * 1e-10 * 3
    assert times.size > 10 and np.allclose(times, exact, rtol=0, atol=tolerance)
    assert found["limit"] == pytest.approx(t1 * (1 + e) / (1 - e), abs=tolerance)
    assert found["impulse"] == pytest.approx((1 + e) * 9.81 * t1, rel=1e-9)
    assert found["rest"] == pytest.approx([0.0, 0.0, 9.81], abs=1e-9)


def thermostat(book: nbformat.NotebookNode, found: dict[str, Any]) -> None:
    """Exponentials: 10 ln(16/14) heated, 10 ln(16/14) cooling; to the surface 10 ln(18/15); 1/2 holds 20 degrees."""
    tolerance = 10 * 1e-10 * 24
    assert np.allclose(np.diff(found["times"]), 10 * np.log(16 / 14), rtol=0, atol=tolerance)
    assert found["begins"] == pytest.approx(10 * np.log(18 / 15), abs=tolerance)
    assert found["held"] == pytest.approx([20.0, 0.5], abs=tolerance)


def own_model(book: nbformat.NotebookNode, found: dict[str, Any]) -> None:
    """p = 2π/ω + 4d/(ω(x₀ − d)) with ω = 5; the energy ½ k (x₀ − d)²."""
    tolerance = 10 * 1e-10 * 6
    crossings = np.array(found["times"])
    period = 2 * np.pi / 5 + 4 * 0.1 / (5 * 0.3)
    assert crossings[0] == pytest.approx(np.pi / 10, abs=tolerance)
    assert np.allclose(crossings[4:] - crossings[:-4], period, rtol=0, atol=2 * tolerance) and crossings.size > 12
    assert np.allclose(found["energy"], 0.5 * 50 * 0.3**2, rtol=0, atol=50 * tolerance)
    assert found["same"] == [True, True]
    faults = next(cell.outputs[0].text for cell in book.cells if "InvalidModel" in cell.source)
    assert [line.split()[:2] for line in faults.splitlines()] == [
        ["unknown-name", "/equations/0"], ["unknown-name", "/equations/1"]]


def control(book: nbformat.NotebookNode, found: dict[str, Any]) -> None:
    """λ = ±√(g/ℓ). With a = g/ℓ, b = 1/(mℓ²), Q = diag(q₁, q₂), R = r Riccati's equation has the solution
    k₁ = (a + √(a² + b² q₁/r))/b, k₂ = √((2 k₁ r/b + q₂)/r), and the loop λ² + b k₂ λ + b k₁ − a = 0."""
    a, b, q1, q2, r = 9.81 / 0.8, 1 / (0.5 * 0.8**2), 10.0, 1.0, 0.1
    assert np.allclose(np.sort(found["open"]), [-np.sqrt(a), np.sqrt(a)], rtol=1e-12)
    k1 = (a + np.sqrt(a**2 + b**2 * q1 / r)) / b
    k2 = np.sqrt((2 * k1 * r / b + q2) / r)
    assert np.allclose(found["K"], [[k1, k2]], rtol=1e-9)
    assert np.allclose(np.sort(found["closed"]), np.sort(np.roots([1, b * k2, b * k1 - a])), rtol=1e-9)
    assert abs(found["end"]) < 0.5 * np.exp(-3 * 5) and found["kept"] < 0.35 and found["lost"] > np.pi
    assert found["torque"] <= 1.5 * (1 + 1e-9)


# By notebook: what is asked at its end, and who judges the answers.
JUDGES: dict[str, tuple[dict[str, str], Callable[[nbformat.NotebookNode, dict[str, Any]], None]]] = {
    "1_three_tanks.ipynb": (
        {"switches": "switches", "opened": "opened", "cold": "share_open(run, 'z1')", "hot": "share_open(hot, 'z1')"},
        three_tanks),
    "2_bouncing_ball.ipynb": (
        {"impacts": "impacts", "limit": "limit.time", "impulse": "first.impulses['F'].weight",
         "rest": "[run[name][-1] for name in ('h', 'v', 'F')]"}, bouncing_ball),
    "3_thermostat_and_relay.ipynb": (
        {"times": "times", "begins": "begins", "held": "[sliding['T'][-1], sliding['heating'][-1]]"}, thermostat),
    "4_own_model.ipynb": (
        {"times": "times", "energy": "energy", "same": "[again == model, np.array_equal(mti.simulate(again).y, run.y)]"},
        own_model),
    "5_linearisation_and_control.ipynb": (
        {"open": "lin.eigenvalues.real", "K": "K", "closed": "loop.eigenvalues.real", "end": "run['theta'][-1]",
         "kept": "kept['theta'].max()", "lost": "lost['theta'].max()", "torque": "abs(kept['u']).max()"}, control),
}


def test_there_is_a_judge_for_each() -> None:
    assert set(NAMES) == set(JUDGES)


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_find_what_is_known(name: str) -> None:
    questions, judge = JUDGES[name]
    book, found = executed(name, questions)
    judge(book, found)
    assert kinds(book).count("text/html") >= 1 and kinds(book).count("image/png") >= 1


@pytest.mark.parametrize("name", NAMES)
def test_no_output_is_kept(name: str) -> None:
    book = nbformat.read(NOTEBOOKS / name, as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None
            ast.parse(cell.source)


def test_a_cell_that_fails_is_seen(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_notebooks.NOTEBOOKS", tmp_path)
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1/0")])
    nbformat.write(book, tmp_path / "fails.ipynb")
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="ZeroDivisionError"):
        executed("fails.ipynb", {})
