// Lines and shapes that can be told from whatever is below them.

import { palette } from "./palette.js";

/** Strokes the current path with a casing around it; `dash` may be empty. */
export function cased(context, colour, width, casing = 3, dash = []) {
  context.strokeStyle = palette.css("path-casing");
  context.lineWidth = width + casing;
  context.stroke();
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
  context.setLineDash([]);
}

/** Fills the current path with a rim around it. */
export function rimmed(context, colour, rim = 3) {
  context.strokeStyle = palette.css("path-casing");
  context.lineWidth = rim;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}
