// Draws the part of a world that has no way out.

import { Program, bufferOf, cubeTriangles, vertexArray } from "./gl.js";
import { ROW_VERTEX, SEARCH_FRAGMENT } from "./shaders.js";

const CORNERS = 36;
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
    const stride = 6 * Float32Array.BYTES_PER_ELEMENT;
    this.#array = vertexArray(gl, bufferOf(gl, cubeTriangles()), stride, [
      { at: 0, size: 3 },
      { at: 1, size: 3, offset: stride / 2 },
    ]);
    this.#buffer = gl.createBuffer();
    vertexArray(gl, this.#buffer, 4 * Float32Array.BYTES_PER_ELEMENT, [{ at: 2, size: 4, each: true }], this.#array);
  }

  /** Draws rows of cells, each `[x, y, z, n]`. */
  draw(rows, { uniforms, colours, slice }) {
    const gl = this.#gl;
    if (rows !== this.#rows) {
      this.#rows = rows;
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
      gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(rows.flat()), gl.DYNAMIC_DRAW);
    }
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    const look = { uHalf: HALF, uFront: colours.region, uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0 };
    this.#program.use({ ...uniforms, ...look });
    gl.bindVertexArray(this.#array);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, CORNERS, rows.length);
    gl.depthMask(true);
  }
}
