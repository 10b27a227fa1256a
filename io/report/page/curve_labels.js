"use strict";
// Names at the right-hand ends of curves, each joined to its curve by a line of its colour.

const curveLabels = {
  room: 20,  // pixels to the right of all time plots
  pitch: 13,
  short: new Map(),

  /** Sets the room for the names that will be drawn; those of one list are told apart. */
  reserve(...lists) {
    this.short = new Map();
    for (const list of lists) {
      const names = [...new Set(list)];
      shortNames(names, isNarrow() ? 9 : 18).forEach((short, i) => this.short.set(names[i], short));
    }
    this.room = Math.max(20, Math.min(isNarrow() ? 92 : 160, widest([...this.short.values()]) + 22));
  },

  /** Where the curve of series `i` ends in the window; nothing where it has no value there. */
  end(plot, i) {
    const [first, last] = plot.series[0].idxs ?? [0, -1];
    for (let row = last; row >= first; --row) {
      const value = plot.data[i][row];
      if (typeof value === "number") return plot.valToPos(value, "y", true);
    }
    return null;
  },

  draw(plot) {
    const { ctx, bbox } = plot;
    const ratio = uPlot.pxRatio;
    const pitch = this.pitch * ratio;
    const [top, bottom] = [bbox.top + pitch / 2, bbox.top + bbox.height - pitch / 2];
    const clamp = (y) => Math.max(top, Math.min(bottom, y));
    let labels = plot.series.flatMap((series, i) => {
      const y = i > 0 && series.show ? this.end(plot, i) : null;
      return y === null ? [] : [{ name: plot.names[i - 1], colour: series.colour, curve: y, y: clamp(y) }];
    }).sort((a, b) => a.curve - b.curve);
    const most = Math.max(1, Math.floor((bottom - top) / pitch) + 1);
    if (labels.length > most) labels = labels.filter((label, i) => Math.floor(i * most / labels.length) !== Math.floor((i - 1) * most / labels.length));
    labels.forEach((label, i) => { if (i > 0) label.y = Math.max(label.y, labels[i - 1].y + pitch); });
    for (let i = labels.length - 1, limit = bottom; i >= 0; --i, limit -= pitch) {
      labels[i].y = Math.min(labels[i].y, limit);
      limit = labels[i].y;
    }
    const right = bbox.left + bbox.width;
    ctx.save();
    ctx.font = fontOfAxes.replace("12px", `${12 * ratio}px`);
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    for (const { name, colour, curve, y } of labels) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = 1.5 * ratio;
      ctx.beginPath();
      ctx.moveTo(right + 1, Math.max(bbox.top, Math.min(bbox.top + bbox.height, curve)));
      ctx.lineTo(right + 10 * ratio, y);
      ctx.stroke();
      ctx.fillStyle = colours.text;
      ctx.fillText(this.short.get(name) ?? name, right + 13 * ratio, y);
    }
    ctx.restore();
    plot.labels = labels.map(({ name }) => name);
  },
};
