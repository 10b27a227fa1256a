"""FMUs for Model Exchange of FMI 2.0, integrated by an importer of its own: a Runge-Kutta method with bisection."""

from __future__ import annotations

import ctypes as c
import math
import pathlib
import xml.etree.ElementTree as ElementTree
import zipfile
from typing import Any

import pytest

import mti

pytestmark = pytest.mark.skipif(
    not (pathlib.Path(mti.__file__).parent / "libmti_fmu.so").exists(), reason="the library of FMUs is not built")
LOG = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_int, c.c_char_p, c.c_char_p)
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
DOUBLE = c.c_double


class Callbacks(c.Structure):
    _fields_ = [("logger", LOG), ("allocate", c.c_void_p), ("free", c.c_void_p), ("step_finished", c.c_void_p),
                ("environment", c.c_void_p)]


class EventInfo(c.Structure):
    _fields_ = [("needs_update", c.c_int), ("terminate", c.c_int), ("nominals_changed", c.c_int),
                ("states_changed", c.c_int), ("next_event_defined", c.c_int), ("next_event", DOUBLE)]


class Importer:
    """One instance in Continuous-Time Mode. A method of one step has no history: it needs no resets."""

    def __init__(self, fmu: pathlib.Path, folder: pathlib.Path, stop: float, rtol: float) -> None:
        zipfile.ZipFile(fmu).extractall(folder)
        root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.references = {str(one.get("name")): int(str(one.get("valueReference")))
                           for one in root.iter("ScalarVariable")}
        self.indicators = int(str(root.get("numberOfEventIndicators")))
        self.states = sum(1 for one in root.iter("Real") if one.get("derivative"))
        self.library = c.CDLL(str(next((folder / "binaries").rglob("*.so"))))
        self.log: list[str] = []
        logger = LOG(lambda _environment, _name, _status, _category, text: self.log.append(text.decode()))
        self.callbacks = Callbacks(logger, None, None, None, None)
        instantiate = self.library.fmi2Instantiate
        instantiate.restype = c.c_void_p
        instantiate.argtypes = [c.c_char_p, c.c_int, c.c_char_p, c.c_char_p, c.c_void_p, c.c_int, c.c_int]
        self.instance = c.c_void_p(instantiate(
            b"one", 0, str(root.get("guid")).encode(), (folder / "resources").as_uri().encode(),
            c.addressof(self.callbacks), 0, 0))
        assert self.instance, self.log
        self.time, self.next_event, self.events, self.ended = 0.0, math.inf, 0, False
        self.told: list[bool] = []
        self.call("SetupExperiment", c.c_int(1), DOUBLE(rtol), DOUBLE(0), c.c_int(1), DOUBLE(stop))
        self.call("EnterInitializationMode")
        self.call("ExitInitializationMode")
        self.update()

    def call(self, name: str, *arguments: Any) -> None:
        assert getattr(self.library, "fmi2" + name)(self.instance, *arguments) == 0, self.log

    def list_of(self, name: str, n: int) -> list[float]:
        values = (DOUBLE * n)()
        self.call(name, values, c.c_size_t(n))
        return list(values)

    def place(self, time: float, states: list[float]) -> None:
        self.call("SetTime", DOUBLE(time))
        self.call("SetContinuousStates", (DOUBLE * self.states)(*states), c.c_size_t(self.states))

    def rates(self, time: float, states: list[float]) -> list[float]:
        self.place(time, states)
        return self.list_of("GetDerivatives", self.states)

    def after(self, x: list[float], h: float) -> list[float]:
        """The states after one step of the classical method."""
        t = self.time
        k1 = self.rates(t, x)
        k2 = self.rates(t + h / 2, [a + h / 2 * b for a, b in zip(x, k1)])
        k3 = self.rates(t + h / 2, [a + h / 2 * b for a, b in zip(x, k2)])
        k4 = self.rates(t + h, [a + h * b for a, b in zip(x, k3)])
        return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(x, k1, k2, k3, k4)]

    def inside(self, time: float, states: list[float]) -> bool:
        self.place(time, states)
        return all(value > 0 for value in self.list_of("GetEventIndicators", self.indicators))

    def update(self) -> None:
        info = EventInfo(1, 0, 0, 0, 0, 0.0)
        while info.needs_update and not info.terminate:
            self.call("NewDiscreteStates", c.byref(info))
        self.told.append(bool(info.nominals_changed or info.states_changed))
        self.ended = bool(info.terminate)
        self.next_event = info.next_event if info.next_event_defined else math.inf
        if not self.ended:
            self.call("EnterContinuousTimeMode")

    def advance(self, time: float, largest: float) -> None:
        while not self.ended and self.time < time:
            x = self.list_of("GetContinuousStates", self.states)
            h = min(largest, time - self.time, self.next_event - self.time)
            y = self.after(x, h)
            crossing = not self.inside(self.time + h, y)
            if crossing:
                low, high = 0.0, h
                while high - low > 1e-12 * max(1.0, self.time):
                    middle = (low + high) / 2
                    if self.inside(self.time + middle, self.after(x, middle)):
                        low = middle
                    else:
                        high = middle
                h = high
                y = self.after(x, h)
            at_breakpoint = self.time + h >= self.next_event
            self.time = self.next_event if at_breakpoint else self.time + h
            self.place(self.time, y)
            event, terminate = c.c_int(), c.c_int()
            self.call("CompletedIntegratorStep", c.c_int(1), c.byref(event), c.byref(terminate))
            if crossing or at_breakpoint or event.value:
                self.events += 1
                self.call("EnterEventMode")
                self.update()

    def __getitem__(self, name: str) -> float:
        value = DOUBLE()
        self.call("GetReal", c.byref(c.c_uint32(self.references[name])), c.c_size_t(1), c.byref(value))
        return value.value

    def close(self) -> None:
        self.library.fmi2FreeInstance(self.instance)


