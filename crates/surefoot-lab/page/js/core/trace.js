// A search as a list of events, and what the world looked like after any number of expansions.
//
// A step is one expansion: step 0 is what was known before the first node was closed, step k is everything until the
// (k+1)th node is closed. An event knows the event before it at the same node, so going back is as cheap as going forward,
// and what is shown at a step depends on nothing but the step.

/** What happened to a node. */
export const OPEN = 0;
export const RELAX = 1;
export const REOPEN = 2;
export const CLOSE = 3;

/** Cost units in a cell. */
const UNITS = 23780;
const BACKWARD = 4;
const HAS_PARENT = 8;
const NO_NODE = 0xffffffff;
/** Sums are kept for every so many events. */
const MARK_EVERY = 4096;

/** All events of one search, growing while they arrive. */
export class Timeline {
  length = 0;
  /** Number of close events. */
  steps = 0;
  #last = { node: 0, closed: [NO_NODE, NO_NODE], g: 0, h: 0 };
  #marks = [{ generated: 0, reopened: 0, open: 0, peak: 0, steps: 0 }];
  #tail = { ...this.#marks[0] };

  /** `first` and `stride` say how the server numbers the cells of a grid of a width. */
  constructor(nodeCount, { first = 0, stride = 0, width = 0 } = {}) {
    this.nodeCount = nodeCount;
    this.first = first;
    this.stride = stride;
    this.width = width;
    this.#allocate(1024);
    this.closeAt = new Uint32Array(256);
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
    /** -1 for none. */
    this.parent = grow(this.parent, Int32Array);
    this.g = grow(this.g, Float32Array);
    this.h = grow(this.h, Float32Array);
    /** The event before at the same node, or -1. */
    this.prev = grow(this.prev, Int32Array);
  }

  #cell(number) {
    if (number === NO_NODE) return -1;
    if (this.stride === 0) return number;
    const offset = number - this.first;
    const y = Math.floor(offset / this.stride);
    return offset - y * (this.stride - this.width);
  }

  /** Takes in a piece of the trace. */
  append(bytes, events) {
    if (this.length + events > this.node.length) {
      this.#allocate(Math.max(this.length + events, 2 * this.node.length));
    }
    const last = this.#last;
    let at = 0;
    // Differences fit a double: costs stay below 2^53 units.
    const difference = () => {
      let value = 0;
      let scale = 1;
      let byte;
      do {
        byte = bytes[at++];
        value += (byte & 0x7f) * scale;
        scale *= 128;
      } while (byte >= 0x80);
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    };
    for (let i = 0; i < events; i++) {
      const head = bytes[at++];
      const action = head & 3;
      const side = (head & BACKWARD) >> 2;
      const node = last.node + difference();
      const parent = head & HAS_PARENT ? node + difference() : last.closed[side];
      last.node = node;
      last.g += difference();
      last.h += difference();
      if (action === CLOSE) last.closed[side] = node;
      this.#push(head & 7, this.#cell(node), this.#cell(parent), last.g / UNITS, last.h / UNITS);
    }
  }

  #push(action, node, parent, g, h) {
    const event = this.length++;
    this.action[event] = action;
    this.node[event] = node;
    this.parent[event] = parent;
    this.g[event] = g;
    this.h[event] = h;
    this.prev[event] = this.newest[node];
    this.newest[node] = event;
    if ((action & 3) === CLOSE) {
      if (this.steps === this.closeAt.length) {
        const longer = new Uint32Array(2 * this.steps);
        longer.set(this.closeAt);
        this.closeAt = longer;
      }
      this.closeAt[this.steps++] = event;
    }
    this.#count(this.#tail, event);
    if (this.length % MARK_EVERY === 0) this.#marks.push({ ...this.#tail });
  }

  #count(sums, event) {
    const action = this.action[event] & 3;
    if (action === CLOSE) {
      sums.steps++;
      sums.open--;
      return;
    }
    sums.generated++;
    if (action === RELAX) return;
    if (action === REOPEN) sums.reopened++;
    sums.open++;
    sums.peak = Math.max(sums.peak, sums.open);
  }

  /** How many events have happened at a step. */
  eventsAt(step) {
    return step < this.steps ? this.closeAt[Math.max(0, step)] : this.length;
  }

  /** The step at which an event happens. */
  stepOf(event) {
    let low = 0;
    let high = this.steps;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.closeAt[middle] <= event) low = middle + 1;
      else high = middle;
    }
    return low;
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
    for (let event = mark * MARK_EVERY; event < events; event++) this.#count(sums, event);
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
