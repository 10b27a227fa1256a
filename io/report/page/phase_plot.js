"use strict";
// One signal over another: the motion as a line, jumps dashed, and the points where events happened.

const phasePlot = {
  plot: null,
  x: 0,
  y: 0,

  /** States first, then algebraic signals; two states are chosen to begin with. */
  setUp() {
    for (const [id, rank] of [["phase-x", 0], ["phase-y", 1]]) {
      const select = byId(id);
      for (const group of ["state", "algebraic"]) {
        const options = signalColumns.filter((column) => data.columns[column].group === group)
          .map((column) => element("option", { value: column, textContent: withUnit(data.columns[column]) }));
        if (options.length) select.append(element("optgroup", { label: group }, ...options));
      }
      select.selectedIndex = Math.min(rank, signalColumns.length - 1);
      select.addEventListener("change", () => this.draw());
    }
    byId("phase-window").addEventListener("change", () => this.draw());
    timeWindow.followers.push(() => byId("phase-window").checked && this.draw());
    timeWindow.cursorFollowers.push((row) => this.showNow(row));
  },

  /** Index of the left limits (side −1) of every event; the first row of its instant where there are none. */
  eventRows() {
    const rows = new Map();
    data.time.forEach((time, row) => {
      if (!rows.has(time) || data.side[row] === -1) rows.set(time, row);
    });
    return data.events.flatMap((event) => (rows.has(event.time) ? [rows.get(event.time)] : []));
  },

  draw() {
    const host = byId("phase-plot");
    if (!host) return;
    this.plot?.destroy();
    this.x = Number(byId("phase-x").value);
    this.y = Number(byId("phase-y").value);
    const shown = byId("phase-window").checked
      ? (row) => data.time[row] >= timeWindow.min && data.time[row] <= timeWindow.max : () => true;
    const rows = data.time.map((time, row) => row).filter(shown);
    const marks = this.eventRows().filter(shown);
    const pick = (which) => [this.x, this.y].map((column) => which.map((row) => data.values[column][row]));
    const facets = [{ scale: "x", auto: true }, { scale: "y", auto: true }];
    const width = Math.min(host.clientWidth, 900);
    const range = (plot, min, max) => (min === null ? [0, 1] : uPlot.rangeNum(min, max, 0.05, false));
    this.plot = new uPlot({
      mode: 2, width, height: Math.round(0.66 * width), legend: { show: false },
      scales: { x: { time: false, range }, y: { range } },
      cursor: { drag: { x: true, y: true, uni: 25 }, points: { show: false } },
      axes: [{ ...axisStyle(), label: withUnit(data.columns[this.x]) },
        { ...axisStyle(), size: 66, label: withUnit(data.columns[this.y]) }],
      series: [{}, { facets, paths: (plot) => this.drawMotion(plot, rows) }, { facets, paths: (plot) => this.drawMarks(plot) }],
      hooks: { draw: [() => scheduleReadback()] },
    }, [null, pick(rows), pick(marks)], host);
    this.now = element("div", { className: "now", hidden: true });
    this.plot.over.append(this.now);
  },

  /** Calls `draw(ctx, toX, toY, ratio)` clipped to the plot; uPlot is left nothing to draw itself. */
  clipped(plot, draw) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    draw(ctx, (value) => plot.valToPos(value, "x", true), (value) => plot.valToPos(value, "y", true), uPlot.pxRatio);
    ctx.restore();
    return null;
  },

  drawMotion(plot, rows) {
    const [xs, ys] = plot.data[1];
    return this.clipped(plot, (ctx, toX, toY, ratio) => {
      const motion = new Path2D();
      const jumps = new Path2D();
      for (let i = 1; i < xs.length; ++i) {
        if ([xs[i - 1], ys[i - 1], xs[i], ys[i]].includes(null)) continue;
        const path = data.side[rows[i - 1]] === -1 && data.side[rows[i]] === 1 ? jumps : motion;
        path.moveTo(toX(xs[i - 1]), toY(ys[i - 1]));
        path.lineTo(toX(xs[i]), toY(ys[i]));
      }
      ctx.strokeStyle = colours.series[0];
      ctx.lineWidth = 1.5 * ratio;
      ctx.lineCap = "round";
      ctx.stroke(motion);
      ctx.setLineDash([2 * ratio, 4 * ratio]);
      ctx.stroke(jumps);
      const dot = (i, fill) => {
        ctx.fillStyle = fill;
        ctx.beginPath();
        ctx.arc(toX(xs[i]), toY(ys[i]), 5 * ratio, 0, 2 * Math.PI);
        ctx.fill();
      };
      if (xs.length) {
        dot(0, colours.start);
        dot(xs.length - 1, colours.end);
      }
    });
  },

  drawMarks(plot) {
    const [xs, ys] = plot.data[2];
    return this.clipped(plot, (ctx, toX, toY, ratio) => {
      ctx.strokeStyle = colours.mark;
      ctx.lineWidth = 1.5 * ratio;
      xs.forEach((x, i) => {
        ctx.beginPath();
        ctx.arc(toX(x), toY(ys[i]), (xs.length > 300 ? 2 : 3.5) * ratio, 0, 2 * Math.PI);
        ctx.stroke();
      });
    });
  },

  /** Marks the instant that the cursor of the time plots is at. */
  showNow(row) {
    if (!this.plot) return;
    this.now.hidden = row === null;
    if (row === null) return;
    this.now.style.left = `${this.plot.valToPos(data.values[this.x][row], "x")}px`;
    this.now.style.top = `${this.plot.valToPos(data.values[this.y][row], "y")}px`;
  },
};
