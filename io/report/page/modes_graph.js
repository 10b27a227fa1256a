'use strict';
// The structure of all modes: the conditional dependency graph as a drawing, with the modes that have chosen
// values of the binaries picked out, and the tables of what structure says of them.

const modesGraph = {
  ...data.all_modes,
  mostLines: 4,   // signals named in a box
  mostRules: 12,  // of the modes considered
  lineHeight: 16,

  setUp() {
    if (this.left_out !== undefined) {
      byId('modes-text').textContent = `Left out: ${this.left_out}`;
      for (const node of [...byId('all-modes').children].slice(2)) node.remove();
      return;
    }
    this.sized = [];  // [element, set]: elements that stand for modes, out of place where none is left
    this.describe();
    this.setUpGraph();
    this.setUpClasses();
    this.setUpLists();
    if (this.filter_left_out) {
      byId('mode-filter')
          .replaceWith(
              element('p', {className: 'hint', textContent: `No choice of modes: ${this.filter_left_out}`}));
      byId('mode-verdict').remove();
      return;
    }
    modeFilter.setUp(this);
    this.setUpToggles();
    this.show();
  },

  describe() {
    const {binaries, all, considered, regular, singular} = this;
    const rules = this.considered_where;
    const parts = [`${binaries.length} ${binaries.length === 1 ? 'binary' : 'binaries'}, ${all} modes`];
    if (considered !== all) {
      const more = rules.length - this.mostRules;
      const shown = more > 0 ? [...rules.slice(0, this.mostRules), `and ${more} more rules`] : rules;
      parts.push(`${considered} of them considered (${shown.join('; ')})`);
    }
    if (considered !== '0')
      parts.push(
          singular === '0' ? 'all structurally regular' :
                             `${regular} structurally regular, ${singular} structurally singular: where ${
                                 this.singular_where}`);
    byId('modes-text').textContent = `${parts.join(', ')}.`;
  },

  setUpToggles() {
    byId('mode-toggles')
        .append(...this.binaries_in_order.map(
            (binary) => element(
                'fieldset', {}, element('legend', {textContent: this.binaries[binary]}),
                ...[['free', null], ['0', 0], ['1', 1]].map(([text, value]) => {
                  const button = element(
                      'input', {type: 'radio', name: `mode-${binary}`, value: text, checked: value === null});
                  button.addEventListener('change', () => {
                    modeFilter.chosen[binary] = value;
                    this.show();
                  });
                  return element('label', {}, button, text);
                }))));
    byId('mode-free').addEventListener('click', () => {
      modeFilter.chosen.fill(null);
      for (const button of byId('mode-toggles').querySelectorAll('input[value="free"]'))
        button.checked = true;
      this.show();
    });
    byId('mode-hide')
        .addEventListener(
            'change', () => byId('all-modes').classList.toggle('hide-gone', byId('mode-hide').checked));
    byId('mode-filter').addEventListener('submit', (event) => event.preventDefault());
  },

  /** Boxes of the signals solved for, joined from what is taken to where it is taken. */
  setUpGraph() {
    const host = byId('mode-graph');
    if (this.graph_left_out || this.blocks.length === 0) {
      host.remove();
      byId('mode-graph-text').textContent =
          this.graph_left_out ? `The graph of the blocks is not drawn: ${this.graph_left_out}` : '';
      return;
    }
    byId('mode-graph-text').textContent =
        'Blocks of equations with the leading derivatives they are solved for; arrows from ' +
        'what is taken to where it is taken; dashed: not in all regular modes left. Point at a block for its equations and modes.';
    const drawing = host.querySelector('svg');
    const boxes = this.blocks.map((block) => this.box(block));
    const {width, height} = graphLayout.place(boxes, this.edges);
    drawing.setAttribute('width', width);
    drawing.setAttribute('height', height);
    this.blockNodes = boxes.map((box, b) => this.drawBlock(drawing, box, this.blocks[b]));
    this.edgeNodes = this.edges.map((edge) => this.drawEdge(drawing, boxes[edge.from], boxes[edge.to], edge));
    drawing.replaceChildren(...this.edgeNodes, ...this.blockNodes);
    this.edges.forEach(({from, to}, e) => {
      for (const block of [from, to]) {
        const mark = (near) => () => this.edgeNodes[e].classList.toggle('near', near);
        for (const type of ['mouseenter', 'focus']) this.blockNodes[block].addEventListener(type, mark(true));
        for (const type of ['mouseleave', 'blur']) this.blockNodes[block].addEventListener(type, mark(false));
      }
    });
  },

  box({signals}) {
    const lines = signals.length > this.mostLines ?
        [...signals.slice(0, this.mostLines - 1), `… ${signals.length - this.mostLines + 1} more`] :
        signals;
    return {
      lines,
      width: 16 + 7.2 * Math.max(...lines.map((line) => line.length)),
      height: 8 + this.lineHeight * lines.length
    };
  },

  drawBlock(drawing, {lines, x, y, width, height}, {equations, signals, where}) {
    const node = shape(drawing, 'g', {class: 'block'});
    const title =
        `${signals.join(', ')}\nfrom ${equations.join(', ')}${where === 'true' ? '' : `\nwhere ${where}`}`;
    node.setAttribute('tabindex', '0');
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', title.replaceAll('\n', '; '));
    node.append(
        shape(drawing, 'title', {}, title), shape(drawing, 'rect', {x, y, width, height, rx: 4}),
        ...lines.map(
            (line, i) =>
                shape(drawing, 'text', {x: x + width / 2, y: y + 4 + this.lineHeight * (i + 0.5)}, line)));
    return node;
  },

  drawEdge(drawing, from, to, {where}) {
    const node = shape(drawing, 'g', {class: 'edge'});
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
    const bend = Math.max(28, Math.abs(x2 - x1) / 2);
    node.append(
        shape(drawing, 'title', {}, where === 'true' ? 'where both are' : `where ${where}`),
        shape(
            drawing, 'path',
            {class: 'line', d: `M ${x1} ${y1} C ${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 6} ${y2}`}),
        shape(drawing, 'path', {class: 'head', d: `M ${x2} ${y2} l -8 -4 v 8 z`}));
    return node;
  },

  table(host, titles, rows) {
    const cells = (tag, texts) => texts.map((textContent) => element(tag, {textContent}));
    host.append(
        element('thead', {}, element('tr', {}, ...cells('th', titles))),
        element('tbody', {}, ...rows.map(({texts, set}) => {
          const row = element('tr', {}, ...cells('td', texts));
          if (set !== null) this.sized.push([row, set]);
          return row;
        })));
  },

  setUpClasses() {
    const host = byId('mode-classes');
    host.querySelector('p').textContent = this.classes_left_out ?? '';
    if (this.classes.length === 0)
      host.remove();
    else
      this.table(
          host.querySelector('table'), ['Index', 'Degrees of freedom', 'Modes', 'Where'],
          this.classes.map(
              (one) => ({
                texts: [
                  modeTable.index({...one, differentiation_index: one.differentiation_index ?? one.index}),
                  one.degrees_of_freedom ?? '', one.modes, one.where === 'true' ? 'all' : one.where
                ],
                set: one.set,
              })));
  },

  setUpLists() {
    for (const {title, rows, left_out: more} of this.lists) {
      const table = element('table');
      this.table(
          table, ['What', 'Where'],
          rows.map(([what, where, set]) => ({texts: [what, where === 'true' ? 'all modes' : where], set})));
      byId('mode-lists')
          .append(element('h3', {textContent: title}), element('div', {className: 'scroll'}, table));
      if (more > 0)
        byId('mode-lists').append(element('p', {className: 'hint', textContent: `and ${more} more`}));
    }
  },

  /** Greys what no mode with the chosen values has; what some of them lack is dashed. */
  show() {
    modeFilter.update();
    const mark = (node, {set, missing}) => {
      const there = modeFilter.any(set);
      node.classList.toggle('gone', !there);
      node.classList.toggle('conditional', there && modeFilter.any(missing));
      return there;
    };
    this.blocks.forEach((block, b) => mark(this.blockNodes[b], block));
    this.edges.forEach((edge, e) => mark(this.edgeNodes[e], edge));
    for (const [node, set] of this.sized) node.classList.toggle('gone', !modeFilter.any(set));
    const {text, singular} = this.verdict();
    byId('mode-verdict').textContent = text;
    byId('mode-verdict').className = singular ? 'failed' : '';
    scheduleReadback();
  },

  verdict() {
    const left = modeFilter.considered;
    if (left === 0n) return {text: 'No mode that is considered has these values.', singular: false};
    const [singular, regular] = [this.singular_set, this.regular_set].map((set) => modeFilter.any(set));
    const parts = [`${left} ${left === 1n ? 'mode' : 'modes'}`];
    if (!regular)
      parts.push('structurally singular');
    else
      parts.push(singular ? 'structurally regular ones and singular ones' : 'structurally regular');
    if (regular) {
      const classes = this.classes.filter(({set}) => modeFilter.any(set));
      const range = (values) => {
        const [least, most] = [Math.min(...values), Math.max(...values)];
        return least === most ? `${least}` : `${least} to ${most}`;
      };
      const degrees = classes.map((one) => one.degrees_of_freedom);
      parts.push(`index ${range(classes.map((one) => one.index))}`);
      if (!degrees.includes(null))
        parts.push(`${range(degrees)} ${degrees.every((d) => d === 1) ? 'degree' : 'degrees'} of freedom`);
      const blocks = this.blocks.filter(({set}) => modeFilter.any(set)).length;
      if (!this.graph_left_out) parts.push(`${blocks} of ${this.blocks.length} blocks`);
    }
    return {text: `${parts.join(', ')}.`, singular: !regular};
  },

  /** What is drawn and not greyed: the texts of blocks, the number of edges, the rows of the tables. */
  readBack() {
    const there = (selector) => [...byId('all-modes').querySelectorAll(selector)].filter(
        (node) => !node.closest('.gone'));
    const rows = (selector) =>
        there(`${selector} tbody tr`).map((row) => [...row.cells].map((cell) => cell.textContent));
    return {
      text: byId('modes-text').textContent,
      graphText: byId('mode-graph-text')?.textContent ?? null,
      verdict: byId('mode-verdict')?.textContent ?? null,
      failed: byId('mode-verdict')?.className === 'failed',
      toggles: there('#mode-toggles legend').map((legend) => legend.textContent),
      blocks: there('#mode-graph .block title').map((title) => title.textContent),
      edges: there('#mode-graph .edge').length,
      dashed: there('#mode-graph .conditional').length,
      classes: rows('#mode-classes'),
      lists: rows('#mode-lists'),
    };
  },
};
