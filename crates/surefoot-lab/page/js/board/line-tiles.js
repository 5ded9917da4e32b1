// Thin lines of one colour over the cells, in see-through tiles that are kept while the zoom stays.
//
// A pixel counts how much all lines cover it. So it does not matter in which order lines come and go: changing a tile gives
// what drawing it anew would give.

import { palette } from "./palette.js";

const SIDE = 256;
const FULL = 255;
/** Tiles kept for later. */
const MOST_SPARE = 64;

export class LineTiles {
  #tiles = new Map();
  #spare = [];
  #key = "";
  #frame = 0;
  /** The columns and rows of tiles in view, and those tiles in rows. */
  #window = { left: 0, top: 0, right: 0, bottom: 0 };
  #seen = [];
  /** Whether lines are for the tiles that have none yet, or for the others. */
  #forNew = false;
  #halfWidth = 0.5;
  /** Device pixels a cell. */
  scale = 1;

  /** Forgets everything. */
  clear() {
    for (const [number, tile] of this.#tiles) this.#drop(number, tile);
    this.#key = "";
  }

  /**
   * Draws what a view shows into a context whose origin is the map's corner, in device pixels. `view` has `scale`, `ratio`
   * and the view's edges in device pixels. `style` is `{colour, width}`: a name of the palette, and device pixels.
   * `paint` calls `line` or `square` for all there is, `change` for what came and went since the last time.
   */
  draw(context, { scale, ratio, left, top, right, bottom }, { colour, width }, paint, change = () => {}) {
    const key = `${scale} ${ratio} ${width} ${palette.version}`;
    if (key !== this.#key) this.clear();
    this.#key = key;
    this.scale = scale * ratio;
    this.#halfWidth = width / 2;
    this.#look(left, top, right, bottom);
    this.#forNew = false;
    change(this);
    // Tiles out of view are not updated.
    for (const [number, tile] of this.#tiles) if (tile.frame !== this.#frame) this.#drop(number, tile);
    this.#forNew = true;
    if (this.#seen.some((tile) => tile.isNew)) paint(this);
    for (const tile of this.#seen) {
      if (tile.isNew || tile.changed) fillIn(tile, colour);
      if (!tile.blank) context.drawImage(tile.canvas, tile.left, tile.top);
    }
  }

  #look(left, top, right, bottom) {
    this.#frame++;
    const window = {
      left: Math.floor(left / SIDE),
      top: Math.floor(top / SIDE),
      right: Math.ceil(right / SIDE),
      bottom: Math.ceil(bottom / SIDE),
    };
    this.#window = window;
    this.#seen = [];
    for (let row = window.top; row < window.bottom; row++) {
      for (let column = window.left; column < window.right; column++) this.#seen.push(this.#tile(column, row));
    }
  }

  #tile(column, row) {
    const number = numberOf(column, row);
    let tile = this.#tiles.get(number);
    if (!tile) {
      tile = this.#spare.pop() ?? newTile();
      tile.cover.fill(0);
      Object.assign(tile, { left: column * SIDE, top: row * SIDE, isNew: true, changed: false });
      this.#tiles.set(number, tile);
    }
    tile.frame = this.#frame;
    return tile;
  }

  #drop(number, tile) {
    this.#tiles.delete(number);
    if (this.#spare.length < MOST_SPARE) this.#spare.push(tile);
  }

  /** A straight line, in device pixels from the map's corner; with `sign` -1 it is taken away. */
  line(ax, ay, bx, by, sign = 1) {
    const reach = this.#halfWidth + 1;
    const { left, top, right, bottom } = this.#window;
    const firstColumn = Math.max(Math.floor((Math.min(ax, bx) - reach) / SIDE), left);
    const firstRow = Math.max(Math.floor((Math.min(ay, by) - reach) / SIDE), top);
    const lastColumn = Math.min(Math.floor((Math.max(ax, bx) + reach) / SIDE), right - 1);
    const lastRow = Math.min(Math.floor((Math.max(ay, by) + reach) / SIDE), bottom - 1);
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const tile = this.#seen[(row - top) * (right - left) + column - left];
        if (tile.isNew !== this.#forNew) continue;
        tile.changed = true;
        const { left: x, top: y } = tile;
        if (Math.abs(bx - ax) >= Math.abs(by - ay)) this.#stroke(tile, 1, SIDE, ax - x, ay - y, bx - x, by - y, sign);
        else this.#stroke(tile, SIDE, 1, ay - y, ax - x, by - y, bx - x, sign);
      }
    }
  }

  /** A line that gets on faster along `u` than along `v`; a step along these is so many pixels further in the tile. */
  #stroke({ cover }, stepU, stepV, au, av, bu, bv, sign) {
    const full = sign * FULL;
    // Ends are as long as the line is wide, so that lines with a common end meet.
    const first = Math.max(Math.round(Math.min(au, bu) - this.#halfWidth), 0);
    const last = Math.min(Math.round(Math.max(au, bu) + this.#halfWidth), SIDE);
    if (av === bv && Number.isInteger(av - this.#halfWidth)) {
      const end = Math.min(av + this.#halfWidth, SIDE);
      for (let v = Math.max(av - this.#halfWidth, 0); v < end; v++) {
        for (let at = first * stepU + v * stepV; at < last * stepU + v * stepV; at += stepU) cover[at] += full;
      }
      return;
    }
    const slope = bu === au ? 0 : (bv - av) / (bu - au);
    const lean = Math.sqrt(1 + slope * slope);
    const half = this.#halfWidth + 0.5;
    const reach = half * lean;
    for (let u = first; u < last; u++) {
      const middle = av + (u + 0.5 - au) * slope;
      const from = Math.max(Math.ceil(middle - reach - 0.5), 0);
      const to = Math.min(Math.floor(middle + reach - 0.5), SIDE - 1);
      for (let v = from; v <= to; v++) {
        const share = half - Math.abs(v + 0.5 - middle) / lean;
        cover[u * stepU + v * stepV] += share >= 1 ? full : (share * full) | 0;
      }
    }
  }

  /** A filled square of whole pixels. */
  square(left, top, side) {
    const { left: firstColumn, top: firstRow, right, bottom } = this.#window;
    for (let row = Math.floor(top / SIDE); row * SIDE < top + side; row++) {
      for (let column = Math.floor(left / SIDE); column * SIDE < left + side; column++) {
        if (row < firstRow || row >= bottom || column < firstColumn || column >= right) continue;
        const tile = this.#seen[(row - firstRow) * (right - firstColumn) + column - firstColumn];
        if (tile.isNew !== this.#forNew) continue;
        tile.changed = true;
        const [x0, y0] = [Math.max(left - tile.left, 0), Math.max(top - tile.top, 0)];
        const x1 = Math.min(left - tile.left + side, SIDE);
        const y1 = Math.min(top - tile.top + side, SIDE);
        for (let y = y0; y < y1; y++) tile.cover.fill(FULL, y * SIDE + x0, y * SIDE + x1);
      }
    }
  }
}

const numberOf = (column, row) => row * 65536 + column;

function newTile() {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const image = new ImageData(SIDE, SIDE);
  const pixels = new Uint32Array(image.data.buffer);
  const cover = new Int32Array(SIDE * SIDE);
  return { canvas, context: canvas.getContext("2d"), image, pixels, cover, blank: true };
}

/** Brings what is covered to a tile's canvas. */
function fillIn(tile, colour) {
  const [red, green, blue, alpha] = palette.parts(colour);
  const { cover, pixels } = tile;
  // What has no lines yet has nothing to show.
  tile.blank = tile.isNew && !tile.changed;
  tile.isNew = tile.changed = false;
  if (tile.blank) return;
  const table = new Uint32Array(FULL + 1);
  for (let share = 1; share <= FULL; share++) {
    table[share] = ((Math.round((share * alpha) / FULL) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  for (let i = 0; i < cover.length; i++) pixels[i] = table[Math.min(cover[i], FULL)];
  tile.context.putImageData(tile.image, 0, 0);
}
