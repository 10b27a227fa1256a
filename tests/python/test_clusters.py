"""Studies and runs on several processes: by Dask, by mpi4py, and by the program under a launcher."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mti
from test_studies import DECAY, PLAN

PARTS = 3

PART_OF_A_PROCESS = """
import sys
from mpi4py import MPI
import mti
team, out = MPI.COMM_WORLD, sys.argv[2]
part = mti.study(sys.argv[1], shard=(team.rank + 1, team.size), out=f"{out}-{team.rank}", jobs=1)
parts = team.gather(part)
if team.rank == 0:
    whole = mti.study(sys.argv[1], merge=[f"{out}-{rank}" for rank in range(team.size)], out=out)
    assert whole.complete and sum(len(part["run"]) for part in parts) == len(whole["run"])
"""


def make_part(plan: dict[str, Any], part: int, out: str) -> mti.Study:
    return mti.study(plan, shard=(part, PARTS), out=out, jobs=1)


def run_until(model: mti.Model, stop: float) -> float:
    return float(mti.simulate(model, stop=stop)["x"][-1])


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as place:
        with distributed.Client(place) as client:
            yield client


@pytest.fixture
def launcher(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    if shutil.which("mpirun") is None:
        pytest.skip("no MPI here")
    for name, value in {
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_plm": "isolated",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    return ["mpirun", "-n", "2"]


def table(folder: pathlib.Path) -> bytes:
    return (folder / "runs.csv").read_bytes() + (folder / "study.json").read_bytes()


def test_workers_of_dask_make_parts_of_a_study(cluster: Any, tmp_path: pathlib.Path) -> None:
    outs = [str(tmp_path / f"part{part}") for part in range(1, PARTS + 1)]
    made = cluster.gather(cluster.map(make_part, [PLAN] * PARTS, range(1, PARTS + 1), outs, pure=False))
    assert [len(part["run"]) for part in made] == [22, 21, 21]
    whole = mti.study(PLAN, merge=outs, out=tmp_path / "whole")
    alone = mti.study(PLAN, out=tmp_path / "alone")
    assert table(tmp_path / "whole") == table(tmp_path / "alone")
    np.testing.assert_array_equal(whole["final(x)"], alone["final(x)"])


def test_models_travel_to_the_workers_of_dask(cluster: Any) -> None:
    model = mti.Model(equations=["der(x) = -x"], states={"x": 1.0})
    stops = [0.5, 1.0, 2.0, 4.0]
    ends = cluster.gather(cluster.map(run_until, [model] * len(stops), stops, pure=False))
    assert ends == [run_until(model, stop) for stop in stops]
    assert len({info["pid"] for info in cluster.run(lambda: {"pid": os.getpid()}).values()}) == 2


def test_processes_of_mpi4py_make_parts_of_a_study(launcher: list[str], tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mpi4py")
    plan = tmp_path / "plan.json"
    plan.write_text(mti.document.text_of({"format": "mti-study", "version": 1, **PLAN,
                                          "model": {"format": "mti-model", "version": 1, **DECAY}}))  # fmt: skip
    subprocess.run([*launcher, sys.executable, "-c", PART_OF_A_PROCESS, plan, tmp_path / "whole"], check=True)
    mti.study(plan, out=tmp_path / "alone")
    assert table(tmp_path / "whole") == table(tmp_path / "alone")
