// Draws what is solid: the surface of every chunk that can be seen, and where a slice cuts through.

import { CHUNK, FACE_BYTES, cutFaces } from "./faces.js";
import { Program, bufferOf, vertexArray } from "./gl.js";
import { meetsBox } from "./matrix.js";
import { meshesOf } from "./meshes.js";
import { FACE_FRAGMENT, FACE_VERTEX } from "./shaders.js";

/** Milliseconds a frame for surfaces that are out of date: half of the frame's own, but at least and at most these. */
const LEAST = 12;
const MOST = 250;

export class SolidLayer {
  #gl;
  #program;
  #world = null;
  /** What is on the card of each chunk: `{array, buffer, count, version}`. */
  #chunks = [];
  #cuts = [];
  #cutOf = "";
  #last = 0;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, FACE_VERTEX, FACE_FRAGMENT);
  }

  /** Cells were painted: the cut is out of date. The surfaces know by themselves. */
  spoil() {
    this.#cutOf = "";
  }

  /**
   * Draws a world; `slice` is null or `{axis, at}`. Gives back how many faces there are on the screen, and whether some
   * are still to come.
   */
  draw(world, { planes, uniforms, slice }) {
    const meshes = meshesOf(world);
    if (world !== this.#world) this.#begin(world, meshes);
    // Where drawing is slow, few frames with much in each are sooner done than many.
    const now = performance.now();
    meshes.work(Math.min(Math.max((now - this.#last) / 2, LEAST), MOST));
    this.#last = now;
    const gl = this.#gl;
    this.#program.use({ ...uniforms, uAxis: slice?.axis ?? -1, uLimit: slice?.at ?? 0, uHeight: world.size[2] });
    gl.enable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    let shown = 0;
    meshes.chunks.forEach((chunk, at) => {
      if (chunk.version !== this.#chunks[at]?.version) this.#chunks[at] = this.#upload(chunk, this.#chunks[at]);
      if (slice && chunk.origin[slice.axis] > slice.at) return;
      shown += this.#drawChunk(this.#chunks[at], chunk.origin, planes);
    });
    if (slice) shown += this.#drawCuts(world, meshes, slice, planes);
    return { shown, complete: meshes.isReady };
  }

  #begin(world, meshes) {
    for (const chunk of this.#chunks) this.#free(chunk);
    this.#world = world;
    this.#chunks = meshes.chunks.map(() => null);
    this.spoil();
  }

  #free(chunk) {
    if (!chunk?.buffer) return;
    this.#gl.deleteBuffer(chunk.buffer);
    this.#gl.deleteVertexArray(chunk.array);
  }

  #upload({ faces, version }, before) {
    this.#free(before);
    const gl = this.#gl;
    if (!faces?.length) return { count: 0, version };
    const buffer = bufferOf(gl, faces);
    const bytes = { size: 4, type: gl.UNSIGNED_BYTE, whole: true, each: true };
    const array = vertexArray(gl, buffer, FACE_BYTES, [{ ...bytes, at: 0 }, { ...bytes, at: 1, offset: 4 }]);
    return { buffer, array, count: faces.length / FACE_BYTES, version };
  }

  #drawChunk({ array, count }, origin, planes) {
    if (count === 0 || !meetsBox(planes, origin, origin.map((value) => value + CHUNK))) return 0;
    const gl = this.#gl;
    this.#program.set({ uOrigin: origin });
    gl.bindVertexArray(array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    return count;
  }

  #drawCuts(world, meshes, { axis, at }, planes) {
    const key = `${axis} ${at}`;
    if (key !== this.#cutOf) {
      for (const { chunk } of this.#cuts) this.#free(chunk);
      const cut = meshes.chunks.filter(({ origin }) => origin[axis] <= at && at < origin[axis] + CHUNK);
      this.#cuts = cut.map(({ origin }) => {
        const faces = cutFaces(world, origin, axis, at);
        return { origin, chunk: this.#upload({ faces, version: 0 }, null) };
      });
      this.#cutOf = key;
    }
    return this.#cuts.reduce((sum, { origin, chunk }) => sum + this.#drawChunk(chunk, origin, planes), 0);
  }
}
