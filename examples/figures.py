#!/usr/bin/env python3
"""Draws a figure of the gallery from the results of a run.

    python3 examples/figures.py RESULTS FOLDER/FILE.svg

reads RESULTS/trajectory.csv and writes the figure that FIGURES describes under the last two parts of the path.
Needs nothing but Python. An event has two rows of one time in trajectory.csv, its left and right limit: lines jump
there, and a thin vertical line marks it. Curves of one panel differ by colour and by dashes, and the colours stay
apart for readers with protanopia or deuteranopia; a second palette serves pages with a dark background.

Each panel says how its points follow from the numbers of the run: data-x and data-y hold v0, p0 and s of
p = p0 + s*(v - v0), data-columns the two columns of a line.
"""

import csv
import math
import re
import sys

WIDTH, LEFT, RIGHT, TOP, BOTTOM, GAP = 820, 72, 112, 14, 46, 16
LIGHT = ["#0060a8", "#c24a00", "#00785c", "#9b4f8b"]
DARK = ["#5db7f0", "#f2935a", "#34c79b", "#dc9fcf"]
DASHES = ["", "9 4", "2 3"]


class Line:
    """A curve: a column, or an expression of columns. `at` places its label beside the curve (x, dx, dy)."""

    def __init__(self, column, label, color=0, at=None, of=None):
        self.column, self.label, self.color, self.at = column, label, color, at
        self.of = of or (lambda row: row[column])


class Panel:
    """Curves over time, or over another column `x`; `levels` are dotted horizontal lines with their labels."""

    def __init__(self, y, lines, height=200, levels=(), y_range=None, x=None, equal=False, circle=None):
        self.y, self.lines, self.height, self.levels, self.y_range = y, lines, height, levels, y_range
        self.x, self.equal, self.circle = x, equal, circle


class Strip:
    """Binaries: a bar where one is 1."""

    def __init__(self, bars):
        self.bars, self.height = bars, 24 * len(bars)


class Figure:
    """Panels below each other on one axis. `unit` is how much of the column one unit of the axis is."""

    def __init__(self, title, x, panels, window=None, unit=1, step=None, events=True, column="time"):
        self.title, self.x, self.panels, self.window, self.unit = title, x, panels, window, unit
        self.step, self.events, self.column = step, events, column


FIGURES = {
    "thermostat/figure.svg": Figure(
        "Temperature of a room between two limits, and its heating", "time in h",
        [Panel("temperature in °C", [Line("T", "T")], 210, [(19, "low"), (21, "high")], (17.6, 21.5)),
         Strip([("heating", "heating")])], step=3),
    "bouncing_ball/figure.svg": Figure(
        "Height, velocity and force of a ball whose impacts accumulate", "time in s",
        [Panel("height in m", [Line("h", "h")], 170),
         Panel("velocity in m/s", [Line("v", "v", 1)], 150),
         Panel("force in N", [Line("F", "F", 2)], 90, [(19.62, "m g")], (-2, 24))], step=0.5),
    "rectifier/figure.svg": Figure(
        "Voltages and current of a rectifier", "time in ms",
        [Panel("voltage in V",
               [Line("uC", "u_C", at=(0.016, -6, -8)),
                Line(None, "u", 1, at=(0.012, -18, 0), of=lambda row: 0.5 * row["i"] - row["v"] + row["uC"]),
                Line("v", "v", 2, at=(0.0125, -18, 0))], 230),
         Panel("current in A", [Line("i", "i", 3)], 120)], unit=1e-3, step=5),
    "water_tank/figure.svg": Figure(
        "Volume and flows of a tank that overflows and is refilled", "time in h",
        [Panel("volume in m³", [Line("x", "x")], 160, [(0, "empty"), (1, "full")], (-0.15, 1.15)),
         Panel("flow in m³/h", [Line("overflow", "overflow", 1, at=(1.14, -60, -4)),
                                Line("refill", "refill", 2, at=(0.64, 22, 0))], 150)]),
    "tank_ring/figure.svg": Figure(
        "Temperatures and valves of a ring of three tanks", "time in s",
        [Panel("temperature in °C", [Line("tank1.T", "tank 1"), Line("tank2.T", "tank 2", 1),
                                     Line("tank3.T", "tank 3", 2)], 240),
         Strip([("tank1.open", "valve 1"), ("tank2.open", "valve 2"), ("tank3.open", "valve 3")])]),
    "clutch/figure.svg": Figure(
        "Speeds and torque of two shafts and a clutch", "time in s",
        [Panel("speed in rad/s", [Line("w1", "ω_1", at=(2.5, 0, -8)), Line("w2", "ω_2", 1, at=(2.5, 0, -8))], 220),
         Panel("torque in N m", [Line("f1", "f_1", 2)], 110)], step=1),
    "cup_and_ball/figure.svg": Figure(
        "Path of a ball on a rope, and the tension of the rope", "x in m",
        [Panel("y in m", [Line("y", "path", at=(0.8, 12, 20))], 330, x="x", equal=True, circle=1),
         Panel("λ in 1/s²", [Line("lambda", "λ", 1)], 130, x="time")], column="x"),
    "relay_sliding/figure.svg": Figure(
        "States and equivalent control of a relay feedback", "time in s",
        [Panel("x_1", [Line("x1", "x_1")], 120), Panel("x_2, x_3", [Line("x2", "x_2", 1), Line("x3", "x_3", 2)], 150),
         Panel("u", [Line("u", "u", 3)], 120, (), (-1.25, 1.25))], step=1),
    "hvac_room/figure.svg": Figure(
        "A day in a meeting room: temperatures, radiator valve, carbon dioxide and fan", "time in h",
        [Panel("temperature in °C", [Line("T", "air"), Line("T_wall", "wall", 1)], 170),
         Panel("valve", [Line("valve", "valve", 2)], 90, (), (-0.1, 1.1)),
         Panel("CO_2 in ppm", [Line("co2", "CO_2", 3)], 130, [(700, "aired"), (1000, "stale")], (350, 1080)),
         Strip([("fan", "fan")])], unit=3600, step=3),
}


