// What an incremental planner knows of the cells: g, rhs, keys and parents, as the server tells it tick by tick.

/** How a cell stands: g equals rhs, is above it, is below it. */
export const STANDINGS = ["consistent", "over-consistent", "under-consistent"];
const STANDING = 3;
const QUEUED = 4;
const UNKNOWN = 8;

export class Knowledge {
  #values;
  #parent;
  #bits;
  /** The cells that the last repair changed, and when that came, in milliseconds. None after a search from scratch. */
  touched = [];
  touchedAt = -Infinity;
  /** What came since the last `settle`, and whether all before it is void. */
  #coming = [];
  #isFresh = false;

  constructor(nodeCount) {
    /** g, rhs and both parts of the key of each cell. */
    this.#values = new Float32Array(4 * nodeCount);
    this.#parent = new Int32Array(nodeCount);
    this.#bits = new Uint8Array(nodeCount).fill(UNKNOWN);
  }

  /** Takes in a message (see readKnowledge). There may be several until `settle`. Gives back the cells it is about. */
  take({ fresh, count, node }) {
    if (fresh) this.#bits.fill(UNKNOWN);
    const cells = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const { cell, parent, bits, g, rhs, key } = node(i);
      cells[i] = cell;
      this.#bits[cell] = bits;
      this.#parent[cell] = parent;
      this.#values.set([g, rhs, ...key], 4 * cell);
    }
    this.#coming.push(cells);
    this.#isFresh ||= fresh;
    return cells;
  }

  /** All of a repair has come; `now` is the time. */
  settle(now) {
    if (this.#coming.length === 0) return;
    this.touched = this.#isFresh ? [] : this.#coming.flatMap((cells) => [...cells]);
    this.touchedAt = now;
    this.#coming = [];
    this.#isFresh = false;
  }

  /**
   * The number of a cell's standing, plus 3 if it is queued. -1 if nothing is known of it or, which looks the same,
   * it is unreachable.
   */
  markOf(cell) {
    const bits = this.#bits[cell];
    if ((bits & UNKNOWN) !== 0) return -1;
    const mark = (bits & STANDING) + ((bits & QUEUED) === 0 ? 0 : STANDINGS.length);
    return mark === 0 && this.#values[4 * cell] === Infinity ? -1 : mark;
  }

  /** `{g, rhs, key, parent, standing, queued}`, or null. */
  inspect(cell) {
    const bits = this.#bits[cell];
    if (bits === undefined || (bits & UNKNOWN) !== 0) return null;
    const [g, rhs, ...key] = this.#values.subarray(4 * cell, 4 * cell + 4);
    const standing = STANDINGS[bits & STANDING];
    return { g, rhs, key, parent: this.#parent[cell], standing, queued: (bits & QUEUED) !== 0 };
  }
}
