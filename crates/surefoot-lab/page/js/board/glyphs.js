// Digits as masks, so that thousands of numbers cost little.

import { Stencil } from "./stencil.js";

const SIGNS = "0123456789.ghfrsk∞";
const MOST_KNOWN = 64;
const known = new Map();

/** Digits of a height in device pixels. */
export function glyphsOf(height, weight) {
  const key = `${height} ${weight}`;
  if (known.size > MOST_KNOWN) known.clear();
  if (!known.has(key)) known.set(key, new Glyphs(height, weight));
  return known.get(key);
}

class Glyphs {
  #stencils = new Map();

  constructor(height, weight) {
    this.height = Math.ceil(height * 1.1);
    const probe = new OffscreenCanvas(1, 1).getContext("2d");
    const font = `${weight} ${height}px system-ui, sans-serif`;
    probe.font = font;
    /** All digits are as wide as a zero. */
    this.digit = Math.ceil(probe.measureText("0").width);
    const context = new OffscreenCanvas(this.digit * 2, this.height).getContext("2d", { willReadFrequently: true });
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const sign of SIGNS) {
      const width = this.#widthOf(sign);
      context.clearRect(0, 0, this.digit * 2, this.height);
      context.fillText(sign, width / 2, height * 0.86);
      const { data } = context.getImageData(0, 0, width, this.height);
      const mask = Uint8Array.from({ length: width * this.height }, (_, i) => data[4 * i + 3]);
      this.#stencils.set(sign, new Stencil(mask, width));
    }
  }

  #widthOf(sign) {
    return sign === "." ? Math.ceil(this.digit * 0.5) : this.digit;
  }

  /** How wide a text is. */
  measure(text) {
    let width = 0;
    for (const sign of text) width += this.#widthOf(sign);
    return width;
  }

  /** Writes a text into a picture of a stride, its upper left corner at `left, top`. */
  write(picture, stride, left, top, text, ink) {
    for (const sign of text) {
      const width = this.#widthOf(sign);
      this.#stencils.get(sign).stamp(picture, stride, left, top, width, this.height, ink);
      left += width;
    }
  }
}

/** A number in short form: one decimal below 1000. */
export function short(value) {
  if (value === Infinity) return "∞";
  if (value >= 1000) return value.toFixed(0);
  const text = value.toFixed(1);
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}
