"""What is refused, how it is said, and that nothing of it ends the process."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import mti
from models import decay, relay


def test_every_fault_is_told_with_its_place() -> None:
    with pytest.raises(mti.InvalidModel) as refused:
        mti.Model(states={"x": "1/0"}, equations=["der(x) = k", "x ="])
    faults = refused.value.faults
    assert {(fault.id, fault.pointer) for fault in faults} >= {
        ("unknown-name", "/equations/0"), ("syntax-error", "/equations/1"), ("division-by-zero", "/states/0/start")}
    for id, pointer, message in faults:
        assert id and pointer.startswith("/") and message
    assert faults[0].file == "" and str(faults[0]) in str(refused.value)
    assert isinstance(refused.value, ValueError)


def test_a_text_that_is_no_json_number_is_refused() -> None:
    for value in (float("nan"), float("inf"), None, [1], object()):
        with pytest.raises((mti.InvalidModel, TypeError)):
            mti.Model(states={"x": {"start": value}}, equations=["der(x) = 1"])


@pytest.mark.parametrize("words", ["der(x) = 1", {"a": 3}, [3], [None], [("a",)]])
def test_relations_of_other_kinds_are_refused(words: object) -> None:
    with pytest.raises((mti.InvalidModel, TypeError, IndexError)):
        mti.Model(states=["x"], equations=words)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(mti.UnusableFile) as refused:
        mti.read("no/such/file.json")
    assert refused.value.faults[0].id == "file-unreadable" and isinstance(refused.value, OSError)


def test_errors_can_be_pickled() -> None:
    for error in (mti.InvalidModel, mti.InvalidOption, mti.UnusableFile, mti.NotReached, mti.ModesTooLarge):
        again = pickle.loads(pickle.dumps(error([mti.Fault("id", "/a/0", "text", "part.json")])))
        assert type(again) is error and again.faults == (("id", "/a/0", "text"),)
        assert again.faults[0].file == "part.json" and str(again) == "part.json:/a/0: id: text"


@pytest.mark.parametrize(
    "options",
    [{"stop": float("nan")}, {"stop": -1}, {"rtol": 0}, {"rtol": 2}, {"atol": -1}, {"t_eval": [2, 1]}, {"t_eval": [5]},
     {"t_eval": [[0, 1]]}, {"t_eval": []}, {"t_eval": [0, float("nan")]}, {"output_interval": 0}, {"max_seconds": 0}, {"max_events": 0},
     {"max_events": -3}, {"max_candidates": 0}, {"integrator": "euler"}, {"linear_solver": "cg"},
     {"output_interval": 1e-12}],
)  # fmt: skip
def test_options_that_cannot_be(options: dict[str, object]) -> None:
    with pytest.raises(mti.InvalidOption):
        mti.simulate(decay(), **options)


@pytest.mark.parametrize(
    "options", [{"stop": "now"}, {"max_events": 1.5}, {"t_eval": "all"}, {"max_events": 10**30}, {"progress": 3}])
def test_options_of_other_kinds(options: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        mti.simulate(relay(), **{"stop": 500, **options})


def test_what_is_no_model_is_refused() -> None:
    for function in (mti.simulate, mti.linearize, mti.analyze):
        with pytest.raises(TypeError, match="mti.read"):
            function("model.json")


@pytest.mark.parametrize("words", [3, ["x"], {1: 2}, "x", np.zeros(2)])
def test_what_is_no_dictionary_of_names_is_refused(words: object) -> None:
    model = relay()
    for call in (lambda: model.v(words), lambda: mti.build({}, set=words)):
        with pytest.raises(TypeError, match="expected a dictionary"):
            call()
    if not isinstance(words, str):  # a mode may be a text
        with pytest.raises(TypeError, match="mode: expected a dictionary"):
            mti.linearize(model, mode=words)


def test_times_beyond_the_run() -> None:
    run = mti.simulate(decay(), stop=1)
    for t in (np.nan, np.inf, -1.0, 2.0, [0.5, 3.0]):
        with pytest.raises(IndexError):
            run.sol(t)
    assert run.sol([]).shape == (1, 0)


def test_a_model_without_a_state_runs() -> None:
    run = mti.simulate(mti.Model(algebraic=["y"], inputs=["time"], equations=["y = 2*time"]), stop=1)
    assert run["y"][-1] == pytest.approx(2, rel=1e-12)
    assert run.sol(0.5) == pytest.approx(np.array([1.0]), rel=1e-9)


def test_warnings_are_told() -> None:
    singular = mti.Model(
        states={"x": 1}, algebraic=["y"], binaries=["z"], equations=["der(x) = -x", "(1 - z)*y + z*(x - 5) = 0"],
        constraints=["(x - 2)*(1 - z) <= 0"])
    with pytest.warns(mti.ModelWarning):
        run = mti.simulate(singular, stop=1)
    assert run.warnings
