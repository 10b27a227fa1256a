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
      for (const group of ["state", "algebraic", "input", "signal"]) {
        const members = signalColumns.filter((column) => data.columns[column].group === group);
        const names = members.map((column) => withUnit(data.columns[column]));
        const short = names.length > 2000 ? names : shortNames(names, 40);
        const options = members.map((column, i) => named(element("option", { value: column }), short[i], names[i]));
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
  eventRows({ time: times, side, events }) {
    const rows = new Map();
    times.forEach((time, row) => {
      if (!rows.has(time) || side[row] === -1) rows.set(time, row);
    });
    return events.flatMap((event) => (rows.has(event.time) ? [rows.get(event.time)] : []));
  },

  /** Of a run the rows of its motion and of its events that are shown. */
  rowsOf(run) {
    const { time } = runs[run];
    const shown = byId("phase-window").checked
      ? (row) => time[row] >= timeWindow.min && time[row] <= timeWindow.max : () => true;
    const held = (row) => [this.x, this.y].every((column) => rowValues(column, run)[row] !== undefined);
    return {
      motion: time.map((unused, row) => row).filter((row) => shown(row) && held(row)),
      marks: this.eventRows(runs[run]).filter((row) => shown(row) && held(row)),
    };
  },

  draw() {
    const host = byId("phase-plot");
    if (!host) return;
    this.plot?.destroy();
    this.x = Number(byId("phase-x").value);
    this.y = Number(byId("phase-y").value);
    const both = runsWith(this.x).filter((run) => runsWith(this.y).includes(run));
    const pick = (run, which) => [this.x, this.y].map((column) => which.map((row) => rowValues(column, run)[row]));
    const rows = both.map((run) => this.rowsOf(run));
    this.drawnMarks = 0;
    const facets = [{ scale: "x", auto: true }, { scale: "y", auto: true }];
    const width = Math.min(widthOf(host), 900);
    const range = (plot, min, max) => (min === null ? [0, 1] : uPlot.rangeNum(min, max, 0.05, false));
    this.plot = new uPlot({
      mode: 2, width, height: Math.round(0.66 * width), legend: { show: false },
      scales: { x: { time: false, range }, y: { range } },
      cursor: { drag: { x: true, y: true, uni: 25 }, points: { show: false } },
      axes: [{ ...axisStyle(), label: withUnit(data.columns[this.x]) },
        { ...axisStyle(), size: 66, label: withUnit(data.columns[this.y]) }],
      series: [{}, ...both.flatMap((run, i) => [
        { facets, paths: (plot, series) => this.drawMotion(plot, series, run, rows[i].motion) },
        { facets, paths: (plot, series) => this.drawMarks(plot, series) }])],
      hooks: { drawClear: [() => { this.drawnMarks = 0; }], draw: [() => this.sayMarks(), () => scheduleReadback()] },
    }, [null, ...both.flatMap((run, i) => [pick(run, rows[i].motion), pick(run, rows[i].marks)])], host);
    this.plot.root.setAttribute("role", "img");
    this.plot.root.setAttribute("aria-label", `${withUnit(data.columns[this.y])} over ${withUnit(data.columns[this.x])}, ` +
      `${this.marks()} events; the choosers above set the two signals`);
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

  /** Number of events of the drawn motions. */
  marks() {
    return this.plot.data.reduce((sum, facets, i) => sum + (i > 0 && i % 2 === 0 ? facets[0].length : 0), 0);
  },

  sayMarks() {
    byId("phase-note").hidden = this.drawnMarks === this.marks();
    byId("phase-note").textContent = `${this.drawnMarks} of ${this.marks()} events are marked: the others lie within ` +
      "about 6 pixels of one that is.";
  },

  drawMotion(plot, series, run, rows) {
    const [xs, ys] = plot.data[series];
    const { side } = runs[run];
    return this.clipped(plot, (ctx, toX, toY, ratio) => {
      const motion = new Path2D();
      const jumps = new Path2D();
      let joined = false;  // whether the motion goes on from the row before
      for (let i = 1; i < xs.length; ++i) {
        if ([xs[i - 1], ys[i - 1], xs[i], ys[i]].includes(null)) {
          joined = false;
          continue;
        }
        const path = side[rows[i - 1]] === -1 && side[rows[i]] === 1 ? jumps : motion;
        // A dash begins anew at every move.
        if (path === jumps || !joined) path.moveTo(toX(xs[i - 1]), toY(ys[i - 1]));
        joined = path === motion;
        path.lineTo(toX(xs[i]), toY(ys[i]));
      }
      ctx.strokeStyle = colours.series[run];
      ctx.lineWidth = 1.5 * ratio;
      ctx.lineCap = "round";
      ctx.setLineDash(run === 0 ? [] : [7 * ratio, 5 * ratio]);
      ctx.stroke(motion);
      ctx.setLineDash([2 * ratio, 4 * ratio]);
      ctx.stroke(jumps);
      if (xs.length === 0) return;
      const size = 5 * ratio;
      ctx.fillStyle = colours.start;
      ctx.beginPath();
      ctx.arc(toX(xs[0]), toY(ys[0]), size, 0, 2 * Math.PI);
      ctx.fill();
      const last = xs.length - 1;
      ctx.fillStyle = colours.end;
      ctx.fillRect(toX(xs[last]) - size, toY(ys[last]) - size, 2 * size, 2 * size);
    });
  },

  /** A circle for every event that is not within 6 pixels of one that has a circle. */
  drawMarks(plot, series) {
    const [xs, ys] = plot.data[series];
    return this.clipped(plot, (ctx, toX, toY, ratio) => {
      const taken = new Set();
      const cell = 6 * ratio;
      ctx.strokeStyle = colours.mark;
      ctx.lineWidth = 1.5 * ratio;
      xs.forEach((x, i) => {
        if (x === null || ys[i] === null) return;
        const place = `${Math.round(toX(x) / cell)},${Math.round(toY(ys[i]) / cell)}`;
        if (taken.has(place)) return;
        taken.add(place);
        ctx.beginPath();
        ctx.arc(toX(x), toY(ys[i]), (xs.length > 300 ? 2 : 3.5) * ratio, 0, 2 * Math.PI);
        ctx.stroke();
      });
      this.drawnMarks += taken.size;
    });
  },

  /** Marks the instant that the cursor of the time plots is at. */
  showNow(row) {
    if (!this.plot) return;
    const point = row === null ? [] : [this.x, this.y].map((column) => valuesOf(column)?.[row]);
    this.now.hidden = row === null || point.some((value) => typeof value !== "number");
    if (this.now.hidden) return;
    this.now.style.left = `${this.plot.valToPos(point[0], "x")}px`;
    this.now.style.top = `${this.plot.valToPos(point[1], "y")}px`;
  },
};
