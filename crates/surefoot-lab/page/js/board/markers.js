// Start, goals, links and everything else that lies over the cells. Lengths are CSS pixels from the map's corner.

import { arcBetween, traceArcs, traceHead } from "./arcs.js";
import { cased, rimmed } from "./outline.js";
import { palette } from "./palette.js";

/** Adds a circle to the current path. */
export function circle(context, x, y, radius) {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** The path: a strong line; jumps over links are dashed arcs. */
export function drawPath(context, scale, line, box) {
  const width = Math.min(Math.max(scale * 0.2, 2.5), 9);
  context.lineJoin = context.lineCap = "round";
  context.beginPath();
  line.trace(context, scale, box);
  cased(context, palette.css("path"), width);
  if (line.jumps.length === 0) return;
  context.lineCap = "butt";
  context.beginPath();
  traceArcs(context, line.jumps, scale);
  cased(context, palette.css("path"), width, 3, [2.5 * width, 1.5 * width]);
}

/** All links as arcs with heads where they lead. */
export function drawLinks(context, scale, links, alpha = 1) {
  if (links.length === 0) return;
  const colour = palette.css("link");
  const arcs = links.map(({ from, to }) => arcBetween(from, to));
  const size = Math.min(Math.max(scale * 0.42, 7), 16);
  context.globalAlpha = alpha;
  context.lineCap = "butt";
  context.beginPath();
  traceArcs(context, arcs, scale);
  cased(context, colour, Math.min(Math.max(scale * 0.07, 1.5), 3), 2);
  context.lineJoin = "round";
  context.beginPath();
  arcs.forEach((arc, i) => {
    traceHead(context, arc, scale, size);
    if (links[i].two_way) traceHead(context, arc, scale, size, true);
  });
  rimmed(context, colour, 2);
  context.beginPath();
  const dot = Math.min(Math.max(scale * 0.12, 2), 5);
  for (const { ax, ay, bx, by } of arcs) {
    circle(context, ax * scale, ay * scale, dot);
    circle(context, bx * scale, by * scale, dot);
  }
  rimmed(context, colour, 2);
  context.globalAlpha = 1;
}

/** The start: a ring. With a body, its circle. */
export function drawStart(context, scale, [column, row], bodyRadius) {
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale];
  const radius = Math.min(Math.max(scale * 0.31, 4.5), 22);
  if (bodyRadius > 0.5) {
    context.beginPath();
    circle(context, x, y, bodyRadius * scale);
    context.lineCap = "butt";
    cased(context, palette.css("start"), 1.5, 2, [5, 4]);
  }
  context.beginPath();
  circle(context, x, y, radius);
  context.fillStyle = palette.css("path-casing");
  context.fill();
  cased(context, palette.css("start"), Math.max(radius * 0.42, 2.5), 3.5);
}

/** A goal: a dot in a ring, with its number if there are several. */
export function drawGoal(context, scale, [column, row], number) {
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale];
  const radius = Math.min(Math.max(scale * 0.36, number ? 7 : 5), 26);
  const colour = palette.css("goal");
  context.beginPath();
  circle(context, x, y, radius);
  rimmed(context, colour, 3);
  if (!number) {
    context.beginPath();
    circle(context, x, y, radius * 0.72);
    context.strokeStyle = palette.css("path-casing");
    context.lineWidth = Math.max(radius * 0.18, 1.25);
    context.stroke();
    return;
  }
  context.fillStyle = palette.css("path-casing");
  context.font = `700 ${radius * 1.25}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillText(number, x, y + radius * 0.45);
}

/** The node closed last: a diamond, or a frame around the numbers of its cell. */
export function drawCurrent(context, scale, x, y, framed) {
  const colour = palette.css("current");
  context.lineJoin = "miter";
  if (framed) {
    context.beginPath();
    context.rect(x * scale + 2, y * scale + 2, scale - 4, scale - 4);
    cased(context, colour, 3, 2);
    return;
  }
  const reach = Math.max(scale * 0.36, 5);
  const [cx, cy] = [(x + 0.5) * scale, (y + 0.5) * scale];
  context.beginPath();
  context.moveTo(cx, cy - reach);
  context.lineTo(cx + reach, cy);
  context.lineTo(cx, cy + reach);
  context.lineTo(cx - reach, cy);
  context.closePath();
  rimmed(context, colour, 3);
}

/** A breakpoint: a flag in the cell's corner. */
export function drawBreakpoint(context, scale, x, y) {
  const size = Math.min(Math.max(scale * 0.4, 5), 14);
  context.beginPath();
  context.moveTo((x + 1) * scale, y * scale);
  context.lineTo((x + 1) * scale - size, y * scale);
  context.lineTo((x + 1) * scale, y * scale + size);
  context.closePath();
  rimmed(context, palette.css("break"), 1.5);
}

/** The keyboard's cursor: a frame that is seen on any ground. */
export function drawCursor(context, scale, x, y) {
  const side = Math.max(scale, 7);
  const inset = (scale - side) / 2;
  context.lineJoin = "miter";
  context.beginPath();
  context.rect(x * scale + inset, y * scale + inset, side, side);
  cased(context, palette.css("cursor"), 2.5, 3);
}

/** What the pointer is over: a thin frame around cells. */
export function drawHover(context, scale, { left, top, right, bottom }) {
  context.lineJoin = "miter";
  context.beginPath();
  context.rect(left * scale, top * scale, (right - left) * scale, (bottom - top) * scale);
  cased(context, palette.css("current"), 1, 2);
}
