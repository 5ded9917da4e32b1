// Zooms that take some frames, the same for every camera.

import { lessMotion } from "./ui.js";

/** Milliseconds in which a gliding zoom completes two thirds of the change. */
const GLIDE = 55;
/** What is left is done at once when it is less: the logarithm of a factor. */
const REST = 0.004;

export class Glide {
  #zoom;
  /** The logarithm of the factor that is left. */
  #left = 0;
  #place = [];
  #last = 0;

  /** `zoom(factor, ...place)` is called once a frame while it glides. */
  constructor(zoom) {
    this.#zoom = zoom;
  }

  /** Zooms in the next frames; `amount` is the logarithm of the factor. */
  add(amount, ...place) {
    if (lessMotion()) return this.#zoom(Math.exp(amount), ...place);
    if (this.#left === 0) this.#last = performance.now();
    this.#left += amount;
    this.#place = place;
    return undefined;
  }

  stop() {
    this.#left = 0;
  }

  /** Called once a frame. */
  tick(now) {
    if (this.#left === 0) return;
    const share = 1 - Math.exp(-Math.max(now - this.#last, 0) / GLIDE);
    const part = Math.abs(this.#left) < REST ? this.#left : this.#left * share;
    this.#left -= part;
    this.#last = now;
    this.#zoom(Math.exp(part), ...this.#place);
  }
}
