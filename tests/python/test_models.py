"""Models: reading, building, signals, functions and derivatives, equality, pickling."""

from __future__ import annotations

import copy
import json
import math
import pathlib
import pickle

import numpy as np
import pytest
import scipy.interpolate
import scipy.sparse

import mti
from conftest import ROOT
from models import ball, decay, relay

CASES = sorted((ROOT / "tests" / "cases").glob("*.json"))


def product(model: mti.Model, Phi: scipy.sparse.csc_array, v: np.ndarray) -> np.ndarray:
    """Φ · Π (1 − |S| + S v), as it is written."""
    S = model.S.toarray()
    return Phi.toarray() @ np.prod(1 - np.abs(S) + S * v[:, None], axis=0)


@pytest.mark.parametrize("case", CASES[::4], ids=lambda path: path.stem)
def test_f_and_g_are_what_the_matrices_say(case: pathlib.Path) -> None:
    model = mti.read(case)
    v = np.random.default_rng(7).uniform(-1, 1, len(model.row_names))
    scale = np.abs(model.Phi_eq.toarray()).sum(axis=1) + 1
    assert np.all(np.abs(model.f(v) - product(model, model.Phi_eq, v)) <= 1e-14 * scale)
    assert model.g(v) == pytest.approx(product(model, model.Phi_ineq, v), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("case", CASES[::4], ids=lambda path: path.stem)
def test_jacobians_are_differences_with_step_one(case: pathlib.Path) -> None:
    # A multilinear function is affine in each entry of v: differences are exact but for rounding.
    model = mti.read(case)
    v = np.random.default_rng(8).uniform(-1, 1, len(model.row_names))
    for of, function in (("f", model.f), ("g", model.g)):
        exact = model.jacobian(v, of=of).toarray()
        steps = np.array([function(v + unit) - function(v) for unit in np.eye(v.size)]).T
        size = np.max(np.abs(steps), initial=1.0)
        assert np.max(np.abs(exact - steps), initial=0.0) <= 1e-12 * size


def test_columns_of_a_jacobian_are_those_asked_for() -> None:
    model = mti.Model(
        states={"x": 2.0}, inputs=["u"], algebraic=["y"], binaries=["z"],
        equations=["der(x) = 3*u + z*x", "y = 5*x"], constraints=["x*z <= pre(z)"])
    v = model.v({"z": 1})
    assert model.row_names == ("der(x)", "x", "u", "y", "z", "pre(z)")
    assert abs(model.jacobian(v, wrt=("u", "x")).toarray()) == pytest.approx(np.array([[3, 1], [0, 5]]))
    assert model.jacobian(v, wrt="der").shape == (2, 1)
    assert model.jacobian(v, wrt=("pre", "z"), of="g").toarray() == pytest.approx(np.array([[-1, 2]]))
    assert model.jacobian(v, wrt=(5, -2), of="g").toarray() == pytest.approx(np.array([[-1, 2]]))
    with pytest.raises(IndexError):
        model.jacobian(v, wrt=(6,))
    with pytest.raises(KeyError, match="neither a group"):
        model.jacobian(v, wrt="w")
    with pytest.raises(ValueError, match="of:"):
        model.jacobian(v, of="h")


@pytest.mark.parametrize("v", [[], [1.0], np.zeros(7), np.zeros((2, 2)), 1.0])
def test_other_sizes_of_v_are_refused(v: object) -> None:
    model = decay()
    for function in (model.f, model.g, model.jacobian):
        with pytest.raises(mti.InvalidOption) as refused:
            function(v)
        assert refused.value.faults[0].id == "matrix-size"


def test_signals_are_as_declared() -> None:
    model = mti.Model(
        name="parts", states={"T": {"start": 20, "unit": "degC", "nominal": 10}}, inputs={"u": 3},
        algebraic=["y"], binaries={"z": 1}, equations=["der(T) = u - T", "y = T^2"],
        constraints=["y*z <= 1000"])
    assert model.states == (mti.Signal("T", "degC", 10.0, 20.0),)
    assert model.inputs == (mti.Signal("u", "", 1.0, 3.0),)
    assert model.binaries == (mti.Signal("z", "", 1.0, 1.0),)
    assert [(s.name, s.auxiliary) for s in model.algebraic] == [("y", False), ("T.copy1", True)]
    assert model.equation_names[:2] == ("eq1", "eq2") and model.constraint_names == ("c1",)
    assert model.experiment["stop"] == 1.0 and model.sample_time == 0.0


def test_set_replaces_values_of_the_file() -> None:
    path = ROOT / "examples" / "thermostat" / "model.json"
    assert mti.read(path, set={"T": 19.5}).states[0].start == 19.5
    with pytest.raises(mti.InvalidOption) as refused:
        mti.read(path, set={"hihg": 22})
    assert refused.value.faults[0].id == "unknown-override"


def test_a_dictionary_is_a_model_file() -> None:
    path = ROOT / "examples" / "thermostat" / "model.json"
    assert mti.build(json.loads(path.read_text(encoding="utf-8"))) == mti.read(path)


def test_csv_inputs_are_looked_for_in_the_directory(tmp_path: pathlib.Path) -> None:
    (tmp_path / "u.csv").write_text("t,u\n0,1\n1,3\n", encoding="utf-8")
    document = {
        "states": [{"name": "x"}], "inputs": [{"name": "u", "csv": "u.csv", "column": "u"}], "equations": ["der(x) = u"]}
    run = mti.simulate(mti.build(document, directory=tmp_path), stop=1)
    assert run["x"][-1] == pytest.approx(2, rel=1e-9)
    with pytest.raises(mti.MtiError):
        mti.build(document, directory=tmp_path / "elsewhere")


def test_components_are_put_together() -> None:
    tank = {"states": [{"name": "T", "start": 1}], "inputs": [{"name": "before", "value": 0}],
            "equations": ["der(T) = before - T"]}  # fmt: skip
    ring = mti.build({
        "parameters": {"n": 3}, "components": [{"name": "tank[i]", "for": {"i": [1, "n"]}, "model": tank}],
        "connections": [{"input": "tank[i].before", "from": "tank[i-1].T", "for": {"i": [2, "n"]}},
                        {"input": "tank[1].before", "from": "tank[n].T"}]}, set={"n": 4})  # fmt: skip
    assert [signal.name for signal in ring.states] == [f"tank{i}.T" for i in range(1, 5)]
    assert mti.simulate(ring, stop=1)["tank4.T"] == pytest.approx(1.0, abs=1e-12)  # all alike stay so


def test_true_and_false_are_values_of_binaries() -> None:
    model = mti.Model(
        states=["x"], inputs={"u": {"binary": True, "value": True}}, binaries={"z": True, "w": {"start": np.bool_(False)}},
        equations=["der(x) = z + w + u"], constraints=["x*z*w <= 1"])
    assert [signal.start for signal in (*model.inputs, *model.binaries)] == [1, 1, 0]


def test_arrays_and_sparse_matrices_may_stand_in_a_model() -> None:
    A = np.array([[0.0, 1.0], [-4.0, 0.0]])
    matrices = {"A": scipy.sparse.csr_array(A), "B": scipy.sparse.coo_matrix((2, 0)), "C": scipy.sparse.coo_matrix((0, 2)),
                "D": scipy.sparse.coo_matrix((0, 0))}  # fmt: skip
    model = mti.Model(states={"x": np.float64(1), "v": np.int64(0)}, matrices=matrices)
    run = mti.simulate(model, stop=1, rtol=1e-10, atol=1e-12)
    assert run["x"][-1] == pytest.approx(np.cos(2), rel=1e-8)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_pickled_model_is_the_same(case: pathlib.Path) -> None:
    model = mti.read(case)
    again = pickle.loads(pickle.dumps(model))
    assert again == model and hash(again) == hash(model)
    for name in ("S", "Phi_eq", "Phi_ineq"):
        one, other = getattr(model, name), getattr(again, name)
        assert one.shape == other.shape and np.array_equal(one.indptr, other.indptr)
        assert np.array_equal(one.indices, other.indices) and np.array_equal(one.data, other.data)
    for name in ("states", "inputs", "algebraic", "binaries", "experiment", "equation_names", "constraint_names", "name"):
        assert getattr(again, name) == getattr(model, name), name


def test_a_pickled_model_runs_as_before() -> None:
    model = ball()
    one, other = mti.simulate(model, stop=1.2), mti.simulate(pickle.loads(pickle.dumps(model)), stop=1.2)
    assert np.array_equal(one.t, other.t) and np.array_equal(one.y, other.y)


def test_a_pickled_model_has_its_parameters() -> None:
    model = mti.Model(parameters={"k": 1, "twice": "2*k"}, states={"x": 1}, equations=["der(x) = -twice*x"])
    for kept in (model, model.bind({"k": 3}), mti.read(ROOT / "examples/three_tank/model.json")):
        again = pickle.loads(pickle.dumps(kept))
        assert again == kept
        assert pickle.loads(pickle.dumps(again)) == kept
    bound = pickle.loads(pickle.dumps(model.bind({"k": 3}))).bind({"x": 2})
    assert mti.simulate(bound, stop=1, rtol=1e-9)["x"][-1] == pytest.approx(2 * np.exp(-6), rel=1e-7)
    found = mti.simulate(pickle.loads(pickle.dumps(model)), stop=1, rtol=1e-9, sensitivities=["k"])
    assert found.sensitivity("x", "k")[-1] == pytest.approx(-2 * np.exp(-2), rel=1e-6)


def test_a_pickled_model_names_no_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "u.csv").write_text("time,u\n0,1\n2,3\n", encoding="utf-8")
    path = tmp_path / "model.json"
    path.write_text(
        '{"format": "mti-model", "version": 1, "parameters": {"k": 1}, "states": [{"name": "x"}],'
        ' "inputs": [{"name": "u", "csv": "u.csv", "column": "u"}], "equations": ["der(x) = k*u"]}',
        encoding="utf-8")
    model = mti.read(path)
    kept = pickle.dumps(model)
    (tmp_path / "u.csv").unlink()
    path.unlink()
    again = pickle.loads(kept)
    assert again == model
    assert mti.simulate(again.bind({"k": 2}), stop=2)["x"][-1] == pytest.approx(8)


