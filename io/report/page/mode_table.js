'use strict';
// The modes that the run entered with the structure of each, as a table.

const modeTable = {
  ...data.modes,
  mostNames: 24,  // binaries up to which a mode is written in full

  /** What the columns say of a mode; a column that says nothing of any mode is left out. */
  columns: [
    ['First entered', (mode) => format(mode.time, 12)],
    ['Mode', (mode) => modeTable.values(mode)],
    [
      'Index',
      ({structure}) =>
          structure && (structure.singular ? 'structurally singular' : modeTable.index(structure))
    ],
    [
      'Degrees of freedom',
      ({structure}) => structure && !structure.singular && String(structure.degrees_of_freedom)
    ],
    [
      'Differentiated equations',
      ({structure}) =>
          structure?.differentiated.map(([name, times]) => (times === 1 ? name : `${name} (${times}×)`))
              .join(', ')
    ],
    ['Blocks', ({structure}) => structure && !structure.singular && String(structure.blocks)],
    ['Largest block', ({structure}) => structure && !structure.singular && String(structure.largest_block)],
    ['Sliding', (mode) => mode.sliding.length > 0 && `on ${mode.sliding.join(', ')}`],
  ],

  index: ({index, differentiation_index: other}) => String(index) + (other === index ? '' : ` (${other})`),

  /** In the form of --mode; of many binaries those that are 1. */
  values({values}) {
    if (this.names.length <= this.mostNames)
      return this.names.map((name, i) => `${name}=${values[i]}`).join(', ');
    return `${
        this.names.filter((name, i) => values[i] === 1).map((name) => `${name}=1`).join(', ') ||
        'none'}, others 0`;
  },

  setUp() {
    const plain = ({structure}) => structure && !structure.singular && structure.index === 0;
    if (this.list.length === 0 || (this.names.length === 0 && this.list.every(plain))) {
      byId('modes-entered').remove();
      return;
    }
    const columns = this.columns.filter(([, text]) => this.list.some((mode) => text(mode)));
    byId('mode-table')
        .append(
            element(
                'thead', {},
                element('tr', {}, ...columns.map(([title]) => element('th', {textContent: title})))),
            element(
                'tbody', {},
                ...this.list.map((mode) => element('tr', {}, ...columns.map(([, text]) => element('td', {
                                                                              textContent: text(mode) || ''
                                                                            }))))));
    byId('modes-left-out').hidden = this.left_out === 0;
    byId('modes-left-out').textContent = `${this.left_out} more were entered later.`;
  },
};
