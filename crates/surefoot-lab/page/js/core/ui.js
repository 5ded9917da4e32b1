// What is shown and which tool is in hand: everything that is no part of the document and not undone.

import { Emitter } from "./emitter.js";

/** Events: `change` with the Set of names that changed. */
export class Ui extends Emitter {
  /** What one paints with: brush, line, rectangle, fill, start, goal, link; node, edge on graphs. */
  tool = "brush";
  /** The cost that the brush gives, 0 for wall. */
  cost = 0;
  /** The width of the brush in cells, 1 to 9. */
  size = 1;
  /** auto, light or dark. */
  theme = "auto";
  /** Arrows to parents. */
  arrows = false;
  /** Numbers in cells. */
  numbers = false;
  /** Whether anything of the search but the path is shown. */
  aid = true;
  /** The node under the pointer, -1 for none. */
  hovered = -1;
  /** The node under the keyboard's cursor, -1 for none. */
  cursor = -1;
  /** The board that keys, inspector and settings belong to. */
  board = 0;
  /** `{kind: "opened" | "closed", node}` or `{kind: "f", value}`. */
  breakpoints = [];

  set(fields) {
    const changed = new Set(Object.keys(fields).filter((name) => this[name] !== fields[name]));
    if (changed.size === 0) return;
    Object.assign(this, fields);
    this.emit("change", changed);
  }

  /** The node to inspect: the pointer's, else the keyboard's. */
  get inspected() {
    return this.hovered >= 0 ? this.hovered : this.cursor;
  }
}

/** Whether the person asked for less motion. */
export const lessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