@pytest.mark.parametrize("name", ["thermostat", "hvac_room", "three_tank"])
def test_runs_are_those_of_simulate(name: str, tmp_path: pathlib.Path) -> None:
    model = mti.read(EXAMPLES / name / "model.json")
    model.to_fmu(tmp_path / "model.fmu", fmi=2, interfaces=["me"])
    stop, points = float(model.experiment["stop"] or 0), 10
    times = [stop * k / points for k in range(points + 1)]
    run = mti.simulate(model, rtol=1e-9, t_eval=times)
    importer = Importer(tmp_path / "model.fmu", tmp_path / "unpacked", stop, 1e-8)
    for time in times[1:]:
        importer.advance(time, stop / 4000)
        if any(abs(event - time) < 1e-4 * stop for event in run.t_events):
            continue
        at = max(k for k, t in enumerate(run.t) if t == time)
        for signal in model.states:
            scale = max(signal.nominal, abs(run[signal.name]).max())
            assert importer[signal.name] == pytest.approx(float(run[signal.name][at]), abs=1e-5 * scale)
    assert importer.events > 0 and all(importer.told[1:])
    importer.close()


def test_sliding(tmp_path: pathlib.Path) -> None:
    """x rises to 0 at t = 1, where both sides lead back to it; w grows by the weight, 1/2."""
    model = mti.Model(states={"x": -1, "w": 0}, binaries=["z"], equations=["der(x) = 1 - 2*z", "der(w) = z"],
                      constraints=["x*(1 - z) <= 0", "-x*z <= 0"])
    model.to_fmu(tmp_path / "model.fmu", fmi=2, interfaces="me")
    importer = Importer(tmp_path / "model.fmu", tmp_path / "unpacked", 2, 1e-8)
    importer.advance(2, 0.1)
    assert not importer.ended and importer.events == 1
    assert importer["x"] == pytest.approx(0, abs=1e-7)
    assert importer["w"] == pytest.approx(0.5, abs=1e-6)
    assert importer["z.weight"] == pytest.approx(0.5, abs=1e-9)
    importer.close()


def test_refusals(tmp_path: pathlib.Path) -> None:
    model = mti.Model(states={"v": 1, "w": 1}, algebraic=["M"], equations=["der(v) = M", "der(w) = -M", "v = w"])
    with pytest.raises(mti.InvalidOption) as refused:
        model.to_fmu(tmp_path / "a.fmu", interfaces=("cs", "me"))
    assert refused.value.faults[0].id == "no-model-exchange"
    with pytest.raises(ValueError, match="expected 'cs', 'me' or both"):
        model.to_fmu(tmp_path / "a.fmu", interfaces="em")
    assert not list(tmp_path.iterdir())
