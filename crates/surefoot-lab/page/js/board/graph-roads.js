// The edges of a graph, drawn once for each view: nothing that a search does changes them.

import { edgeLength } from "../core/graph-edit.js";
import { headOfCurve, plate, trace } from "./graph-ink.js";
import { curveOf, pointOf, radiusOf } from "./graph-shape.js";
import { palette } from "./palette.js";
import { short } from "./glyphs.js";

/** An edge has to be so long on the screen to carry its cost. */
const LABELLED = 84;
/** Nodes have to be so large that heads can be told from them. */
const HEADS_FROM = 3;
/** Beyond so many edges in view, costs are noise. */
const MOST_LABELS = 400;

export class Roads {
  #canvas = new OffscreenCanvas(1, 1);
  #context = this.#canvas.getContext("2d");
  #key = null;

  /** Draws them, from the cache if nothing changed. */
  draw(context, world, view) {
    const { width, height, ratio, left, top, scale } = view;
    const key = [world, width, height, ratio, left, top, scale, palette.version];
    if (!this.#key?.every((value, i) => value === key[i])) {
      this.#paint(world, view);
      this.#key = key;
    }
    context.drawImage(this.#canvas, 0, 0, this.#canvas.width / ratio, this.#canvas.height / ratio);
  }

  #paint(world, view) {
    const { width, height, ratio } = view;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    const context = this.#context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.css("board");
    context.fillRect(0, 0, width, height);
    drawLattice(context, view);
    const inView = [];
    world.edges.forEach((edge, index) => {
      const curve = toPixels(curveOf(world, index), view);
      if (touches(curve, width, height)) inView.push({ edge, index, curve });
    });
    const radius = radiusOf(world, view.scale);
    drawKind(context, inView.filter(({ edge }) => edge.kind === "road"), radius, "road", []);
    drawKind(context, inView.filter(({ edge }) => edge.kind === "link"), radius, "link", [6, 4]);
    if (inView.length > MOST_LABELS) return;
    for (const { edge, curve } of inView) drawCost(context, world, edge, curve);
  }
}

function drawKind(context, edges, radius, name, dash) {
  const colour = palette.css(name);
  const width = Math.min(Math.max(radius * 0.18, 1), 2.25);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  for (const { curve } of edges) trace(context, curve);
  context.stroke();
  context.setLineDash([]);
  if (radius < HEADS_FROM) return;
  const size = Math.min(Math.max(radius * 0.95, 5), 11);
  context.beginPath();
  for (const { edge, curve } of edges) if (!edge.two_way) headOfCurve(context, curve, radius, size);
  context.fill();
}

/** The cost of an edge, if it is long enough. Costs that were given stand out; the others are lengths. */
export function drawCost(context, world, edge, curve) {
  const [x1, y1, , , x2, y2] = curve;
  if (Math.hypot(x2 - x1, y2 - y1) < LABELLED) return;
  const [x, y] = pointOf(curve, 0.5);
  const given = edge.cost !== null;
  const colour = edge.kind === "link" ? "link" : given ? "number" : "arrow";
  plate(context, short(edge.cost ?? edgeLength(world, edge)), x, y, { colour, weight: given ? 700 : 400 });
}

/** Faint points at round coordinates, so that moving is seen on an empty board too. */
function drawLattice(context, { width, height, left, top, scale }) {
  const step = 2 ** Math.ceil(Math.log2(28 / scale));
  context.fillStyle = palette.css("grid-line");
  for (let x = Math.ceil(left / step) * step; (x - left) * scale < width; x += step) {
    for (let y = Math.ceil(top / step) * step; (y - top) * scale < height; y += step) {
      context.fillRect((x - left) * scale - 1, (y - top) * scale - 1, 2, 2);
    }
  }
}

/** A curve in world coordinates as CSS pixels of the board. */
export function toPixels([x1, y1, cx, cy, x2, y2], { left, top, scale }) {
  const [x, y] = [(value) => (value - left) * scale, (value) => (value - top) * scale];
  return [x(x1), y(y1), x(cx), y(cy), x(x2), y(y2)];
}

function touches([x1, y1, cx, cy, x2, y2], width, height) {
  const right = Math.max(x1, cx, x2);
  const bottom = Math.max(y1, cy, y2);
  return right >= 0 && bottom >= 0 && Math.min(x1, cx, x2) <= width && Math.min(y1, cy, y2) <= height;
}
