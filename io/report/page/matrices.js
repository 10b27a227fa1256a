"use strict";
// S and Φ as pictures on one canvas, column under column: a cell is shaded by the size of its entry and has the
// colour of its sign. Rows have names where there is room for them.

const matrices = {
  ...data.matrices,
  gap: 3,  // rows between S and Φ

  setUp() {
    this.host = byId("matrices");
    if (this.left_out !== undefined || !this.columns) {
      this.host.previousElementSibling.textContent = this.left_out === undefined ? "This model has no columns."
        : `S and Φ have ${this.left_out} non-zeros: too many for a picture.`;
      this.host.remove();
      return;
    }
    this.canvas = this.host.querySelector("canvas");
    this.height = this.signals.length + this.gap + this.rows.length;
    this.cell = Math.max(1, Math.min(14, Math.floor(900 / this.columns), Math.floor(1200 / this.height)));
    this.named = this.cell >= 10;
    this.draw();
    this.canvas.addEventListener("mousemove", (event) => this.showTip(event));
    this.canvas.addEventListener("mouseleave", () => { byId("matrices-tip").hidden = true; });
  },

  draw() {
    if (!this.canvas) return;
    const { canvas, cell } = this;
    const context = canvas.getContext("2d");
    context.font = fontOfAxes;
    const most = isNarrow() ? 12 : 26;
    const [signals, rows] = this.named ? [shortNames(this.signals, most), shortNames(this.rows, most)] : [[], []];
    this.left = this.named ? 8 + widest([...signals, ...rows]) : 0;
    canvas.width = Math.ceil(this.left + this.columns * cell) + 1;
    canvas.height = this.height * cell + 1;
    const top = { S: 0, Phi: this.signals.length + this.gap };
    this.cells = { S: 0, Phi: 0 };
    for (const name of ["S", "Phi"]) {
      const { i, k, v } = this[name];
      const largest = v.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      // Coefficients of Φ differ by orders of magnitude.
      const shade = (value) => (name === "S" ? Math.abs(value) : 1 / (1 + Math.log10(largest / Math.abs(value))));
      v.forEach((value, entry) => {
        context.globalAlpha = 0.25 + 0.75 * shade(value);
        context.fillStyle = value > 0 ? colours.equation : colours.constraint;
        context.fillRect(this.left + k[entry] * cell, (top[name] + i[entry]) * cell, Math.max(1, cell - 1), Math.max(1, cell - 1));
        this.cells[name] += 1;
      });
    }
    context.globalAlpha = 1;
    context.strokeStyle = colours.grid;
    context.strokeRect(this.left + 0.5, 0.5, this.columns * cell - 1, this.signals.length * cell);
    context.strokeRect(this.left + 0.5, top.Phi * cell + 0.5, this.columns * cell - 1, this.rows.length * cell - 1);
    if (!this.named) return;
    context.font = fontOfAxes;
    context.fillStyle = colours.text;
    context.textAlign = "right";
    context.textBaseline = "middle";
    signals.forEach((name, row) => context.fillText(name, this.left - 5, (row + 0.5) * cell));
    rows.forEach((name, row) => context.fillText(name, this.left - 5, (top.Phi + row + 0.5) * cell));
  },

  showTip(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.left) / this.cell);
    const row = Math.floor((event.clientY - box.top) / this.cell);
    const below = row - this.signals.length - this.gap;
    const [matrix, index, name] = row < this.signals.length ? ["S", row, this.signals[row]] : ["Phi", below, this.rows[below]];
    const tip = byId("matrices-tip");
    tip.hidden = name === undefined || column < 0 || column >= this.columns;
    if (tip.hidden) return;
    const entry = this[matrix].i.findIndex((i, at) => i === index && this[matrix].k[at] === column);
    tip.textContent = `${matrix === "S" ? "S" : "Φ"}, ${name}, column ${column + 1}: ` +
      (entry < 0 ? "0" : format(this[matrix].v[entry]));
    tip.style.left = `${event.clientX - box.left + 14}px`;
    tip.style.top = `${event.clientY - box.top + 14}px`;
  },
};
