// Speeds, places and ratios in words. Plain figures are in panels/figures.js.

import { NEARLY, count } from "./panels/figures.js";

/** With a capital letter. */
export const capitalised = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Steps per second: "1 step/s", "2,500 steps/s", "instant". */
export function pace(speed) {
  if (speed === Infinity) return "instant";
  const rounded = Number(speed.toPrecision(2));
  return `${rounded < 10 ? rounded : count(rounded)} ${rounded === 1 ? "step" : "steps"}/s`;
}

/** Cells per second: "6 cells/s". */
export const walk = (speed) => `${Number(speed.toPrecision(2))} cells/s`;

/** How many times as fast: "1×", "0.25×". */
export const times = (rate) => `${Number(rate.toPrecision(2))}×`;

/** A node: "41, 17" on grids, "41, 17, 3" in voxel worlds, "node 7" on graphs. */
export function placeOf(world, node) {
  const place = world.place(node);
  return Array.isArray(place) ? place.join(", ") : `node ${place}`;
}

/** How large a world is: "64 × 44", "32 × 32 × 16", "20 nodes"; with another sign between the numbers if given. */
export function sizeOf({ kind, width, height, size, nodeCount }, times = " × ") {
  if (kind === "graph") return `${nodeCount} nodes`;
  return (kind === "voxel" ? size : [width, height]).join(times);
}

/**
 * How a path compares with the proven optimum in steps: "= optimum", "1.07× optimum"; empty if unknown. At any angle it can be
 * shorter.
 */
export function againstOptimum(ratio) {
  if (ratio === null) return "";
  if (Math.abs(ratio - 1) < NEARLY) return "= optimum";
  // What is not the optimum never looks like it.
  const digits = Math.abs(ratio - 1) < 0.005 ? (ratio < 1 ? "0.99" : "1.01") : ratio.toFixed(2);
  return `${digits}× optimum`;
}
