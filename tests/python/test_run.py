"""Runs that are advanced from outside."""

from __future__ import annotations

import json
import math
import pathlib
import re
import signal
import threading
import time

import numpy as np
import pytest

import mti
from models import decay, endless, relay
from test_interruption import send_soon


def lag(**parameters: float) -> mti.Model:
    return mti.Model(
        parameters={"T": 1.0, **parameters}, states={"x": 1}, inputs={"u": 0}, equations=["T*der(x) = u - x"]
    )


def test_a_thousand_advances_are_one_run() -> None:
    run = mti.Run(relay(), stop=10, output_interval=0.03)
    ends = []
    for k in range(1, 1001):
        while (end := run.advance(0.01 * k)) == "event":
            ends.append(run.time)
    assert end == "ended" and run.ended and run.outcome == "reached_stop"
    assert run.message == "The run reached its stop time."
    found, whole = run.finish(), mti.simulate(relay(), stop=10, output_interval=0.03)
    assert np.array_equal(found.t, whole.t) and np.array_equal(found.y, whole.y)
    assert ends == [time for time in whole.t_events if 0 < time < 10]


def test_a_sampled_controller() -> None:
    """x(t + T) = e^(−T) x + (1 − e^(−T)) u for what is held."""
    period, x = 0.1, 1.0
    run = mti.Run(lag(), stop=5, rtol=1e-9, atol=1e-9)
    for k in range(50):
        u = 2 - 3 * run["x"]
        run.set_input("u", u)
        run.advance((k + 1) * period)
        x = math.exp(-period) * x - math.expm1(-period) * u
    assert run["x"] == pytest.approx(x, abs=1e-7)


def test_parameters_change_while_it_goes_on() -> None:
    """x' = −x/tau + a sin t with a's input, tau and a changed at t = 1: rows before are as they were."""
    model = mti.Model(
        parameters={"tau": 2.0, "a": 0.0}, states={"x": 1.0}, equations=["der(x) = -x/tau + w"],
        inputs={"w": {"sine": {"amplitude": "a", "frequency": 1 / (2 * math.pi)}}})  # fmt: skip
    run = mti.Run(model, stop=3, rtol=1e-9, atol=1e-9, output_interval=0.25)
    run.advance(1)
    run.set_parameter("tau", 1)
    assert run["x"] == pytest.approx(math.exp(-0.5), abs=1e-8)
    run.advance(2)
    run.set_parameters({"a": 0.5})
    assert run.model.bind({}) == model.bind({"tau": 1, "a": 0.5})
    run.advance(3)

    def particular(t: float) -> float:
        return 0.25 * (math.sin(t) - math.cos(t))

    at_2 = math.exp(-1.5)
    assert run["x"] == pytest.approx(particular(3) + (at_2 - particular(2)) * math.exp(-1), abs=1e-7)
    found = run.finish()
    early = found.t <= 1
    assert np.allclose(found["x"][early], np.exp(-found.t[early] / 2), atol=1e-8)
    assert np.allclose(found["w"], np.where(found.t < 2, 0, 0.5 * np.sin(found.t)), atol=1e-12)


def test_what_is_no_parameter_is_refused() -> None:
    run = mti.Run(mti.Model(parameters={"k": 1.0}, states={"x": 1.0}, equations=["der(x) = -k*x"]), stop=1)
    run.advance(0.5)
    with pytest.raises(KeyError, match="has begun"):
        run.set_parameter("x", 2)
    with pytest.raises(mti.InvalidOption):
        run.set_parameter("l", 2)
    run.advance(1)
    assert run["x"] == pytest.approx(math.exp(-1), abs=1e-5)


def test_events_are_told_where_they_are() -> None:
    run = mti.Run(relay(), stop=3)
    assert run.event is None
    assert run.advance(3) == "event"
    assert run.time == pytest.approx(1) and run.mode == {"on": 0}
    assert run.event is not None and run.event.constraints == ("high",) and run.event.changed == {"on": (1.0, 0.0)}
    assert run["der(x)"] == -1.0 and run.v[0] == -1.0
    assert run.advance(1.5) == "reached" and run.event is None and run["x"] == pytest.approx(1.5)


