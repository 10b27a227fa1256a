"""Initial equations and scenarios from Python."""

from __future__ import annotations

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