def buck(title, window, top, at):
    return Figure(title, "time in ms",
                  [Panel("voltage in V", [Line("control", "control", at=at),
                                          Line("ramp", "ramp", 1)], 190, (), (3.4, top)),
                   Panel("current in A", [Line("i", "i", 2)], 130), Strip([("on", "switch")])],
                  window, 1e-3, 0.4)


FIGURES["buck_converter/figure.svg"] = buck(
    "Four periods of a buck converter at 24 V", (0.0184, 0.02), 8.6, (0.0189, -22, -9))
FIGURES["buck_converter/period_four.svg"] = buck(
    "Four periods of a buck converter at 31.3 V", (0.1984, 0.2), 9.6, (0.1998, -22, 18))


def read(path):
    with open(path, newline="") as file:
        return [{name: float(cell or "nan") for name, cell in row.items()} for row in csv.DictReader(file)]


def number(value):
    return f"{round(value, 9):g}".replace("-", "−")


def text(label):
    """u_C with its index below the line."""
    parts = re.split(r"_(\w+)", label)
    for k in range(1, len(parts), 2):
        parts[k] = f'<tspan dy="3" font-size="10">{parts[k]}</tspan>'
        if parts[k + 1]:
            parts[k + 1] = f'<tspan dy="-3">{parts[k + 1]}</tspan>'
    return "".join(parts)


