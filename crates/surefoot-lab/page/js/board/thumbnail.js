// A map as a small picture.

import { spacePicture } from "../space/picture.js";
import { curveOf } from "./graph-shape.js";
import { ground } from "./looks.js";
import { palette, pixel } from "./palette.js";

/** Draws a world, its links, start and goals so that they fill a canvas. */
export function drawThumbnail(canvas, { world, links, start, goals, scene = null }) {
  const context = canvas.getContext("2d");
  const { width, height } = canvas;
  if (world.kind === "voxel") {
    const picture = spacePicture({ world, start, goals, scene }, width, height);
    if (picture) context.drawImage(picture, 0, 0);
    return;
  }
  context.fillStyle = palette.css("board");
  context.fillRect(0, 0, width, height);
  const { left, top, right, bottom } = world.bounds();
  const scale = Math.min(width / (right - left), height / (bottom - top));
  const marginX = (width - scale * (right - left)) / 2;
  const marginY = (height - scale * (bottom - top)) / 2;
  const at = ([x, y]) => [marginX + (x - left) * scale, marginY + (y - top) * scale];
  const middle = ([x, y]) => at([x + 0.5, y + 0.5]);
  const size = Math.max(width / 36, 3);
  if (world.kind === "grid") {
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(cellsOf(world), marginX, marginY, scale * world.width, scale * world.height);
    context.lineWidth = size / 3;
    for (const link of links) drawArc(context, middle(link.from), middle(link.to));
  } else {
    drawEdges(context, world, at, size);
  }
  // Marks at the rim stay whole.
  const inside = ([x, y]) => [clamp(x, 1.5 * size, width - 1.5 * size), clamp(y, 1.5 * size, height - 1.5 * size)];
  const placeOf = (place) => inside(world.kind === "grid" ? middle(place) : at(world.nodes[place]));
  if (start !== null) mark(context, placeOf(start), size, palette.css("start"), false);
  for (const goal of goals) mark(context, placeOf(goal), size, palette.css("goal"), true);
}

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/** The cells with one pixel each. */
function cellsOf({ width, height, cost }) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const colours = Uint32Array.from({ length: 256 }, (_, value) => pixel(ground(value)));
  const pixels = new Uint32Array(image.data.buffer);
  cost.forEach((value, index) => (pixels[index] = colours[value]));
  context.putImageData(image, 0, 0);
  return canvas;
}

function drawArc(context, [x1, y1], [x2, y2]) {
  context.strokeStyle = palette.css("link");
  context.beginPath();
  context.moveTo(x1, y1);
  context.quadraticCurveTo((x1 + x2) / 2 + 0.35 * (y2 - y1), (y1 + y2) / 2 - 0.35 * (x2 - x1), x2, y2);
  context.stroke();
}

function drawEdges(context, world, at, size) {
  context.lineWidth = Math.max(size / 6, 1);
  for (const kind of ["road", "link"]) {
    context.strokeStyle = palette.css(kind);
    context.beginPath();
    world.edges.forEach((edge, index) => {
      if (edge.kind !== kind) return;
      const [x1, y1, cx, cy, x2, y2] = curveOf(world, index);
      context.moveTo(...at([x1, y1]));
      context.quadraticCurveTo(...at([cx, cy]), ...at([x2, y2]));
    });
    context.stroke();
  }
  const radius = world.nodeCount > 150 ? size / 4 : size / 2;
  context.fillStyle = palette.css("road");
  context.beginPath();
  for (const node of world.nodes) {
    const [x, y] = at(node);
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
}

/** A ring for the start, a dot for a goal, both with a rim so that they stand out. */
function mark(context, [x, y], size, colour, filled) {
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.lineWidth = size;
  context.strokeStyle = palette.css("path-casing");
  context.stroke();
  context.lineWidth = size / 2;
  context.strokeStyle = context.fillStyle = colour;
  if (filled) context.fill();
  else context.stroke();
}
