"use strict";
// The data of the report and the few helpers that every part of the page uses.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** A new element with properties and children; text is never read as HTML. */
function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** A new element of an SVG drawing. */
function shape(drawing, tag, attributes, text = "") {
  const node = document.createElementNS(drawing.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

/** The colours of report.css in the present scheme, for what is drawn on a canvas. */
const colours = { series: [] };
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  for (const name of ["text", "muted", "grid", "mark", "start", "end", "equation", "constraint", "bad"]) colours[name] = read(name);
  colours.series = Array.from({ length: 7 }, (unused, index) => read(`series-${index}`));
}
const seriesColour = (rank) => colours.series[rank % colours.series.length];

/** Dashes beside the colours: seven colours and six of these tell 42 curves apart, neighbours by both. */
const dashes = [[], [8, 4], [2, 3], [12, 3, 2, 3], [16, 5], [6, 2, 2, 2, 2, 2]];
/** Of two runs the dash tells which it is. */
const seriesDash = (rank, run = 0) => (comparing ? (run === 0 ? [] : [7, 4]) : dashes[rank % dashes.length]);

/** A number with at most `digits` significant digits, without trailing zeros; "–" where it is not finite. */
function format(value, digits = 7) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const rounded = Number(value.toPrecision(digits));
  return rounded !== 0 && Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded);
}

/** A statistic or an option. */
const valueText = (value) => (typeof value === "number" ? format(value, 12) : String(value ?? "–"));

/** Tick labels with as many digits as the distance of the ticks needs. */
function formatTicks(ticks, step) {
  const largest = Math.max(...ticks.map((tick) => Math.abs(tick ?? 0)));
  let decimals = 0;
  while (decimals < 15 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) ++decimals;
  const exponential = largest >= 1e7 || (largest > 0 && largest < 1e-4);
  const digits = Math.min(15, Math.max(0, Math.ceil(Math.log10(largest / step) - 1e-9)));
  return ticks.map((tick) => {
    if (tick === null) return "";
    if (exponential) return tick === 0 ? "0" : tick.toExponential(digits).replace(/\.?0+e/, "e").replace("e+", "e");
    return tick.toFixed(decimals);
  });
}

const withUnit = (signal) => (signal.unit ? `${signal.name} [${signal.unit}]` : signal.name);

/** Columns that are drawn as time signals, and those that are drawn as lanes. */
const isBinary = (column) => column.group.startsWith("binary");
const signalColumns = data.columns.flatMap((column, index) => (isBinary(column) ? [] : [index]));
const binaryColumns = data.columns.flatMap((column, index) => (isBinary(column) ? [index] : []));

/** Room for drawings: on paper that of a page, whatever the screen. */
const widthOf = (host) => (document.documentElement.classList.contains("paper") ? 690 : host.clientWidth);
const isNarrow = () => document.querySelector("main").clientWidth < 600;

const axisOfTime = data.origin?.time_unit ? `time [${data.origin.time_unit}]` : "time";

/** Fills a definition list with [term, description] pairs. */
function fillList(list, pairs) {
  list.replaceChildren(...pairs.map(([term, description]) => element("div", {},
    element("dt", { textContent: term }), element("dd", { textContent: description }))));
}

const fontOfAxes = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Widest of some texts in pixels. */
const widest = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (texts) => {
    context.font = fontOfAxes;
    return Math.ceil(texts.reduce((most, text) => Math.max(most, context.measureText(text).width), 0));
  };
})();

/** The names of the lanes as they are written, and the room on the left that all time plots share. */
function leftNames() {
  const names = binaryColumns.map((column) => data.columns[column].name);
  const short = names.length > 2000 ? names : shortNames(names, isNarrow() ? 12 : 24);
  return { short, width: Math.min(isNarrow() ? 92 : 190, Math.max(isNarrow() ? 62 : 76, widest(short) + 18)) };
}
const leftAxisWidth = () => leftNames().width;

/** The axis of time under a plot. */
const timeAxis = () => ({ ...axisStyle(), size: 32, label: axisOfTime, labelSize: 16, labelGap: -2 });

/** Properties that all axes share. */
function axisStyle() {
  return {
    stroke: colours.muted, font: fontOfAxes, labelFont: fontOfAxes, labelSize: 20,
    grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid, width: 1, size: 5 },
    values: (plot, ticks, axis, space, step) => formatTicks(ticks, step),
  };
}
