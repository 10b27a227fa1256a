"""Orbits, branches and points of rest, beside closed forms and the program."""

from __future__ import annotations

import json
import pathlib
import subprocess

import matplotlib.pyplot
import numpy as np
import pytest
import scipy.linalg
import scipy.optimize

import mti
from conftest import ROOT
from models import decay

TANKS = ROOT / "examples" / "three_tank" / "model.json"
BUCK = ROOT / "examples" / "buck_converter" / "model.json"


def driven() -> mti.Model:
    return mti.Model(states=["x"], parameters={"A": 1}, inputs={"u": {"sine": {"amplitude": 1, "frequency": 0.5}}},
                     equations=["der(x) = A*u - x"])  # fmt: skip


def told(program: str, *words: str) -> dict[str, object]:
    run = subprocess.run([program, *words, "--json"], capture_output=True, text=True, check=False)
    answer: dict[str, object] = json.loads(run.stdout)
    return answer


def test_an_orbit_is_that_of_the_program(program: str) -> None:
    orbit = mti.orbit(mti.read(TANKS), period_guess=280)
    assert orbit.details == told(program, "orbit", str(TANKS), "--period-guess", "280")
    assert abs(orbit.period - 279.701214442044) < 1e-9 and orbit.stable
    assert orbit.monodromy.shape == (3, 3) and len(orbit.events) == 10
    assert np.allclose(np.sort(abs(np.linalg.eigvals(orbit.monodromy))), np.sort(abs(orbit.multipliers)))


def test_an_orbit_that_is_none() -> None:
    with pytest.raises(mti.NotReached) as none:
        mti.orbit(decay(), period_guess=1)
    assert none.value.faults[0].id == "no-orbit"
    with pytest.raises(mti.InvalidOption):
        mti.orbit(driven(), period_guess=-1)


def test_a_branch_is_that_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    branch = mti.follow_orbit(mti.read(BUCK), "E", 23, 26, period_guess=400e-6, steps=10)
    assert branch.details == told(program, "orbit", str(BUCK), "--period-guess", "400e-6", "--follow", "E=23:26",
                                  "--steps", "10", "--out", str(tmp_path))  # fmt: skip
    (doubling,) = branch.special
    assert branch.complete and doubling.kind == "period doubling" and abs(doubling.parameter - 24.516) < 1e-3
    outside = np.sum(abs(branch.multipliers) > 1 + 1e-6, axis=1) > 0
    regular = np.array([point.kind == "regular" for point in branch.points])
    assert np.array_equal(outside[regular], ~branch.stable[regular])
    rows = np.genfromtxt(tmp_path / "branch.csv", delimiter=",", names=True, deletechars="", dtype=None, encoding="utf-8")
    low, high = branch.extremes("v")
    assert np.array_equal(rows["E"], branch.parameter) and np.array_equal(rows["period"], branch.period)
    assert np.array_equal(rows["min(v)"], low) and np.array_equal(rows["max(v)"], high)


