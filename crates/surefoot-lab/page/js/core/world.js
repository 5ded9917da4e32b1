// Worlds as the page holds them, and as the JSON that files and the server use (docs/formats.md).

import { FLOOR, WALL } from "./ground.js";
import { readVoxels, writeVoxels } from "./voxels.js";

export { FLOOR, WALL };

/**
 * Cells with costs: 0 is wall. Only the store changes the costs in place; links are in the
 * document, beside the world.
 */
export class GridWorld {
  kind = "grid";

  constructor(width, height, cost = new Uint8Array(width * height).fill(FLOOR), frame = {}) {
    this.width = width;
    this.height = height;
    this.cost = cost;
    /** `origin` and `cell_size` of the file, kept for export. */
    this.frame = frame;
    /** In a layer of a scene, 1 for cells that something moving covers; else null. */
    this.covered = null;
  }

  get nodeCount() {
    return this.width * this.height;
  }

  contains(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  index(x, y) {
    return y * this.width + x;
  }

  /** The place `[x, y]` of a cell's index. */
  place(index) {
    return [index % this.width, Math.floor(index / this.width)];
  }

  /** The index of a place, or -1 outside. */
  indexOf(place) {
    return place && this.contains(place[0], place[1]) ? this.index(place[0], place[1]) : -1;
  }

  /** The middle of a cell in world coordinates. */
  middle(index) {
    return this.place(index).map((value) => value + 0.5);
  }

  isOpen(index) {
    return this.cost[index] !== WALL;
  }

  /** Whether all open cells cost the same. */
  isLevel() {
    const first = this.cost.find((cost) => cost !== WALL);
    return this.cost.every((cost) => cost === WALL || cost === first);
  }

  /** The corners of everything, in cells. */
  bounds() {
    return { left: 0, top: 0, right: this.width, bottom: this.height };
  }
}

/** Nodes and edges. Never changed: an edit makes a new one. */
export class GraphWorld {
  kind = "graph";

  constructor(nodes, edges) {
    /** `[x, y]` or `[x, y, z]` each. */
    this.nodes = nodes;
    /** `{from, to, cost, kind, two_way}`; a road without a cost costs its length. */
    this.edges = edges;
  }

  get nodeCount() {
    return this.nodes.length;
  }

  place(index) {
    return index;
  }

  indexOf(place) {
    return Number.isInteger(place) && place >= 0 && place < this.nodes.length ? place : -1;
  }

  /** The position of a node. */
  middle(index) {
    return this.nodes[index];
  }

  isOpen(index) {
    return index >= 0 && index < this.nodes.length;
  }

  /** Edges have individual costs. */
  isLevel() {
    return false;
  }

  bounds() {
    if (this.nodes.length === 0) return { left: 0, top: 0, right: 20, bottom: 12 };
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const [x, y] of this.nodes) {
      box.left = Math.min(box.left, x);
      box.top = Math.min(box.top, y);
      box.right = Math.max(box.right, x);
      box.bottom = Math.max(box.bottom, y);
    }
    const pad = Math.max(1, 0.06 * Math.max(box.right - box.left, box.bottom - box.top));
    return { left: box.left - pad, top: box.top - pad, right: box.right + pad, bottom: box.bottom + pad };
  }
}

const FORMATS = new Map();

/**
 * Defines how worlds of a kind are read and written: `read(json)` returns `{world, links}`, `write(world, links)` the JSON without its
 * head, and `tidied`, if given, the form in which a world of the server would be drawn.
 */
export function defineKind(kind, { read, write, tidied: tidy = (map) => map }) {
  FORMATS.set(kind, { read, write, tidy });
}

function formatOf(kind) {
  const format = FORMATS.get(kind);
  if (!format) throw new Error(`This page cannot show worlds of the kind “${kind}”`);
  return format;
}

/** Reads the JSON of a world: `{world, links}`. The server has checked it. */
export const readWorld = (json) => formatOf(json.kind).read(json);

/** The JSON of a world with its links. */
export function writeWorld(world, links = []) {
  return { surefoot: "world", version: 1, kind: world.kind, ...formatOf(world.kind).write(world, links) };
}

