"""Measured data beside what was fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mti.plotting.figures import figure_of

if TYPE_CHECKING:
    import matplotlib.figure

    from mti.fitting import Fit


def residuals(fit: Fit, *, figure: matplotlib.figure.Figure | None = None) -> matplotlib.figure.Figure:
    """A column for each series of data: measured (dots) and fitted (line) above, residuals in units of their deviations below,
    with lines at ±2, between which nineteen of twenty lie if deviations are right.
    """
    table = fit.residuals
    series = list(dict.fromkeys(zip(table["experiment"].tolist(), table["quantity"].tolist())))
    figure = figure_of(figure)
    plots = figure.subplots(2, len(series), sharex="col", squeeze=False)
    for (experiment, quantity), (above, below) in zip(series, plots.T):
        rows = (table["experiment"] == experiment) & (table["quantity"] == quantity)
        time = table["time"][rows]
        above.plot(time, table["measured"][rows], ".", color="C0", label="measured")
        above.plot(time, table["fitted"][rows], "-", color="C1", label="fitted")
        above.set_title(f"{experiment}: {quantity}")
        below.plot(time, table["residual"][rows], ".", color="C0")
        for level in (-2, 2):
            below.axhline(level, color="0.6", linewidth=0.8, linestyle="--")
        below.set_xlabel("time")
    plots[0, 0].legend()
    plots[1, 0].set_ylabel("residual")
    return figure
