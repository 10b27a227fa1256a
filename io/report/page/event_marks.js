"use strict";
// Events in a time plot: a vertical line for each while they are few; where there are more than one for every
// six pixels the lines would hide the curves, and a strip above them shows how many events there are.

const eventMarks = {
  perLine: 6,   // pixels
  window: 24,   // pixels in which events are counted
  height: 8,    // of the strip

  /** Events in view by pixel: [{x, events, selected}], rising, with `crowded` where lines would be too many. */
  places(plot) {
    const { min, max } = plot.scales.x;
    const byPixel = new Map();
    data.events.forEach((event, index) => {
      if (event.time < min || event.time > max) return;
      const x = Math.round(plot.valToPos(event.time, "x"));
      if (!byPixel.has(x)) byPixel.set(x, { x, events: 0, selected: false });
      byPixel.get(x).events += 1;
      byPixel.get(x).selected ||= index === timeWindow.selected;
    });
    const places = [...byPixel.values()].sort((a, b) => a.x - b.x);
    for (let i = 0, j = 0; i < places.length; ++i) {
      while (places[i].x - places[j].x >= this.window) ++j;
      if (i - j + 1 > this.window / this.perLine) for (let k = j; k <= i; ++k) places[k].crowded = true;
    }
    return places;
  },

  /** Draws the marks; keeps the number of events in view, of lines and of events in the strip. */
  draw(plot) {
    const places = this.places(plot);
    const count = (list) => list.reduce((sum, { events }) => sum + events, 0);
    const single = places.filter(({ crowded, selected }) => !crowded || selected);
    const crowd = places.filter(({ crowded }) => crowded);
    plot.marks = count(places);
    plot.lines = single.length;
    plot.inStrip = count(crowd);
    const { ctx, bbox } = plot;
    const ratio = uPlot.pxRatio;
    const toX = (x) => bbox.left + Math.round(x * ratio);
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colours.mark;
    for (const { x, selected } of single) {
      ctx.globalAlpha = selected ? 1 : 0.6;
      ctx.lineWidth = (selected ? 2 : 1) * ratio;
      ctx.setLineDash(selected ? [] : [3 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(toX(x), bbox.top);
      ctx.lineTo(toX(x), bbox.top + bbox.height);
      ctx.stroke();
    }
    const most = Math.max(...crowd.map(({ events }) => events));
    for (const { x, events } of crowd) {
      ctx.globalAlpha = 0.35 + 0.65 * Math.sqrt(events / most);
      ctx.fillRect(toX(x), bbox.top - this.height * ratio, Math.max(1, ratio), this.height * ratio);
    }
    ctx.restore();
    this.say(plot);
  },

  say(plot) {
    const text = plot.inStrip === 0 ? "" : `${plot.inStrip} of the ${plot.marks} events in view lie closer than ` +
      `one per ${this.perLine} pixels: they are marked in the strip above each plot, darker where there are more. Zoom in to see each as a line.`;
    for (const note of document.querySelectorAll(".marks-note")) {
      note.hidden = text === "";
      if (note.textContent !== text) note.textContent = text;
    }
  },
};
