// Patterns of cells as alpha masks of a cell's size in device pixels.
//
// Each is drawn once for a size in a unit square; what leaves it on one side comes in on the other.

import { costliness } from "./looks.js";
import { Stencil } from "./stencil.js";

/** Directions that arrows are rounded to. */
export const DIRECTIONS = 32;

/** Where masks are drawn. */
const slate = new OffscreenCanvas(64, 64).getContext("2d", { willReadFrequently: true });

export class Masks {
  #known = new Map();
  #arrows = new Array(DIRECTIONS).fill(null);

  /** `scale` is device pixels per cell, `ratio` device pixels per CSS pixel. */
  constructor(scale, ratio) {
    this.scale = scale;
    this.ratio = ratio;
    this.size = Math.ceil(scale);
  }

  /** The mask of a terrain, null if it has none. */
  ofCost(cost) {
    if (cost <= 1) return null;
    if (cost === 4) return this.#mask("grass", grass);
    if (cost === 10) return this.#mask("water", water);
    const strength = Math.min(4, Math.floor(costliness(cost) * 5));
    return this.#mask(`rough${strength}`, (context) => rough(context, strength));
  }

  /** The mask of a state, null if it has none. With `framed` the middle of the cell stays free. */
  ofState(state, framed) {
    const paint = (framed && FRAMED_MASKS[state]) || STATE_MASKS[state];
    if (!paint) return null;
    return this.#mask(`state${state}`, (context, thin) => paint(context, thin, this.#lines));
  }

  /** The stencil of an arrow in the middle of a cell, in a direction from 0 (right) clockwise. */
  arrow(direction) {
    this.#arrows[direction] ??= new Stencil(
      this.#mask(`arrow${direction}`, (context, thin) => arrow(context, thin, direction)),
      this.size,
    );
    return this.#arrows[direction];
  }

  /** Hatching lines in a cell. */
  get #lines() {
    return Math.min(Math.max(Math.round(this.scale / this.ratio / 5.5), 2), 5);
  }

  #mask(name, paint) {
    const known = this.#known.get(name);
    if (known) return known;
    const context = slate;
    if (context.canvas.width < this.size) context.canvas.width = context.canvas.height = this.size;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.size, this.size);
    context.scale(this.scale, this.scale);
    context.lineCap = "round";
    context.lineJoin = "round";
    paint(context, this.ratio / this.scale);
    const { data } = context.getImageData(0, 0, this.size, this.size);
    const mask = new Uint8Array(this.size * this.size);
    for (let i = 0; i < mask.length; i++) mask[i] = data[4 * i + 3];
    this.#known.set(name, mask);
    return mask;
  }
}

function grass(context) {
  context.lineWidth = 0.055;
  context.beginPath();
  for (const [x, y] of [[0.28, 0.42], [0.7, 0.34], [0.5, 0.82]]) {
    for (const [lean, height] of [[-0.1, 0.13], [0, 0.2], [0.1, 0.13]]) {
      context.moveTo(x + lean / 4, y);
      context.lineTo(x + lean, y - height);
    }
  }
  context.stroke();
}

function water(context) {
  context.lineWidth = 0.06;
  context.beginPath();
  for (const [y, from] of [[0.3, -0.25], [0.72, 0]]) {
    context.moveTo(from - 0.5, y);
    for (let x = from - 0.5; x < 1.5; x += 0.5) {
      context.quadraticCurveTo(x + 0.125, y - 0.12, x + 0.25, y);
      context.quadraticCurveTo(x + 0.375, y + 0.12, x + 0.5, y);
    }
  }
  context.stroke();
}

/** Gravel: the more expensive the terrain, the more and the longer the dashes. */
function rough(context, strength) {
  const rows = 2 + (strength >> 1);
  const dash = 0.12 + 0.05 * strength;
  context.lineWidth = 0.05;
  context.beginPath();
  for (let row = 0; row < rows; row++) {
    const y = (row + 0.5) / rows;
    for (const x of row % 2 === 0 ? [0.25, 0.75] : [0, 0.5, 1]) {
      context.moveTo(x - dash / 2, y);
      context.lineTo(x + dash / 2, y);
    }
  }
  context.stroke();
}

/** Slanted lines, rising (1) or falling (-1). */
function hatch(context, width, lines, slope) {
  context.lineWidth = width;
  context.lineCap = "butt";
  context.beginPath();
  for (let i = -1; i <= 2 * lines + 1; i++) {
    const at = (i + 0.5) / lines;
    context.moveTo(slope > 0 ? at + 1 : at - 2, -1);
    context.lineTo(slope > 0 ? at - 2 : at + 1, 2);
  }
  context.stroke();
}

function ring(context) {
  context.lineWidth = 0.11;
  context.beginPath();
  context.arc(0.5, 0.5, 0.23, 0, 2 * Math.PI);
  context.stroke();
}

function square(context) {
  context.lineWidth = 0.11;
  context.strokeRect(0.29, 0.29, 0.42, 0.42);
}

const STATE_MASKS = [
  null,
  ring,
  (context, thin, lines) => hatch(context, thin, lines, 1),
  square,
  (context, thin, lines) => hatch(context, thin, lines, -1),
  (context, thin, lines) => {
    hatch(context, thin, lines, 1);
    hatch(context, thin, lines, -1);
  },
  null,
  (context, thin, lines) => hatch(context, 1.5 * thin, lines, 1),
  (context, thin, lines) => hatch(context, 1.5 * thin, lines, -1),
  ring,
  (context, thin, lines) => {
    hatch(context, 1.5 * thin, lines, 1);
    ring(context);
  },
  (context, thin, lines) => {
    hatch(context, 1.5 * thin, lines, -1);
    ring(context);
  },
];

function frame(context) {
  context.lineWidth = 0.07;
  context.beginPath();
  context.roundRect(0.07, 0.07, 0.88, 0.88, 0.16);
  context.stroke();
}

/** Open cells in which something is written. */
const FRAMED_MASKS = {
  1: (context) => {
    context.lineWidth = 0.09;
    context.beginPath();
    context.roundRect(0.08, 0.08, 0.86, 0.86, 0.2);
    context.stroke();
  },
  3: (context) => {
    context.lineWidth = 0.09;
    context.strokeRect(0.08, 0.08, 0.86, 0.86);
  },
  9: frame,
  10: frame,
  11: frame,
};

function arrow(context, thin, direction) {
  const angle = (direction / DIRECTIONS) * 2 * Math.PI;
  context.translate(0.5, 0.5);
  context.rotate(angle);
  context.lineWidth = Math.max(0.06, Math.min(1.2 * thin, 0.12));
  context.beginPath();
  context.moveTo(-0.26, 0);
  context.lineTo(0.2, 0);
  context.stroke();
  context.beginPath();
  context.moveTo(0.38, 0);
  context.lineTo(0.12, -0.16);
  context.lineTo(0.12, 0.16);
  context.fill();
}
