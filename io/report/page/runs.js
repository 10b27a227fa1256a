"use strict";
// The runs of the page, one or two, and the values of signals at their rows. All time plots share one axis of
// time, which has every row of every run; where a run has no row its values are undefined, which is no gap.

const runs = data.runs ?? [{ name: "", time: data.time, side: data.side, values: data.values, events: data.events }];
const comparing = runs.length > 1;

/** One rising list of all times; an instant stands in it as often as in the run that has most rows of it. */
function mergeTimes(lists) {
  const time = [];
  const next = lists.map(() => 0);
  const places = lists.map((list) => new Array(list.length));
  while (next.some((row, run) => row < lists[run].length)) {
    const now = Math.min(...lists.map((list, run) => list[next[run]] ?? Infinity));
    lists.forEach((list, run) => {
      if (list[next[run]] === now) places[run][next[run]++] = time.length;
    });
    time.push(now);
  }
  return { time, places };
}

if (comparing) {
  const { time, places } = mergeTimes(runs.map((run) => run.time));
  data.time = time;
  runs.forEach((run, index) => { run.places = places[index]; });
  data.events = runs.flatMap((run, index) => run.events.map((event) => ({ ...event, run: index })))
    .sort((a, b) => a.time - b.time);
}

/** Values as the page holds them, at all of `count` rows; undefined where it holds none. */
function atRows(held, count) {
  if (Array.isArray(held) || held === null) return held;
  const all = new Array(count).fill(undefined);
  held.rows.forEach((row, i) => {
    if (held.thinned) all[row] = held.values[i];
    else all.fill(held.values[i], row, held.rows[i + 1] ?? count);
  });
  return all;
}

/** The values of a column at the rows of a run. */
function rowValues(column, run = 0) {
  const { values, time } = runs[run];
  values[column] = atRows(values[column], time.length);
  return values[column];
}

/** The same at the times of the common axis. */
function valuesOf(column, run = 0) {
  const own = rowValues(column, run);
  if (!comparing || own === null) return own;
  runs[run].merged ??= new Map();
  if (!runs[run].merged.has(column)) {
    const all = new Array(data.time.length).fill(undefined);
    own.forEach((value, row) => { all[runs[run].places[row]] = value; });
    runs[run].merged.set(column, all);
  }
  return runs[run].merged.get(column);
}

/** The runs that have a column. */
const runsWith = (column) => runs.flatMap((run, index) => (run.values[column] === null ? [] : [index]));

/** The name of a column, with that of the run where there are two. */
const nameInRun = (column, run) => data.columns[column].name + (comparing ? ` (${runs[run].name})` : "");
