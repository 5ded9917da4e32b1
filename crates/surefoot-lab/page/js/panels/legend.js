// What the colours and shapes on the boards mean, drawn by the same code as the boards.

import { drawDisc } from "../board/crowd-layer.js";
import { drawChokes, drawUnit } from "../board/live-layer.js";
import { CLOSED, CLOSED_BACK, KNOWN, OPENED, OPENED_BACK, REGION, UNSEEN } from "../board/looks.js";
import { circle, drawBreakpoint, drawCurrent, drawGoal, drawLinks, drawStart } from "../board/markers.js";
import { Masks } from "../board/masks.js";
import { palette } from "../board/palette.js";
import { Sprites } from "../board/sprites.js";
import { el } from "../dom.js";

/** CSS pixels of a sample's side. */
const SIDE = 22;

/** A canvas that draws itself again when the theme changes. */
function sample(paint) {
  const ratio = Math.max(globalThis.devicePixelRatio, 2);
  const canvas = el("canvas", {
    class: "sample",
    width: SIDE * ratio,
    height: SIDE * ratio,
    "aria-hidden": "true",
  });
  const context = canvas.getContext("2d");
  const draw = () => {
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, SIDE, SIDE);
    paint(context, ratio);
  };
  palette.on("change", draw);
  draw();
  return canvas;
}

/** A cell as boards draw it. */
function drawCell(context, ratio, cost, state) {
  const sprites = new Sprites(new Masks(SIDE * ratio, ratio), { framed: false, quiet: false });
  const { size } = sprites;
  const image = new ImageData(size, size);
  image.data.set(new Uint8Array(sprites.of(state * 256 + cost).buffer));
  context.putImageData(image, 0, 0);
}

/** A sample of a terrain. */
export const terrainSample = (cost) => sample((context, ratio) => drawCell(context, ratio, cost, UNSEEN));

const stateSample = (state) => sample((context, ratio) => drawCell(context, ratio, 1, state));

const markSample = (draw) =>
  sample((context, ratio) => {
    drawCell(context, ratio, 1, UNSEEN);
    draw(context);
  });

function drawPathSample(context) {
  context.lineCap = "round";
  for (const [colour, width] of [
    ["path-casing", 7],
    ["path", 4],
  ]) {
    context.beginPath();
    context.moveTo(0, SIDE * 0.75);
    context.lineTo(SIDE * 0.4, SIDE * 0.75);
    context.lineTo(SIDE, SIDE * 0.2);
    context.strokeStyle = palette.css(colour);
    context.lineWidth = width;
    context.stroke();
  }
}

function drawLinkSample(context) {
  context.save();
  context.scale(0.5, 0.5);
  drawLinks(context, SIDE, [{ from: [0, 0.9], to: [1, 0.9], two_way: false }]);
  context.restore();
}

/** From the lower left corner: a diagonal, then a straight line, with the stop at its end. */
function drawJumpSample(context) {
  context.beginPath();
  context.moveTo(2, SIDE - 2);
  context.lineTo(SIDE * 0.5, SIDE * 0.5);
  context.lineTo(SIDE - 4, SIDE * 0.5);
  context.strokeStyle = context.fillStyle = palette.css("jump");
  context.lineWidth = 1.5;
  context.stroke();
  context.beginPath();
  circle(context, SIDE - 4, SIDE * 0.5, 2.5);
  context.fill();
}

function drawPreparedSample(context) {
  context.lineWidth = 1;
  context.strokeStyle = palette.css("prepared-part");
  context.strokeRect(2.5, 2.5, SIDE - 5, SIDE - 5);
  context.strokeStyle = palette.css("prepared-edge");
  context.beginPath();
  context.moveTo(4, 8);
  context.lineTo(SIDE - 4, SIDE - 6);
  context.stroke();
  context.fillStyle = palette.css("prepared-place");
  for (const [x, y] of [[4, 8], [SIDE - 4, SIDE - 6]]) context.fillRect(x - 2, y - 2, 4, 4);
}

/** A box of a colour, seen from above one of its corners. */
const drawBoxSample = (colour) => (context) => {
  const at = (x, y) => [SIDE * x, SIDE * y];
  const [top, left, right, middle] = [at(0.5, 0.12), at(0.14, 0.3), at(0.86, 0.3), at(0.5, 0.48)];
  const [below, lowLeft, lowRight] = [at(0.5, 0.88), at(0.14, 0.7), at(0.86, 0.7)];
  const faces = [[1, [top, right, middle, left]], [0.8, [left, middle, below, lowLeft]], [0.62, [middle, right, lowRight, below]]];
  const [red, green, blue] = palette.parts(colour);
  for (const [light, corners] of faces) {
    context.beginPath();
    for (const corner of corners) context.lineTo(...corner);
    context.fillStyle = `rgb(${[red, green, blue].map((value) => Math.round(value * light)).join(" ")})`;
    context.fill();
  }
};

const CELL_BOX = { left: 0, top: 0, right: 1, bottom: 1 };

function drawUnitSample(context) {
  const unit = { board: 0, at: [0.5, 0.5], cell: [0, 0], state: "walking", trail: [], ahead: [] };
  // The target is out of the picture.
  drawUnit(context, SIDE, CELL_BOX, unit, { target: [9, 9], sensing: null, radius: 0, links: [] });
}

function drawBallSample(context) {
  context.lineWidth = 2;
  context.fillStyle = palette.css("board-1");
  context.strokeStyle = palette.css("path-casing");
  context.beginPath();
  circle(context, SIDE / 2, SIDE / 2, SIDE * 0.3);
  context.fill();
  context.stroke();
}

