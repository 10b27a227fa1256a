"""Initial equations and scenarios from Python."""

from __future__ import annotations

import math

import pytest

import mti


def test_a_steady_start() -> None:
    room = mti.Model(
        states={"T": {"start": 20, "fixed": False}}, equations=["der(T) = 600 - 30*(T - 5)"],
        initial=["der(T) = 0"])  # fmt: skip
    run = mti.simulate(room, stop=1)
    assert run.success
    assert run["T"][0] == pytest.approx(25, abs=1e-12)  # 5 + 600/30


def test_a_scenario() -> None:
    model = mti.Model(
        states={"x": 7}, equations=["der(x) = 3 - x"],
        scenarios=[{"name": "rest", "equations": ["der(x) = 0"]}])  # fmt: skip
    assert mti.simulate(model, stop=1)["x"][0] == 7
    assert mti.simulate(model, stop=1, scenario="rest")["x"][0] == pytest.approx(3, abs=1e-12)
    with pytest.raises(mti.InvalidOption, match="did you mean rest"):
        mti.simulate(model, stop=1, scenario="resd")


def test_derivatives_of_a_run_that_begins_by_a_scenario() -> None:
    model = mti.Model(
        parameters={"p": 3, "k": 2}, states={"x": 7, "s": 0}, equations=["der(x) = p - x + k*s", "der(s) = 1"],
        scenarios=[{"name": "rest", "equations": ["der(x) = 0", "s = 0"]}])  # fmt: skip
    run = mti.simulate(model, stop=2, scenario="rest", rtol=1e-10, atol=1e-10, sensitivities=["p", "k", "start(x)"])
    # x = p + k (t - 1 + exp(-t)), whatever the start value, which is a guess
    assert run["x"][-1] == pytest.approx(3 + 2 * (1 + math.exp(-2)), abs=1e-8)
    by_p, by_k, by_start = (run.sensitivity("x", name)[-1] for name in ("p", "k", "start(x)"))
    assert by_p == pytest.approx(1, abs=1e-8)
    assert by_k == pytest.approx(1 + math.exp(-2), abs=1e-8)
    assert by_start == 0
    bound = mti.simulate(model.bind({"p": 5}), stop=1, scenario="rest", sensitivities=["p"])
    assert bound["x"][0] == pytest.approx(5, abs=1e-12)
