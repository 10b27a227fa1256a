"""The block triangular incidence as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mti.plotting.figures import figure_of

if TYPE_CHECKING:
    import matplotlib.figure

    from mti.analysis import Analysis

_MOST_LABELS = 60


def structure(
    analysis: Analysis, *, figure: matplotlib.figure.Figure | None = None
) -> matplotlib.figure.Figure:
    """Which row holds which unknown, in the order in which the sub-problems are solved; a box around each of them.

    >>> import mti
    >>> model = mti.Model(states=["x"], algebraic=["y"], equations={"a": "der(x) = y", "b": "y = -x"})
    >>> [label.get_text() for label in mti.analyze(model).plot().axes[0].get_yticklabels()]
    ['b', 'a']
    """
    rows, unknowns, problems = order_of(analysis)
    pattern = incidence(analysis, rows, unknowns)
    drawn = figure_of(figure, figsize=(2 + 0.35 * min(len(unknowns), 40), 1.5 + 0.3 * min(len(rows), 40)))
    axes = drawn.add_subplot()
    axes.plot(*np.nonzero(pattern)[::-1], "s", color="C0", markersize=6 if len(rows) <= _MOST_LABELS else 2)
    from matplotlib.patches import Rectangle

    top = left = 0
    for height, width in problems:
        axes.add_patch(Rectangle((left - 0.5, top - 0.5), width, height, fill=False, edgecolor="C1", linewidth=1.2))
        top, left = top + height, left + width
    axes.set_xlim(-0.7, len(unknowns) - 0.3)
    axes.set_ylim(len(rows) - 0.3, -0.7)
    axes.xaxis.tick_top()
    if len(rows) <= _MOST_LABELS and len(unknowns) <= _MOST_LABELS:
        axes.set_xticks(range(len(unknowns)), unknowns, rotation=90)
        axes.set_yticks(range(len(rows)), rows)
    return drawn


def order_of(analysis: Analysis) -> tuple[list[str], list[str], list[tuple[int, int]]]:
    """Rows and unknowns in the order of solution, and of each sub-problem the numbers of both."""
    rows: list[str] = []
    unknowns: list[str] = []
    problems: list[tuple[int, int]] = []
    for sub_set in analysis.structure["sub_sets"]:
        for problem in sub_set["sub_problems"]:
            rows += problem["rows"]
            unknowns += problem["unknowns"]
            problems.append((len(problem["rows"]), len(problem["unknowns"])))
    return rows, unknowns, problems


def incidence(analysis: Analysis, rows: list[str], unknowns: list[str]) -> NDArray[np.bool_]:
    """True where a row of f or g holds an unknown."""
    model = analysis.model
    holds: dict[str, set[int]] = {}
    S: Any = (model.S != 0).astype(int)
    for names, Phi in ((model.equation_names, model.Phi_eq), (model.constraint_names, model.Phi_ineq)):
        found = ((Phi != 0).astype(int) @ S.T).tocsr()
        for row, name in enumerate(names):
            holds[name] = set(found.indices[found.indptr[row] : found.indptr[row + 1]].tolist())
    place = {name: row for row, name in enumerate(model.row_names)}
    return np.array([[place[unknown] in holds[row] for unknown in unknowns] for row in rows], dtype=bool).reshape(
        len(rows), len(unknowns))
