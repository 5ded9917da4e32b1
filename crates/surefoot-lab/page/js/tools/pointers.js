// What all boards do alike with mouse, pen, fingers and wheel: knowing what is down, and moving the camera.

import { fromMiddle, readPinch, readWheel } from "./two-hands.js";

/**
 * The pointers on the canvas of a board. `gestures` are what the board makes of them: `pressed(event)`,
 * `moved(event, known)` with `{x, y}` where it was before, `hovered(event)` while nothing is down, `released(event)`,
 * `lost(event)`, `left()`.
 */
export class Pointers {
  /** Those that are down: id to `{x, y}` in client coordinates. */
  down = new Map();
  #canvas;
  #camera;
  #gestures;
  #ends = new AbortController();

  /** `camera` has `pan(dx, dy)`, `zoom(factor, x, y)` and `glide(amount, x, y)`, in CSS pixels from the middle. */
  constructor({ ui }, { canvas, index }, camera, gestures) {
    this.#canvas = canvas;
    this.#camera = camera;
    this.#gestures = gestures;
    this.listen("pointerdown", (event) => {
      if (event.pointerType !== "touch" && this.down.size > 0) return;
      canvas.setPointerCapture(event.pointerId);
      ui.set({ board: index });
      this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      gestures.pressed(event);
    });
    this.listen("pointermove", (event) => this.#moved(event));
    this.listen("pointerup", (event) => this.down.delete(event.pointerId) && gestures.released(event));
    this.listen("pointercancel", (event) => this.#lost(event));
    this.listen("lostpointercapture", (event) => this.down.has(event.pointerId) && this.#lost(event));
    this.listen("pointerleave", () => this.down.size === 0 && gestures.left());
    this.listen("wheel", (event) => this.#wheel(event), { passive: false });
    this.listen("contextmenu", (event) => event.preventDefault());
    // Some browsers scroll on a middle click or select on a long press.
    this.listen("mousedown", (event) => event.button === 1 && event.preventDefault());
    this.listen("dragstart", (event) => event.preventDefault());
  }

  /** Listens to the canvas until the board is gone. */
  listen(type, listener, options = {}) {
    this.#canvas.addEventListener(type, listener, { ...options, signal: this.#ends.signal });
  }

  remove() {
    this.#ends.abort();
  }

  /** Moves the camera as a finger of a pair asks for. */
  pinch(event, known) {
    const pinch = readPinch(event, known, this.down, this.#canvas);
    if (!pinch) return;
    this.#camera.pan(...pinch.pan);
    if (pinch.factor) this.#camera.zoom(pinch.factor, ...pinch.middle);
  }

  #moved(event) {
    const known = this.down.get(event.pointerId);
    if (!known) return this.#gestures.hovered(event);
    this.#gestures.moved(event, known);
    return Object.assign(known, { x: event.clientX, y: event.clientY });
  }

  #lost(event) {
    this.down.delete(event.pointerId);
    this.#gestures.lost(event);
  }

  #wheel(event) {
    event.preventDefault();
    const { pan, amount, glides } = readWheel(event);
    if (pan) return this.#camera.pan(...pan);
    const at = fromMiddle(this.#canvas, event.clientX, event.clientY);
    return glides ? this.#camera.glide(amount, ...at) : this.#camera.zoom(Math.exp(amount), ...at);
  }
}
