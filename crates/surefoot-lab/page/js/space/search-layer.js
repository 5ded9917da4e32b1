// Draws the cells that a search has seen, and the jumps between them.

import { CLOSE } from "../core/trace.js";
import { CellLayer } from "./cell-layer.js";
import { JumpLayer } from "./jump-layer.js";
import { BACKWARD, FIRST, MarkedCells, SECOND } from "./marked-cells.js";

const OPEN_HALF = 0.31;
const CLOSED_HALF = 0.23;

/** How a cell is marked after an action. */
const markOf = (action) => ((action & 3) === CLOSE ? SECOND : FIRST) | (action & BACKWARD);

export class SearchLayer {
  #layer;
  #jumps;
  #timeline = null;
  #cells = null;
  /** How many events the marks show. */
  #events = 0;

  constructor(gl) {
    this.#layer = new CellLayer(gl);
    this.#jumps = new JumpLayer(gl);
  }

  /** Draws the first events of a timeline, in pieces; with `jumps` also how it went from cell to cell over others. */
  *draw(world, timeline, events, jumps, how) {
    this.#moveTo(world, timeline, events);
    if (events === 0) return;
    const { open, openBack, closed, closedBack } = how.colours;
    // Those that wait are in front of the others, and look it: they hide what is behind them.
    yield* this.#layer.draw(
      this.#cells,
      [
        { half: OPEN_HALF, front: open, back: openBack, hides: true },
        { half: CLOSED_HALF, front: closed, back: closedBack, hides: false },
      ],
      how,
    );
    if (jumps && timeline.jumps > 0) this.#jumps.draw(world, timeline, events, how);
  }

  /** Marks cells as they are after so many events. An event knows the one before it at its cell, so it can be taken back. */
  #moveTo(world, timeline, events) {
    if (timeline !== this.#timeline) {
      [this.#timeline, this.#events] = [timeline, 0];
      this.#cells = new MarkedCells(world.size);
    }
    const { node, action, prev } = timeline;
    for (; this.#events < events; this.#events++) this.#cells.set(node[this.#events], markOf(action[this.#events]));
    while (this.#events > events) {
      const event = --this.#events;
      this.#cells.set(node[event], prev[event] < 0 ? 0 : markOf(action[prev[event]]));
    }
  }
}