function drawHitSample(context) {
  const [near, far] = [SIDE * 0.22, SIDE * 0.78];
  context.lineCap = "round";
  for (const [colour, width] of [["path-casing", 5], ["hit", 2.5]]) {
    context.beginPath();
    for (const [x, y] of [[near, near], [near, far]]) {
      context.moveTo(x, y);
      context.lineTo(SIDE - x, SIDE - y);
    }
    context.strokeStyle = palette.css(colour);
    context.lineWidth = width;
    context.stroke();
  }
}

const discSample = (look) => markSample((context) => drawDisc(context, SIDE / 2, SIDE / 2, { radius: 0.42 * SIDE, group: 0, look }));
const startSample = () => markSample((context) => drawStart(context, SIDE, [0, 0], 0));

/**
 * All entries; `grid` ones mean something on grids only, `cells` ones in voxel worlds too, `space` ones only there, `flat`
 * ones everywhere else, `moving` ones in scenes, `live` ones only while units walk, `crowd` ones only
 * while there is a crowd, `search` ones only while there is neither.
 */
const entries = () => [
  { picture: terrainSample(1), text: "Floor, cost 1", grid: true },
  { picture: terrainSample(0), text: "Wall", grid: true },
  { picture: markSample(drawBoxSample("solid-high")), text: "Solid", space: true },
  { picture: terrainSample(4), text: "Grass, cost 4", grid: true },
  { picture: terrainSample(10), text: "Water, cost 10", grid: true },
  { picture: terrainSample(40), text: "Other costs (darker costs more)", grid: true },
  { picture: stateSample(OPENED), text: "Open: to be expanded", search: true },
  { picture: stateSample(CLOSED), text: "Closed: expanded", search: true },
  { picture: stateSample(OPENED_BACK), text: "Open, backward search", search: true },
  { picture: stateSample(CLOSED_BACK), text: "Closed, backward search", search: true },
  { picture: markSample((context) => drawCurrent(context, SIDE, 0, 0, false)), text: "Current: closed last", search: true },
  { picture: markSample(drawPathSample), text: "Path" },
  { picture: startSample(), text: "Start", flat: true },
  { picture: startSample(), text: "Start", space: true, search: true },
  { picture: markSample(drawBallSample), text: "Unit: a ball of its size, ringed if small", space: true, live: true },
  { picture: markSample(drawHitSample), text: "Hit: the unit touched something", space: true, live: true },
  { picture: markSample(drawBoxSample("forecast")), text: "Forecast: will be covered", moving: true },
  { picture: markSample((context) => drawGoal(context, SIDE, [0, 0])), text: "Goal" },
  { picture: markSample(drawLinkSample), text: "Link: tunnel, ladder, …", grid: true },
  { picture: markSample(drawJumpSample), text: "Jump over several cells", cells: true, search: true },
  { picture: markSample(drawPreparedSample), text: "Prepared: cluster, nodes, edge", grid: true, search: true },
  { picture: markSample((context) => drawBreakpoint(context, SIDE, 0, 0)), text: "Breakpoint", search: true },
  { picture: stateSample(REGION), text: "Walled in", cells: true, search: true },
  { picture: markSample((context) => drawChokes(context, SIDE, CELL_BOX, [0], 1)), text: "Choke: only connection", grid: true },
  { picture: markSample(drawBoxSample("obstacle")), text: "Moving obstacle", moving: true },
  { picture: markSample(drawUnitSample), text: "Unit", grid: true, live: true },
  { picture: discSample("walking"), text: "Unit, in the colour of its group", crowd: true },
  { picture: discSample("held"), text: "Held up for a second", crowd: true },
  { picture: discSample("jam"), text: "In a jam that is being resolved", crowd: true },
  { picture: discSample("stuck"), text: "Stuck: no way for now", crowd: true },
  { picture: discSample("arrived"), text: "Arrived", crowd: true },
  { picture: stateSample(KNOWN), text: "Consistent: g = rhs", grid: true, live: true },
  { picture: stateSample(KNOWN + 1), text: "Over-consistent: g > rhs", grid: true, live: true },
  { picture: stateSample(KNOWN + 2), text: "Under-consistent: g < rhs", grid: true, live: true },
  { picture: stateSample(KNOWN + 3), text: "Ring: in the queue", grid: true, live: true },
];

/** Fills the legend. */
export function mountLegend(app, element) {
  const items = entries().map(({ picture, text, ...when }) => ({ item: el("li", {}, picture, text), ...when }));
  element.append(
    el(
      "ul",
      { class: "legend" },
      items.map(({ item }) => item),
    ),
  );
  const update = () => {
    const { world, scene } = app.store.doc;
    const [walking, moves] = [app.live.active, app.moving !== null];
    const inSpace = world.kind === "voxel";
    for (const { item, grid, flat, space, cells, moving, live, crowd, search } of items) {
      const otherKind = (grid && world.kind !== "grid") || (flat && inSpace) || (space && !inSpace);
      const elsewhere = otherKind || (cells && world.kind === "graph") || (moving && !scene);
      item.hidden = Boolean(elsewhere || (crowd && !app.crowd.active) || (live && !walking) || (search && moves));
    }
  };
  for (const moving of [app.live, app.crowd]) moving.on("state", update);
  app.store.on("fields", (names) => (names.has("world") || names.has("scene")) && update());
  update();
}
