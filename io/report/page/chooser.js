"use strict";
// Which signals are drawn: all of a small model, the first ones of a large one and those found by name.

const longestList = 60;

/**
 * A folded list of check boxes with a search box in `host`. `chosen` is the set of columns that are drawn;
 * `changed` is called after every change of it.
 */
function makeChooser(host, columns, chosen, changed) {
  if (columns.length < 2) return;
  const summary = element("summary");
  const search = element("input", { type: "search", placeholder: "search by name" });
  const list = element("div", { className: "choices" });
  const note = element("p", { className: "hint" });
  const matching = () => {
    const text = search.value.trim().toLowerCase();
    return columns.filter((column) => data.columns[column].name.toLowerCase().includes(text));
  };
  const update = () => {
    const found = matching();
    summary.textContent = `${chosen.size} of ${columns.length} drawn – choose`;
    list.replaceChildren(...found.slice(0, longestList).map((column) => {
      const box = element("input", { type: "checkbox", checked: chosen.has(column) });
      box.addEventListener("change", () => choose([column], box.checked));
      return element("label", {}, box, withUnit(data.columns[column]));
    }));
    note.textContent = found.length > longestList ? `${found.length - longestList} more names match` : "";
  };
  const choose = (which, wanted) => {
    for (const column of which) {
      if (wanted) chosen.add(column);
      else chosen.delete(column);
    }
    update();
    changed();
  };
  const button = (text, act) => {
    const node = element("button", { type: "button", textContent: text });
    node.addEventListener("click", act);
    return node;
  };
  search.addEventListener("input", update);
  host.append(element("details", { className: "chooser" }, summary, search,
    button("Add these", () => choose(matching().slice(0, longestList), true)),
    button("Only these", () => { chosen.clear(); choose(matching().slice(0, longestList), true); }),
    button("None", () => choose(columns, false)), list, note));
  update();
}
