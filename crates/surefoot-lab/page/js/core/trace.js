// A search as a list of events, and what the world looked like after any number of expansions.
//
// A step is one expansion: step 0 is what was known before the first node was closed, step k is everything until the
// (k+1)th node is closed. An event knows the event before it at the same node, so going back is as cheap as going forward,
// and what is shown at a step depends on nothing but the step.

import { isFar, isFarInSpace } from "./neighbours.js";

/** What happened to a node. */
export const OPEN = 0;
export const RELAX = 1;
export const REOPEN = 2;
export const CLOSE = 3;

/** Cost units per cell, unless the server sends another number. */
const UNITS = 23780;
const BACKWARD = 4;
const HAS_PARENT = 8;
const NO_NODE = 0xffffffff;
/** Sums are kept for every so many events. */
const MARK_EVERY = 4096;

/** Reads numbers from the bytes of a piece. */
const reader = {
  bytes: null,
  at: 0,

  start(bytes) {
    this.bytes = bytes;
    this.at = 0;
  },

  byte() {
    return this.bytes[this.at++];
  },

  difference() {
    const { bytes } = this;
    let byte = bytes[this.at++];
    let value = byte & 0x7f;
    // Four groups fit a small number, which is what nearly all differences are.
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (shift > 21) return this.long(value);
      byte = bytes[this.at++];
      value |= (byte & 0x7f) << shift;
    }
    return (value >>> 1) ^ -(value & 1);
  },

  /** The rest of a difference of more than four groups. Costs stay below 2^53 units, so a double holds it. */
  long(value) {
    let byte;
    let scale = 2 ** 28;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  },
};

/** Counts one event. */
function count(sums, kind) {
  if (kind === CLOSE) {
    sums.steps++;
    sums.open--;
    return;
  }
  sums.generated++;
  if (kind === RELAX) return;
  if (kind === REOPEN) sums.reopened++;
  sums.open++;
  if (sums.open > sums.peak) sums.peak = sums.open;
}

/** A copy with room for more. */
function longer(array, length) {
  const copy = new Uint32Array(length);
  copy.set(array);
  return copy;
}

