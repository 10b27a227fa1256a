"""How models, runs and linear models look in notebooks."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from mti.faults import MtiError

if TYPE_CHECKING:
    import scipy.sparse

    from mti.analysis import Analysis, Diagnosis
    from mti.linearization import Linearization
    from mti.model import Model
    from mti.result import Event, Result

_MOST_ROWS = 12
_MOST_EQUATIONS = 60
_MOST_ENTRIES = 12  # rows and columns of a matrix, or of an incidence, that are shown


def _table(head: list[str], rows: list[list[str]]) -> str:
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def text_html(text: str) -> str:
    """A text with its lines and columns as they are."""
    return f"<pre>{escape(text)}</pre>"


def _counted(number: int, what: str, several: str = "") -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"


def model_line(model: Model) -> str:
    """A model in one line: its name, and how much of everything it has."""
    signals = ", ".join([
        _counted(len(model.states), "state"), _counted(len(model.inputs), "input"),
        _counted(len(model.algebraic), "algebraic signal"), _counted(len(model.binaries), "binary", "binaries")])  # fmt: skip
    equations, constraints = len(model.equation_names), len(model.constraint_names)
    rows = f"{_counted(equations, 'equation')}, {_counted(constraints, 'constraint')}"
    return f"<mti.Model{f' {model.name}' if model.name else ''}: {signals}; {rows}>"


def model_html(model: Model) -> str:
    """A model as HTML, with mathematics for MathJax; of a large one its sizes only."""
    title = f"<p><b>{escape(model.name)}</b> {escape(model.description)}</p>" if model.name or model.description else ""
    if len(model.equation_names) + len(model.constraint_names) > _MOST_EQUATIONS:
        return title + text_html(repr(model))
    parts = [title]
    for heading, formulas in re.findall(
        r"\\paragraph\{(.*?)\}\n(\\begin\{align\*\}.*?\\end\{align\*\})", model.to_latex(), re.DOTALL):
        parts.append(f"<p>{escape(heading)}</p>{escape(formulas, quote=False)}")
    kinds = {"state": model.states, "input": model.inputs, "algebraic": model.algebraic, "binary": model.binaries}
    rows = [[s.name, kind, s.unit, f"{s.start:g}"] for kind, group in kinds.items() for s in group if not s.auxiliary]
    return "".join([*parts, _table(["signal", "kind", "unit", "start"], rows)])


def _blocks(names: tuple[str, ...], blocks: list[tuple[tuple[str, ...], scipy.sparse.csc_array]]) -> str:
    """Matrices beside each other, with the names of their rows and columns."""
    columns = [name for several, _ in blocks for name in several]
    values = np.hstack([matrix.toarray() for _, matrix in blocks])
    return _table(["", *columns], [[name, *(f"{value:.6g}" for value in row)] for name, row in zip(names, values)])


def linearization_html(lin: Linearization) -> str:
    """A linear model as HTML: its matrices with names, in state space where there is such a form, and its eigenvalues with
    frequency |λ| and damping −Re λ/|λ|; of a large one its text.
    """
    if len(lin.unknowns) + len(lin.inputs) > _MOST_ENTRIES or lin.eigenvalues_note:
        return text_html(lin.to_text())
    parts = [f"<p><b>{escape(lin.model.name or 'linear model')}</b> at t = {lin.time:g}</p>"]
    derivative = "next({})" if lin.model.sample_time > 0 else "der({})"
    try:
        form = lin.state_space
        names = tuple(derivative.format(name) for name in form.states)
        parts += ["<p>A, B</p>", _blocks(names, [(form.states, form.A), (form.inputs, form.B)])]
        if form.outputs:
            parts += ["<p>C, D</p>", _blocks(form.outputs, [(form.states, form.C), (form.inputs, form.D)])]
    except MtiError:  # no such form: of higher index, or with free signals
        names = tuple(derivative.format(name) for name in lin.unknowns)
        parts += ["<p>E</p>", _blocks(lin.equations, [(names, lin.E)])]
        parts += ["<p>A, B</p>", _blocks(lin.equations, [(lin.unknowns, lin.A), (lin.inputs, lin.B)])]
    rows = [[f"{value:.6g}", f"{abs(value):.6g}", f"{-value.real / abs(value):.3g}" if value else ""]
            for value in lin.eigenvalues]  # fmt: skip
    return "".join([*parts, _table(["eigenvalue", "frequency", "damping"], rows)])


def analysis_html(analysis: Analysis) -> str:
    """The structure as HTML: sub-problems as text, and the block triangular incidence with a colour for each of them."""
    from mti.plotting.structures import incidence, order_of

    rows, unknowns, problems = order_of(analysis)
    parts = [text_html(analysis.to_text().split("\n\nsub-set 1:")[0])]
    if max(len(rows), len(unknowns)) > 2 * _MOST_ENTRIES:
        return "".join(parts)
    row_of = [k for k, (height, _) in enumerate(problems) for _ in range(height)]
    column_of = [k for k, (_, width) in enumerate(problems) for _ in range(width)]
    head = "".join(f"<th>{escape(name)}</th>" for name in ["", *unknowns])
    lines = []
    for i, held in enumerate(incidence(analysis, rows, unknowns)):
        cells = "".join(
            f"<td{' style=background:#8884' if row_of[i] == column_of[j] else ''}>{'×' if holds else ''}</td>"
            for j, holds in enumerate(held))
        lines.append(f"<tr><th>{escape(rows[i])}</th>{cells}</tr>")
    return "".join([*parts, f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"])


def diagnosis_html(diagnosis: Diagnosis) -> str:
    """What is wrong with a model as HTML, errors first."""
    remarks = [*diagnosis.errors, *diagnosis.warnings]
    if not remarks:
        return "<p>nothing to be said</p>"
    return _table(["", "id", "place", "message"],
                  [[remark.severity, remark.id, remark.pointer, remark.message] for remark in remarks])


def _changes(event: Event) -> str:
    changed = [f"{name}: {before:g} → {after:g}" for name, (before, after) in {**event.changed, **event.jumps}.items()]
    impulses = [f"{name}: impulse {impulse.weight:g}" for name, impulse in event.impulses.items()]
    return ", ".join(changed + impulses)


def run_html(run: Result) -> str:
    """A run as HTML: outcome, events, signals at the end."""
    title = f"<b>{escape(run.model.name or 'run')}</b>: {escape(run.outcome)} at t = {run.end_time:g}"
    parts = [f"<p>{title}, {len(run.events)} events, {run.t.size} rows</p>"]
    if not run.success:
        parts.append(f"<p>{escape(run.message)}</p>")
    parts += [f"<p>warning: {escape(warning)}</p>" for warning in run.warnings]
    if len(run.events):
        shown = [[f"{e.time:.9g}", e.kind, ", ".join(e.constraints), _changes(e)] for e in run.events[:_MOST_ROWS]]
        parts.append(_table(["time", "event", "constraints", "changes"], shown))
        if len(run.events) > _MOST_ROWS:
            parts.append(f"<p>… and {len(run.events) - _MOST_ROWS} more events</p>")
    if run.t.size:
        units = {s.name: s.unit for s in (*run.model.states, *run.model.algebraic, *run.model.binaries)}
        ends = [[name, f"{run[name][-1]:.9g}", units.get(name, "")] for name in run.names[:_MOST_ROWS]]
        parts.append(_table(["signal", "at the end", "unit"], ends))
    return "".join(parts)
