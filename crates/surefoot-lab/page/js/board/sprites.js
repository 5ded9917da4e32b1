// Cells as they look close by, one small picture for each look.

import { colourOf, FACED, groundMark, LOOKS, markOf, stateOf } from "./looks.js";
import { over, palette, pixel } from "./palette.js";

/** Bytes of pictures that are kept. */
const MOST_BYTES = 64 << 20;
/** The share of a wall's height that its front takes. */
const FACE = 0.2;
/** The strength of patterns of terrain beside those of the search, and of all behind numbers. */
const GROUND = 0.75;
const QUIET = 0.3;

export class Sprites {
  #known = new Array(LOOKS).fill(null);
  #bytes = 0;

  /** With `framed` marks leave the middle of cells free, with `quiet` patterns step back behind numbers. */
  constructor(masks, { framed = false, quiet = false } = {}) {
    this.masks = masks;
    this.framed = framed;
    this.patterns = quiet ? QUIET : 1;
    this.size = masks.size;
    const css = masks.scale / masks.ratio;
    /** Patterns and lines come in gently while one zooms in. */
    this.strength = Math.min(Math.max((css - 6) / 8, 0.15), 1);
    this.line = Math.max(1, Math.floor(masks.ratio));
  }

  /** The picture of a look: `size * size` pixels. */
  of(look) {
    return this.#known[look] ?? this.#make(look);
  }

  #make(look) {
    if (this.#bytes > MOST_BYTES) {
      this.#known.fill(null);
      this.#bytes = 0;
    }
    const { size, masks, framed, strength, patterns } = this;
    const cost = look & 255;
    const state = cost === 0 ? 0 : stateOf(look);
    const base = colourOf(look);
    const picture = new Uint32Array(size * size).fill(pixel(base));
    if (cost > 1) blend(picture, masks.ofCost(cost), groundMark(cost), strength * patterns * GROUND);
    const mask = masks.ofState(state, framed);
    if (mask) blend(picture, mask, markOf(state), strength * patterns);
    if (look & FACED) {
      const face = pixel(over([0, 0, 0, 255], base, palette.dark ? 0.45 : 0.35));
      picture.fill(face, size * Math.round(masks.scale * (1 - FACE)));
    }
    this.#rule(picture);
    this.#known[look] = picture;
    this.#bytes += picture.byteLength;
    return picture;
  }

  /** Lines of the grid, above and left. */
  #rule(picture) {
    const { size, line, strength } = this;
    const ink = palette.parts("grid-line");
    for (let y = 0; y < size; y++) {
      const width = y < line ? size : line;
      for (let x = 0; x < width; x++) picture[y * size + x] = mix(picture[y * size + x], ink, strength);
    }
  }
}

/** A pixel with a share of ink over it. */
function mix(below, [red, green, blue, alpha], share) {
  const top = (alpha / 255) * share;
  const r = below & 255;
  const g = (below >> 8) & 255;
  const b = (below >> 16) & 255;
  return (
    (0xff000000 | ((b + (blue - b) * top) << 16) | ((g + (green - g) * top) << 8) | (r + (red - r) * top)) >>> 0
  );
}

/** Puts ink on a whole picture where a mask says so. */
function blend(picture, mask, ink, share) {
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] > 0) picture[i] = mix(picture[i], ink, (mask[i] / 255) * share);
  }
}
