// Where the obstacles of a scene are, between one answer of the server and the next, and which cells they cover.

import { WALL } from "./ground.js";

/** Numbers an obstacle: position, rotation, and 1 if it is there. */
export const POSE = 8;
const THERE = 7;

export class Movement {
  /** The cells that obstacles cover, in no order; the first `count` count. */
  cells = new Uint32Array(256);
  count = 0;
  /** Raised whenever these change. */
  version = 0;
  /** Where each cell is in `cells`, plus 1; 0 for those that are not. */
  #places;
  /** What covers a cell may be hidden by a wall that was painted there. */
  #covered;
  #from;
  #to;
  #now;
  #begun = 0;
  #lasts = 0;
  #done = true;

  constructor(world, scene) {
    this.world = world;
    this.scene = scene;
    // Where nothing moves nothing is covered.
    const cells = scene.obstacles.length > 0 ? world.nodeCount : 0;
    this.#places = new Uint32Array(cells);
    this.#covered = new Uint8Array(cells);
    this.#to = homePoses(scene);
    this.#from = this.#to.slice();
    this.#now = this.#to.slice();
  }

  /** Takes in what the server says: poses, and cells that changed. They are reached after some milliseconds. */
  take({ poses, changes }, now, milliseconds) {
    this.poses(now);
    [this.#from, this.#now] = [this.#now, this.#from];
    this.#to = poses;
    [this.#begun, this.#lasts, this.#done] = [now, milliseconds, false];
    if (this.#covered.length === 0) return;
    for (const change of changes) {
      const cell = change >>> 1;
      // A cell that fills up although it is a wall was painted.
      this.#covered[cell] = change & 1 && this.world.cost[cell] !== WALL ? 1 : 0;
      this.#sort(cell);
    }
    if (changes.length > 0) this.version++;
  }

  /** Cells were painted. */
  touch(cells) {
    if (this.#covered.length === 0) return;
    for (const cell of cells) this.#sort(cell);
    this.version++;
  }

  /** The server begins anew: it will tell all cells. */
  forgetCells() {
    this.#covered.fill(0);
    for (let i = 0; i < this.count; i++) this.#places[this.cells[i]] = 0;
    this.count = 0;
    this.version++;
  }

  covers(cell) {
    return (this.#places[cell] ?? 0) !== 0;
  }

  /** Puts a cell into the list or takes it out. */
  #sort(cell) {
    const place = this.#places[cell];
    const wanted = this.#covered[cell] === 1 && this.world.cost[cell] !== WALL;
    if (wanted === (place !== 0)) return;
    if (wanted) {
      if (this.count === this.cells.length) this.#grow();
      this.cells[this.count++] = cell;
      this.#places[cell] = this.count;
      return;
    }
    const last = this.cells[--this.count];
    this.cells[place - 1] = last;
    this.#places[last] = place;
    this.#places[cell] = 0;
  }

  #grow() {
    const longer = new Uint32Array(2 * this.cells.length);
    longer.set(this.cells);
    this.cells = longer;
  }

  /** How far things are from the answer before the last to the last, 0 to 1. */
  share(now) {
    return this.#lasts > 0 ? Math.min(Math.max((now - this.#begun) / this.#lasts, 0), 1) : 1;
  }

  /** Whether the next picture will be another one. */
  isMoving() {
    return !this.#done;
  }

  /** Where obstacles are now: POSE numbers each. The list is used again. */
  poses(now) {
    if (this.#done) return this.#now;
    const share = this.share(now);
    this.#done = share === 1;
    for (let at = 0; at < this.#now.length; at += POSE) mixPose(this.#now, this.#from, this.#to, at, share);
    return this.#now;
  }

  /** Where the server said last that obstacles are: POSE numbers each. Of these poses are the covered cells. */
  get told() {
    return this.#to;
  }

  /** The world with what covers it. */
  seen() {
    const { size, cost } = this.world;
    const covered = cost.slice();
    for (let i = 0; i < this.count; i++) covered[this.cells[i]] = WALL;
    return Object.assign(Object.create(Object.getPrototypeOf(this.world)), { kind: "voxel", size, cost: covered });
  }
}

function homePoses({ obstacles }) {
  return Float32Array.from(obstacles.flatMap(({ position, rotation }) => [...position, ...rotation, 1]));
}

/** A pose between two others: positions along a line, rotations the short way round. */
function mixPose(out, from, to, at, share) {
  out[at + THERE] = to[at + THERE];
  // What comes back was somewhere else before.
  if (from[at + THERE] === 0) share = 1;
  for (let i = at; i < at + 3; i++) out[i] = from[i] + (to[i] - from[i]) * share;
  let cosine = 0;
  for (let i = at + 3; i < at + THERE; i++) cosine += from[i] * to[i];
  const other = cosine < 0 ? -share : share;
  let square = 0;
  for (let i = at + 3; i < at + THERE; i++) {
    out[i] = from[i] * (1 - share) + to[i] * other;
    square += out[i] * out[i];
  }
  const length = Math.sqrt(square) || 1;
  for (let i = at + 3; i < at + THERE; i++) out[i] /= length;
}