def test_models_are_values() -> None:
    assert relay() == relay() and hash(relay()) == hash(relay())
    assert decay(1.0) != decay(2.0) and decay() != "decay"
    assert {relay(): 1}[relay()] == 1
    model = relay()
    assert copy.copy(model) is model and copy.deepcopy(model) is model
    with pytest.raises(AttributeError, match="cannot be changed"):
        model.name = "other"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del model._core


def test_a_saved_model_reads_back(tmp_path: pathlib.Path) -> None:
    model = ball()
    for name, form in (("a.json", "matrices"), ("b.mat", "matrices")):
        model.save(tmp_path / name, form=form)
        assert np.array_equal(mti.read(tmp_path / name).S.toarray(), model.S.toarray()), name
    model.save(tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text(encoding="utf-8")) == json.loads(model.to_json())
    with pytest.raises(ValueError, match="form"):
        model.to_json(form="words")
    with pytest.raises(ValueError, match="form"):
        model.save(tmp_path / "d.json", form="words")


def test_equations_can_be_printed() -> None:
    model = mti.Model(states=["x"], equations={"decay": "der(x) = -2*x^2"})
    assert "decay:  der(x) + 2*x^2 = 0" in model.to_text()
    assert r"\dot" in model.to_latex()
    assert repr(model).startswith("<mti.Model: 1 state")


