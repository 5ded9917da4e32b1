// The faces of chunks on the card.

import { CHUNK, DIRECTIONS } from "./faces.js";
import { FACES_ACROSS } from "./face-shaders.js";

/** The two triangles of a face, by its corners. */
const TRIANGLES = [0, 1, 2, 2, 1, 3];

/** Whether faces of a direction, in a chunk that begins at a cell, may look towards the eye. */
const looksAt = (eye, origin, direction) => {
  const axis = direction >> 1;
  return direction & 1 ? eye[axis] < origin[axis] + CHUNK : eye[axis] > origin[axis];
};

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

  /** Faces as `surfaceFaces` gives them; null if there are none. `free` takes them away again. */
  upload({ list, ends }) {
    if (list.length === 0) return null;
    const gl = this.#gl;
    this.#makeRoom(list.length);
    const rows = Math.ceil(list.length / FACES_ACROSS);
    const padded = new Uint32Array(rows * FACES_ACROSS);
    padded.set(list);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32UI, FACES_ACROSS, rows);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, FACES_ACROSS, rows, gl.RED_INTEGER, gl.UNSIGNED_INT, padded);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return { texture, ends };
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

  free(faces) {
    if (faces) this.#gl.deleteTexture(faces.texture);
  }

  /** Draws those of a chunk that look towards the eye; gives back how many. */
  draw({ texture, ends }, origin, eye) {
    const gl = this.#gl;
    gl.bindVertexArray(this.#array);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    let drawn = 0;
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      const from = direction > 0 ? ends[direction - 1] : 0;
      if (!looksAt(eye, origin, direction)) continue;
      // Directions that follow each other are drawn as one.
      while (direction + 1 < DIRECTIONS && looksAt(eye, origin, direction + 1)) direction++;
      const count = ends[direction] - from;
      if (count === 0) continue;
      const bytes = from * TRIANGLES.length * Uint32Array.BYTES_PER_ELEMENT;
      gl.drawElements(gl.TRIANGLES, count * TRIANGLES.length, gl.UNSIGNED_INT, bytes);
      drawn += count;
    }
    return drawn;
  }
}
