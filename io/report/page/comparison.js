"use strict";
// The page of two runs: what they have in common and where they differ; the second is dashed in all plots.

const comparison = {
  setUp() {
    document.title = runs.map((run) => run.name).join(" and ");
    byId("title").textContent = document.title;
    byId("description").textContent = `Two runs of ${this.models()}: ${runs[0].name} drawn solid, ${runs[1].name} dashed.`;
    byId("outcome").replaceWith(...runs.map((run) => this.outcome(run)));
    this.sayWhatIsMissing();
    leaveOut(["equations", "structure", "all-modes"]);
    byId("run-parts").replaceChildren(...["statistics", "options"].map((part) => this.table(part)));
    byId("phase").querySelector(".hint.key").append(` – ${runs[1].name} is dashed`);
  },

  models() {
    const names = [...new Set(runs.map((run) => run.summary.model || "a model without a name"))];
    return names.join(" and ");
  },

  outcome(run) {
    const { outcome, message, end_time: end } = run.summary;
    const completed = outcome === "reached_stop";
    const node = element("p", { className: `outcome ${completed ? "completed" : "failed"}` }, `${run.name}: `,
      element("strong", { textContent: completed ? "reached the stop time" : `ended early: ${String(outcome).replaceAll("_", " ")}` }),
      ` at t = ${format(end, 12)}`);
    if (message) node.append(element("br"), message);
    return node;
  },

  /** Signals that only one of the runs has. */
  sayWhatIsMissing() {
    const only = (run) => data.columns.filter((column, index) => runs[1 - run].values[index] === null).map(({ name }) => name);
    for (const run of [0, 1]) {
      const names = only(run);
      if (names.length === 0) continue;
      byId("facts").before(element("p", { className: "hint", textContent:
        `Only in ${runs[run].name}: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ` and ${names.length - 20} more` : ""}.` }));
    }
    byId("facts").remove();
  },

  /** Statistics or options of both, side by side; what differs is in bold. */
  table(part) {
    const keys = [...new Set(runs.flatMap((run) => Object.keys(run.summary[part] ?? {})))];
    const cells = (tag, texts) => texts.map((textContent) => element(tag, { textContent }));
    return element("div", {}, element("h3", { textContent: part[0].toUpperCase() + part.slice(1) }), element("table", { className: "compared" },
      element("thead", {}, element("tr", {}, ...cells("th", ["", ...runs.map((run) => run.name)]))),
      element("tbody", {}, ...keys.map((key) => {
        const values = runs.map((run) => valueText((run.summary[part] ?? {})[key]));
        return element("tr", { className: values[0] === values[1] ? "" : "differs" },
          element("th", { textContent: key.replaceAll("_", " "), scope: "row" }), ...cells("td", values));
      }))));
  },
};
