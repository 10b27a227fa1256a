"""Whatever is handed to a function, it is refused by an exception of a kind that says so: nothing ends the process."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

import matplotlib.pyplot
import numpy as np
import pytest

import mti
from models import ball, decay, relay
from mti import _core

JUNK = [
    None, 0, 1, -1, 1e308, -1e308, float("nan"), float("inf"), "", "x", "der(x)", "on=1", "a" * 1000, "\0", "ünïcode",
    "\ud800", "/nonexistent/x", [], [1], [[1, 2], [3]], {}, {"x": 1}, {"on": 1}, {"on": 2}, (1, 2), range(5), b"x", object(),
    True, 2**70, -(2**70), 3 + 4j, lambda *words: 0, np.zeros(3), np.zeros((2, 3)), np.zeros(0), np.array([np.nan]),
    np.array(["a"]), np.float32(1), np.zeros(10, dtype=np.int8), np.zeros((3, 3))[::2]]  # fmt: skip

MODELS = [
    ball(), relay(), decay(), mti.Model(algebraic=["y"], equations=["y = 1"]),
    mti.Model(states=["x"], sample_time=1, equations=["next(x) = x"])]
RUNS = [mti.simulate(model, stop=1) for model in MODELS]

SIMULATE = ["stop", "start", "rtol", "atol", "t_eval", "output_interval", "max_seconds", "max_events", "max_candidates",
            "integrator", "linear_solver", "sliding", "remember", "dense", "explain", "progress"]  # fmt: skip
LINEARIZE = ["at", "events", "mode", "as_given", "eigenvalues", "near", "participation", "state_space"]
CONVERT = ["reduce", "keep", "growth", "rank", "scale", "sample_time", "continuous", "method"]
MODEL = ["equations", "constraints", "states", "inputs", "algebraic", "binaries", "parameters", "invariants",
         "transitions", "scenarios", "initial", "experiment", "matrices", "name", "description", "sample_time"]  # fmt: skip


class Junk:
    """Calls with words drawn from the list above."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def word(self) -> object:
        return self.random.choice(JUNK)

    def words(self, names: list[str]) -> dict[str, object]:
        return {name: self.word() for name in self.random.sample(names, self.random.randint(1, 3))}

    def call(self) -> None:
        model, run = self.random.choice(MODELS), self.random.choice(RUNS)
        bounds: dict[str, object] = {"stop": 2, "max_seconds": 1, "max_events": 1000}
        calls: list[Callable[[], object]] = [
            lambda: mti.simulate(model, **{**bounds, **self.words(SIMULATE)}),
            lambda: mti.linearize(model, **self.words(LINEARIZE)),
            lambda: mti.convert(model, **self.words(CONVERT)),
            lambda: mti.Model(**self.words(MODEL)),
            lambda: mti.Model(**{**self.words(MODEL), "states": ["x"], "equations": ["der(x) = x"]}),
            lambda: mti.build(self.word()),
            lambda: mti.read(self.word(), set=self.word()),
            lambda: model.f(self.word()),
            lambda: model.g(self.word()),
            lambda: model.jacobian(self.word(), self.word()),
            lambda: model.jacobian(model.v(), self.word(), of=self.random.choice(["f", "g"])),
            lambda: model.v(self.word()),
            lambda: model.to_text(digits=self.word(), width=self.word()),
            lambda: run.sol(self.word(), self.random.choice([1, -1, self.word()])),
            lambda: run[self.word()],
            lambda: run.events[self.word()],
            lambda: run.plot(self.word()),
            lambda: run._trajectory.event_json(self.word()),
            lambda: mti.analyze(model).mode(self.word()),
            lambda: mti.analyze(model).mode_changes(self.word(), self.word())]
        self.random.choice(calls)()


@pytest.mark.parametrize("seed", range(4))
def test_junk_is_refused(seed: int) -> None:
    junk = Junk(seed)
    refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(400):
            try:
                junk.call()
            except (mti.MtiError, TypeError, ValueError, LookupError):
                refused += 1
            finally:
                matplotlib.pyplot.close("all")
    assert refused > 200  # most words fit nowhere


def test_the_extension_takes_none_for_nothing() -> None:
    def simulate() -> object:
        return _core.simulate(
            None, start=None, stop=None, rtol=None, atol=None, output_interval=None, t_eval=None, max_seconds=None,
            max_events=1, max_candidates=1, sliding=True, remember=True, dense=True, explain=True, integrator="auto",
            linear_solver="auto", progress=None)  # fmt: skip

    for call in (simulate, _core.Model, _core.Trajectory, _core.Linearization, lambda: _core.structure(None),
                 lambda: _core.reduce(None, [], 0), lambda: _core.write(None, "x.json", True)):  # fmt: skip
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize(
    ("call", "name"),
    [(lambda: mti.orbit(decay(), period_guess=1, rtol="x"), "rtol"),
     (lambda: mti.follow_orbit(decay(), "k", 1, 2, period_guess=1, steps=2.5), "steps"),
     (lambda: mti.equilibria(decay(), all="x"), "all"),
     (lambda: mti.convert(decay(), rank="x"), "rank"),
     (lambda: mti.to_modelica(decay(), reduced_index=[1]), "reduced_index"),
     (lambda: mti.simulate(decay(), scenario=[1]), "scenario"),
     (lambda: mti.Run(decay(), scenario=[1]), "scenario"),
     (lambda: mti.Run(decay()).advance("x"), "t"),
     (lambda: decay().to_text(digits="x"), "digits"),
     (lambda: mti.analyze(decay()).mode_changes(before=1), "before"),
     (lambda: mti.input_function(np.sin, 0, "x"), "stop"),
     (lambda: mti.Network().add(decay(), "i", name="a", each=1), "each")])  # fmt: skip
def test_a_wrong_type_is_named(call: Callable[[], object], name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name}: expected "):
        call()
