"use strict";
// Names that are too long for their place: cut in the middle, never so that two of them read the same.

/** `name` with its first `head` and its last characters, `most` in all. */
const cutName = (name, most, head) => `${name.slice(0, head)}…${head + 1 < most ? name.slice(head + 1 - most) : ""}`;

/** The long ones without most of the beginning that they share: "…_number_12_of…". */
function cutInside(names, most) {
  const long = names.filter((name) => name.length > most);
  let shared = 0;
  while (shared < long[0].length && long.every((name) => name[shared] === long[0][shared])) ++shared;
  const begin = Math.max(1, shared - Math.floor(most / 3));
  const cut = (name) => (name.length - begin < most ? `…${name.slice(begin)}` : `…${name.slice(begin, begin + most - 2)}…`);
  return names.map((name) => (name.length <= most ? name : cut(name)));
}

/**
 * Names of at most `most` characters, distinct where `names` are. The place of the cut is the same for all, as
 * near to the middle as it can be; where none serves, what the names have in common at their beginning is left
 * out; where that does not serve either, those that coincide get their position in the list.
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
  const inside = cutInside(names, most);
  if (new Set(inside).size === different) return inside;
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
