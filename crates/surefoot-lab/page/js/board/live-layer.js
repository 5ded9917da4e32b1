// Units that walk, their paths, their target, and what their planners touched. Lengths are CSS pixels from the map's corner.

import { lessMotion } from "../core/ui.js";
import { circle, drawGoal, drawPath } from "./markers.js";
import { cased, rimmed } from "./outline.js";
import { palette } from "./palette.js";
import { PathLine } from "./path-line.js";

/** How long what a repair touched fades, in milliseconds, and how strong it is then. */
const FADE = 900;
const FADED = 0.28;
const QUIET = 0.4;
/** CSS pixels below which touched cells are not told apart. */
const SMALLEST = 1.5;

/** The colour of a board's unit and of its line in the chart. */
export const boardColour = (board) => `board-${board + 1}`;

/** How much of the highlight of a repair is left, 0 to 1. It never goes before the next repair. */
function strengthOf({ touchedAt }, now) {
  if (lessMotion()) return FADED;
  return Math.max(1 - (now - touchedAt) / FADE, FADED);
}

/** Whether a highlight still changes. */
export const isFading = ({ touchedAt }, now) => !lessMotion() && now - touchedAt < FADE;

/** Frames the cells that the last repair changed. */
export function drawTouched(context, scale, box, knowledge, width, now) {
  if (scale < SMALLEST) return;
  const inset = Math.min(scale * 0.06, 2);
  context.beginPath();
  for (const cell of knowledge.touched) {
    const y = Math.floor(cell / width);
    const x = cell - y * width;
    if (x + 1 < box.left || y + 1 < box.top || x > box.right || y > box.bottom) continue;
    context.rect(x * scale + inset, y * scale + inset, scale - 2 * inset, scale - 2 * inset);
  }
  context.globalAlpha = strengthOf(knowledge, now);
  context.lineJoin = "miter";
  context.lineWidth = Math.min(Math.max(scale * 0.09, 1), 3);
  context.strokeStyle = palette.css("touched");
  context.stroke();
  context.globalAlpha = 1;
}

/** A unit with its path and its target. With `quiet`, text in cells stays readable below them. */
export function drawUnit(context, scale, box, unit, { target, sensing, radius, links, quiet = false }) {
  drawTrail(context, scale, unit.trail, palette.css(boardColour(unit.board)));
  if (unit.ahead.length > 0) {
    const here = [unit.at[0] - 0.5, unit.at[1] - 0.5];
    context.globalAlpha = quiet ? QUIET : 1;
    drawPath(context, scale, new PathLine([here, unit.cell, ...unit.ahead], links), box);
    context.globalAlpha = 1;
  }
  drawGoal(context, scale, target, "");
  const [x, y] = [unit.at[0] * scale, unit.at[1] * scale];
  context.lineCap = "butt";
  for (const [reach, dash] of [[sensing ?? 0, [3, 5]], [radius > 0.5 ? radius : 0, [5, 4]]]) {
    if (reach === 0) continue;
    context.beginPath();
    circle(context, x, y, reach * scale);
    cased(context, palette.css("start"), 1.5, 2, dash);
  }
  drawBody(context, x, y, Math.min(Math.max(scale * 0.36, 5.5), quiet ? 12 : 24), unit);
}

/** A disc in the board's colour; with a bar across where it is stuck, a tick where it has arrived. */
function drawBody(context, x, y, radius, { board, state }) {
  context.beginPath();
  circle(context, x, y, radius);
  rimmed(context, palette.css(boardColour(board)), 3.5);
  context.strokeStyle = palette.css("path-casing");
  context.lineWidth = Math.max(radius * 0.26, 1.5);
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  if (state === "stuck") {
    context.moveTo(x - radius * 0.45, y);
    context.lineTo(x + radius * 0.45, y);
  } else if (state === "arrived") {
    context.moveTo(x - radius * 0.45, y);
    context.lineTo(x - radius * 0.1, y + radius * 0.36);
    context.lineTo(x + radius * 0.48, y - radius * 0.36);
  } else {
    circle(context, x, y, radius * 0.28);
  }
  context.stroke();
}

/** Where a unit has been: a thin line. */
function drawTrail(context, scale, trail, colour) {
  context.beginPath();
  let down = false;
  for (const place of trail) {
    if (place && down) context.lineTo(place[0] * scale, place[1] * scale);
    else if (place) context.moveTo(place[0] * scale, place[1] * scale);
    down = place !== null;
  }
  context.lineJoin = context.lineCap = "round";
  context.globalAlpha = 0.75;
  context.strokeStyle = colour;
  context.lineWidth = Math.min(Math.max(scale * 0.08, 1.25), 3);
  context.setLineDash([1, 2.5 * context.lineWidth]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Choke cells: two triangles that meet, like a pass between hills. */
export function drawChokes(context, scale, box, cells, width) {
  const size = Math.max(scale * 0.62, 3);
  context.beginPath();
  for (const cell of cells) {
    const row = Math.floor(cell / width);
    const column = cell - row * width;
    if (column + 1 < box.left || row + 1 < box.top || column > box.right || row > box.bottom) continue;
    const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale];
    const half = size / 2;
    context.moveTo(x - half, y - half);
    context.lineTo(x + half, y - half);
    context.lineTo(x - half, y + half);
    context.lineTo(x + half, y + half);
    context.closePath();
  }
  context.lineJoin = "round";
  rimmed(context, palette.css("choke"), 2);
}
