"""Structure, diagnosis and conversions, in the words of the program."""

from __future__ import annotations

import json
import pathlib
import subprocess

import numpy as np
import pytest

import mti
from conftest import ROOT
from models import ball, decay, relay

TANKS = ROOT / "examples" / "three_tank" / "model.json"
RECTIFIER = ROOT / "examples" / "rectifier" / "model.json"


def told(program: str, *words: str) -> dict[str, object]:
    run = subprocess.run([program, *words, "--json"], capture_output=True, text=True, check=False)
    answer: dict[str, object] = json.loads(run.stdout)
    return answer


def test_the_structure_is_that_of_the_program(program: str) -> None:
    analysis = mti.analyze(mti.read(TANKS))
    assert analysis.structure == told(program, "analyze", str(TANKS))
    assert analysis.all_modes == told(program, "analyze", str(TANKS), "--all-modes")
    assert str(analysis) == analysis.to_text() and "sub-set" in str(analysis)


def test_one_mode_is_that_of_the_program(program: str) -> None:
    analysis = mti.analyze(mti.read(RECTIFIER))
    binary = analysis.model.binaries[0].name
    assert analysis.mode({binary: 1}) == told(program, "analyze", str(RECTIFIER), "--mode", f"{binary}=1")
    assert analysis.to_text({binary: 1})


def test_the_index_of_a_constraint() -> None:
    # x fixed: der(x) follows from the derivative of x = 1.
    model = mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = y", "x = 1"])
    assert mti.analyze(model).mode({})["degrees_of_freedom"] == 0


def test_modes_that_do_not_exist() -> None:
    with pytest.raises(mti.InvalidOption) as refused:
        mti.analyze(relay()).mode({"off": 1})
    assert refused.value.faults[0].id == "bad-mode"
    with pytest.raises(mti.InvalidOption):
        mti.analyze(relay()).mode_changes(before="on and")


def test_a_diagnosis_is_that_of_the_program(program: str) -> None:
    diagnosis = mti.check(TANKS)
    assert diagnosis and diagnosis.details == told(program, "check", str(TANKS))
    assert not diagnosis.errors and "0 errors" in repr(diagnosis)


def test_a_file_that_is_no_model_is_diagnosed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"format": "mti-model", "version": 1, "states": [{"name": "x"}], "equations": ["der(x) = y"]}')
    diagnosis = mti.check(path)
    assert not diagnosis
    assert [(e.id, e.pointer) for e in diagnosis.errors] == [("unknown-name", "/equations/0")]
    assert "unknown-name" in str(diagnosis)
    assert not mti.check(tmp_path / "nowhere.json")


def test_too_few_equations_are_an_error() -> None:
    diagnosis = mti.check(mti.Model(states=["x"], algebraic=["y"], equations=["der(x) = y"]))
    assert not diagnosis and diagnosis.errors[0].severity == "error" and "error: " in str(diagnosis)


def test_a_reduced_model_runs_the_same() -> None:
    model = mti.Model(
        states={"x": 1}, algebraic=["y", "w"], equations=["der(x) = y", "y = -2*w", "w = x"])
    reduced = mti.convert(model, reduce=True)
    assert len(reduced.model.algebraic) == 0 and len(reduced.eliminated) == 2
    one, other = (mti.simulate(m, stop=1, rtol=1e-10, atol=1e-12) for m in (model, reduced.model))
    assert np.allclose(one["x"], other["x"], rtol=1e-8)
    kept = mti.convert(model, reduce=True, keep=["y"]).model
    assert [s.name for s in kept.algebraic] == ["y"]


def test_a_scaled_model_has_nominal_values_of_one() -> None:
    model = mti.Model(states={"x": {"start": 200, "nominal": 100}}, equations=["der(x) = -x"])
    scaled = mti.convert(model, scale=True).model
    assert scaled.states[0].start == 2 and scaled.states[0].nominal == 1


def test_a_smaller_rank_is_told_with_its_error() -> None:
    model = mti.Model(states=["x"], inputs=["u", "w"], equations=["der(x) = x*u + x*w + x*u*w + x"])
    smaller = mti.convert(model, rank=1e-10)
    assert smaller.model.S.shape[1] <= model.S.shape[1] and smaller.relative_error < 1e-10


def test_to_discrete_time_and_back() -> None:
    sampled = mti.convert(decay(), sample_time=0.5, method="trapezoidal").model
    assert sampled.sample_time == 0.5
    back = mti.convert(sampled, continuous=True, method="trapezoidal").model
    assert back.sample_time == 0
    assert mti.simulate(back, stop=1)["x"][-1] == pytest.approx(np.exp(-1), rel=1e-5)
    for words in ({"method": "trapezoidal"}, {"sample_time": 1}, {"continuous": True},
                  {"sample_time": 1, "continuous": True, "method": "trapezoidal"}):  # fmt: skip
        with pytest.raises(ValueError):
            mti.convert(decay(), **words)
    with pytest.raises(mti.InvalidModel):
        mti.convert(ball(), sample_time=1, method="forward-euler")
    with pytest.raises(mti.InvalidOption):
        mti.convert(decay(), sample_time=1, method="heun")


def test_a_converted_file_is_that_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    by_program, by_python = tmp_path / "a.json", tmp_path / "b.json"
    subprocess.run([program, "convert", str(TANKS), str(by_program), "--to", "matrices"], check=True, capture_output=True)
    mti.convert(TANKS, by_python, to="matrices")
    assert by_python.read_bytes() == by_program.read_bytes()
