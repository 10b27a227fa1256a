"use strict";
// Names that are too long for their place: cut in the middle, never so that two of them read the same.

/** `name` with its first `head` and its last characters, `most` in all. */
const cutName = (name, most, head) => `${name.slice(0, head)}…${head + 1 < most ? name.slice(head + 1 - most) : ""}`;

/**
 * Names of at most `most` characters, distinct where `names` are. The place of the cut is the same for all, as
 * near to the middle as it can be; where no place serves, those that coincide get their position in the list.
 */
function shortNames(names, most) {
  if (names.every((name) => name.length <= most)) return [...names];
  const different = new Set(names).size;
  const cut = (head) => names.map((name) => (name.length <= most ? name : cutName(name, most, head)));
  const middle = Math.floor(most / 2);
  const heads = Array.from({ length: most }, (unused, head) => head).sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  for (const head of names.length > 2000 ? [middle] : heads) {
    const short = cut(head);
    if (new Set(short).size === different) return short;
  }
  const short = cut(middle);
  const first = new Map();
  names.forEach((name, i) => first.has(short[i]) || first.set(short[i], name));
  return short.map((text, i) => {
    if (first.get(text) === names[i]) return text;
    const number = `~${names.indexOf(names[i]) + 1}`;
    return `${text.slice(0, Math.max(1, most - number.length))}${number}`;
  });
}

/** An element whose text is the short form of a name; the whole name is its title where it was cut. */
function named(node, short, name) {
  node.textContent = short;
  if (short !== name) node.title = name;
  return node;
}
