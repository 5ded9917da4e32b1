// The surfaces of all chunks of a world, kept up to date with what is painted. Boards that show the same world
// share them.

import { coarser, followEdits } from "./coarse.js";
import { CHUNK, drawnSides, surfaceFaces } from "./faces.js";

const known = new WeakMap();
const chunkAt = (coordinate) => Math.floor(coordinate / CHUNK);

/** The meshes of a world. */
export function meshesOf(world) {
  if (!known.has(world)) known.set(world, new Meshes(world, drawnSides(world)));
  return known.get(world);
}

class Meshes {
  #world;
  #sides;
  #counts;
  /** Chunks whose faces are out of date. */
  #stale;
  #coarser = null;

  constructor(world, sides) {
    this.#world = world;
    this.#sides = sides;
    this.#counts = world.size.map((side) => Math.ceil(side / CHUNK));
    const [across, deep, high] = this.#counts;
    /** `{origin, faces, version}`; faces are null until they are made, and the version rises with every change. */
    this.chunks = Array.from({ length: across * deep * high }, (_, chunk) => {
      const row = Math.floor(chunk / across);
      const origin = [chunk % across, row % deep, Math.floor(row / deep)].map((at) => at * CHUNK);
      return { origin, faces: null, version: 0 };
    });
    this.#stale = new Set(this.chunks.keys());
  }

  /** The world with cells twice as large. It follows edits once someone has asked for it, and shows the same sides. */
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
    for (const cell of cells) {
      const place = this.#world.place(cell);
      const ranges = place.map((value) => [Math.max(value - 1, 0), value + 1].map(chunkAt));
      for (let z = ranges[2][0]; z <= ranges[2][1]; z++) {
        for (let y = ranges[1][0]; y <= ranges[1][1]; y++) {
          for (let x = ranges[0][0]; x <= ranges[0][1]; x++) this.#spoil(x, y, z);
        }
      }
    }
  }

  #spoil(x, y, z) {
    const [across, deep, high] = this.#counts;
    if (x < across && y < deep && z < high) this.#stale.add((z * deep + y) * across + x);
  }

  /** Whether everything is up to date. */
  get isReady() {
    return this.#stale.size === 0;
  }

  /** Makes faces that are out of date, those nearest to a place first, for at most so many milliseconds. */
  work(milliseconds, place) {
    if (this.isReady) return;
    const end = performance.now() + milliseconds;
    const far = ({ origin }) => Math.hypot(...origin.map((value, axis) => value + CHUNK / 2 - place[axis]));
    const waiting = [...this.#stale].map((chunk) => ({ chunk, entry: this.chunks[chunk] }));
    for (const { chunk, entry } of waiting.sort((a, b) => far(a.entry) - far(b.entry))) {
      this.#stale.delete(chunk);
      entry.faces = surfaceFaces(this.#world, entry.origin, this.#sides);
      entry.version++;
      if (performance.now() > end) return;
    }
  }
}
