"""Models that are made from models, against closed forms and the runs of those they are made from."""

from __future__ import annotations

import math
import pathlib
import warnings

import numpy as np
import pytest
import scipy.io
from scipy.special import ellipk

import mti

PENDULUM = {
    "states": {"phi": 2.0, "w": 0.0},
    "equations": ["der(phi) = w", "der(w) = -sin(phi)"],
    "experiment": {"stop": 4 * ellipk(math.sin(1.0) ** 2), "rtol": 1e-11, "atol": 1e-11},
}


def test_a_lifted_pendulum_comes_back_after_its_period() -> None:
    lifted = mti.convert(mti.Model(**PENDULUM), multilinear="exact").model
    assert not lifted.functions
    end = mti.simulate(lifted)
    assert end["phi"][-1] == pytest.approx(2.0, abs=1e-8)
    assert end["w"][-1] == pytest.approx(0.0, abs=1e-8)


def test_lines_are_as_close_as_was_asked_for() -> None:
    made = mti.convert(mti.Model(**PENDULUM), multilinear="approximate", tolerance=1e-3, ranges={"phi": (-2.1, 2.1)})
    (function,) = made.functions
    assert function.text == "sin(phi)"
    assert (function.low, function.high) == (-2.1, 2.1)
    assert 0.5e-3 < function.error <= 1e-3
    # Chords of the sine: h²/8 times its curvature, of which the mean root over the range is 0.8.
    assert function.lines == pytest.approx(4.2 * 0.8 / math.sqrt(8e-3), rel=0.15)
    run, exact = mti.simulate(made.model), mti.simulate(mti.Model(**PENDULUM))
    # An acceleration that is off by 1e-3 for T moves phi by no more than what the linearised motion makes of it.
    assert np.max(np.abs(np.interp(exact.t, run.t, run["phi"]) - exact["phi"])) < 1e-3 * 8.5**2


def test_what_does_not_belong_together_is_refused() -> None:
    model = mti.Model(**PENDULUM)
    with pytest.raises(ValueError, match="expected \"exact\" or \"approximate\""):
        mti.convert(model, multilinear="both")
    with pytest.raises(ValueError, match="go with multilinear"):
        mti.convert(model, multilinear="exact", tolerance=1e-3)
    with pytest.raises(mti.InvalidOption, match="phi"):
        mti.convert(model, multilinear="approximate")


def test_mat_files_hold_functions_and_warn(tmp_path: pathlib.Path) -> None:
    model = mti.Model(**PENDULUM)
    with pytest.warns(mti.ModelWarning, match=r"the MTI toolbox ignores .* sin\(phi\)"):
        model.save(tmp_path / "m.mat")
    assert mti.read(tmp_path / "m.mat").to_json(form="matrices") == model.to_json(form="matrices")
    found = scipy.io.loadmat(tmp_path / "m.mat", squeeze_me=True)["functions"]
    assert [str(found[field]) for field in ("argument", "function")] == ["phi", "sin"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mti.convert(model, tmp_path / "lifted.mat", multilinear="exact")


def test_a_clutch_of_one_structure_keeps_momentum_and_parameters(tmp_path: pathlib.Path) -> None:
    clutch = mti.Model(
        parameters={"j": 2.0},
        states={"v": 3.0, "w": 0.0},
        algebraic=["f"],
        inputs={"g": {"binary": True, "table": {"time": [0, 1], "value": [0, 1]}}},
        equations=["der(v) = -f", "j*der(w) = f", "g*(v - w) + (1 - g)*f = 0"],
        experiment={"stop": 2.0},
    )
    made = mti.convert(clutch, tmp_path / "made.json", reduced_index=True).model
    for inertia in (2.0, 5.0):
        end = mti.simulate(made.bind({"j": inertia}))
        assert end["w"][-1] == pytest.approx(3.0 / (1.0 + inertia), rel=1e-9)
    assert mti.read(tmp_path / "made.json") == made
    (tmp_path / "made.mo").write_text(mti.to_modelica(clutch, reduced_index=True))
    assert mti.simulate(mti.read(tmp_path / "made.mo"))["w"][-1] == pytest.approx(1.0, rel=1e-9)
    mti.convert(clutch, tmp_path / "written.mo", reduced_index=True)
    assert (tmp_path / "written.mo").read_text() == (tmp_path / "made.mo").read_text()
    mti.convert(clutch, tmp_path / "plain.mo")
    assert mti.simulate(mti.read(tmp_path / "plain.mo"))["w"][-1] == pytest.approx(1.0, rel=1e-6)
    with pytest.raises(ValueError, match="no other change"):
        mti.convert(clutch, reduced_index=True, reduce=True)