/** The first index below `end` from which on something is true, else `end`. */
function firstWhere(end, isTrue) {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** All events of one search, growing while they arrive. */
export class Timeline {
  length = 0;
  /** Number of close events. */
  steps = 0;
  /** Number of jumps: events on grids and in voxel worlds whose parent is no neighbour. */
  jumps = 0;
  #last = { node: 0, closed: [NO_NODE, NO_NODE], g: 0, h: 0 };
  #marks = [{ generated: 0, reopened: 0, open: 0, peak: 0, steps: 0 }];
  #tail = { ...this.#marks[0] };

  /**
   * `width` is that of a grid; a voxel world has a `depth` as well, a graph has neither. `units` are cost units per cell.
   */
  constructor(nodeCount, { width = 0, depth = 0, units = UNITS } = {}) {
    this.nodeCount = nodeCount;
    this.width = width;
    this.depth = depth;
    this.units = units;
    this.#allocate(1024);
    this.closeAt = new Uint32Array(256);
    /** The events that are jumps. */
    this.jumpAt = new Uint32Array(0);
    /** While events arrive: the newest event at each node. */
    this.newest = new Int32Array(nodeCount).fill(-1);
  }

  #allocate(capacity) {
    const grow = (old, Type) => {
      const array = new Type(capacity);
      if (old) array.set(old.subarray(0, this.length));
      return array;
    };
    /** Action in bits 0-1, bit 2 for the backward side. */
    this.action = grow(this.action, Uint8Array);
    this.node = grow(this.node, Int32Array);
    /** -1 if there is none. */
    this.parent = grow(this.parent, Int32Array);
    this.g = grow(this.g, Float32Array);
    this.h = grow(this.h, Float32Array);
    /** The event before at the same node, or -1. */
    this.prev = grow(this.prev, Int32Array);
  }

  /** Takes in a piece of the trace. Traces have millions of events, so the loop works on locals. */
  append(bytes, events) {
    this.#makeRoom(events);
    const { action, node, parent, g, h, prev, newest, closeAt, width, units } = this;
    const sums = this.#tail;
    const { closed } = this.#last;
    let { node: cell, g: lastG, h: lastH } = this.#last;
    reader.start(bytes);
    for (let event = this.length, end = event + events; event < end; event++) {
      const head = reader.byte();
      const kind = head & 3;
      const side = (head & BACKWARD) >> 2;
      cell += reader.difference();
      const from = head & HAS_PARENT ? cell + reader.difference() : closed[side];
      lastG += reader.difference();
      lastH += reader.difference();
      if (width !== 0 && from !== NO_NODE && this.#isJump(cell, from)) this.#noteJump(event);
      action[event] = head & 7;
      node[event] = cell;
      parent[event] = from === NO_NODE ? -1 : from;
      g[event] = lastG / units;
      h[event] = lastH / units;
      prev[event] = newest[cell];
      newest[cell] = event;
      if (kind === CLOSE) {
        closed[side] = cell;
        closeAt[sums.steps] = event;
      }
      count(sums, kind);
      if ((event + 1) % MARK_EVERY === 0) this.#marks.push({ ...sums });
    }
    this.#last = { node: cell, closed, g: lastG, h: lastH };
    this.length += events;
    this.steps = sums.steps;
  }

  #isJump(cell, parent) {
    return this.depth === 0 ? isFar(cell, parent, this.width) : isFarInSpace(cell, parent, this.width, this.depth);
  }

  #noteJump(event) {
    if (this.jumps === this.jumpAt.length) this.jumpAt = longer(this.jumpAt, 2 * this.jumps + 256);
    this.jumpAt[this.jumps++] = event;
  }

  /** How many of the jumps are among the first events. */
  jumpsBefore(events) {
    return firstWhere(this.jumps, (jump) => this.jumpAt[jump] >= events);
  }

  /** Which jump an event is, -1 if none. */
  jumpOf(event) {
    const jump = event < 0 ? this.jumps : this.jumpsBefore(event);
    return jump < this.jumps && this.jumpAt[jump] === event ? jump : -1;
  }

  #makeRoom(events) {
    const wanted = this.length + events;
    if (wanted > this.node.length) this.#allocate(Math.max(wanted, 2 * this.node.length));
    if (this.steps + events > this.closeAt.length) {
      this.closeAt = longer(this.closeAt, Math.max(this.steps + events, 2 * this.closeAt.length));
    }
  }

  /** How many events have happened at a step. */
  eventsAt(step) {
    return step < this.steps ? this.closeAt[Math.max(0, step)] : this.length;
  }

  /** The step at which an event happens. */
  stepOf(event) {
    return firstWhere(this.steps, (step) => this.closeAt[step] > event);
  }

  /** The node that a step closes: the current one. -1 at step 0. */
  nodeOfStep(step) {
    return step > 0 && step <= this.steps ? this.node[this.closeAt[step - 1]] : -1;
  }

  /** Sums at a step: `{steps, generated, reopened, open, peak}`. */
  sumsAt(step) {
    const events = this.eventsAt(step);
    const mark = Math.floor(events / MARK_EVERY);
    const sums = { ...this.#marks[mark] };
    for (let event = mark * MARK_EVERY; event < events; event++) count(sums, this.action[event] & 3);
    return sums;
  }
}

/** A timeline at one step: which event each node has seen last. */
export class Replay {
  step = 0;
  #events = 0;

  constructor(timeline) {
    this.timeline = timeline;
    /** The last event at each node, -1 for none. */
    this.last = new Int32Array(timeline.nodeCount).fill(-1);
  }

  /** Goes to a step, forward or back; calls `touch(node)` for every node that may look different. */
  moveTo(step, touch) {
    const { timeline, last } = this;
    const target = timeline.eventsAt(Math.min(step, timeline.steps));
    const current = timeline.nodeOfStep(this.step);
    if (current >= 0) touch(current);
    while (this.#events < target) {
      const event = this.#events++;
      const node = timeline.node[event];
      last[node] = event;
      touch(node);
    }
    while (this.#events > target) {
      const event = --this.#events;
      const node = timeline.node[event];
      last[node] = timeline.prev[event];
      touch(node);
    }
    this.step = Math.min(step, timeline.steps);
    const next = timeline.nodeOfStep(this.step);
    if (next >= 0) touch(next);
  }

  /** 0 unseen, 1 open, 2 closed. */
  stateOf(node) {
    const event = this.last[node];
    if (event < 0) return 0;
    return (this.timeline.action[event] & 3) === CLOSE ? 2 : 1;
  }

  /** What is known of a node now: `{state, g, h, f, parent, order, reopened, side}`, or null if it is unseen. */
  inspect(node) {
    const { timeline } = this;
    const last = this.last[node];
    if (last === undefined || last < 0) return null;
    let reopened = 0;
    let order = null;
    for (let event = last; event >= 0; event = timeline.prev[event]) {
      const action = timeline.action[event] & 3;
      if (action === REOPEN) reopened++;
      if (action === CLOSE && order === null) order = timeline.stepOf(event);
    }
    const g = timeline.g[last];
    const h = timeline.h[last];
    const backward = (timeline.action[last] & BACKWARD) !== 0;
    return { state: this.stateOf(node), g, h, f: g + h, parent: timeline.parent[last], order, reopened, backward };
  }
}
