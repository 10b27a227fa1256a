"use strict";
// The time window that all time plots share, the marks of the events in them, and the instant under the cursor.

const timeWindow = {
  plots: new Set(),
  followers: [],  // called after every change of the window
  cursorFollowers: [],  // called with the index of the row under the cursor, or null
  selected: null,  // index of the event that is looked at
  first: data.time[0] ?? 0,
  last: data.time[data.time.length - 1] ?? 0,
  min: data.time[0] ?? 0,
  max: data.time[data.time.length - 1] ?? 0,

  /** Shows [min, max] in every time plot. */
  show(min, max) {
    if (!(max > min)) return;
    this.min = min;
    this.max = max;
    byId("window-from").value = format(min, 10);
    byId("window-to").value = format(max, 10);
    for (const plot of this.plots) {
      if (plot.scales.x.min !== min || plot.scales.x.max !== max) plot.setScale("x", { min, max });
    }
    for (const follower of this.followers) follower();
  },

  showAll() {
    this.selected = null;
    this.show(this.first, this.last);
    this.redraw();
  },

  /** Shows the surroundings of an event: up to the instants before and after it. */
  showEvent(index) {
    const time = data.events[index].time;
    const span = this.last - this.first;
    const gaps = data.events.map((event) => Math.abs(event.time - time)).filter((gap) => gap > 0);
    const half = Math.min(span / 10, Math.max(span * 1e-6, 1.5 * (gaps.length ? Math.min(...gaps) : span)));
    this.selected = index;
    this.show(Math.max(this.first, time - half), Math.min(this.last, time + half));
    this.redraw();
  },

  redraw() {
    for (const plot of this.plots) plot.redraw(false);
  },

  /** Options of uPlot that make a plot take part in the window. */
  plotOptions() {
    return {
      scales: { x: { time: false } }, padding: [12, curveLabels.room, 0, 0],
      cursor: {
        drag: { x: true, y: false },
        sync: { key: "time", filters: { pub: (type) => !["mousedown", "mouseup", "dblclick"].includes(type) } },
      },
      hooks: {
        ready: [(plot) => {
          this.plots.add(plot);
          plot.over.addEventListener("mouseleave", () => this.cursorFollowers.forEach((follower) => follower(null)));
        }],
        destroy: [(plot) => this.plots.delete(plot)],
        setScale: [(plot, key) => {
          const { min, max } = plot.scales.x;
          const known = this.plots.has(plot) && min !== null;
          if (key === "x" && known && (min !== this.min || max !== this.max)) this.show(min, max);
        }],
        setCursor: [(plot) => {
          const index = plot.cursor.idx;
          if (index !== null && index !== undefined) this.cursorFollowers.forEach((follower) => follower(index));
        }],
        draw: [(plot) => eventMarks.draw(plot), () => scheduleReadback()],
      },
    };
  },
};

byId("window").addEventListener("submit", (event) => {
  event.preventDefault();
  timeWindow.show(Number(byId("window-from").value), Number(byId("window-to").value));
});
byId("window-reset").addEventListener("click", () => timeWindow.showAll());
