// How parts of a graph are drawn. Lengths are CSS pixels.

import { pointOf } from "./graph-shape.js";
import { palette } from "./palette.js";

const FONT = "system-ui, sans-serif";

export function circle(context, x, y, radius) {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

export function diamond(context, x, y, reach) {
  context.moveTo(x, y - reach);
  context.lineTo(x + reach, y);
  context.lineTo(x, y + reach);
  context.lineTo(x - reach, y);
  context.closePath();
}

/** Adds the line or arc of an edge to the current path; `curve` in pixels. */
export function trace(context, [x1, y1, cx, cy, x2, y2]) {
  context.moveTo(x1, y1);
  // Straight ones are most, and much cheaper as lines.
  const isStraight = Math.abs(2 * cx - x1 - x2) < 0.01 && Math.abs(2 * cy - y1 - y2) < 0.01;
  if (isStraight) context.lineTo(x2, y2);
  else context.quadraticCurveTo(cx, cy, x2, y2);
}

/** Adds an arrow head whose tip is at a point. */
export function head(context, x, y, angle, size) {
  context.moveTo(x, y);
  for (const side of [-0.42, 0.42]) {
    context.lineTo(x - size * Math.cos(angle + side), y - size * Math.sin(angle + side));
  }
  context.closePath();
}

/** Adds the head at the end of a curve, outside the node there. */
export function headOfCurve(context, [x1, y1, cx, cy, x2, y2], radius, size) {
  // The curve meets the node's rim a little before its end: from there it looks straight.
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 2 * radius + size) return;
  const curve = [x1, y1, cx, cy, x2, y2];
  const [tipX, tipY] = pointOf(curve, 1 - (radius + 1) / length);
  const [tailX, tailY] = pointOf(curve, 1 - (radius + 1 + size) / length);
  head(context, tipX, tipY, Math.atan2(tipY - tailY, tipX - tailX), size);
}

/** Text with a halo in the board's colour, centred. */
export function label(context, text, x, y, { size = 11, colour = "number", weight = 500 } = {}) {
  context.font = `${weight} ${size}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3.5;
  context.strokeStyle = palette.css("board");
  context.strokeText(text, x, y);
  context.fillStyle = palette.css(colour);
  context.fillText(text, x, y);
}

/** Text on a plate in the board's colour, centred: readable on any line. */
export function plate(context, text, x, y, { size = 11, colour = "number", weight = 500 } = {}) {
  context.font = `${weight} ${size}px ${FONT}`;
  const width = context.measureText(text).width + 8;
  context.beginPath();
  context.roundRect(x - width / 2, y - size * 0.75, width, size * 1.5, size * 0.5);
  context.fillStyle = palette.css("board");
  context.fill();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = palette.css(colour);
  context.fillText(text, x, y + size * 0.08);
}

/** Adds slanting chords to the current path: the hatching of a closed node. */
export function hatch(context, x, y, radius) {
  const inner = radius - 1;
  for (const offset of [-0.5, 0, 0.5]) {
    const away = offset * inner;
    const half = Math.sqrt(inner * inner - away * away);
    const [ux, uy] = [Math.SQRT1_2, -Math.SQRT1_2];
    const [mx, my] = [x - away * uy, y + away * ux];
    context.moveTo(mx - half * ux, my - half * uy);
    context.lineTo(mx + half * ux, my + half * uy);
  }
}