def test_functions_of_time_are_inputs() -> None:
    # x' = u with u = cos 3t + 1/(1 + t): x = sin(3t)/3 + log(1 + t)
    u = mti.input_function(lambda t: np.cos(3 * t) + 1 / (1 + t), 0, 5, unit="N", nominal=2)
    model = mti.Model(states=["x"], inputs={"u": u}, equations=["der(x) = u"])
    assert model.inputs[0].unit == "N" and model.inputs[0].nominal == 2
    run = mti.simulate(model, stop=5, rtol=1e-10, atol=1e-10)
    assert np.allclose(run["x"], np.sin(3 * run.t) / 3 + np.log(1 + run.t), atol=1e-9)
    assert mti.build(json.loads(model.to_json())) == model


def test_splines_are_inputs() -> None:
    t = np.array([0.0, 1.0, 1.5, 4.0, 5.0])
    spline = scipy.interpolate.CubicSpline(t, np.sin(t))
    model = mti.Model(states=["x"], inputs={"u": mti.input_function(spline, 0.2, 3.9)}, equations=["der(x) = u"])
    run = mti.simulate(model, start=0.2, stop=3.9, rtol=1e-10, atol=1e-10)
    assert np.allclose(run["u"], spline(run.t), atol=1e-12)
    assert np.allclose(run["x"], [spline.integrate(0.2, end) for end in run.t], atol=1e-9)
    with pytest.raises(ValueError, match="one value"):
        mti.input_function(scipy.interpolate.CubicSpline(t, np.stack([t, t], axis=1)), 0, 1)


