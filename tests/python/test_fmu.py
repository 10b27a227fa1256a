"""FMUs written from Python, run by an importer of its own: prototypes and structures are declared here."""

from __future__ import annotations

import ctypes as c
import math
import pathlib
import xml.etree.ElementTree as ElementTree
import zipfile
from typing import Any

import pytest

import mti

DOUBLE, SIZE, BOOL = c.c_double, c.c_size_t, c.c_bool
pytestmark = pytest.mark.skipif(
    not (pathlib.Path(mti.__file__).parent / "libmti_fmu.so").exists(), reason="the library of FMUs is not built")
LOG = c.CFUNCTYPE(None, c.c_void_p, c.c_int, c.c_char_p, c.c_char_p)
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


class Importer:
    """One instance of FMI 3.0, in Step Mode."""

    def __init__(self, fmu: pathlib.Path, folder: pathlib.Path, stop: float, rtol: float) -> None:
        zipfile.ZipFile(fmu).extractall(folder)
        self.root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        variables = self.root.find("ModelVariables")
        assert variables is not None
        self.references = {str(one.get("name")): int(str(one.get("valueReference"))) for one in variables}
        self.library = c.CDLL(str(next((folder / "binaries").rglob("*.so"))))
        self.log: list[str] = []
        self.callback = LOG(lambda _environment, _status, _category, text: self.log.append(text.decode()))
        instantiate = self.library.fmi3InstantiateCoSimulation
        instantiate.restype = c.c_void_p
        instantiate.argtypes = [
            c.c_char_p, c.c_char_p, c.c_char_p, BOOL, BOOL, BOOL, BOOL, c.c_void_p, SIZE, c.c_void_p, LOG, c.c_void_p]
        token = str(self.root.get("instantiationToken")).encode()
        self.instance = c.c_void_p(instantiate(
            b"one", token, str(folder / "resources").encode(), False, False, False, False, None, 0, None, self.callback,
            None))
        assert self.instance, self.log
        self.call("EnterInitializationMode", BOOL(True), DOUBLE(rtol), DOUBLE(0), BOOL(True), DOUBLE(stop))
        self.call("ExitInitializationMode")

    def call(self, name: str, *arguments: Any) -> None:
        assert getattr(self.library, "fmi3" + name)(self.instance, *arguments) == 0, self.log

    def step(self, time: float, size: float) -> None:
        flags = [BOOL() for _ in range(3)]
        last = DOUBLE()
        self.call("DoStep", DOUBLE(time), DOUBLE(size), BOOL(True), *map(c.byref, flags), c.byref(last))

    def __getitem__(self, name: str) -> float:
        value = DOUBLE()
        self.call("GetFloat64", c.byref(c.c_uint32(self.references[name])), SIZE(1), c.byref(value), SIZE(1))
        return value.value

    def close(self) -> None:
        self.library.fmi3FreeInstance(self.instance)


@pytest.mark.parametrize("name", ["thermostat", "relay_sliding", "bouncing_ball", "three_tank"])
def test_runs_are_those_of_simulate(name: str, tmp_path: pathlib.Path) -> None:
    model = mti.read(EXAMPLES / name / "model.json")
    model.to_fmu(tmp_path / "model.fmu")
    stop, rtol, points = float(model.experiment["stop"] or 0), 1e-8, 50
    times = [stop * k / points for k in range(points + 1)]
    run = mti.simulate(model, rtol=rtol, t_eval=times)
    importer = Importer(tmp_path / "model.fmu", tmp_path / "unpacked", stop, rtol)
    for before, time in zip(times, times[1:]):
        importer.step(before, time - before)
        if any(abs(event - time) < 1e-5 * stop for event in run.t_events):
            continue
        for signal in model.states:
            scale = max(signal.nominal, abs(run[signal.name]).max())
            assert importer[signal.name] == pytest.approx(_at(run, signal.name, time), abs=10 * rtol * scale)
    importer.close()


def _at(run: mti.Result, name: str, time: float) -> float:
    """The last value at a time of the run: the right limit."""
    return float(run[name][max(k for k, t in enumerate(run.t) if t == time)])


def test_parameters_stay(tmp_path: pathlib.Path) -> None:
    model = mti.read(EXAMPLES / "three_tank" / "model.json", set={"m": 6})
    model.to_fmu(tmp_path / "a.fmu", outputs=["x*"])
    importer = Importer(tmp_path / "a.fmu", tmp_path / "a", 10, 1e-6)
    assert importer["m"] == 6
    outputs = [one for one in importer.root.iter("Float64") if one.get("causality") == "output"]
    assert [one.get("name") for one in outputs] == ["x1", "x2", "x3"]
    importer.close()
    reduced = mti.convert(model, reduce=True).model
    reduced.to_fmu(tmp_path / "b.fmu", fmi=2)
    root = ElementTree.fromstring(zipfile.ZipFile(tmp_path / "b.fmu").read("modelDescription.xml"))
    assert root.get("fmiVersion") == "2.0"


def test_parameters_are_those_that_were_read(tmp_path: pathlib.Path) -> None:
    """ẋ = −k x: of k = 2 as read, though the file says 5 by now; of Modelica too."""
    file = tmp_path / "decay.mo"
    file.write_text("model decay\n  parameter Real k = 2;\n  Real x(start = 1, fixed = true);\n"
                    "equation\n  der(x) = -k * x;\nend decay;\n")
    other = tmp_path / "decay.json"
    text = """{"format": "mti-model", "version": 1, "parameters": {"k": 2},
      "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -k*x"], "experiment": {"stop": 1}}"""
    other.write_text(text)
    models = [mti.read(file), mti.read(other)]
    other.write_text(text.replace('"k": 2', '"k": 5'))
    for i, model in enumerate(models):
        model.to_fmu(tmp_path / "a.fmu")
        importer = Importer(tmp_path / "a.fmu", tmp_path / str(i), 1, 1e-9)
        assert importer["k"] == 2
        importer.step(0, 1)
        assert importer["x"] == pytest.approx(math.exp(-2), abs=1e-7)
        importer.close()


def test_modelica_with_laws_has_no_parameters(tmp_path: pathlib.Path) -> None:
    """With other values it might start elsewhere. It is the same run all the same."""
    model = mti.read(EXAMPLES.parent / "tests" / "cases" / "modelica" / "bouncing_ball.mo")
    model.to_fmu(tmp_path / "a.fmu")
    root = ElementTree.fromstring(zipfile.ZipFile(tmp_path / "a.fmu").read("modelDescription.xml"))
    assert not [one for one in root.iter() if "arameter" in one.get("causality", "")]
    importer = Importer(tmp_path / "a.fmu", tmp_path / "a", 1, 1e-9)
    importer.step(0, 0.7)
    run = mti.simulate(model, stop=1, rtol=1e-9, t_eval=[0, 0.7])
    for signal in model.states:
        assert importer[signal.name] == pytest.approx(_at(run, signal.name, 0.7), abs=1e-6)
    importer.close()


def test_refusals(tmp_path: pathlib.Path) -> None:
    model = mti.Model(states={"x": 1}, equations=["der(x) = -x"])
    with pytest.raises(mti.InvalidOption) as refused:
        model.to_fmu(tmp_path / "a.fmu", outputs=["y"])
    assert refused.value.faults[0].id == "unknown-output"
    with pytest.raises(ValueError, match="expected 2 or 3"):
        model.to_fmu(tmp_path / "a.fmu", fmi=1)
    assert not list(tmp_path.iterdir())
