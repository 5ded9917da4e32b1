// A crowd: its units, the goals of its groups, where it has waited, and the path of one unit. Lengths are CSS pixels from the map's corner.

import { circle, drawPath } from "./markers.js";
import { cased, rimmed } from "./outline.js";
import { palette } from "./palette.js";
import { PathLine } from "./path-line.js";

/** CSS pixels that a unit needs for a rim, and for the mark of its state. */
const RIMMED = 3;
const MARKED = 4.5;
/** However far away, a unit can be seen. */
const SMALLEST = 1;
/** How strong waiting is shown, from the shortest to the longest, in so many steps. */
const FAINTEST = 0.12;
const STRONGEST = 0.72;
const STEPS = 8;
/** Units without an order are paler. */
const IDLE = 0.55;

/** The colour of a group. */
export const groupColour = (group) => `crowd-${group + 1}`;

const isIn = (box, x, y, reach) => x + reach >= box.left && y + reach >= box.top && x - reach <= box.right && y - reach <= box.bottom;

/** Shades the cells in which units have waited: the longer the stronger. */
export function drawWaits(context, scale, box, { waited, mostWaited }, width) {
  const steps = Array.from({ length: STEPS }, () => []);
  for (const [cell, seconds] of waited) {
    const step = Math.floor((STEPS * Math.log1p(seconds)) / Math.log1p(mostWaited));
    steps[Math.min(step, STEPS - 1)].push(cell);
  }
  context.fillStyle = palette.css("waits");
  steps.forEach((cells, step) => {
    context.globalAlpha = FAINTEST + ((STRONGEST - FAINTEST) * step) / (STEPS - 1);
    context.beginPath();
    for (const cell of cells) {
      const y = Math.floor(cell / width);
      const x = cell - y * width;
      if (isIn(box, x, y, 1)) context.rect(x * scale, y * scale, scale, scale);
    }
    context.fill();
  });
  context.globalAlpha = 1;
}

/** Circles of units, kept as pictures: drawing ten thousand circles anew would take longer than a frame. */
class Discs {
  #known = new Map();
  #of = null;

  /** The picture of a unit, `{picture, side}` with its side in CSS pixels. */
  get(group, look, radius, ratio) {
    if (this.#of !== palette.version) {
      this.#known.clear();
      this.#of = palette.version;
    }
    const key = `${group} ${look} ${radius.toFixed(2)} ${ratio}`;
    let known = this.#known.get(key);
    if (!known) {
      // While one zooms, each frame has its own sizes.
      if (this.#known.size > 400) this.#known.clear();
      known = makeDisc(group, look, radius, ratio);
      this.#known.set(key, known);
    }
    return known;
  }
}

function makeDisc(group, look, radius, ratio) {
  const pixels = Math.ceil((2 * radius + 2) * ratio);
  const picture = new OffscreenCanvas(pixels, pixels);
  const context = picture.getContext("2d");
  context.scale(ratio, ratio);
  const side = pixels / ratio;
  drawDisc(context, side / 2, side / 2, { radius, group, look });
  return { picture, side };
}

/** A unit: the looks are walking, idle, held, jam, arrived and stuck. */
export function drawDisc(context, x, y, { radius, group, look }) {
  context.globalAlpha = look === "idle" ? IDLE : 1;
  context.beginPath();
  const rim = radius >= RIMMED ? Math.min(radius * 0.22, 2) : 0;
  circle(context, x, y, radius - rim / 2);
  context.fillStyle = palette.css(groupColour(group));
  context.fill();
  if (rim > 0) {
    context.lineWidth = rim;
    context.strokeStyle = palette.css(look === "jam" ? "limit" : "crowd-rim");
    context.stroke();
  }
  if (radius >= MARKED) drawMark(context, x, y, radius, look);
  context.globalAlpha = 1;
}

/** A bar across units that are stuck, a tick on those that have arrived, a dot on those that are held up. */
function drawMark(context, x, y, radius, look) {
  context.strokeStyle = context.fillStyle = palette.css("path-casing");
  context.lineWidth = Math.max(radius * 0.24, 1.25);
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  if (look === "stuck") {
    context.moveTo(x - radius * 0.4, y);
    context.lineTo(x + radius * 0.4, y);
  } else if (look === "arrived") {
    context.moveTo(x - radius * 0.4, y);
    context.lineTo(x - radius * 0.1, y + radius * 0.32);
    context.lineTo(x + radius * 0.42, y - radius * 0.32);
  } else if (look === "held" || look === "jam") {
    circle(context, x, y, radius * 0.22);
    context.fill();
    return;
  }
  context.stroke();
}

/** What a unit looks like. */
function lookOf(units, i) {
  const state = units.state(i);
  if (state === "stuck" || state === "arrived" || state === "idle") return state;
  if (units.isInJam(i)) return "jam";
  return units.isHeld(i) ? "held" : "walking";
}

export class CrowdLayer {
  #discs = new Discs();

  /** Draws goals and units; `ratio` is device pixels a CSS pixel. */
  draw(context, scale, box, crowd, { links, ratio }) {
    crowd.goals.forEach((goal, group) => goal && drawGroupGoal(context, scale, goal, group));
    const { units } = crowd;
    const selected = crowd.selected === null ? -1 : units.indexOf(crowd.selected);
    if (selected >= 0) this.#drawWay(context, scale, box, crowd, selected, links);
    for (let i = 0; i < units.count; i++) {
      const [x, y, radius] = [units.x(i), units.y(i), units.radius(i)];
      // What is inside a link is nowhere.
      if (!isIn(box, x, y, radius) || units.state(i) === "riding") continue;
      const { picture, side } = this.#discs.get(units.group(i), lookOf(units, i), Math.max(radius * scale, SMALLEST), ratio);
      context.drawImage(picture, x * scale - side / 2, y * scale - side / 2, side, side);
    }
    if (selected >= 0) drawSelection(context, scale, units, selected);
  }

  /** The path of the unit that is watched. */
  #drawWay(context, scale, box, { units, unit }, i, links) {
    if (!unit || unit.path.length === 0) return;
    drawPath(context, scale, new PathLine([[units.x(i) - 0.5, units.y(i) - 0.5], ...unit.path], links), box);
  }
}

function drawSelection(context, scale, units, i) {
  context.beginPath();
  circle(context, units.x(i) * scale, units.y(i) * scale, Math.max(units.radius(i) * scale, 3) + 4);
  context.lineCap = "butt";
  cased(context, palette.css("start"), 2, 2.5);
}

/** The goal of a group: a ring in its colour around a dot. */
function drawGroupGoal(context, scale, [column, row], group) {
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale];
  const radius = Math.min(Math.max(scale * 0.45, 6), 26);
  const colour = palette.css(groupColour(group));
  context.beginPath();
  circle(context, x, y, radius);
  context.fillStyle = palette.css("path-casing");
  context.fill();
  cased(context, colour, Math.max(radius * 0.3, 2.5), 3);
  context.beginPath();
  circle(context, x, y, radius * 0.4);
  rimmed(context, colour, 1);
}
