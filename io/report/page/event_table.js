"use strict";
// The events as a table; a row leads to its instant in the plots.

const eventTable = {
  shown: 0,
  page: 200,

  /** What the columns say of an event; a column that says nothing of any event is left out. */
  columns: [
    ["Run", (event) => (comparing ? runs[event.run].name : "")],
    ["Time", (event) => format(event.time, 12)],
    ["Kind", (event) => event.kind],
    ["Constraints", (event) => event.constraints.join(", ")],
    ["Changes", (event) => eventTable.changes(event.changed)],
    ["Conditions", (event) => (event.conditions ?? []).join("; ")],
    ["Jumps", (event) => eventTable.changes(event.jumps)],
    ["Impulses", (event) => Object.entries(event.impulses).flatMap(([name, { weight, order, lower = [] }]) =>
      [{ weight, order }, ...lower].map((impulse) => eventTable.impulse(name, impulse))).join(", ")],
    ["Steps", (event) => (event.steps ?? []).map((step) => eventTable.changes(step)).join("; ")],
    ["Ties", (event) => (event.ties ?? []).map((tie) => `{${eventTable.changes(tie)}}`).join(" ")],
    ["Candidates", (event) => String(event.candidates_tried)],
  ],

  changes: (changes) => Object.entries(changes)
    .map(([name, [before, after]]) => `${name}: ${format(before)} → ${format(after)}`).join(", "),
  impulse: (name, { weight, order }) => `${name}: ${format(weight)}${order === 1 ? "" : ` (order ${format(order)})`}`,

  setUp() {
    if (data.events.length === 0) {
      byId("event-table").replaceWith(element("p", { className: "hint", textContent: "No event." }));
      return;
    }
    this.columns = this.columns.filter(([, text]) => data.events.some((event) => text(event) !== ""));
    byId("event-table").append(
      element("thead", {}, element("tr", {}, element("th", { textContent: "#", scope: "col" }),
        ...this.columns.map(([title]) => element("th", { textContent: title, scope: "col" })))),
      element("tbody"));
    byId("more-events").addEventListener("click", () => this.showMore());
    if (data.events_gap) {
      const { after, count } = data.events_gap;
      byId("event-table").before(element("p", { className: "hint",
        textContent: `Of this many events ${count} are left out after the first ${after}; events.json holds all of them.` }));
    }
    this.showMore();
  },

  /** The number of an event in the run, from 1. */
  number: (index) => index + 1 + (data.events_gap && index >= data.events_gap.after ? data.events_gap.count : 0),

  showMore() {
    const end = Math.min(data.events.length, this.shown + this.page);
    const rows = data.events.slice(this.shown, end).map((event, offset) => this.row(event, this.shown + offset));
    byId("event-table").tBodies[0].append(...rows);
    this.shown = end;
    const left = data.events.length - end;
    byId("more-events").hidden = left === 0;
    byId("more-events").textContent = `Show ${Math.min(left, this.page)} more of ${left} events`;
    scheduleReadback();
  },

  row(event, index) {
    const row = element("tr", { tabIndex: 0 }, element("td", { textContent: String(this.number(index)) }),
      ...this.columns.map(([, text]) => element("td", { textContent: text(event) })));
    const select = () => {
      for (const other of row.parentNode.querySelectorAll(".selected")) {
        other.classList.remove("selected");
        other.removeAttribute("aria-current");
      }
      row.classList.add("selected");
      row.setAttribute("aria-current", "true");
      timeWindow.showEvent(index);
    };
    row.addEventListener("click", select);
    row.addEventListener("keydown", (press) => {
      const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[press.key];
      if (press.key === "Enter" || press.key === " ") select();
      else if (next) next.focus();
      else return;
      press.preventDefault();
    });
    return row;
  },
};
