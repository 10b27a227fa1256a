"use strict";
// The panels of the time signals: one for each unit, with legend, zoom, marks at events and names at the ends of
// the curves.

const timePlots = {
  chosen: firstChoice(signalColumns),
  plots: [],

  separate: false,  // one panel for each signal instead of one for each unit

  /** Columns that share a panel: the same unit; inputs apart, and without a unit states and algebraic signals, too. */
  panels() {
    const panels = new Map();
    for (const column of signalColumns) {
      const { name, unit, group } = data.columns[column];
      // Constant inputs would press the motions of their unit into a narrow band.
      const kind = !unit ? group : group === "input" ? `input [${unit}]` : `[${unit}]`;
      const key = this.separate ? name : kind;
      if (!panels.has(key)) panels.set(key, { key, label: kind, series: [], members: 0 });
      const panel = panels.get(key);
      const rank = panel.members++;  // counts signals not drawn as well: a signal keeps its colour
      if (!this.chosen.has(column)) continue;
      for (const run of runsWith(column)) panel.series.push({ column, rank, run });
    }
    return [...panels.values()].filter((panel) => panel.series.length > 0);
  },

  draw(host) {
    this.plots.forEach((plot) => plot.destroy());
    this.plots = (host ? this.panels() : []).map((panel) => this.drawPanel(host, panel));
  },

  drawPanel(host, panel) {
    const series = panel.series.map(({ column, rank, run }) => ({
      name: nameInRun(column, run), label: withUnit({ ...data.columns[column], name: nameInRun(column, run) }),
      rank, run, values: valuesOf(column, run),
    }));
    const plot = this.plotCurves(host, series, panel.label, this.separate ? 170 : 250);
    plot.panel = panel;
    return plot;
  },

  /** A plot of `series` ({name, label, rank, run, values}) that takes part in the common window of time. */
  plotCurves(host, series, label, least, scale = {}, hooks = {}) {
    const shared = timeWindow.plotOptions();
    shared.hooks.draw.splice(1, 0, (plot) => curveLabels.draw(plot));
    Object.assign(shared.hooks, hooks);
    const plot = new uPlot({
      ...shared, width: widthOf(host), height: Math.max(least, Math.min(600, 13 * series.length + 60)),
      scales: { ...shared.scales, y: scale },
      series: [{ label: axisOfTime, value: (u, value) => format(value, 10) }, ...series.map(({ label: text, rank, run }) => ({
        label: text, stroke: seriesColour(rank), width: 1.75, dash: seriesDash(rank, run),
        value: (u, value) => format(value), points: { size: 5 },
      }))],
      axes: [timeAxis(), { ...axisStyle(), size: leftAxisWidth() - 20, label }],
    }, [data.time, ...series.map(({ values }) => values)], host);
    plot.names = series.map(({ name }) => name);
    plot.series.slice(1).forEach((one, i) => { one.colour = seriesColour(series[i].rank); });
    operation.ofTimePlot(plot, `${plot.names.slice(0, 12).join(", ")}${plot.names.length > 12 ? " and more" : ""} ${label}`);
    return plot;
  },
};
