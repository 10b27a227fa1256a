"""Studies from Python: what the program makes, bit for bit, without the lock of the interpreter."""

from __future__ import annotations

import pathlib
import pickle
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import mti
from models import endless
from test_interruption import send_soon

DECAY = {
    "parameters": {"a": 1}, "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -a*x"],
    "experiment": {"rtol": 1e-9, "atol": 1e-9}}  # fmt: skip
PLAN = {
    "model": DECAY, "design": "sobol", "runs": 64, "seed": 5,
    "vary": {"a": {"uniform": [0.5, 2]}, "x": {"normal": {"mean": 1, "deviation": 0.1}}},
    "keep": {"final": ["x"], "integral": ["x"]}, "quantiles": [0.1, 0.5, 0.9]}  # fmt: skip


def test_columns_are_those_of_the_closed_form() -> None:
    study = mti.study(PLAN, jobs=2)
    a, x = study["a"], study["x"]
    np.testing.assert_allclose(study["final(x)"], x * np.exp(-a), rtol=0, atol=1e-7)
    np.testing.assert_allclose(study["integral(x)"], x * (1 - np.exp(-a)) / a, rtol=0, atol=1e-7)
    assert study.complete and study.outcomes == {"reached_stop": 64}
    assert list(study["run"]) == list(range(64)) and study["run"].dtype == np.int64


def test_quantiles_and_moments_are_those_of_numpy() -> None:
    study = mti.study(PLAN)
    values, summary = study["final(x)"], study.quantities["final(x)"]
    orders, quantiles = np.array(summary["quantiles"]).T
    np.testing.assert_allclose(quantiles, np.quantile(values, orders), rtol=1e-14)
    assert summary["mean"] == pytest.approx(values.mean(), rel=1e-14)
    assert summary["deviation"] == pytest.approx(values.std(ddof=1), rel=1e-13)


def test_any_number_of_threads_and_the_program_make_the_same(tmp_path: pathlib.Path, program: str) -> None:
    texts = []
    for jobs in (1, 2, 4):
        mti.study(PLAN, out=tmp_path / str(jobs), jobs=jobs)
        texts.append((tmp_path / str(jobs) / "runs.csv").read_bytes())
    plan = tmp_path / "plan.json"
    plan.write_text(mti.document.text_of({"format": "mti-study", "version": 1, **PLAN,
                                          "model": {"format": "mti-model", "version": 1, **DECAY}}))  # fmt: skip
    subprocess.run([program, "study", plan, "--out", tmp_path / "p", "--quiet"], check=True)
    texts.append((tmp_path / "p" / "runs.csv").read_bytes())
    assert mti.study(plan, out=tmp_path / "file")["x"].size == 64
    texts.append((tmp_path / "file" / "runs.csv").read_bytes())
    assert all(text == texts[0] for text in texts)


