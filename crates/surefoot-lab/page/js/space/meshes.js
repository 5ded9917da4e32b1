// The surfaces of all chunks of a world, kept up to date with what is painted. Boards that show the same world
// share them.

import { Chunks } from "./chunks.js";
import { coarser, followEdits } from "./coarse.js";
import { drawnSides, surfaceFaces } from "./faces.js";

const known = new WeakMap();

/** The meshes of a world. */
export function meshesOf(world) {
  if (!known.has(world)) known.set(world, new Meshes(world, drawnSides(world)));
  return known.get(world);
}

class Meshes {
  #world;
  #sides;
  #chunks;
  #coarser = null;

  constructor(world, sides) {
    this.#world = world;
    this.#sides = sides;
    this.#chunks = new Chunks(world.size);
    this.#chunks.spoilAll();
  }

  get chunks() {
    return this.#chunks.list;
  }

  /** The world with cells twice as large. It follows edits once it has been requested, and shows the same sides. */
  get coarser() {
    if (!this.#coarser) {
      this.#coarser = coarser(this.#world);
      known.set(this.#coarser, new Meshes(this.#coarser, this.#sides));
    }
    return this.#coarser;
  }

  /** Cells were painted: their chunks and those beside them look different. */
  touch(cells) {
    if (this.#coarser) meshesOf(this.#coarser).touch(followEdits(this.#world, this.#coarser, cells));
    for (const cell of cells) this.#chunks.spoil(...this.#world.place(cell));
  }

  /** Whether everything is up to date. */
  get isReady() {
    return this.#chunks.stale.size === 0;
  }

  /** Makes faces that are out of date, those nearest to a place first, for at most so many milliseconds. */
  work(milliseconds, place) {
    this.#chunks.renew((origin) => surfaceFaces(this.#world, origin, this.#sides), place, milliseconds);
  }
}
