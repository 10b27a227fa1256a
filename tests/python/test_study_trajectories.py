"""Whole runs of studies as NetCDF: every row of every run, for any number of threads and parts, after kills and damage."""

from __future__ import annotations

import fcntl
import json
import pathlib
import random
import shutil
import signal
import subprocess
import time
from typing import Any

import numpy as np
import pytest

import mti

xarray = pytest.importorskip("xarray")
pytest.importorskip("netCDF4")

WALL = {
    "parameters": {"speed": 1}, "inputs": [{"name": "u", "sine": {"amplitude": 1, "frequency": 0.5}}],
    "states": [{"name": "x", "start": 1, "unit": "m"}], "equations": ["der(x) = speed"],
    "constraints": [{"name": "wall", "text": "x <= 3"}],
    "experiment": {"stop": 4, "output_interval": 0.25, "rtol": 1e-9}}  # fmt: skip
PLAN = {
    "model": WALL, "design": "grid", "vary": {"speed": {"values": [0.25, 0.5, 1]}, "x": {"values": [0, 1, 9]}},
    "keep": {"final": ["x"], "trajectories": ["x", "u", "der(x)"]}}  # fmt: skip


def rows_of(data: Any, run: int) -> slice:
    ends = np.cumsum(data["row_count"].values)
    return slice(int(ends[run] - data["row_count"].values[run]), int(ends[run]))


def open_runs(folder: pathlib.Path) -> Any:
    return xarray.open_dataset(folder / "runs.nc", decode_times=False)


def test_rows_are_those_of_the_closed_form(tmp_path: pathlib.Path) -> None:
    study = mti.study(PLAN, out=tmp_path, jobs=2)
    with open_runs(tmp_path) as data:
        assert data.sizes["run"] == 9 and data["row_count"].attrs["sample_dimension"] == "row"
        assert data["x"].attrs["units"] == "m" and int(data["row_count"].sum()) == data.sizes["row"]
        meanings = data["outcome"].attrs["flag_meanings"].split()
        for run in range(9):
            speed, start, rows = float(data["speed"][run]), float(data["factor.x"][run]), rows_of(data, run)
            t = data["time"].values[rows]
            end = min(4.0, (3 - start) / speed)
            if start > 3:
                assert meanings[int(data["outcome"][run])] == "no_consistent_start"
                continue
            assert t[0] == 0 and t[-1] == pytest.approx(end, abs=1e-9)
            np.testing.assert_allclose(data["x"].values[rows], start + speed * t, rtol=0, atol=1e-8)
            np.testing.assert_allclose(data["u"].values[rows], np.sin(np.pi * t), rtol=0, atol=1e-9)
            np.testing.assert_allclose(data["der(x)"].values[rows], speed, rtol=0, atol=1e-12)
            np.testing.assert_equal(float(data["final(x)"][run]), study["final(x)"][run])
            assert meanings[int(data["outcome"][run])] == study["outcome"][run]
        assert list(data["run"].values) == list(range(9))
    assert not list(tmp_path.glob("*.bin"))


def test_it_is_the_same_file_for_threads_parts_and_resumed_studies(tmp_path: pathlib.Path) -> None:
    mti.study(PLAN, out=tmp_path / "one", jobs=1)
    whole = (tmp_path / "one" / "runs.nc").read_bytes()
    mti.study(PLAN, out=tmp_path / "four", jobs=4)
    assert (tmp_path / "four" / "runs.nc").read_bytes() == whole
    for part in (1, 2):
        mti.study(PLAN, out=tmp_path / f"part{part}", shard=(part, 2))
        with open_runs(tmp_path / f"part{part}") as data:
            assert list(data["run"].values) == list(range(part - 1, 9, 2))
    mti.study(PLAN, merge=[tmp_path / "part2", tmp_path / "part1"], out=tmp_path / "merged")
    assert (tmp_path / "merged" / "runs.nc").read_bytes() == whole
    assert not list((tmp_path / "merged").glob("*.bin")) and list((tmp_path / "part1").glob("*.bin"))
    mti.study(PLAN, out=tmp_path / "part1", resume=True)
    assert (tmp_path / "part1" / "runs.nc").read_bytes() == whole
    before = (tmp_path / "one" / "runs.nc").stat().st_mtime_ns
    mti.study(PLAN, out=tmp_path / "one", resume=True)
    assert (tmp_path / "one" / "runs.nc").stat().st_mtime_ns == before


