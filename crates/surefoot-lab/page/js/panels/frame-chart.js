// The chart of tick times: a bar of stacked parts per tick, newest on the right.

import { palette } from "../board/palette.js";
import { FRAME_LIMIT, MOST_FRAMES, totalOf } from "../core/frame-times.js";
import { time } from "./figures.js";

/** The parts of a tick from the bottom up: the colour, the name, and what it is. */
export const PARTS = [
  ["part-update", "Update", "Obstacles move, cells change, and the forecast is made"],
  ["part-plan", "Plan", "The planner thinks"],
  ["part-taken", "Taken", "The unit flies along the plan"],
];
const MARGIN = { left: 44, right: 8, top: 18, bottom: 4 };
/** Where the limit is drawn while it is above the axis. */
const LIMIT_BAND = 8;
const FLAG = 3;

/** Draws ticks with these parts into a context of this size, in CSS pixels; the axis ends at `top` microseconds. */
export function drawFrames(context, width, height, frames, { parts = PARTS, top }) {
  const bottom = height - MARGIN.bottom;
  const yOf = (us) => bottom - (Math.min(us, top) / top) * (bottom - MARGIN.top);
  const room = width - MARGIN.left - MARGIN.right;
  const xOf = (tick) => MARGIN.left + (room * tick) / MOST_FRAMES;
  context.clearRect(0, 0, width, height);
  drawAxis(context, width, top, yOf);
  const first = MOST_FRAMES - frames.length;
  const wide = Math.max(room / MOST_FRAMES, 1);
  parts.forEach(([colour], part) => {
    context.fillStyle = palette.css(colour);
    frames.forEach((frame, tick) => {
      const below = frame.slice(0, part).reduce((sum, us) => sum + us, 0);
      const [from, to] = [yOf(below), yOf(below + frame[part])];
      context.fillRect(xOf(first + tick), to, wide, from - to);
    });
  });
  // Bars that do not fit have a flag on top.
  context.fillStyle = palette.css("hit");
  frames.forEach((frame, tick) => {
    if (totalOf(frame) > top) context.fillRect(xOf(first + tick) - 1, MARGIN.top - FLAG, wide + 2, FLAG);
  });
  drawLimit(context, width, top, yOf);
}

function drawAxis(context, width, top, yOf) {
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  for (const mark of [0, top / 2, top]) {
    const y = Math.round(yOf(mark)) + 0.5;
    context.strokeStyle = palette.css("grid-line");
    context.beginPath();
    context.moveTo(MARGIN.left, y);
    context.lineTo(width - MARGIN.right, y);
    context.stroke();
    context.fillStyle = palette.css("arrow");
    context.fillText(mark === 0 ? "0" : time(mark), MARGIN.left - 5, y);
  }
}

/** The line that no frame should reach: in its place, or above the axis with how far away that is. */
function drawLimit(context, width, top, yOf) {
  const isInside = FRAME_LIMIT <= top;
  const y = isInside ? Math.round(yOf(FRAME_LIMIT)) + 0.5 : LIMIT_BAND + 0.5;
  const words = isInside ? "16 ms" : `16 ms, ${limitWords(top)}`;
  context.textAlign = "left";
  const from = MARGIN.left + context.measureText(words).width + 8;
  context.strokeStyle = context.fillStyle = palette.css("limit");
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(width - MARGIN.right, y);
  context.stroke();
  context.setLineDash([]);
  context.fillText(words, MARGIN.left + 3, isInside ? Math.max(y - 7, 7) : y);
}

/** How far above the axis the limit is: "32 × the height of this chart". */
export const limitWords = (top) => `${(FRAME_LIMIT / top).toFixed(FRAME_LIMIT / top < 10 ? 1 : 0)} × the height of this chart`;
