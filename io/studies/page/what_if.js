"use strict";
// Sliders over the factors of a grid. `study.values[k][run]` is quantity k of a run, null where the run has not come to it;
// runs are in the order of the grid, the last factor changing fastest.
const study = JSON.parse(document.getElementById("study").textContent);
const element = (id) => document.getElementById(id);
const shown = (value) => (value === null ? "–" : String(Number(value.toPrecision(6))));
const make = (tag, text = "", attributes = {}) => {
  const node = document.createElement(tag);
  node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

// Where each slider stands, in levels: 1.25 is a quarter of the way from the second level to the third.
const place = study.factors.map((factor) => (factor.levels.length - 1) / 2);
const stride = study.factors.map((_, j) => study.factors.slice(j + 1).reduce((n, factor) => n * factor.levels.length, 1));

const value_at = (j) => {
  const { levels, words } = study.factors[j];
  if (words) return words[place[j]];
  const low = Math.floor(place[j]), part = place[j] - low;
  return part === 0 ? levels[low] : levels[low] + part * (levels[low + 1] - levels[low]);
};

// The corners of the cell of the grid with their weights, those of weight zero left out.
function neighbours() {
  let corners = [{ run: 0, weight: 1 }];
  place.forEach((position, j) => {
    const low = Math.floor(position), part = position - low;
    corners = corners.flatMap(({ run, weight }) => [
      { run: run + low * stride[j], weight: weight * (1 - part) },
      ...(part > 0 ? [{ run: run + (low + 1) * stride[j], weight: weight * part }] : []),
    ]);
  });
  return corners;
}

// What a run has of events, in the order of time where times are kept: the part of it that is no number.
function sequence(run) {
  const times = [], counts = [];
  study.quantities.forEach((quantity, k) => {
    const value = study.values[k][run];
    if (quantity.kind === "event_time" && value !== null) times.push([value, quantity.event]);
    if (quantity.kind === "event_count" && value !== null) counts.push(`${value}× ${quantity.event}`);
  });
  times.sort((a, b) => a[0] - b[0]);
  return { words: times.map((entry) => entry[1]).concat(counts), times };
}

function mean(corners, k) {
  let sum = 0;
  for (const { run, weight } of corners) {
    const value = study.values[k][run];
    if (value === null) return null;
    sum += weight * value;
  }
  return sum;
}

function show_quantities(corners) {
  const body = element("quantities");
  body.replaceChildren();
  study.quantities.forEach((quantity, k) => {
    const values = corners.map(({ run }) => study.values[k][run]).filter((value) => value !== null);
    const row = make("tr");
    row.append(make("td", quantity.name));
    for (const value of [mean(corners, k), ...(values.length ? [Math.min(...values), Math.max(...values)] : [null, null])])
      row.append(make("td", shown(value), { class: "number" }));
    body.append(row);
  });
}

function show_neighbours(corners) {
  const head = make("tr"), body = element("neighbours");
  for (const name of ["run", ...study.factors.map((factor) => factor.name), "weight", "outcome", "events"]) head.append(make("th", name));
  element("neighbours-head").replaceChildren(head);
  body.replaceChildren();
  const kinds = new Set();
  for (const { run, weight } of corners) {
    const events = sequence(run), row = make("tr"), outcome = study.outcomes[study.outcome[run]];
    kinds.add(JSON.stringify([outcome, events.words]));
    row.append(make("td", String(run)));
    study.factors.forEach((factor, j) => {
      const level = Math.floor(run / stride[j]) % factor.levels.length;
      row.append(make("td", factor.words ? factor.words[level] : shown(factor.levels[level])));
    });
    row.append(make("td", shown(weight), { class: "number" }), make("td", outcome));
    const told = events.times.map(([time, word]) => `${word} at ${shown(time)}`).concat(events.words.slice(events.times.length));
    row.append(make("td", told.join("; ")));
    body.append(row);
  }
  const differ = kinds.size > 1, notice = element("difference");
  notice.className = differ ? "warning" : "";
  notice.textContent = differ ? "The neighbouring runs have different events or ends: between them values may jump. Their sequences stand below." : "";
}

// Signals that are kept at several times.
const curves = new Map();
study.quantities.forEach((quantity, k) => {
  if (quantity.kind === "value_at") curves.set(quantity.signal, [...(curves.get(quantity.signal) ?? []), { time: quantity.time, k }]);
});
for (const [signal, points] of curves) {
  points.sort((a, b) => a.time - b.time);
  const range = [Infinity, -Infinity];
  for (const { k } of points)
    for (const value of study.values[k]) {
      if (value === null) continue;
      range[0] = Math.min(range[0], value);
      range[1] = Math.max(range[1], value);
    }
  points.range = range;
  if (points.length < 2 || range[0] > range[1]) curves.delete(signal);
}

function path(points, x, y) {
  return points.filter((point) => point[1] !== null).map((point, i) => `${i ? "L" : "M"}${x(point[0]).toFixed(2)} ${y(point[1]).toFixed(2)}`).join("");
}

function show_curves(corners) {
  element("plots").replaceChildren();
  element("curves").hidden = curves.size === 0;
  for (const [signal, points] of curves) {
    const [low, high] = points.range, first = points[0].time, last = points.at(-1).time;
    const x = (time) => 46 + (280 * (time - first)) / (last - first), y = (value) => 14 + 140 * (high > low ? (high - value) / (high - low) : 0.5);
    const line = (name, values) => `<path class="${name}" d="${path(values, x, y)}"/>`;
    const lines = corners.map(({ run }) => line("corner", points.map(({ time, k }) => [time, study.values[k][run]])));
    lines.push(line("middle", points.map(({ time, k }) => [time, mean(corners, k)])));
    const holder = make("div");
    holder.innerHTML = `<svg viewBox="0 0 340 190" role="img"><title></title><path class="grid" fill="none" d="M46 154H326M46 14H326"/>${lines.join("")}
      <text class="y" x="42" y="18">${shown(high)}</text><text class="y" x="42" y="158">${shown(low)}</text><text class="x" x="46" y="168">${shown(first)}</text>
      <text class="x" x="326" y="168">${shown(last)}</text><text class="label" x="186" y="184"></text></svg>`;
    holder.querySelector("title").textContent = `${signal} over time: interpolated, and of the neighbouring runs`;
    holder.querySelector(".label").textContent = signal;
    element("plots").append(holder.firstChild);
  }
}

function show() {
  study.factors.forEach((factor, j) => {
    const value = value_at(j);
    element(`output-${j}`).textContent = factor.words ? value : shown(value);
    element(`factor-${j}`).value = place[j];
    element(`factor-${j}`).setAttribute("aria-valuetext", element(`output-${j}`).textContent);
  });
  const corners = neighbours();
  show_quantities(corners);
  show_curves(corners);
  show_neighbours(corners);
}

function set_place(j, position) {
  place[j] = Math.min(Math.max(position, 0), study.factors[j].levels.length - 1);
}

// "#a=1.5&b=3" puts sliders to values: what is looked at can be sent as a link.
function read_address() {
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    const j = study.factors.findIndex((factor) => factor.name === name);
    if (j < 0) continue;
    const { levels, words } = study.factors[j];
    if (words) {
      if (words.includes(text)) set_place(j, words.indexOf(text));
      continue;
    }
    const value = Number(text), up = levels.at(-1) > levels[0];
    if (text === "" || !Number.isFinite(value)) continue;
    if (!study.factors[j].between) {
      if (levels.includes(value)) set_place(j, levels.indexOf(value));
      continue;
    }
    const above = levels.findIndex((level) => (up ? level >= value : level <= value));
    if (above < 0) set_place(j, levels.length - 1);
    else if (above === 0) set_place(j, 0);
    else set_place(j, above - 1 + (value - levels[above - 1]) / (levels[above] - levels[above - 1]));
  }
}

element("title").textContent = `What if: ${study.name || "the study"}`;
document.title = element("title").textContent;
study.factors.forEach((factor, j) => {
  const slider = make("input", "", { id: `factor-${j}`, type: "range", min: 0, max: factor.levels.length - 1, step: factor.between ? 0.01 : 1 });
  slider.addEventListener("input", () => {
    set_place(j, Number(slider.value));
    const words = study.factors.map((other, i) => `${encodeURIComponent(other.name)}=${encodeURIComponent(value_at(i))}`);
    history.replaceState(null, "", `#${words.join("&")}`);
    show();
  });
  element("factors").append(make("label", factor.name, { for: slider.id }), slider, make("output", "", { id: `output-${j}`, for: slider.id }));
});
place.forEach((position, j) => {
  if (!study.factors[j].between) set_place(j, Math.floor(position));
});
window.addEventListener("hashchange", () => {
  read_address();
  show();
});
read_address();
show();
