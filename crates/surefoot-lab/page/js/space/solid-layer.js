// Draws what is solid: the surface of every chunk that can be seen, and where a slice cuts through.

import { ChunkFaces } from "./chunk-faces.js";
import { FACE_FRAGMENT, FACE_VERTEX } from "./face-shaders.js";
import { CHUNK, cutFaces } from "./faces.js";
import { Program } from "./gl.js";
import { meetsBox, scale } from "./matrix.js";
import { meshesOf } from "./meshes.js";

/** What is on the card of a world whose cells are `size` cells of the document's long. */
class Surface {
  #faces;
  #chunks;
  #cuts = [];
  #cutOf = "";

  constructor(faces, world, size) {
    this.#faces = faces;
    this.world = world;
    this.size = size;
    this.meshes = meshesOf(world);
    this.#chunks = this.meshes.chunks.map(() => ({ faces: null, version: 0 }));
  }

  /** Cells were painted: the cut is out of date. The surfaces know by themselves. */
  spoil() {
    this.#cutOf = "";
  }

  free() {
    for (const { faces } of [...this.#chunks, ...this.#cuts]) this.#faces.free(faces);
  }

  /** What there is to draw, `{origin, faces}`, nearest to the eye first. */
  list(eye, slice) {
    const chunks = this.meshes.chunks.map((chunk, at) => this.#held(chunk, at));
    const shown = slice ? chunks.filter(({ origin }) => origin[slice.axis] <= slice.at) : chunks;
    const all = [...shown, ...(slice ? this.#cut(slice) : [])].filter(({ faces }) => faces);
    const far = ({ origin }) => Math.hypot(...origin.map((value, axis) => value + CHUNK / 2 - eye[axis]));
    return all.map((entry) => ({ ...entry, far: far(entry) })).sort((a, b) => a.far - b.far);
  }

  /** A chunk as it is now. */
  #held({ origin, faces, version }, at) {
    if (version !== this.#chunks[at].version) {
      this.#faces.free(this.#chunks[at].faces);
      this.#chunks[at] = { origin, faces: this.#faces.upload(faces), version };
    }
    return this.#chunks[at];
  }

  #cut({ axis, at }) {
    const key = `${axis} ${at}`;
    if (key !== this.#cutOf) {
      for (const { faces } of this.#cuts) this.#faces.free(faces);
      const cut = this.meshes.chunks.filter(({ origin }) => origin[axis] <= at && at < origin[axis] + CHUNK);
      this.#cuts = cut.map(({ origin }) => ({ origin, faces: this.#faces.upload(cutFaces(this.world, origin, axis, at)) }));
      this.#cutOf = key;
    }
    return this.#cuts;
  }
}

export class SolidLayer {
  #gl;
  #program;
  #faces;
  /** The world itself, then coarser and coarser ones. */
  #surfaces = [];

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, FACE_VERTEX, FACE_FRAGMENT);
    this.#faces = new ChunkFaces(gl);
  }

  /** Cells were painted. */
  spoil() {
    for (const surface of this.#surfaces) surface.spoil();
  }

  /**
   * Draws a world, in pieces of about `piece` faces: others may have their turn where it yields. `slice` is null or
   * `{axis, at}`; cells are shown `halvings` times coarser. Gives back how many faces it drew, and whether some are still to come.
   */
  *draw(world, { planes, uniforms, slice, piece, halvings }) {
    const surface = this.#surface(world, halvings);
    const { size, meshes } = surface;
    const gl = this.#gl;
    const eye = scale(uniforms.uEye, 1 / size);
    const cut = slice && { axis: slice.axis, at: Math.floor(slice.at / size) };
    const place = { uAxis: cut?.axis ?? -1, uLimit: cut?.at ?? 0, uHeight: world.size[2], uCell: size };
    const complete = meshes.isReady;
    this.#program.use({ ...uniforms, ...place });
    gl.enable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    let [shown, since] = [0, 0];
    for (const { origin, faces } of surface.list(eye, cut)) {
      const [least, most] = [origin, origin.map((value) => value + CHUNK)].map((corner) => scale(corner, size));
      if (!meetsBox(planes, least, most)) continue;
      if (since >= piece) {
        yield;
        since = 0;
      }
      this.#program.set({ uOrigin: origin });
      const drawn = this.#faces.draw(faces, origin, eye);
      shown += drawn;
      since += drawn;
    }
    return { shown, complete };
  }

  /** The surface to draw. That of a coarser world is made at once: there is little of it. */
  #surface(world, halvings) {
    if (this.#surfaces[0]?.world !== world) {
      for (const surface of this.#surfaces) surface.free();
      this.#surfaces = [new Surface(this.#faces, world, 1)];
    }
    for (let level = 1; level <= halvings; level++) {
      const finer = this.#surfaces[level - 1];
      this.#surfaces[level] ??= new Surface(this.#faces, finer.meshes.coarser, 2 * finer.size);
    }
    const surface = this.#surfaces[halvings];
    if (halvings > 0) surface.meshes.work(Infinity, [0, 0, 0]);
    return surface;
  }
}
