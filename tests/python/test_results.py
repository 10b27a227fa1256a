"""What a run is handed on as: frames, datasets, files, notebooks."""

from __future__ import annotations

import copy
import multiprocessing
import pathlib
import pickle
import re
import subprocess

import numpy as np
import pytest
import scipy.io

import mti
from conftest import ROOT
from models import ball, relay

RELAY_FILE = ROOT / "examples" / "thermostat" / "model.json"


def test_frames_have_the_rows() -> None:
    pandas = pytest.importorskip("pandas")
    run = mti.simulate(ball(), stop=1)
    frame = run.to_frame()
    assert list(frame.columns) == list(run.names) and np.array_equal(frame["h"], run["h"])
    assert np.array_equal(frame.index, run.t) and frame.index.name == "time"
    sided = run.to_frame(sides=True)
    assert isinstance(sided.index, pandas.MultiIndex) and sided.index.names == ["time", "side"]
    assert np.shares_memory(frame.to_numpy(), run.y)


@pytest.mark.parametrize("sample_time", [0.1, 0.3, 0.7])
def test_inputs_of_samples_are_those_that_they_took(sample_time: float) -> None:
    """y_k = u(t_k), though 3·0.7 is less than the 2.1 of the table."""
    table = {"time": [round(sample_time * k, 12) for k in range(7)], "value": [k * k for k in range(7)]}
    model = mti.Model(
        sample_time=sample_time, states={"n": 0}, inputs={"u": {"table": table, "interpolation": "previous"}},
        algebraic=["y"], equations=["next(n) = n + u", "y = u"])  # fmt: skip
    run = mti.simulate(model, stop=6 * sample_time)
    assert run["u"].tolist() == run["y"].tolist()
    assert run["u"].tolist()[:3] == [0, 1, 4]


def test_datasets_have_units() -> None:
    pytest.importorskip("xarray")
    run = mti.simulate(ball(), stop=1)
    data = run.to_xarray()
    assert data["h"].attrs["units"] == "m" and data["h"].dims == ("row",)
    assert np.array_equal(data["time"], run.t) and np.array_equal(data["side"], run.side)
    assert data.attrs["outcome"] == "reached_stop"


def test_files_are_those_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "program"
    subprocess.run([program, "simulate", str(RELAY_FILE), "--quiet", "--out", str(folder)], check=True)
    run = mti.simulate(mti.read(RELAY_FILE))
    run.save(tmp_path / "python")
    assert sorted(path.name for path in (tmp_path / "python").iterdir()) == [
        "events.json", "report.html", "summary.json", "trajectory.csv"]
    for name in ("trajectory.csv", "events.json"):
        assert (tmp_path / "python" / name).read_bytes() == (folder / name).read_bytes()
    run.save(tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_bytes() == (folder / "trajectory.csv").read_bytes()
    run.save(tmp_path / "plain", report=False)
    assert not (tmp_path / "plain" / "report.html").exists()


def test_a_file_for_matlab(tmp_path: pathlib.Path) -> None:
    run = mti.simulate(relay(), stop=3)
    run.save(tmp_path / "r.mat")
    found = scipy.io.loadmat(tmp_path / "r.mat")
    assert np.array_equal(found["time"].ravel(), run.t)


def test_a_netcdf_file(tmp_path: pathlib.Path) -> None:
    xarray = pytest.importorskip("xarray")
    run = mti.simulate(ball(), stop=1)
    run.save(tmp_path / "r.nc")
    with xarray.open_dataset(tmp_path / "r.nc") as data:
        assert np.array_equal(data["h"], run["h"]) and data["v"].attrs["units"] == "m/s"


def test_a_folder_that_cannot_be_written() -> None:
    with pytest.raises(mti.UnusableFile):
        mti.simulate(relay(), stop=1).save("/proc/nowhere/out")


def test_notebooks_show_models_and_linear_models() -> None:
    html = ball()._repr_html_()
    assert html.count(r"\begin{align*}") == html.count(r"\end{align*}") == 3  # equations, constraints, the law
    assert r"&amp; -h \le 0 \tag{floor}" in html and "<td>m/s</td>" in html and "tabular" not in html
    large = mti.Model(states=[f"x{i}" for i in range(70)], equations=[f"der(x{i}) = 0" for i in range(70)])
    assert "70 states" in large._repr_html_() and "align" not in large._repr_html_()


def cells(html: str) -> list[list[list[str]]]:
    """The tables of a page, by rows."""
    return [[re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)]
            for table in re.findall(r"<table>(.*?)</table>", html)]


def test_notebooks_show_linear_models() -> None:
    # ẍ = −4x − 0.5ẋ + u: frequency 2, damping 0.125.
    oscillator = mti.Model(
        name="<i>", states=["x", "v"], inputs=["u"], algebraic=["F"],
        equations=["der(x) = v", "der(v) = F + u", "F = -4*x - 0.5*v"])
    html = mti.linearize(oscillator)._repr_html_()
    state, output, values = cells(html)
    assert state == [["", "x", "v", "u"], ["der(x)", "0", "1", "0"], ["der(v)", "-4", "-0.5", "1"]]
    assert output == [["", "x", "v", "u"], ["F", "-4", "-0.5", "0"]]
    assert [row[1:] for row in values] == [["frequency", "damping"], ["2", "0.125"], ["2", "0.125"]]
    assert "&lt;i&gt;" in html
    # Index 3 has no state space: E and A as they are; 13 unknowns are shown as text.
    path = mti.Model(states=["x", "v"], algebraic=["F"], equations=["der(x) = v", "der(v) = F", "x = 0"])
    E, A, _ = cells(mti.linearize(path, mode={}, as_given=True)._repr_html_())
    assert [row[1:] for row in E[1:]] == [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "0"]]
    assert A[0] == ["", "x", "v", "F"] and len(A) == 4
    many = mti.Model(states=[f"x{i}" for i in range(13)], equations=[f"der(x{i}) = 0" for i in range(13)])
    assert "<pre>" in mti.linearize(many)._repr_html_()


