"""Phase planes with switching surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mti.plotting.figures import figure_of, labelled

if TYPE_CHECKING:
    import matplotlib.figure

    from mti.result import Result

_GRID = 121


def phase_plane(
    run: Result, x: str, y: str, *, surfaces: bool = True, figure: matplotlib.figure.Figure | None = None
) -> matplotlib.figure.Figure:
    """The path (x(t), y(t)) of two signals, with the events as dots and the surfaces g_l = 0 as lines.

    A surface is drawn where g_l, with all other signals as they are at the end of the run and one mode of the run, changes
    sign in the plane: for every constraint that holds both signals or one of them.

    >>> import mti
    >>> from mti.plotting import phase_plane
    >>> swing = mti.Model(states={"x": 1, "v": 0}, equations=["der(x) = v", "der(v) = -x"])
    >>> figure = phase_plane(mti.simulate(swing, stop=6), "x", "v")
    >>> figure.axes[0].get_xlabel()
    'x'
    """
    drawn = figure_of(figure, figsize=(6, 5))
    axes = drawn.add_subplot()
    axes.plot(run[x], run[y], linewidth=1.2, label="path")
    right = run.side == 1
    axes.plot(run[x][right], run[y][right], "o", markersize=3, label="events")
    axes.plot(run[x][:1], run[y][:1], "s", markersize=5, label="start")
    if surfaces:
        _draw_surfaces(axes, run, x, y)
    units = {s.name: s.unit for s in (*run.model.states, *run.model.inputs, *run.model.algebraic)}
    axes.set_xlabel(labelled(x, units.get(x, "")))
    axes.set_ylabel(labelled(y, units.get(y, "")))
    axes.grid(True, alpha=0.3)
    return drawn


def surface_values(run: Result, x: str, y: str, across: NDArray[np.float64], up: NDArray[np.float64]) -> dict[str, list[NDArray[np.float64]]]:
    """g_l on a grid of the plane for the modes of the run, of the constraints that depend on x or y there."""
    model = run.model
    rows = model.row_names
    place = {name: row for row, name in enumerate(rows)}
    if x not in place or y not in place:
        raise KeyError(f"no signal {x if x not in place else y!r}; there are {', '.join(rows)}")
    binaries = [signal.name for signal in model.binaries]
    modes = {tuple(run[name][k] for name in binaries) for k in np.flatnonzero(run.side >= 0)} if binaries else {()}
    found: dict[str, list[NDArray[np.float64]]] = {}
    for mode in sorted(modes):
        if any(value not in (0.0, 1.0) for value in mode):
            continue  # a sliding mode has the surfaces of the modes on both sides
        v = np.array(run.v_end)
        for name, value in zip(binaries, mode):
            for entry in (name, f"pre({name})"):
                if entry in place:
                    v[place[entry]] = value
        jacobian = model.jacobian(v, wrt=(place[x], place[y]), of="g")
        values = np.empty((len(model.constraint_names), len(up), len(across)))
        for j, b in enumerate(up):
            for i, a in enumerate(across):
                v[place[x]], v[place[y]] = a, b
                values[:, j, i] = model.g(v)
        for row in sorted(set(jacobian.indices.tolist())):
            if values[row].min() < 0 < values[row].max():
                found.setdefault(model.constraint_names[row], []).append(values[row])
    return found


def _draw_surfaces(axes: Any, run: Result, x: str, y: str) -> None:
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    across, up = np.linspace(left, right, _GRID), np.linspace(low, high, _GRID)
    for number, (name, grids) in enumerate(surface_values(run, x, y, across, up).items()):
        color = f"C{number % 7 + 3}"
        for values in grids:
            axes.contour(across, up, values, levels=[0.0], colors=[color], linewidths=1, linestyles="dashed")
        axes.plot([], [], "--", color=color, linewidth=1, label=name)
    axes.legend(loc="best")