def test_inputs_are_those_that_were_set(tmp_path: pathlib.Path) -> None:
    """ẋ = u with u = 10, 11, 12, 13 for half a second each: in rows, on the page, and before anything is decided."""
    model = mti.Model(
        states={"x": 0}, inputs={"u": 0}, binaries=["z"], equations=["der(x) = u"],
        constraints={"high": "(u - 11.5)*(1 - z) <= 0", "low": "(11.5 - u)*z <= 0"})  # fmt: skip
    run = mti.Run(model, stop=2, output_interval=0.5, rtol=1e-9)
    for k in range(4):
        run.set_input("u", 10.0 + k)
        assert run["u"] == 10 + k and run.v[2] == (9 + k if k > 0 else 0)
        while run.advance(0.5 * (k + 1)) == "event":
            pass
    found = run.finish()
    assert found["x"][-1] == pytest.approx(23)
    for t, side, u, z in zip(found.t, found.side, found["u"], found["z"]):
        held = math.floor(2 * t) if side >= 0 else math.ceil(2 * t) - 1
        assert u == (10 + min(held, 3) if t > 0 or side >= 0 else 0)
        assert z == (u > 11.5)
    assert 1 in found.side[found.t == 1], "the mode has changed"
    found.save(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    data = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.S)
    assert data is not None
    shown = json.loads(data[1])
    place = [column["name"] for column in shown["columns"]].index("u")
    assert shown["values"][place] == found["u"].tolist()
    assert shown["constraints"]["names"][0] == "high"
    assert shown["constraints"]["values"][0] == [(u - 11.5) * (1 - z) for u, z in zip(found["u"], found["z"])]


def test_the_page_of_a_run_that_was_taken_up_has_its_inputs() -> None:
    """ẋ = u − x with u = 5 from before the run was saved, and 7 from 1.5 on."""
    first = mti.Run(lag(), stop=2)
    first.set_input("u", 5)
    first.advance(1)
    second = mti.Run(lag(), stop=2, saved=first.save())
    second.advance(1.5)
    second.set_input("u", 7)
    second.advance(2)
    found = second.finish()
    assert [u for t, u in zip(found.t, found["u"]) if t < 1.5][-1] == 5 and found["u"][-1] == 7


def test_python_goes_on_beside_a_run_that_is_saved() -> None:
    """2 Σ z = 21 has no solution, and to find that of 21 binaries takes until the time is over: `save` decides it."""
    names = [f"z{k}" for k in range(21)]
    total = "+".join(names)
    model = mti.Model(
        states={"x": 0}, inputs={"u": 0}, binaries=names, equations=["der(x) = u"],
        constraints=[f"(2*({total}) - 21.5)*u <= 0", f"(20.5 - 2*({total}))*u <= 0"])  # fmt: skip
    run = mti.Run(model, stop=2, max_seconds=0.3)
    run.advance(1)
    run.set_input("u", 2)
    saving = threading.Thread(target=run.save)
    saving.start()
    counted = 0
    while saving.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 25  # of some 300; with the lock held it would be none
    assert run.outcome == "time_budget"


def test_samples_have_the_inputs_that_they_took() -> None:
    """y_k = u_k."""
    model = mti.Model(
        sample_time=0.1, states={"n": 0}, inputs={"u": 1}, algebraic=["y"], equations=["next(n) = n + u", "y = u"])
    run = mti.Run(model, stop=1)
    for k in range(10):
        run.set_input("u", 10.0 + k)
        run.advance(0.1 * (k + 1))
    found = run.finish()
    assert found["u"].tolist() == found["y"].tolist() and found["u"][-1] == 19


def test_what_was_saved_goes_on_bit_for_bit() -> None:
    run = mti.Run(relay(), stop=10)
    while run.advance(4.3) == "event":
        pass
    state = run.save()
    other = mti.Run(relay(), stop=10, saved=state)
    for each in (run, other):
        while not each.ended:
            each.advance(10)
    assert run["x"] == other["x"]


def test_a_parameter_is_changed_on_the_way() -> None:
    """x = e^(−1) at t = 1, and e^(−1 − (t − 1)/4) from there on with T = 4."""
    first = mti.Run(lag(), stop=3, rtol=1e-9)
    first.advance(1)
    second = mti.Run(lag(T=4.0), stop=3, rtol=1e-9, saved=first.save())
    second.advance(3)
    assert second["x"] == pytest.approx(math.exp(-1.5), abs=1e-7)


