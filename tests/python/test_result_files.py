"""Files of results, as others read them: NetCDF by xarray, the MAT files of Modelica's tools by SciPy, CSV by pandas."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
import scipy.io

from conftest import ROOT

xarray = pytest.importorskip("xarray")

CASES = ["examples/three_tank/model.json", "examples/thermostat/model.json", "tests/cases/cup_and_ball.json",
         "tests/cases/water_tank.json", "tests/cases/discrete_one_tank.json"]  # fmt: skip

RELAY = {
    "format": "mti-model", "version": 1, "name": "relay",
    "states": [{"name": "x", "unit": "m"}, {"name": "w", "start": 1}],
    "inputs": [{"name": "u", "table": {"time": [0, 1, 1, 4], "value": [0, 1, 3, 3]}}],
    "algebraic": [{"name": "y"}], "binaries": [{"name": "z"}],
    "equations": ["der(x) = 1 - 2*z", "der(w) = u", "y = x + u"],
    "constraints": ["(x - 1)*(1 - z) <= 0", "(0.25 - x)*z <= 0"],
    "experiment": {"stop": 4, "output_interval": 0.25}}  # fmt: skip


def simulate(program: str, model: pathlib.Path, out: pathlib.Path, *options: str) -> None:
    command = [program, "simulate", str(model), "--no-report", "--quiet", "--out", str(out), *options]
    subprocess.run(command, check=True, timeout=120)


def csv_of(folder: pathlib.Path) -> tuple[list[str], np.ndarray]:
    with open(folder / "trajectory.csv", newline="", encoding="utf-8") as file:
        names, *lines = csv.reader(file)
    return names, np.array([[float(cell) if cell else np.nan for cell in line] for line in lines])


@pytest.fixture
def relay(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "relay.json"
    path.write_text(json.dumps(RELAY), encoding="utf-8")
    return path


def test_hdf5_alone_and_octave_read_netcdf(relay: pathlib.Path, program: str, tmp_path: pathlib.Path) -> None:
    simulate(program, relay, tmp_path)
    names, rows = csv_of(tmp_path)
    simulate(program, relay, tmp_path, "--format", "nc")
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "trajectory.nc") as file:
        for name, column in zip(names, rows.T):
            assert np.array_equal(file[name][:], column, equal_nan=True), name
    if shutil.which("octave-cli") is None:
        pytest.skip("no Octave here")
    script = f"pkg load netcdf; fprintf('%.17g\\n', ncread('{tmp_path / 'trajectory.nc'}', '{names[2]}'));"
    made = subprocess.run(["octave-cli", "--norc", "--eval", script], capture_output=True, text=True, check=False)
    if "package" in made.stderr and "netcdf" in made.stderr:
        pytest.skip("Octave has no package netcdf here")
    assert [float(line) for line in made.stdout.split()] == list(rows[:, 2]), made.stderr


@pytest.mark.parametrize("case", CASES)
def test_netcdf_and_mat_hold_what_csv_does(case: str, program: str, tmp_path: pathlib.Path) -> None:
    names, rows = (simulate(program, ROOT / case, tmp_path), csv_of(tmp_path))[1]
    simulate(program, ROOT / case, tmp_path, "--format", "nc")
    assert not (tmp_path / "trajectory.csv").exists(), "it would be of another run"
    events = json.loads((tmp_path / "events.json").read_text(encoding="utf-8"))
    with xarray.open_dataset(tmp_path / "trajectory.nc", decode_times=False) as data:
        assert data.attrs["outcome"] == "reached_stop"
        for name, column in zip(names, rows.T):
            assert np.array_equal(data[name].values, column, equal_nan=True), name
        assert np.array_equal(data["event_time"].values, [event["time"] for event in events])
        meanings = data["change_signal"].attrs["flag_meanings"].split(" ")
        kinds = data["event_kind"].attrs["flag_meanings"].split(" ")
        begin = 0
        for event, count, kind in zip(events, data["event_change_count"].values, data["event_kind"].values):
            assert kinds[kind] == event["kind"]
            found = {
                meanings[data["change_signal"].values[k]]: [data["change_before"].values[k], data["change_after"].values[k]]
                for k in range(begin, begin + count)}  # fmt: skip
            jumps = {name: limits for name, limits in event.get("jumps", {}).items()}
            assert found == {**event["changed"], **jumps}
            begin += count
    simulate(program, ROOT / case, tmp_path, "--format", "mat")
    assert not (tmp_path / "trajectory.nc").exists()
    mat = scipy.io.loadmat(tmp_path / "trajectory.mat", chars_as_strings=False)
    assert ["".join(line).strip() for line in mat["Aclass"]] == ["Atrajectory", "1.1", "", "binTrans"]
    columns = {}
    for name, (matrix, place, _, _) in zip(mat["name"].T, mat["dataInfo"].T):
        columns["".join(name).rstrip("\0")] = mat["data_2"][place - 1] if matrix in (0, 2) else mat["data_1"][place - 1]
    assert list(columns) == ["time", *names[2:]]
    assert all(np.array_equal(columns[name], column, equal_nan=True) for name, column in zip(names, rows.T) if name != "side")


def test_inputs_stand_after_the_states(program: str, relay: pathlib.Path, tmp_path: pathlib.Path) -> None:
    simulate(program, relay, tmp_path)
    names, rows = csv_of(tmp_path)
    assert names == ["time", "side", "x", "w", "u", "y", "z"]
    t, side, u = rows[:, 0], rows[:, 1], rows[:, names.index("u")]
    assert np.allclose(u, np.where((t < 1) | ((t == 1) & (side < 0)), t, 3), atol=1e-15)
    assert np.allclose(rows[:, names.index("y")], rows[:, names.index("x")] + u, atol=1e-12)


def test_what_others_have_written_stays(program: str, relay: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A file of the same name that mti has written goes with the run that it was of; another one does not."""
    simulate(program, relay, tmp_path, "--format", "nc")
    simulate(program, relay, tmp_path)
    assert not (tmp_path / "trajectory.nc").exists()
    xarray.Dataset({"a": ("i", [1.0, 2.0])}).to_netcdf(tmp_path / "trajectory.nc", engine="netcdf4")
    simulate(program, relay, tmp_path)
    assert (tmp_path / "trajectory.nc").exists()