def test_parts_are_merged_and_resumed(tmp_path: pathlib.Path) -> None:
    whole = mti.study(PLAN, out=tmp_path / "whole")
    for part in (1, 2):
        assert mti.study(PLAN, out=tmp_path / f"p{part}", shard=(part, 2))["run"].size == 32
    half = mti.study(PLAN, out=tmp_path / "half", merge=[tmp_path / "p2"])
    assert not half.complete and list(half["run"]) == list(range(1, 64, 2))
    assert mti.study(PLAN, out=tmp_path / "half", resume=True).complete
    merged = mti.study(PLAN, out=tmp_path / "both", merge=[tmp_path / "p1", tmp_path / "p2"])
    for name in ("half", "both"):
        for file in ("runs.csv", "study.json"):
            assert (tmp_path / name / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    assert merged.summary == whole.summary


def test_failures_are_rows_and_missing_numbers_nan() -> None:
    wall = mti.Model(states={"x": 0}, inputs=["u"], equations=["der(x) = u"], constraints={"wall": "x <= 1"})
    study = mti.study({"model": wall, "design": "list", "vary": {"u": {"values": [0.5, 2]}}, "keep": {"final": ["x"]}})
    assert list(study["outcome"]) == ["reached_stop", "dead_end"]
    assert study["final(x)"][0] == pytest.approx(0.5) and np.isnan(study["final(x)"][1])
    assert "wall" in study["message"][1] and study.quantities["final(x)"]["count"] == 1


def test_a_study_is_a_mapping_a_frame_and_can_be_pickled() -> None:
    study = mti.study(PLAN)
    again = pickle.loads(pickle.dumps(study))
    assert list(again) == list(study) and again.summary == study.summary
    np.testing.assert_array_equal(again["x"], study["x"])
    frame = study.to_frame()
    assert frame.index.name == "run" and frame["a"].iloc[3] == study["a"][3]


def test_faults_have_their_places() -> None:
    with pytest.raises(mti.InvalidModel) as refused:
        mti.study({**PLAN, "keep": {"final": ["y"]}})
    assert [(fault.id, fault.pointer) for fault in refused.value.faults] == [("unknown-signal", "/keep/final/0")]
    with pytest.raises(mti.UnusableFile):
        mti.study("nowhere.json")
    with pytest.raises(mti.InvalidOption):
        mti.study(PLAN, jobs=-1)
    with pytest.raises(ValueError):
        mti.study(PLAN, resume=True)
    with pytest.raises(ValueError):
        mti.study(PLAN, jobs=0)


def test_merge_takes_folders_and_makes_no_runs(tmp_path: pathlib.Path) -> None:
    parts = [mti.study(PLAN, out=tmp_path / str(k), shard=(k, 2)) and tmp_path / str(k) for k in (1, 2)]
    for odd in ([], str(parts[0])):
        with pytest.raises(ValueError, match="a list of folders"):
            mti.study(PLAN, merge=odd, out=tmp_path / "merged")
    for option in ({"jobs": 1}, {"max_seconds": 1.0}, {"resume": True}):
        with pytest.raises(ValueError, match="makes no runs"):
            mti.study(PLAN, merge=parts, out=tmp_path / "merged", **option)
    assert not (tmp_path / "merged").exists()
    assert mti.study(PLAN, merge=parts, out=tmp_path / "merged").complete


def test_names_of_tables_are_texts(tmp_path: pathlib.Path) -> None:
    """Also where they look like numbers: u is 3 and 5, x(1) = u."""
    for name, value in (("1", 3), ("nan", 5)):
        (tmp_path / name).write_text(f"time,u\n0,{value}\n1,{value}\n", encoding="utf-8")
    model = {
        "states": [{"name": "x"}], "inputs": [{"name": "u", "csv": "1", "column": "u"}],
        "equations": ["der(x) = u"], "experiment": {"stop": 1}}  # fmt: skip
    study = mti.study(
        {"model": model, "design": "list", "vary": {"u": {"csv": ["1", "nan"], "column": "u"}}, "keep": {"final": ["x"]}},
        directory=tmp_path)  # fmt: skip
    assert list(study["u"]) == ["1", "nan"] and np.allclose(study["final(x)"], [3, 5])


def test_ctrl_c_ends_a_study_and_keeps_it(tmp_path: pathlib.Path) -> None:
    long = {**PLAN, "runs": 1_000_000}
    begun = time.monotonic()
    send_soon(signal.SIGINT, 0.5)
    with pytest.raises(KeyboardInterrupt) as stopped:
        mti.study(long, out=tmp_path / "s")
    assert time.monotonic() - begun < 10
    assert 0 < stopped.value.study.summary["done"] < 1_000_000 and not stopped.value.study.complete


def test_a_run_that_never_ends_ends_at_the_time_of_the_study() -> None:
    plan = {"model": endless(), "design": "list", "vary": {"x": {"values": [0.1, 0.2]}},
            "simulation": {"stop": 1e6, "max_events": 10**9}}  # fmt: skip
    begun = time.monotonic()
    study = mti.study(plan, max_seconds=0.3)
    assert time.monotonic() - begun < 5 and study.summary["done"] == 0 and study["run"].size == 0


def test_python_goes_on_meanwhile_and_hears_of_progress() -> None:
    counts: list[tuple[int, int]] = []
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    mti.study({**PLAN, "runs": 4000}, jobs=1, progress=lambda made, runs: counts.append((made, runs)))
    done.set()
    thread.join()
    assert ticks > 10 and counts and counts == sorted(counts) and counts[-1][1] == 4000


def test_what_progress_raises_comes_out() -> None:
    def fail(made: int, runs: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mti.study({**PLAN, "runs": 100_000}, progress=fail)
