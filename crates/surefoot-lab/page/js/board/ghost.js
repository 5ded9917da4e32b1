// The ghost of a building, with what it would do.

import { palette } from "./palette.js";

const COLOURS = { free: "ghost-free", longer: "ghost-longer", cut: "ghost-cut", taken: "ghost-cut" };
/** Short words for the board; the tools panel has the long ones. */
const SHORT = { free: "free", cut: "blocks path", taken: "occupied", asking: "", unknown: "" };
const TEXT_SIZE = 12;

/** Draws a ghost: see Builder. */
export function drawGhost(context, scale, { box, state, words }) {
  const colour = palette.css(COLOURS[state] ?? "frame");
  const [x, y] = [box.left * scale, box.top * scale];
  const [width, height] = [(box.right - box.left) * scale, (box.bottom - box.top) * scale];
  context.beginPath();
  context.rect(x, y, width, height);
  context.globalAlpha = 0.5;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
  context.lineJoin = "miter";
  context.strokeStyle = palette.css("path-casing");
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash(state === "longer" ? [6, 3] : []);
  context.stroke();
  context.setLineDash([]);
  if (state === "cut" || state === "taken") drawCross(context, x, y, width, height);
  const text = SHORT[state] ?? words.replace(" longer", "");
  if (text) drawLabel(context, x + width / 2, y + height + 4, text, colour);
}

/** Marks the state without relying on colour. */
function drawCross(context, x, y, width, height) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + width, y + height);
  context.moveTo(x + width, y);
  context.lineTo(x, y + height);
  context.stroke();
}

function drawLabel(context, middle, top, text, colour) {
  context.font = `600 ${TEXT_SIZE}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const width = context.measureText(text).width + 12;
  context.beginPath();
  context.roundRect(middle - width / 2, top, width, TEXT_SIZE + 8, 5);
  context.fillStyle = palette.css("path-casing");
  context.fill();
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.stroke();
  context.fillStyle = palette.css("number");
  context.fillText(text, middle, top + TEXT_SIZE / 2 + 4.5);
}
