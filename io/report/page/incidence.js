"use strict";
// The incidence of (f, g) against (ẋ, y, z) in block lower triangular form: an SVG with names for small models,
// dots on a canvas for large ones.

const incidence = {
  ...data.structure,
  largestDrawing: 200,  // rows or unknowns up to which names and cells are elements of their own

  setUp() {
    const count = Math.max(this.rows.length, this.unknowns.length);
    if (count === 0) return;
    this.places = this.placeBlocks();
    this.host = byId("incidence");
    this.drawing = this.host.querySelector(count > this.largestDrawing ? "canvas" : "svg");
    this.cell = Math.max(4, Math.min(24, Math.floor(640 / count)));
    if (count > this.largestDrawing) {
      this.cell = Math.max(0.5, 900 / count);
      this.host.querySelector("svg").remove();
    } else {
      this.host.querySelector("canvas").remove();
    }
    this.named = this.cell >= 11;
    this.draw();
    this.drawing.addEventListener("mousemove", (event) => this.showTip(event));
    this.drawing.addEventListener("mouseleave", () => { byId("incidence-tip").hidden = true; });
    this.listSubProblems();
    const { rows, unknowns, blocks, combinations_all: all, combinations_reduced: reduced } = this;
    const subSets = new Set(blocks.map((block) => block.sub_set)).size;
    byId("structure-text").textContent = `${rows.length} rows (equations blue, constraints orange) against ` +
      `${unknowns.length} unknowns, permuted to block lower triangular form: ${subSets} sub-set${subSets === 1 ? "" : "s"}, ` +
      `${blocks.length} sub-problem${blocks.length === 1 ? "" : "s"}` +
      (all === "1" ? "." : `, ${reduced} combinations instead of ${all}.`) +
      (this.undetermined.length ? ` No equation is left for ${this.undetermined.join(", ")}.` : "") +
      (this.left_over.length ? ` Equations that determine nothing and are only checked: ${this.left_over.join(", ")}.` : "");
  },

  /** First row and first unknown of every block: they follow each other along the diagonal. */
  placeBlocks() {
    let row = 0;
    let unknown = 0;
    return this.blocks.map((block) => {
      const place = { row, unknown, rows: block.rows, unknowns: block.unknowns };
      row += block.rows;
      unknown += block.unknowns;
      return place;
    });
  },

  draw() {
    if (!this.drawing) return;
    if (this.drawing.tagName === "CANVAS") this.drawDots();
    else this.drawCells();
  },

  drawCells() {
    const { cell, named } = this;
    const most = isNarrow() ? 12 : 26;
    const [rowNames, unknownNames] = [this.rows, this.unknowns].map((list) => shortNames(list.map(({ name }) => name), most));
    const width = (names) => (named ? 8 + widest(names) : 2);
    this.left = width(rowNames);
    this.top = width(unknownNames);
    const draw = (...what) => shape(this.drawing, ...what);
    const inner = [this.unknowns.length * cell, this.rows.length * cell];
    const nodes = [draw("rect", { class: "ground", x: this.left, y: this.top, width: inner[0], height: inner[1] })];
    this.rows.forEach((row, i) => {
      for (const unknown of row.unknowns) {
        nodes.push(draw("rect", {
          class: row.kind, x: this.left + unknown * cell + 1, y: this.top + i * cell + 1,
          width: cell - 2, height: cell - 2, rx: cell > 10 ? 2 : 0,
        }));
      }
    });
    for (const place of this.places) {
      nodes.push(draw("rect", {
        class: "block", x: this.left + place.unknown * cell, y: this.top + place.row * cell,
        width: place.unknowns * cell, height: place.rows * cell,
      }));
    }
    if (named) {
      const write = (attributes, short, { name }) => {
        const node = draw("text", attributes, short);
        if (short !== name) node.append(draw("title", {}, name));
        nodes.push(node);
      };
      this.rows.forEach((row, i) =>
        write({ x: this.left - 5, y: this.top + (i + 0.5) * cell, class: "row" }, rowNames[i], row));
      this.unknowns.forEach((unknown, j) => write({
        class: "unknown", transform: `translate(${this.left + (j + 0.5) * cell},${this.top - 5}) rotate(-90)`,
      }, unknownNames[j], unknown));
    }
    this.drawing.setAttribute("width", this.left + inner[0] + 2);
    this.drawing.setAttribute("height", this.top + inner[1] + 2);
    this.drawing.replaceChildren(...nodes);
  },

  drawDots() {
    const { cell, drawing } = this;
    this.left = this.top = 0;
    drawing.hidden = false;
    drawing.width = Math.ceil(this.unknowns.length * cell);
    drawing.height = Math.ceil(this.rows.length * cell);
    const ctx = drawing.getContext("2d");
    const size = Math.max(1, cell);
    this.dots = 0;
    this.rows.forEach((row, i) => {
      ctx.fillStyle = colours[row.kind];
      for (const unknown of row.unknowns) {
        ctx.fillRect(unknown * cell, i * cell, size, size);
        this.dots += 1;
      }
    });
    ctx.strokeStyle = colours.text;
    ctx.lineWidth = 0.5;
    for (const place of this.places) {
      ctx.strokeRect(place.unknown * cell, place.row * cell, place.unknowns * cell, place.rows * cell);
    }
  },

  showTip(event) {
    const box = this.drawing.getBoundingClientRect();
    const j = Math.floor((event.clientX - box.left - this.left) / this.cell);
    const i = Math.floor((event.clientY - box.top - this.top) / this.cell);
    const tip = byId("incidence-tip");
    const row = this.rows[i];
    const unknown = this.unknowns[j];
    tip.hidden = !row || !unknown;
    if (tip.hidden) return;
    const block = this.places.findIndex((place) => i >= place.row && i < place.row + place.rows);
    tip.textContent = `${row.kind} ${row.name} ${row.unknowns.includes(j) ? "holds" : "is without"} ${unknown.name}` +
      (block < 0 ? "" : ` (sub-problem ${block + 1})`);
    tip.style.left = `${event.clientX - box.left + 14}px`;
    tip.style.top = `${event.clientY - box.top + 14}px`;
  },

  combinations: (binaries) => (binaries === 0 ? "" : binaries < 31 ? String(2 ** binaries) : `2^${binaries}`),

  listSubProblems() {
    const longest = 200;
    const names = (list, first, count) => list.slice(first, first + count).map((entry) => entry.name).join(", ");
    const cells = (tag, texts) => element("tr", {}, ...texts.map((textContent) => element(tag, { textContent })));
    const rows = this.blocks.slice(0, longest).map((block, index) => {
      const place = this.places[index];
      return cells("td", [String(index + 1), String(block.sub_set + 1), names(this.unknowns, place.unknown, place.unknowns),
        names(this.rows, place.row, place.rows), this.combinations(block.binaries)]);
    });
    byId("sub-problems").append(
      element("thead", {}, cells("th", ["#", "Sub-set", "Unknowns", "Equations and constraints", "Combinations"])),
      element("tbody", {}, ...rows));
    if (this.blocks.length > longest) {
      byId("sub-problems").after(element("p", {
        className: "hint", textContent: `and ${this.blocks.length - longest} more sub-problems`,
      }));
    }
  },
};
