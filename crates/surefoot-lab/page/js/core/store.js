// The document that is edited, and its history.
//
// The document is `{world, links, start, goals, boards, scene}`. A place is `[x, y]` on a grid, `[x, y, z]` in a voxel world,
// a node's number on a graph. `scene` is what moves in a voxel world, or null.
// Fields are replaced, never changed in place, except the costs of a grid's cells. Everything goes through `change` and
// `paint`, so undo covers everything.
//
// Events: `cells` (Uint32Array of indices that were painted), `fields` (Set of field names that were replaced),
// `change` after either, `history` when undo or redo became possible or impossible.

import { Emitter } from "./emitter.js";

const MOST_ENTRIES = 500;
/** Painted cells kept over all entries. */
const MOST_CELLS = 20_000_000;

export class Store extends Emitter {
  #past = [];
  #future = [];
  /** The entry being written while a gesture lasts. */
  #open = null;

  constructor(doc) {
    super();
    this.doc = doc;
  }

  /** Replaces fields of the document. */
  change(label, fields) {
    const entry = this.#entry(label, (open) => "world" in fields && open.strokes.length > 0);
    for (const name of Object.keys(fields)) {
      if (!entry.before.has(name)) entry.before.set(name, this.doc[name]);
      entry.after.set(name, fields[name]);
    }
    Object.assign(this.doc, fields);
    this.#close(entry);
    this.emit("fields", new Set(Object.keys(fields)));
    this.emit("change");
  }

  /** Gives cells of the grid a cost. Cells that have it already are left alone. */
  paint(label, indices, cost) {
    const costs = this.doc.world.cost;
    const entry = this.#entry(label, (open) => open.before.has("world"));
    const stroke = repaint(costs, cost, new Uint32Array(indices));
    const changed = stroke.indices;
    if (changed.length === 0) return;
    entry.strokes.push(stroke);
    this.#close(entry);
    this.emit("cells", changed);
    this.emit("change");
  }

  /** Everything until `end` becomes one entry of the history. */
  begin(label) {
    if (!this.#open) this.#open = newEntry(label);
  }

  /** Ends a gesture. */
  end() {
    const entry = this.#open;
    this.#open = null;
    if (entry && !isEmpty(entry)) this.#remember(entry);
  }

  /** Ends a gesture and takes back what it did. */
  cancel() {
    const entry = this.#open;
    this.#open = null;
    if (!entry || isEmpty(entry)) return;
    const { indices, before } = joined(entry.strokes);
    entry.indices = indices;
    this.#restore(entry, entry.before, before);
  }

  get undoLabel() {
    return this.#past.at(-1)?.label ?? null;
  }

  get redoLabel() {
    return this.#future.at(-1)?.label ?? null;
  }

  undo() {
    this.end();
    const entry = this.#past.pop();
    if (!entry) return null;
    this.#future.push(entry);
    this.#restore(entry, entry.before, entry.cellsBefore);
    return entry.label;
  }

  redo() {
    this.end();
    const entry = this.#future.pop();
    if (!entry) return null;
    this.#past.push(entry);
    this.#restore(entry, entry.after, entry.cellsAfter);
    return entry.label;
  }

  /** The entry to write to. Cells belong to one world, so a gesture that clashes with that becomes two entries. */
  #entry(label, clashes) {
    if (this.#open && clashes(this.#open)) {
      const { label: gesture } = this.#open;
      this.end();
      this.begin(gesture);
    }
    return this.#open ?? newEntry(label);
  }

  #close(entry) {
    if (entry !== this.#open) this.#remember(entry);
  }

  #remember(entry) {
    const { indices, before } = joined(entry.strokes);
    entry.indices = indices;
    entry.cellsBefore = before;
    // Costs as they are now are the costs after the entry.
    entry.cellsAfter = indices.length > 0 ? takeAll(this.doc.world.cost, indices) : before;
    entry.strokes = null;
    this.#past.push(entry);
    this.#future = [];
    let cells = this.#past.reduce((sum, past) => sum + past.indices.length, 0);
    while (this.#past.length > MOST_ENTRIES || (cells > MOST_CELLS && this.#past.length > 1)) {
      cells -= this.#past.shift().indices.length;
    }
    this.emit("history");
  }

  #restore(entry, fields, costs) {
    const names = new Set(fields.keys());
    for (const [name, value] of fields) this.doc[name] = value;
    const world = this.doc.world;
    if (entry.indices.length > 0) {
      entry.indices.forEach((index, i) => (world.cost[index] = costs[i]));
      this.emit("cells", entry.indices);
    }
    if (names.size > 0) this.emit("fields", names);
    this.emit("change");
    this.emit("history");
  }
}

function newEntry(label) {
  return { label, strokes: [], before: new Map(), after: new Map() };
}

// Plain loops from here on: a stroke may cover a whole map.

/** Gives cells a cost: which ones had another, and what they had. A cell named twice counts once. */
function repaint(costs, cost, indices) {
  const before = new Uint8Array(indices.length);
  let count = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (costs[index] === cost) continue;
    before[count] = costs[index];
    indices[count++] = index;
    costs[index] = cost;
  }
  return { indices: indices.slice(0, count), before: before.slice(0, count) };
}

/** Costs of cells. */
function takeAll(costs, indices) {
  const taken = new Uint8Array(indices.length);
  for (let i = 0; i < indices.length; i++) taken[i] = costs[indices[i]];
  return taken;
}

/** Strokes as one, with the costs that cells had before the first of them. */
function joined(strokes) {
  if (strokes.length === 1) return strokes[0];
  const first = new Map();
  for (const { indices, before } of strokes) {
    indices.forEach((index, i) => first.has(index) || first.set(index, before[i]));
  }
  return { indices: Uint32Array.from(first.keys()), before: Uint8Array.from(first.values()) };
}

const isEmpty = (entry) => entry.strokes.length === 0 && entry.before.size === 0;
