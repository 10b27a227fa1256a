"""Bifurcation diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mti.plotting.figures import figure_of

if TYPE_CHECKING:
    import matplotlib.figure

    from mti.orbits import Branch


def bifurcations(
    branch: Branch, *states: str, figure: matplotlib.figure.Figure | None = None
) -> matplotlib.figure.Figure:
    """The lowest and highest values of states (default: all) over the parameter: full lines are stable orbits, dotted ones
    are not, and vertical lines are special points. Errors: KeyError.
    """
    names = states or tuple(branch.points[0].x)
    figure = figure_of(figure)
    plots = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    parameter, stable = branch.parameter, branch.stable
    regular = np.array([point.kind == "regular" for point in branch.points])
    for axes, name in zip(plots, names):
        for values in branch.extremes(name):
            # A special point belongs to both sides.
            axes.plot(parameter, np.where(stable | ~regular, values, np.nan), "-", color="C0")
            axes.plot(parameter, np.where(~stable | ~regular, values, np.nan), ":", color="C0")
        for point in branch.special:
            axes.axvline(point.parameter, color="C3", linewidth=0.8, linestyle="--")
        axes.set_ylabel(name)
    plots[-1].set_xlabel(branch.name)
    return figure
