"use strict";
// Which signals are drawn: all of a small model, the first ones of a large one and those found by name.

const longestList = 60;
const mostDrawnAtFirst = 27;

/** The columns that are drawn to begin with: all, or some of every group. */
function firstChoice(columns) {
  if (columns.length <= mostDrawnAtFirst) return new Set(columns);
  const inGroup = (wanted) => columns.filter((column) => (data.columns[column].group === "input") === wanted);
  return new Set([...inGroup(false).slice(0, 12), ...inGroup(true).slice(0, 4)]);
}

/**
 * A list of check boxes with a search box in `host`, open where not everything is drawn. `chosen` is the set of
 * entries of `all` that are drawn; `describe(entry)` is {name, suffix}; `changed` is called after every change.
 */
function makeChooser(host, what, all, chosen, describe, changed) {
  if (all.length < 2) return;
  const summary = element("summary");
  const search = element("input", { type: "search", placeholder: "search by name", ariaLabel: `Search ${what} by name` });
  const list = element("div", { className: "choices" });
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", `${what} to draw`);
  const note = element("p", { className: "hint" });
  note.setAttribute("aria-live", "polite");
  const matching = () => {
    const text = search.value.trim().toLowerCase();
    return all.filter((entry) => describe(entry).name.toLowerCase().includes(text));
  };
  const update = () => {
    const found = matching();
    const listed = found.slice(0, longestList).map((entry) => ({ entry, ...describe(entry) }));
    const room = Math.max(0, ...listed.map(({ suffix }) => suffix.length));
    const short = shortNames(listed.map(({ name }) => name), Math.max(8, (isNarrow() ? 17 : 27) - room));
    summary.textContent = `${chosen.size} of ${all.length} ${what} drawn – search and choose`;
    list.replaceChildren(...listed.map(({ entry, name, suffix }, i) => {
      const box = element("input", { type: "checkbox", checked: chosen.has(entry) });
      box.addEventListener("change", () => choose([entry], box.checked));
      return element("label", {}, box, named(element("span"), short[i] + suffix, name + suffix));
    }));
    note.textContent = found.length > longestList ? `${found.length - longestList} more names match`
      : found.length === 0 ? "No name matches." : "";
  };
  const choose = (which, wanted) => {
    for (const entry of which) {
      if (wanted) chosen.add(entry);
      else chosen.delete(entry);
    }
    const focused = [...list.querySelectorAll("input")].indexOf(document.activeElement);
    update();
    if (focused >= 0) list.querySelectorAll("input")[focused]?.focus();
    changed();
  };
  const button = (text, act) => {
    const node = element("button", { type: "button", textContent: text });
    node.addEventListener("click", act);
    return node;
  };
  search.addEventListener("input", update);
  host.append(element("details", { className: "chooser", open: all.length > chosen.size }, summary, search,
    button("Add these", () => choose(matching().slice(0, longestList), true)),
    button("Only these", () => { chosen.clear(); choose(matching().slice(0, longestList), true); }),
    button("None", () => choose(all, false)), list, note));
  update();
}

/** What a chooser says of a column. */
function describeColumn(column) {
  const { name, unit, group } = data.columns[column];
  return { name, suffix: (unit ? ` [${unit}]` : "") + (group.endsWith("input") ? " (input)" : "") };
}
