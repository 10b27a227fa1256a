"""Fits and identification, beside closed forms, SciPy and the program."""

from __future__ import annotations

import json
import pathlib
import subprocess

import matplotlib.pyplot
import numpy as np
import pandas
import pytest
import scipy.optimize

import mti

T = np.linspace(0.1, 3, 30)


def decay() -> mti.Model:
    return mti.Model(states={"x": 2}, parameters={"a": 1, "b": 0.5}, equations=["der(x) = b - a*x"])


def plan(model: object, noise: float = 0.05, seed: int = 3) -> dict[str, object]:
    measured = exact(1.3, 0.7) + noise * np.random.default_rng(seed).normal(size=len(T))
    bounds = {"lower": 0.01, "upper": 5}
    return {"name": "decay", "model": model, "parameters": {"a": {"start": 1, **bounds}, "b": {"start": 0.5, **bounds}},
            "experiments": [{"name": "one", "signals": {"x": {"time": T, "value": measured, "deviation": 0.05}}}]}  # fmt: skip


def exact(a: float, b: float) -> np.ndarray:  # type: ignore[type-arg]
    return b / a + (2 - b / a) * np.exp(-a * T)


def test_a_fit_is_that_of_scipy() -> None:
    asked = plan(decay())
    found = mti.fit(asked)
    measured = asked["experiments"][0]["signals"]["x"]["value"]  # type: ignore[index]
    least = scipy.optimize.least_squares(lambda p: (exact(*p) - measured) / 0.05, [1, 0.5], xtol=1e-14, ftol=1e-14, gtol=1e-14)
    assert found.converged and np.allclose([found.values["a"], found.values["b"]], least.x, rtol=1e-5)
    variance = 2 * least.cost / (len(T) - 2) * np.linalg.inv(least.jac.T @ least.jac)
    assert np.allclose(found.covariance, variance, rtol=1e-3)
    estimate = found.estimates["a"]
    assert abs(estimate.deviation - np.sqrt(variance[0, 0])) < 1e-3 * estimate.deviation
    assert estimate.interval[0] < estimate.value < estimate.interval[1] and not estimate.at_bound
    frame = found.to_frame()
    assert np.array_equal(frame["measured"], measured)
    assert np.allclose(frame["residual"], (frame["fitted"] - frame["measured"]) / 0.05, atol=1e-9)


def test_a_fit_is_that_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.json").write_text(json.dumps(
        {"format": "mti-model", "version": 1, "parameters": {"a": 1, "b": 0.5}, "states": [{"name": "x", "start": 2}],
         "equations": ["der(x) = b - a*x"]}))  # fmt: skip
    asked = plan("model.json")
    measured = asked["experiments"][0]["signals"]["x"]  # type: ignore[index]
    measured.update(time=list(T), value=list(measured["value"]))
    (tmp_path / "plan.json").write_text(json.dumps({"format": "mti-fit", "version": 1, **asked}))
    subprocess.run([program, "fit", str(tmp_path / "plan.json"), "--out", str(tmp_path / "out"), "--quiet"], check=True)
    found = mti.fit(tmp_path / "plan.json")
    assert found.details == json.loads((tmp_path / "out" / "fit.json").read_text())
    assert found.details == mti.fit(asked, directory=tmp_path).details
    table = pandas.read_csv(tmp_path / "out" / "residuals.csv")
    pandas.testing.assert_frame_equal(table, found.to_frame(), check_dtype=False)


def test_a_model_brings_its_parameters_and_what_was_set() -> None:
    # b is fixed at what was set, a is estimated wherever it was set to.
    asked = plan(decay().bind({"a": 3, "b": 0.7}), noise=0)
    found = mti.fit({**asked, "parameters": {"a": {"start": 1, "lower": 0.01, "upper": 5}}})
    assert abs(found.values["a"] - 1.3) < 1e-6
    bound = decay().bind({"a": 3, "b": 0.7})
    study = mti.study({"model": bound, "design": "list", "vary": {"a": {"values": [1, 2]}}, "set": {"b": 0}, "keep": {"final": ["x"]},
                       "simulation": {"stop": 1}})  # fmt: skip
    assert np.allclose(study["final(x)"], 2 * np.exp([-1, -2]), rtol=1e-5)


