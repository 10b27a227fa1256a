"""How models, runs and linear models look in notebooks."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mti.model import Model
    from mti.run import Event, Run

_MOST_ROWS = 12
_MOST_EQUATIONS = 60


def _table(head: list[str], rows: list[list[str]]) -> str:
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def text_html(text: str) -> str:
    """A text with its lines and columns as they are."""
    return f"<pre>{escape(text)}</pre>"


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


def _changes(event: Event) -> str:
    changed = [f"{name}: {before:g} → {after:g}" for name, (before, after) in {**event.changed, **event.jumps}.items()]
    impulses = [f"{name}: impulse {impulse.weight:g}" for name, impulse in event.impulses.items()]
    return ", ".join(changed + impulses)


def run_html(run: Run) -> str:
    """A run as HTML: outcome, events, signals at the end."""
    title = f"<b>{escape(run.model.name or 'run')}</b>: {escape(run.outcome)} at t = {run.end_time:g}"
    parts = [f"<p>{title}, {len(run.events)} events, {run.t.size} rows</p>"]
    if run.message:
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
