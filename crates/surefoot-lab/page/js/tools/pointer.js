// Mouse, pen, fingers and wheel: what pans and zooms is done here, the rest goes to the tools of the board.
//
// One finger waits a moment before it paints: a second one makes it a pinch, holding still makes it the eraser.

import { fromMiddle, readPinch, readWheel } from "./two-hands.js";

/** CSS pixels that a finger may tremble. */
const TREMBLE = 7;
/** A second finger that comes before the first went so far takes its stroke back. */
const SECOND_FINGER = 24;
const LONG_PRESS = 480;

/** Whether the space key is down, and whether something was dragged with it. */
const space = { isDown: false, wasUsed: false };
addEventListener("keydown", (event) => {
  if (event.code !== "Space" || event.repeat) return;
  space.isDown = true;
  space.wasUsed = false;
});
addEventListener("keyup", (event) => event.code === "Space" && (space.isDown = false));
addEventListener("blur", () => (space.isDown = false));

/** Whether the space key, up again, was used to pan: then it means nothing else. */
export const spacePanned = () => space.wasUsed;

export class Pointer {
  #app;
  #view;
  #canvas;
  #ends = new AbortController();
  /** Pointers that are down: id to `{x, y}` in client coordinates. */
  #down = new Map();
  /** null, "wait" (a finger), "tool", "pan" or "pinch". */
  #mode = null;
  #first = null;
  #timer = 0;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    this.#canvas = view.canvas;
    const listen = (type, listener, options = {}) =>
      this.#canvas.addEventListener(type, listener, { ...options, signal: this.#ends.signal });
    listen("pointerdown", (event) => this.#pressed(event));
    listen("pointermove", (event) => this.#moved(event));
    listen("pointerup", (event) => this.#released(event));
    listen("pointercancel", (event) => this.#cancelled(event));
    listen("lostpointercapture", (event) => this.#down.has(event.pointerId) && this.#cancelled(event));
    listen("pointerleave", () => this.#down.size === 0 && this.#leave());
    listen("wheel", (event) => this.#wheel(event), { passive: false });
    listen("contextmenu", (event) => event.preventDefault());
    // Some browsers scroll on a middle click or select on a long press.
    listen("mousedown", (event) => event.button === 1 && event.preventDefault());
    listen("dragstart", (event) => event.preventDefault());
  }

  remove() {
    this.#end();
    this.#ends.abort();
  }

  /** What tools get to know about an event. */
  #at(event, button = 0) {
    const box = this.#canvas.getBoundingClientRect();
    const [x, y] = this.#view.toWorld(event.clientX - box.left, event.clientY - box.top);
    return {
      x,
      y,
      node: this.#view.painter.pick(x, y),
      button,
      shift: event.shiftKey,
      ctrl: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      board: this.#view.index,
      touch: event.pointerType === "touch",
    };
  }

  #pressed(event) {
    if (event.pointerType !== "touch" && this.#down.size > 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#app.ui.set({ board: this.#view.index });
    this.#down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (event.pointerType === "touch") this.#fingerDown(event);
    else if (event.button === 1 || (event.button === 0 && space.isDown)) this.#beginPan();
    else if (event.button === 0 || event.button === 2) this.#beginTool(event, event.button);
    this.#showCursor(event);
  }

  #fingerDown(event) {
    if (this.#down.size === 1) {
      this.#mode = "wait";
      this.#first = event;
      this.#timer = setTimeout(() => this.#held(event), LONG_PRESS);
      return;
    }
    clearTimeout(this.#timer);
    if (this.#mode === "tool") {
      const finger = [...this.#down.values()][0];
      const far = Math.hypot(finger.x - this.#first.clientX, finger.y - this.#first.clientY) > SECOND_FINGER;
      if (far) this.#view.tools.up(this.#lastAt);
      else this.#view.tools.cancel();
    }
    this.#mode = "pinch";
    this.#app.ui.set({ hovered: -1 });
  }

  /** A finger that held still erases, and shows what is under it. */
  #held(event) {
    if (this.#mode !== "wait") return;
    navigator.vibrate?.(12);
    this.#beginTool(event, 2);
  }

  #lastAt = null;

  #beginTool(event, button) {
    this.#mode = "tool";
    this.#first ??= event;
    this.button = button;
    this.#lastAt = this.#at(event, button);
    this.#hover(this.#lastAt);
    this.#view.tools.down(this.#lastAt);
  }

  #beginPan() {
    this.#mode = "pan";
    space.wasUsed = space.isDown;
  }

  #moved(event) {
    const known = this.#down.get(event.pointerId);
    if (!known) {
      if (event.pointerType !== "touch") this.#hover(this.#at(event));
      this.#showCursor(event);
      return;
    }
    if (this.#mode === "pan") this.#app.camera.pan(event.clientX - known.x, event.clientY - known.y);
    else if (this.#mode === "pinch") this.#pinch(event, known);
    [known.x, known.y] = [event.clientX, event.clientY];
    if (this.#mode === "wait") {
      const { clientX, clientY } = this.#first;
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) < TREMBLE) return;
      clearTimeout(this.#timer);
      this.#beginTool(this.#first, 0);
    }
    if (this.#mode === "tool") this.#draw(event);
  }

  /** Passes every place of a fast stroke on. */
  #draw(event) {
    const places = event.getCoalescedEvents?.() ?? [];
    for (const place of places.length > 0 ? places : [event]) {
      this.#lastAt = this.#at(place, this.button);
      this.#view.tools.move(this.#lastAt);
    }
    this.#hover(this.#lastAt);
  }

  #pinch(event, known) {
    const pinch = readPinch(event, known, this.#down, this.#canvas);
    if (!pinch) return;
    this.#app.camera.pan(...pinch.pan);
    if (pinch.factor) this.#app.camera.zoom(pinch.factor, ...pinch.middle);
  }

  #released(event) {
    if (!this.#down.delete(event.pointerId)) return;
    clearTimeout(this.#timer);
    if (this.#mode === "wait") this.#beginTool(this.#first, 0);
    if (this.#mode === "tool") {
      this.#lastAt = this.#at(event, this.button);
      this.#view.tools.move(this.#lastAt);
      this.#view.tools.up(this.#lastAt);
    }
    // After a pinch the last finger does nothing until it is lifted.
    if (this.#down.size === 0 || this.#mode === "tool") this.#end();
    if (event.pointerType === "touch" && this.#down.size === 0) this.#leave();
    else this.#showCursor(event);
  }

  #cancelled(event) {
    this.#down.delete(event.pointerId);
    if (this.#mode === "tool") this.#view.tools.cancel();
    if (this.#down.size === 0) this.#end();
    this.#leave();
  }

  #end() {
    clearTimeout(this.#timer);
    this.#mode = null;
    this.#first = null;
  }

  #hover(at) {
    this.#app.ui.set({ hovered: at.node, hoveredBoard: this.#view.index });
    this.#view.tools.hover(at);
  }

  #leave() {
    this.#app.ui.set({ hovered: -1 });
  }

  #showCursor(event) {
    if (event.pointerType === "touch") return;
    const pans = this.#mode === "pan" ? "grabbing" : space.isDown && !this.#mode ? "grab" : null;
    this.#canvas.style.cursor = pans ?? this.#view.tools.cursorOf(this.#at(event));
  }

  #wheel(event) {
    event.preventDefault();
    const { camera } = this.#app;
    const { pan, amount, glides } = readWheel(event);
    if (pan) return camera.pan(...pan);
    const at = fromMiddle(this.#canvas, event.clientX, event.clientY);
    return glides ? camera.glide(amount, ...at) : camera.zoom(Math.exp(amount), ...at);
  }
}
