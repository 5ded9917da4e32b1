// A world in chunks: which of them are out of date, and drawing those that can be seen.

import { CHUNK } from "./faces.js";
import { meetsBox, scale } from "./matrix.js";

/** How far the middle of a chunk is from a place. */
const farFrom = (place, { origin }) => Math.hypot(...origin.map((value, axis) => value + CHUNK / 2 - place[axis]));

/** Chunks, those nearest to a place first. */
export function nearestFirst(chunks, place) {
  const measured = chunks.map((chunk) => ({ chunk, far: farFrom(place, chunk) }));
  return measured.sort((a, b) => a.far - b.far).map(({ chunk }) => chunk);
}

/** The chunks of a world of a size. */
export class Chunks {
  #counts;
  /** Those that are out of date. */
  stale = new Set();

  constructor(size) {
    this.#counts = size.map((side) => Math.ceil(side / CHUNK));
    const [across, deep, high] = this.#counts;
    /** `{origin, faces, version}`; faces are null until they are made, and the version rises with every change. */
    this.list = Array.from({ length: across * deep * high }, (_, chunk) => {
      const row = Math.floor(chunk / across);
      const origin = [chunk % across, row % deep, Math.floor(row / deep)].map((at) => at * CHUNK);
      return { origin, faces: null, version: 0 };
    });
  }

  /** All are out of date. */
  spoilAll() {
    for (const chunk of this.list) this.stale.add(chunk);
  }

  /** A cell looks different: its chunk, and those beside it, are out of date. */
  spoil(x, y, z) {
    const [across, deep, high] = this.#counts;
    const end = (value, count) => Math.min(Math.floor((value + 1) / CHUNK), count - 1);
    const begin = (value) => Math.floor(Math.max(value - 1, 0) / CHUNK);
    for (let up = begin(z); up <= end(z, high); up++) {
      for (let down = begin(y); down <= end(y, deep); down++) {
        for (let right = begin(x); right <= end(x, across); right++) {
          this.stale.add(this.list[(up * deep + down) * across + right]);
        }
      }
    }
  }

  /** Makes those anew that are out of date, nearest to a place first, for at most so many milliseconds. */
  renew(make, place = [0, 0, 0], milliseconds = Infinity) {
    if (this.stale.size === 0) return;
    const end = performance.now() + milliseconds;
    for (const chunk of nearestFirst([...this.stale], place)) {
      this.stale.delete(chunk);
      chunk.faces = make(chunk.origin);
      chunk.version++;
      if (performance.now() > end) return;
    }
  }
}

/**
 * Draws chunks of cells `size` long as far as they are in the picture. `draw` gives back how many faces a chunk had; after about `piece`
 * of them others may have their turn. `asked` counts them over all that is drawn in a frame.
 */
export function* drawInPieces(chunks, size, { planes, piece, asked }, draw) {
  for (const chunk of chunks) {
    const [least, most] = [chunk.origin, chunk.origin.map((value) => value + CHUNK)].map((corner) => scale(corner, size));
    if (!meetsBox(planes, least, most)) continue;
    if (asked.faces >= piece) {
      yield;
      asked.faces = 0;
    }
    asked.faces += draw(chunk);
  }
}
