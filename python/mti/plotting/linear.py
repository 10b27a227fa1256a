"""Eigenvalues in the complex plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mti.plotting.figures import figure_of

if TYPE_CHECKING:
    import matplotlib.figure

    from mti.linearization import Linearization


def eigenvalues(
    linearization: Linearization, *, figure: matplotlib.figure.Figure | None = None
) -> matplotlib.figure.Figure:
    """The finite eigenvalues as crosses, with the boundary of stability: the imaginary axis, or the unit circle of models of
    discrete time.

    >>> import mti
    >>> model = mti.Model(states={"x": 1}, equations=["der(x) = -2*x"])
    >>> mti.linearize(model).plot().axes[0].get_lines()[0].get_xdata().tolist()
    [-2.0]
    """
    values = linearization.eigenvalues
    drawn = figure_of(figure, figsize=(5, 5))
    axes = drawn.add_subplot()
    axes.plot(values.real, values.imag, "x", markersize=8, label="eigenvalues")
    if linearization.model.sample_time > 0:
        angle = np.linspace(0, 2 * np.pi, 361)
        axes.plot(np.cos(angle), np.sin(angle), color="0.5", linewidth=1, label="unit circle")
        axes.set_aspect("equal")
    else:
        axes.axvline(0.0, color="0.5", linewidth=1)
    axes.axhline(0.0, color="0.8", linewidth=0.8)
    axes.set_xlabel("real part")
    axes.set_ylabel("imaginary part")
    if linearization.eigenvalues_note:
        axes.set_title(linearization.eigenvalues_note)
    axes.grid(True, alpha=0.3)
    return drawn
