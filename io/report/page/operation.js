"use strict";
// Plots by keyboard and for screen readers: a plot has a description, takes the focus, and its cursor and
// window follow the keys; what stands under the cursor is said in #readout.

const operation = {
  keys: "Arrow keys move the cursor, with Shift the window; plus and minus zoom, 0 or Escape shows the whole run.",

  /** Makes a plot in the common window of time operable; `text` says what it shows. */
  ofTimePlot(plot, text) {
    const { root } = plot;
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-roledescription", "plot");
    root.setAttribute("aria-label", `${text}, over time from ${format(timeWindow.first, 6)} to ${format(timeWindow.last, 6)}. ${this.keys}`);
    root.addEventListener("keydown", (press) => {
      if (press.target !== root || press.ctrlKey || press.altKey || press.metaKey) return;
      if (this.act(plot, press.key, press.shiftKey)) press.preventDefault();
    });
    this.legend(plot);
  },

  act(plot, key, shift) {
    const { min, max, first, last } = timeWindow;
    const span = max - min;
    const sign = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (sign && shift) {
      const by = Math.max(first - min, Math.min(last - max, sign * span / 4));
      timeWindow.show(min + by, max + by);
    } else if (sign) {
      this.step(plot, sign);
    } else if (key === "+" || key === "=" || key === "-") {
      const middle = plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : (min + max) / 2;
      const half = span * (key === "-" ? 1 : 0.25);
      timeWindow.show(Math.max(first, middle - half), Math.min(last, middle + half));
    } else if (key === "0" || key === "Escape") {
      timeWindow.showAll();
    } else {
      return false;
    }
    return true;
  },

  /** Moves the cursor to the next row that lies a pixel or more away. */
  step(plot, sign) {
    const width = plot.over.clientWidth;
    const from = plot.cursor.left >= 0 ? plot.cursor.left : sign > 0 ? -1 : width + 1;
    let row = plot.cursor.left >= 0 ? plot.cursor.idx ?? 0 : sign > 0 ? 0 : data.time.length - 1;
    const place = () => plot.valToPos(data.time[row], "x");
    while (data.time[row + sign] !== undefined && sign * (place() - from) < 1) row += sign;
    plot.setCursor({ left: Math.max(0, Math.min(width, place())), top: plot.over.clientHeight / 2 });
    this.say(plot, row);
  },

  say(plot, row) {
    const values = plot.series.slice(1).flatMap((series, i) =>
      (series.show && typeof plot.data[i + 1][row] === "number" ? [`${series.label} ${format(plot.data[i + 1][row], 5)}`] : []));
    byId("readout").textContent = `time ${format(data.time[row], 6)}: ${values.slice(0, 12).join(", ")}`;
  },

  /** Names of a legend: cut where they are long, buttons for the keyboard, samples of the lines with their dashes. */
  legend(plot) {
    const rows = [...plot.root.querySelectorAll(".u-legend .u-series")];
    const labels = plot.series.map((series) => series.label);
    const short = shortNames(labels, isNarrow() ? 22 : 36);
    rows.forEach((row, i) => {
      const head = row.querySelector("th");
      named(head.querySelector(".u-label"), short[i], labels[i]);
      if (i === 0) return;
      const sample = shape(lineSample, "svg", { width: 26, height: 8, "aria-hidden": "true" });
      sample.append(shape(lineSample, "line", {
        x1: 0, x2: 26, y1: 4, y2: 4, stroke: plot.series[i].colour, "stroke-width": 2, "stroke-dasharray": (plot.series[i].dash ?? []).join(" "),
      }));
      head.querySelector(".u-marker").replaceWith(sample);
      head.tabIndex = 0;
      head.setAttribute("role", "button");
      const mark = () => head.setAttribute("aria-pressed", String(plot.series[i].show));
      mark();
      head.addEventListener("click", () => setTimeout(mark, 0));
      head.addEventListener("keydown", (press) => {
        if (press.key !== "Enter" && press.key !== " ") return;
        press.preventDefault();
        head.click();
      });
    });
  },
};

const lineSample = document.querySelector("svg");
