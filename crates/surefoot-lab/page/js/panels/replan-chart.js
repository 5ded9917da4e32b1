// Expansions of each replan, drawn: a line for each board, newest on the right.

import { boardColour } from "../board/live-layer.js";
import { circle } from "../board/markers.js";
import { palette } from "../board/palette.js";
import { MOST_COLUMNS, axisMarks, heightOf } from "../core/replans.js";

const MARGIN = { left: 40, right: 10, top: 8, bottom: 6 };
/** CSS pixels between columns at most. */
const WIDEST = 22;
const DOT = 2.5;
/** 10K, 1M */
const compact = new Intl.NumberFormat("en", { notation: "compact" });

/** Draws the chart of a ReplanLog into a context of this size, in CSS pixels. */
export function drawChart(context, width, height, log) {
  const { columns, most } = log;
  const marks = axisMarks(most);
  const top = marks.at(-1);
  const bottom = height - MARGIN.bottom;
  const yOf = (value) => bottom - heightOf(value, top) * (bottom - MARGIN.top);
  const room = width - MARGIN.left - MARGIN.right;
  const gap = Math.min(room / (MOST_COLUMNS - 1), WIDEST);
  const spread = Math.min(room / Math.max(columns.length - 1, 1), WIDEST);
  const xOf = (column) => MARGIN.left + DOT + column * Math.max(Math.min(spread, WIDEST), gap);
  context.clearRect(0, 0, width, height);
  drawAxis(context, width, marks, yOf);
  log.totals.forEach((_, board) => {
    const points = columns.map(({ values, fresh }, column) => [xOf(column), values[board], fresh[board]]);
    const known = points.filter(([, value]) => value !== null);
    drawLine(context, known.map(([x, value, fresh]) => [x, yOf(value), fresh]), board);
  });
}

function drawAxis(context, width, marks, yOf) {
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.lineWidth = 1;
  for (const mark of marks) {
    const y = Math.round(yOf(mark)) + 0.5;
    context.strokeStyle = palette.css("grid-line");
    context.beginPath();
    context.moveTo(MARGIN.left, y);
    context.lineTo(width - MARGIN.right, y);
    context.stroke();
    context.fillStyle = palette.css("arrow");
    context.fillText(compact.format(mark), MARGIN.left - 7, y);
  }
}

/** Dots have another shape on each board: they are told apart without colours too. */
const SHAPES = [
  (context, x, y) => circle(context, x, y, DOT),
  (context, x, y) => context.rect(x - DOT * 0.9, y - DOT * 0.9, DOT * 1.8, DOT * 1.8),
  (context, x, y) => polygon(context, [[x, y - DOT * 1.3], [x + DOT * 1.2, y + DOT], [x - DOT * 1.2, y + DOT]]),
  (context, x, y) => polygon(context, [[x, y - DOT * 1.3], [x + DOT * 1.3, y], [x, y + DOT * 1.3], [x - DOT * 1.3, y]]),
];

function polygon(context, [first, ...rest]) {
  context.moveTo(...first);
  for (const point of rest) context.lineTo(...point);
  context.closePath();
}

/** Draws the mark of a board, as in the chart; hollow where a fresh search answered. */
export function drawMark(context, x, y, board, hollow = false) {
  const colour = palette.css(boardColour(board));
  context.fillStyle = hollow ? palette.css("path-casing") : colour;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  SHAPES[board](context, x, y);
  context.fill();
  context.stroke();
}

function drawLine(context, points, board) {
  if (points.length === 0) return;
  context.strokeStyle = palette.css(boardColour(board));
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
  for (const [x, y, fresh] of points) drawMark(context, x, y, board, fresh);
}
