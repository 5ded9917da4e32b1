// Worlds of cells in three dimensions, as the page holds them and as JSON (docs/lab-protocol.md, "Voxel worlds").

import { FLOOR, WALL } from "./ground.js";
import { fromBase64, toBase64 } from "./pack.js";

/**
 * Cells that are solid or open: x to the right, y to the south, z up. A cell has a byte, as on grids (0 is solid), so
 * that painting and its history are the same. Only the store changes it in place.
 */
export class VoxelWorld {
  kind = "voxel";

  constructor(size, cost = new Uint8Array(size[0] * size[1] * size[2]).fill(FLOOR)) {
    this.size = size;
    this.cost = cost;
  }

  get nodeCount() {
    return this.cost.length;
  }

  contains(x, y, z) {
    const [width, depth, height] = this.size;
    return x >= 0 && y >= 0 && z >= 0 && x < width && y < depth && z < height;
  }

  index(x, y, z) {
    return (z * this.size[1] + y) * this.size[0] + x;
  }

  /** The place `[x, y, z]` of a cell's index. */
  place(index) {
    const [width, depth] = this.size;
    const row = Math.floor(index / width);
    return [index % width, row % depth, Math.floor(row / depth)];
  }

  /** The index of a place, or -1 outside. */
  indexOf(place) {
    return place && this.contains(...place) ? this.index(...place) : -1;
  }

  isOpen(index) {
    return this.cost[index] !== WALL;
  }

  isSolidAt(x, y, z) {
    return this.contains(x, y, z) && this.cost[this.index(x, y, z)] === WALL;
  }

  /** All open cells cost the same. */
  isLevel() {
    return true;
  }
}

/** One bit a cell, set if it is solid; the first cell is the lowest bit of the first byte. */
export function packSolid(cost) {
  const bytes = new Uint8Array(Math.ceil(cost.length / 8));
  for (let cell = 0; cell < cost.length; cell++) if (cost[cell] === WALL) bytes[cell >> 3] |= 1 << (cell & 7);
  return bytes;
}

/** The cells of `packSolid`. */
export function unpackSolid(bytes, count) {
  const cost = new Uint8Array(count);
  for (let cell = 0; cell < count; cell++) cost[cell] = (bytes[cell >> 3] >> (cell & 7)) & 1 ? WALL : FLOOR;
  return cost;
}

export function readVoxels({ size, solid }) {
  return new VoxelWorld(size, unpackSolid(fromBase64(solid), size[0] * size[1] * size[2]));
}

export const writeVoxels = ({ size, cost }) => ({ size, solid: toBase64(packSolid(cost)) });
