"use strict";
// Puts the page together, and draws it anew where the window, the colour scheme or the medium changes.

function describeModel() {
  const { model } = data;
  document.title = `${model.name || "model"} – ${data.summary ? "simulation report" : "structure"}`;
  byId("title").textContent = model.name || (data.summary ? "Simulation report" : "Structure");
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
  const { outcome, message, end_time: end, statistics, options } = data.summary;
  const completed = outcome === "reached_stop";
  byId("outcome").className = completed ? "completed" : "failed";
  byId("outcome").append(
    element("strong", { textContent: completed ? "Reached the stop time" : `Ended early: ${outcome.replaceAll("_", " ")}` }),
    ` at t = ${format(end, 12)}`);
  if (message) byId("outcome").append(element("br"), message);
  fillList(byId("facts"), [["events", statistics.events], ["steps", statistics.steps],
    ["rows", statistics.rows], ["wall time", duration(statistics.wall_seconds)]]);
  for (const [part, values] of Object.entries({ statistics, options, sizes: data.model.sizes }))
    fillList(byId(part), Object.entries(values).map(([name, value]) => [name.replaceAll("_", " "), valueText(value)]));
}

function drawTimePlots() {
  curveLabels.reserve([...timePlots.chosen].flatMap((column) => runsWith(column).map((run) => nameInRun(column, run))),
    [...constraintPlot.chosen].map((entry) => constraintPlot.names[entry]));
  timePlots.draw(byId("panels"));
  modeLanes.draw(byId("lanes"));
  constraintPlot.draw(byId("constraint-plot"));
  timeWindow.show(timeWindow.min, timeWindow.max);
}

function drawEverything() {
  readColours();
  drawTimePlots();
  phasePlot.draw();
  incidence.draw();
  matrices.draw();
}

/** The equations as text, and the parameters where they are known. */
function describeEquations() {
  const { text, left_out: why } = data.equations;
  byId("equations-text").textContent = text ?? why;
  fillList(byId("parameters"), data.parameters);
  if (data.parameters.length === 0) byId("parameter-part").remove();
}

/** Version, date and unit of time: where the page comes from. */
function describeOrigin() {
  const { version, date, time_unit: unit } = data.origin;
  fillList(byId("origin"), [["written by", `mti ${version}`], ["date", date],
    ["unit of time", unit || "not named in the model: that of its equations"]]);
}

/** Removes the sections that have nothing to show, with their links. */
function leaveOut(ids) {
  for (const id of ids) {
    byId(id).remove();
    document.querySelector(`nav a[href="#${id}"]`).remove();
  }
}

function setUpSignals() {
  const sentences = [];
  if (data.columns_thinned > 0) {
    sentences.push(`${data.columns_thinned === 1 ? "One signal is" : `${data.columns_thinned} signals are`} held thinned, for this result is large: ` +
      "of every stretch of rows some values, the least and the greatest among them, of a binary some changes. trajectory.csv holds all rows.");
  }
  if (data.columns_left_out > 0) sentences.push(`${data.columns_left_out} more signals are in trajectory.csv only.`);
  if (sentences.length) byId("signal-chooser").before(element("p", { className: "hint", textContent: sentences.join(" ") }));
  makeChooser(byId("signal-chooser"), "signals", signalColumns, timePlots.chosen, describeColumn, drawTimePlots);
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

/** Regions that scroll can be reached and scrolled by keyboard. */
function makeScrollable() {
  for (const region of document.querySelectorAll(".scroll, #mode-graph, #incidence, #matrices")) {
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", region.dataset.label ?? region.closest("section").querySelector("h2").textContent);
  }
}

readColours();
describeOrigin();
const anyRow = data.time.length > 0;
if (comparing) {
  comparison.setUp();
} else {
  describeModel();
  describeEquations();
  incidence.setUp();
  matrices.setUp();
  modeTable.setUp();
  if (data.summary) {
    describeRun();
  } else {
    describeStructure();
    leaveOut(["events"]);
    byId("run-parts").remove();
    document.querySelector('nav a[href="#run"]').textContent = byId("run").querySelector("h2").textContent = "Origin";
    byId("run").querySelector("h3").remove();
  }
  if (data.all_modes) modesGraph.setUp();
  else leaveOut(["all-modes"]);
}
if (byId("events")) eventTable.setUp();
if (anyRow && signalColumns.length) setUpSignals();
else leaveOut(["signals", "phase"]);
if (anyRow && binaryColumns.length) {
  byId("slanted").hidden = !binaryColumns.some((column) => data.columns[column].group === "binary input");
  makeChooser(byId("binary-chooser"), "binaries", binaryColumns, modeLanes.chosen, describeColumn, drawTimePlots);
} else {
  leaveOut(["modes"]);
}
if (anyRow && (constraintPlot.names.length || constraintPlot.unknown.length)) constraintPlot.setUp();
else leaveOut(["constraints"]);
makeScrollable();
if (anyRow) {
  drawEverything();
  redrawWhereNeeded();
} else {
  byId("window").remove();
}
scheduleReadback();
