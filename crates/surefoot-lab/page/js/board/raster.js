// The whole map with one pixel a cell, and smaller pictures of it for views from far away.

/** Cells in a side of the squares that are brought to the canvas together. */
const SQUARE_BITS = 6;
const SQUARE = 1 << SQUARE_BITS;

export class CellRaster {
  #levels = [];
  /** Squares with pixels that the canvas has not. */
  #dirty;
  #queue = [];
  #across;
  /** The level whose canvas has everything but the dirty squares, -1 for none. */
  #ready = -1;

  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.#across = (width + SQUARE - 1) >> SQUARE_BITS;
    this.#dirty = new Uint8Array(this.#across * ((height + SQUARE - 1) >> SQUARE_BITS));
    this.pixels = this.#level(0).pixels;
  }

  /** Level n has one pixel for 2^n x 2^n cells. */
  #level(n) {
    const known = this.#levels[n];
    if (known) return known;
    const width = ((this.width - 1) >> n) + 1;
    const height = ((this.height - 1) >> n) + 1;
    const image = new ImageData(width, height);
    const pixels = new Int32Array(image.data.buffer);
    const level = { width, height, image, pixels, canvas: null, context: null };
    this.#levels[n] = level;
    return level;
  }

  /** Gives a cell a colour. */
  paint(cell, pixel) {
    this.pixels[cell] = pixel;
    const y = Math.floor(cell / this.width);
    const x = cell - y * this.width;
    const square = (y >> SQUARE_BITS) * this.#across + (x >> SQUARE_BITS);
    if (this.#dirty[square]) return;
    this.#dirty[square] = 1;
    this.#queue.push(square);
  }

  /** Says that any pixel may have changed. */
  paintedAll() {
    this.#ready = -1;
  }

  /** Draws the map from `0, 0` to `right, bottom` (device pixels); `scale` is device pixels a cell. */
  draw(context, scale, right, bottom) {
    const n = scale >= 1 ? 0 : Math.floor(Math.log2(1 / scale));
    const canvas = this.#upToDate(n);
    context.imageSmoothingEnabled = scale < 1;
    context.imageSmoothingQuality = "low";
    context.drawImage(canvas, 0, 0, this.width / 2 ** n, this.height / 2 ** n, 0, 0, right, bottom);
  }

  #upToDate(n) {
    const level = this.#level(n);
    if (!level.canvas) {
      level.canvas = new OffscreenCanvas(level.width, level.height);
      level.context = level.canvas.getContext("2d", { alpha: false });
    }
    if (this.#ready === n) {
      for (const square of this.#queue) this.#bring(n, square);
    } else {
      for (let i = 1; i <= n; i++) this.#shrink(i, 0, 0, this.#level(i).width, this.#level(i).height);
      level.context.putImageData(level.image, 0, 0);
    }
    for (const square of this.#queue) this.#dirty[square] = 0;
    this.#queue = [];
    this.#ready = n;
    return level.canvas;
  }

  /** Brings one square to the canvas of a level. */
  #bring(n, square) {
    const row = Math.floor(square / this.#across);
    const left = (square - row * this.#across) << SQUARE_BITS;
    const top = row << SQUARE_BITS;
    for (let i = 1; i <= n; i++) this.#shrink(i, left >> i, top >> i, (left + SQUARE) >> i, (top + SQUARE) >> i);
    const { context, image } = this.#level(n);
    context.putImageData(image, 0, 0, left >> n, top >> n, SQUARE >> n, SQUARE >> n);
  }

  /** Makes pixels of a level from the four below each. */
  #shrink(n, left, top, right, bottom) {
    const { pixels, width, height } = this.#level(n);
    const below = this.#level(n - 1);
    const from = below.pixels;
    for (let y = top; y < Math.min(bottom, height); y++) {
      const upper = 2 * y * below.width;
      const lower = Math.min(2 * y + 1, below.height - 1) * below.width;
      for (let x = left; x < Math.min(right, width); x++) {
        const x0 = 2 * x;
        const x1 = Math.min(x0 + 1, below.width - 1);
        const above = middle(from[upper + x0], from[upper + x1]);
        pixels[y * width + x] = middle(above, middle(from[lower + x0], from[lower + x1]));
      }
    }
  }
}

/** The colour between two, all four bytes at once. */
const middle = (a, b) => ((a & b) + (((a ^ b) & 0xfefefefe) >>> 1)) | 0;
