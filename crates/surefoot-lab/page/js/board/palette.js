// The colours of boards, read from the custom properties in css/tokens.css and css/board.css.

import { Emitter } from "../core/emitter.js";

/** Events: `change` when the theme changed. */
class Palette extends Emitter {
  /** Raised by every change, so that caches know. */
  version = 0;
  dark = false;
  #style = getComputedStyle(document.documentElement);
  #text = new Map();
  #parts = new Map();
  #probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  constructor() {
    super();
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => this.refresh());
    const observer = new MutationObserver(() => this.refresh());
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
    this.refresh();
  }

  /** Reads all colours again. */
  refresh() {
    this.#text.clear();
    this.#parts.clear();
    this.version++;
    const [red, green, blue] = this.parts("floor");
    this.dark = red + green + blue < 384;
    this.emit("change");
  }

  /** A colour for a canvas: `palette.css("path")` is the value of `--path`. */
  css(name) {
    let text = this.#text.get(name);
    if (text === undefined) {
      text = this.#style.getPropertyValue(`--${name}`).trim() || "#888";
      this.#text.set(name, text);
    }
    return text;
  }

  /** A colour as `[red, green, blue, alpha]`, each 0 to 255. */
  parts(name) {
    let parts = this.#parts.get(name);
    if (!parts) {
      const probe = this.#probe;
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = this.css(name);
      probe.fillRect(0, 0, 1, 1);
      parts = [...probe.getImageData(0, 0, 1, 1).data];
      this.#parts.set(name, parts);
    }
    return parts;
  }
}

/** The one palette of the page. */
export const palette = new Palette();

/** A colour over another, `share` of it (0 to 1) beside its own alpha. The result is opaque. */
export function over([red, green, blue, alpha], below, share = 1) {
  const top = (alpha / 255) * share;
  const blend = (above, under) => Math.round(above * top + under * (1 - top));
  return [blend(red, below[0]), blend(green, below[1]), blend(blue, below[2]), 255];
}

/** A colour as a pixel of an ImageData that is seen as 32-bit numbers (little-endian, as all browsers are). */
export const pixel = ([red, green, blue]) => (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