/**
 * A world of the server in the form in which it would be drawn. The server writes each direction of an edge or link and every
 * cost: two opposite directions become one two-way edge again, and a road that costs its length gets no cost of its own.
 */
export const tidied = (map) => formatOf(map.world.kind).tidy(map);

defineKind("voxel", { read: (json) => ({ world: readVoxels(json), links: [] }), write: writeVoxels });

defineKind("graph", {
  read(json) {
    const edges = (json.edges ?? []).map(({ from, to, cost = null, kind = "road", two_way = false }) => ({
      from, to, cost, kind, two_way,
    }));
    return { world: new GraphWorld(json.nodes ?? [], edges), links: [] };
  },

  write({ nodes, edges }) {
    return { nodes, edges: edges.map(({ cost, ...edge }) => (cost === null ? edge : { ...edge, cost })) };
  },

  tidied({ world: { nodes, edges }, links }) {
    const lengths = edges.map((edge) => (costsLength(nodes, edge) ? { ...edge, cost: null } : edge));
    return { world: new GraphWorld(nodes, joined(lengths)), links };
  },
});

defineKind("grid", {
  read: readGrid,

  write({ width, height, cost, frame }, links) {
    const rows = Array.from({ length: height }, (_, y) => writeRow(cost.subarray(y * width, (y + 1) * width)));
    return { width, height, ...frame, rows, links };
  },

  tidied: ({ world, links }) => ({ world, links: joined(links) }),
});

function readGrid(json) {
  const cost = new Uint8Array(json.width * json.height);
  (json.rows ?? []).forEach((row, y) => readRow(row, cost, y * json.width));
  const frame = {};
  for (const name of ["origin", "cell_size"]) if (json[name] !== undefined) frame[name] = json[name];
  const links = (json.links ?? []).map((link) => ({ ...link, two_way: link.two_way ?? false }));
  return { world: new GridWorld(json.width, json.height, cost, frame), links };
}

/** Cost units per cell: lengths are rounded up to whole units. */
const UNITS = 23780;

function costsLength(nodes, { from, to, cost, kind }) {
  if (kind !== "road" || cost === null) return false;
  const [a, b] = [nodes[from], nodes[to]];
  const length = Math.hypot(a[0] - b[0], a[1] - b[1], (a[2] ?? 0) - (b[2] ?? 0));
  return Math.abs(cost * UNITS - Math.max(Math.ceil(length * UNITS), 1)) < 1.5;
}

/** Joins two edges in opposite directions that have the same cost. */
function joined(edges) {
  const result = [];
  /** The indices in the result of the edges that may still be joined with an opposite edge. */
  const single = new Map();
  for (const edge of edges) {
    const key = (from, to) => `${from}>${to}:${edge.cost}:${edge.kind}`;
    const back = edge.two_way ? undefined : single.get(key(edge.to, edge.from))?.pop();
    if (back !== undefined) {
      result[back] = { ...result[back], two_way: true };
      continue;
    }
    const same = single.get(key(edge.from, edge.to)) ?? [];
    if (!edge.two_way) single.set(key(edge.from, edge.to), [...same, result.length]);
    result.push(edge);
  }
  return result;
}

const CELL = /(#|\.|[1-9]|\((\d+)\))(?:\{(\d+)\})?/g;

function readRow(row, cost, at) {
  for (const [, symbol, number, count] of row.matchAll(CELL)) {
    const value = symbol === "#" ? WALL : symbol === "." ? FLOOR : Number(number ?? symbol);
    const end = at + Number(count ?? 1);
    cost.fill(value, at, end);
    at = end;
  }
}

function writeRow(costs) {
  let row = "";
  for (let x = 0; x < costs.length; ) {
    const cost = costs[x];
    let end = x + 1;
    while (end < costs.length && costs[end] === cost) end++;
    const symbol = cost === WALL ? "#" : cost === FLOOR ? "." : cost <= 9 ? `${cost}` : `(${cost})`;
    const count = end - x;
    row += count > 3 ? `${symbol}{${count}}` : symbol.repeat(count);
    x = end;
  }
  return row;
}
