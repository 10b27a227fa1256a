"""Networks: components and connections by objects are those of a model file."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle

import numpy as np
import pytest

import mti
from conftest import ROOT

RING = ROOT / "examples" / "tank_ring"


def ring_of(part: mti.network.Part, n: int) -> mti.Network:
    """examples/tank_ring/model.json, step by step."""
    ring = mti.Network(
        name="tank_ring", parameters={"n": n, "band": 10}, inputs={"ambient": {"value": 0, "unit": "degC"}},
        description="A ring of tanks made from one tank file; try --set n=100.",
        experiment={"stop": 500, "rtol": 1e-8, "atol": 1e-8, "output_interval": 1})
    tanks = [
        ring.add(part, i, parameters={"band": "band", "middle": f"35 + 5*{i}/n"}, start={"T": f"32 + 8*{i}/n"})
        for i in range(1, n + 1)]
    for tank in tanks:
        ring.drive(tank.ambient, "ambient")
    for before, here in zip(tanks, tanks[1:]):
        ring.drive(here.before, before.T)
    ring.drive(tanks[0].before, tanks[-1].T)
    for here, after in zip(tanks, tanks[1:]):
        ring.drive(here.after, after.T)
    ring.drive(tanks[-1].after, tanks[0].T)
    return ring


@pytest.mark.parametrize("n", [2, 3, 7])
def test_a_ring_by_objects_moves_as_that_of_the_file(n: int) -> None:
    by_file = mti.read(RING / "model.json", set={"n": n})
    text = (RING / "tank.json").read_text()
    parts = (RING / "tank.json", mti.read(RING / "tank.json"), json.loads(text), mti.build(json.loads(text)))
    expected = mti.simulate(by_file, stop=100)
    for part in parts:
        model = ring_of(part, n).build()
        assert [signal.name for signal in model.states] == [f"tank{i}.T" for i in range(1, n + 1)]
        run = mti.simulate(model, stop=100)
        assert run.t_events == pytest.approx(expected.t_events, abs=1e-6 * 100)
        for i in range(1, n + 1):
            assert run[f"tank{i}.T"][-1] == pytest.approx(expected[f"tank{i}.T"][-1], rel=1e-6)


def test_arrays_are_those_of_the_file() -> None:
    ring = mti.Network(parameters={"n": 5}, inputs={"ambient": 0})
    each = {"i": (1, "n")}
    tank = ring.add(RING / "tank.json", "i", each=each)
    ring.drive(tank.ambient, "ambient", each=each)
    ring.drive(tank.before, "tank[i-1].T", each={"i": (2, "n")})
    assert [signal.name for signal in ring.build().states] == [f"tank{i}.T" for i in range(1, 6)]
    assert len(ring.build(set={"n": 9}).states) == 9


def test_a_divider_of_resistors_divides() -> None:
    resistor = {"name": "R", "parameters": {"R": 1}, "algebraic": [{"name": signal} for signal in "abi"],
                "equations": ["a - b = R*i"]}
    circuit = mti.Network(inputs={"u": 12}, algebraic=["ground"], equations=["ground = 0"])
    upper, lower = (circuit.add(resistor, k, parameters={"R": R}) for k, R in ((1, 3), (2, 1)))
    circuit.equal("u", upper.a)
    circuit.equal(upper.b, lower.a)
    circuit.equal(lower.b, "ground")
    circuit.balance(upper.i, -lower.i, name="node")
    model = circuit.build()
    assert "node" in model.equation_names
    run = mti.simulate(model, stop=1)
    assert run["R2.a"][-1] == pytest.approx(12 * 1 / 4)
    assert run["R1.i"][-1] == pytest.approx(3)


def test_parameters_of_a_part_stay_open_where_it_was_made_with_some() -> None:
    part = mti.Model(name="lag", parameters={"tau": 2, "rate": "1/tau"}, states={"x": 1}, equations=["der(x) = -rate*x"])
    network = mti.Network()
    for i, tau in enumerate((1.0, 4.0)):
        network.add(part, i, parameters={"tau": tau})
    run = mti.simulate(network.build(), stop=2, rtol=1e-10)
    assert run["lag0.x"][-1] == pytest.approx(np.exp(-2), rel=1e-8)
    assert run["lag1.x"][-1] == pytest.approx(np.exp(-0.5), rel=1e-8)
    # So do those of one that comes from another process.
    again = mti.Network()
    again.add(pickle.loads(pickle.dumps(part)), name="lag")
    again.add(pickle.loads(pickle.dumps(part)), name="other", parameters={"tau": 1})
    run = mti.simulate(again.build(), stop=2)
    assert (run["lag.x"][-1], run["other.x"][-1]) == pytest.approx((np.exp(-1), np.exp(-2)), rel=1e-5)


def test_faults_are_those_of_components(tmp_path: pathlib.Path) -> None:
    network = mti.Network()
    part = mti.Model(states={"x": 1}, equations=["der(x) = -x"])
    with pytest.raises(ValueError, match="needs a name"):
        network.add(part)
    with pytest.raises(ValueError, match="two signals or more"):
        network.equal("a")
    with pytest.raises(TypeError, match="no stats"):
        mti.Network(stats={"x": 1})
    network.add(part, name="p", start={"nothing": 1})
    with pytest.raises(mti.InvalidModel) as error:
        network.build()
    assert any("/components/0" in fault.pointer for fault in error.value.faults)
    with pytest.raises((mti.InvalidModel, mti.UnusableFile)):
        lost = mti.Network()
        lost.add(tmp_path / "missing.json")
        lost.build()
    assert repr(network) == "<mti.Network: 1 components, 0 connections>"


def test_bound_values_are_those_of_set() -> None:
    path = RING / "tank.json"
    text = json.loads(path.read_text())
    expected = mti.read(path, set={"m": 7, "T": 31, "band": 4})
    for model in (mti.read(path), mti.build(text), mti.read(path, set={"m": 7}), mti.build(text, set={"m": 3, "T": 31})):
        assert model.bind({"m": 7, "T": 31}).bind({"band": 4}) == expected
    assert mti.read(path).bind({}) == mti.read(path)
    with pytest.raises(mti.InvalidOption):
        mti.read(path).bind({"nothing": 1})
    copied = pickle.loads(pickle.dumps(mti.read(path, set={"m": 7})))
    assert copied.bind({"T": 31}).bind({"band": 4}) == expected
    # A part that was bound has its numbers.
    network = mti.Network()
    network.add(mti.read(path, set={"T": 31}), 1)
    assert network.build().states[0].start == 31


def test_signals_are_texts_and_no_numbers() -> None:
    tank = mti.Network().add(mti.Model(name="tank", states=["T"], equations=["der(T) = -T"]))
    assert "2*" + tank.T + " - 1" == "2*tank.T - 1" and f"{-tank.T}" == "-tank.T"
    for use in (lambda: tank.T + tank.T, lambda: 2 * tank.T, lambda: tank.T / 2, lambda: tank.T - 1):
        with pytest.raises(TypeError, match="joined by equations as texts"):
            use()


def test_signals_of_another_network_are_refused() -> None:
    def tank(k: float) -> mti.Model:
        return mti.Model(
            states={"h": 1}, inputs={"q": 0}, algebraic=["out"], equations=["der(h) = q - out", f"out = {k}*h"])

    first, second = mti.Network(), mti.Network()
    elsewhere = first.add(tank(5), name="a")
    own, driven = second.add(tank(1), name="a"), second.add(tank(1), name="c")
    for join in (lambda: second.drive(driven.q, elsewhere.out), lambda: second.equal(driven.h, -elsewhere.h),
                 lambda: second.balance(elsewhere.out, driven.out)):
        with pytest.raises(ValueError, match="of another one"):
            join()
    second.drive(driven.q, own.out)
    assert second.build().states[0].name == "a.h"
    for copied in (pickle.loads(pickle.dumps(own.out)), copy.deepcopy(own).out):
        second.equal(copied, f"{driven}.q")
    assert len(pickle.dumps(own.out)) < 100


def test_a_copy_is_added_to_by_itself() -> None:
    tank = mti.Model(name="tank", states={"T": 1}, equations=["der(T) = -T"])
    network = mti.Network()
    network.add(tank, 1)
    other = copy.copy(network)
    other.add(tank, 2)
    assert [signal.name for signal in network.build().states] == ["tank1.T"]
    assert [signal.name for signal in other.build().states] == ["tank1.T", "tank2.T"]
