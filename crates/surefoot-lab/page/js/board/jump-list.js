// Where a search went from node to node over more than one cell, as lines on the map.

/** A link: boards draw those anyway. */
export const HIDDEN = 0;
/** Two straight lines, as the search went. */
export const LINE = 1;
/** The course between the ends is unknown. */
export const ARC = 2;

const key = (from, to) => `${from},${to}`;

export class JumpList {
  #timeline;
  #world;
  #linked = new Set();
  #cornersOf;

  /** `moves` is the movement rule; with `anyAngle` jumps are straight. */
  constructor(timeline, world, links, { moves, anyAngle }) {
    this.#timeline = timeline;
    this.#world = world;
    for (const { from, to } of links) {
      const ends = [world.indexOf(from), world.indexOf(to)];
      this.#linked.add(key(...ends)).add(key(...ends.reverse()));
    }
    this.#cornersOf = anyAngle ? (_, __, x, y) => [[x, y]] : moves === "4" ? straightCorners : diagonalCorners;
    this.length = 0;
    this.kinds = new Uint8Array(0);
    /** Columns and rows of the parent, the corner and the node of each jump. */
    this.points = new Int16Array(0);
  }

  /** Takes in the jumps that have arrived since. */
  extend() {
    const { jumps, jumpAt, node, parent } = this.#timeline;
    if (this.length === jumps) return;
    if (this.kinds.length < jumps) this.#allocate(2 * jumps);
    for (; this.length < jumps; this.length++) {
      const event = jumpAt[this.length];
      this.#note(this.length, parent[event], node[event]);
    }
  }

  #allocate(capacity) {
    const [kinds, points] = [new Uint8Array(capacity), new Int16Array(6 * capacity)];
    kinds.set(this.kinds);
    points.set(this.points);
    Object.assign(this, { kinds, points });
  }

  #note(jump, from, to) {
    const [ax, ay] = this.#world.place(from);
    const [bx, by] = this.#world.place(to);
    const corners = this.#cornersOf(ax, ay, bx, by);
    const corner = corners.find(([x, y]) => this.#isOpen(ax, ay, x, y) && this.#isOpen(x, y, bx, by));
    const linked = this.#linked.size > 0 && this.#linked.has(key(from, to));
    this.kinds[jump] = linked ? HIDDEN : corner ? LINE : ARC;
    this.points.set([ax, ay, ...(corner ?? [bx, by]), bx, by], 6 * jump);
  }

  /** Whether nothing stands in a straight line, as far as it goes from middle to middle of cells. */
  #isOpen(x, y, endX, endY) {
    const { cost, width } = this.#world;
    const steps = Math.max(Math.abs(endX - x), Math.abs(endY - y));
    const [dx, dy] = [(endX - x) / steps, (endY - y) / steps];
    for (let step = 1; step <= steps; step++) {
      if (cost[Math.round(y + step * dy) * width + Math.round(x + step * dx)] === 0) return false;
    }
    return true;
  }
}

/** With diagonal moves: first both coordinates change, then one; or the other way round. */
function diagonalCorners(ax, ay, bx, by) {
  const reach = Math.min(Math.abs(bx - ax), Math.abs(by - ay));
  const [dx, dy] = [Math.sign(bx - ax) * reach, Math.sign(by - ay) * reach];
  return [[ax + dx, ay + dy], [bx - dx, by - dy]];
}

/** Without: first the column changes, then the row; or the other way round. */
const straightCorners = (ax, ay, bx, by) => [[bx, ay], [ax, by]];
