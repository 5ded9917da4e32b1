// Draws what is solid: the surface of every chunk that can be seen, and where a slice cuts through.

import { ChunkFaces } from "./chunk-faces.js";
import { FACE_FRAGMENT, FACE_VERTEX } from "./face-shaders.js";
import { CHUNK, cutFaces } from "./faces.js";
import { Program } from "./gl.js";
import { meetsBox } from "./matrix.js";
import { meshesOf } from "./meshes.js";

/** Milliseconds a frame for surfaces that are out of date: half of the frame's own, but at least and at most these. */
const LEAST = 12;
const MOST = 250;

export class SolidLayer {
  #gl;
  #program;
  #world = null;
  #faces;
  /** What is on the card of each chunk: `{faces, version}`. */
  #chunks = [];
  #cuts = [];
  #cutOf = "";
  #last = 0;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, FACE_VERTEX, FACE_FRAGMENT);
    this.#faces = new ChunkFaces(gl);
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
      const held = this.#chunks[at];
      if (chunk.version !== held.version) {
        this.#faces.free(held.faces);
        this.#chunks[at] = { faces: this.#faces.upload(chunk.faces), version: chunk.version };
      }
      if (slice && chunk.origin[slice.axis] > slice.at) return;
      shown += this.#drawChunk(this.#chunks[at].faces, chunk.origin, planes, uniforms.uEye);
    });
    if (slice) shown += this.#drawCuts(world, meshes, slice, planes, uniforms.uEye);
    return { shown, complete: meshes.isReady };
  }

  #begin(world, meshes) {
    for (const { faces } of this.#chunks) this.#faces.free(faces);
    this.#world = world;
    this.#chunks = meshes.chunks.map(() => ({ faces: null, version: 0 }));
    this.spoil();
  }

  #drawChunk(faces, origin, planes, eye) {
    if (!faces || !meetsBox(planes, origin, origin.map((value) => value + CHUNK))) return 0;
    this.#program.set({ uOrigin: origin });
    return this.#faces.draw(faces, origin, eye);
  }

  #drawCuts(world, meshes, { axis, at }, planes, eye) {
    const key = `${axis} ${at}`;
    if (key !== this.#cutOf) {
      for (const { faces } of this.#cuts) this.#faces.free(faces);
      const cut = meshes.chunks.filter(({ origin }) => origin[axis] <= at && at < origin[axis] + CHUNK);
      this.#cuts = cut.map(({ origin }) => ({ origin, faces: this.#faces.upload(cutFaces(world, origin, axis, at)) }));
      this.#cutOf = key;
    }
    return this.#cuts.reduce((sum, { origin, faces }) => sum + this.#drawChunk(faces, origin, planes, eye), 0);
  }
}
