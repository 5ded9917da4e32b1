// The document that a person edits, and its history.
//
// The document is `{world, links, start, goals, boards}`. A place is `[x, y]` on a grid, a node's number on a graph.
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
    const entry = this.#entry(label, (open) => "world" in fields && open.cells.size > 0);
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
    const changed = [];
    let entry = null;
    for (const index of indices) {
      if (costs[index] === cost) continue;
      entry ??= this.#entry(label, (open) => open.before.has("world"));
      if (!entry.cells.has(index)) entry.cells.set(index, costs[index]);
      costs[index] = cost;
      changed.push(index);
    }
    if (!entry) return;
    this.#close(entry);
    this.emit("cells", Uint32Array.from(changed));
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
    entry.indices = Uint32Array.from(entry.cells.keys());
    this.#restore(entry, entry.before, Uint8Array.from(entry.cells.values()));
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
    // Costs as they are now are the costs after the entry.
    const indices = Uint32Array.from(entry.cells.keys());
    const painted = this.doc.world.cost;
    entry.indices = indices;
    entry.cellsBefore = Uint8Array.from(entry.cells.values());
    entry.cellsAfter = Uint8Array.from(indices, (index) => painted[index]);
    entry.cells = null;
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
  return { label, cells: new Map(), before: new Map(), after: new Map() };
}

const isEmpty = (entry) => entry.cells.size === 0 && entry.before.size === 0;
