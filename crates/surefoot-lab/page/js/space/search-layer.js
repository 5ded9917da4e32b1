// Draws the cells that a search has seen, and the jumps between them.
//
// Every event of the trace is on the card once, with the number of the next event at the same cell. What is shown at a
// step follows from how many events have happened, so playing forward or back costs the page nothing.

import { Program, bufferOf, cubeArray, drawCubes } from "./gl.js";
import { JUMP_VERTEX, LINE_FRAGMENT, SEARCH_FRAGMENT, SEARCH_VERTEX } from "./shaders.js";

/** Numbers an event: node, next event at this node, action, parent. */
const NUMBERS = 4;
const NEVER = 0xffffffff;
const OPEN_HALF = 0.31;
const CLOSED_HALF = 0.23;

export class SearchLayer {
  #gl;
  #program;
  #jumps;
  #timeline = null;
  #events = new Uint32Array(0);
  #length = 0;
  #buffer = null;
  #array = null;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, SEARCH_VERTEX, SEARCH_FRAGMENT);
    this.#jumps = new Program(gl, JUMP_VERTEX, LINE_FRAGMENT);
  }

  /** Draws the first events of a timeline; with `jumps` also how it went from cell to cell over others. */
  draw(world, timeline, events, jumps, { uniforms, colours, slice }) {
    this.#take(timeline);
    if (events === 0) return;
    const gl = this.#gl;
    const common = { uSize: world.size, uNow: events, uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0 };
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.bindVertexArray(this.#array);
    // Those that wait are in front of the others, and look it: they hide what is behind them.
    const waiting = { uClosed: 0, uHalf: OPEN_HALF, uFront: colours.open, uBack: colours.openBack };
    this.#program.use({ ...uniforms, ...common, ...waiting });
    drawCubes(gl, events);
    gl.depthMask(false);
    this.#program.set({ uClosed: 1, uHalf: CLOSED_HALF, uFront: colours.closed, uBack: colours.closedBack });
    drawCubes(gl, events);
    if (jumps && timeline.jumps > 0) {
      this.#jumps.use({ ...uniforms, ...common, uColour: colours.jump });
      gl.drawArraysInstanced(gl.LINES, 0, 2, events);
    }
    gl.depthMask(true);
  }

  /** Takes in what has arrived of a timeline. */
  #take(timeline) {
    if (timeline !== this.#timeline) {
      this.#timeline = timeline;
      this.#length = 0;
    }
    const { length, node, action, parent, prev } = timeline;
    if (length === this.#length) return;
    this.#makeRoom(length);
    const events = this.#events;
    let first = this.#length;
    for (let event = this.#length; event < length; event++) {
      const at = event * NUMBERS;
      events[at] = node[event];
      events[at + 1] = NEVER;
      events[at + 2] = action[event];
      // None is -1, which is NEVER here.
      events[at + 3] = parent[event];
      const before = prev[event];
      if (before < 0) continue;
      events[before * NUMBERS + 1] = event;
      if (before < first) first = before;
    }
    this.#length = length;
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    const part = events.subarray(first * NUMBERS, length * NUMBERS);
    gl.bufferSubData(gl.ARRAY_BUFFER, first * NUMBERS * events.BYTES_PER_ELEMENT, part);
  }

  #makeRoom(length) {
    if (this.#buffer && length * NUMBERS <= this.#events.length) return;
    const gl = this.#gl;
    const longer = new Uint32Array(Math.max(2 * length, 4096) * NUMBERS);
    longer.set(this.#events.subarray(0, this.#length * NUMBERS));
    this.#events = longer;
    gl.deleteBuffer(this.#buffer);
    gl.deleteVertexArray(this.#array);
    this.#buffer = bufferOf(gl, longer, gl.DYNAMIC_DRAW);
    const event = { at: 0, size: NUMBERS, type: gl.UNSIGNED_INT, whole: true };
    this.#array = cubeArray(gl, this.#buffer, NUMBERS * longer.BYTES_PER_ELEMENT, event);
  }
}
