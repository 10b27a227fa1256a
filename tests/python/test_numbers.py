"""Numbers that are none, or not those that Python has: dates and durations, long doubles, truth values, texts."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

import mti
from models import decay

HOURS = np.array([0, 3600, 7200], dtype="timedelta64[s]").astype("timedelta64[ns]")
DATES = np.datetime64("2024-01-01", "ns") + HOURS


def room(times: Any) -> mti.Model:
    return mti.Model(states={"T": 5}, inputs={"Ta": {"table": {"time": times, "value": [5, 10, 15]}}},
                     equations=["3600*der(T) = Ta - T"])  # fmt: skip


@pytest.mark.parametrize("use", [
    lambda: room(HOURS), lambda: room(DATES),
    lambda: mti.simulate(decay(), stop=np.timedelta64(2, "ns")),
    lambda: mti.simulate(decay(), stop=2, t_eval=HOURS),
    lambda: mti.Run(decay(), stop=2, t_eval=DATES),
    lambda: decay().bind({"x": np.timedelta64(2, "ns")}),
    lambda: mti.Model(states={"x": np.datetime64("2024-01-01", "ns")}, equations=["der(x) = -x"]),
    lambda: mti.identify({"t": HOURS, "x": [1, 2, 3]}, states=["x"]),
    lambda: mti.linearize(decay(), at=HOURS),
])  # fmt: skip
def test_dates_and_durations_are_no_numbers(use: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"expected numbers, found (timedelta|datetime)64\[ns\]; .* are seconds"):
        use()


def test_seconds_are() -> None:
    run = mti.simulate(room(HOURS / np.timedelta64(1, "s")), stop=7200, output_interval=3600)
    assert run["Ta"].tolist() == [5, 10, 15]


def test_long_doubles_become_doubles() -> None:
    model = mti.Model(states={"x": np.longdouble(1)}, parameters={"a": np.array([2], dtype=np.longdouble)[0]},
                      equations=["der(x) = -a*x"])  # fmt: skip
    assert model == mti.Model(states={"x": 1}, parameters={"a": 2}, equations=["der(x) = -a*x"])


@pytest.mark.parametrize("values", [[True, False, True], np.array([True, False, True])])
def test_tables_of_truth_values(values: Any) -> None:
    model = mti.Model(states=["x"], inputs={"b": {"binary": True, "table": {"time": [0, 1, 2], "value": values}}},
                      equations=["der(x) = b"])  # fmt: skip
    assert mti.simulate(model, stop=3)["x"][-1] == pytest.approx(2)


@pytest.mark.parametrize("value", [None, "1", 1j, [1, 2]])
def test_functions_of_time_give_numbers(value: Any) -> None:
    with pytest.raises(TypeError, match=r"u\(.*\): expected a number"):
        mti.input_function(lambda t: value, 0, 1)


def test_one_name_may_stand_without_a_list() -> None:
    model = mti.Model(states={"x": 1}, parameters={"tau": 2}, equations=["der(x) = -x/tau"])
    assert mti.simulate(model, stop=1, sensitivities="tau").sensitivities == ("tau",)


@pytest.mark.parametrize("use", [
    lambda: mti.linearize(decay(), eigenvalues=-1),
    lambda: mti.linearize(decay(), eigenvalues=1, near=float("nan")),
    lambda: mti.input_function(lambda t: t, 0, 1, kinks=[float("nan")]),
    lambda: mti.input_function(lambda t: t, 0, 1, kinks=np.array([0.5, 2])),
    lambda: mti.convert(decay(), to="zzz"),
])  # fmt: skip
def test_what_means_nothing_is_refused(use: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        use()


def test_times_and_values_are_floats() -> None:
    relay = mti.Model(states={"x": 1}, binaries=["on"], equations=["der(x) = 2*on - 1"],
                      constraints=["(x - 2)*on <= 0", "(1 - x)*(1 - on) <= 0"])  # fmt: skip
    assert all(type(event.time) is float for event in mti.simulate(relay, stop=2).events)
    (point,) = mti.equilibria(mti.Model(states=["x"], equations=["der(x) = 2 - x"]))
    assert type(point.values["x"]) is float


def test_masked_entries_are_no_times() -> None:
    times = np.ma.masked_array([0.5, 0.7], mask=[False, True])
    with pytest.raises(ValueError, match="masked entries"):
        mti.simulate(decay(), stop=1, t_eval=times)
    whole = np.ma.masked_array([0.5, 0.7])
    assert mti.simulate(decay(), stop=1, t_eval=whole).t.tolist() == [0.5, 0.7]
