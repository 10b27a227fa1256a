"use strict";
// Puts the page together, and draws it anew where the window, the colour scheme or the medium changes.

function describeModel() {
  const { model } = data;
  document.title = `${model.name || "model"} – ${data.outcome ? "simulation report" : "structure"}`;
  byId("title").textContent = model.name || (data.outcome ? "Simulation report" : "Structure");
  byId("description").textContent = model.description;
}

function describeStructure() {
  byId("outcome").remove();
  fillList(byId("facts"), Object.entries(data.model.sizes).map(([name, value]) => [name, String(value)]));
}

/** 0.0123 → "12.3 ms", 30.7 → "30.7 s", 4000 → "1 h 7 min" */
function duration(seconds) {
  if (seconds < 1) return `${format(1000 * seconds, 3)} ms`;
  if (seconds < 60) return `${format(seconds, 3)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function describeRun() {
  const { model, outcome, statistics, options } = data;
  const completed = outcome.kind === "reached_stop";
  byId("outcome").className = completed ? "completed" : "failed";
  byId("outcome").append(
    element("strong", { textContent: completed ? "Reached the stop time" : `Ended early: ${outcome.kind.replaceAll("_", " ")}` }),
    ` at t = ${format(outcome.end_time, 12)}`);
  if (outcome.message) byId("outcome").append(element("br"), outcome.message);
  fillList(byId("facts"), [["events", statistics.events], ["steps", statistics.steps],
    ["rows", data.time.length], ["wall time", duration(statistics.wall_seconds)]]);
  const asText = ([name, value]) => [name.replaceAll("_", " "), typeof value === "number" ? format(value, 12) : String(value)];
  fillList(byId("statistics"), Object.entries(statistics).map(asText));
  fillList(byId("options"), Object.entries(options).map(asText));
  fillList(byId("sizes"), Object.entries(model.sizes).map(asText));
}

function drawTimePlots() {
  timePlots.draw(byId("panels"));
  modeLanes.draw(byId("lanes"));
  timeWindow.show(timeWindow.min, timeWindow.max);
}

function drawEverything() {
  readColours();
  drawTimePlots();
  phasePlot.draw();
  incidence.draw();
  matrices.draw();
}

/** Removes the sections that have nothing to show, with their links. */
function leaveOut(ids) {
  for (const id of ids) {
    byId(id).remove();
    document.querySelector(`nav a[href="#${id}"]`).remove();
  }
}

function setUpSignals() {
  if (data.columns_left_out > 0) {
    byId("signal-chooser").before(element("p", { className: "hint", textContent:
      `This result is too large for one page: ${data.columns_left_out} more columns are in trajectory.csv only.` }));
  }
  makeChooser(byId("signal-chooser"), signalColumns, timePlots.chosen, drawTimePlots);
  byId("separate").addEventListener("change", () => {
    timePlots.separate = byId("separate").checked;
    drawTimePlots();
  });
  phasePlot.setUp();
}

function redrawWhereNeeded() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawEverything);
  // Paper is light, whatever the screen.
  const onPaper = (paper) => () => {
    document.documentElement.classList.toggle("paper", paper);
    drawEverything();
  };
  addEventListener("beforeprint", onPaper(true));
  addEventListener("afterprint", onPaper(false));
  const main = document.querySelector("main");
  let width = main.clientWidth;
  new ResizeObserver(() => {
    if (main.clientWidth === width) return;
    width = main.clientWidth;
    drawEverything();
  }).observe(main);
}

readColours();
describeModel();
if (data.outcome) {
  describeRun();
  eventTable.setUp();
} else {
  describeStructure();
  leaveOut(["events", "run"]);
}
incidence.setUp();
matrices.setUp();
modeTable.setUp();
if (data.all_modes) modesGraph.setUp();
else leaveOut(["all-modes"]);
const anyRow = data.time.length > 0;
if (anyRow && signalColumns.length) setUpSignals();
else leaveOut(["signals", "phase"]);
if (anyRow && binaryColumns.length) makeChooser(byId("binary-chooser"), binaryColumns, modeLanes.chosen, drawTimePlots);
else leaveOut(["modes"]);
if (anyRow) {
  drawEverything();
  redrawWhereNeeded();
} else {
  byId("window").remove();
}
scheduleReadback();
