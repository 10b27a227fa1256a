"""Runs: closed forms, the words of solve_ivp, dense output, ways to end."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import mti
from models import GRAVITY, ball, decay, endless, relay


def test_the_solution_is_the_exponential() -> None:
    run = mti.simulate(decay(2.0), stop=3, rtol=1e-10, atol=1e-12)
    assert run.success and run.status == 0 and "reached its stop" in run.message and run.end_time == 3
    assert np.allclose(run["x"], np.exp(-2 * run.t), rtol=1e-8, atol=0)  # rtol per step, some ten steps


def test_rows_stand_at_the_times_asked_for() -> None:
    times = [0, 0.125, 0.5, 1.75, 2]
    run = mti.simulate(decay(), stop=2, t_eval=times)
    assert run.t.tolist() == times
    assert run.side.tolist() == [0] * 5


def test_t_eval_may_be_an_array_of_any_numbers() -> None:
    run = mti.simulate(decay(), stop=2, t_eval=np.arange(3))
    assert run.t.tolist() == [0, 1, 2]


def test_events_of_the_relay_are_where_its_line_meets_the_levels() -> None:
    run = mti.simulate(relay(), stop=4.5)
    assert np.allclose(run.t_events, [0, 1, 2, 3, 4], rtol=0, atol=1e-12)
    assert [event.constraints for event in run.events[1:]] == [("high",), ("low",), ("high",), ("low",)]
    assert run.events[1].changed == {"on": (1.0, 0.0)}
    assert run.events[-1].time == run.t_events[-1]
    assert [event.kind for event in run.events[2:4]] == ["switch", "switch"]


def test_the_ball_bounces_where_gravity_says() -> None:
    run = mti.simulate(ball(0.5), stop=0.8, rtol=1e-10, atol=1e-12)
    first = np.sqrt(2 / GRAVITY)
    bounce = next(event for event in run.events if "v" in event.jumps)
    before, after = bounce.jumps["v"]
    assert bounce.time == pytest.approx(first, rel=1e-9)
    assert before == pytest.approx(-GRAVITY * first, rel=1e-9)
    assert after == pytest.approx(-0.5 * before, rel=1e-12)
    left, right = run.sol(bounce.time, side=-1), run.sol(bounce.time, side=1)
    assert left[run.names.index("v")] == pytest.approx(before, rel=1e-12)
    assert right[run.names.index("v")] == pytest.approx(after, rel=1e-12)


def test_dense_output_is_the_solution_between_rows() -> None:
    run = mti.simulate(decay(), stop=2, t_eval=[0, 2], rtol=1e-10, atol=1e-12)
    times = np.linspace(0, 2, 17)
    assert np.allclose(run.sol(times)[0], np.exp(-times), rtol=1e-8, atol=0)
    assert run.sol(1.0).shape == (1,)
    assert run.sol(times.reshape(1, 17)).shape == (1, 1, 17)


def test_dense_output_ends_where_the_run_does() -> None:
    run = mti.simulate(decay(), stop=2)
    with pytest.raises(IndexError, match="outside of the run"):
        run.sol(2.5)
    with pytest.raises(IndexError, match="no dense output"):
        mti.simulate(decay(), stop=2, dense=False).sol(1.0)
    with pytest.raises(ValueError, match="side"):
        run.sol(1.0, side=0)


def test_dense_output_changes_no_number() -> None:
    with_it, without = mti.simulate(ball(), stop=1.5), mti.simulate(ball(), stop=1.5, dense=False)
    assert np.array_equal(with_it.y, without.y) and np.array_equal(with_it.t, without.t)


def test_a_run_that_cannot_go_on_keeps_what_it_has() -> None:
    model = mti.Model(states=["x"], equations=["der(x) = 1"], constraints={"wall": "x <= 1"})
    run = mti.simulate(model, stop=2)
    assert not run.success and run.outcome == "dead_end" and run.status == -1
    assert run.end_time == pytest.approx(1, abs=1e-9) and run["x"][-1] == pytest.approx(1, abs=1e-9)
    assert "wall" in run.message


def test_the_time_budget_ends_a_run() -> None:
    run = mti.simulate(endless(), stop=1e6, max_seconds=0.2, output_interval=1e4, max_events=10**9, dense=False)
    assert run.outcome == "time_budget" and run.status == 1
    assert run.t.size > 0 and run.statistics["events"] > 0


def test_the_number_of_events_is_bounded() -> None:
    run = mti.simulate(endless(), stop=1, max_events=50)
    assert run.outcome == "event_limit" and len(run.events) == 50


def test_progress_is_told_the_time() -> None:
    told: list[float] = []
    mti.simulate(relay(), stop=500, progress=told.append)
    assert told and told == sorted(told) and told[-1] <= 500


def test_what_progress_raises_comes_out() -> None:
    def refuse(time: float) -> None:
        raise LookupError(f"enough at {time}")

    with pytest.raises(LookupError, match="enough"):
        mti.simulate(relay(), stop=500, progress=refuse)


def test_inputs_stand_beside_the_signals() -> None:
    model = mti.Model(
        states=["x"], inputs={"u": {"table": {"time": [0, 1, 1, 2], "value": [0, 1, 5, 5]}}},
        equations=["der(x) = u"])
    run = mti.simulate(model, stop=2)
    exact = np.where(run.t < 1, run.t, 5.0)
    exact[(run.t == 1) & (run.side < 0)] = 1.0
    assert np.allclose(run["u"], exact, rtol=0, atol=1e-15)
    assert "u" in run and "nothing" not in run
    with pytest.raises(KeyError, match="no signal 'nothing'; there are x, u"):
        run["nothing"]


def test_models_of_discrete_time_have_no_dense_output() -> None:
    model = mti.Model(states={"x": 8}, sample_time=1, equations=["next(x) = 0.5*x"], experiment={"stop": 3})
    assert mti.simulate(model)["x"].tolist() == [8, 4, 2, 1]
    with pytest.raises(mti.InvalidOption):
        mti.simulate(model, dense=True)


def test_derivatives_are_of_the_model_that_was_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """x = e^(−2t), ∂x/∂k = −t e^(−2t), whatever the file says by now and wherever one stands."""
    text = """{"format": "mti-model", "version": 1, "parameters": {"k": %g},
      "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -k*x"], "experiment": {"stop": 1}}"""
    (tmp_path / "model.json").write_text(text % 2)
    monkeypatch.chdir(tmp_path)
    model = mti.read("model.json")
    (tmp_path / "model.json").write_text(text % 5)
    (tmp_path / "other").mkdir()
    for folder in (tmp_path, tmp_path / "other"):
        monkeypatch.chdir(folder)
        run = mti.simulate(model, sensitivities=["k"], rtol=1e-9)
        assert run["x"][-1] == pytest.approx(np.exp(-2), rel=1e-6)
        assert run.sensitivity("x", "k")[-1] == pytest.approx(-np.exp(-2), rel=1e-6)


def test_integrators_agree() -> None:
    # der(x) = −x: local errors rtol = 1e-9 over some hundred steps of IDA.
    for integrator in ("auto", "series", "flow", "ida"):
        run = mti.simulate(decay(), stop=1, rtol=1e-9, atol=1e-12, integrator=integrator)
        assert run["x"][-1] == pytest.approx(np.exp(-1), rel=1e-6), integrator


def test_the_summary_is_that_of_the_program() -> None:
    summary = mti.simulate(relay(), stop=4.5, rtol=1e-7).summary
    assert summary["outcome"] == "reached_stop" and summary["statistics"]["events"] == 5
    assert summary["options"]["rtol"] == 1e-7


def test_explanations_are_kept_if_asked_for() -> None:
    event = mti.simulate(relay(), stop=1.5, explain=True).events[1]
    assert event.explanation and event.explanation[-1]["accepted"] is True
    assert mti.simulate(relay(), stop=1.5).events[1].explanation == ()


def test_rows_of_samples_that_are_asked_for() -> None:
    halved = mti.Model(states={"x": 1}, sample_time=0.1, equations=["next(x) = x/2"])
    run = mti.simulate(halved, stop=1, t_eval=[0, 0.3, 0.5])
    assert run.t == pytest.approx([0, 0.3, 0.5]) and run["x"].tolist() == [1, 2**-3, 2**-5]
    assert run.end_time == pytest.approx(1)
    with pytest.raises(mti.InvalidOption, match="times of samples"):
        mti.simulate(halved, stop=1, t_eval=[0, 0.55])
