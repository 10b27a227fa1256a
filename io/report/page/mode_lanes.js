"use strict";
// The mode over time: one lane for each binary. Every lane has a scale of its own that puts the values 0 … 1
// into its strip, so that what is plotted are the recorded values themselves.

const modeLanes = {
  chosen: new Set(binaryColumns.slice(0, 24)),
  plots: [],
  pitch: 1.5,  // distance of two lanes where the height of a step is 1
  pixels: 27,

  draw(host) {
    this.plots.forEach((plot) => plot.destroy());
    const columns = binaryColumns.filter((column) => this.chosen.has(column));
    this.plots = host && columns.length ? [this.drawLanes(host, columns)] : [];
  },

  drawLanes(host, columns) {
    const shared = timeWindow.plotOptions();
    const base = (lane) => (columns.length - 1 - lane + 0.5) * this.pitch - 0.5;
    const scales = { ...shared.scales };
    columns.forEach((column, lane) => {
      scales[`lane${lane}`] = { range: () => [-base(lane), columns.length * this.pitch - base(lane)] };
    });
    const series = columns.map((column, lane) => {
      const stroke = seriesColour(binaryColumns.indexOf(column));
      return {
        label: data.columns[column].name, scale: `lane${lane}`, stroke, fill: `${stroke}59`, width: 1.5,
        fillTo: () => 0, points: { show: false }, value: (plot, value) => format(value),
      };
    });
    shared.hooks.drawClear = [(plot) => this.drawGround(plot, columns.length)];
    const names = columns.map((column) => data.columns[column].name);
    const plot = new uPlot({
      ...shared, scales, width: host.clientWidth, height: columns.length * this.pixels + 56,
      series: [{ label: "time", value: (u, value) => format(value, 10) }, ...series],
      legend: { show: columns.length <= 12 },
      axes: [timeAxis(), {
        ...axisStyle(), scale: "lane0", size: leftAxisWidth, grid: { show: false }, ticks: { show: false },
        splits: () => columns.map((column, lane) => base(lane) - base(0) + 0.5), values: () => names,
      }],
    }, [data.time, ...columns.map((column) => data.values[column])], host);
    plot.columns = columns;
    return plot;
  },

  /** The line of the value 0 under every lane. */
  drawGround(plot, lanes) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colours.grid;
    ctx.lineWidth = uPlot.pxRatio;
    for (let lane = 0; lane < lanes; ++lane) {
      const y = Math.round(plot.valToPos(0, `lane${lane}`, true));
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  },
};
