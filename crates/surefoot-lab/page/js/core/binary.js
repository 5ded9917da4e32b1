// Messages of the server that are not text: see docs/lab-protocol.md.

import { CrowdUnits } from "./crowd-units.js";

/** The first bytes of what comes. */
export const KINDS = { sketch: 2, knowledge: 3, chokes: 4, obstacles: 5, touched: 6, forecast: 7, crowd: 8, waits: 9 };
const SKETCH_HEAD = 36;
const HEAD = 12;
/** 32-bit words of a node that a planner knows. */
const NODE_WORDS = 7;
const NO_NODE = 0xffffffff;
const OBSTACLES_HEAD = 16;
/** Numbers of an obstacle: see movement.js. */
const POSE = 8;

/** A piece of a trace: `{board, run, events, bytes}`. */
export function readPiece(head) {
  return {
    board: head.getUint8(1),
    run: head.getUint32(4, true),
    events: head.getUint32(8, true),
    bytes: new Uint8Array(head.buffer, HEAD),
  };
}

/** What there is to see of a prepared map. Cells are indices. */
export function readSketch(head) {
  const word = (at) => head.getUint32(at, true);
  const [parts, places, ways] = [word(16), word(24), word(32)];
  const afterParts = SKETCH_HEAD + 8 * parts;
  return {
    board: head.getUint8(1),
    run: word(4),
    table: word(8),
    /** How many there are, of which the lists may have a part. */
    totals: { parts: word(12), places: word(20), ways: word(28) },
    /** Columns and rows of first and last cells. */
    parts: new Uint16Array(head.buffer, SKETCH_HEAD, 4 * parts),
    places: new Uint32Array(head.buffer, afterParts, places),
    /** Pairs of cells. */
    ways: new Uint32Array(head.buffer, afterParts + 4 * places, 2 * ways),
  };
}

/**
 * What the planner of a board has found out: `{board, live, fresh, count, node(i)}`. With `fresh` all that was said before
 * is void. A node is `{cell, parent, bits, g, rhs, key}` with -1 for no parent; see Knowledge for the bits.
 */
export function readKnowledge(head) {
  const count = head.getUint32(8, true);
  const words = new Uint32Array(head.buffer, HEAD, NODE_WORDS * count);
  const values = new Float32Array(head.buffer, HEAD, NODE_WORDS * count);
  const node = (i) => {
    const at = NODE_WORDS * i;
    const parent = words[at + 1];
    return {
      cell: words[at],
      parent: parent === NO_NODE ? -1 : parent,
      bits: words[at + 2],
      g: values[at + 3],
      rhs: values[at + 4],
      key: [values[at + 5], values[at + 6]],
    };
  };
  return {
    board: head.getUint8(1),
    fresh: head.getUint16(2, true) === 1,
    live: head.getUint32(4, true),
    count,
    node,
  };
}

/** Choke cells, the only connection between parts of the map: `{number, cells}`. */
export function readChokes(head) {
  const cells = new Uint32Array(head.buffer, HEAD, head.getUint32(8, true));
  return { number: head.getUint32(4, true), cells };
}

/**
 * Where obstacles are: `{live, poses, changes}`. A pose is eight numbers, as in movement.js; a change is twice the cell, plus 1
 * if it became solid.
 */
export function readObstacles(head) {
  const [obstacles, cells] = [head.getUint32(8, true), head.getUint32(12, true)];
  return {
    live: head.getUint32(4, true),
    poses: new Float32Array(head.buffer, OBSTACLES_HEAD, POSE * obstacles),
    changes: new Uint32Array(head.buffer, OBSTACLES_HEAD + 4 * POSE * obstacles, cells),
  };
}

/** Cells that the last plan of a board looked at: `{board, live, cells}`. */
export function readTouched(head) {
  const cells = new Uint32Array(head.buffer, HEAD, head.getUint32(8, true));
  return { board: head.getUint8(1), live: head.getUint32(4, true), cells };
}

/** Cells that moving obstacles will cover within a number of seconds: `{live, seconds, cells}`. */
export function readForecast(head) {
  const cells = new Uint32Array(head.buffer, HEAD, head.getUint32(8, true));
  return { live: head.getUint32(4, true), seconds: head.getUint16(2, true) / 1000, cells };
}

/** Where the units of a crowd are: `{live, units}`. */
export function readCrowd(head) {
  return { live: head.getUint32(4, true), units: new CrowdUnits(new Uint32Array(head.buffer, HEAD)) };
}

/** For how long units have waited in cells: `{live, cells, seconds}`. */
export function readWaits(head) {
  const count = head.getUint32(8, true);
  const words = new Uint32Array(head.buffer, HEAD, 2 * count);
  const values = new Float32Array(head.buffer, HEAD, 2 * count);
  const every = (list, first) => Array.from({ length: count }, (_, i) => list[2 * i + first]);
  return { live: head.getUint32(4, true), cells: every(words, 0), seconds: every(values, 1) };
}
