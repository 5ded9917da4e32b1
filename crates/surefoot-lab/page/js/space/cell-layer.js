// Draws cells from a list, as cubes of one size and colour.

import { Program, cubeArray, drawCubes } from "./gl.js";
import { CELL_VERTEX, SEARCH_FRAGMENT } from "./shaders.js";

export class CellLayer {
  #gl;
  #program;
  #array;
  #buffer;
  #list = null;
  #version = -1;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, CELL_VERTEX, SEARCH_FRAGMENT);
    this.#buffer = gl.createBuffer();
    const node = { at: 0, size: 1, type: gl.UNSIGNED_INT, whole: true };
    this.#array = cubeArray(gl, this.#buffer, Uint32Array.BYTES_PER_ELEMENT, node);
  }

  /** Draws the first `count` cells of a list; another `version` says that it was changed in place. */
  draw(world, { list, count = list.length, version = 0, half, colour }, { uniforms, slice }) {
    if (count === 0) return;
    const gl = this.#gl;
    if (list !== this.#list || version !== this.#version) {
      [this.#list, this.#version] = [list, version];
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
      gl.bufferData(gl.ARRAY_BUFFER, list.subarray(0, count), gl.DYNAMIC_DRAW);
    }
    const isSolid = colour.length === 3;
    gl.disable(gl.CULL_FACE);
    if (isSolid) gl.disable(gl.BLEND);
    else gl.enable(gl.BLEND);
    gl.depthMask(isSolid);
    const look = { uHalf: half, uFront: isSolid ? [...colour, 1] : colour };
    const cut = { uSize: world.size, uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0 };
    this.#program.use({ ...uniforms, ...look, ...cut });
    gl.bindVertexArray(this.#array);
    drawCubes(gl, count);
    gl.depthMask(true);
  }
}
