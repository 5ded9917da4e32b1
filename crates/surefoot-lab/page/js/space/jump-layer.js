// Draws the jumps of a search as lines.
//
// Every jump of the trace is on the card once, with the number of the next event at the same cell. What is shown at a
// step follows from how many events have happened, so playing forward or back costs the page nothing.

import { Program, bufferOf, vertexArray } from "./gl.js";
import { JUMP_VERTEX, LINE_FRAGMENT } from "./shaders.js";

/** Numbers an end of a line: cell, parent, next event at the cell. */
const NUMBERS = 3;
const ENDS = 2;
const LINE = ENDS * NUMBERS;
const NEVER = 0xffffffff;

export class JumpLayer {
  #gl;
  #program;
  #timeline = null;
  /** How many events were looked at, and how many jumps there were. */
  #events = 0;
  #count = 0;
  #lines = new Uint32Array(0);
  #buffer = null;
  #array = null;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, JUMP_VERTEX, LINE_FRAGMENT);
  }

  /** Draws the jumps among the first events of a timeline. */
  draw(world, timeline, events, { uniforms, colours, slice }) {
    this.#take(timeline);
    const gl = this.#gl;
    const cut = { uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0 };
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.bindVertexArray(this.#array);
    this.#program.use({ ...uniforms, ...cut, uSize: world.size, uNow: events, uColour: colours.jump });
    gl.drawArrays(gl.LINES, 0, ENDS * timeline.jumpsBefore(events));
    gl.depthMask(true);
  }

  /** Takes in what has arrived of a timeline. */
  #take(timeline) {
    if (timeline !== this.#timeline) [this.#timeline, this.#events, this.#count] = [timeline, 0, 0];
    const { length, jumps, jumpAt, node, parent, prev } = timeline;
    if (length === this.#events) return;
    this.#makeRoom(jumps);
    const lines = this.#lines;
    for (let jump = this.#count; jump < jumps; jump++) {
      const event = jumpAt[jump];
      const end = [node[event], parent[event], NEVER];
      lines.set([...end, ...end], jump * LINE);
    }
    let first = this.#count;
    for (let event = this.#events; event < length; event++) {
      const before = timeline.jumpOf(prev[event]);
      if (before < 0) continue;
      for (let end = 1; end <= ENDS; end++) lines[before * LINE + end * NUMBERS - 1] = event;
      first = Math.min(first, before);
    }
    [this.#events, this.#count] = [length, jumps];
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, first * LINE * lines.BYTES_PER_ELEMENT, lines.subarray(first * LINE, jumps * LINE));
  }

  #makeRoom(jumps) {
    if (this.#buffer && jumps * LINE <= this.#lines.length) return;
    const gl = this.#gl;
    const longer = new Uint32Array(Math.max(2 * jumps, 1024) * LINE);
    longer.set(this.#lines.subarray(0, this.#count * LINE));
    this.#lines = longer;
    gl.deleteBuffer(this.#buffer);
    gl.deleteVertexArray(this.#array);
    this.#buffer = bufferOf(gl, longer, gl.DYNAMIC_DRAW);
    const end = { at: 0, size: NUMBERS, type: gl.UNSIGNED_INT, whole: true };
    this.#array = vertexArray(gl, this.#buffer, NUMBERS * longer.BYTES_PER_ELEMENT, [end]);
  }
}