def test_functions_that_are_not_smooth() -> None:
    with pytest.raises(mti.InvalidOption) as refused:
        mti.input_function(lambda t: float(t > 0.3), 0, 1)
    assert refused.value.faults[0].id == "not-smooth" and "0.3" in str(refused.value)
    step = mti.input_function(lambda t: float(t > 0.3), 0, 1, kinks=[0.3])
    run = mti.simulate(mti.Model(states=["x"], inputs={"u": step}, equations=["der(x) = u"]), stop=1)
    assert abs(run["x"][-1] - 0.7) < 1e-9
    with pytest.raises(ZeroDivisionError):
        mti.input_function(lambda t: 1 / 0, 0, 1)
    with pytest.raises(mti.InvalidOption):
        mti.input_function(lambda t: t, 1, 0)


def final(model: mti.Model, name: str, stop: float = 1.0) -> float:
    return float(mti.simulate(model, stop=stop, rtol=1e-10, atol=1e-12)[name][-1])


def test_what_a_model_was_made_of_may_change() -> None:
    parameters = {"k": 1.0, "c": 0.0}
    value = np.array([1.0, 1.0])
    document = {"parameters": parameters, "states": [{"name": "x", "start": 1}],
                "inputs": [{"name": "u", "table": {"time": [0, 1], "value": value}}],
                "equations": ["der(x) = -k*x + c + 0*u"]}  # fmt: skip
    models = [
        mti.Model(parameters=parameters, states={"x": 1}, equations=["der(x) = -k*x + c"]), mti.build(document)]
    parameters["k"], value[0] = 5.0, 3.0
    for model in models:
        assert final(model.bind({}), "x") == pytest.approx(math.exp(-1), abs=1e-9)
        assert final(model.bind({"k": 2}), "x") == pytest.approx(math.exp(-2), abs=1e-9)
        run = mti.Run(model, stop=2, rtol=1e-10, atol=1e-12)
        run.advance(1)
        run.set_parameter("c", 0.0)
        run.advance(2)
        assert run["x"] == pytest.approx(math.exp(-2), abs=1e-9)


def test_iterators_are_read_once() -> None:
    laws = ({"when": "reach(floor)", "equations": [law]} for law in ["v = -0.5*pre(v)"])
    ball = mti.Model(states={"h": 1, "v": 0}, equations=["der(h) = v", "der(v) = -10"],
                     constraints={"floor": "-h <= 0"}, transitions=laws)  # type: ignore[arg-type]
    assert final(ball.bind({}), "h", 0.6) == final(ball, "h", 0.6) > 0


@pytest.mark.parametrize("periodic", [False, True])
def test_splines_beyond_their_knots(periodic: bool) -> None:
    x = np.linspace(0, 1, 11)
    y = np.sin(2 * np.pi * x) ** 2 + (0 if periodic else x)
    y[-1] = y[0] if periodic else y[-1]
    spline = scipy.interpolate.CubicSpline(x, y, bc_type="periodic" if periodic else "natural")
    for start, stop in ((0, 1), (0.25, 0.75), (0.25, 2.5), (-1.3, 0.4), (-2, 3)):
        model = mti.Model(states={"q": 0}, algebraic=["w"], inputs={"u": mti.input_function(spline, start, stop)},
                          equations=["der(q) = u", "w = u"])  # fmt: skip
        run = mti.simulate(model, start=start, stop=stop, rtol=1e-11, atol=1e-13)
        assert run["q"][-1] == pytest.approx(float(spline.integrate(start, stop)), abs=1e-8)
        assert run["w"] == pytest.approx(spline(run.t), abs=1e-9)


