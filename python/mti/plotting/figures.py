"""What all pictures have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import matplotlib.figure


def figure_of(figure: matplotlib.figure.Figure | None, **how: Any) -> matplotlib.figure.Figure:
    """The figure that is given, or a new one."""
    if figure is not None:
        return figure
    import matplotlib.pyplot

    return matplotlib.pyplot.figure(layout="constrained", **how)


def labelled(name: str, unit: str) -> str:
    """"T [degC]"."""
    return f"{name} [{unit}]" if unit else name