def test_fits_that_come_to_nothing() -> None:
    with pytest.raises(mti.InvalidModel):
        mti.fit({**plan(decay()), "parameters": {"q": {"start": 1, "lower": 0, "upper": 2}}})
    with pytest.raises(mti.InvalidOption):
        mti.fit(plan(decay()), starts=0)
    stopped = mti.fit(plan(decay()), iterations=1)
    assert not stopped.converged and stopped.end == "iteration_limit"
    broken = mti.Model(states={"x": 2}, parameters={"a": 1}, equations=["der(x) = -a*x"], constraints=["x >= 3"])
    with pytest.raises(mti.NotReached) as none:
        mti.fit({**plan(broken), "parameters": {"a": {"start": 1, "lower": 0, "upper": 2}}})
    assert none.value.faults[0].id == "no-fit"


def test_residuals_are_drawn() -> None:
    found = mti.fit(plan(decay()))
    figure = found.plot()
    above, below = figure.axes
    dots, line = above.get_lines()
    assert np.array_equal(dots.get_ydata(), found.residuals["measured"]) and np.array_equal(line.get_ydata(), found.residuals["fitted"])
    assert np.array_equal(below.get_lines()[0].get_ydata(), found.residuals["residual"])
    matplotlib.pyplot.close("all")


def samples(n: int, seed: int = 5) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    draw = np.random.default_rng(seed)
    u, x = draw.uniform(-1, 1, n), np.zeros(n + 1)
    for k in range(n):
        x[k + 1] = (0.2 + 0.5 * x[k]) * (1 - 0.4 * u[k])
    return {"t": np.arange(float(n)), "x": x[:n], "u": u}


@pytest.mark.parametrize("make", [dict, pandas.DataFrame])
def test_a_map_is_identified(make: type) -> None:
    found = mti.identify(make(samples(80)), states=["x"], inputs=["u"], discrete=True)
    assert found.model.sample_time > 0 and found.details["format"] == "mti-identification"
    for x, u in [(0.1, -0.5), (0.4, 0.9)]:
        assert abs(found.model.f([(0.2 + 0.5 * x) * (1 - 0.4 * u), x, u])[0]) < 1e-8


def test_identification_is_that_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    for k in range(2):
        pandas.DataFrame(samples(60, seed=k)).to_csv(tmp_path / f"{k}.csv", index=False, float_format="%.17g")
    files = [tmp_path / "0.csv", tmp_path / "1.csv"]
    told = subprocess.run(
        [program, "identify", *map(str, files), "--states", "x", "--inputs", "u", "--discrete", "--rank", "1:2", "--json",
         "--out", str(tmp_path / "m.json")], capture_output=True, text=True, check=True)  # fmt: skip
    found = mti.identify(files, states=["x"], inputs=["u"], discrete=True, ranks=[1, 2])
    assert found.details == json.loads(told.stdout) and found.model == mti.read(tmp_path / "m.json")
    assert found.details == mti.identify([samples(60, seed=0), samples(60, seed=1)], states=["x"], inputs=["u"], discrete=True, ranks=[1, 2]).details


def test_data_that_cannot_be_identified() -> None:
    with pytest.raises(ValueError, match="as many rows"):
        mti.identify({"t": [0, 1], "x": [1, 2, 3]}, states=["x"])
    with pytest.raises(mti.InvalidOption):
        mti.identify(samples(40), states=["x"], ranks=[0], discrete=True)
    with pytest.raises((mti.InvalidOption, mti.UnusableFile)):
        mti.identify(samples(40), states=["q"], discrete=True)


def test_the_index_of_a_frame_is_its_time() -> None:
    room = mti.Model(states={"T": 15}, inputs={"heat": {"square": {"period": 3.0, "low": 0, "high": 1}}},
                     equations=["5*der(T) = 10 - T + 8*heat"])  # fmt: skip
    t = np.arange(0, 20, 0.05)
    frame = mti.simulate(room, stop=20, t_eval=t, rtol=1e-10).to_frame()[["T", "heat"]]
    frame["slope"] = (10 - frame["T"] + 8 * frame["heat"]) / 5
    found = mti.identify(frame, states="T", inputs="heat", targets="slope", ranks=[2]).model
    assert found.f(found.v({"der(T)": -0.4, "T": 20, "heat": 1})) == pytest.approx([0], abs=1e-6)
    with pytest.raises(ValueError, match="has no name"):
        mti.identify(frame.rename_axis(None), states="T", inputs="heat", ranks=[2])
    assert isinstance(frame, pandas.DataFrame)