def test_notebooks_show_structure_and_faults() -> None:
    chain = mti.Model(states=["x"], algebraic=["y"], equations={"rate": "der(x) = y", "law": "y = -x"})
    html = mti.analyze(chain)._repr_html_()
    (table,) = cells(html)
    assert table == [["", "y", "der(x)"], ["law", "×", ""], ["rate", "×", "×"]]
    assert html.count("background") == 2 and "<pre>" in html  # the diagonal, one colour for each sub-problem
    diagnosis = mti.check(mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = -x"]))
    assert cells(diagnosis._repr_html_())[0][1][:2] == ["warning", "unused-signal"]
    assert "nothing" in mti.check(chain)._repr_html_()


def test_impulses_are_handed_on() -> None:
    # Two capacitors of 1 F at 1 V and 0 V are connected: 0.5 C flow at once.
    model = mti.Model(
        states={"a": 1.0, "b": 0.0}, inputs={"on": {"binary": True, "table": {"time": [0, 1], "value": [0, 1]}}},
        algebraic=["i"], equations=["der(a) = -i", "der(b) = i", "on*(a - b) + (1 - on)*i = 0"])
    event = mti.simulate(model, stop=2).events[-1]
    assert event.impulses["i"] == mti.Impulse(pytest.approx(0.5), 1.0)
    assert event.jumps == {"a": (1.0, pytest.approx(0.5)), "b": (0.0, pytest.approx(0.5))}


def test_notebooks_show_runs() -> None:
    run = mti.simulate(ball(), stop=1)
    html = run._repr_html_()
    assert "reached_stop" in html and "floor" in html and "<table>" in html
    odd = mti.Model(name="<b>&", states=["x"], equations=["der(x) = 1"])
    assert "&lt;b&gt;&amp;" in mti.simulate(odd, stop=1)._repr_html_()
    assert repr(run).startswith("<mti.Result: reached_stop at t = 1, ")


def test_signals_called_row_and_side_have_their_columns() -> None:
    run = mti.simulate(mti.Model(states={"side": 1, "row": 2}, equations=["der(side) = 1", "der(row) = -1"]), stop=1)
    data = run.to_xarray()
    assert np.array_equal(data["side"].values, run["side"]) and np.array_equal(data["row"].values, run["row"])
    assert np.array_equal(data["side_"].values, run.side) and data["side"].dims == ("row_",)


def test_broken_assertions_are_told(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "rising.mo"
    path.write_text(
        "model rising\n Real x(start = 0, fixed = true);\nequation\n der(x) = 1;\n assert(x < 1, \"too high\");\n"
        " assert(x < 3, \"far too high\");\n annotation(experiment(StopTime = 2));\nend rising;\n", encoding="utf-8")  # fmt: skip
    run = mti.simulate(mti.read(path))
    assert run.success
    assert [warning for warning in run.warnings if "too high" in warning] == ["assertion1 is broken at t = 1: too high"]
    (broken,) = run.summary["assertions"]
    assert broken["time"] == pytest.approx(1)
    assert (broken["name"], broken["level"], broken["message"]) == ("assertion1", "error", "too high")


def relay_until(stop: float) -> mti.Result:
    return mti.simulate(relay(), stop=stop)


def test_a_pickled_result_holds_what_was_found() -> None:
    here = mti.simulate(ball(), stop=1.2, sensitivities=["e"], explain=True)
    there = pickle.loads(pickle.dumps(here))
    again = pickle.loads(pickle.dumps(there))
    for one in (there, again):
        assert one.model == here.model and one.names == here.names
        for name in (*here.names, "v"):
            np.testing.assert_array_equal(one[name], here[name])
        for found in ("t", "side", "y", "v_end", "t_events"):
            np.testing.assert_array_equal(getattr(one, found), getattr(here, found))
            assert not getattr(one, found).flags.writeable
        for signal in ("h", "v", "time"):
            np.testing.assert_array_equal(one.sensitivity(signal, "e"), here.sensitivity(signal, "e"))
        assert [*one.events] == [*here.events] and len(here.events) > 2
        assert (one.outcome, one.message, one.end_time, one.summary) == (here.outcome, here.message, here.end_time, here.summary)
        assert repr(one) == repr(here)
    assert [*pickle.loads(pickle.dumps(here.events))] == [*here.events]
    assert copy.copy(here) is here and copy.deepcopy(here) is here


def test_a_pickled_result_says_what_it_has_left_behind(tmp_path: pathlib.Path) -> None:
    there = pickle.loads(pickle.dumps(relay_until(0.5)))
    with pytest.raises(ValueError, match="its rows alone: ask for the times by t_eval"):
        there.sol(0.25)
    for name in ("run", "run.csv", "run.mat"):
        with pytest.raises(ValueError, match="save other files before it is pickled"):
            there.save(tmp_path / name)
    assert not [*tmp_path.iterdir()]
    with pytest.raises(TypeError, match="pickle run.save"):
        pickle.dumps(mti.Run(relay(), stop=1.0))


def test_results_come_from_pools_of_processes() -> None:
    stops = [0.5, 1.5, 2.5]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(relay_until, stops)
    assert [run.end_time for run in results] == stops
    assert [run["x"][-1] for run in results] == pytest.approx([1.5, 1.5, 1.5], abs=1e-9)
