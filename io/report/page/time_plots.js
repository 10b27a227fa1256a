"use strict";
// The panels of the time signals: one for each unit, with legend, zoom and marks at events.

const timePlots = {
  chosen: new Set(signalColumns.slice(0, 12)),
  plots: [],

  separate: false,  // one panel for each signal instead of one for each unit

  /** Columns that share a panel: the same unit; without a unit states and algebraic signals apart. */
  panels() {
    const panels = new Map();
    for (const column of signalColumns) {
      const { name, unit, group } = data.columns[column];
      const key = this.separate ? name : unit ? `[${unit}]` : group;
      if (!panels.has(key)) panels.set(key, { key, label: unit ? `[${unit}]` : "", series: [], members: 0 });
      const panel = panels.get(key);
      const rank = panel.members++;  // counts signals not drawn as well: a signal keeps its colour
      if (this.chosen.has(column)) panel.series.push({ column, rank });
    }
    return [...panels.values()].filter((panel) => panel.series.length > 0);
  },

  draw(host) {
    this.plots.forEach((plot) => plot.destroy());
    this.plots = (host ? this.panels() : []).map((panel) => this.drawPanel(host, panel));
  },

  drawPanel(host, panel) {
    const shared = timeWindow.plotOptions();
    const series = panel.series.map(({ column, rank }) => ({
      label: withUnit(data.columns[column]), stroke: seriesColour(rank), width: 1.5,
      dash: rank % (2 * colours.series.length) < colours.series.length ? undefined : [6, 3],
      value: (plot, value) => format(value), points: { size: 5 },
    }));
    const plot = new uPlot({
      ...shared, width: host.clientWidth, height: this.separate ? 170 : 250,
      series: [{ label: "time", value: (u, value) => format(value, 10) }, ...series],
      axes: [timeAxis(), { ...axisStyle(), size: leftAxisWidth - 20, label: panel.label }],
    }, [data.time, ...panel.series.map(({ column }) => data.values[column])], host);
    plot.panel = panel;
    return plot;
  },
};
