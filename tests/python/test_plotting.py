"""Pictures: what is drawn is read back from the figure."""

from __future__ import annotations

import matplotlib.pyplot
import numpy as np
import pytest

import mti
from models import ball, decay, relay
from mti.plotting import measured, phase_plane, work_precision
from mti.plotting.signals import stretches


@pytest.fixture(autouse=True)
def closed():  # type: ignore[no-untyped-def]
    yield
    matplotlib.pyplot.close("all")


def test_signals_are_drawn_by_units() -> None:
    run = mti.simulate(ball(), stop=1)
    figure = run.plot("h", "v", modes=False)
    assert [axes.get_ylabel() for axes in figure.axes] == ["h [m]", "v [m/s]"]
    for axes, name in zip(figure.axes, ("h", "v")):
        (line,) = axes.get_lines()
        assert line.get_label() == name
        assert np.array_equal(line.get_xdata(), run.t) and np.array_equal(line.get_ydata(), run[name])
    assert figure.axes[-1].get_xlabel() == "time"


def test_patterns_choose_signals() -> None:
    model = mti.Model(states={"x1": 1, "x2": 2, "w": 3}, equations=["der(x1) = 0", "der(x2) = 0", "der(w) = 0"])
    run = mti.simulate(model, stop=1)
    assert [line.get_label() for line in run.plot("x*").axes[0].get_lines()] == ["x1", "x2"]
    assert [line.get_label() for line in run.plot().axes[0].get_lines()] == ["x1", "x2", "w"]
    with pytest.raises(KeyError, match="fits 'q"):
        run.plot("q*")


def test_lanes_show_when_a_binary_is_one() -> None:
    run = mti.simulate(relay(), stop=4)
    # on from 0 to 1, off to 2, on to 3, off to 4
    assert [value for *_, value in stretches(run, "on")] == [1, 0, 1, 0]
    assert np.allclose([begin for begin, *_ in stretches(run, "on")], [0, 1, 2, 3], atol=1e-9)
    lanes = run.plot().axes[-1]
    assert [label.get_text() for label in lanes.get_yticklabels()] == ["on"]
    (lane,) = lanes.collections
    assert lane.get_gid() == "on"
    bars = [path.vertices for path in lane.get_paths()]
    assert np.allclose([bar[:, 0].min() for bar in bars], [0, 1, 2, 3], atol=1e-9)
    assert np.allclose([bar[:, 0].max() for bar in bars], [1, 2, 3, 4], atol=1e-9)
    dark = lane.get_facecolor()[:, 0].tolist()
    assert dark[0] < dark[1] and dark[0] == dark[2]


def test_lanes_of_sliding_are_in_between() -> None:
    # der(x) = −sign(x): at x = 0 it slides with the weight one half.
    model = mti.Model(states={"x": 1.0}, binaries={"p": 1}, equations=["der(x) = 1 - 2*p"],
                      constraints=["x*(1 - p) <= 0", "-x*p <= 0"])  # fmt: skip
    run = mti.simulate(model, stop=2)
    assert "slide_begin" in [event.kind for event in run.events]
    assert [value for *_, value in stretches(run, "p")] == pytest.approx([1.0, 0.5])
    shades = run.plot().axes[-1].collections[0].get_facecolor()[:, 0]
    assert shades.tolist() == pytest.approx([0.2, 0.55], abs=0.01)


def test_the_phase_plane_shows_path_and_surfaces() -> None:
    run = mti.simulate(ball(), stop=1)
    figure = phase_plane(run, "h", "v")
    (axes,) = figure.axes
    path = axes.get_lines()[0]
    assert np.array_equal(path.get_xdata(), run["h"]) and np.array_equal(path.get_ydata(), run["v"])
    # The floor is h = 0: a vertical line.
    vertices = [path.vertices for collection in axes.collections for path in collection.get_paths() if len(path.vertices)]
    assert vertices and all(np.allclose(line[:, 0], 0, atol=1e-9) for line in vertices)
    assert "floor" in [label.get_text() for label in axes.get_legend().get_texts()]
    assert axes.get_xlabel() == "h [m]"
    with pytest.raises(KeyError, match="no signal 'w'"):
        phase_plane(run, "h", "w")


def test_the_structure_is_drawn_in_the_order_of_solution() -> None:
    model = mti.Model(states=["x"], algebraic=["a", "b"], equations={
        "last": "der(x) = a", "loop1": "a = 2*b + x", "loop2": "b = 3*a"})
    axes = mti.analyze(model).plot().axes[0]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    unknowns = [label.get_text() for label in axes.get_xticklabels()]
    assert rows == ["loop1", "loop2", "last"] and unknowns == ["a", "b", "der(x)"]
    dots = axes.get_lines()[0]
    drawn = {(rows[int(j)], unknowns[int(i)]) for i, j in zip(dots.get_xdata(), dots.get_ydata())}
    assert drawn == {("loop1", "a"), ("loop1", "b"), ("loop2", "a"), ("loop2", "b"), ("last", "a"), ("last", "der(x)")}
    boxes = [(box.get_x(), box.get_y(), box.get_width(), box.get_height()) for box in axes.patches]
    assert boxes == [(-0.5, -0.5, 2, 2), (1.5, 1.5, 1, 1)]


def test_eigenvalues_are_drawn() -> None:
    lin = mti.linearize(mti.Model(states={"x": 1, "v": 0}, equations=["der(x) = v", "der(v) = -9*x"]))
    line = lin.plot().axes[0].get_lines()[0]
    assert sorted(line.get_ydata().tolist()) == pytest.approx([-3, 3])
    sampled = mti.convert(decay(), sample_time=0.5, method="forward-euler").model
    assert "unit circle" in [line.get_label() for line in mti.linearize(sampled).plot().axes[0].get_lines()]


def test_work_and_precision_are_measured() -> None:
    tolerances = [1e-4, 1e-7, 1e-10]
    points = measured(decay(), tolerances, integrators=["auto", "ida"], stop=2, rounds=1)
    assert [(point.integrator, point.tolerance) for point in points] == [
        (name, tolerance) for name in ("auto", "ida") for tolerance in tolerances]
    for point in points:  # some hundred steps with local errors within the tolerance
        assert point.error < 300 * point.tolerance and point.seconds > 0 and point.steps > 0
    lines = work_precision(points).axes[0].get_lines()
    assert [line.get_label() for line in lines] == ["auto", "ida"]
    assert lines[1].get_ydata().tolist() == [point.seconds for point in points[3:]]
    wall = mti.Model(states=["x"], equations=["der(x) = 1"], constraints=["x <= 1"])
    reached = measured(wall, [1e-4], stop=0.5)[0].error
    assert reached < 1e-3
    with pytest.raises(ValueError, match="discrete time"):
        measured(mti.Model(states=["x"], sample_time=1, equations=["next(x) = x"]))


def test_a_figure_may_be_given() -> None:
    figure = matplotlib.pyplot.figure()
    assert mti.simulate(decay(), stop=1).plot(figure=figure) is figure