def ticks(low, high, step=None, most=6):
    if step is None:
        power = 10.0 ** math.floor(math.log10((high - low) / most))
        step = next(power * k for k in (1, 2, 5, 10) if (high - low) / (power * k) <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [step * k for k in range(first, last + 1)]


def extent(values, margin):
    low, high = min(values), max(values)
    margin *= (high - low) or 1.0
    return low - margin, high + margin


def finite(values):
    return [value for value in values if not math.isnan(value)]


class Axis:
    """p = p0 + s*(v - v0) with v in the unit of the column."""

    def __init__(self, low, high, begin, end):
        self.v0, self.p0, self.s = low, begin, (end - begin) / (high - low)

    def __call__(self, value):
        return self.p0 + self.s * (value - self.v0)

    def __str__(self):
        return f"{self.v0:.9g} {self.p0:.9g} {self.s:.9g}"


class Drawing:
    def __init__(self, figure, rows):
        self.figure, self.parts = figure, []
        low, high = figure.window or (rows[0]["time"], rows[-1]["time"])
        slack = 1e-9 * (high - low)
        self.rows = [row for row in rows if low - slack <= row["time"] <= high + slack]
        self.time = Axis(low, high, LEFT, WIDTH - RIGHT)
        self.span = (low, high)
        self.y = TOP

    def add(self, part):
        self.parts.append(part)

    def label(self, x, y, words, kind="", anchor="start"):
        self.add(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text(words)}</text>')

    def mark_events(self, top, bottom):
        times = sorted({row["time"] for row in self.rows if row["side"] > 0})
        path = "".join(f"M{self.time(t):.1f} {top:.1f}V{bottom:.1f}" for t in times)
        if path and self.figure.events:
            self.add(f'<path class="event" d="{path}"/>')

    def x_axis(self, axis, low, high, name, unit, step=None):
        end = axis(high)
        self.add(f'<path class="axis" d="M{LEFT} {self.y:.1f}H{end:.1f}"/>')
        for value in ticks(low / unit, high / unit, step, 8):
            x = axis(value * unit)
            self.add(f'<path class="axis" d="M{x:.1f} {self.y:.1f}v5"/>')
            self.label(x, self.y + 19, number(value), "", "middle")
        self.label((LEFT + end) / 2, self.y + 38, name, "", "middle")
        self.y += BOTTOM

    def strip(self, strip):
        for place, (column, name) in enumerate(strip.bars):
            base = self.y + 24 * place + 20
            axis = Axis(0, 1, base, base - 14)
            points = self.points(Line(column, name), "time", self.time, axis, steps=True)
            self.add(f'<g data-x="{self.time}" data-y="{axis}">')
            self.add(f'<polygon class="bar" points="{LEFT},{base} {points} {WIDTH - RIGHT},{base}"/>')
            self.add(f'<polyline class="ink" data-columns="time {column}" points="{points}"/></g>')
            self.label(WIDTH - RIGHT + 8, base - 3, name)
        self.mark_events(self.y, self.y + strip.height)
        self.y += strip.height

    def points(self, line, x, x_axis, y_axis, steps=False):
        rows = [row for row in self.rows if not math.isnan(line.of(row))]
        if steps:
            rows = [row for i, row in enumerate(rows)
                    if i in (0, len(rows) - 1) or row["side"] != 0 or line.of(row) != line.of(rows[i - 1])]
        return " ".join(f"{x_axis(row[x]):.1f},{y_axis(line.of(row)):.1f}" for row in rows)

    def panel(self, panel):
        top, bottom = self.y, self.y + panel.height
        values = [value for line in panel.lines for value in finite(line.of(row) for row in self.rows)]
        low, high = panel.y_range or extent(values, 0.07)
        y_axis = Axis(low, high, bottom, top)
        x_column = panel.x or "time"
        x_axis, x_low, x_high = self.time, *self.span
        if panel.equal:  # one metre is as long to the right as it is upwards
            x_low, x_high = extent([row[x_column] for row in self.rows] + [panel.circle, -panel.circle], 0.05)
            y_axis.s = -panel.height / (high - low)
            x_axis = Axis(x_low, x_high, LEFT, LEFT - y_axis.s * (x_high - x_low))
        right = x_axis(x_high)
        for value in ticks(low, high, None, max(3, panel.height // 28)):
            y = y_axis(value)
            self.add(f'<path class="grid" d="M{LEFT} {y:.1f}H{right:.1f}"/>')
            self.label(LEFT - 8, y + 4, number(value), "", "end")
        if x_column == "time":
            self.mark_events(top, bottom)
        if panel.circle:
            self.circle(panel, x_axis, y_axis, top, bottom)
        for value, name in panel.levels:
            y = y_axis(value)
            self.add(f'<path class="level" d="M{LEFT} {y:.1f}H{right:.1f}"/>')
            self.label(right + 8, y + 4, f"{name} {number(value)}", "quiet")
        self.add(f'<g data-x="{x_axis}" data-y="{y_axis}">')
        for place, line in enumerate(panel.lines):
            columns = f' data-columns="{x_column} {line.column}"' if line.column else ""
            self.add(f'<polyline class="c{line.color} d{place}"{columns} '
                     f'points="{self.points(line, x_column, x_axis, y_axis)}"/>')
        self.add("</g>")
        self.name_lines(panel, x_column, x_axis, y_axis)
        self.add(f'<path class="axis" d="M{LEFT} {top:.1f}V{bottom:.1f}"/>')
        middle = (top + bottom) / 2
        self.add(f'<text transform="translate(18 {middle:.1f}) rotate(-90)" text-anchor="middle">'
                 f"{text(panel.y)}</text>")
        self.y = bottom
        if panel.equal:
            self.x_axis(x_axis, x_low, x_high, self.figure.x, 1)

    def circle(self, panel, x_axis, y_axis, top, bottom):
        """The part of a circle about the origin that is in the panel: what a rope allows."""
        points = []
        for k in range(361):
            x = panel.circle * math.sin(math.radians(k))
            y = panel.circle * math.cos(math.radians(k))
            if top <= y_axis(y) <= bottom:
                points.append(f"{x_axis(x):.1f},{y_axis(y):.1f}")
        self.add(f'<polyline class="level" points="{" ".join(points)}"/>')

    def name_lines(self, panel, x_column, x_axis, y_axis):
        """Names beside the last points, kept apart, or where `at` says."""
        last = []
        for line in panel.lines:
            if line.at is not None:
                x, dx, dy = line.at
                near = min((row for row in self.rows if not math.isnan(line.of(row))),
                           key=lambda row: abs(row[x_column] - x))
                self.label(x_axis(near[x_column]) + dx, y_axis(line.of(near)) + dy, line.label, f"t{line.color}")
            else:
                values = finite(line.of(row) for row in self.rows)
                last.append([y_axis(values[-1]) + 4, line])
        last.sort(key=lambda entry: entry[0])
        taken = [y_axis(value) + 4 for value, _ in panel.levels]
        for k, entry in enumerate(last):
            while any(abs(entry[0] - y) < 15 for y in taken):
                entry[0] += 1
            taken.append(entry[0])
            self.label(WIDTH - RIGHT + 8, entry[0], entry[1].label, f"t{entry[1].color}")

    def style(self):
        def palette(colors, ink, quiet, grid, paper):
            rules = [f".paper{{fill:{paper}}}text{{fill:{ink}}}.axis,.ink{{stroke:{ink}}}.bar{{fill:{quiet}}}"
                     f".grid{{stroke:{grid}}}.event,.level{{stroke:{quiet}}}.quiet{{fill:{quiet}}}"]
            rules += [f".c{k}{{stroke:{color}}}.t{k}{{fill:{color}}}" for k, color in enumerate(colors)]
            return "".join(rules)

        dashes = "".join(f".d{k}{{stroke-dasharray:{dash}}}" for k, dash in enumerate(DASHES) if dash)
        return ("text{font:13px Helvetica,Arial,sans-serif}"
                "polyline,path{fill:none}polyline{stroke-width:1.8;stroke-linejoin:round}"
                ".axis,.ink,.grid{stroke-width:1}.bar{opacity:.3}.event{stroke-width:.6;opacity:.75}"
                "polyline.level,.level{stroke-width:1;stroke-dasharray:1 3}" + dashes +
                palette(LIGHT, "#24292f", "#626b75", "#e4e7ea", "#ffffff") +
                "@media(prefers-color-scheme:dark){" +
                palette(DARK, "#d9dfe6", "#98a2ad", "#2b323a", "#10151b") + "}")

    def draw(self):
        figure = self.figure
        for panel in figure.panels:
            if isinstance(panel, Strip):
                self.strip(panel)
            else:
                self.panel(panel)
            if not getattr(panel, "equal", False):
                self.y += GAP
        self.y -= GAP - 4
        name, unit, step = (figure.x, figure.unit, figure.step) if figure.column == "time" else ("time in s", 1, None)
        self.x_axis(self.time, *self.span, name, unit, step)
        body = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.y:.0f}" '
                f'viewBox="0 0 {WIDTH} {self.y:.0f}" role="img">\n<title>{figure.title}</title>\n'
                f'<style>{self.style()}</style>\n<rect class="paper" width="100%" height="100%"/>\n{body}\n</svg>\n')


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results, path = sys.argv[1:]
    name = "/".join(path.split("/")[-2:])
    if name not in FIGURES:
        sys.exit(f"figures.py: no figure {name}; there are {', '.join(FIGURES)}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(Drawing(FIGURES[name], read(results + "/trajectory.csv")).draw())


if __name__ == "__main__":
    main()