def test_what_is_lost_is_made_again(tmp_path: pathlib.Path) -> None:
    mti.study(PLAN, out=tmp_path / "whole")
    whole = (tmp_path / "whole" / "runs.nc").read_bytes()
    mti.study(PLAN, out=tmp_path / "part", shard=(1, 2))
    records = (tmp_path / "part" / "trajectories.bin").read_bytes()
    draw = random.Random(1)
    for cut in [0, 5, *(draw.randrange(len(records)) for _ in range(12)), len(records) - 1]:
        place = tmp_path / "cut"
        shutil.copytree(tmp_path / "part", place)
        (place / "trajectories.bin").write_bytes(records[:cut])
        mti.study(PLAN, out=place, resume=True)
        assert (place / "runs.nc").read_bytes() == whole, cut
        shutil.rmtree(place)
    (tmp_path / "whole" / "runs.nc").unlink()
    mti.study(PLAN, out=tmp_path / "whole", resume=True)
    assert (tmp_path / "whole" / "runs.nc").read_bytes() == whole
    # A byte that is another is found by the check sum, a record that lacks its middle by what follows.
    for damage in range(12):
        damaged = bytearray(records)
        place = draw.randrange(60, len(records))
        if damage % 3:
            damaged[place] ^= 1 << draw.randrange(8)
        else:
            del damaged[place : place + draw.randrange(1, 200)]
        again = tmp_path / f"damaged{damage}"
        shutil.copytree(tmp_path / "part", again)
        (again / "trajectories.bin").write_bytes(damaged)
        mti.study(PLAN, out=again, resume=True)
        assert (again / "runs.nc").read_bytes() == whole, damage


def test_a_row_and_its_trajectory_are_of_one_run(tmp_path: pathlib.Path) -> None:
    """Where runs depend on the machine, one that has lost its trajectory is made again with both."""
    endless = {
        "states": [{"name": "x", "start": 1}, {"name": "v"}], "parameters": {"w": 1},
        "equations": ["der(x) = v", "der(v) = -w*x"], "experiment": {"stop": 1e9, "output_interval": 10}}  # fmt: skip
    plan = {
        "model": endless, "design": "list", "vary": {"w": {"values": [1, 2, 3, 4]}},
        "simulation": {"max_seconds": 0.05}, "keep": {"trajectories": ["x"]}}  # fmt: skip
    mti.study(plan, out=tmp_path, shard=(1, 2))
    for _ in range(2):
        (tmp_path / "trajectories.bin").unlink()
        study = mti.study(plan, out=tmp_path, shard=(1, 2), resume=True)
    with open_runs(tmp_path) as data:
        for k, run in enumerate(data["run"].values):
            assert data["time"].values[rows_of(data, k)][-1] == float(data["end_time"][k])
            assert float(data["end_time"][k]) == study["end_time"][list(study["run"]).index(run)]


