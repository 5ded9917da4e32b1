// The surface of a world, chunk by chunk: the faces between solid and open cells.
//
// A face is a number, from its lowest bits on: x, y and z inside the chunk (5 bits each), length - 1 (5), shade (8), direction (3), kind (1).
// Faces of a row that look alike are one, `length` cells long along the direction's first axis. The shade has two bits for each corner: how
// much light it gets, 3 for all of it. Corners are in the order (0, 0), (1, 0), (0, 1), (1, 1) along both axes of the face.

import { WALL } from "../core/ground.js";

/** Cells along each side of a chunk. */
export const CHUNK = 32;
/** Directions: their axis is `direction >> 1`, and odd ones look towards smaller coordinates. */
export const DIRECTIONS = 6;
const UP = 4;
/** Kinds of faces: a surface, or where a slice cuts through something solid. */
export const SURFACE = 0;
export const CUT = 1;
/** All four corners fully lit. */
const BRIGHT = 0xff;
/** Where the parts of a face begin. */
const LENGTH_BIT = 15;
const SHADE_BIT = 20;
const DIRECTION_BIT = 28;
const KIND_BIT = 31;

/** The axes along which a face of a direction lies. Rows of faces are joined along the first one. */
export const faceAxes = (direction) => [((direction >> 1) + 1) % 3, ((direction >> 1) + 2) % 3];

/** A chunk with one cell around it: open, solid or outside the world. The bit of SOLID is in no other. */
const PADDED = CHUNK + 2;
const STRIDES = [1, PADDED, PADDED * PADDED];
const OPEN = 0;
const SOLID = 1;
const OUTSIDE = 2;
const block = new Uint8Array(PADDED ** 3);

/** Fills the block around a chunk that begins at a cell; false if there is no solid cell in it, or no other. */
function load({ size, cost }, [left, top, low]) {
  const [width, depth, height] = size;
  let solid = 0;
  let other = 0;
  let at = 0;
  for (let z = low - 1; z <= low + CHUNK; z++) {
    for (let y = top - 1; y <= top + CHUNK; y++) {
      if (z < 0 || y < 0 || z >= height || y >= depth) {
        block.fill(OUTSIDE, at, at + PADDED);
        at += PADDED;
        other++;
        continue;
      }
      const row = (z * depth + y) * width;
      for (let x = left - 1; x <= left + CHUNK; x++) {
        const value = x < 0 || x >= width ? OUTSIDE : cost[row + x] === WALL ? SOLID : OPEN;
        block[at++] = value;
        if (value === SOLID) solid++;
        else other++;
      }
    }
  }
  return solid > 0 && other > 0;
}

/** How much light a corner gets that has cells on both sides and across. */
const lit = (side, other, across) => (side && other ? 0 : 3 - side - other - across);

/** The shade of a face, given the cell before it and the steps along its axes. */
function shadeOf(front, u, v) {
  const left = block[front - u] & SOLID;
  const right = block[front + u] & SOLID;
  const below = block[front - v] & SOLID;
  const above = block[front + v] & SOLID;
  return (
    lit(left, below, block[front - u - v] & SOLID) |
    (lit(right, below, block[front + u - v] & SOLID) << 2) |
    (lit(left, above, block[front - u + v] & SOLID) << 4) |
    (lit(right, above, block[front + u + v] & SOLID) << 6)
  );
}

/** Whether a shade is the same all along the first axis, so that faces with it can be joined. */
const isEven = (shade) => ((shade ^ (shade >> 2)) & 0x33) === 0;

/** A list of faces that grows. */
class Faces {
  #list = new Uint32Array(256);
  #length = 0;

  get length() {
    return this.#length;
  }

  add(face) {
    if (this.#length === this.#list.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#list);
      this.#list = longer;
    }
    this.#list[this.#length++] = face;
  }

  /** The last face becomes one cell longer. */
  lengthen() {
    this.#list[this.#length - 1] += 1 << LENGTH_BIT;
  }

