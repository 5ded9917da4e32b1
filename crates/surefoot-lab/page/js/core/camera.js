// Which part of the world a board shows. All boards share one camera.

import { Emitter } from "./emitter.js";
import { Glide } from "./glide.js";

const SMALLEST = 0.1;
const LARGEST = 160;

/** World coordinates at the middle of the board, and CSS pixels per cell. Events: `change`. */
export class Camera extends Emitter {
  x = 0;
  y = 0;
  scale = 16;
  #glide = new Glide((factor, px, py) => this.zoom(factor, px, py));

  /** Shows all of a box on a board of this size. */
  fit({ left, top, right, bottom }, width, height, margin = 16) {
    const across = Math.max(width - 2 * margin, 1) / Math.max(right - left, 1e-6);
    const down = Math.max(height - 2 * margin, 1) / Math.max(bottom - top, 1e-6);
    this.#glide.stop();
    this.set((left + right) / 2, (top + bottom) / 2, Math.min(across, down, 64));
  }

  set(x, y, scale) {
    this.x = x;
    this.y = y;
    this.scale = Math.min(Math.max(scale, SMALLEST), LARGEST);
    this.emit("change");
  }

  /** Moves the picture by CSS pixels. */
  pan(dx, dy) {
    this.set(this.x - dx / this.scale, this.y - dy / this.scale, this.scale);
  }

  /** Zooms by a factor; what is at `px, py` (from the board's middle, in CSS pixels) stays there. */
  zoom(factor, px = 0, py = 0) {
    const scale = Math.min(Math.max(this.scale * factor, SMALLEST), LARGEST);
    const [x, y] = [this.x + px / this.scale, this.y + py / this.scale];
    this.set(x - px / scale, y - py / scale, scale);
  }

  /** Zooms in the next frames; `amount` is the logarithm of the factor. */
  glide(amount, px = 0, py = 0) {
    this.#glide.add(amount, px, py);
  }

  /** Called once a frame. */
  tick(now) {
    this.#glide.tick(now);
  }
}