def test_rows_hold_what_follows_from_what_was_set_there() -> None:
    """y = u, set at every second output time; and what a run is, once it is finished."""
    model = mti.Model(states={"x": 0}, inputs={"u": 0}, algebraic=["y"], equations=["der(x) = u", "y = u"], name="held")
    run = mti.Run(model, stop=2, output_interval=0.125)
    for k in range(7):
        assert run.advance(0.25 * k) == "reached"
        run.set_input("u", k)
    assert repr(run) == "<mti.Run of held at t = 1.5>"
    run.advance(1.55)
    found = run.finish()
    assert repr(run) == "<mti.Run of held, finished>"
    assert np.array_equal(found["y"], found["u"]) and np.array_equal(found["u"][:-1], np.floor(4 * found.t[:-1]))
    assert found.t[-1] == 1.55 and found["x"][-1] == pytest.approx(0.25 * (1 + 2 + 3 + 4 + 5) + 6 * 0.05)
    frame = found.to_frame()
    assert list(frame.columns) == ["x", "y", "u"] and np.array_equal(frame["u"], found["u"])


def test_faults() -> None:
    run = mti.Run(lag(), stop=1)
    run.advance(0.5)
    with pytest.raises(mti.InvalidOption, match="goes on from t = 0.5; found 0.2"):
        run.advance(0.2)
    with pytest.raises(KeyError, match="no input 'w'; there are u"):
        run.set_input("w", 1)
    with pytest.raises(KeyError, match="no signal 'w'"):
        run["w"]
    with pytest.raises(mti.InvalidOption):
        run.set_input("u", math.nan)
    state = run.save()
    for damaged in (b"", b"{}", state[:-1], state[:40] + b"?" + state[41:]):
        with pytest.raises(mti.UnusableFile, match="expected a run that mti has saved"):
            mti.Run(lag(), stop=1, saved=damaged)
    with pytest.raises(mti.UnusableFile, match="other signals"):
        mti.Run(decay(), stop=1, saved=state)
    run.finish()
    with pytest.raises(ValueError, match="finished"):
        run.advance(1)


def test_ctrl_c_comes_out_and_the_run_goes_on() -> None:
    run = mti.Run(endless(), stop=1e6, output_interval=1e4, max_events=10**9)
    begun = time.monotonic()
    send_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        while not run.ended:
            run.advance(1e6)
    assert time.monotonic() - begun < 5
    before = run.time
    assert run.advance(before + 100) in ("event", "reached") and run.time > before


def test_a_run_belongs_to_one_thread_at_a_time() -> None:
    fast = mti.Model(states={"x": 1, "y": 0}, equations=["der(x) = 1e4*y", "der(y) = -1e4*x"])
    run = mti.Run(fast, stop=1e3, output_interval=1)
    worker = threading.Thread(target=lambda: run.advance(5.0))
    worker.start()
    refused = 0
    while worker.is_alive():
        try:
            run.save()
        except RuntimeError as error:
            assert "one thread at a time" in str(error)
            refused += 1
    worker.join()
    assert refused > 0
    assert len(run.save()) > 0


def test_warnings_come_as_they_are_told() -> None:
    copied = mti.Model(states={"x": 1, "w": 1}, equations=["der(x) = -x", "w = x", "der(w) = -x"])
    with pytest.warns(mti.ModelWarning, match="left out"):
        run = mti.Run(copied, stop=1)
        run.advance(1)
    assert len(run.finish().warnings) == 1


def test_a_run_begins_by_a_scenario() -> None:
    """x' = u - x at rest: x = u = 3."""
    model = mti.Model(
        states={"x": 1}, inputs={"u": 3}, equations=["der(x) = u - x"],
        scenarios=[{"name": "at rest", "equations": ["der(x) = 0"]}])  # fmt: skip
    run = mti.Run(model, stop=2, scenario="at rest")
    assert run["x"] == pytest.approx(3, abs=1e-9)
    run.advance(1)
    assert mti.Run(model, stop=2).advance(1) == "reached" and run["x"] == pytest.approx(3, abs=1e-9)
    with pytest.raises(ValueError, match="has begun"):
        mti.Run(model, saved=run.save(), scenario="at rest")
    with pytest.raises(mti.InvalidOption):
        mti.Run(model, scenario="nowhere")
