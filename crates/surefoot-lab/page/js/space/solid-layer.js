// Draws what is solid: the surface of every chunk that can be seen, and where a slice cuts through.

import { ChunkFaces, HeldFaces } from "./chunk-faces.js";
import { drawInPieces, nearestFirst } from "./chunks.js";
import { FACE_FRAGMENT, FACE_VERTEX } from "./face-shaders.js";
import { CHUNK, DIRECTIONS, cutFaces } from "./faces.js";
import { Program } from "./gl.js";
import { scale } from "./matrix.js";
import { meshesOf } from "./meshes.js";

/** Whether faces of a direction, in a chunk that begins at a cell, may look towards the eye. */
const looksAt = (eye, origin, direction) => {
  const axis = direction >> 1;
  return direction & 1 ? eye[axis] < origin[axis] + CHUNK : eye[axis] > origin[axis];
};

/** What is on the card of a world whose cells are `size` cells of the document's long. */
class Surface {
  #card;
  #surfaces;
  #cuts;
  #cutChunks = [];
  #cutOf = "";

  constructor(card, world, size) {
    this.#card = card;
    this.#surfaces = new HeldFaces(card);
    this.#cuts = new HeldFaces(card);
    this.world = world;
    this.size = size;
    this.meshes = meshesOf(world);
  }

  /** Cells were painted: the cut is out of date. The surfaces know by themselves. */
  spoil() {
    this.#cutOf = "";
  }

  free() {
    this.#surfaces.free();
    this.#cuts.free();
  }

  /** The chunks there are to draw, nearest to the eye first. */
  list(eye, slice) {
    if (!slice) return nearestFirst(this.meshes.chunks, eye);
    this.#cut(slice);
    const shown = this.meshes.chunks.filter(({ origin }) => origin[slice.axis] <= slice.at);
    return nearestFirst([...shown, ...this.#cutChunks], eye);
  }

  #cut({ axis, at }) {
    const key = `${axis} ${at}`;
    if (key === this.#cutOf) return;
    this.#cuts.free();
    const cut = this.meshes.chunks.filter(({ origin }) => origin[axis] <= at && at < origin[axis] + CHUNK);
    this.#cutChunks = cut.map(({ origin }) => ({ origin, faces: cutFaces(this.world, origin, axis, at), version: 1, isCut: true }));
    this.#cutOf = key;
  }

  /** Draws those faces of a chunk that look towards the eye; gives back how many. */
  draw(chunk, eye) {
    const faces = (chunk.isCut ? this.#cuts : this.#surfaces).of(chunk);
    if (!faces) return 0;
    const { ends } = faces;
    const { origin } = chunk;
    let drawn = 0;
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      const from = direction > 0 ? ends[direction - 1] : 0;
      if (!looksAt(eye, origin, direction)) continue;
      // Directions that follow each other are drawn as one.
      while (direction + 1 < DIRECTIONS && looksAt(eye, origin, direction + 1)) direction++;
      this.#card.draw(faces, from, ends[direction] - from);
      drawn += ends[direction] - from;
    }
    return drawn;
  }
}

export class SolidLayer {
  #gl;
  #program;
  #card;
  /** The world itself, then coarser and coarser ones. */
  #surfaces = [];

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, FACE_VERTEX, FACE_FRAGMENT);
    this.#card = new ChunkFaces(gl);
  }

  /** Cells were painted. */
  spoil() {
    for (const surface of this.#surfaces) surface.spoil();
  }

  /**
   * Draws a world, in pieces. `slice` is null or `{axis, at}`; cells are shown `halvings` times coarser. Gives back how many faces it drew, and
   * whether none are still to come.
   */
  *draw(world, how) {
    const { uniforms, slice, halvings } = how;
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
    let shown = 0;
    yield* drawInPieces(surface.list(eye, cut), size, how, (chunk) => {
      this.#program.set({ uOrigin: chunk.origin });
      const drawn = surface.draw(chunk, eye);
      shown += drawn;
      return drawn;
    });
    return { shown, complete };
  }

  /** The surface to draw. That of a coarser world is made at once: there is little of it. */
  #surface(world, halvings) {
    if (this.#surfaces[0]?.world !== world) {
      for (const surface of this.#surfaces) surface.free();
      this.#surfaces = [new Surface(this.#card, world, 1)];
    }
    for (let level = 1; level <= halvings; level++) {
      const finer = this.#surfaces[level - 1];
      this.#surfaces[level] ??= new Surface(this.#card, finer.meshes.coarser, 2 * finer.size);
    }
    const surface = this.#surfaces[halvings];
    if (halvings > 0) surface.meshes.work(Infinity, [0, 0, 0]);
    return surface;
  }
}
