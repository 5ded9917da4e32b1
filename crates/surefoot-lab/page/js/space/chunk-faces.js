// The faces of chunks on the card.

import { FACES_ACROSS } from "./face-shaders.js";

/** The two triangles of a face, by its corners. */
const TRIANGLES = [0, 1, 2, 2, 1, 3];

/** Puts faces on the card and draws them, with a program that looks them up. */
export class ChunkFaces {
  #gl;
  #array;
  #indices = null;
  /** For how many faces there are indices. */
  #room = 0;

  constructor(gl) {
    this.#gl = gl;
    this.#array = gl.createVertexArray();
  }

  /**
   * A list of numbers and where parts of it `end`, in place of what was uploaded `before`; null if there are none. Each number stands for `each` faces.
   * `free` takes them away again.
   */
  upload({ list, ends, each = 1 }, before = null) {
    const gl = this.#gl;
    const rows = Math.ceil(list.length / FACES_ACROSS);
    if (rows === 0) return this.free(before);
    this.#makeRoom(each * list.length);
    const padded = new Uint32Array(rows * FACES_ACROSS);
    padded.set(list);
    const fits = before && rows <= before.rows;
    const held = fits ? before : this.#makeTexture(Math.max(rows, 2 * (before?.rows ?? 0)));
    if (!fits) this.free(before);
    gl.bindTexture(gl.TEXTURE_2D, held.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, FACES_ACROSS, rows, gl.RED_INTEGER, gl.UNSIGNED_INT, padded);
    return { ...held, ends };
  }

  #makeTexture(rows) {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32UI, FACES_ACROSS, rows);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return { texture, rows };
  }

  /** Every chunk uses the same indices, from the first one on. */
  #makeRoom(faces) {
    if (faces <= this.#room) return;
    const gl = this.#gl;
    this.#room = Math.max(2 * this.#room, faces);
    const indices = new Uint32Array(this.#room * TRIANGLES.length);
    for (let at = 0; at < indices.length; at++) indices[at] = 4 * Math.floor(at / 6) + TRIANGLES[at % 6];
    gl.bindVertexArray(this.#array);
    gl.deleteBuffer(this.#indices);
    this.#indices = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
  }

  /** Gives back null, which is what there is then. */
  free(faces) {
    if (faces) this.#gl.deleteTexture(faces.texture);
    return null;
  }

  /** Draws so many faces from one on. */
  draw({ texture }, from, count) {
    if (count === 0) return;
    const gl = this.#gl;
    gl.bindVertexArray(this.#array);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const bytes = from * TRIANGLES.length * Uint32Array.BYTES_PER_ELEMENT;
    gl.drawElements(gl.TRIANGLES, count * TRIANGLES.length, gl.UNSIGNED_INT, bytes);
  }
}

/** What is on the card of chunks, each as its last version is. */
export class HeldFaces {
  #card;
  #held = new Map();

  constructor(card) {
    this.#card = card;
  }

  /** The faces of a chunk as it is now, null if there are none. */
  of(chunk) {
    const held = this.#held.get(chunk);
    if (held?.version === chunk.version) return held.faces;
    const faces = chunk.faces && this.#card.upload(chunk.faces, held?.faces);
    this.#held.set(chunk, { faces, version: chunk.version });
    return faces;
  }

  free() {
    for (const { faces } of this.#held.values()) this.#card.free(faces);
    this.#held.clear();
  }
}