class Buck:
    """The exact map of the buck converter over a period of the ramp: off until the control voltage meets the ramp, then on."""

    L, C, R, a, v_ref, low, high, T = 0.02, 47e-6, 22, 8.4, 11.3, 3.8, 8.2, 400e-6
    A = np.array([[-1 / (R * C), 1 / C], [-1 / L, 0]])

    def flow(self, x: np.ndarray, t: float, u: float) -> np.ndarray:  # type: ignore[type-arg]
        rest = -np.linalg.solve(self.A, [0, u / self.L])
        return rest + scipy.linalg.expm(self.A * t) @ (x - rest)

    def round(self, x: np.ndarray, E: float, n: int) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
        """x after n periods, and its derivative by x: a saltation matrix at each switch."""
        J, slope = np.eye(2), (self.high - self.low) / self.T
        for _ in range(n):
            t = scipy.optimize.brentq(
                lambda t: self.low + slope * t - self.a * (self.flow(x, t, 0)[0] - self.v_ref), 0, self.T, xtol=1e-18)  # fmt: skip
            switched = self.flow(x, t, 0)
            jump = np.array([0, E / self.L])
            saltation = np.eye(2) + np.outer(jump, [-self.a, 0]) / (slope - self.a * (self.A @ switched)[0])
            J = scipy.linalg.expm(self.A * (self.T - t)) @ saltation @ scipy.linalg.expm(self.A * t) @ J
            x = self.flow(switched, self.T - t, E)
        return x, J

    def orbit(self, E: float, n: int, guess: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return scipy.optimize.fsolve(lambda x: self.round(x, E, n)[0] - x, guess, xtol=1e-13)

    def doubling(self, E: float, n: int, last: float, end: float) -> float:
        """Where a multiplier of the orbit of n periods is −1, between `last`, to which it is followed from E on, and `end`."""
        x = self.round(np.array([12.0, 0.6]), E, 600)[0]
        for value in np.arange(E, last + 0.05, 0.1):
            x = self.orbit(value, n, x)
        return scipy.optimize.brentq(
            lambda E: np.linalg.det(self.round(self.orbit(E, n, x), E, n)[1] + np.eye(2)), last, end, xtol=1e-10)  # fmt: skip


@pytest.mark.parametrize(("n", "start", "last", "stop"), [(1, 23.0, 24.0, 25.5), (2, 25.0, 30.9, 31.3)])
def test_periods_double_where_the_exact_map_says_so(n: int, start: float, last: float, stop: float) -> None:
    branch = mti.follow_orbit(mti.read(BUCK), "E", start, stop, period_guess=n * 400e-6)
    (doubling,) = branch.special
    assert abs(doubling.parameter - Buck().doubling(start, n, last, stop)) < 1e-7


def test_the_amplitude_along_a_branch() -> None:
    # x' = −x + A sin(πt) has the amplitude A/√(1 + π²); what is measured between 200 samples is right to 1e-4.
    model = driven()
    branch = mti.follow_orbit(model, "A", 1, 2, period_guess=2)
    low, high = branch.extremes("x")
    assert np.allclose(high, branch.parameter / np.hypot(1, np.pi), rtol=2e-4)
    assert np.allclose(low, -high, rtol=4e-4)
    assert model == driven()


def test_branches_that_cannot_be_followed() -> None:
    with pytest.raises(mti.NotReached):
        mti.follow_orbit(mti.Model(states={"x": 1}, parameters={"a": 1}, equations=["der(x) = a"]), "a", 1, 2, period_guess=1)
    with pytest.raises(mti.InvalidOption):
        mti.follow_orbit(driven(), "A", 1, 1, period_guess=2)
    with pytest.raises(mti.InvalidOption) as unknown:
        mti.follow_orbit(driven(), "B", 1, 2, period_guess=2)
    assert "B" in str(unknown.value)
    with pytest.raises(mti.InvalidOption):
        mti.follow_orbit(mti.convert(driven(), scale=True).model, "A", 1, 2, period_guess=2)


def test_a_bifurcation_diagram_shows_the_branch() -> None:
    branch = mti.follow_orbit(mti.read(BUCK), "E", 23, 26, period_guess=400e-6, steps=10)
    figure = branch.plot("v", "i")
    assert [axes.get_ylabel() for axes in figure.axes] == ["v", "i"] and figure.axes[-1].get_xlabel() == "E"
    stable_low = figure.axes[0].get_lines()[0]
    shown = ~np.isnan(stable_low.get_ydata())
    assert np.array_equal(stable_low.get_xdata()[shown], branch.parameter[branch.parameter <= branch.special[0].parameter])
    matplotlib.pyplot.close("all")
    with pytest.raises(KeyError):
        branch.plot("q")


def test_points_of_rest_are_those_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    model = mti.Model(states={"x": 0}, binaries=["z"], parameters={"level": 2}, equations=["der(x) = -x + level - 4*z"],
                      constraints=[{"name": "low", "text": "(x - 1)*(1 - z) <= 0"},
                                   {"name": "high", "text": "(1 - x)*z <= 0"}])  # fmt: skip
    (slides,) = mti.equilibria(model)
    assert abs(slides.slides["low"]["z"] - 0.25) < 1e-9 and slides.rests
    with pytest.raises(mti.NotReached) as none:
        mti.equilibria(model, mode={"z": 1})
    assert none.value.faults[0].id == "no_equilibrium"
    file = tmp_path / "relay.json"
    model.save(file)
    found = [point.details for point in mti.equilibria(model, all=True)]
    assert len(found) >= 1 and found == told(program, "equilibrium", str(file), "--all")["equilibria"]
