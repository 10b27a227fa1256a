"use strict";
// The constraints g(t) along the run: what is above zero is not admissible.

const constraintPlot = {
  names: [],
  unknown: [],
  ...data.constraints,
  plots: [],
  chosen: new Set(),

  setUp() {
    const { names, unknown, left_out: left } = this;
    this.values = this.values.map((held) => atRows(held, data.time.length));
    this.chosen = new Set(names.keys());
    if (names.length > 8) this.chosen = new Set([...names.keys()].slice(0, 4));
    const reason = discreteWord("derivatives", "next values and pre(z)");
    const sentences = [];
    if (unknown.length) {
      const list = unknown.slice(0, 6).map(([name, signal]) => `${name} (${signal})`).join(", ");
      sentences.push(`Not drawn, since the run does not record ${reason}: ${list}${unknown.length > 6 ? ` and ${unknown.length - 6} more` : ""}.`);
    }
    if (left > 0) {
      sentences.push(`${left} more constraints are left out, for this result is large.`);
    }
    byId("constraints-note").textContent = sentences.join(" ");
    byId("constraints-note").hidden = sentences.length === 0;
    makeChooser(byId("constraint-chooser"), "constraints", [...names.keys()], this.chosen,
      (entry) => ({ name: names[entry], suffix: "" }), drawTimePlots);
  },

  draw(host) {
    this.plots.forEach((plot) => plot.destroy());
    const series = [...this.chosen].sort((a, b) => a - b).map((entry) => ({
      name: this.names[entry], label: this.names[entry], rank: entry, run: 0, values: this.values[entry],
    }));
    if (!host || series.length === 0) {
      this.plots = [];
      return;
    }
    const range = (plot, min, max) => uPlot.rangeNum(Math.min(min ?? 0, 0), Math.max(max ?? 0, 0), 0.1, true);
    this.plots = [timePlots.plotCurves(host, series, "g", 250, { range }, { drawClear: [(plot) => this.drawGround(plot)] })];
  },

  /** The half plane g > 0, and its boundary. */
  drawGround(plot) {
    const { ctx, bbox } = plot;
    const zero = Math.max(bbox.top, Math.min(bbox.top + bbox.height, plot.valToPos(0, "y", true)));
    ctx.save();
    ctx.fillStyle = ctx.strokeStyle = colours.bad;
    ctx.globalAlpha = 0.08;
    ctx.fillRect(bbox.left, bbox.top, bbox.width, zero - bbox.top);
    ctx.globalAlpha = 0.8;
    ctx.lineWidth = uPlot.pxRatio;
    ctx.beginPath();
    ctx.moveTo(bbox.left, zero);
    ctx.lineTo(bbox.left + bbox.width, zero);
    ctx.stroke();
    ctx.restore();
  },
};

function discreteWord(continuous, discrete) { return data.origin?.discrete ? discrete : continuous; }