  take() {
    return this.#list.slice(0, this.#length);
  }
}

/** The parts of a face. */
export const partsOf = (face) => ({
  cell: [face & 31, (face >> 5) & 31, (face >> 10) & 31],
  length: ((face >> LENGTH_BIT) & 31) + 1,
  shade: (face >> SHADE_BIT) & 255,
  direction: (face >> DIRECTION_BIT) & 7,
  kind: face >>> KIND_BIT,
});

/**
 * Adds the faces of a layer of the block: of solid cells that have one of two kinds of cells before them. Chunks have
 * 32,768 cells and six directions, so the loop calls no functions.
 */
function addLayer(faces, direction, layer, kind, before, orBefore) {
  const axis = direction >> 1;
  const [first, second] = faceAxes(direction);
  const [u, v] = [STRIDES[first], STRIDES[second]];
  const ahead = STRIDES[axis] * (direction & 1 ? -1 : 1);
  const alike = (kind << KIND_BIT) | (direction << DIRECTION_BIT) | (layer << (5 * axis));
  for (let row = 0; row < CHUNK; row++) {
    let at = (layer + 1) * STRIDES[axis] + (row + 1) * v + u;
    let last = -1;
    for (let column = 0; column < CHUNK; column++, at += u) {
      const front = block[at + ahead];
      if (block[at] !== SOLID || (front !== before && front !== orBefore)) {
        last = -1;
        continue;
      }
      const shade = kind === CUT ? BRIGHT : shadeOf(at + ahead, u, v);
      if (shade === last && isEven(shade)) faces.lengthen();
      else faces.add(alike | (row << (5 * second)) | (column << (5 * first)) | (shade << SHADE_BIT));
      last = shade;
    }
  }
}

/**
 * The faces of a chunk that begins at a cell, `{list, ends}`: those of a direction are side by side, and `ends` has where they end for each.
 * `sides` says for each direction whether solid cells at that side of the world have a face there.
 */
export function surfaceFaces(world, origin, sides) {
  const faces = new Faces();
  const ends = new Array(DIRECTIONS).fill(0);
  if (!load(world, origin)) return { list: faces.take(), ends };
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    const orBefore = sides[direction] ? OUTSIDE : OPEN;
    for (let layer = 0; layer < CHUNK; layer++) addLayer(faces, direction, layer, SURFACE, OPEN, orBefore);
    ends[direction] = faces.length;
  }
  return { list: faces.take(), ends };
}

/** As `surfaceFaces`, where a slice cuts through solid cells of a chunk: above the layer `at` (of the world) along an axis. */
export function cutFaces(world, origin, axis, at) {
  const faces = new Faces();
  load(world, origin);
  addLayer(faces, 2 * axis, at - origin[axis], CUT, SOLID, SOLID);
  const ends = Array.from({ length: DIRECTIONS }, (_, direction) => (direction < 2 * axis ? 0 : faces.length));
  return { list: faces.take(), ends };
}

/** The share of the cells at a side of the world that are solid. */
function solidShare(world, direction) {
  const { size } = world;
  const axis = direction >> 1;
  const [first, second] = faceAxes(direction);
  const cell = [0, 0, 0];
  cell[axis] = direction & 1 ? 0 : size[axis] - 1;
  let solid = 0;
  for (cell[first] = 0; cell[first] < size[first]; cell[first]++) {
    for (cell[second] = 0; cell[second] < size[second]; cell[second]++) if (world.isSolidAt(...cell)) solid++;
  }
  return solid / (size[first] * size[second]);
}

/**
 * Which sides of the world are drawn, for each direction. A side that is solid almost everywhere is a wall around the world: drawn, it
 * would hide everything. So would one that is solid for the most part if the top is so too; below an open top it is the edge of the ground.
 */
export function drawnSides(world) {
  const shares = Array.from({ length: DIRECTIONS }, (_, direction) => solidShare(world, direction));
  const most = shares[UP] > 0.5 ? 0.5 : 0.9;
  return shares.map((share) => share <= most);
}
