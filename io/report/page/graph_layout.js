"use strict";
// Places for the boxes of a directed graph: layers from left to right, what a box takes on its left.

const graphLayout = {
  gapAcross: 56,
  gapDown: 12,
  margin: 8,

  /** Sets x and y of `boxes` ({width, height}) joined by `edges` ({from, to}); returns the size of the whole. */
  place(boxes, edges) {
    const sources = boxes.map(() => []);
    const users = boxes.map(() => []);
    for (const { from, to } of edges) {
      sources[to].push(from);
      users[from].push(to);
    }
    const layers = [];
    this.layersOf(sources).forEach((layer, box) => (layers[layer] ??= []).push(box));
    this.order(layers, sources, users);
    return this.stack(layers, boxes, sources, users);
  },

  /** The longest path to each box; an edge that would close a cycle is passed over. */
  layersOf(sources) {
    const layers = sources.map(() => null);
    const open = new Set();
    const visit = (box) => {
      if (layers[box] !== null) return layers[box];
      open.add(box);
      let layer = 0;
      for (const source of sources[box]) if (!open.has(source)) layer = Math.max(layer, visit(source) + 1);
      open.delete(box);
      layers[box] = layer;
      return layer;
    };
    sources.forEach((unused, box) => visit(box));
    return layers;
  },

  /** Puts the boxes of a layer beside what they are joined with, going to and fro; ties stay in order. */
  order(layers, sources, users) {
    const rank = [];
    const number = (layer) => layer.forEach((box, i) => { rank[box] = (i + 0.5) / layer.length; });
    layers.forEach(number);
    const sort = (layer, neighbours) => {
      const mean = new Map(layer.map((box) => {
        const near = neighbours[box];
        return [box, near.length ? near.reduce((sum, other) => sum + rank[other], 0) / near.length : rank[box]];
      }));
      layer.sort((a, b) => mean.get(a) - mean.get(b) || rank[a] - rank[b]);
      number(layer);
    };
    for (let sweep = 0; sweep < 3; ++sweep) {
      for (const layer of layers.slice(1)) sort(layer, sources);
      for (const layer of layers.slice(0, -1).reverse()) sort(layer, users);
    }
  },

  /** Layers beside each other; in each, boxes as near to the height of what they are joined with as there is room. */
  stack(layers, boxes, sources, users) {
    let x = this.margin;
    for (const layer of layers) {
      let y = 0;
      for (const box of layer) {
        Object.assign(boxes[box], { x, y });
        y += boxes[box].height + this.gapDown;
      }
      x += Math.max(...layer.map((box) => boxes[box].width)) + this.gapAcross;
    }
    for (let sweep = 0; sweep < 3; ++sweep) {
      for (const layer of layers.slice(1)) this.align(layer, boxes, sources);
      for (const layer of layers.slice(0, -1).reverse()) this.align(layer, boxes, users);
    }
    const top = Math.min(0, ...boxes.map((box) => box.y)) - this.margin;
    for (const box of boxes) box.y -= top;
    return {
      width: Math.max(2 * this.margin, x - this.gapAcross + this.margin),
      height: Math.max(0, ...boxes.map((box) => box.y + box.height)) + this.margin,
    };
  },

  /** Moves the boxes of a layer, in their order, beside their neighbours; the wishes are missed evenly up and down. */
  align(layer, boxes, neighbours) {
    const middle = (box) => boxes[box].y + boxes[box].height / 2;
    const wishes = layer.map((box) => {
      const near = neighbours[box];
      return (near.length ? near.reduce((sum, other) => sum + middle(other), 0) / near.length : middle(box)) - boxes[box].height / 2;
    });
    let least = -Infinity;
    const places = layer.map((box, i) => {
      const y = Math.max(least, wishes[i]);
      least = y + boxes[box].height + this.gapDown;
      return y;
    });
    const missed = places.reduce((sum, y, i) => sum + y - wishes[i], 0) / layer.length;
    layer.forEach((box, i) => { boxes[box].y = places[i] - missed; });
  },
};
