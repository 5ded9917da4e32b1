// Draws the part of a world that has no way out.

import { Program, cubeArray, drawCubes } from "./gl.js";
import { ROW_VERTEX, SEARCH_FRAGMENT } from "./shaders.js";

const HALF = 0.36;

export class RegionLayer {
  #gl;
  #program;
  #array;
  #buffer;
  #rows = null;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, ROW_VERTEX, SEARCH_FRAGMENT);
    this.#buffer = gl.createBuffer();
    this.#array = cubeArray(gl, this.#buffer, 4 * Float32Array.BYTES_PER_ELEMENT, { at: 0, size: 4 });
  }

  /** Draws rows of cells, each `[x, y, z, n]`. */
  draw(rows, { uniforms, colours, slice }) {
    const gl = this.#gl;
    if (rows !== this.#rows) {
      this.#rows = rows;
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
      gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(rows.flat()), gl.DYNAMIC_DRAW);
    }
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    const look = { uHalf: HALF, uFront: colours.region, uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0 };
    this.#program.use({ ...uniforms, ...look });
    gl.bindVertexArray(this.#array);
    drawCubes(gl, rows.length);
    gl.depthMask(true);
  }
}
