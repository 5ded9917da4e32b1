// Cells of a voxel world that are marked, as those that a search has seen, and which of them can be seen from outside.
//
// In a chunk a cell is a number, from its lowest bits on: x, y and z inside the chunk (5 bits each), mark (3). One whose six neighbours have the
// same kind of mark is inside, and left out.

import { Chunks } from "./chunks.js";
import { CHUNK } from "./faces.js";

/** Kinds of marks; they may have BACKWARD added. */
export const FIRST = 1;
export const SECOND = 2;
export const BACKWARD = 4;
const KIND = 3;
/** Faces of a cell that an eye may see at a time. */
export const FACES_OF_CELL = 3;

/** Cells of each kind in a chunk, while it is made. */
const found = [FIRST, SECOND].map(() => new Uint32Array(CHUNK ** 3));

export class MarkedCells {
  #size;
  #chunks;
  /** A byte a cell, with one cell around the world, so that every cell has neighbours. */
  #marks;
  /** From a cell to the next one along each axis. */
  #strides;
  #cut = null;
  #coarser = null;

  constructor(size) {
    this.#size = size;
    const [across, deep, high] = size.map((side) => side + 2);
    this.#strides = [1, across, across * deep];
    this.#marks = new Uint8Array(across * deep * high);
    this.#chunks = new Chunks(size);
  }

  #at(x, y, z) {
    const [, row, layer] = this.#strides;
    return x + 1 + (y + 1) * row + (z + 1) * layer;
  }

  /** Marks a cell of the world, by its number; 0 takes the mark away. */
  set(cell, mark) {
    const [width, depth] = this.#size;
    const row = Math.floor(cell / width);
    this.#put(cell % width, row % depth, Math.floor(row / depth), mark);
  }

  #put(x, y, z, mark) {
    const at = this.#at(x, y, z);
    if (this.#marks[at] === mark) return;
    this.#marks[at] = mark;
    this.#chunks.spoil(x, y, z);
    this.#coarser?.#follow(this, x >> 1, y >> 1, z >> 1);
  }

  /** Cells twice as large. A part of one that waits is seen, since what waits is a thin layer around the rest. */
  get coarser() {
    if (!this.#coarser) {
      this.#coarser = new MarkedCells(this.#size.map((side) => Math.ceil(side / 2)));
      const [width, depth, height] = this.#coarser.#size;
      for (let z = 0; z < height; z++) {
        for (let y = 0; y < depth; y++) for (let x = 0; x < width; x++) this.#coarser.#follow(this, x, y, z);
      }
    }
    return this.#coarser;
  }

  /** Marks a cell as the eight cells of a finer world in it are marked. */
  #follow(finer, x, y, z) {
    const marks = finer.#marks;
    const [, row, layer] = finer.#strides;
    const first = finer.#at(2 * x, 2 * y, 2 * z);
    let mark = 0;
    for (let part = 0; part < 8; part++) {
      const other = marks[first + (part & 1) + ((part >> 1) & 1) * row + (part >> 2) * layer];
      if (other !== 0 && (mark & KIND) !== FIRST) mark = other;
    }
    this.#put(x, y, z, mark);
  }

  /** Brings the chunks up to date, in a world that is cut by a slice `{axis, at}` or, with null, is not. */
  chunks(slice) {
    if (slice?.axis !== this.#cut?.axis || slice?.at !== this.#cut?.at) this.#chunks.spoilAll();
    this.#cut = slice;
    this.#chunks.renew((origin) => this.#cellsOf(origin));
    return this.#chunks.list;
  }

  /** The cells of a chunk, `{list, ends, each}`: those of the first kind before those of the second. */
  #cellsOf(origin) {
    const marks = this.#marks;
    const counts = [0, 0];
    const ends = origin.map((from, axis) => Math.min(from + CHUNK, this.#size[axis]));
    const { axis, at: last } = this.#cut ?? { axis: -1 };
    if (axis >= 0) ends[axis] = Math.min(ends[axis], last + 1);
    const [, row, layer] = this.#strides;
    for (let z = origin[2]; z < ends[2]; z++) {
      for (let y = origin[1]; y < ends[1]; y++) {
        const onCut = (axis === 2 && z === last) || (axis === 1 && y === last);
        let at = this.#at(origin[0], y, z);
        for (let x = origin[0]; x < ends[0]; x++, at++) {
          const mark = marks[at];
          if (mark === 0) continue;
          const differs =
            ((mark ^ marks[at - 1]) | (mark ^ marks[at + 1]) | (mark ^ marks[at - row]) | (mark ^ marks[at + row]) |
              (mark ^ marks[at - layer]) | (mark ^ marks[at + layer])) & KIND;
          if (differs === 0 && !onCut && !(axis === 0 && x === last)) continue;
          const kind = (mark & KIND) - FIRST;
          found[kind][counts[kind]++] = (x - origin[0]) | ((y - origin[1]) << 5) | ((z - origin[2]) << 10) | (mark << 15);
        }
      }
    }
    const list = new Uint32Array(counts[0] + counts[1]);
    list.set(found[0].subarray(0, counts[0]));
    list.set(found[1].subarray(0, counts[1]), counts[0]);
    return { list, ends: [counts[0], list.length], each: FACES_OF_CELL };
  }
}
