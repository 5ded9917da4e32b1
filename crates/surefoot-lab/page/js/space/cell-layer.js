// Draws marked cells as cubes, of which only those can be seen that are not inside.

import { CELL_FRAGMENT, CELL_VERTEX } from "./cell-shaders.js";
import { ChunkFaces, HeldFaces } from "./chunk-faces.js";
import { drawInPieces, nearestFirst } from "./chunks.js";
import { Program } from "./gl.js";
import { FACES_OF_CELL, FIRST, MarkedCells } from "./marked-cells.js";
import { scale } from "./matrix.js";

export class CellLayer {
  #gl;
  #program;
  #card;
  #cells = null;
  /** What is on the card of cells of each size. */
  #held = [];
  /** The cells of a list, which one, and how it was. */
  #listed = null;
  #of = null;
  #version = -1;

  constructor(gl) {
    this.#gl = gl;
    this.#program = new Program(gl, CELL_VERTEX, CELL_FRAGMENT);
    this.#card = new ChunkFaces(gl);
  }

  /**
   * Draws marked cells, in pieces. `looks` are those of both kinds: half the side of a cube, its colour (`front`) and that of the backward side
   * (`back`), and whether it hides what is behind it.
   */
  *draw(cells, looks, how) {
    if (cells !== this.#cells) this.#free();
    this.#cells = cells;
    const { uniforms, slice, halvings } = how;
    const size = 2 ** halvings;
    let shown = cells;
    for (let level = 0; level < halvings; level++) shown = shown.coarser;
    const cut = slice && { axis: slice.axis, at: Math.floor(slice.at / size) };
    const chunks = nearestFirst(shown.chunks(cut), scale(uniforms.uEye, 1 / size));
    const held = (this.#held[halvings] ??= new HeldFaces(this.#card));
    const gl = this.#gl;
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    for (const [kind, { half, front, back = front, hides }] of looks.entries()) {
      this.#program.use({ ...uniforms, uCell: size, uHalf: half, uFront: front, uBack: back });
      gl.depthMask(hides);
      // Translucent cells are drawn from back to front.
      yield* drawInPieces(hides ? chunks : chunks.toReversed(), size, how, (chunk) => {
        const faces = held.of(chunk);
        if (!faces) return 0;
        const from = kind > 0 ? faces.ends[kind - 1] : 0;
        const count = faces.ends[kind] - from;
        this.#program.set({ uOrigin: chunk.origin });
        this.#card.draw(faces, FACES_OF_CELL * from, FACES_OF_CELL * count);
        return FACES_OF_CELL * count;
      });
    }
    gl.depthMask(true);
  }

  /** Draws `cells` by their numbers. They are those `of` something; another `version` says that it was changed in place. */
  *drawList(world, { of, version = 0, cells, ...look }, how) {
    if (of !== this.#of || version !== this.#version) {
      [this.#of, this.#version] = [of, version];
      this.#listed = new MarkedCells(world.size);
      for (const cell of cells) this.#listed.set(cell, FIRST);
    }
    yield* this.draw(this.#listed, [look], how);
  }

  #free() {
    for (const held of this.#held) held?.free();
    this.#held = [];
  }
}
