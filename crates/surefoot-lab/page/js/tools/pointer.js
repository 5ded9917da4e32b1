// Mouse, pen, fingers and wheel: what pans and zooms is done here, the rest goes to the tools of the board.
//
// One finger waits a moment before it paints: a second one makes it a pinch, holding still makes it the eraser.

import { Pointers } from "./pointers.js";

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
  #pointers;
  /** null, "wait" (a finger), "tool", "pan" or "pinch". */
  #mode = null;
  #first = null;
  #timer = 0;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    this.#canvas = view.canvas;
    this.#pointers = new Pointers(app, view, app.camera, {
      pressed: (event) => this.#pressed(event),
      moved: (event, known) => this.#moved(event, known),
      hovered: (event) => this.#hovered(event),
      released: (event) => this.#released(event),
      lost: () => this.#lost(),
      left: () => this.#leave(),
    });
  }

  remove() {
    this.#end();
    this.#pointers.remove();
  }

  /** The part of an event that is passed on to tools. */
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
    if (event.pointerType === "touch") this.#fingerDown(event);
    else if ((event.button === 1 && !this.#app.crowd?.active) || (event.button === 0 && space.isDown)) this.#beginPan();
    else if (event.button <= 2) this.#beginTool(event, event.button);
    this.#showCursor(event);
  }

  #fingerDown(event) {
    if (this.#pointers.down.size === 1) {
      this.#mode = "wait";
      this.#first = event;
      this.#timer = setTimeout(() => this.#held(event), LONG_PRESS);
      return;
    }
    clearTimeout(this.#timer);
    if (this.#mode === "tool") {
      const finger = [...this.#pointers.down.values()][0];
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

  #hovered(event) {
    if (event.pointerType !== "touch") this.#hover(this.#at(event));
    this.#showCursor(event);
  }

  #moved(event, known) {
    if (this.#mode === "pan") this.#app.camera.pan(event.clientX - known.x, event.clientY - known.y);
    else if (this.#mode === "pinch") this.#pointers.pinch(event, known);
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

  #released(event) {
    clearTimeout(this.#timer);
    if (this.#mode === "wait") this.#beginTool(this.#first, 0);
    if (this.#mode === "tool") {
      this.#lastAt = this.#at(event, this.button);
      this.#view.tools.move(this.#lastAt);
      this.#view.tools.up(this.#lastAt);
    }
    // After a pinch the last finger does nothing until it is lifted.
    if (this.#pointers.down.size === 0 || this.#mode === "tool") this.#end();
    if (event.pointerType === "touch" && this.#pointers.down.size === 0) this.#leave();
    else this.#showCursor(event);
  }

  #lost() {
    if (this.#mode === "tool") this.#view.tools.cancel();
    if (this.#pointers.down.size === 0) this.#end();
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
}