@pytest.mark.parametrize("case", ["examples/hvac_room/model.json", "tests/cases/second/logic_chain_400.json"])
def test_files_of_large_models_are_known_again(case: str, program: str, tmp_path: pathlib.Path) -> None:
    simulate(program, ROOT / case, tmp_path, "--format", "nc")
    simulate(program, ROOT / case, tmp_path)
    assert not (tmp_path / "trajectory.nc").exists()


def test_signals_are_chosen_by_pattern_and_have_their_slopes(
    program: str, relay: pathlib.Path, tmp_path: pathlib.Path) -> None:
    simulate(program, relay, tmp_path, "--signals", "?,der(*)")
    names, rows = csv_of(tmp_path)
    assert names == ["time", "side", "x", "w", "u", "y", "z", "der(x)", "der(w)"]
    columns = dict(zip(names, rows.T))
    assert np.array_equal(columns["der(x)"], 1 - 2 * columns["z"])
    assert np.allclose(columns["der(w)"], columns["u"], atol=1e-15)
    refused = subprocess.run([program, "simulate", str(relay), "--signals", "q*"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1 and "unknown-signal" in refused.stderr


def test_rows_at_output_times_alone(program: str, relay: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """z switches at x = 1, t = 1, 2.5, 4 and x = 1/4, t = 1.75, 3.25: all of them are output times."""
    simulate(program, relay, tmp_path, "--no-event-rows")
    names, rows = csv_of(tmp_path)
    assert np.array_equal(rows[:, 0], 0.25 * np.arange(17)) and not rows[:, 1].any()
    z = rows[:, names.index("z")]
    # on from t = 1 on, which counts itself: what an event leads to
    assert z.tolist() == [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1]


def test_output_times_from_a_file(program: str, relay: pathlib.Path, tmp_path: pathlib.Path) -> None:
    times = [0, 0.3, 1.0, 3.999]
    (tmp_path / "times.txt").write_text("# when\n" + "\n".join(map(str, times)), encoding="utf-8")
    (tmp_path / "times.csv").write_text("time,q\n" + "\n".join(f"{t},1" for t in times), encoding="utf-8")
    for name in ("times.txt", "times.csv"):  # as editors on Windows save them, too
        (tmp_path / f"marked_{name}").write_text((tmp_path / name).read_text(encoding="utf-8"), encoding="utf-8-sig")
    for name in ("times.txt", "times.csv", "marked_times.txt", "marked_times.csv"):
        simulate(program, relay, tmp_path, "--no-event-rows", "--output-times", str(tmp_path / name))
        assert csv_of(tmp_path)[1][:, 0].tolist() == times
    (tmp_path / "bad.txt").write_text("0\nsoon\n", encoding="utf-8")
    command = [program, "simulate", str(relay), "--output-times", str(tmp_path / "bad.txt")]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "bad.txt, line 2" in refused.stderr


def test_signals_may_have_the_names_that_files_need(program: str, tmp_path: pathlib.Path) -> None:
    """x_i = i t, whatever they are called."""
    names = ["row", "event", "event_time", "change", "change_signal", "impulse", "reached", "side", "signal.side", "run"]
    model = {
        "format": "mti-model", "version": 1, "states": [{"name": name} for name in names],
        "equations": [f"der({name}) = {i}" for i, name in enumerate(names)], "experiment": {"stop": 1}}  # fmt: skip
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    simulate(program, path, tmp_path, "--format", "nc")
    with xarray.open_dataset(tmp_path / "trajectory.nc") as file:
        found = {one.attrs["long_name"]: float(one[-1]) for one in file.variables.values() if "kind" in one.attrs}
    assert found == pytest.approx({name: float(i) for i, name in enumerate(names)}, abs=1e-9)


OSCILLATOR = {
    "format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}, {"name": "v"}],
    "equations": ["der(x) = v", "der(v) = -x"], "experiment": {"stop": 1e7, "output_interval": 0.1}}  # fmt: skip


def oscillate(program: str, folder: pathlib.Path) -> subprocess.Popen[bytes]:
    """x = cos t, at times that are 0.1 apart, for ever."""
    path = folder / "model.json"
    path.write_text(json.dumps(OSCILLATOR), encoding="utf-8")
    return subprocess.Popen(
        [program, "simulate", str(path), "--format", "nc", "--no-report", "--quiet", "--out", str(folder)])


def assert_oscillation(file: pathlib.Path) -> int:
    """All that the file holds is right; the number of its rows."""
    with xarray.open_dataset(file, decode_times=False) as data:
        t, x = data["time"].values, data["x"].values
        assert t.size > 0 and x.size == t.size and "outcome" not in data.attrs
        assert np.allclose(t, 0.1 * np.arange(t.size), rtol=1e-12)
        assert np.allclose(x, np.cos(t), atol=1e-2)
        return int(t.size)


def wait_for(file: pathlib.Path) -> None:
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.01)


def test_a_killed_run_leaves_a_file_that_can_be_read(program: str, tmp_path: pathlib.Path) -> None:
    """At whatever moment it is killed."""
    rng = np.random.default_rng(7)
    for trial in range(10):
        folder = tmp_path / str(trial)
        folder.mkdir()
        with oscillate(program, folder) as run:
            wait_for(folder / "trajectory.nc")
            time.sleep(rng.uniform(0.0, 0.6))
            os.kill(run.pid, signal.SIGKILL)
        assert_oscillation(folder / "trajectory.nc")
        shutil.rmtree(folder)


def test_rows_can_be_read_while_the_run_goes_on(program: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "trajectory.nc"
    with oscillate(program, tmp_path) as run:
        wait_for(file)
        sizes = []
        for _ in range(20):
            sizes.append(assert_oscillation(file))
            time.sleep(0.05)
        os.kill(run.pid, signal.SIGKILL)
    assert sizes == sorted(sizes) and sizes[-1] > sizes[0]


def test_a_reader_keeps_the_file_that_it_has_opened(program: str, relay: pathlib.Path, tmp_path: pathlib.Path) -> None:
    h5py = pytest.importorskip("h5py")
    simulate(program, relay, tmp_path, "--format", "nc")
    with h5py.File(tmp_path / "trajectory.nc") as opened:
        before = opened["time"][:]
        simulate(program, relay, tmp_path, "--format", "nc", "--stop", "0.5")
        assert np.array_equal(opened["time"][:], before)
    with h5py.File(tmp_path / "trajectory.nc") as written:
        assert written["time"][-1] == 0.5 < before[-1]


@pytest.mark.parametrize("most", [4_096, 40_000, 400_000, 3_000_000])
def test_a_full_disk_leaves_the_rows_that_were_shown(program: str, tmp_path: pathlib.Path, most: int) -> None:
    """A limit of the size of files stands for a disk."""
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    path = tmp_path / "model.json"
    path.write_text(json.dumps(OSCILLATOR), encoding="utf-8")
    ended = subprocess.run(
        [program, "simulate", str(path), "--format", "nc", "--no-report", "--quiet", "--out", str(tmp_path)],
        preexec_fn=limit, capture_output=True, text=True, check=False, timeout=300)  # fmt: skip
    assert ended.returncode == 2 and "file-unwritable" in ended.stderr and "/trajectory.nc" in ended.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) in (
        ["model.json"], ["model.json", "trajectory.nc"])  # fmt: skip
    assert ("holds the rows that were written before" in ended.stderr) == (tmp_path / "trajectory.nc").exists()
    if (tmp_path / "trajectory.nc").exists():
        assert_oscillation(tmp_path / "trajectory.nc")