def test_a_whole_study_stays_whole(program: str, tmp_path: pathlib.Path) -> None:
    plan = {**PLAN, "name": "x" + "ä" * 35_000}
    mti.study(plan, out=tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(files) == {"journal.csv", "report.html", "runs.csv", "runs.nc", "study.json", "what_if.html"}
    with open_runs(tmp_path) as data:
        assert data.attrs["title"] == "x" + "ä" * 99
    (tmp_path / "trajectories.bin").write_text("mti study trajectories 1 left over\n")
    for options in ({}, {"shard": (1, 2)}, {"max_seconds": 1e-9}):
        mti.study(plan, out=tmp_path, resume=True, **options)
        for name in set(files) - {"journal.csv"}:
            assert (tmp_path / name).read_bytes() == files[name], (name, options)
        assert (tmp_path / "journal.csv").read_text().count("\n") < 20, "no run was made again"
        assert not (tmp_path / "trajectories.bin").exists()


def test_signals_that_some_runs_do_not_have_are_nan_there(tmp_path: pathlib.Path) -> None:
    tank = {"format": "mti-model", "version": 1, "parameters": {"h0": 1}, "states": [{"name": "h", "start": "h0"}],
            "equations": ["der(h) = -h"]}  # fmt: skip
    (tmp_path / "tank.json").write_text(json.dumps(tank))
    ring = {"parameters": {"n": 2}, "components": [{"name": "tank[i]", "model": "tank.json", "for": {"i": [1, "n"]},
                                                    "parameters": {"h0": "i"}}],
            "experiment": {"stop": 1, "output_interval": 0.5, "rtol": 1e-9}}  # fmt: skip
    out = tmp_path / "out"
    study = mti.study({"model": ring, "design": "list", "vary": {"n": {"values": [2, 1, 3]}},
                       "keep": {"trajectories": ["*"]}}, out=out, directory=tmp_path)  # fmt: skip
    assert study.outcomes == {"reached_stop": 3}
    # A signal that is named, and that the model of one run does not have.
    larger = {**ring, "parameters": {"n": 3}}
    named = mti.study({"model": larger, "design": "list", "vary": {"n": {"values": [1, 3]}},
                       "keep": {"trajectories": ["tank3.h", "der(tank3.h)"]}}, out=tmp_path / "named",
                      directory=tmp_path)  # fmt: skip
    assert named.outcomes == {"reached_stop": 2}
    with open_runs(tmp_path / "named") as data:
        assert np.isnan(data["tank3.h"].values[rows_of(data, 0)]).all()
        h, slope = (data[name].values[rows_of(data, 1)] for name in ("tank3.h", "der(tank3.h)"))
        np.testing.assert_allclose(slope, -h, rtol=1e-7)
    with open_runs(out) as data:
        for run, n in enumerate([2, 1, 3]):
            rows = rows_of(data, run)
            for i in (1, 2, 3):
                values = data[f"tank{i}.h"].values[rows]
                expected = i * np.exp(-data["time"].values[rows]) if i <= n else np.full(len(values), np.nan)
                np.testing.assert_allclose(values, expected, rtol=0, atol=1e-7)


def test_names_that_the_file_needs_are_free_for_signals(tmp_path: pathlib.Path) -> None:
    names = ["outcome", "events", "end_time", "row_count", "run", "row"]
    model = {"states": [{"name": name, "start": k} for k, name in enumerate(names)],
             "equations": [f"der({name}) = 0" for name in names]}  # fmt: skip
    mti.study({"model": model, "design": "list", "vary": {"row": {"values": [7, 8]}}, "keep": {"trajectories": ["*"]}},
              out=tmp_path)  # fmt: skip
    with open_runs(tmp_path) as data:
        assert float(data["signal.row_count"][0]) == 3 and list(data["factor.row"].values) == [7, 8]


def test_parts_without_their_trajectories_are_not_merged(tmp_path: pathlib.Path) -> None:
    mti.study(PLAN, out=tmp_path / "whole")
    mti.study(PLAN, out=tmp_path / "part", shard=(1, 2))
    with pytest.raises(mti.UnusableFile, match="no-results: .*whole holds a whole study"):
        mti.study(PLAN, merge=[tmp_path / "part", tmp_path / "whole"], out=tmp_path / "merged")
    (tmp_path / "part" / "trajectories.bin").unlink()
    with pytest.raises(mti.UnusableFile, match="no-results: there is no trajectory of run 0 in"):
        mti.study(PLAN, merge=[tmp_path / "part"], out=tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_folder_that_another_process_has_is_left_alone(program: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(
        {"format": "mti-study", "version": 1, **PLAN, "model": {"format": "mti-model", "version": 1, **WALL}}))  # fmt: skip
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "trajectories.bin").write_text("mti study trajectories 1 of the other\n")
    with open(tmp_path / "out" / "journal.csv", "w", encoding="utf-8") as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        for options in ([], ["--resume"]):
            made = subprocess.run([program, "study", "plan.json", "--out", "out", *options], cwd=tmp_path,
                                  capture_output=True, text=True, check=False)  # fmt: skip
            assert made.returncode == 2 and "another process is writing to it" in made.stderr
    assert (tmp_path / "out" / "trajectories.bin").exists()


def test_killed_studies_go_on(program: str, tmp_path: pathlib.Path) -> None:
    plan = {"format": "mti-study", "version": 1, **PLAN, "design": "random", "runs": 3000,
            "model": {"format": "mti-model", "version": 1, **WALL},
            "vary": {"speed": {"uniform": [0.1, 2]}}, "simulation": {"output_interval": 0.01}}  # fmt: skip
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    subprocess.run([program, "study", "plan.json", "--out", "alone", "--quiet"], cwd=tmp_path, check=True)
    draw = random.Random(2)
    for _ in range(5):
        process = subprocess.Popen([program, "study", "plan.json", "--resume", "--out", "k", "--quiet"], cwd=tmp_path)
        time.sleep(draw.uniform(0.05, 0.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([program, "study", "plan.json", "--resume", "--out", "k", "--quiet"], cwd=tmp_path, check=True)
    for name in ("runs.csv", "runs.nc", "study.json"):
        assert (tmp_path / "k" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    assert not list((tmp_path / "k").glob("*.bin")) and not list((tmp_path / "k").glob(".*"))


def test_files_of_others_stay_and_those_of_an_older_study_go(tmp_path: pathlib.Path) -> None:
    mti.study(PLAN, out=tmp_path)
    assert (tmp_path / "runs.nc").exists()
    without = {**PLAN, "keep": {"final": ["x"]}}
    mti.study(without, out=tmp_path)
    assert not (tmp_path / "runs.nc").exists()
    xarray.Dataset({"a": ("i", [1.0, 2.0])}).to_netcdf(tmp_path / "runs.nc", engine="netcdf4")
    texts = {"journal-2024.csv": "day,text\n1,mine\n", "trajectories.bin": "mine", "trajectories-7.bin": "mine"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    mti.study(without, out=tmp_path)
    mti.study(without, out=tmp_path, resume=True)
    assert (tmp_path / "runs.nc").exists()
    for name, text in texts.items():
        assert (tmp_path / name).read_text() == text
    with pytest.raises(mti.UnusableFile, match="file-unwritable: .* no journal of trajectories"):
        mti.study(PLAN, out=tmp_path)
    assert (tmp_path / "trajectories.bin").read_text() == "mine"


def test_unknown_signals_are_refused_with_their_place() -> None:
    with pytest.raises(mti.InvalidModel, match=r'/keep/trajectories/1: unknown-signal: .* fits "y"'):
        mti.study({**PLAN, "keep": {"trajectories": ["x", "y"]}})


def test_runs_that_make_no_model_and_samples_of_discrete_time(tmp_path: pathlib.Path) -> None:
    counter = {"sample_time": 0.5, "parameters": {"a": 1}, "states": [{"name": "x", "start": 1}],
               "equations": ["next(x) = a*x"], "experiment": {"stop": 2}}  # fmt: skip
    mti.study({"model": counter, "design": "list", "vary": {"a": {"values": [2, 3]}},
               "keep": {"trajectories": ["x"]}}, out=tmp_path / "d")  # fmt: skip
    with open_runs(tmp_path / "d") as data:
        np.testing.assert_array_equal(data["x"].values[data["side"].values >= 0][:5], [1, 2, 4, 8, 16])
    model = {**WALL, "experiment": {"stop": "1/speed"}}
    study = mti.study({**PLAN, "model": model, "design": "list", "vary": {"speed": {"values": [1, 0, 2]}}}, out=tmp_path)
    assert list(study["outcome"]) == ["reached_stop", "invalid_model", "reached_stop"]
    with open_runs(tmp_path) as data:
        assert int(data["row_count"][1]) == 0 and int(data["row_count"][0]) > 0
