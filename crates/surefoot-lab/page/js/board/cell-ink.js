// What is written into cells close by: costs, arrows to parents, g, h and f, or what a planner knows.

import { glyphsOf, short } from "./glyphs.js";
import { DIRECTIONS } from "./masks.js";
import { palette } from "./palette.js";

/** CSS pixels that a cell needs for arrows, for its cost, for g, h and f, and for their names. */
const ARROWS_FROM = 10;
const COSTS_FROM = 34;
const NUMBERS_FROM = 36;
const NAMES_FROM = 60;
export const PLANNER_FROM = 44;

export class CellInk {
  #masks;

  /** With `planner` there are four numbers in a cell in place of three. */
  constructor(masks, { arrows, numbers, planner }) {
    this.#masks = masks;
    const css = masks.scale / masks.ratio;
    this.arrows = arrows && css >= ARROWS_FROM;
    this.numbers = numbers && css >= (planner ? PLANNER_FROM : NUMBERS_FROM);
    this.costs = css >= COSTS_FROM;
    this.names = css >= NAMES_FROM;
    this.any = this.arrows || this.numbers || this.costs;
    if (this.costs) this.small = glyphsOf(Math.round(Math.min(masks.scale * 0.3, 13 * masks.ratio)), 500);
    if (this.numbers) {
      const height = Math.min(masks.scale * (planner ? 0.185 : 0.235), 14 * masks.ratio);
      this.plain = glyphsOf(Math.round(height), 400);
      this.strong = glyphsOf(Math.round(height), 700);
    }
    this.numberInk = palette.parts("number");
    this.nameInk = palette.parts("arrow");
    const [red, green, blue, alpha] = this.nameInk;
    // Behind numbers, arrows are faint: both have to be read.
    this.arrowInk = [red, green, blue, this.numbers ? Math.round(alpha * 0.25) : alpha];
  }

  /**
   * Writes into the picture of a cell. `scene` has `width`, `costOf(cell)` and `eventOf(cell)`: `{lines,
   * parent}` or null.
   */
  draw(scene, cell, picture, stride, left, top, width, height) {
    const event = this.arrows || this.numbers ? scene.eventOf(cell) : null;
    if (event && this.arrows && event.parent >= 0 && event.parent !== cell) {
      const arrow = this.#masks.arrow(direction(scene.width, cell, event.parent));
      arrow.stamp(picture, stride, left, top, width, height, this.arrowInk);
    }
    if (event && this.numbers) this.#values(picture, stride, left, top, width, height, event.lines);
    else if (this.costs) this.#cost(picture, stride, left, top, width, height, scene.costOf(cell));
  }

  #cost(picture, stride, left, top, width, height, cost) {
    if (cost <= 1) return;
    const text = String(cost);
    const margin = Math.round(width * 0.08);
    const x = left + width - margin - this.small.measure(text);
    this.small.write(picture, stride, x, top + height - margin - this.small.height, text, this.numberInk);
  }

  /** Numbers below each other, right-aligned, with their names where there is room. The third decides what comes next. */
  #values(picture, stride, left, top, width, height, lines) {
    const margin = Math.round(width * 0.1);
    lines.forEach(([name, value], line) => {
      const glyphs = line === 2 ? this.strong : this.plain;
      const text = short(value);
      const share = (line + 0.5) / lines.length;
      const y = top + Math.round(share * (height * 0.9) + height * 0.05 - glyphs.height / 2);
      const room = width - 2 * margin - glyphs.measure(text);
      const x = left + width - margin - glyphs.measure(text);
      if (room >= -margin) glyphs.write(picture, stride, x, y, text, this.numberInk);
      const title = glyphs.measure(name) + glyphs.digit / 2 <= room ? name : name.slice(0, 1);
      if (this.names) glyphs.write(picture, stride, left + margin, y, title, this.nameInk);
    });
  }
}

/** The direction of an arrow, see Masks. */
function direction(width, cell, parent) {
  const dx = (parent % width) - (cell % width);
  const dy = Math.floor(parent / width) - Math.floor(cell / width);
  return (Math.round((Math.atan2(dy, dx) / (2 * Math.PI)) * DIRECTIONS) + DIRECTIONS) % DIRECTIONS;
}
