"use strict";
// The mode over time: one lane for each binary and each binary input. Every lane has a scale of its own that puts the values 0 … 1
// into its strip, so that what is plotted are the recorded values themselves.

const modeLanes = {
  chosen: new Set(binaryColumns.slice(0, mostDrawnAtFirst)),
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
    const drawn = columns.flatMap((column, lane) => runsWith(column).map((run) => ({ column, lane, run })));
    const series = drawn.map(({ column, lane, run }) => {
      const stroke = seriesColour(binaryColumns.indexOf(column));
      return {
        label: nameInRun(column, run), scale: `lane${lane}`, stroke, fill: run === 0 ? `${stroke}59` : undefined, width: 1.5,
        dash: comparing ? seriesDash(0, run) : [], fillTo: () => 0, points: { show: false }, value: (plot, value) => format(value),
      };
    });
    shared.hooks.drawClear = [(plot) => this.drawGround(plot, columns.length)];
    const { short, width } = leftNames();
    const plot = new uPlot({
      ...shared, scales, width: widthOf(host), height: columns.length * this.pixels + 60,
      series: [{ label: axisOfTime, value: (u, value) => format(value, 10) }, ...series],
      legend: { show: drawn.length <= 12 },
      axes: [timeAxis(), {
        ...axisStyle(), scale: "lane0", size: width, grid: { show: false }, ticks: { show: false },
        splits: () => columns.map((column, lane) => base(lane) - base(0) + 0.5), values: () => columns.map(() => ""),
      }],
    }, [data.time, ...drawn.map(({ column, run }) => valuesOf(column, run))], host);
    plot.series.slice(1).forEach((one, i) => { one.colour = series[i].stroke; });
    plot.root.querySelector(".u-wrap").append(...columns.map((column, lane) => {
      const { name, group } = data.columns[column];
      const node = named(element("span", { className: "lane-name" }), short[binaryColumns.indexOf(column)], name);
      if (group === "binary input") node.classList.add("of-input");
      node.style.cssText = `width: ${width - 8}px; top: ${12 + this.pixels * lane}px; line-height: ${this.pixels}px;`;
      return node;
    }));
    operation.ofTimePlot(plot, `Lanes of the binaries ${columns.slice(0, 12).map((column) => data.columns[column].name).join(", ")}`);
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
