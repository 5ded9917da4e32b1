// What a grid's cells look like now, for the drawing code.

import { CLOSE } from "../core/trace.js";
import { CLOSED, COVERED, FACED, KNOWN, OPENED, REGION } from "./looks.js";

const BACKWARD = 4;
/** From the looks of the forward side to those of the backward side. */
const TO_BACK = 2;

export class GridScene {
  #cost = null;
  #covered = null;
  #last = null;
  #timeline = null;
  #region = null;
  #knowledge = null;

  /**
   * `replay` is null if nothing of the search is shown, `region` null or the server's runs `[x, y, n]`, `knowledge` null
   * or what a planner knows.
   */
  constructor(world, replay, region, knowledge) {
    this.#knowledge = knowledge;
    this.world = world;
    this.width = world.width;
    this.height = world.height;
    this.#cost = world.cost;
    this.#covered = world.covered;
    this.#last = replay?.last ?? null;
    this.#timeline = replay?.timeline ?? null;
    if (!region) return;
    this.#region = new Uint8Array(world.nodeCount);
    for (const [x, y, n] of region) this.#region.fill(1, y * this.width + x, y * this.width + x + n);
  }

  costOf(cell) {
    return this.#cost[cell];
  }

  /** Cost and state, without what depends on neighbours. */
  plainLookOf(cell) {
    const cost = this.#cost[cell];
    if (cost === 0) return 0;
    if (this.#covered?.[cell] === 1) return COVERED * 256 + cost;
    if (this.#region !== null && this.#region[cell] === 1) return REGION * 256 + cost;
    if (this.#knowledge !== null) {
      const mark = this.#knowledge.markOf(cell);
      return mark < 0 ? cost : (KNOWN + mark) * 256 + cost;
    }
    if (this.#last === null) return cost;
    const event = this.#last[cell];
    if (event < 0) return cost;
    const action = this.#timeline.action[event];
    const state = (action & 3) === CLOSE ? CLOSED : OPENED;
    return ((action & BACKWARD) !== 0 ? state + TO_BACK : state) * 256 + cost;
  }

  lookOf(cell) {
    if (this.#cost[cell] !== 0) return this.plainLookOf(cell);
    const below = cell + this.width;
    return below < this.#cost.length && this.#cost[below] === 0 ? 0 : FACED;
  }

  /** The latest data of a cell: `{lines, parent}` with the lines to write, each `[name, value]`; or null. */
  eventOf(cell) {
    if (this.#knowledge !== null) {
      const known = this.#cost[cell] === 0 ? null : this.#knowledge.inspect(cell);
      return known && { lines: plannerLines(known), parent: known.parent };
    }
    const event = this.#last === null ? -1 : this.#last[cell];
    if (event < 0 || this.#cost[cell] === 0) return null;
    const { g, h, parent } = this.#timeline;
    const lines = [["g", g[event]], ["h", h[event]], ["f", g[event] + h[event]]];
    return { lines, parent: parent[event] };
  }
}

const plannerLines = ({ g, rhs, key }) => [["g", g], ["rhs", rhs], ["k", key[0]], ["", key[1]]];
