"""Signals over time, with lanes of the binaries."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from mti.plotting.figures import figure_of, labelled

if TYPE_CHECKING:
    import matplotlib.figure

    from mti.result import Result


def matching(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The names that a pattern fits, in their order; KeyError for a pattern that fits none."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise KeyError(f"no signal fits {pattern!r}; there are {', '.join(names)}")
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def signals(
    run: Result, *patterns: str, modes: bool | None = None, figure: matplotlib.figure.Figure | None = None
) -> matplotlib.figure.Figure:
    """Signals over time, one axes for each unit, and lanes of the binaries below.

    `patterns` are names with `*` and `?`; without any, all states and algebraic signals that are no copies are drawn. Lanes
    are there if the model has binaries, or as `modes` says: dark where a binary is 1, and in between where it slides.

    >>> import mti
    >>> ball = mti.Model(states=["h", "v"], equations=["der(h) = v", "der(v) = -9.81"])
    >>> figure = mti.simulate(ball, stop=1).plot("h")
    >>> figure.axes[0].get_lines()[0].get_label()
    'h'
    """
    model = run.model
    declared = [s for s in (*model.states, *model.inputs, *model.algebraic) if not s.auxiliary]
    binaries = [s.name for s in (*model.binaries, *(s for s in model.inputs if s.binary))]
    if patterns:
        chosen = matching([*(s.name for s in declared), *(b for b in binaries if b in run.names)], patterns)
    else:
        chosen = [s.name for s in (*model.states, *model.algebraic) if not s.auxiliary]
    units = {s.name: s.unit for s in declared}
    groups: dict[str, list[str]] = {}
    for name in chosen:
        groups.setdefault(units.get(name, ""), []).append(name)
    with_lanes = bool(binaries) if modes is None else modes and bool(binaries)
    heights = [3.0] * len(groups) + ([0.4 * len(binaries)] if with_lanes else [])
    drawn = figure_of(figure, figsize=(8, 0.8 + sum(min(h, 6.0) for h in heights)))
    axes = np.atleast_1d(np.asarray(drawn.subplots(len(heights), sharex=True, height_ratios=heights), dtype=object))
    for place, (unit, names) in zip(axes, groups.items()):
        for name in names:
            place.plot(run.t, run[name], label=name, linewidth=1.2)
        place.set_ylabel(labelled(names[0], unit) if len(names) == 1 else f"[{unit}]" if unit else "")
        place.legend(loc="best")
        place.grid(True, alpha=0.3)
    if with_lanes:
        lanes(axes[-1], run, binaries)
    axes[-1].set_xlabel("time")
    return drawn


def lanes(axes: Any, run: Result, binaries: Sequence[str]) -> None:
    """One lane for each binary: a bar as dark as its value, from row to row."""
    for lane, name in enumerate(binaries):
        bars = stretches(run, name)
        axes.broken_barh([(begin, end - begin) for begin, end, _ in bars], (lane - 0.4, 0.8), gid=name,
                         facecolors=[str(0.9 - 0.7 * value) for *_, value in bars])  # fmt: skip
    axes.set_yticks(range(len(binaries)), binaries)
    axes.set_ylim(len(binaries) - 0.5, -0.5)


def stretches(run: Result, name: str) -> list[tuple[float, float, float]]:
    """[(begin, end, value), …] where a binary keeps its value; while it slides, from row to row."""
    t, values = run.t, run[name]
    # Of the two rows of an event the second has what is to the right.
    lasting = np.flatnonzero(t[1:] > t[:-1])
    if lasting.size == 0:
        return []
    changed = np.append(True, values[lasting[1:]] != values[lasting[:-1]])
    begins = t[lasting[changed]]
    ends = np.append(begins[1:], t[lasting[-1] + 1])
    return list(zip(begins.tolist(), ends.tolist(), np.clip(values[lasting[changed]], 0.0, 1.0).tolist()))
