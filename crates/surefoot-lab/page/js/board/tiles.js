// Cells close by: drawn with their patterns, arrows and numbers into tiles that are kept while the zoom stays.
//
// A tile is a square of cells, at most 256 device pixels wide. What a tile shows depends on its cells alone, and edges of
// cells are whole pixels counted from the map's corner, so tiles can be moved about without being drawn again.

import { CellInk } from "./cell-ink.js";
import { Masks } from "./masks.js";
import { palette } from "./palette.js";
import { Sprites } from "./sprites.js";

const TILE_PIXELS = 256;
/** Sides of the tiles' canvases, for cells that fit a tile and for larger ones. Few sizes, so they are used again. */
const SIDE = TILE_PIXELS + 2;
const LARGE_STEP = 128;

export class TileLayer {
  #scene = null;
  #tiles = new Map();
  #spare = [];
  #key = "";
  #scratch = null;
  #frame = 0;

  /** Shows another scene. It has `width`, `height`, `lookOf(cell)`, and what CellInk asks for. */
  show(scene) {
    if (this.#scene && (this.#scene.width !== scene.width || this.#scene.height !== scene.height)) this.clear();
    this.#scene = scene;
    this.touchAll();
  }

  /** A cell looks different. */
  touch(cell) {
    if (this.#tiles.size === 0) return;
    const y = Math.floor(cell / this.#scene.width);
    const x = cell - y * this.#scene.width;
    const tile = this.#tiles.get(this.#number(Math.floor(x / this.cells), Math.floor(y / this.cells)));
    if (tile) tile.dirty = true;
  }

  /** Every cell may look different. */
  touchAll() {
    for (const tile of this.#tiles.values()) tile.dirty = true;
  }

  /** Forgets everything. */
  clear() {
    for (const tile of this.#tiles.values()) this.#spare.push(tile);
    this.#tiles.clear();
    this.#key = "";
  }

  #number(column, row) {
    return row * 4096 + column;
  }

  #edge(cell) {
    return Math.round(cell * this.scale);
  }

  #setUp({ scale, ratio, arrows, numbers, planner }) {
    const key = `${scale} ${ratio} ${arrows} ${numbers} ${planner} ${palette.version}`;
    if (key === this.#key) return;
    this.clear();
    this.#key = key;
    this.scale = scale * ratio;
    this.cells = Math.max(1, Math.floor(TILE_PIXELS / this.scale));
    const masks = new Masks(this.scale, ratio);
    this.ink = new CellInk(masks, { arrows, numbers, planner });
    this.sprites = new Sprites(masks, { framed: this.ink.arrows || this.ink.numbers, quiet: this.ink.numbers });
    const side = this.scale <= TILE_PIXELS ? SIDE : Math.ceil((this.scale + 1) / LARGE_STEP) * LARGE_STEP;
    if (this.#scratch?.width !== side) {
      this.#scratch = new ImageData(side, side);
      this.#spare = [];
    }
  }

  /**
   * Draws the cells of a view into a context whose origin is the map's corner, in device pixels. `view` has `scale`,
   * `ratio`, `arrows`, `numbers`, `planner`, and the view's edges in device pixels from the map's corner.
   */
  draw(context, view) {
    this.#setUp(view);
    this.#frame++;
    const { width, height } = this.#scene;
    const span = this.cells * this.scale;
    const columns = Math.ceil(width / this.cells);
    const rows = Math.ceil(height / this.cells);
    const left = Math.max(0, Math.floor((view.left - 1) / span));
    const top = Math.max(0, Math.floor((view.top - 1) / span));
    const right = Math.min(columns, Math.ceil((view.right + 1) / span));
    const bottom = Math.min(rows, Math.ceil((view.bottom + 1) / span));
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) this.#drawTile(context, column, row);
    }
    this.#forgetUnseen(Math.max(right - left, 0) * Math.max(bottom - top, 0));
  }

  #drawTile(context, column, row) {
    const number = this.#number(column, row);
    let tile = this.#tiles.get(number);
    if (!tile) {
      tile = this.#spare.pop() ?? this.#newTile();
      tile.dirty = true;
      this.#tiles.set(number, tile);
    }
    tile.frame = this.#frame;
    const x = column * this.cells;
    const y = row * this.cells;
    const right = Math.min(x + this.cells, this.#scene.width);
    const bottom = Math.min(y + this.cells, this.#scene.height);
    const [left, top] = [this.#edge(x), this.#edge(y)];
    const [width, height] = [this.#edge(right) - left, this.#edge(bottom) - top];
    if (tile.dirty) {
      this.#paint(x, y, right, bottom);
      tile.context.putImageData(this.#scratch, 0, 0, 0, 0, width, height);
      tile.dirty = false;
    }
    context.drawImage(tile.context.canvas, 0, 0, width, height, left, top, width, height);
  }

  #newTile() {
    const { width, height } = this.#scratch;
    return { context: new OffscreenCanvas(width, height).getContext("2d", { alpha: false }), dirty: true, frame: 0 };
  }

  /** Paints cells into the scratch picture. */
  #paint(left, top, right, bottom) {
    const scene = this.#scene;
    const { sprites, ink } = this;
    const { size } = sprites;
    const stride = this.#scratch.width;
    const picture = new Uint32Array(this.#scratch.data.buffer);
    const [originX, originY] = [this.#edge(left), this.#edge(top)];
    for (let y = top; y < bottom; y++) {
      const y0 = this.#edge(y) - originY;
      const height = this.#edge(y + 1) - originY - y0;
      for (let x = left; x < right; x++) {
        const x0 = this.#edge(x) - originX;
        const width = this.#edge(x + 1) - originX - x0;
        const cell = y * scene.width + x;
        const sprite = sprites.of(scene.lookOf(cell));
        for (let line = 0; line < height; line++) {
          const from = line * size;
          const to = (y0 + line) * stride + x0;
          for (let i = 0; i < width; i++) picture[to + i] = sprite[from + i];
        }
        if (ink.any) ink.draw(scene, cell, picture, stride, x0, y0, width, height);
      }
    }
  }

  /** Keeps a few tiles around the view for panning back. */
  #forgetUnseen(visible) {
    if (this.#tiles.size <= 2 * visible + 16) return;
    for (const [number, tile] of this.#tiles) {
      if (tile.frame === this.#frame) continue;
      this.#tiles.delete(number);
      if (this.#spare.length < visible) this.#spare.push(tile);
    }
  }
}
