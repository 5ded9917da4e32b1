// How a cell looks: its cost and what the search knows of it.
//
// A look is `state * 256 + cost`, plus FACED for a wall that ends below.

import { over, palette, pixel } from "./palette.js";

export const UNSEEN = 0;
export const OPENED = 1;
export const CLOSED = 2;
/** The same for the backward side of a two-sided search. */
export const OPENED_BACK = 3;
export const CLOSED_BACK = 4;
/** Part of a region that is cut off. */
export const REGION = 5;
/** What a planner knows: consistent, over- and under-consistent, then the same in the queue. */
export const KNOWN = 6;
/** Covered by something that moves. */
export const COVERED = 12;
export const STATES = 13;
/** Set in a look. */
export const FACED = 4096;
/** Looks are below this. */
export const LOOKS = 2 * FACED;

/** The share of a tint on terrain, whose own colour must still be known. */
const ON_TERRAIN = 0.8;

const KNOWN_TINTS = ["consistent", "over", "under"];
const TINTS = [null, "open", "closed", "open-back", "closed-back", "region", ...KNOWN_TINTS, ...KNOWN_TINTS, "obstacle"];
const KNOWN_MARKS = ["consistent-mark", "over-mark", "under-mark"];
const MARKS = [
  null, "open-mark", "closed-mark", "open-back-mark", "closed-back-mark", "goal", ...KNOWN_MARKS, ...KNOWN_MARKS,
];
/** The state in a look. */
export const stateOf = (look) => (look >> 8) & 15;

/** How expensive a cost is, from 0 at 2 to 1 at 255, on a logarithmic scale. */
export const costliness = (cost) => Math.log(cost / 2) / Math.log(255 / 2);

/** The colour of a cost that nothing is known of. */
export function ground(cost) {
  if (cost === 0) return palette.parts("wall");
  if (cost === 1) return palette.parts("floor");
  if (cost === 4) return palette.parts("grass");
  if (cost === 10) return palette.parts("water");
  return over(palette.parts("expensive"), palette.parts("cheap"), costliness(cost));
}

/** The colour of a look, without its pattern. Walls keep theirs. */
export function colourOf(look) {
  const cost = look & 255;
  const tint = TINTS[stateOf(look)];
  const below = ground(cost);
  return tint && cost > 0 ? over(palette.parts(tint), below, cost > 1 ? ON_TERRAIN : 1) : below;
}

/** The colour of a state's pattern. */
export const markOf = (state) => palette.parts(MARKS[state]);

/** The colour of a terrain's pattern. */
export function groundMark(cost) {
  if (cost === 4) return palette.parts("grass-mark");
  if (cost === 10) return palette.parts("water-mark");
  const [red, green, blue] = palette.parts("number");
  return [red, green, blue, 90];
}

/** Pixels of all looks. */
export function pixelTable() {
  return Uint32Array.from({ length: STATES * 256 }, (_, look) => pixel(colourOf(look)));
}
