"use strict";
// What the page shows, read back from the objects that show it, as JSON in the element #readback: the number of
// plotted points and their range, marks at events, changes in the lanes, table rows, incidence cells, errors.

/** Values of one plotted series. */
function readSeries(values) {
  const held = values.filter((value) => value !== undefined);
  const finite = held.filter((value) => value !== null);
  let changes = 0;
  for (let i = 1; i < held.length; ++i) changes += held[i] !== held[i - 1];
  const reduce = (choose) => finite.reduce((a, b) => choose(a, b), finite[0] ?? null);
  return { points: held.length, changes, min: reduce(Math.min), max: reduce(Math.max) };
}

/** A time plot: its window, its marks, and each series. What is plotted does not change while a plot lives. */
function readTimePlot(plot) {
  plot.values ??= plot.data.slice(1).map(readSeries);
  return {
    from: plot.scales.x.min, to: plot.scales.x.max, marks: plot.marks, lines: plot.lines, inStrip: plot.inStrip,
    labels: plot.labels ?? [], shownNames: [...plot.root.querySelectorAll(".u-label, .lane-name")].map((node) => node.textContent),
    series: plot.series.slice(1).map((series, i) => ({
      label: series.label, shown: series.show, colour: series.colour, dash: (series.dash ?? []).join(" "), ...plot.values[i],
    })),
  };
}

function readBack() {
  const { plot } = phasePlot;
  const cells = (kind) => incidence.host?.querySelectorAll(`rect.${kind}`).length ?? 0;
  return {
    errors: pageErrors,
    panels: timePlots.plots.map((panel) => ({ panel: panel.panel.key, ...readTimePlot(panel) })),
    lanes: modeLanes.plots.map(readTimePlot),
    constraints: constraintPlot.plots.map(readTimePlot),
    phase: plot && {
      x: data.columns[phasePlot.x].name, y: data.columns[phasePlot.y].name,
      points: plot.data[1][0].length, marks: phasePlot.marks(), drawnMarks: phasePlot.drawnMarks,
    },
    events: { listed: byId("event-table")?.tBodies[0]?.rows.length ?? 0 },
    modes: [...(byId("mode-table")?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent)),
    allModes: data.all_modes ? modesGraph.readBack() : null,
    incidence: { cells: incidence.dots ?? cells("equation") + cells("constraint"), blocks: incidence.places?.length ?? 0 },
    matrices: matrices.cells ?? null,
  };
}

let readbackIsDue = false;

/** Renews #readback once the drawing in progress is done. */
function scheduleReadback() {
  if (readbackIsDue) return;
  readbackIsDue = true;
  setTimeout(() => {
    readbackIsDue = false;
    byId("readback").textContent = JSON.stringify(readBack()).replaceAll("<", "\\u003c");
  }, 0);
}