def test_only_splines_are_taken_for_polynomials() -> None:
    bernstein = scipy.interpolate.BPoly([[1.0], [2.0], [0.0]], [0, 1])
    u = mti.input_function(bernstein, 0, 1)
    assert final(mti.Model(states=["q"], inputs={"u": u}, equations=["der(q) = u"]), "q") == pytest.approx(1, abs=1e-8)
    ends = scipy.interpolate.CubicSpline([0, 1, 2], [0, 1, 0], extrapolate=False)
    with pytest.raises(ValueError, match="from 0.0 to 2.0"):
        mti.input_function(ends, 0, 3)


def test_keywords_are_the_members_of_a_model_file(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # x' = -x with x(0) = e, and y' = x - y with y(0) = 0: y = e t exp(-t).
    part = {
        "format": "mti-model", "version": 1, "parameters": {"first": 0}, "states": [{"name": "x", "start": "first"}],
        "inputs": [{"name": "u", "value": 0}], "equations": ["der(x) = u - x"]}
    (tmp_path / "part.json").write_text(json.dumps(part), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    members: dict[str, object] = {
        "parameters": {"e": math.e},
        "components": ({"name": "a", "model": part, "parameters": {"first": "e"}}, {"name": "b", "model": "part.json"}),
        "connections": [{"input": "b.u", "from": "a.x"}, {"input": "a.u", "from": "0"}],
        "experiment": {"stop": 1, "rtol": 1e-10}}
    model = mti.Model(**members)  # type: ignore[arg-type]
    assert model == mti.build(members)
    assert mti.simulate(model)["b.x"][-1] == pytest.approx(1.0, abs=1e-7)
    assert mti.simulate(model.bind({"e": 1.0}))["b.x"][-1] == pytest.approx(math.exp(-1), abs=1e-7)
    assert mti.simulate(mti.Network(**members).build())["b.x"][-1] == pytest.approx(1.0, abs=1e-7)
    with pytest.raises(mti.InvalidModel) as refused:
        mti.Model(components=[{"name": "a"}])
    assert refused.value.faults[0].pointer.startswith("/components/0")


def test_clocks_are_given_alone_or_in_a_list() -> None:
    alone = mti.Model(states={"x": 8}, sample={"name": "k", "period": 0.25}, equations=["next(x) = x/2"])
    listed = mti.Model(
        states=[{"name": "x", "start": 8, "sample": "k"}, {"name": "n", "sample": "slow"}],
        sample=[{"name": "k", "period": 0.25}, {"name": "slow", "period": 1}], equations=["next(x) = x/2", "next(n) = n + 1"])
    # Ticks after the start: at 0.25, 0.5, 0.75, 1 and 1.25, and at 1 (docs/language.md).
    for model in (alone, listed):
        assert mti.simulate(model, stop=1.3)["x"][-1] == 8 / 2**5
    assert mti.simulate(listed, stop=1.3)["n"][-1] == 1.0


def test_points_hold_what_follows_from_them() -> None:
    square = mti.Model(states={"x": 1}, equations=["der(x) = -x^2"])
    assert square.f(square.v({"x": 2, "der(x)": -4})).tolist() == [0, 0]
    pendulum = mti.Model(states={"phi": 1, "w": 0}, equations=["der(phi) = w", "der(w) = -sin(2*phi)"])
    point = pendulum.v({"phi": 2, "w": 3, "der(phi)": 3, "der(w)": -math.sin(4)})
    assert pendulum.f(point) == pytest.approx(np.zeros(len(pendulum.equation_names)), abs=1e-15)
    memory = mti.Model(states=["x"], binaries={"z": 1}, equations=["der(x) = pre(z) - z"])
    assert memory.v({"z": 0}).tolist() == [0, 0, 0, 0]
    assert memory.v({"z": 0, "pre(z)": 1}).tolist() == [0, 0, 0, 1]


def test_a_spline_whose_breakpoints_fall() -> None:
    spline = scipy.interpolate.PPoly([[3, 1], [1, -2]], [2, 1, 0])
    model = mti.Model(states=["x"], inputs={"u": mti.input_function(spline, 0, 2)}, equations=["der(x) = u"])
    times = [0.25, 0.5, 1.25, 1.75]
    assert mti.simulate(model, stop=2, t_eval=times)["u"] == pytest.approx(spline(times), abs=1e-12)
