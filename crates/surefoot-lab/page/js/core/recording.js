// A flight that was recorded: see "Flights" in docs/formats.md and `open` in docs/lab-protocol.md.

/** Places of the line that shows the whole flight, at most. */
const MOST_PLACES = 4000;

export class Recording {
  /** `flight` is what the server read; `scene` the MovingScene in which it happened. */
  constructor(flight, scene) {
    const { planner, seed, run, evade, holds_blocks: holdsBlocks, from, tick, cause, hits, positions } = flight;
    Object.assign(this, { scene, planner, seed, run, evade, holdsBlocks, from, tick, cause, hits, positions });
    const every = Math.ceil(positions.length / MOST_PLACES);
    /** The whole flight as a line. */
    this.line = positions.filter((_, i) => i % every === 0 || i === positions.length - 1);
  }

  /** The tick at which it ends. */
  get last() {
    return this.from + this.positions.length - 1;
  }

  /** What the server needs to fly it again. */
  get request() {
    return { positions: this.positions, holds_blocks: this.holdsBlocks };
  }

  within(tick) {
    return Math.min(Math.max(tick, this.from), this.last);
  }
}
