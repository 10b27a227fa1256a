"""Linearisation: closed forms of pendulum and circuits, agreement with the program."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest

import mti
from conftest import ROOT
from models import relay

THERMOSTAT = ROOT / "examples" / "thermostat" / "model.json"


def oscillator() -> mti.Model:
    """m ẍ + d ẋ + k x = u with m = 2, d = 1, k = 8: λ = −1/4 ± i √(4 − 1/16)."""
    return mti.Model(
        states={"x": 1.0, "v": 0.0}, inputs=["u"], algebraic=["F"],
        equations=["der(x) = v", "2*der(v) = F + u", "F = -8*x - v"])


def test_eigenvalues_of_an_oscillator() -> None:
    lin = mti.linearize(oscillator())
    exact = np.array([-0.25 - 1j * np.sqrt(4 - 1 / 16), -0.25 + 1j * np.sqrt(4 - 1 / 16)])
    assert np.allclose(sorted(lin.eigenvalues, key=lambda value: value.imag), exact, rtol=1e-13)
    assert lin.unknowns == ("x", "v", "F") and lin.inputs == ("u",) and lin.outputs == ("F",)
    assert lin.residual < 1e-12 and lin.on_boundary == () and lin.violated == ()
    assert "eigenvalues" in lin.to_text() and "3 unknowns" in repr(lin)


def test_the_descriptor_form_is_made_of_derivatives() -> None:
    model = oscillator()
    lin = mti.linearize(model)
    J = model.jacobian(lin.v, wrt=("der", "x", "u", "y")).toarray()
    assert np.array_equal(lin.E.toarray(), np.hstack([J[:, :2], np.zeros((3, 1))]))
    assert np.array_equal(lin.A.toarray(), -J[:, [2, 3, 5]])
    assert np.array_equal(lin.B.toarray(), -J[:, [4]])


def test_the_state_space_form_leaves_algebraic_signals_out() -> None:
    form = mti.linearize(oscillator(), state_space=True).state_space
    assert np.allclose(form.A.toarray(), [[0, 1], [-4, -0.5]], rtol=1e-14)
    assert np.allclose(form.B.toarray(), [[0], [0.5]]) and np.allclose(form.C.toarray(), [[-8, -1]])
    assert form.D.toarray() == pytest.approx(np.zeros((1, 1)))
    assert (form.states, form.inputs, form.outputs) == (("x", "v"), ("u",), ("F",))


def test_points_of_a_run() -> None:
    model = mti.Model(states={"x": 1}, equations=["der(x) = -x^2"])
    found = mti.linearize(model, at=[0, 1, 3])
    assert [lin.time for lin in found] == [0, 1, 3]
    for lin in found:  # x = 1/(1 + t)
        assert lin.eigenvalues[0].real == pytest.approx(-2 / (1 + lin.time), rel=1e-5)
    assert mti.linearize(model, at=3).eigenvalues[0] == found[-1].eigenvalues[0]


def test_both_sides_of_events() -> None:
    model = mti.read(THERMOSTAT)
    found = mti.linearize(model, at=5, events=True)
    sides = [lin.side for lin in found]
    assert sides.count(-1) == sides.count(1) > 0


def test_a_mode_may_be_given() -> None:
    lin = mti.linearize(relay(), mode={"on": 0})
    assert lin.v[-1] == 0
    with pytest.raises(mti.InvalidOption) as refused:
        mti.linearize(relay(), mode={"off": 0})
    assert refused.value.faults[0].id == "bad-mode"
    with pytest.raises(mti.InvalidOption):
        mti.linearize(relay(), mode={"on": 0.5})


def test_what_there_is_not_is_said() -> None:
    fixed = mti.Model(states={"x": 1}, algebraic=["y"], equations=["der(x) = y", "x = 1"])
    with pytest.raises(mti.InvalidModel) as refused:
        mti.linearize(fixed, state_space=True)
    assert refused.value.faults[0].id == "no-state-space"
    for at in (-1, float("nan"), [0, float("inf"), float("nan")]):
        with pytest.raises(mti.InvalidOption):
            mti.linearize(relay(), at=at)
    assert mti.linearize(relay(), at=[]) == []
    with pytest.raises(TypeError, match="mti.linearize"):
        mti.Linearization()


def test_eigenvalues_may_be_left_out_or_chosen() -> None:
    model = mti.Model(states={f"x{i}": 1 for i in range(5)}, equations=[f"der(x{i}) = -{i + 1}*x{i}" for i in range(5)])
    assert mti.linearize(model, eigenvalues=0).eigenvalues.size == 0
    assert mti.linearize(model, eigenvalues=0).eigenvalues_note
    assert mti.linearize(model, eigenvalues=1, near=-3.2).eigenvalues == pytest.approx(np.array([-3 + 0j]))


def test_shares_of_the_unknowns() -> None:
    model = mti.Model(states={"a": 1, "b": 1}, equations=["der(a) = -a", "der(b) = a - 3*b"])
    details = mti.linearize(model, participation=True).eigenvalue_details
    assert [detail.value.real for detail in details] == pytest.approx([-3, -1])
    assert details[0].participation == pytest.approx({"b": 1.0}) and details[0].condition == pytest.approx(1)


def test_the_program_says_the_same(program: str) -> None:
    told = subprocess.run(
        [program, "linearize", str(THERMOSTAT), "--at", "7", "--json"], capture_output=True, text=True, check=True)
    expected = json.loads(told.stdout)
    lin = mti.linearize(mti.read(THERMOSTAT), at=7)
    assert [[value.real, value.imag] for value in lin.eigenvalues] == expected["eigenvalues"]
    for name in ("E", "A", "B", "C", "D"):
        matrix = getattr(lin, name)
        assert list(matrix.data) == expected[name]["v"], name
        assert list(matrix.shape) == [expected[name]["rows"], expected[name]["cols"]], name


def test_to_control_needs_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(ImportError, match="python-control"):
        mti.linearize(oscillator()).to_control()


def test_to_control_gives_the_state_space_form(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    def ss(*matrices: object, **names: object) -> tuple[object, ...]:
        return (*matrices, names)

    monkeypatch.setitem(sys.modules, "control", types.SimpleNamespace(ss=ss))
    A, B, C, D, step, names = mti.linearize(oscillator()).to_control()
    assert np.allclose(A, [[0, 1], [-4, -0.5]]) and step == 0
    assert names == {"states": ["x", "v"], "inputs": ["u"], "outputs": ["F"]}
