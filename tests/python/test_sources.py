"""What a model was made of: files, dictionaries and folders that are others later."""

from __future__ import annotations

import json
import math
import os
import pathlib

import numpy as np
import pytest

import mti

TANK = {"format": "mti-model", "version": 1, "name": "tank", "parameters": {"k": 1.0}, "states": [{"name": "x", "start": 1}],
        "equations": ["der(x) = -k*x"]}  # fmt: skip
PLAN = {"design": "list", "vary": {"k": {"values": [1, 2]}}, "keep": {"final": ["x"]}, "simulation": {"stop": 1, "rtol": 1e-9}}


def written(folder: pathlib.Path, **changes: object) -> pathlib.Path:
    path = folder / "tank.json"
    path.write_text(json.dumps({**TANK, **changes}), encoding="utf-8")
    return path


def test_bind_looks_at_no_file_again(tmp_path: pathlib.Path) -> None:
    model = mti.read(written(tmp_path))
    written(tmp_path, equations=["der(x) = -10*k*x"])
    bound = model.bind({"k": 2})
    assert mti.simulate(bound, stop=1, rtol=1e-9)["x"][-1] == pytest.approx(math.exp(-2), rel=1e-7)
    assert bound.bind({"x": 3}).bind({"k": 1}) == model.bind({"x": 3})


def test_a_run_keeps_its_model(tmp_path: pathlib.Path) -> None:
    run = mti.Run(mti.read(written(tmp_path)), stop=2, rtol=1e-9)
    written(tmp_path, equations=["der(x) = -10*k*x"])
    run.advance(1)
    run.set_parameter("k", 2)
    run.advance(2)
    assert run["x"] == pytest.approx(math.exp(-3), rel=1e-7)


def test_plans_and_networks_refuse_files_that_have_changed(tmp_path: pathlib.Path) -> None:
    model = mti.read(written(tmp_path))
    assert mti.study({"model": model, **PLAN})["final(x)"] == pytest.approx(np.exp([-1, -2]), rel=1e-7)
    written(tmp_path, equations=["der(x) = -10*k*x"])
    with pytest.raises(ValueError, match="have changed since the model was read"):
        mti.study({"model": model, **PLAN})
    with pytest.raises(ValueError, match="have changed since the model was read"):
        mti.Network().add(model)


def test_parameters_stay_with_folders_and_with_confinement(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path)
    confined = mti.read(path, confine=True)
    assert mti.simulate(confined.bind({"k": 2}), stop=1, rtol=1e-9)["x"][-1] == pytest.approx(math.exp(-2), rel=1e-7)
    assert mti.study({"model": confined, **PLAN})["final(x)"] == pytest.approx(np.exp([-1, -2]), rel=1e-7)
    one = {"name": "a", "model": "tank.json", "parameters": {"k": "K"}}
    built = mti.build({"parameters": {"K": 1}, "components": [one]}, directory=tmp_path)
    plan = {**PLAN, "vary": {"K": {"values": [1, 2]}}, "keep": {"final": ["a.x"]}}
    assert mti.study({"model": built, **plan})["final(a.x)"] == pytest.approx(np.exp([-1, -2]), rel=1e-7)
    with pytest.raises(ValueError, match="the files of the model are in"):
        mti.study({"model": built, **plan}, directory=tmp_path.parent)


def test_folders_are_those_of_the_beginning(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    model = mti.Model(components=[{"name": "a", "model": "tank.json"}])
    monkeypatch.chdir(tmp_path.parent)
    assert model.bind({"a.x": 3}).states[0].start == 3
    assert not os.path.exists("tank.json")


def test_networks_keep_no_dictionary_of_others() -> None:
    document: dict[str, object] = {key: value for key, value in TANK.items() if key != "parameters"}
    parameters = {"k": 0.0}
    document["parameters"] = parameters
    own = {"K": 1.0}
    network = mti.Network(parameters=own)
    own["K"] = 5.0
    for k in (1, 2, 3):
        parameters["k"] = k
        network.add(document, k)
    network.document()["components"][0]["model"]["equations"][0] = "der(x) = 0"
    assert network.document()["parameters"] == {"K": 1.0}
    run = mti.simulate(network.build(), stop=1, rtol=1e-9)
    assert [run[f"tank{k}.x"][-1] for k in (1, 2, 3)] == pytest.approx([math.exp(-k) for k in (1, 2, 3)], rel=1e-7)
